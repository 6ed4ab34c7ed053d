//! A block on an inclined plane: slides as Coulomb says, or stays.

use aspic::body::ContactSettings;
use aspic::frame::Frame;
use aspic::integrate::{NewtonSettings, Scheme};
use aspic::mesh::{Plane, generate};
use aspic::potential::material::Moduli;
use aspic::{Material, Simulation, Vec3, WorldBuilder};

use crate::support::{frames, start, steps};

const GRAVITY: f64 = 9.81;
/// Inclination.
const THETA: f64 = 0.35;
/// Longest side of the block \[m\].
const SIZE: f64 = 0.2;

/// Slip speed that holds: a thousandth of the diagonal of the block a second  \[m/s\]
const SLIP: f64 = 1e-3 * 1.5 * SIZE;

/// The plane is level, gravity is inclined.
fn block(friction: f64, duration: f64) -> (Simulation, Vec<Frame>) {
    let mesh = generate::block(Vec3::new(SIZE, SIZE, 0.5 * SIZE), [2, 2, 1]).unwrap();
    let material = Material::elastic(1000.0, Moduli::from_young_poisson(1e6, 0.3).unwrap());
    let mut builder = WorldBuilder::new();
    let id = builder.solid("block", &mesh, &material, Default::default()).unwrap();
    let distance = 1e-3;
    for node in builder.nodes(id) {
        builder.positions()[node].z += 0.25 * SIZE + 0.6 * distance;
    }
    builder.gravity(GRAVITY * Vec3::new(THETA.sin(), 0.0, -THETA.cos()));
    builder.add_plane("slope", Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
    let slip_speed = Some(SLIP);
    builder.contact(ContactSettings {
        friction,
        slip_speed,
        distance: Some(distance),
        ..ContactSettings::default()
    });
    // The default tolerance leaves a fiftieth of gravity unbalanced, which is more than is claimed here.
    let newton = NewtonSettings { tolerance: Some(1e-5), ..NewtonSettings::default() };
    let settings = steps(Scheme::BackwardEuler, newton, 0.01, duration, 0.05);
    let mut simulation = start(builder, settings);
    let frames = frames(&mut simulation);
    (simulation, frames)
}

fn place(simulation: &Simulation, frame: &Frame) -> f64 {
    simulation.world().inertia.center(&frame.positions, 0..frame.positions.len()).x
}

#[test]
fn block_slides_with_the_acceleration_that_friction_leaves() {
    for friction in [0.0, 0.1, 0.3] {
        let (simulation, frames) = block(friction, 1.0);
        let n = frames.len();
        let mass = crate::support::mass(simulation.world());
        let (early, late) = (&frames[n / 2].ledger, &frames[n - 1].ledger);
        let measured = (late.momentum - early.momentum).x / mass / (late.t - early.t);
        let expected = GRAVITY * (THETA.sin() - friction * THETA.cos());
        assert!(
            (measured / expected - 1.0).abs() < 0.01,
            "μ = {friction}: {measured}, expected {expected} m/s²"
        );
        // Friction takes μ m g cos θ times the way.
        let way = place(&simulation, &frames[n - 1]) - place(&simulation, &frames[n / 2]);
        let taken = late.friction_loss - early.friction_loss;
        let expected = friction * mass * GRAVITY * THETA.cos() * way;
        assert!(
            (taken - expected).abs() <= 0.01 * expected,
            "μ = {friction}: {taken}, expected {expected} J"
        );
    }
}

#[test]
fn block_stays_when_friction_is_a_percent_more_than_needed() {
    let (simulation, frames) = block(1.01 * THETA.tan(), 5.5);
    // Half a second to settle on the plane, then five.
    let moved = place(&simulation, &frames[frames.len() - 1]) - place(&simulation, &frames[10]);
    assert!(moved.abs() < 0.01 * SIZE, "{moved} m in 5 s");
    // The smoothed friction creeps at ε (1 − √(1 − tan θ/μ)), ε being the slip speed.
    let creep = SLIP * (1.0 - (1.0 - 1.0 / 1.01f64).sqrt()) * 5.0;
    assert!((moved / creep - 1.0).abs() < 0.01, "{moved} m in 5 s, expected {creep} m");
}
