//! Tests of the time at which a tetrahedron becomes flat.

use super::*;
use crate::contact::tests_support::Random;

const UNIT: [Vec3; 4] =
    [Vec3::new(0.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0)];

fn volume(x: &[Vec3; 4], dx: &[Vec3; 4], t: f64) -> f64 {
    let at = |i: usize| x[i] + t * dx[i] - x[0] - t * dx[0];
    at(1).dot(&at(2).cross(&at(3)))
}

/// Moves of the unit tetrahedron whose edges become the diagonal 1 − a t, 1 − b t, 1 − c t.
fn diagonal(a: f64, b: f64, c: f64) -> [Vec3; 4] {
    [Vec3::zeros(), -a * Vec3::x(), -b * Vec3::y(), -c * Vec3::z()]
}

fn assert_just_below(found: f64, root: f64, share: f64) {
    assert!(found <= root && found >= root * (1.0 - share), "{found:e} {root:e}");
}

#[test]
fn diagonal_moves_have_rational_roots() {
    let cases = [
        ([1.0, 0.0, 0.0], 1.0),
        ([2.0, 1.0, 0.0], 0.5),
        ([2.0, 3.0, 4.0], 0.25),
        ([-5.0, 0.125, 0.0], 8.0),
        ([1.0, 4.0, -3.0], 0.25),
    ];
    for ([a, b, c], root) in cases {
        assert_just_below(first_flat(&UNIT, &diagonal(a, b, c)), root, 1e-12);
    }
}

#[test]
fn double_and_triple_roots_are_not_missed() {
    // (1 − 2t)² touches zero and turns back; (1 − 2t)³ passes it flatly; the root of rounding is lost
    assert_just_below(first_flat(&UNIT, &diagonal(2.0, 2.0, 0.0)), 0.5, 1e-6);
    assert_just_below(first_flat(&UNIT, &diagonal(2.0, 2.0, -1.0)), 0.5, 1e-6);
    assert_just_below(first_flat(&UNIT, &diagonal(2.0, 2.0, 2.0)), 0.5, 1e-4);
    // turned at random, rounding would lift (1 − 2t)² off zero half of the time
    let mut random = Random(41);
    for _ in 0..2000 {
        let turn = nalgebra::Rotation3::new(3.0 * random.vector());
        let shift = random.vector();
        let x = UNIT.map(|p| turn * p + shift);
        let dx = diagonal(2.0, 2.0, 0.0).map(|p| turn * p);
        assert_just_below(first_flat(&x, &dx), 0.5, 1e-5);
    }
}

#[test]
fn near_double_roots_are_told_apart() {
    // edges (1 − 2t, −w) and (w, 1 − 2t) in a plane: (1 − 2t)² + w² has no root
    let swirl = |w: f64| {
        let x = [Vec3::zeros(), Vec3::new(1.0, w, 0.0), Vec3::new(-w, 1.0, 0.0), Vec3::z()];
        first_flat(&x, &diagonal(2.0, 2.0, 0.0))
    };
    assert!(swirl(1e-3) > 1e3);
    assert_just_below(swirl(1e-9), 0.5, 1e-6);
    // (1 − 2t)² − w²: the first of two close roots
    let pinch = first_flat(&UNIT, &diagonal(2.0 / (1.0 - 1e-5), 2.0 / (1.0 + 1e-5), 0.0));
    assert_just_below(pinch, 0.5 * (1.0 - 1e-5), 1e-8);
}

#[test]
fn what_grows_turns_or_shifts_never_becomes_flat() {
    let still = [Vec3::zeros(); 4];
    let (grow, shift) = (UNIT, [Vec3::new(3.0, -2.0, 1.0); 4]);
    for dx in [still, grow, shift] {
        assert_eq!(first_flat(&UNIT, &dx), f64::INFINITY);
    }
    let omega = Vec3::new(1.0, -2.0, 0.5);
    assert!(first_flat(&UNIT, &UNIT.map(|p| omega.cross(&p))) > 1e4);
}

#[test]
fn flat_or_inside_out_or_not_a_number_gives_zero() {
    let still = [Vec3::zeros(); 4];
    let [a, b, c, d] = UNIT;
    for x in [[a, c, b, d], [a, b, c, b + c], [a; 4]] {
        assert_eq!(first_flat(&x, &still), 0.0);
    }
    assert_eq!(first_flat(&UNIT, &diagonal(f64::NAN, 0.0, 0.0)), 0.0);
}

#[test]
fn a_dense_scan_finds_no_earlier_root() {
    let mut random = Random(42);
    let (mut flat, mut scanned) = (0, 0);
    while scanned < 4000 {
        let x: [Vec3; 4] = std::array::from_fn(|_| random.vector());
        if volume(&x, &x, 0.0) < 1e-3 {
            continue;
        }
        scanned += 1;
        let speed = random.decade(-1.0, 1.0);
        let dx: [Vec3; 4] = std::array::from_fn(|_| speed * random.vector());
        let t = first_flat(&x, &dx);
        let end = t.min(3.0);
        // nothing is flat before the answer
        for i in 0..1000 {
            assert!(volume(&x, &dx, end * f64::from(i) / 1000.0) > 0.0, "{x:?} {dx:?} {t}");
        }
        if t < 1e3 {
            flat += 1;
            // and there it is, to rounding
            let (size, slope) = (volume(&x, &dx, 0.0), volume(&x, &dx, t));
            assert!(slope.abs() < 1e-11 * (1.0 + size) * (1.0 + speed * t).powi(3), "{slope:e} {t}");
        }
    }
    assert!(flat > 1000, "{flat}");
}
