//! Affine bodies by impulses: four nodes with a full block of masses.

use aspic::body::{ImpulseSettings, Start};
use aspic::mesh::{Pose, generate};
use aspic::potential::material::Moduli;
use aspic::{Simulation, State, Vec3, World, WorldBuilder};

use crate::support::{amend, flood, frames, ground, miss, steps};

fn stiff() -> Moduli {
    Moduli::from_young_poisson(1e7, 0.3).unwrap()
}

/// A box, tilted so that one corner is lowest.
fn add_box(builder: &mut WorldBuilder, name: &str, position: Vec3, velocity: Vec3) {
    let mesh = generate::block(Vec3::new(0.2, 0.15, 0.1), [2, 2, 1]).unwrap();
    let pose = Pose::new(&[(Vec3::x(), 0.5), (Vec3::y(), 0.4)], position).unwrap();
    let start = Start { pose, velocity, spin: Vec3::zeros() };
    builder.add_affine(name, &mesh, 800.0, stiff(), &start).unwrap();
}

fn points(world: &World, nodes: &[Vec3]) -> Vec<Vec3> {
    let mut points = vec![Vec3::zeros(); world.embedding.len()];
    world.embedding.positions(nodes, &mut points);
    points
}

/// A box whose lowest corner is a millimetre in the ground.
fn on_a_corner(friction: f64) -> (World, State, Vec3) {
    let build = |height: f64| {
        let mut builder = ground(9.81, true);
        add_box(&mut builder, "box", Vec3::z() * height, Vec3::new(0.5, 0.2, -2.0));
        builder.impulses(ImpulseSettings { friction, restitution: 0.4, ..ImpulseSettings::default() });
        builder.build().unwrap()
    };
    let (world, state) = build(1.0);
    let lowest = points(&world, &state.q).iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    let (world, state) = build(1.0 - lowest - 1e-3);
    let corner = points(&world, &state.q).into_iter().find(|x| x.z < 0.0).unwrap();
    (world, state, corner)
}

#[test]
fn a_corner_on_the_ground_turns_the_box_and_keeps_its_moment_about_the_corner() {
    for friction in [0.0, 0.3] {
        let (world, mut state, corner) = on_a_corner(friction);
        let old = amend(&world, &mut state);
        let (before, after) =
            (world.inertia.momenta(&old.q, &old.v), world.inertia.momenta(&old.q, &state.v));
        let impulse = after.0 - before.0;
        assert!(impulse.z > 0.0 && (impulse.xy().norm() > 0.0) == (friction > 0.0));
        assert!(impulse.xy().norm() <= friction * impulse.z + 1e-14);
        // All of it acts at the corner.
        let moment = after.1 - before.1;
        assert!((moment - corner.cross(&impulse)).norm() < 1e-13, "{moment}");
        assert!(moment.norm() > 0.01, "it begins to turn");
        // The corner leaves with its restitution.
        let speeds = [&old.v, &state.v].map(|v| {
            let place = points(&world, &old.q).iter().position(|x| *x == corner).unwrap();
            points(&world, v)[place]
        });
        assert!((speeds[1].z + 0.4 * speeds[0].z).abs() < 1e-13);
        assert!(state.accounts.impact_loss > 0.0 && miss(&world, &old, &state) < 1e-13);
        // Lifted as it is: no strain.
        let lift = state.q[0] - old.q[0];
        assert!(state.q.iter().zip(&old.q).all(|(new, old)| (new - old - lift).norm() < 1e-15));
    }
}

#[test]
fn a_dropped_box_bounces_turns_and_comes_to_rest_on_the_ground() {
    for model in [aspic::impulse::Model::Points, aspic::impulse::Model::Flood] {
        let mut builder = ground(9.81, true);
        add_box(&mut builder, "box", Vec3::z() * 0.4, Vec3::new(0.3, 0.0, 0.0));
        builder.impulses(ImpulseSettings { model, friction: 0.4, restitution: 0.3, ..flood() });
        let (world, state) = builder.build().unwrap();
        let mut simulation = Simulation::new(world, state, steps(1e-3, 3.0, 0.02));
        let all = frames(&mut simulation);
        let last = all.last().unwrap();
        let exchanged = last.ledger.exchanged;
        let rising = |f: &&aspic::frame::Frame| f.ledger.momentum.z > 0.0 && f.ledger.t > 0.2;
        assert!(all.iter().any(|f| rising(&f)), "{model:?}: it bounces");
        let spun = all.iter().map(|f| f.ledger.angular_momentum.norm()).fold(0.0, f64::max);
        assert!(spun > 0.05, "{model:?}: {spun}");
        for frame in &all {
            assert!(frame.ledger.residual.abs() < 1e-4 * exchanged, "{model:?} {:?}", frame.ledger);
            assert!(frame.positions.iter().all(|x| x.z > -1e-4), "{model:?}, {} s", frame.ledger.t);
        }
        // Flat on its largest face: centre at half its least edge.
        let mean = last.positions.iter().sum::<Vec3>() / last.positions.len() as f64;
        let speed = last.velocities.iter().map(|v| v.norm()).fold(0.0, f64::max);
        assert!((mean.z - 0.05).abs() < 2e-3 && speed < 0.05, "{model:?}: {mean} {speed}");
    }
}

#[test]
fn two_boxes_collide_and_keep_their_momenta() {
    let mut builder = ground(0.0, false);
    add_box(&mut builder, "left", Vec3::new(-0.2, 0.0, 0.0), Vec3::x());
    add_box(&mut builder, "right", Vec3::new(0.2, 0.05, 0.03), -Vec3::x());
    builder.impulses(ImpulseSettings { restitution: 0.5, ..flood() });
    let (world, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(world, state, steps(1e-3, 0.5, 0.02));
    let all = frames(&mut simulation);
    let (first, last) = (&all[0].ledger, &all.last().unwrap().ledger);
    assert!((last.momentum - first.momentum).norm() < 1e-12, "{}", last.momentum);
    let turned = (last.angular_momentum - first.angular_momentum).norm();
    assert!(turned < 0.02 * 0.1 * 2.4 * 2.0, "{turned}");
    assert!(last.impact_loss > 0.0 && last.residual.abs() < 1e-4 * last.exchanged, "{last:?}");
    let relative =
        all.last().unwrap().velocities.chunks(18).map(|v| v.iter().sum::<Vec3>() / 18.0).collect::<Vec<_>>();
    assert!((relative[1] - relative[0]).x > 0.0, "{relative:?}");
}
