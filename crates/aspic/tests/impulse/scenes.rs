//! The scenes with contact by impulses, run whole, and bodies of mass points in small ones.

use std::path::PathBuf;

use aspic::frame::Frame;
use aspic::scene::{NoFiles, Scene};
use aspic::{Simulation, Vec3};

use crate::support::frames;

fn scene(name: &str) -> Simulation {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let text = std::fs::read_to_string(folder.join(name).with_extension("toml")).unwrap();
    build(&text)
}

fn build(text: &str) -> Simulation {
    Scene::parse(text).and_then(|scene| scene.build(&NoFiles)).unwrap_or_else(|error| panic!("{error}"))
}

fn closes(frames: &[Frame], part: f64) {
    for frame in frames {
        let row = &frame.ledger;
        assert!(
            row.residual.abs() <= part * row.exchanged.max(1e-6),
            "{} s: {:e} of {:e}",
            row.t,
            row.residual,
            row.exchanged
        );
    }
}

#[test]
fn the_cloth_lies_on_the_globe_and_turns_with_it() {
    let mut simulation = scene("cloth-on-globe");
    let all = frames(&mut simulation);
    closes(&all, 1e-3);
    let cloth = simulation.world().topology.bodies[0].clone();
    let (center, reach) = (Vec3::z() * 0.25, 0.15 + cloth.radius);
    for frame in &all {
        for x in &frame.positions[cloth.points.clone()] {
            assert!(
                (x - center).norm() > reach - 1e-9 && x.z > cloth.radius - 1e-9,
                "{} s: {x}",
                frame.ledger.t
            );
        }
    }
    let last = all.last().unwrap();
    let top = last.positions[cloth.points.clone()].iter().map(|x| x.z).fold(0.0, f64::max);
    assert!((top - 0.25 - reach).abs() < 5e-3, "{top}");
    assert!(last.ledger.friction_loss > 0.0 && last.ledger.drag_work > 0.0, "{:?}", last.ledger);
}

#[test]
fn the_box_flips_and_the_ball_meets_it() {
    let mut simulation = scene("box-and-ball");
    let all = frames(&mut simulation);
    closes(&all, 1e-3);
    let world = simulation.world();
    let hit = |frame: &Frame| {
        let ball = world.topology.bodies[1].points.clone();
        frame.contact[ball.clone()]
            .iter()
            .zip(&frame.positions[ball])
            .any(|(f, x)| f.norm() > 0.0 && x.z > 0.02)
    };
    assert!(all.iter().any(hit), "the ball meets the box above the ground");
    for frame in &all {
        assert!(frame.positions.iter().all(|x| x.z > -5e-3), "{} s", frame.ledger.t);
    }
    assert!(all.last().unwrap().ledger.impact_loss > 0.0);
}

/// A rope falls across a box that stands on the ground.
#[test]
fn a_rope_hangs_over_a_closed_body_in_a_flood() {
    let text = r#"
        duration = "1 s"
        contact = { model = "flood", friction = 0.6 }
        [time]
        max_step = "1 ms"
        [materials.hemp]
        density = 800
        young = "1 MPa"
        poisson = 0.3
        [bodies.rope]
        material = "hemp"
        rope = { path = [["-30 cm", 0, 0], ["30 cm", 0, 0]], segments = 40, radius = "5 mm" }
        damping = { relaxation = "5 ms" }
        position = [0, "0.7 cm", "23 cm"]
        [obstacles.stand]
        shape = { box = { size = ["20 cm", "20 cm", "20 cm"] } }
        position = [0, 0, "10 cm"]
        [obstacles.ground]
        shape = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } }
    "#;
    let mut simulation = build(text);
    let all = frames(&mut simulation);
    closes(&all, 1e-3);
    let last = &all.last().unwrap().positions[..41];
    assert!(
        last[20].z > 0.19 && last[0].z < 0.15 && last[40].z < 0.15,
        "{} {} {}",
        last[20],
        last[0],
        last[40]
    );
    assert!(last.iter().all(|x| x.z >= 5e-3 - 1e-9));
}

/// Two shells of springs, the bodies of the source, meet in the air.
#[test]
fn two_spring_shells_bounce_off_each_other() {
    let text = r#"
        duration = "0.5 s"
        gravity = 0
        contact = { model = "flood", restitution = 0.5 }
        [time]
        max_step = "0.5 ms"
        [materials.skin]
        density = 1000
        young = "500 kPa"
        poisson = 0.3
        shear_viscosity = "100 Pa s"
        [bodies.left]
        material = "skin"
        shape = { ball = { radius = "10 cm", rings = 3 } }
        shell = { thickness = "5 mm", bulk = "20 kPa" }
        position = ["-15 cm", 0, 0]
        velocity = [1, 0, 0]
        [bodies.right]
        material = "skin"
        shape = { ball = { radius = "10 cm", rings = 3 } }
        shell = { thickness = "5 mm", bulk = "20 kPa" }
        position = ["15 cm", "3 cm", 0]
        velocity = [-1, 0, 0]
    "#;
    let mut simulation = build(text);
    let all = frames(&mut simulation);
    closes(&all, 1e-3);
    let (first, last) = (&all[0], all.last().unwrap());
    assert!((last.ledger.momentum - first.ledger.momentum).norm() < 1e-12, "{}", last.ledger.momentum);
    let n = last.velocities.len() / 2;
    let mean = |list: &[Vec3]| list.iter().sum::<Vec3>() / n as f64;
    assert!((mean(&last.velocities[n..]) - mean(&last.velocities[..n])).x > 0.3);
    assert!(last.ledger.impact_loss > 0.0);
}
