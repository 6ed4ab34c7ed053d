//! Affine bodies: nearly rigid, with four nodes.

use aspic::body::Start;
use aspic::mesh::{Pose, generate};
use aspic::potential::material::Moduli;
use aspic::{Material, Simulation, Vec3, WorldBuilder};

use crate::support::{frames, settings, start};

fn stiff() -> Moduli {
    Moduli::from_young_poisson(1e8, 0.3).unwrap()
}

/// A thrown, tumbling beam.
fn thrown(spin: Vec3, gravity: Vec3, duration: f64) -> Simulation {
    let mesh = generate::beam(0.4, 0.2, 0.1, [4, 2, 1]).unwrap();
    let pose = Pose::new(&[(Vec3::new(1.0, 0.4, -0.2), 0.7)], Vec3::new(0.1, 0.2, 0.3)).unwrap();
    let start_at = Start { pose, velocity: Vec3::new(1.0, -0.5, 2.0), spin };
    let mut builder = WorldBuilder::new();
    builder.gravity(gravity);
    builder.add_affine("beam", &mesh, 1000.0, stiff(), &start_at).unwrap();
    start(builder, settings(duration, 0.05, 1e-8))
}

#[test]
fn stiff_affine_body_in_free_flight_keeps_shape_momenta_and_energy() {
    let mut simulation = thrown(Vec3::new(4.0, 1.0, -3.0), Vec3::zeros(), 0.3);
    let shown = frames(&mut simulation);
    let first = &shown[0];
    let sizes = |x: &[Vec3]| -> Vec<f64> { x.iter().map(|y| (y - x[0]).norm()).collect() };
    let rest = sizes(&first.positions);
    for frame in &shown {
        // Strain of a body that spins: ρ ω² L²/E ≈ 1000 · 26 · 0.04 / 1e8 = 1e-5.
        for (size, rest) in sizes(&frame.positions).iter().zip(&rest).skip(1) {
            assert!((size / rest - 1.0).abs() < 2e-5, "t = {}: {}", frame.ledger.t, size / rest - 1.0);
        }
        let (p, l) = (first.ledger.momentum, first.ledger.angular_momentum);
        assert!((frame.ledger.momentum - p).norm() < 1e-10 * p.norm());
        assert!((frame.ledger.angular_momentum - l).norm() < 1e-8 * l.norm());
        assert!(frame.ledger.residual.abs() < 1e-6 * frame.ledger.kinetic);
    }
    assert!((shown[6].positions[1] - shown[0].positions[1]).norm() > 0.2, "it flies");
}

#[test]
fn affine_body_turns_about_a_principal_axis_by_its_spin_and_falls_as_galileo_says() {
    let (rate, duration) = (3.0, 0.25);
    let pose = Pose::new(&[(Vec3::new(1.0, 0.4, -0.2), 0.7)], Vec3::zeros()).unwrap();
    let axis = pose.rotation * Vec3::z();
    let gravity = Vec3::new(0.0, 0.0, -9.81);
    let mut simulation = thrown(axis * rate, gravity, duration);
    let shown = frames(&mut simulation);
    let center = |x: &[Vec3]| x.iter().sum::<Vec3>() / x.len() as f64;
    let (x0, x1) = (&shown[0].positions, &shown[shown.len() - 1].positions);
    let fallen = Vec3::new(1.0, -0.5, 2.0) * duration + gravity * (duration * duration / 2.0);
    assert!((center(x1) - center(x0) - fallen).norm() < 1e-5);
    let turned = nalgebra::Rotation3::new(axis * (rate * duration));
    for (a, b) in x0.iter().zip(x1) {
        // Strain, and the slightly larger inertia that goes with it, are of order 1e-5.
        assert!((b - center(x1) - turned * (a - center(x0))).norm() < 1e-5, "{a:?}");
    }
}

#[test]
fn frames_show_the_one_element_on_every_tetrahedron() {
    let mesh = generate::block(Vec3::new(0.3, 0.2, 0.1), [2, 2, 1]).unwrap();
    let solid = generate::block(Vec3::repeat(0.1), [1; 3]).unwrap();
    let moduli = Moduli::new(2e6, 1e6).unwrap();
    let mut builder = WorldBuilder::new();
    let body = builder.add_affine("block", &mesh, 1000.0, moduli, &Start::default()).unwrap();
    builder.solid("cube", &solid, &Material::elastic(1000.0, moduli), Default::default()).unwrap();
    // Uniaxial stretch of the control tetrahedron stretches the whole body.
    let nodes = builder.nodes(body);
    builder.positions()[nodes].iter_mut().for_each(|x| x.x *= 1.01);
    let (world, state) = builder.build().unwrap();
    let expected = world.continua[0].1.energy(&state.q, &state.memory);
    let mut simulation = Simulation::new(world, state, settings(0.1, 0.1, 1e-4));
    let frame = simulation.next_frame().unwrap().unwrap();
    let tets = simulation.world().topology.bodies[0].tets.clone();
    let first = frame.energy_density[0];
    assert!(frame.energy_density[tets.clone()].iter().all(|&density| density == first));
    assert!((first * mesh.volume() / (expected.bulk + expected.shear) - 1.0).abs() < 1e-12);
    assert!(frame.stress[tets.clone()].iter().all(|stress| *stress == frame.stress[0] && stress[0] > 1e4));
    assert!(frame.energy_density[tets.end..].iter().all(|&density| density.abs() < 1e-6));
    let stretched = |x: &Vec3, y: &Vec3| (Vec3::new(1.01 * x.x, x.y, x.z) - y).norm() < 1e-14;
    assert!(mesh.positions.iter().zip(&frame.positions).all(|(x, y)| stretched(x, y)));
}

/// A block that hangs from a wall by all its points: they share its weight and the torque that the wall bears.
#[test]
fn points_of_a_held_affine_body_share_the_force_of_what_holds_it() {
    let mesh = generate::block(Vec3::new(0.3, 0.2, 0.1), [2, 2, 1]).unwrap();
    let mut builder = WorldBuilder::new();
    let gravity = Vec3::new(1.0, 2.0, -9.81);
    builder.gravity(gravity);
    let pose = Pose::new(&[(Vec3::x(), 0.3)], Vec3::new(0.5, 0.0, 0.2)).unwrap();
    let body =
        builder.add_affine("block", &mesh, 1000.0, stiff(), &Start { pose, ..Start::default() }).unwrap();
    let points: Vec<u32> = builder.points(body).map(|p| p as u32).collect();
    builder.hold("wall", &points);
    let mut simulation = start(builder, settings(0.1, 0.1, 1e-4));
    let frame = simulation.next_frame().unwrap().unwrap();
    let weight = gravity * simulation.world().inertia.masses().iter().sum::<f64>();
    let force: Vec3 = frame.reaction.iter().sum();
    let center = Vec3::new(0.5, 0.0, 0.2);
    let torque: Vec3 = frame.reaction.iter().zip(&frame.positions).map(|(f, x)| (x - center).cross(f)).sum();
    assert!((force + weight).norm() < 1e-9 * weight.norm(), "{force} {weight}");
    assert!((force - frame.reactions[0]).norm() < 1e-9 * weight.norm());
    assert!(torque.norm() < 1e-9 * weight.norm(), "{torque}");
    // The points lie evenly about the centre, so each bears the same.
    let even = -weight / points.len() as f64;
    assert!(frame.reaction.iter().all(|f| (f - even).norm() < 1e-9 * even.norm()), "{:?}", frame.reaction);
}
