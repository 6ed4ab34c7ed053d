//! Exact rods and ties under implicit steps: what they pull with at every moment of a swing.

use aspic::constraint::{Anchor, Constraint, Distance, Tie};
use aspic::integrate::Scheme;
use aspic::mesh::generate;
use aspic::scene::{NoFiles, Scene};
use aspic::{Vec3, WorldBuilder};

use crate::support::{damped_jelly, exact, explicit, frames, single, start, steps, tight};

const GRAVITY: f64 = 9.81;
/// Length of a pendulum  \[m\]
const LENGTH: f64 = 0.5;

/// A point on an exact rod, let go at an angle \[rad\] from straight down, for two seconds. The rod hangs on a point, or its
/// upper end is tied to a rod that is held.
fn pendulum(method: &str, step: f64, angle: f64, tied: bool) -> String {
    let end = [LENGTH * angle.sin(), 0.0, -LENGTH * angle.cos()];
    let hung = if tied {
        "[bodies.nail]\nmaterial = \"m\"\nrope = { path = [[0, 0, 0.2], [0, 0, 0]], segments = 1, radius = 0.005 }\n\
         [constraints.hold]\nhold = { body = \"nail\" }\n\
         [constraints.knot]\ntie = [{ body = \"rod\", name = \"start\" }, { body = \"nail\", name = \"end\" }]\n\
         [constraints.length]\ndistance = [{ body = \"rod\", name = \"end\" }, { body = \"rod\", name = \"start\" }]\n"
    } else {
        "[constraints.hold]\nhold = { body = \"rod\", name = \"start\" }\n\
         [constraints.length]\ndistance = [{ body = \"rod\", name = \"end\" }, { point = [0, 0, 0] }]\n"
    };
    format!(
        "duration = 2\ngravity = {GRAVITY}\n[time]\nmethod = \"{method}\"\nmax_step = {step}\n[contact]\nenabled = false\n\
         [output]\nframe_interval = 0.01\n[materials.m]\nyoung = 1e6\npoisson = 0.3\ndensity = 1000\n\
         [bodies.rod]\nmaterial = \"m\"\nrope = {{ path = [[0, 0, 0], {end:?}], segments = 1, radius = 0.005 }}\n{hung}"
    )
}

/// By the conservation of energy a rod pulls with m g (3 cos θ − 2 cos θ₀), and pushes where that is negative.
#[test]
fn rod_of_a_pendulum_pulls_as_its_angle_says() {
    for (method, step) in
        ["trapezoid", "bdf2"].into_iter().flat_map(|m| [2e-3, 5e-3, 1.0 / 60.0].map(|h| (m, h)))
    {
        for (degrees, tied) in [60.0f64, 90.0, 150.0].into_iter().flat_map(|a| [(a, false), (a, true)]) {
            let from = degrees.to_radians().cos();
            let text = pendulum(method, step, degrees.to_radians(), tied);
            let mut simulation = Scene::parse(&text).unwrap().build(&NoFiles).unwrap();
            let masses = simulation.world().inertia.masses().to_vec();
            let weight = GRAVITY * masses[1];
            let held = GRAVITY * masses.iter().sum::<f64>() - weight;
            let hold = simulation.world().constraints.iter().position(|c| c.name == "hold").unwrap();
            for frame in frames(&mut simulation).iter().skip(1) {
                let down = frame.positions[1] / LENGTH;
                let pull = down * (weight * (-3.0 * down.z - 2.0 * from));
                // What holds the nail bears all that hangs on it.
                let off = if tied {
                    frame.reactions[hold] - (Vec3::z() * held - pull)
                } else {
                    frame.reaction[1] + pull
                };
                let part = off.norm() / (weight * (3.0 - 2.0 * from));
                let t = frame.ledger.t;
                assert!(part < 0.02, "{method}, {step} s, from {degrees}°, tied: {tied}, at {t} s: {part}");
            }
        }
    }
}

/// Two blocks tied face to face, the first held, so that they swing as one bar.
fn tied() -> WorldBuilder {
    let mesh = generate::block(Vec3::repeat(0.2), [1; 3]).unwrap();
    let mut builder = single(&mesh, &damped_jelly(0.02));
    let other = builder.solid("other", &mesh, &damped_jelly(0.02), Default::default()).unwrap();
    let nodes = builder.nodes(other);
    let first = nodes.start as u32;
    builder.positions()[nodes].iter_mut().for_each(|x| x.x += 0.2);
    let pairs = mesh.groups["right"].iter().zip(&mesh.groups["left"]);
    let knot = |(&a, &b): (&u32, &u32)| Box::new(Tie { nodes: [a, first + b] }) as Box<dyn Constraint>;
    let knots = pairs.map(knot).collect();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY)).hold("wall", &mesh.groups["left"]);
    builder.constrain(exact("knots", knots));
    builder
}

/// A block on rods from the corners of one face to a vertex of another, which is held by a face.
fn on_rods() -> WorldBuilder {
    let mesh = generate::block(Vec3::repeat(0.1), [2; 3]).unwrap();
    let mut builder = single(&mesh, &damped_jelly(0.002));
    let other = builder.solid("other", &mesh, &damped_jelly(0.002), Default::default()).unwrap();
    let nodes = builder.nodes(other);
    let first = nodes.start as u32;
    builder.positions()[nodes].iter_mut().for_each(|x| x.x += 0.15);
    let at = builder.positions().to_vec();
    let middle = |&&node: &&u32| at[(first + node) as usize].yz().norm() < 1e-9;
    let nail = first + *mesh.groups["left"].iter().find(middle).unwrap();
    let rod = |&node: &u32| {
        let length = (at[node as usize] - at[nail as usize]).norm();
        Box::new(Distance { node, other: Anchor::Node(nail), length }) as Box<dyn Constraint>
    };
    let rods = mesh.groups["right"].iter().map(rod).collect();
    let top: Vec<u32> = mesh.groups["top"].iter().map(|node| first + node).collect();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY)).hold("ceiling", &top);
    builder.constrain(exact("rods", rods));
    builder
}

#[test]
fn ties_and_rods_between_blocks_pull_as_in_explicit_steps() {
    for (name, build) in [("tied", tied as fn() -> WorldBuilder), ("on rods", on_rods)] {
        let mut reference = start(build(), explicit(1e-8, 1.6, 0.1));
        let expected = frames(&mut reference);
        let largest = expected.iter().map(|f| f.reactions[0].norm()).fold(0.0, f64::max);
        for scheme in [Scheme::Bdf2, Scheme::Trapezoid] {
            let mut simulation = start(build(), steps(scheme, tight(), 0.002, 1.6, 0.1));
            for (frame, other) in frames(&mut simulation).iter().zip(&expected).skip(1) {
                let pairs = frame.reaction.iter().zip(&other.reaction);
                let off = pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max) / largest;
                assert!(off < 0.01, "{name}, {scheme:?} at {} s: {off}", frame.ledger.t);
            }
        }
    }
}
