//! Default steps that can be trusted with energy, momentum and friction: families of scenes against closed forms.

mod flips;
mod random;
mod rubbing;
mod scenes;

use aspic::Simulation;
use aspic::Vec3;
use aspic::frame::{Frame, Ledger};
use aspic::scene::{NoFiles, Scene};
use scenes::{BALL, SHAPES, Stuff};

/// Runs a scene to its end, showing every frame to `visit`.
fn run(text: &str, mut visit: impl FnMut(&Frame)) -> Simulation {
    let scene = Scene::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut simulation = scene.build(&NoFiles).unwrap_or_else(|error| panic!("{error}\n{text}"));
    while let Some(frame) = simulation.next_frame().unwrap_or_else(|error| panic!("{error}\n{text}")) {
        visit(&frame);
    }
    simulation
}

/// Energy of motion, shape and contact  \[J\]
fn energy(row: &Ledger) -> f64 {
    row.kinetic + row.elastic_bulk + row.elastic_shear + row.contact
}

/// A body that spins in empty space for 2 s.
fn spinning(kind: &str, shape: &str, young: f64, poisson: f64, law: &str, spin: [f64; 3]) -> String {
    scenes::spin(kind, shape, &Stuff { young, poisson, density: 650.0, law }, spin, 2.0)
}

/// Momenta to 1e-9, no energy out of nothing, and few directions a step.
fn spins_freely(text: &str) {
    let mut start: Option<Ledger> = None;
    let simulation = run(text, |frame| {
        let row = &frame.ledger;
        let start = start.get_or_insert(*row);
        let turned = (row.angular_momentum - start.angular_momentum).norm() / start.angular_momentum.norm();
        let pushed = (row.momentum - start.momentum).norm() / start.momentum.norm();
        assert!(turned < 1e-9 && pushed < 1e-9, "{turned:e} {pushed:e} at {} s\n{text}", row.t);
        let rise = energy(row) / energy(start) - 1.0;
        assert!(rise < 1e-3, "energy rose by {rise:e} at {} s\n{text}", row.t);
    });
    let statistics = simulation.statistics();
    let directions = statistics.newton_iterations as f64 / statistics.steps as f64;
    assert!(directions <= 6.0, "{directions} directions a step\n{text}");
    let audit = statistics.audit_relative();
    assert!(audit < 5e-3, "audit {audit:e}\n{text}");
}

#[test]
fn free_solids_of_any_stiffness_keep_their_momenta_and_make_no_energy() {
    for (_, shape) in SHAPES {
        for young in [1e4, 1e6, 1e8, 1e10] {
            spins_freely(&spinning("solid", shape, young, 0.3, "ls-stable", [-5.0, 8.0, 4.0]));
        }
        // A turn of a third of a radian in each step.
        spins_freely(&spinning("solid", shape, 1e9, 0.3, "ls-stable", [-15.0, -3.3, -13.3]));
    }
}

#[test]
fn free_bodies_of_every_kind_keep_their_momenta_and_make_no_energy() {
    for (_, shape) in SHAPES {
        for kind in ["affine", "block", "boundary"] {
            for young in [1e5, 1e7] {
                spins_freely(&spinning(kind, shape, young, 0.3, "ls-stable", [-5.0, 8.0, 4.0]));
            }
        }
    }
}

#[test]
fn free_solids_of_every_law_keep_their_momenta_and_make_no_energy() {
    for law in ["ls", "ls-stable", "neo-hookean", "corotated", "st-venant"] {
        for (young, poisson) in [(1e5, 0.0), (1e7, 0.49)] {
            spins_freely(&spinning("solid", SHAPES[1].1, young, poisson, law, [-5.0, 8.0, 4.0]));
        }
    }
}

/// Angular velocity of the points of a frame, by least squares.
fn spin_of(frame: &Frame) -> Vec3 {
    let count = frame.positions.len() as f64;
    let center = frame.positions.iter().sum::<Vec3>() / count;
    let drift = frame.velocities.iter().sum::<Vec3>() / count;
    let (mut moment, mut turning) = (nalgebra::Matrix3::zeros(), Vec3::zeros());
    for (x, v) in frame.positions.iter().zip(&frame.velocities) {
        let arm = x - center;
        moment += nalgebra::Matrix3::identity() * arm.norm_squared() - arm * arm.transpose();
        turning += arm.cross(&(v - drift));
    }
    moment.try_inverse().expect("a body that is not flat") * turning
}

/// What only turns does not flow, however viscous it is and however far it turns in a step.
#[test]
fn free_viscous_bodies_lose_nothing_by_turning() {
    for (_, shape) in SHAPES {
        for (kind, young) in [("solid", 1e6), ("solid", 1e8), ("affine", 1e7), ("block", 1e7)] {
            for (time, spin) in [(1e-3, 10.0), (1e-3, 60.0), (1e-2, 25.0)] {
                let viscosity = young * time;
                let viscous =
                    format!("shear_viscosity = {viscosity:e}\nbulk_viscosity = {viscosity:e}\n[bodies.b]");
                // About its longest axis but for a little, which is where a body that wobbles calms down last.
                let text = spinning(kind, shape, young, 0.3, "ls-stable", [0.01, 0.01, spin]);
                let text = text.replace("[bodies.b]", &viscous);
                let mut rows: Vec<Ledger> = vec![];
                run(&text, |frame| rows.push(frame.ledger));
                // By then it is stretched by its spin.
                let (settled, last) = (rows[rows.len() / 4], rows[rows.len() - 1]);
                let lost = last.viscous_loss - settled.viscous_loss;
                let made = settled.numerical_loss - last.numerical_loss;
                let most = 1e-3 * energy(&settled);
                assert!(
                    lost < most && made < most,
                    "{lost} J lost, {made} J made of {} J\n{text}",
                    energy(&settled)
                );
            }
        }
    }
}

/// Force of every method on a body that falls aslant is its weight alone, which turns nothing.
#[test]
fn body_that_is_thrown_aslant_does_not_begin_to_spin() {
    for method in ["backward-euler", "bdf2", "trapezoid"] {
        for (kind, young) in [("solid", 1e4), ("solid", 1e8), ("affine", 1e6)] {
            let text = format!(
                "duration = 0.5\n[output]\nframe_rate = 60\n[time]\nmethod = \"{method}\"\n[contact]\n[materials.m]\n\
                 young = {young:e}\npoisson = 0.3\ndensity = 400\n[bodies.b]\nkind = \"{kind}\"\nmaterial = \"m\"\n\
                 shape = {{ cylinder = {{ radius = 0.09, height = 0.68, rings = 2, layers = 4 }} }}\n\
                 velocity = [4, -3, 6]\nrotation = {{ axis = [1, 2, 3], angle = 0.7 }}\n"
            );
            let mut start = None;
            let run = run(&text, |frame| {
                let row = &frame.ledger;
                let start = *start.get_or_insert(energy(row) + row.gravity);
                assert!(spin_of(frame).norm() < 1e-3, "{} rad/s\n{text}", spin_of(frame).norm());
                assert!(energy(row) + row.gravity < start + 1e-3 * row.kinetic, "at {} s\n{text}", row.t);
            });
            assert!(run.statistics().audit_relative() < 1e-3, "{text}");
        }
    }
}

/// No scheme has a past when a body is let go, in the middle of a frame or at its end, and yet it falls as Galileo says.
#[test]
fn bodies_that_are_let_go_fall_as_galileo_says() {
    for method in ["bdf2", "trapezoid"] {
        for (kind, young) in [("solid", 1e5), ("solid", 1e8), ("affine", 1e7)] {
            for release in [0.05, 0.1, 0.1234] {
                let text = format!(
                    "duration = 0.4\n[output]\nframe_rate = 60\n[time]\nmethod = \"{method}\"\n[contact]\n[materials.m]\n\
                     young = {young:e}\npoisson = 0.3\ndensity = 800\n[bodies.b]\nkind = \"{kind}\"\nmaterial = \"m\"\n\
                     shape = {{ box = {{ size = [0.2, 0.1, 0.1], cells = [2, 1, 1] }} }}\n\
                     [constraints.hand]\nhold = {{ body = \"b\" }}\nuntil = {release}\n"
                );
                let height = |frame: &Frame| {
                    frame.positions.iter().map(|x| x.z).sum::<f64>() / frame.positions.len() as f64
                };
                let mut start = None;
                run(&text, |frame| {
                    let start = *start.get_or_insert(height(frame));
                    let fall = (frame.ledger.t - release).max(0.0);
                    let off = height(frame) - start + 0.5 * scenes::GRAVITY * fall * fall;
                    assert!(off.abs() < 1e-5, "{off:e} m off at {} s\n{text}", frame.ledger.t);
                });
            }
        }
    }
}

/// Energy after the first bounce of a ball, over that of the drop; it is never more on the way.
fn kept(text: &str, height: f64) -> f64 {
    let (mut start, mut part) = (None, 1.0);
    run(text, |frame| {
        let row = &frame.ledger;
        let start = *start.get_or_insert(row.gravity);
        let ground = start * BALL / (BALL + height);
        part = (energy(row) + row.gravity - ground) / (start - ground);
        assert!(part < 1.001, "{part} of the energy at {} s\n{text}", row.t);
    });
    part
}

/// Heights of drops  \[m\]
const HEIGHTS: [f64; 9] = [0.1, 0.155, 0.21, 0.265, 0.325, 0.375, 0.43, 0.485, 0.54];

#[test]
fn elastic_balls_bounce_with_nearly_all_their_energy_and_never_with_more() {
    // A nearly rigid ball is stopped by the contact alone, within a few milliseconds.
    for (kind, young, heights, least) in [
        ("solid", 1e6, &HEIGHTS[..], 0.9),
        ("solid", 1e7, &HEIGHTS, 0.9),
        ("affine", 1e8, &HEIGHTS[..8], 0.85),
        ("affine", 1e9, &HEIGHTS, 0.85),
        ("block", 1e6, &HEIGHTS, 0.9),
    ] {
        for &height in heights {
            let kept = kept(&scenes::bounce(kind, young, height, ""), height);
            assert!((least..1.001).contains(&kept), "{kind} of {young:e} Pa from {height} m keeps {kept}");
        }
    }
}

#[test]
fn affine_balls_of_any_stiffness_never_bounce_with_more_than_their_energy() {
    for young in [1e5, 1e6, 1e7, 1e8, 1e9, 1e10] {
        for height in HEIGHTS {
            let kept = kept(&scenes::bounce("affine", young, height, ""), height);
            assert!((0.0..1.001).contains(&kept), "{young:e} Pa from {height} m keeps {kept}");
        }
    }
}

#[test]
fn block_slides_as_far_as_coulomb_lets_it() {
    for kind in ["solid", "affine"] {
        for (speed, friction, gap) in [
            (0.5, 0.1, 2e-4),
            (2.0, 0.4, 1.1e-3),
            (2.0, 1.0, 0.0),
            (2.0, 0.4, 5e-3),
            (8.0, 0.4, 1e-5),
            (10.0, 0.4, 1.1e-3),
            (20.0, 1.0, 1.1e-3),
        ] {
            let (text, right) = scenes::slide(kind, speed, friction, gap, 1.0 / 60.0);
            let (mut first, mut last) = (None, 0.0);
            run(&text, |frame| {
                coulomb_holds(frame, friction, &text);
                last = frame.positions.iter().map(|x| x.x).sum::<f64>() / frame.positions.len() as f64;
                first.get_or_insert(last);
            });
            let way = last - first.expect("a frame");
            let off = (way - right).abs();
            assert!(off < 5e-3 || off < 0.03 * right, "{way} m for {right} m\n{text}");
        }
    }
}

/// On the floor no point is rubbed by more than μ times what presses it, but for the 1 % of all that steps may leave.
fn coulomb_holds(frame: &Frame, friction: f64, text: &str) {
    let limit = |force: &Vec3| friction * force.z;
    let beyond: f64 = frame.contact.iter().map(|force| (force.xy().norm() - limit(force)).max(0.0)).sum();
    let most: f64 = frame.contact.iter().map(limit).sum();
    assert!(beyond <= 0.01 * most, "{beyond} N of {most} N at {} s\n{text}", frame.ledger.t);
}

/// Books that close, momenta that stay, no failure. `cargo bench -p aspic --bench trust -- dice` tries as many as one likes.
#[test]
fn random_scenes_close_their_books_and_keep_their_momenta() {
    for seed in 0..RANDOM_SCENES {
        let throw = random::throw(seed);
        let simulation = run(&throw.text, |_| {});
        let s = simulation.statistics();
        assert!(s.audit_relative() < 0.01, "seed {seed}: audit {:e}\n{}", s.audit_relative(), throw.text);
        let mass: f64 = simulation.world().inertia.masses().iter().sum();
        let scale = (2.0 * mass * s.most_kinetic).sqrt();
        let lost = s.linear_drift.max(s.angular_drift / s.gyration) / scale;
        assert!(!throw.closed || lost < 1e-6, "seed {seed}: momentum {lost:e}\n{}", throw.text);
    }
}

const RANDOM_SCENES: u64 = 24;
