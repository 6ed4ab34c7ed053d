//! When a tetrahedron becomes flat.
//!
//! Along x + t dx the edges are E + t D, and det(E + t D) = c₀ + c₁ t + c₂ t² + c₃ t³ with c₀ = det E,
//! c₁ = cof E : D, c₂ = E : cof D, c₃ = det D. All rounding, here and in the evaluation, is below a few ε times the
//! same cubic made of lengths, Π (|Eₖ| + t |Dₖ|), because a determinant is at most the product of its columns' lengths.
//! That much is taken off first. What remains is a cubic whose first root is never late, and a cubic that only just
//! misses zero counts as flat.

use crate::{Mat3, Vec3};

/// Rounding of the cubic, as a share of the product of lengths.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// The first t > 0 at which the tetrahedron with corners `x` \[m\] that move by t `dx` \[m\] is flat.
///
/// 0 when it is flat or inside out already. Never later than the true time. When there is none: infinite, or so late
/// that the moves, times t, are a hundred thousand times the edges and rounding hides whether there is one.
pub fn first_flat(x: &[Vec3; 4], dx: &[Vec3; 4]) -> f64 {
    let edges = |x: &[Vec3; 4]| Mat3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]]);
    first_root(&lowered_cubic(&edges(x), &edges(dx)))
}

/// Coefficients of det(E + t D) less the rounding, the constant first.
fn lowered_cubic(e: &Mat3, d: &Mat3) -> [f64; 4] {
    let columns = |m: &Mat3| [0, 1, 2].map(|k| Vec3::from(m.column(k)));
    let ([a, b, c], [u, v, w]) = (columns(e), columns(d));
    let det = |a: &Vec3, b: &Vec3, c: &Vec3| a.dot(&b.cross(c));
    let exact = [
        det(&a, &b, &c),
        det(&u, &b, &c) + det(&a, &v, &c) + det(&a, &b, &w),
        det(&a, &v, &w) + det(&u, &b, &w) + det(&u, &v, &c),
        det(&u, &v, &w),
    ];
    let ([a, b, c], [u, v, w]) = ([a, b, c].map(|x| x.norm()), [u, v, w].map(|x| x.norm()));
    let size = [a * b * c, u * b * c + a * v * c + a * b * w, a * v * w + u * b * w + u * v * c, u * v * w];
    std::array::from_fn(|k| exact[k] - ROUNDING * size[k])
}

#[inline]
fn value(c: &[f64; 4], t: f64) -> f64 {
    c[0] + t * (c[1] + t * (c[2] + t * c[3]))
}

/// The first positive root of a cubic that is positive at 0, approached from below; 0 when it is not positive there.
fn first_root(c: &[f64; 4]) -> f64 {
    let sound = c[0] > 0.0 && c.iter().all(|x| x.is_finite());
    if !sound {
        return 0.0;
    }
    // Between its turning points the cubic goes one way only.
    let mut low = 0.0;
    for turn in turning_points(c) {
        if turn > low && turn.is_finite() {
            if value(c, turn) <= 0.0 {
                return bisect(c, low, turn);
            }
            low = turn;
        }
    }
    beyond(c, low)
}

/// The root after the last turning point, if the cubic falls there.
fn beyond(c: &[f64; 4], low: f64) -> f64 {
    let leading = c.iter().rev().find(|x| **x != 0.0);
    if leading.is_none_or(|x| *x > 0.0) {
        return f64::INFINITY;
    }
    let (mut low, mut high) = (low, if low > 0.0 { 2.0 * low } else { 1.0 });
    while high.is_finite() {
        if value(c, high) <= 0.0 {
            return bisect(c, low, high);
        }
        (low, high) = (high, 8.0 * high);
    }
    f64::INFINITY
}

/// Where the derivative c₁ + 2c₂t + 3c₃t² is zero, in order; not-a-number where it is not.
fn turning_points(c: &[f64; 4]) -> [f64; 2] {
    let (a, half, e) = (3.0 * c[3], c[2], c[1]);
    let q = -(half + (half * half - a * e).sqrt().copysign(half));
    let (s, t) = (q / a, e / q);
    if s <= t { [s, t] } else { [t, s] }
}

/// A point just below the root between `low`, where the cubic is positive, and `high`, where it is not.
fn bisect(c: &[f64; 4], mut low: f64, mut high: f64) -> f64 {
    // Enough to halve the longest interval down to one rounding of a root near its upper end.
    for _ in 0..128 {
        let middle = 0.5 * (low + high);
        if high - low <= 2.0 * f64::EPSILON * high {
            break;
        }
        if value(c, middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
#[path = "inversion_tests.rs"]
mod tests;
