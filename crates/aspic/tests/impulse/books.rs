//! The ledger closes over every impulse and every place that is put right, whatever takes the steps.

use aspic::body::{ImpulseSettings, Start};
use aspic::constraint::{Anchor, Constraint, Distance, Path, Trajectory};
use aspic::integrate::{ImplicitSettings, Scheme, StepLimits};
use aspic::kinetic::MassModel;
use aspic::mesh::{Pose, generate};
use aspic::potential::material::Moduli;
use aspic::run::Method;
use aspic::world::Amended;
use aspic::world::NamedConstraint;
use aspic::{Settings, Simulation, Vec3, WorldBuilder};

use crate::support::{flood, frames, ground, solid, steps};

/// A lumped cube on a rod, a consistent one, an affine box; the ground, and a block that moves along it.
pub fn everything() -> WorldBuilder {
    let mut builder = ground(9.81, true);
    let cube = generate::block(Vec3::repeat(0.1), [2; 3]).unwrap();
    solid(&mut builder, "lumped", &cube, MassModel::Lumped, Vec3::new(0.02, 0.0, 0.2), Vec3::zeros());
    solid(&mut builder, "whole", &cube, MassModel::Consistent, Vec3::new(0.0, 0.03, 0.07), Vec3::x() * 0.3);
    let pose = Pose::new(&[(Vec3::x(), 0.4)], Vec3::new(0.05, 0.02, 0.36)).unwrap();
    let start = Start { pose, velocity: Vec3::z() * -0.5, spin: Vec3::x() };
    let stiff = Moduli::from_young_poisson(1e6, 0.3).unwrap();
    builder.add_affine("affine", &cube, 600.0, stiff, &start).unwrap();
    let node = 0;
    let point = builder.positions()[node] + Vec3::new(-0.2, 0.0, 0.1);
    let length = (builder.positions()[node] - point).norm();
    let rod = Distance { node: node as u32, other: Anchor::Point(point), length };
    let laws: Vec<Box<dyn Constraint>> = vec![Box::new(rod)];
    builder.constrain(NamedConstraint { name: "rod".into(), laws, until: 0.15, stiffness: None });
    let path = Path::new(&[(0.0, Vec3::zeros()), (0.3, Vec3::x() * -0.15)]);
    let mut sledge = generate::box_surface(Vec3::new(0.1, 0.3, 0.08)).unwrap();
    sledge.positions.iter_mut().for_each(|x| *x += Vec3::new(0.2, 0.0, 0.05));
    builder.add_obstacle("sledge", &sledge, &Trajectory::new(path, None)).unwrap();
    builder.impulses(ImpulseSettings { friction: 0.3, restitution: 0.4, ..flood() });
    builder
}

#[test]
fn the_ledger_closes_to_the_last_digit_over_every_amendment() {
    let (world, mut state) = everything().build().unwrap();
    // Step by step by hand, so that only what an amendment does is looked at.
    let mut work = world.workspace();
    let mut rates = aspic::state::Rates::zeros(world.nodes());
    let (h, mut touched, mut worst) = (2e-4, 0, 0.0_f64);
    let first = world.ledger(&state, None, &mut work);
    for _ in 0..1200 {
        work.phase = world.phase_at(state.t);
        let before = state.clone();
        world.rates(&state, &mut rates, &mut work).unwrap();
        state.v.iter_mut().zip(&rates.a).for_each(|(v, a)| *v += a * h);
        for (x, v) in state.q.iter_mut().zip(&state.v) {
            *x += v * h;
        }
        state.t += h;
        world.settle(&mut state, &mut work).unwrap();
        let total = world.ledger(&state, Some(&first), &mut work);
        if world.amend(&before, &mut state, false, &mut work) != Amended::Nothing {
            touched += 1;
            let after = world.ledger(&state, Some(&first), &mut work);
            worst = worst.max((after.total - total.total).abs() / after.exchanged.max(1.0));
            assert!(after.friction_loss >= total.friction_loss - 1e-15, "friction only takes");
        }
    }
    assert!(touched > 300 && worst < 1e-13, "{touched} amendments, {worst:e}");
    let a = state.accounts;
    assert!(a.impact_loss > 0.0 && a.friction_loss > 0.0 && a.drag_work > 0.0, "{a:?}");
}

#[test]
fn explicit_and_implicit_runs_close_their_ledger() {
    let (world, state) = everything().build().unwrap();
    let mut explicit = Simulation::new(world, state, steps(2e-4, 0.3, 0.02));
    let last = frames(&mut explicit).pop().unwrap().ledger;
    assert!(last.residual.abs() < 1e-5 * last.exchanged && last.impact_loss > 0.0, "{last:?}");
    for scheme in [Scheme::BackwardEuler, Scheme::Bdf2, Scheme::Trapezoid] {
        let limits = StepLimits { tolerance: 1e-4, min_step: 1e-7, max_step: 2e-3 };
        let method = Method::Implicit(ImplicitSettings { scheme, ..ImplicitSettings::default() });
        let settings = Settings { duration: 0.3, frame_interval: 0.02, first_step: None, limits, method };
        let (world, state) = everything().build().unwrap();
        let mut implicit = Simulation::new(world, state, settings);
        let last = frames(&mut implicit).pop().unwrap().ledger;
        assert!(last.residual.abs() < 1e-3 * last.exchanged && last.impact_loss > 0.0, "{scheme:?} {last:?}");
    }
}
