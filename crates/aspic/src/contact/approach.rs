//! How far two primitives may move before they meet.
//!
//! Any unit vector n gives a lower bound on the distance of two convex sets: the least n·xᵢ of the first minus the
//! greatest n·xⱼ of the second. Along straight paths that bound is a minimum of straight lines, one per pair of points
//! (i, j), so the time at which it falls to a given gap is exact. The bound of the closest points now is therefore safe
//! for a while; at the end of that while the closest points give a new n. The bound needs no exact n: a poor n makes
//! the way shorter, never unsafe.
//!
//! Nor need n stand still. With a gap y, and primitives of length L that turn by θ against n, a fixed n is good for a part
//! y/Lθ of the way: for gaps of 10⁻⁹ L no number of directions gets anywhere, although the pair may not even approach. So
//! m(t) = n + ṅ t turns along with the tangents T of the closest points, which leaves an error of the second order only,
//!
//!   ṅ = −T (TᵀT)⁻¹ ((d/dt Tᵀ) n),        m·(xᵢ − xⱼ) ≥ keep (1 + t n·ṅ + ½ t² |ṅ|²) ≥ keep |m|
//!
//! and the time at which the first of these parabolas fails is exact again.

use super::closest::{Closest, Free, Parameter};
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
    let (mut fraction, mut reached) = (0.0, start);
    let mut now = *x;
    for _ in 0..MOST_DIRECTIONS {
        let normal = reached.normal();
        let mut more = time_along(kind, &now, dx, &normal, keep);
        if more <= 0.0 {
            let others = sure_normals(kind, &now, &normal);
            more = others.into_iter().map(|n| time_along(kind, &now, dx, &n, keep)).fold(more, f64::max);
        }
        if fraction + more < limit {
            let turn = turning(&reached, dx, &normal);
            more = more.max(time_turning(kind, &now, dx, [&normal, &turn], keep));
        }
        fraction += more;
        if fraction >= limit {
            return limit;
        }
        if more <= 0.0 {
            break;
        }
        now = std::array::from_fn(|i| x[i] + fraction * dx[i]);
        reached = closest(kind, &now);
        if reached.distance() <= near {
            break;
        }
    }
    fraction
}

/// Normals that are sure where the one between closest points is not. A gap at which the coordinates of those points are
/// known to few digits leaves n tilted by as much as the digits that are lost, and seen along long edges a tilted n shows
/// no gap. The normal of a face or across two edges has all digits, and so has n made upright to an edge.
fn sure_normals(kind: Kind, [a, b, c, d]: &[Vec3; 4], n: &Vec3) -> [Vec3; 4] {
    let edges = match kind {
        Kind::PointPoint => return [*n; 4],
        Kind::EdgeEdge => [b - a, d - c],
        Kind::PointEdge => [d - b, d - b],
        Kind::PointTriangle => [c - b, d - b],
    };
    let upright = |n: &Vec3, edge: &Vec3| n - edge * (n.dot(edge) / edge.norm_squared());
    let across = edges[0].cross(&edges[1]) * edges[0].cross(&edges[1]).dot(n).signum();
    let [first, second] = edges.map(|edge| upright(n, &edge));
    // The closest point may lie on any edge of a triangle.
    let third = if kind == Kind::PointTriangle { upright(n, &(d - c)) } else { upright(&first, &edges[1]) };
    let candidates = [across, third, first, second];
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

/// ṅ: how the normal turns with the closest points' edges and faces when the points move by dx.
fn turning(closest: &Closest, dx: &[Vec3; 4], n: &Vec3) -> Vec3 {
    let lean = |along: &Parameter| (0..4).map(|i| along.rates[i] * n.dot(&dx[i])).sum::<f64>();
    let turn = match &closest.free {
        Free::None => Vec3::zeros(),
        Free::One(along) => along.tangent * (-lean(along) / along.tangent.norm_squared()),
        Free::Two([first, second]) => {
            let across = first.tangent.cross(&second.tangent);
            let [a, b] = [second.tangent.cross(&across), across.cross(&first.tangent)];
            (a * lean(first) + b * lean(second)) / -across.norm_squared()
        }
    };
    if turn.norm_squared().is_finite() { turn } else { Vec3::zeros() }
}

/// The time until the gap along n + ṅ t falls to `keep`; 0 when n does not show such a gap, infinite when it lasts.
fn time_turning(kind: Kind, x: &[Vec3; 4], dx: &[Vec3; 4], [n, turn]: [&Vec3; 2], keep: f64) -> f64 {
    let firsts = if kind == Kind::EdgeEdge { 2 } else { 1 };
    let longer = [keep * n.dot(turn), 0.5 * keep * turn.norm_squared()];
    let mut time = f64::INFINITY;
    for i in 0..firsts {
        for j in firsts..4 {
            let (apart, speed) = (x[i] - x[j], dx[i] - dx[j]);
            // a + b t + c t² = 0 with a > 0: its first root, each way without cancellation.
            let a = n.dot(&apart) - keep;
            let b = turn.dot(&apart) + n.dot(&speed) - longer[0];
            let c = turn.dot(&speed) - longer[1];
            let square = b * b - 4.0 * a * c;
            if a <= 0.0 || !square.is_finite() {
                return 0.0;
            }
            let root = square.max(0.0).sqrt();
            match (b > 0.0, c < 0.0) {
                (true, true) => time = time.min((root + b) / (-2.0 * c)),
                (false, _) if square >= 0.0 && root > b => time = time.min(2.0 * a / (root - b)),
                _ => (),
            }
        }
    }
    time
}

#[cfg(test)]
#[path = "approach_tests.rs"]
mod tests;
