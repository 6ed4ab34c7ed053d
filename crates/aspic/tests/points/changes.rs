//! Lasting changes, growth, limits and damping.

use aspic::integrate::ImplicitSettings;
use aspic::points::{Change, DampingTime, Growth, StrainLimit, Yield};
use aspic::run::Method;
use aspic::{Simulation, State, Vec3, World};

use crate::support::{GRAVITY, build, rope, settings, settled};

const FLOW: Yield = Yield { strain: 0.05, creep: 40.0, max: 0.6, per_step: false };

/// A rope of one spring, pulled by a weight that is then taken away.
fn pulled(inner: impl Fn(&mut aspic::body::Inner)) -> Simulation {
    let (world, state) = build(|builder| {
        let mut line = rope(Vec3::new(1.0, 0.0, 0.0), 4, 100.0, 0.0);
        line.inner.relaxation = 0.02;
        inner(&mut line.inner);
        builder.rope("line", &line).unwrap();
        builder.hold("nail", &[0]);
        let pull = aspic::external::PointForces {
            nodes: vec![4],
            force: Vec3::new(20.0, 0.0, 0.0),
            schedule: aspic::external::Schedule::new(vec![]),
        };
        builder.load(Box::new(pull), 2.0);
    });
    let method = Method::Implicit(ImplicitSettings::default());
    Simulation::new(world, state, settings(6.0, method, 0.01))
}

#[test]
fn what_yields_stays_longer_and_the_loss_is_booked() {
    let mut run = pulled(|inner| inner.changes[0].flow = Some(FLOW));
    run.advance_to(2.0).unwrap();
    // 20 N on EA = 100 N strain by 0.2; all beyond 0.05 becomes lasting, until that is elastic alone: 0.2 − … = 0.05.
    run.advance_to(6.0).unwrap();
    let length = run.state().q[4].x;
    assert!(length > 1.05, "{length}");
    let ledger = run.ledger();
    assert!(ledger.plastic_loss > 0.1, "{ledger:?}");
    assert!(ledger.residual.abs() < 1e-3 * ledger.exchanged, "{ledger:?}");
    let mut elastic = pulled(|_| ());
    elastic.advance_to(6.0).unwrap();
    assert!((elastic.state().q[4].x - 1.0).abs() < 1e-3, "{}", elastic.state().q[4].x);
}

#[test]
fn compression_yields_too() {
    let (world, mut state) = build(|builder| {
        let mut line = rope(Vec3::new(1.0, 0.0, 0.0), 2, 100.0, 0.0);
        line.inner.changes[0].flow = Some(FLOW);
        builder.rope("line", &line).unwrap();
        builder.hold("nails", &[0, 1, 2]);
    });
    state.q.iter_mut().for_each(|x| x.x *= 0.7);
    let mut work = world.workspace();
    let mut next = state.clone();
    next.t = 1.0;
    world.amend(&state, &mut next, true, &mut work);
    let rests: Vec<f64> = next.memory[..2].to_vec();
    assert!(rests.iter().all(|rest| (rest - 0.5 * 0.75).abs() < 1e-3), "{rests:?}");
}

#[test]
fn a_run_that_yields_goes_on_from_a_checkpoint_to_the_same_bits() {
    let changing = |inner: &mut aspic::body::Inner| {
        let growth = Growth { knots: vec![(0.0, 1.0), (3.0, 0.8)] };
        inner.changes[0] = Change { flow: Some(FLOW), growth: Some(growth) };
    };
    let mut whole = pulled(changing);
    while whole.next_frame().unwrap().is_some() {}
    let mut first = pulled(changing);
    first.next_frame().unwrap();
    first.next_frame().unwrap();
    let checkpoint = first.checkpoint();
    let mut second = pulled(changing);
    second.restore(checkpoint);
    while second.next_frame().unwrap().is_some() {}
    assert_eq!(whole.state(), second.state());
    assert!(whole.state().memory.iter().any(|x| *x != 0.25));
}

#[test]
fn a_muscle_contracts_and_its_work_is_booked() {
    let growth = Growth { knots: vec![(0.0, 1.0), (1.0, 0.6)] };
    let (world, state) = settled_under(growth);
    let mut run =
        Simulation::new(world, state, settings(4.0, Method::Implicit(ImplicitSettings::default()), 0.01));
    let before = run.state().q[4].z;
    run.advance_to(4.0).unwrap();
    let after = run.state().q[4].z;
    assert!(after - before > 0.35, "{before} {after}");
    let ledger = run.ledger();
    assert!(ledger.load_work > 0.0 && ledger.residual.abs() < 1e-3 * ledger.exchanged, "{ledger:?}");
}

/// A hanging rope that will follow the plan, at rest before it begins.
fn settled_under(growth: Growth) -> (World, State) {
    let line = |growth: Option<Growth>| {
        let mut line = rope(Vec3::new(0.0, 0.0, -1.0), 4, 200.0, 0.0);
        line.inner.relaxation = 0.05;
        line.inner.changes[0].growth = growth;
        line
    };
    let hang = |growth: Option<Growth>| {
        move |builder: &mut aspic::WorldBuilder| {
            builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
            builder.rope("muscle", &line(growth)).unwrap();
            builder.hold("nail", &[0]);
        }
    };
    let rest = settled(hang(None));
    let (world, mut state) = build(hang(Some(growth)));
    state.q = rest.q;
    (world, state)
}

#[test]
fn limited_springs_stay_within_their_limit_and_free_ones_keep_both_momenta() {
    let limit = StrainLimit { stretch: 1.1, tolerance: 1e-3, sweeps: 1000 };
    let hang = |limited: bool| {
        let (world, state) = build(|builder| {
            builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
            let mut line = rope(Vec3::new(0.0, 0.0, -1.0), 10, 2.0, 0.0);
            line.inner.relaxation = 0.01;
            line.inner.limit = limited.then_some(limit);
            builder.rope("line", &line).unwrap();
            builder.hold("nail", &[0]);
        });
        let mut run = Simulation::new(world, state, settings(1.0, Method::Rkf45, 1e-3));
        run.advance_to(1.0).unwrap();
        run
    };
    let longest = |run: &Simulation| {
        run.state().q.windows(2).map(|pair| (pair[1] - pair[0]).norm() / 0.1).fold(0.0, f64::max)
    };
    let (free, mut limited) = (hang(false), hang(true));
    assert!(
        longest(&free) > 1.3 && longest(&limited) < 1.1 + 2e-3,
        "{} {}",
        longest(&free),
        longest(&limited)
    );
    assert!(limited.ledger().residual.abs() < 1e-4 * limited.ledger().exchanged, "{:?}", limited.ledger());
    // Flying free, whirling fast enough to stretch beyond the limit.
    let (world, mut state) = build(|builder| {
        let mut line = rope(Vec3::new(1.0, 0.0, 0.0), 6, 5.0, 0.0);
        line.inner.limit = Some(limit);
        builder.rope("line", &line).unwrap();
    });
    let mut noise = crate::support::Noise(6);
    for (x, v) in state.q.iter().zip(&mut state.v) {
        *v = Vec3::new(0.0, 0.0, 8.0).cross(x) + noise.vector(0.1);
    }
    let (p, l) = world.inertia.momenta(&state.q, &state.v);
    let mut run = Simulation::new(world, state, settings(0.5, Method::Rkf45, 1e-3));
    run.advance_to(0.5).unwrap();
    let (after_p, after_l) = run.world().inertia.momenta(&run.state().q, &run.state().v);
    assert!((after_p - p).norm() < 1e-11 * p.norm());
    assert!((after_l - l).norm() < 1e-7 * l.norm(), "{l} {after_l}");
    assert!(run.ledger().numerical_loss.abs() > 1e-4);
}

/// Speeds of two points on a damped spring that fly apart, after one step of length h.
fn after_one_step(time: DampingTime, gamma: f64, h: f64) -> f64 {
    let (world, mut state) = build(|builder| {
        let mut line = rope(Vec3::new(1.0, 0.0, 0.0), 1, 0.0, 0.0);
        (line.inner.spring_damping, line.inner.damping_time) = (gamma, time);
        builder.rope("line", &line).unwrap();
    });
    // Masses of 0.1 kg each.
    (state.v[0], state.v[1]) = (Vec3::new(-1.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0));
    let mut work = world.workspace();
    let mut rates = aspic::state::Rates::zeros(2);
    world.rates(&state, &mut rates, &mut work).unwrap();
    let mut next = state.clone();
    next.t = h;
    next.v.iter_mut().zip(&rates.a).for_each(|(v, a)| *v += a * h);
    world.amend(&state, &mut next, false, &mut work);
    next.v[1].x
}

#[test]
fn explicit_damping_may_accelerate_and_implicit_damping_never_does() {
    // h γ (1/m₁ + 1/m₂): below 1 it brakes, beyond 2 it throws the points back faster than they came.
    let (h, gamma) = (0.1, 1.0);
    let gentle = after_one_step(DampingTime::Explicit, 0.4 * gamma, h);
    assert!((gentle - 0.2).abs() < 1e-12, "{gentle}");
    let thrown = after_one_step(DampingTime::Explicit, 3.0 * gamma, h);
    assert!((thrown + 5.0).abs() < 1e-12, "{thrown}");
    for gamma in [0.4, 3.0, 1e6] {
        let braked = after_one_step(DampingTime::Implicit, gamma, h);
        assert!((braked - 1.0 / (1.0 + h * gamma * 20.0)).abs() < 1e-12, "{braked}");
    }
}

#[test]
fn a_point_in_still_air_falls_at_the_speed_that_its_damping_allows() {
    for (time, method) in [
        (DampingTime::Explicit, Method::Rkf45),
        (DampingTime::Implicit, Method::Rkf45),
        (DampingTime::Implicit, Method::Implicit(ImplicitSettings::default())),
    ] {
        let (world, state) = build(|builder| {
            builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
            let mut line = rope(Vec3::new(1.0, 0.0, 0.0), 1, 10.0, 0.0);
            (line.inner.point_damping, line.inner.damping_time) = (0.5, time);
            builder.rope("line", &line).unwrap();
        });
        let mut run = Simulation::new(world, state, settings(4.0, method, 1e-2));
        run.advance_to(4.0).unwrap();
        // m g/γ with 0.1 kg a point; damping split from the motion is of first order in the step.
        let speed = -run.state().v[0].z;
        assert!((speed / (0.1 * GRAVITY / 0.5) - 1.0).abs() < 0.06, "{time:?} {speed}");
        assert!(run.ledger().residual.abs() < 0.02 * run.ledger().exchanged, "{:?}", run.ledger());
    }
}
