//! When a moving tetrahedron first loses its volume: the first root of det(F + t dF), t from 0 to 1.

use crate::lanes::{Lanes, Mat3x8, splat};

/// Rounding of det(F + t dF), as a part of (|F| + t |dF|)³: a volume below it counts as none.
const SLACK: f64 = 16.0 * f64::EPSILON;
/// How far before the root the answer may lie, as a part of it.
const EARLY: f64 = 1e-9;
/// A root below this is at the start.
const START: f64 = 1e-16;

/// The smallest first root of the lanes, infinite if there is none.
///
/// In Bernstein's form a polynomial lies between its smallest and its largest coefficient. Nearly always the smallest
/// is positive, and that is all.
#[inline(always)]
pub(crate) fn first_flat(f: &Mat3x8, change: &Mat3x8) -> f64 {
    let (minors, minors_of_change) = (f.cofactor(), change.cofactor());
    let third = splat(1.0 / 3.0);
    // det(F + t dF) = J + t cof F : dF + t² F : cof dF + t³ det dF, and F : cof F = 3 J
    let (c0, c3) = (minors.dot(f) * third, minors_of_change.dot(change) * third);
    let (c1, c2) = (minors.dot(change), minors_of_change.dot(f));
    let (from, to) = (f.dot(f).sqrt(), f.dot(f).sqrt() + change.dot(change).sqrt());
    let (low, high) = (splat(SLACK) * from * from, splat(SLACK) * to * to);
    let coefficients = [
        c0 - low * from,
        c1.mul_add(third, c0) - low * to,
        (c1 + c1 + c2).mul_add(third, c0) - high * from,
        c0 + c1 + c2 + c3 - high * to,
    ];
    let zero = splat(0.0);
    let [a, b, c, d] = coefficients.map(|b| b.simd_gt(zero));
    if (a & b & c & d).all() { f64::INFINITY } else { first_of_lanes(&coefficients) }
}

#[inline(never)]
fn first_of_lanes(coefficients: &[Lanes; 4]) -> f64 {
    let [a, b, c, d] = coefficients.map(|b| b.to_array());
    (0..a.len())
        .map(|lane| first_root(&[a[lane], b[lane], c[lane], d[lane]], 0.0, 1.0))
        .fold(f64::INFINITY, f64::min)
}

/// First t between two where the cubic of these Bernstein coefficients is not positive, or a little before.
fn first_root(b: &[f64; 4], from: f64, to: f64) -> f64 {
    if b.iter().all(|&b| b > 0.0) {
        return f64::INFINITY;
    }
    // what is not a number is not positive
    if b[0].is_nan() || b[0] <= 0.0 || to - from <= EARLY * to || to < START {
        return from;
    }
    let (low, high) = halves(b);
    let middle = (from + to) / 2.0;
    let first = first_root(&low, from, middle);
    if first.is_finite() { first } else { first_root(&high, middle, to) }
}

/// Coefficients on the two halves of the interval (de Casteljau).
fn halves(b: &[f64; 4]) -> ([f64; 4], [f64; 4]) {
    let mid = |x: f64, y: f64| (x + y) / 2.0;
    let (a0, a1, a2) = (mid(b[0], b[1]), mid(b[1], b[2]), mid(b[2], b[3]));
    let (c0, c1) = (mid(a0, a1), mid(a1, a2));
    let d = mid(c0, c1);
    ([b[0], a0, c0, d], [d, c1, a2, b[3]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mat3, Vec3};
    use nalgebra::Rotation3;
    use proptest::prelude::*;

    fn of(f: &Mat3, change: &Mat3) -> f64 {
        first_flat(&Mat3x8::splat(f), &Mat3x8::splat(change))
    }

    #[test]
    fn stretches_that_shrink_to_nothing_do_so_when_they_should() {
        let (u, v) =
            (Rotation3::from_euler_angles(0.3, 1.2, -0.4), Rotation3::from_euler_angles(2.0, 0.2, 0.4));
        let turned = |x: [f64; 3]| u.into_inner() * Mat3::from_diagonal(&Vec3::from(x)) * v.into_inner();
        let f = turned([1.0, 2.0, 0.5]);
        for (change, expected) in [
            ([-2.0, 0.0, 0.0], 0.5),
            ([-4.0, -8.0, 0.0], 0.25),
            ([-2.0, -4.0, -1.0], 0.5),
            ([-0.99, -1.9, 3.0], f64::INFINITY),
            ([1.0, 1.0, -0.5 / 0.999], 0.999),
            ([0.0, 0.0, -5e5], 1e-6),
        ] {
            let found = of(&f, &turned(change));
            // a double root is wide: rounding counts by its square root, on the early side
            assert!(
                found <= expected && (found.is_infinite() || found > expected * (1.0 - 1e-4)),
                "{found} {expected}"
            );
        }
        assert_eq!(of(&turned([1.0, 1.0, -0.1]), &Mat3::identity()), 0.0);
    }

    proptest! {
        #[test]
        fn volume_is_positive_before_and_zero_at_the_answer(
            a in proptest::array::uniform9(-1.0..1.0), b in proptest::array::uniform9(-2.0..2.0),
        ) {
            let (f, change) = (Mat3::from_row_slice(&a), Mat3::from_row_slice(&b));
            prop_assume!(f.determinant() > 0.01);
            let found = of(&f, &change);
            for k in 0..=1000 {
                let t = f64::from(k) / 1000.0;
                prop_assert!(t >= found || (f + change * t).determinant() > 0.0);
            }
            if found.is_finite() {
                prop_assert!((f + change * found).determinant().abs() < 1e-7);
            }
        }
    }
}
