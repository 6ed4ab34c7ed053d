//! The closest points of two primitives.
//!
//! δ = Σ cᵢ xᵢ goes from the closest point of the second primitive to that of the first. The weights c of the first
//! sum to +1, those of the second to −1. d = |δ| is the distance, and ∂d/∂xᵢ = cᵢ n with n = δ/d, because moving the
//! closest points changes d only in second order.
//!
//! A minimum inside (of a triangle, of both edges) comes from a plane fit. All others lie at a corner of one primitive
//! and its foot on an edge of the other; the nearest of those is taken. Any foot is a true point of the edge, so no
//! degenerate shape can give nonsense: at worst d is too large by 10⁻¹² of the size of the pair.

use super::Kind;
use crate::Vec3;

/// Below this sin² between two directions the plane fit is refined and compared with the boundary.
const SLIM: f64 = 1e-8;
/// Below this sin² two directions count as parallel.
const PARALLEL: f64 = 1e-24;

/// Closest points of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// c: weights of the four points; those of the first primitive sum to +1, of the second to −1.
    pub weights: [f64; 4],
    /// δ = Σ cᵢ xᵢ, from the second primitive to the first  \[m\]
    pub delta: Vec3,
    /// Which parameters of the closest points are free to move.
    pub free: Free,
}

/// The parameters u of the closest points that are not at a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Free {
    /// Both closest points are corners.
    None,
    /// A corner against the inside of an edge.
    One(Parameter),
    /// A point against the inside of a triangle, or the insides of two edges.
    Two([Parameter; 2]),
}

/// A parameter u that moves a closest point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// ∂δ/∂u  \[m\]
    pub tangent: Vec3,
    /// ∂c/∂u
    pub rates: [f64; 4],
}

impl Closest {
    /// The distance d = |δ|  \[m\]
    #[inline]
    pub fn distance(&self) -> f64 {
        self.delta.norm()
    }

    /// The unit vector n = δ/d from the second primitive to the first; zero when they touch.
    #[inline]
    pub fn normal(&self) -> Vec3 {
        let d = self.distance();
        if d > 0.0 { self.delta / d } else { Vec3::zeros() }
    }
}

/// Closest points of the pair with the positions `x`, in the order of `Pair::points`  \[m\].
///
/// Any finite positions are allowed: edges without length, triangles without area, parallel edges.
#[inline]
pub fn closest(kind: Kind, x: &[Vec3; 4]) -> Closest {
    match kind {
        Kind::PointPoint => Closest { weights: [1.0, -1.0, 0.0, 0.0], delta: x[0] - x[1], free: Free::None },
        Kind::PointEdge => nearest_corner(x, &[Corner { point: 0, edge: [1, 2], sign: 1.0 }]),
        Kind::PointTriangle => inside_or_boundary(x, above_triangle(x), &TRIANGLE_CORNERS),
        Kind::EdgeEdge => inside_or_boundary(x, across_edges(x), &EDGE_CORNERS),
    }
}

/// A corner of one primitive and an edge of the other. The sign is + when the corner belongs to the first primitive.
#[derive(Clone, Copy)]
struct Corner {
    point: usize,
    edge: [usize; 2],
    sign: f64,
}

const TRIANGLE_CORNERS: [Corner; 3] = [
    Corner { point: 0, edge: [1, 2], sign: 1.0 },
    Corner { point: 0, edge: [1, 3], sign: 1.0 },
    Corner { point: 0, edge: [2, 3], sign: 1.0 },
];

const EDGE_CORNERS: [Corner; 4] = [
    Corner { point: 0, edge: [2, 3], sign: 1.0 },
    Corner { point: 1, edge: [2, 3], sign: 1.0 },
    Corner { point: 2, edge: [0, 1], sign: -1.0 },
    Corner { point: 3, edge: [0, 1], sign: -1.0 },
];

/// A minimum inside, and whether it was found with few digits only.
struct Inside {
    closest: Closest,
    slim: bool,
}

#[inline(always)]
fn inside_or_boundary<const N: usize>(
    x: &[Vec3; 4],
    inside: Option<Inside>,
    corners: &[Corner; N],
) -> Closest {
    match inside {
        Some(found) if !found.slim => found.closest,
        Some(found) => {
            let boundary = nearest_corner(x, corners);
            let further = found.closest.delta.norm_squared() > boundary.delta.norm_squared();
            if further { boundary } else { found.closest }
        }
        None => nearest_corner(x, corners),
    }
}

/// The foot u of a corner on its edge, and the way from the foot to the corner  \[m\].
#[inline(always)]
fn foot(x: &[Vec3; 4], corner: &Corner) -> (f64, Vec3) {
    let [a, b] = corner.edge.map(|i| x[i]);
    let (along, arm) = (b - a, x[corner.point] - a);
    let quotient = arm.dot(&along) / along.norm_squared();
    // an edge without length gives not-a-number, which is not above zero
    let u = if quotient > 0.0 { quotient.min(1.0) } else { 0.0 };
    (u, arm - u * along)
}

/// The number of corners is a constant so that the loop unrolls.
#[inline(always)]
fn nearest_corner<const N: usize>(x: &[Vec3; 4], corners: &[Corner; N]) -> Closest {
    let mut best = (0, 0.0, Vec3::zeros());
    let mut least = f64::INFINITY;
    for (k, corner) in corners.iter().enumerate() {
        let (u, offset) = foot(x, corner);
        let distance2 = offset.norm_squared();
        if k == 0 || distance2 < least {
            (best, least) = ((k, u, offset), distance2);
        }
    }
    let (k, u, offset) = best;
    at_corner(x, &corners[k], u, &offset)
}

#[inline]
fn at_corner(x: &[Vec3; 4], corner: &Corner, u: f64, offset: &Vec3) -> Closest {
    let ([a, b], sign) = (corner.edge, corner.sign);
    let mut weights = [0.0; 4];
    weights[corner.point] = sign;
    weights[a] = -sign * (1.0 - u);
    weights[b] = -sign * u;
    let free = if u > 0.0 && u < 1.0 {
        let mut rates = [0.0; 4];
        (rates[a], rates[b]) = (sign, -sign);
        Free::One(Parameter { tangent: sign * (x[a] - x[b]), rates })
    } else {
        Free::None
    };
    Closest { weights, delta: sign * offset, free }
}

/// The least |r − u a − v b|.
struct PlaneFit {
    /// u, v
    at: [f64; 2],
    /// r − u a − v b
    rest: Vec3,
    slim: bool,
}

/// Fits r by u a + v b, with the normal a × b instead of the Gram matrix: half the digits lost when a and b are
/// nearly parallel. Nothing when they are parallel.
#[inline]
fn plane_fit(r: &Vec3, a: &Vec3, b: &Vec3) -> Option<PlaneFit> {
    let n = a.cross(b);
    let n2 = n.norm_squared();
    let scale = a.norm_squared() * b.norm_squared();
    // also false when n2 or the scale is not a number or both are infinite
    let plane = n2 > PARALLEL * scale && n2.is_finite();
    if !plane {
        return None;
    }
    let solve = |r: &Vec3| [r.cross(b).dot(&n) / n2, a.cross(r).dot(&n) / n2];
    let mut at = solve(r);
    let mut rest = r - at[0] * a - at[1] * b;
    let slim = n2 < SLIM * scale;
    if slim {
        let more = solve(&rest);
        at = [at[0] + more[0], at[1] + more[1]];
        rest = r - at[0] * a - at[1] * b;
    }
    Some(PlaneFit { at, rest, slim })
}

#[inline]
fn above_triangle(x: &[Vec3; 4]) -> Option<Inside> {
    let [p, a, b, c] = x;
    let (ab, ac) = (b - a, c - a);
    let PlaneFit { at: [u, v], rest, slim } = plane_fit(&(p - a), &ab, &ac)?;
    let w = 1.0 - u - v;
    if !(u > 0.0 && v > 0.0 && w > 0.0) {
        return None;
    }
    let free = Free::Two([
        Parameter { tangent: -ab, rates: [0.0, 1.0, -1.0, 0.0] },
        Parameter { tangent: -ac, rates: [0.0, 1.0, 0.0, -1.0] },
    ]);
    Some(Inside { closest: Closest { weights: [1.0, -w, -u, -v], delta: rest, free }, slim })
}

#[inline]
fn across_edges(x: &[Vec3; 4]) -> Option<Inside> {
    let [a, b, c, d] = x;
    let (first, second) = (b - a, d - c);
    let PlaneFit { at: [s, t], rest, slim } = plane_fit(&(c - a), &first, &-second)?;
    if !(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) {
        return None;
    }
    let free = Free::Two([
        Parameter { tangent: first, rates: [-1.0, 1.0, 0.0, 0.0] },
        Parameter { tangent: -second, rates: [0.0, 0.0, 1.0, -1.0] },
    ]);
    Some(Inside { closest: Closest { weights: [1.0 - s, s, t - 1.0, -t], delta: -rest, free }, slim })
}

#[cfg(test)]
#[path = "closest_tests.rs"]
mod tests;
