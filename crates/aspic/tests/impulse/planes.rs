//! Mass points on half-spaces: bounces, rest, friction.

use aspic::impulse::Rules;
use aspic::{Simulation, Vec3};

use crate::support::{Dots, G, amend, dots, floor, frames, miss, steps};

fn one(at: Vec3, velocity: Vec3, rules: Rules, gravity: f64) -> (aspic::World, aspic::State) {
    dots(&[Dots { at: &[at], velocity: &[velocity], mass: 2.0, radius: 0.0 }], &[floor()], rules, gravity)
}

#[test]
fn a_wall_gives_the_golden_bounce_and_books_what_is_lost() {
    let rules = Rules { restitution: 0.5, friction: 0.3, ..Rules::default() };
    let (world, mut state) = one(Vec3::new(0.0, 0.0, -1e-3), Vec3::new(1.5, 0.0, -2.0), rules, 0.0);
    let old = amend(&world, &mut state);
    assert!((state.v[0] - Vec3::new(0.6, 0.0, 1.0)).norm() < 1e-12);
    assert_eq!(state.q[0], Vec3::zeros());
    // Per mass: ½ (2² − 1²) across, ½ (1.5² − 0.6²) along.
    assert!((state.accounts.impact_loss - 2.0 * 1.5).abs() < 1e-14);
    assert!((state.accounts.friction_loss - 2.0 * 0.5 * (2.25 - 0.36)).abs() < 1e-14);
    assert!(miss(&world, &old, &state) < 1e-15);
}

#[test]
fn the_simplified_friction_takes_its_part_of_the_sliding() {
    let rules = Rules { restitution: 0.0, factor: Some(0.25), ..Rules::default() };
    let (world, mut state) = one(Vec3::new(0.0, 0.0, -1e-3), Vec3::new(2.0, -1.0, -3.0), rules, 0.0);
    amend(&world, &mut state);
    assert!((state.v[0] - Vec3::new(1.5, -0.75, 0.0)).norm() < 1e-14);
}

#[test]
fn a_point_that_leaves_a_wall_is_only_put_on_its_surface() {
    let rules = Rules { restitution: 0.5, friction: 0.3, ..Rules::default() };
    let (world, mut state) = one(Vec3::new(0.1, 0.2, -1e-3), Vec3::new(1.0, 0.0, 0.5), rules, G);
    let old = amend(&world, &mut state);
    assert_eq!((state.v[0], state.q[0]), (old.v[0], Vec3::new(0.1, 0.2, 0.0)));
    // The lift is paid for by the time steps.
    assert!((state.accounts.numerical_loss + 2.0 * G * 1e-3).abs() < 1e-15);
    assert!(miss(&world, &old, &state) < 1e-15);
}

/// Greatest heights between the bounces of a point dropped from a metre.
fn heights(restitution: f64, h: f64, count: usize) -> Vec<f64> {
    let rules = Rules { restitution, ..Rules::default() };
    let (world, state) = one(Vec3::z(), Vec3::zeros(), rules, G);
    let mut simulation = Simulation::new(world, state, steps(h, 60.0, h));
    let (mut heights, mut highest, mut falling) = (vec![], 0.0_f64, true);
    while heights.len() < count {
        let frame = simulation.next_frame().unwrap().unwrap();
        let (z, up) = (frame.positions[0].z, frame.velocities[0].z > 0.0);
        if up && falling {
            highest = 0.0;
        } else if !up && !falling {
            // The vertex of the parabola through this frame.
            heights.push(highest.max(z + frame.velocities[0].z.powi(2) / (2.0 * G)));
        }
        falling = !up;
    }
    heights
}

#[test]
fn a_dropped_point_comes_back_to_the_square_of_the_restitution() {
    for (restitution, h) in [(1.0, 3.1e-3), (0.7, 2.3e-3), (0.7, 1e-2)] {
        let mut expected = 1.0;
        for height in heights(restitution, h, 4) {
            expected *= restitution * restitution;
            assert!((height / expected - 1.0).abs() < 1e-6, "e = {restitution}: {height}, not {expected}");
        }
    }
}

#[test]
fn a_bouncing_point_comes_to_rest_and_never_gains_energy() {
    for restitution in [0.0, 0.5, 0.9] {
        let rules = Rules { restitution, ..Rules::default() };
        let (world, state) = one(Vec3::z() * 0.3, Vec3::new(0.4, 0.0, 0.0), rules, G);
        let mut simulation = Simulation::new(world, state, steps(2e-3, 12.0, 0.02));
        let mut energy = f64::INFINITY;
        let frames = frames(&mut simulation);
        for frame in &frames {
            let now = frame.ledger.kinetic + frame.ledger.gravity;
            assert!(
                now <= energy * (1.0 + 1e-9),
                "e = {restitution}, {} s: {now} > {energy}",
                frame.ledger.t
            );
            assert!(frame.ledger.residual.abs() < 1e-11 * frame.ledger.exchanged.max(1.0));
            energy = now;
        }
        for frame in &frames[frames.len() - 100..] {
            assert_eq!((frame.positions[0].z, frame.velocities[0].z), (0.0, 0.0), "e = {restitution}");
            assert!((frame.velocities[0].x - 0.4).abs() < 1e-12, "nothing rubs");
            // The floor carries the weight.
            assert!((frame.contact[0].z - 2.0 * G).abs() < 1e-9);
        }
    }
}

#[test]
fn a_sliding_block_stops_after_the_distance_of_coulomb() {
    // Twenty-five points that slide together: v²/(2 μ g), and half a step more.
    let at: Vec<Vec3> = (0..25).map(|k| Vec3::new((k % 5) as f64, (k / 5) as f64, 0.0) * 0.1).collect();
    let (speed, mu) = (1.5, 0.4);
    let distances = [2e-3, 1e-3, 5e-4].map(|h| {
        let body = Dots { at: &at, velocity: &[Vec3::x() * speed; 25], mass: 0.1, radius: 0.0 };
        let rules = Rules { friction: mu, ..Rules::default() };
        let (world, state) = dots(&[body], &[floor()], rules, G);
        let mut simulation = Simulation::new(world, state, steps(h, 1.0, 0.1));
        let last = frames(&mut simulation).pop().unwrap();
        assert!(last.velocities.iter().all(|v| v.norm() < 1e-14));
        let lost = 0.5 * 2.5 * speed * speed;
        assert!((last.ledger.friction_loss / lost - 1.0).abs() < 1e-9, "{:?}", last.ledger);
        last.positions[0].x
    });
    let expected = speed * speed / (2.0 * mu * G);
    for (h, distance) in [2e-3, 1e-3, 5e-4].into_iter().zip(distances) {
        assert!(
            (distance - expected - 0.5 * speed * h).abs() < 0.2 * speed * h,
            "{h}: {distance}, not {expected}"
        );
    }
}

#[test]
fn a_point_with_a_radius_rests_that_far_above_the_ground() {
    let rules = Rules::default();
    let ball = Dots { at: &[Vec3::z() * 0.2], velocity: &[Vec3::zeros()], mass: 1.0, radius: 0.05 };
    let (world, state) = dots(&[ball], &[floor()], rules, G);
    let mut simulation = Simulation::new(world, state, steps(1e-3, 1.0, 0.5));
    let last = frames(&mut simulation).pop().unwrap();
    assert!((last.positions[0].z - 0.05).abs() < 1e-15 && last.velocities[0] == Vec3::zeros());
}
