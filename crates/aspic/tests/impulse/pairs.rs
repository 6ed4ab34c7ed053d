//! Mass points against each other.

use aspic::constraint::{Constraint, Pin, Trajectory};
use aspic::impulse::Rules;
use aspic::world::{NamedConstraint, Phase};
use aspic::{Simulation, State, Vec3, World};

use crate::support::{Dots, amend, dots, frames, miss, steps};

fn two(gap: Vec3, velocities: [Vec3; 2], radius: f64, rules: Rules) -> (World, State) {
    let at = [Vec3::new(0.3, -0.2, 0.5), Vec3::new(0.3, -0.2, 0.5) + gap];
    let dot = |k: usize| Dots { at: &at[k..=k], velocity: &velocities[k..=k], mass: [0.5, 2.0][k], radius };
    dots(&[dot(0), dot(1)], &[], rules, 0.0)
}

fn momenta(world: &World, q: &[Vec3], v: &[Vec3]) -> (Vec3, Vec3) {
    world.inertia.momenta(q, v)
}

#[test]
fn two_points_keep_their_momentum_and_angular_momentum_and_lose_the_energy_of_their_restitution() {
    let rules = Rules { restitution: 0.6, ..Rules::default() };
    let gap = Vec3::new(0.012, 0.009, -0.001);
    let velocities = [Vec3::new(2.0, 0.3, 0.1), Vec3::new(-1.0, 0.5, 0.2)];
    let (world, mut state) = two(gap, velocities, 0.01, rules);
    let old = amend(&world, &mut state);
    let (before, after) = (momenta(&world, &old.q, &old.v), momenta(&world, &old.q, &state.v));
    assert!((after.0 - before.0).norm() < 1e-15 && (after.1 - before.1).norm() < 1e-15);
    let n = -gap.normalize();
    let speed = (velocities[0] - velocities[1]).dot(&n);
    let lost = 0.5 * (1.0 - 0.36) * (0.5 * 2.0 / 2.5) * speed * speed;
    assert!((state.accounts.impact_loss - lost).abs() < 1e-14 && state.accounts.friction_loss == 0.0);
    assert!(((state.v[0] - state.v[1]).dot(&n) + 0.6 * speed).abs() < 1e-14);
    // Apart again, and the centre of mass where it was.
    assert!(((state.q[0] - state.q[1]).norm() - 0.02).abs() < 1e-15);
    let center = |q: &[Vec3]| world.inertia.center(q, 0..2);
    assert!((center(&state.q) - center(&old.q)).norm() < 1e-16);
    assert!(miss(&world, &old, &state) < 1e-15);
}

#[test]
fn friction_keeps_angular_momentum_where_the_points_coincide() {
    let rules = Rules { restitution: 0.3, friction: 0.4, ..Rules::default() };
    let velocities = [Vec3::new(2.0, 0.3, 0.1), Vec3::new(-1.0, 0.5, 2.2)];
    let (world, mut state) = two(Vec3::x() * 1e-13, velocities, 1e-12, rules);
    let old = amend(&world, &mut state);
    let (before, after) = (momenta(&world, &old.q, &old.v), momenta(&world, &old.q, &state.v));
    assert!((after.0 - before.0).norm() < 1e-15 && (after.1 - before.1).norm() < 1e-12);
    assert!(state.accounts.friction_loss > 0.1 && miss(&world, &old, &state) < 1e-15);
}

#[test]
fn a_cradle_of_equal_points_passes_its_momentum_on() {
    // Five points in a row, each a body; the first arrives, the last leaves.
    let at: Vec<Vec3> = (0..5).map(|k| Vec3::x() * (0.1 * k as f64)).collect();
    let velocity = [Vec3::x(), Vec3::zeros(), Vec3::zeros(), Vec3::zeros(), Vec3::zeros()];
    let dot = |k: usize| Dots { at: &at[k..=k], velocity: &velocity[k..=k], mass: 1.0, radius: 0.02 };
    let rules = Rules { restitution: 1.0, ..Rules::default() };
    let (world, state) = dots(&std::array::from_fn::<_, 5, _>(dot), &[], rules, 0.0);
    let mut simulation = Simulation::new(world, state, steps(1e-3, 0.5, 0.5));
    let last = frames(&mut simulation).pop().unwrap();
    for (k, v) in last.velocities.iter().enumerate() {
        let expected = if k == 4 { Vec3::x() } else { Vec3::zeros() };
        assert!((v - expected).norm() < 1e-12, "{k}: {v}");
    }
    assert!(last.ledger.residual.abs() < 1e-14);
}

#[test]
fn points_of_one_body_touch_only_if_asked_and_not_their_neighbours() {
    let at = [Vec3::y() * 0.03, Vec3::zeros(), Vec3::x() * 0.1];
    let velocity = [Vec3::zeros(), Vec3::zeros(), -Vec3::x()];
    let build = |own: bool| {
        let body = Dots { at: &at, velocity: &velocity, mass: 1.0, radius: 0.02 };
        let (mut world, state) = dots(&[body], &[], Rules::default(), 0.0);
        let impulses = world.impulses.as_mut().unwrap();
        impulses.own = own;
        impulses.note_neighbours(&at);
        let mut simulation = Simulation::new(world, state, steps(1e-3, 0.07, 0.07));
        frames(&mut simulation).pop().unwrap()
    };
    let alone = build(false);
    assert_eq!(alone.velocities, velocity);
    // The second stops the third; the first, which began beside the second, feels nothing.
    let together = build(true);
    assert_eq!(together.velocities[0], Vec3::zeros());
    assert!((together.velocities[1] + Vec3::x() * 0.5).norm() < 1e-14, "{:?}", together.velocities);
}

#[test]
fn a_held_point_has_infinite_mass_and_a_dragged_one_does_work() {
    for speed in [0.0, 0.7] {
        let velocities = [Vec3::new(1.0, 0.2, 0.0), Vec3::x() * -speed];
        let rules = Rules { restitution: 0.5, friction: 0.1, ..Rules::default() };
        let (mut world, mut state) = two(Vec3::x() * 0.019, velocities, 0.01, rules);
        let pin = Pin::new(1, state.q[1], Trajectory::still());
        world.constraints = vec![NamedConstraint {
            name: "pin".into(),
            laws: vec![Box::new(pin) as Box<dyn Constraint>],
            until: f64::INFINITY,
            stiffness: None,
        }];
        world.phases = Phase::all(&world.inertia, &world.constraints, &[], &[]).unwrap();
        let old = amend(&world, &mut state);
        assert_eq!((state.q[1], state.v[1]), (old.q[1], old.v[1]));
        assert!((state.q[0].x - (old.q[1].x - 0.02)).abs() < 1e-15);
        let approach = 1.0 + speed;
        assert!((state.v[0].x - (-speed - 0.5 * approach)).abs() < 1e-14, "{}", state.v[0]);
        // The impulse on the moving point times its speed.
        let work = 0.5 * 1.5 * approach * speed;
        assert!((state.accounts.drag_work - work).abs() < 1e-14, "{:?}", state.accounts);
        assert!((state.accounts.impact_loss - 0.5 * 0.5 * 0.75 * approach * approach).abs() < 1e-14);
        assert!(miss(&world, &old, &state) < 1e-15);
    }
}
