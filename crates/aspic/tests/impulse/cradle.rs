//! Runs of free affine bodies: bounces, mixed pairs, rows of boxes and stacks.

use aspic::body::{ImpulseSettings, Start};
use aspic::frame::Frame;
use aspic::integrate::{ImplicitSettings, Scheme};
use aspic::kinetic::MassModel;
use aspic::mesh::{Pose, generate};
use aspic::run::Method;
use aspic::{Settings, Simulation, Vec3};

use crate::rigid::{DENSITY, add, falling, landing, points, shapes};
use crate::support::{amend, flood, frames, ground, miss, solid, steps};

fn at(position: Vec3) -> Pose {
    Pose::new(&[], position).unwrap()
}

/// The part of its speed that a box which falls flat comes back with, from the height it reaches.
fn comes_back(young: f64, size: Vec3, restitution: f64, drop: f64, settings: &Settings) -> f64 {
    let mesh = generate::block(size, [2, 2, 1]).unwrap();
    let start = Start { pose: at(Vec3::new(0.4, -0.2, 0.5 * size.z + drop)), ..Start::default() };
    let mut builder = ground(9.81, true);
    add(&mut builder, "box", &mesh, young, &start);
    builder.impulses(ImpulseSettings { restitution, ..ImpulseSettings::default() });
    let (world, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(world, state, *settings);
    let all = frames(&mut simulation);
    let mass = DENSITY * size.x * size.y * size.z;
    let touched = all.iter().position(|f| f.ledger.impact_loss > 0.0 || f.ledger.momentum.z > 0.0).unwrap();
    let after = &all[touched];
    // The parabola through this frame.
    let lowest = after.positions.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    let square = (after.ledger.momentum.z / mass).powi(2) + 2.0 * 9.81 * lowest;
    (square / (2.0 * 9.81 * drop)).sqrt()
}

/// Height over height is e², whatever the box is made of, however high it falls, with steps of any length and scheme.
#[test]
fn a_box_that_falls_flat_comes_back_with_its_restitution() {
    let (flat, tall) = (Vec3::new(0.2, 0.15, 0.1), Vec3::new(0.1, 0.1, 0.4));
    for (young, size) in [(1e5, flat), (1e6, tall), (1e7, flat), (1e8, tall), (1e9, flat), (1e10, tall)] {
        for (restitution, drop) in [(0.3, 0.05), (0.7, 0.3), (1.0, 1.0)] {
            let time = (2.0 * drop / 9.81_f64).sqrt() + 0.02;
            for h in [2e-4, 5e-3] {
                let part = comes_back(young, size, restitution, drop, &steps(h, time, 5e-3));
                assert!((part - restitution).abs() < 1e-6, "{young} Pa, {h} s: {part} for {restitution}");
            }
            for scheme in [Scheme::Bdf2, Scheme::Trapezoid] {
                let method = Method::Implicit(ImplicitSettings { scheme, ..ImplicitSettings::default() });
                let settings = Settings { method, ..steps(2e-3, time, 5e-3) };
                let part = comes_back(young, size, restitution, drop, &settings);
                assert!(
                    (part - restitution).abs() < 1e-3,
                    "{young} Pa, {scheme:?}: {part} for {restitution}"
                );
            }
        }
    }
}

/// A solid moves by cᵀ M⁻¹ c at the weights c of a face, an affine body as a rigid one.
#[test]
fn an_affine_corner_parts_from_the_face_of_a_solid_with_its_restitution() {
    let cube = generate::block(Vec3::repeat(0.4), [1; 3]).unwrap();
    for (mesh, restitution) in shapes().iter().zip([0.3, 0.7, 1.0]) {
        for speed in [0.1, 2.0, 20.0] {
            let mut start = falling(speed, 0.6);
            let settings = ImpulseSettings { restitution, ..flood() };
            let (_, _, body, point) = landing(mesh, 1e8, &start, &settings);
            start.pose.translation = body.centre;
            let mut builder = ground(0.0, false);
            add(&mut builder, "body", mesh, 1e8, &start);
            solid(&mut builder, "cube", &cube, MassModel::Lumped, Vec3::z() * -0.2, Vec3::zeros());
            builder.impulses(settings);
            let (world, mut state) = builder.build().unwrap();
            let count = mesh.positions.len();
            let old = amend(&world, &mut state);
            let hits =
                world.impulses.as_ref().unwrap().find(&points(&world, &old.q), &points(&world, &old.v));
            let [hit] = hits[..] else { panic!("one touch") };
            let face = |k: usize| k >= count;
            let masses = |p: u32| world.inertia.masses()[world.embedding.node(p as usize).unwrap() as usize];
            let face_part = hit.ends().filter(|(p, _)| face(*p as usize)).map(|(p, c)| c * c / masses(p));
            let inverse = body.inverse_mass(&point, &Vec3::z()) + face_part.sum::<f64>();
            let relative =
                |v: &[Vec3]| hit.ends().map(|(p, c)| points(&world, v)[p as usize] * c).sum::<Vec3>().z;
            let (came, left) = (relative(&old.v), relative(&state.v));
            assert!((left + restitution * came).abs() < 1e-11 * speed, "{left} {came}");
            let lost = 0.5 * (1.0 - restitution * restitution) * came * came / inverse;
            assert!((state.accounts.impact_loss - lost).abs() < 1e-10 * body.energy());
            let after = body.struck(&point, &(Vec3::z() * (-(1.0 + restitution) * came / inverse)));
            let moves = points(&world, &state.v);
            let off = (0..count).map(|k| (moves[k] - after.velocity_at(&points(&world, &old.q)[k])).norm());
            assert!(off.fold(0.0, f64::max) < 1e-9 * speed);
            let [before, now] = [&old.v, &state.v].map(|v| world.inertia.momenta(&old.q, v));
            let scale = body.mass * speed;
            assert!((now.0 - before.0).norm() < 1e-13 * scale && (now.1 - before.1).norm() < 1e-13 * scale);
            assert!(miss(&world, &old, &state) < 1e-13);
        }
    }
}

/// Boxes in a row along x, crosswise so that no edges meet; the first comes with 1 m/s. Speeds at the end, and the frames.
fn row(gap: f64, restitution: f64, young: f64) -> (Vec<Vec3>, Vec<Frame>) {
    let sides = [Vec3::new(0.1, 0.12, 0.08), Vec3::new(0.1, 0.08, 0.12)];
    let mut builder = ground(0.0, false);
    for k in 0..5 {
        let mesh = generate::block(sides[k % 2], [1, 2, 2]).unwrap();
        let way = if k == 0 { -0.05 } else { (0.1 + gap) * k as f64 };
        let velocity = if k == 0 { Vec3::x() } else { Vec3::zeros() };
        add(
            &mut builder,
            &format!("box {k}"),
            &mesh,
            young,
            &Start { pose: at(Vec3::x() * way), velocity, ..Start::default() },
        );
    }
    builder.impulses(ImpulseSettings { restitution, ..flood() });
    let (world, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(world, state, steps(1e-3, 0.4, 0.1));
    let all = frames(&mut simulation);
    let velocities = &all.last().unwrap().velocities;
    (velocities.chunks(18).map(|v| v.iter().sum::<Vec3>() / 18.0).collect(), all)
}

#[test]
fn a_cradle_of_affine_boxes_passes_the_blow_on() {
    for young in [1e6, 1e8] {
        for gap in [1e-6, 2e-3] {
            let (left, all) = row(gap, 1.0, young);
            for (k, v) in left.iter().enumerate() {
                let expected = if k == 4 { Vec3::x() } else { Vec3::zeros() };
                assert!((v - expected).norm() < 1e-8, "{young} Pa, {gap} m, {k}: {v}");
            }
            // Elastic energies are differences of numbers as large as that of a strain of one.
            let rounding = 1e-14 * young * 0.1 * 0.12 * 0.08;
            for f in &all {
                let (residual, lost) = (f.ledger.residual.abs(), f.ledger.impact_loss);
                let books = residual < 1e-9 * all[0].ledger.kinetic + rounding;
                assert!(books && lost.abs() < 1e-12, "{young} Pa, {gap} m: {residual:e}, {lost:e} J");
            }
        }
    }
}

/// The last of n equal bodies gets ((1 + e)/2)ⁿ⁻¹ of the speed.
#[test]
fn a_blow_through_a_row_of_boxes_shrinks_by_each_restitution() {
    let (left, all) = row(2e-3, 0.7, 1e8);
    assert!((left[4].x - 0.85_f64.powi(4)).abs() < 1e-9, "{left:?}");
    let momentum: Vec<Vec3> = all.iter().map(|f| f.ledger.momentum).collect();
    assert!(momentum.iter().all(|p| (p - momentum[0]).norm() < 1e-13));
}

/// Three boxes on each other: what rests has no more speed than its weight gives it in three steps, whatever the
/// restitution, and while another body bounces beside it.
#[test]
fn a_stack_rests_while_a_ball_bounces_beside_it() {
    let h = 1e-3;
    for restitution in [0.0, 0.7] {
        let mut builder = ground(9.81, true);
        for k in 0..3 {
            let mesh = generate::block(Vec3::new(0.3, 0.2, 0.1), [3, 2, 1]).unwrap();
            let pose =
                Pose::new(&[(Vec3::z(), 0.2 * k as f64)], Vec3::z() * (0.05 + 0.1 * k as f64)).unwrap();
            add(&mut builder, &format!("box {k}"), &mesh, 1e7, &Start { pose, ..Start::default() });
        }
        let ball = generate::ball(0.05, 2).unwrap();
        let high = Start { pose: at(Vec3::new(0.5, 0.0, 0.4)), ..Start::default() };
        add(&mut builder, "ball", &ball, 1e7, &high);
        builder.impulses(ImpulseSettings { restitution, friction: 0.5, ..flood() });
        let (world, state) = builder.build().unwrap();
        let stack = world.topology.bodies[2].points.end;
        let mut simulation = Simulation::new(world, state, steps(h, 0.7, 0.01));
        let all = frames(&mut simulation);
        assert!(all.last().unwrap().ledger.impact_loss > 0.0, "the ball has bounced");
        for f in &all {
            let fastest = f.velocities[..stack].iter().map(|v| v.norm()).fold(0.0, f64::max);
            assert!(fastest < 3.0 * 9.81 * h, "e = {restitution}, {} s: {fastest} m/s", f.ledger.t);
            assert!(f.ledger.residual.abs() < 1e-6 * f.ledger.exchanged.max(1.0), "{:?}", f.ledger);
        }
    }
}
