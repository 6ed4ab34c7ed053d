//! Collisions of bodies with closed surfaces.

use aspic::body::ImpulseSettings;
use aspic::constraint::Trajectory;
use aspic::dissipation::viscous_law::Viscosity;
use aspic::kinetic::MassModel;
use aspic::mesh::generate;
use aspic::{Material, Simulation, Vec3};

use crate::support::{amend, flood, frames, ground, jelly, miss, solid, steps};

/// Two balls that meet off centre, without gravity.
fn two_balls(mass: MassModel, friction: f64) -> Simulation {
    let mut builder = ground(0.0, false);
    let ball = generate::ball(0.1, 3).unwrap();
    solid(&mut builder, "left", &ball, mass, Vec3::new(-0.13, 0.0, 0.0), Vec3::x());
    solid(&mut builder, "right", &ball, mass, Vec3::new(0.13, 0.04, 0.02), -Vec3::x());
    builder.impulses(ImpulseSettings { friction, ..flood() });
    let (world, state) = builder.build().unwrap();
    Simulation::new(world, state, steps(2e-3, 0.4, 0.02))
}

#[test]
fn two_solids_collide_keep_their_momentum_and_part() {
    for (mass, friction) in [(MassModel::Consistent, 0.0), (MassModel::Lumped, 0.3)] {
        let mut simulation = two_balls(mass, friction);
        let all = frames(&mut simulation);
        let (first, last) = (&all[0], all.last().unwrap());
        let whole = 0.5 * simulation.world().inertia.masses().iter().sum::<f64>();
        for frame in &all {
            let gone = (frame.ledger.momentum - first.ledger.momentum).norm();
            assert!(gone < 1e-12 * whole, "{mass:?}, {} s: {gone}", frame.ledger.t);
            assert!(frame.ledger.residual.abs() < 1e-4 * first.ledger.kinetic, "{:?}", frame.ledger);
        }
        // Places that are put right turn the angular momentum a little.
        let turned = (last.ledger.angular_momentum - first.ledger.angular_momentum).norm();
        assert!(turned < 0.02 * first.ledger.angular_momentum.norm(), "{mass:?}: {turned}");
        let n = last.positions.len() / 2;
        let mean = |list: &[Vec3]| list.iter().sum::<Vec3>() / n as f64;
        let apart = mean(&last.positions[n..]) - mean(&last.positions[..n]);
        let parting = mean(&last.velocities[n..]) - mean(&last.velocities[..n]);
        assert!(apart.norm() > 0.2 && parting.dot(&apart) > 0.0, "{mass:?}: {apart} {parting}");
        let impulses = simulation.world().impulses.as_ref().unwrap();
        assert!(impulses.find(&last.positions, &last.velocities).is_empty());
        assert!(last.ledger.impact_loss > 0.0 && (last.ledger.friction_loss > 0.0) == (friction > 0.0));
    }
}

#[test]
fn one_collision_keeps_angular_momentum_exactly_without_friction() {
    // Each impulse acts along the line from the point to its foot on the face.
    for mass in [MassModel::Consistent, MassModel::Lumped] {
        let mut builder = ground(0.0, false);
        let ball = generate::ball(0.1, 3).unwrap();
        solid(&mut builder, "left", &ball, mass, Vec3::new(-0.095, 0.0, 0.0), Vec3::new(1.0, 0.1, 0.0));
        solid(&mut builder, "right", &ball, mass, Vec3::new(0.095, 0.04, 0.02), -Vec3::x());
        builder.impulses(ImpulseSettings { restitution: 0.5, ..flood() });
        let (world, mut state) = builder.build().unwrap();
        let old = amend(&world, &mut state);
        let (before, after) =
            (world.inertia.momenta(&old.q, &old.v), world.inertia.momenta(&old.q, &state.v));
        assert!((after.0 - before.0).norm() < 1e-14, "{mass:?}");
        assert!((after.1 - before.1).norm() < 1e-14, "{mass:?}: {}", after.1 - before.1);
        assert!(state.accounts.impact_loss > 0.0 && miss(&world, &old, &state) < 1e-12, "{mass:?}");
    }
}

#[test]
fn a_solid_comes_to_rest_on_a_solid_obstacle() {
    let mut builder = ground(9.81, false);
    let cube = generate::block(Vec3::repeat(0.2), [2; 3]).unwrap();
    let viscosity = Viscosity::new(1000.0, 400.0).unwrap();
    builder.solid("cube", &cube, &Material { viscosity, ..jelly() }, MassModel::Lumped).unwrap();
    builder.positions().iter_mut().for_each(|x| x.z += 0.16);
    let table = generate::box_surface(Vec3::new(1.0, 1.1, 0.1)).unwrap();
    builder.add_obstacle("table", &table, &Trajectory::still()).unwrap();
    builder.impulses(ImpulseSettings { friction: 0.5, ..flood() });
    let (world, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(world, state, steps(1e-3, 1.5, 0.1));
    let last = frames(&mut simulation).pop().unwrap();
    let lowest = last.positions[..27].iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    assert!((lowest - 0.05).abs() < 2e-3, "{lowest}");
    assert!(last.ledger.momentum.norm() < 8.0 * 1e-3, "{:?}", last.ledger.momentum);
    // The table carries eight kilograms.
    let lifted: f64 = last.contact[..27].iter().map(|f| f.z).sum();
    assert!((lifted / (8.0 * 9.81) - 1.0).abs() < 0.02, "{lifted}");
}
