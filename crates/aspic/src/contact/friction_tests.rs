//! Tests of friction.

use super::*;
use crate::Mat3;
use crate::contact::tests_support::{KINDS, Random};
use crate::contact::{Kind, closest};

const SMOOTHING: f64 = 0.1;
/// Part of the secant kept as curvature.
const CAUTION: f64 = 0.3;

fn lagged(random: &mut Random, kind: Kind) -> Lagged {
    let found = closest(kind, &random.points(kind));
    Lagged { weights: found.weights, normal: found.normal(), load: random.decade(-2.0, 2.0) }
}

fn moves(random: &mut Random) -> [Vec3; 4] {
    let size = random.decade(-4.0, 1.0);
    std::array::from_fn(|_| size * random.vector())
}

/// A block on the ground: one point, normal z.
fn block(load: f64) -> Lagged {
    Lagged { weights: [1.0, 0.0, 0.0, 0.0], normal: Vec3::z(), load }
}

fn only(first: Vec3) -> [Vec3; 4] {
    [first, Vec3::zeros(), Vec3::zeros(), Vec3::zeros()]
}

#[test]
fn gradient_is_the_derivative_of_the_energy() {
    let mut random = Random(31);
    for trial in 0..2000 {
        let pair = lagged(&mut random, KINDS[trial % 4]);
        let moved = moves(&mut random);
        let gradient = pair.gradient(&moved, SMOOTHING);
        for j in 0..12 {
            let at = |step: f64| {
                let mut other = moved;
                other[j / 3][j % 3] += step;
                pair.energy(&other, SMOOTHING)
            };
            let h = 1e-5;
            let expected = (at(h) - at(-h)) / (2.0 * h);
            assert!((gradient[j / 3][j % 3] - expected).abs() < 1e-7 * pair.load, "{pair:?} {moved:?}");
        }
    }
}

#[test]
fn hessian_is_the_derivative_of_the_gradient() {
    let mut random = Random(32);
    for trial in 0..2000 {
        let pair = lagged(&mut random, KINDS[trial % 4]);
        let moved = moves(&mut random);
        let y = pair.slip(&moved).norm();
        // nearer to sliding a part of the secant is kept instead
        if !(1e-3..=0.82 * SMOOTHING).contains(&y) {
            continue;
        }
        let squares = pair.hessian(&moved, SMOOTHING, CAUTION);
        for j in 0..12 {
            let at = |step: f64| {
                let mut other = moved;
                other[j / 3][j % 3] += step;
                pair.gradient(&other, SMOOTHING)
            };
            let h = 1e-6;
            for i in 0..4 {
                let expected = (at(h)[i] - at(-h)[i]) / (2.0 * h);
                let found: Vec3 = squares.active().iter().map(|z| z[j / 3][j % 3] * z[i]).sum();
                assert!((found - expected).norm() < 1e-6 * pair.load / SMOOTHING, "{found} {expected}");
            }
        }
    }
}

#[test]
fn a_sliding_contact_keeps_part_of_the_secant_along_its_slip() {
    let mut random = Random(35);
    let mut sliding = 0;
    for trial in 0..2000 {
        let pair = lagged(&mut random, KINDS[trial % 4]);
        let moved = moves(&mut random);
        let slip = pair.slip(&moved);
        if slip.norm() < SMOOTHING {
            continue;
        }
        sliding += 1;
        let along = slip.normalize();
        let squares = pair.hessian(&moved, SMOOTHING, CAUTION);
        // curvature of the first point along the slip: μλ c₀² · 0.3/y
        let found: f64 = squares.active().iter().map(|z| z[0].dot(&along).powi(2)).sum();
        let expected = pair.load * pair.weights[0].powi(2) * 0.3 / slip.norm();
        assert!((found - expected).abs() <= 1e-9 * pair.load / slip.norm(), "{found} {expected}");
    }
    assert!(sliding > 200);
}

#[test]
fn the_force_stays_within_coulombs_limit_and_opposes_the_slip() {
    let mut random = Random(33);
    let mut sliding = 0;
    for _ in 0..4000 {
        let pair = lagged(&mut random, Kind::PointTriangle);
        let moved = moves(&mut random);
        let (slip, force) = (pair.slip(&moved), -pair.gradient(&moved, SMOOTHING)[0]);
        assert!(force.norm() <= pair.load * (1.0 + 1e-15));
        assert!(force.dot(&slip) < 0.0 && force.cross(&slip).norm() < 1e-12 * pair.load * slip.norm());
        assert!(force.dot(&pair.normal).abs() < 1e-15 * pair.load);
        if slip.norm() >= SMOOTHING {
            sliding += 1;
            assert!((force.norm() - pair.load).abs() < 1e-14 * pair.load);
        }
    }
    assert!(sliding > 500, "{sliding}");
}

#[test]
fn forces_of_a_pair_cancel() {
    let mut random = Random(34);
    for trial in 0..2000 {
        let pair = lagged(&mut random, KINDS[trial % 4]);
        let total: Vec3 = pair.gradient(&moves(&mut random), SMOOTHING).iter().sum();
        assert!(total.norm() < 1e-15 * pair.load);
    }
}

#[test]
fn at_rest_there_is_no_force_but_full_stiffness() {
    let mut random = Random(35);
    for _ in 0..500 {
        let normal = random.vector().normalize();
        let pair = Lagged { weights: [1.0, -0.5, -0.5, 0.0], normal, load: 3.0 };
        // also a move along the normal alone is no slip
        for moved in [[Vec3::zeros(); 4], only(0.7 * normal)] {
            let gradient = pair.gradient(&moved, SMOOTHING);
            // a rounding of the move times the stiffness 60
            assert!(gradient.iter().all(|g| g.norm() < 60.0 * 2e-16));
            let squares = pair.hessian(&moved, SMOOTHING, CAUTION);
            let first: Mat3 = squares.active().iter().map(|z| z[0] * z[0].transpose()).sum();
            let expected = 2.0 * 3.0 / SMOOTHING * (Mat3::identity() - normal * normal.transpose());
            assert!((first - expected).amax() < 1e-12, "{first} {expected}");
        }
        assert!((pair.energy(&[Vec3::zeros(); 4], SMOOTHING) - SMOOTHING).abs() < 1e-15);
    }
}

#[test]
fn a_block_below_the_limit_creeps_at_the_predicted_speed() {
    let (mu, weight, stick_speed, h) = (0.5, 20.0, 1e-3, 0.01);
    let smoothing = stick_speed * h;
    for tan in [0.05, 0.2, 0.4, 0.49] {
        let pair = block(mu * weight);
        // Newton's method on energy − tan θ · weight · x
        let mut x = 0.0;
        for _ in 0..60 {
            let moved = only(Vec3::new(x, 0.0, 0.0));
            let stiffness: f64 =
                pair.hessian(&moved, smoothing, CAUTION).active().iter().map(|z| z[0].x * z[0].x).sum();
            x -= (pair.gradient(&moved, smoothing)[0].x - tan * weight) / stiffness;
        }
        let expected = stick_speed * (1.0 - (1.0 - tan / mu).sqrt());
        assert!((x / h - expected).abs() < 1e-9 * expected, "{} {expected}", x / h);
    }
}

#[test]
fn sliding_costs_load_times_way() {
    let pair = block(7.0);
    let energy = |x: f64| pair.energy(&only(Vec3::new(0.6 * x, 0.8 * x, 5.0)), SMOOTHING);
    assert!((energy(0.5) - 3.5).abs() < 1e-14 && (energy(2.0) - 14.0).abs() < 1e-13);
    // half way: f₀ = e (¼ − 1/24 + ⅓)
    assert!((energy(0.05) - 7.0 * 0.1 * 13.0 / 24.0).abs() < 1e-15);
}

#[test]
fn friction_without_smoothing_or_load_gives_numbers() {
    let still = [Vec3::zeros(); 4];
    assert_eq!(block(1.0).gradient(&still, 0.0), still);
    assert_eq!(block(1.0).hessian(&still, 0.0, CAUTION).count, 0);
    assert_eq!(block(0.0).hessian(&only(Vec3::x()), SMOOTHING, CAUTION).count, 0);
}
