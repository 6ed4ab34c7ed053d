//! Balls that bounce and come to rest.

use aspic::body::ContactSettings;
use aspic::dissipation::viscous_law::Viscosity;
use aspic::frame::Frame;
use aspic::integrate::Scheme;
use aspic::mesh::{Plane, generate};
use aspic::potential::material::Moduli;
use aspic::{Material, Simulation, Vec3, WorldBuilder};

use crate::judge;
use crate::support::{SCHEMES, frames, mass, start, steps, tight};

const RADIUS: f64 = 0.1;

fn rubber() -> Material {
    Material::elastic(1000.0, Moduli::from_young_poisson(8e4, 0.4).unwrap())
}

/// Two balls on a line, 1 cm apart, one at 1 m/s and one at −0.5 m/s.
fn head_on(scheme: Scheme) -> (Simulation, Vec<Frame>) {
    let mesh = generate::ball(RADIUS, 3).unwrap();
    let mut builder = WorldBuilder::new();
    for (name, side, speed) in [("left", -1.0, 1.0), ("right", 1.0, -0.5)] {
        let id = builder.solid(name, &mesh, &rubber(), Default::default()).unwrap();
        for node in builder.nodes(id) {
            builder.positions()[node].x += side * (RADIUS + 0.005);
            builder.velocities()[node].x = speed;
        }
    }
    builder.contact(ContactSettings::default());
    let mut simulation = start(builder, steps(scheme, tight(), 0.005, 0.4, 0.01));
    let frames = frames(&mut simulation);
    (simulation, frames)
}

fn centers(simulation: &Simulation, frame: &Frame) -> [Vec3; 2] {
    let world = simulation.world();
    [0, 1].map(|body| world.inertia.center(&frame.positions, world.topology.bodies[body].nodes.clone()))
}

#[test]
fn balls_that_collide_fly_apart_and_every_joule_is_accounted_for() {
    let mut losses = vec![];
    for scheme in SCHEMES {
        let (simulation, frames) = head_on(scheme);
        let (first, last) = (&frames[0], &frames[frames.len() - 1]);
        let most = frames.iter().map(|f| f.ledger.contact).fold(0.0, f64::max);
        assert!(
            most > 0.0 && last.ledger.contact == 0.0,
            "{scheme:?}: {most} J, then {}",
            last.ledger.contact
        );
        for frame in &frames {
            let off = (frame.ledger.momentum - first.ledger.momentum).norm() / first.ledger.momentum.norm();
            assert!(off < 1e-8, "{scheme:?} at {} s: {off:e}", frame.ledger.t);
        }
        let [a, b] = centers(&simulation, last);
        assert!(b.x - a.x > 2.0 * RADIUS, "{scheme:?}: {} m apart", b.x - a.x);
        let world = simulation.world();
        let triangles = &world.topology.triangles[world.topology.bodies[1].triangles.clone()];
        assert!(!judge::inside(a, &last.positions, triangles));
        // Without viscosity what is lost is what the steps lost.
        let row = last.ledger;
        let energy = |f: &Frame| f.ledger.kinetic + f.ledger.elastic_bulk + f.ledger.elastic_shear;
        let lost = energy(first) - energy(last);
        assert_eq!((row.viscous_loss, row.friction_loss, row.drag_work, row.load_work), (0.0, 0.0, 0.0, 0.0));
        assert!((lost - row.numerical_loss).abs() < 1e-6 * energy(first), "{scheme:?}: {lost} J");
        losses.push(lost);
    }
    // The trapezoid may gain: it damps nothing, not even what a contact that sets in at once rings.
    assert!(losses[0] > losses[1] && losses[1] > 0.0, "{losses:?}");
}

#[test]
fn ball_on_the_floor_comes_to_rest_and_the_floor_carries_it() {
    let mesh = generate::ball(RADIUS, 3).unwrap();
    let mut builder = WorldBuilder::new();
    // Without friction and viscosity it would roll from face to face for ever.
    let damped = Material { viscosity: Viscosity::new(0.0, 200.0).unwrap(), ..rubber() };
    let id = builder.solid("ball", &mesh, &damped, Default::default()).unwrap();
    for node in builder.nodes(id) {
        builder.positions()[node].z += 0.15;
    }
    builder.gravity(Vec3::new(0.0, 0.0, -9.81)).contact(ContactSettings::default());
    builder.add_plane("floor", Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
    let h = 1.0 / 60.0;
    // A ball of flat faces may stand on a corner for seconds before it tips over onto a face.
    let mut simulation = start(builder, steps(Scheme::BackwardEuler, Default::default(), h, 8.0, h));
    let frames = frames(&mut simulation);
    let weight = mass(simulation.world()) * 9.81;
    let n = frames.len();
    // No force but gravity and the floor: what changes the momentum is their sum.
    let change = (frames[n - 1].ledger.momentum - frames[n - 2].ledger.momentum).z / h;
    assert!(change.abs() < 0.01 * weight, "the floor carries {} N of {weight} N", change + weight);
    // Far below the 3 mm/s that a search may leave: what it leaves is not made again in each step.
    let rest = 0.5 * mass(simulation.world()) * 3e-4f64.powi(2);
    assert!(frames[n - 1].ledger.kinetic < rest, "{} J", frames[n - 1].ledger.kinetic);
    assert!(frames[n - 1].ledger.contact > 0.0);
}

/// A block that starts within the contact distance above the floor, without gravity, stays where it is.
#[test]
fn body_that_starts_within_the_contact_distance_is_not_pushed_off() {
    for part in [0.9, 1.0 / 3.0, 1e-2, 1e-5] {
        let distance = 2e-3;
        let mesh = generate::block(Vec3::repeat(RADIUS), [1; 3]).unwrap();
        let mut builder = WorldBuilder::new();
        builder.solid("block", &mesh, &rubber(), Default::default()).unwrap();
        builder.positions().iter_mut().for_each(|x| x.z += 0.5 * RADIUS + distance * part);
        builder.contact(ContactSettings { distance: Some(distance), ..ContactSettings::default() });
        builder.add_plane("floor", Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
        let frames = frames(&mut start(builder, steps(Scheme::Bdf2, tight(), 0.01, 0.1, 0.01)));
        for frame in &frames {
            assert!(frame.ledger.contact == 0.0 && frame.ledger.kinetic < 1e-24, "{part}");
            let moved = frame.positions.iter().zip(&frames[0].positions).map(|(x, first)| (x - first).norm());
            assert!(moved.fold(0.0, f64::max) < 1e-12, "{part}");
        }
    }
}
