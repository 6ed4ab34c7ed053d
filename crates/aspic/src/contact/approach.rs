//! How far two primitives may move before they meet.
//!
//! Any unit vector n gives a lower bound on the distance of two convex sets: the least n·xᵢ of the first minus the
//! greatest n·xⱼ of the second. Along straight paths that bound is a minimum of straight lines, one per pair of points
//! (i, j), so the time at which it falls to a given gap is exact. The bound of the closest points now is therefore safe
//! for a while; at the end of that while the closest points give a new n. The bound needs no exact n: a poor n makes
//! the way shorter, never unsafe.

use super::{Kind, closest};
use crate::Vec3;

/// A gap this little above the one to be kept ends the search.
const NEAR: f64 = 1.1;
/// More directions than this are not tried. What was found until then is safe.
const MOST_DIRECTIONS: usize = 256;

/// The fraction of the motion x → x + dx, from 0 to `limit`, along which the distance stays above `separation`  \[m\].
///
/// Of the gap y = d − `separation` at the start at least the share `slack` (between 0 and 1) is kept all along. The
/// answer is 0 when there is no gap. It is the smaller of `limit` and a number that does not depend on `limit`, so the
/// least fraction over many pairs does not depend on their order. Positions and motions must be finite; gaps at the
/// rounding of the coordinates cannot be seen.
pub fn safe_fraction(
    kind: Kind,
    x: &[Vec3; 4],
    dx: &[Vec3; 4],
    separation: f64,
    slack: f64,
    limit: f64,
) -> f64 {
    let start = closest(kind, x);
    let gap = start.distance() - separation;
    if gap <= 0.0 {
        return 0.0;
    }
    let keep = separation + slack * gap;
    let near = separation + NEAR * slack * gap;
    let (mut fraction, mut normal) = (0.0, start.normal());
    let mut now = *x;
    for _ in 0..MOST_DIRECTIONS {
        let more = time_along(kind, &now, dx, &normal, keep);
        fraction += more;
        if fraction >= limit {
            return limit;
        }
        if more <= 0.0 {
            break;
        }
        now = std::array::from_fn(|i| x[i] + fraction * dx[i]);
        let reached = closest(kind, &now);
        if reached.distance() <= near {
            break;
        }
        normal = reached.normal();
    }
    fraction
}

/// The time until the gap along n falls to `keep`; 0 when n does not show such a gap, infinite when it lasts.
#[inline]
fn time_along(kind: Kind, x: &[Vec3; 4], dx: &[Vec3; 4], n: &Vec3, keep: f64) -> f64 {
    let firsts = if kind == Kind::EdgeEdge { 2 } else { 1 };
    let mut time = f64::INFINITY;
    for i in 0..firsts {
        for j in firsts..4 {
            let spare = n.dot(&(x[i] - x[j])) - keep;
            if spare <= 0.0 {
                return 0.0;
            }
            let speed = n.dot(&(dx[j] - dx[i]));
            if speed > 0.0 {
                time = time.min(spare / speed);
            }
        }
    }
    time
}

#[cfg(test)]
#[path = "approach_tests.rs"]
mod tests;
