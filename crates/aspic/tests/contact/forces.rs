//! The force of contact and friction on each point, as frames show it.

use aspic::body::{ContactSettings, Start};
use aspic::constraint::{Path, Trajectory};
use aspic::frame::Frame;
use aspic::integrate::Scheme;
use aspic::mesh::{Plane, Pose, generate};
use aspic::potential::material::Moduli;
use aspic::{Simulation, Vec3, World, WorldBuilder};

use crate::support::{
    SCHEMES, damped_jelly, explicit, frames, heap_builder, jelly, mass, single, start, steps, tight,
};

/// Length of steps, and time between frames  \[s\]
const STEP: f64 = 0.01;

/// A block that starts a little above the floor; gravity is inclined, so that friction must hold it.
fn block_on_a_floor(friction: f64, duration: f64) -> Simulation {
    let mesh = generate::block(Vec3::new(0.2, 0.2, 0.1), [2, 2, 1]).unwrap();
    let mut builder = single(&mesh, &damped_jelly(0.05));
    builder.positions().iter_mut().for_each(|x| x.z += 0.06);
    builder.gravity(Vec3::new(if friction > 0.0 { 2.0 } else { 0.0 }, 0.0, -9.81));
    builder.add_plane("floor", Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
    builder.contact(ContactSettings { friction, ..ContactSettings::default() });
    start(builder, steps(Scheme::BackwardEuler, tight(), STEP, duration, STEP))
}

fn net(forces: &[Vec3]) -> Vec3 {
    forces.iter().sum()
}

/// Momentum of one body, from the velocities of its nodes  \[kg m/s\]
fn momentum(world: &World, velocities: &[Vec3], body: usize) -> Vec3 {
    let nodes = world.topology.bodies[body].nodes.clone();
    nodes.map(|node| velocities[node] * world.inertia.masses()[node]).sum()
}

#[test]
fn a_body_at_rest_is_carried_by_contact_forces_that_sum_to_its_weight() {
    for friction in [0.0, 0.5] {
        let mut simulation = block_on_a_floor(friction, 2.0);
        let last = frames(&mut simulation).pop().unwrap();
        let weight = simulation.world().gravity.acceleration * mass(simulation.world());
        let off = (net(&last.contact) + weight).norm() / weight.norm();
        assert!(off < 1e-6, "μ = {friction}: {off}");
        // Only the underside touches, and the floor only pushes.
        for (force, x) in last.contact.iter().zip(&last.positions) {
            assert!(if x.z < 0.01 { force.z > 0.0 } else { *force == Vec3::zeros() }, "{force} at {x}");
        }
    }
}

/// p′ = weight + contact, for the step of backward Euler that ends on each frame. The search leaves less than 1e-9 m/s,
/// which is 1e-7 m/s² in a step of 10 ms.
#[test]
fn contact_forces_change_the_momentum_of_a_body_that_falls_on_the_floor() {
    let mut simulation = block_on_a_floor(0.5, 0.3);
    let frames = frames(&mut simulation);
    let weight = simulation.world().gravity.acceleration * mass(simulation.world());
    let mut hardest = 0.0f64;
    for pair in frames.windows(2) {
        assert_eq!(pair[1].ledger.step, pair[1].ledger.t - pair[0].ledger.t, "a step a frame");
        let change = (pair[1].ledger.momentum - pair[0].ledger.momentum) / pair[1].ledger.step;
        let force = net(&pair[1].contact);
        let off = (change - weight - force).norm() / weight.norm();
        assert!(off < 1e-6, "t = {}: {off}", pair[1].ledger.t);
        hardest = hardest.max(force.z);
    }
    assert!(hardest > 1.5 * weight.norm(), "it lands");
}

/// A ball that flies into an affine block at rest, without gravity.
fn collision(scheme: Scheme) -> Simulation {
    let mut builder = WorldBuilder::new();
    builder.solid("ball", &generate::ball(0.1, 3).unwrap(), &jelly(), Default::default()).unwrap();
    builder.velocities().iter_mut().for_each(|v| *v = Vec3::new(0.0, 0.3, -2.0));
    let block = generate::block(Vec3::new(0.3, 0.3, 0.1), [3, 3, 1]).unwrap();
    let pose = Pose::new(&[(Vec3::x(), 0.1)], Vec3::new(0.02, 0.0, -0.18)).unwrap();
    let stiff = Moduli::from_young_poisson(1e7, 0.3).unwrap();
    builder.add_affine("block", &block, 500.0, stiff, &Start { pose, ..Start::default() }).unwrap();
    builder.contact(ContactSettings { friction: 0.4, ..ContactSettings::default() });
    start(builder, steps(scheme, tight(), 0.005, 0.2, 0.005))
}

#[test]
fn two_bodies_push_each_other_with_opposite_forces() {
    for scheme in SCHEMES {
        let mut simulation = collision(scheme);
        let frames = frames(&mut simulation);
        let ball = simulation.world().topology.bodies[0].points.clone();
        let mut hardest = 0.0f64;
        for frame in &frames {
            let (on_ball, on_block) = frame.contact.split_at(ball.end);
            let (on_ball, on_block) = (net(on_ball), net(on_block));
            let largest = frame.contact.iter().map(Vec3::norm).fold(f64::MIN_POSITIVE, f64::max);
            assert!((on_ball + on_block).norm() < 1e-11 * largest, "{scheme:?}: {on_ball} {on_block}");
            hardest = hardest.max(on_ball.z);
        }
        assert!(hardest > 10.0, "{scheme:?}: they meet");
    }
}

#[test]
fn contact_forces_change_the_momentum_of_each_of_two_bodies() {
    let mut simulation = collision(Scheme::BackwardEuler);
    let frames = frames(&mut simulation);
    let (ball, mut hardest) = (simulation.world().topology.bodies[0].points.clone(), 0.0f64);
    let total = mass(simulation.world());
    for pair in frames.windows(2) {
        let [before, after] = [&pair[0], &pair[1]].map(|f| momentum(simulation.world(), &f.velocities, 0));
        let force = net(&pair[1].contact[ball.clone()]);
        let change = (after - before) / 0.005;
        // 1e-9 m/s in 5 ms.
        assert!((change - force).norm() < 1e-6 * total, "{change} {force}");
        hardest = hardest.max(force.norm());
    }
    assert!(hardest > 10.0, "they meet");
}

/// A plate without mass that comes up from below: whoever holds it bears what the ball presses with.
#[test]
fn whoever_holds_an_obstacle_bears_its_contact_forces() {
    let mut builder = single(&generate::ball(0.1, 2).unwrap(), &damped_jelly(0.01));
    builder.gravity(Vec3::z() * -9.81);
    let mut plate = generate::box_surface(Vec3::new(0.5, 0.5, 0.05)).unwrap();
    plate.positions.iter_mut().for_each(|x| x.z -= 0.15);
    let way = Path::new(&[(0.0, Vec3::zeros()), (0.2, Vec3::new(0.05, 0.0, 0.1))]);
    builder.add_obstacle("plate", &plate, &Trajectory::new(way, None)).unwrap();
    builder.contact(ContactSettings { friction: 0.6, ..ContactSettings::default() });
    let mut simulation = start(builder, steps(Scheme::Bdf2, tight(), STEP, 0.3, STEP));
    let plate = {
        let topology = &simulation.world().topology;
        assert_eq!(topology.constraints, ["plate"]);
        topology.bodies[1].points.clone()
    };
    let mut hardest = 0.0f64;
    for frame in frames(&mut simulation).iter().skip(1) {
        let pressed = net(&frame.contact[plate.clone()]);
        let largest = frame.contact.iter().map(Vec3::norm).fold(f64::MIN_POSITIVE, f64::max);
        assert!((pressed + frame.reactions[0]).norm() < 1e-11 * largest, "{pressed}");
        hardest = hardest.max(-pressed.z);
    }
    assert!(hardest > 10.0, "the ball lands on the plate");
}

/// What the first step will find; a start apart from everything has none.
#[test]
fn bodies_that_start_within_the_contact_distance_start_without_a_push() {
    let first = |height: f64| -> Frame {
        let mesh = generate::block(Vec3::repeat(0.1), [1; 3]).unwrap();
        let mut builder = single(&mesh, &jelly());
        builder.positions().iter_mut().for_each(|x| x.z += 0.05 + height);
        builder.add_plane("floor", Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
        builder.contact(ContactSettings { distance: Some(1e-3), ..ContactSettings::default() });
        start(builder, steps(Scheme::Bdf2, tight(), STEP, STEP, STEP)).next_frame().unwrap().unwrap()
    };
    for height in [0.0, 1e-6, 3e-4, 6e-4, 2e-3] {
        let frame = first(height);
        assert!(frame.ledger.contact == 0.0 && frame.contact.iter().all(|f| *f == Vec3::zeros()), "{height}");
    }
}

#[test]
fn explicit_steps_and_worlds_without_contact_show_zeros() {
    let mesh = generate::block(Vec3::repeat(0.1), [1; 3]).unwrap();
    for settings in [explicit(1e-4, 0.02, STEP), steps(Scheme::Bdf2, tight(), STEP, 0.02, STEP)] {
        let mut simulation = start(single(&mesh, &jelly()), settings);
        for frame in frames(&mut simulation) {
            assert_eq!(frame.contact, vec![Vec3::zeros(); mesh.positions.len()]);
        }
    }
}

#[test]
fn frames_have_no_negative_zeros_of_contact() {
    let settings = steps(Scheme::Bdf2, Default::default(), 0.0167, 0.1, 1.0 / 60.0);
    for frame in frames(&mut start(heap_builder(), settings)) {
        let numbers = frame.contact.iter().flat_map(|f| [f.x, f.y, f.z]);
        assert!(numbers.into_iter().all(|x| x != 0.0 || x.is_sign_positive()));
    }
}
