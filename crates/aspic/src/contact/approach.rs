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
        let mut more = time_along(kind, &now, dx, &normal, keep);
        if more <= 0.0 && fraction == 0.0 {
            let others = sure_normals(kind, &now, &normal);
            more = others.into_iter().map(|n| time_along(kind, &now, dx, &n, keep)).fold(more, f64::max);
        }
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

/// Normals that are sure where the one between closest points is not. A gap at which the coordinates of those points are
/// known to few digits leaves n tilted by as much as the digits that are lost, and seen along long edges a tilted n shows
/// no gap. The normal of a face or across two edges has all digits, and so has n made upright to an edge.
fn sure_normals(kind: Kind, [a, b, c, d]: &[Vec3; 4], n: &Vec3) -> [Vec3; 3] {
    let edges = match kind {
        Kind::PointPoint => return [*n; 3],
        Kind::EdgeEdge => [b - a, d - c],
        Kind::PointEdge => [d - b, d - b],
        Kind::PointTriangle => [c - b, d - b],
    };
    let upright = |n: &Vec3, edge: &Vec3| n - edge * (n.dot(edge) / edge.norm_squared());
    let across = edges[0].cross(&edges[1]) * edges[0].cross(&edges[1]).dot(n).signum();
    let candidates = [across, upright(&upright(n, &edges[0]), &edges[1]), upright(n, &edges[0])];
    candidates.map(|candidate| candidate.try_normalize(0.0).filter(|c| c.amax().is_finite()).unwrap_or(*n))
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
