//! The search for stable steps against eigenvalues.

use aspic::integrate::{ExplicitScheme, ImplicitSettings};
use aspic::kinetic::MassModel;
use aspic::mesh::generate;
use aspic::potential::material::LawName;
use aspic::run::Method;
use aspic::stability::{Limit, Search};
use aspic::{Settings, Simulation, Vec3, WorldBuilder};
use nalgebra::DMatrix;

use crate::support::{damped_jelly, dense, jelly, start, stiffness};

/// A block of jelly at rest, nothing held.
fn block(settings: Settings, tau: f64) -> Simulation {
    let mesh = generate::block(Vec3::new(0.2, 0.15, 0.1), [2, 1, 1]).unwrap();
    let material = if tau > 0.0 { damped_jelly(tau) } else { jelly(LawName::LsStable) };
    let mut builder = WorldBuilder::new();
    builder.solid("block", &mesh, &material, MassModel::Lumped).unwrap();
    start(builder, settings)
}

/// Highest frequency of the block: ω² is the largest eigenvalue of M^−½ K M^−½  \[1/s\]
fn highest_frequency() -> f64 {
    let simulation = block(Settings::default(), 0.0);
    let world = simulation.world();
    let (q, masses) = (&simulation.state().q, world.inertia.masses());
    let k = dense(&stiffness(&*world.continua[0].1, q, false), q.len());
    let scaled =
        DMatrix::from_fn(k.nrows(), k.nrows(), |r, c| k[(r, c)] / (masses[r / 3] * masses[c / 3]).sqrt());
    scaled.symmetric_eigenvalues().max().sqrt()
}

fn find(method: Method, time: f64, tau: f64) -> Limit {
    let build = |settings| Ok::<_, ()>(block(settings, tau));
    let mut search = Search::new(build, time, time / 10.0).unwrap();
    let (mut trials, mut last) = (0, (0.0, false));
    let found = search.largest_step(method, |step, stable| {
        trials += 1;
        if stable {
            last = (step, stable);
        }
    });
    let found = found.unwrap();
    assert!(trials <= 30 && found.seconds_per_step > 0.0 && found.seconds_per_step < 0.1);
    if let Limit::Step(step) = found.limit {
        assert_eq!(last, (step, true), "the answer is the last stable trial");
    }
    found.limit
}

/// The step that was found, between two others.
fn step(limit: Limit) -> f64 {
    let Limit::Step(step) = limit else { panic!("{limit:?}") };
    step
}

#[test]
fn limits_are_those_of_the_highest_frequency() {
    let omega = highest_frequency();
    let time = 2000.0 / omega;
    let of = |scheme| step(find(Method::Explicit(scheme), time, 0.0)) * omega;
    for scheme in ExplicitScheme::ALL {
        if let Some(limit) = scheme.limit() {
            let found = of(scheme);
            assert!((found / limit - 1.0).abs() < 0.03, "{scheme:?}: ωh < {found}, not {limit}");
        }
    }
}

#[test]
fn a_method_that_grows_gets_a_step_that_shrinks_with_the_time() {
    let omega = highest_frequency();
    let of = |time| step(find(Method::Explicit(ExplicitScheme::Euler), time, 0.0)) * omega;
    // The energy of the fastest motion grows as exp(ω² h t): the step goes as one over the time.
    let (short, long) = (of(50.0 / omega), of(200.0 / omega));
    assert!((3.5..4.5).contains(&(short / long)), "{short} {long}");
    // It may reach a hundred times its energy of 1/36 of the disturbance, and a little more: ln(3600) < 8.2.
    assert!((4.6 / 200.0..12.0 / 200.0).contains(&long), "{long}");
}

#[test]
fn backward_euler_is_stable_at_the_longest_step_that_is_tried() {
    let time = 2000.0 / highest_frequency();
    let limit = find(Method::Implicit(ImplicitSettings::default()), time, 0.0);
    assert_eq!(limit, Limit::AtLeast(time / 10.0));
}

#[test]
fn strong_viscosity_halves_the_step_of_verlet_against_euler() {
    // A decay at the rate c = ω²τ ≫ ω bears hc < 2 with semi-implicit Euler, and hc < 1 with a foreseen velocity.
    let omega = highest_frequency();
    let tau = 20.0 / omega;
    let of = |scheme| step(find(Method::Explicit(scheme), 400.0 / omega, tau)) * omega * omega * tau;
    let [euler, verlet] = [ExplicitScheme::SemiImplicitEuler, ExplicitScheme::VelocityVerlet].map(of);
    assert!((euler / 2.0 - 1.0).abs() < 0.05, "{euler}");
    assert!((verlet - 1.0).abs() < 0.05, "{verlet}");
}
