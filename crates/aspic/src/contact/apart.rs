//! How far two primitives are apart at least.
//!
//! A closest point that is wrong by round-off would give a distance that is too large, and a pair would be lost. So
//! the direction between the closest points serves only as the normal n of a plane: the gap between the two sides
//! along n is never larger than the distance, whatever n is, and equals it for the right n.

use crate::Vec3;

/// A lower bound for the distance of a point and a triangle \[m\].
pub fn point_triangle(p: &Vec3, triangle: &[Vec3; 3]) -> f64 {
    gap_along(&(p - nearest_in_triangle(p, triangle)), &[*p], triangle)
}

/// A lower bound for the distance of a point and an edge \[m\].
pub fn point_edge(p: &Vec3, edge: &[Vec3; 2]) -> f64 {
    gap_along(&(p - nearest_on_edge(p, edge)), &[*p], edge)
}

/// A lower bound for the distance of two edges \[m\].
pub fn edge_edge(first: &[Vec3; 2], second: &[Vec3; 2]) -> f64 {
    gap_along(&between_edges(first, second), first, second)
}

/// The gap between two convex hulls along a direction from the second to the first; 0 without direction.
#[inline]
fn gap_along(direction: &Vec3, first: &[Vec3], second: &[Vec3]) -> f64 {
    let length = direction.norm();
    if length <= 0.0 {
        return 0.0;
    }
    // Heights are taken from a point of the second hull: far from the origin they would lose digits.
    let height = |x: &Vec3| direction.dot(&(x - second[0]));
    let lowest = first.iter().map(height).fold(f64::INFINITY, f64::min);
    let highest = second.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
    (lowest - highest) / length
}

fn nearest_on_edge(p: &Vec3, [a, b]: &[Vec3; 2]) -> Vec3 {
    let along = b - a;
    let share = along.dot(&(p - a)) / along.norm_squared().max(f64::MIN_POSITIVE);
    a + along * share.clamp(0.0, 1.0)
}

/// The seven regions of a triangle: three corners, three sides, inside.
///
/// u = b − a, v = c − a; dᵢ, eᵢ are u and v against the ways from the corners to p; wᵢ are the areas opposite to
/// the corners.
fn nearest_in_triangle(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> Vec3 {
    let (u, v) = (b - a, c - a);
    let against = |corner: &Vec3| (u.dot(&(p - corner)), v.dot(&(p - corner)));
    let ((d1, e1), (d2, e2), (d3, e3)) = (against(a), against(b), against(c));
    if d1 <= 0.0 && e1 <= 0.0 {
        return *a;
    }
    if d2 >= 0.0 && e2 <= d2 {
        return *b;
    }
    if e3 >= 0.0 && d3 <= e3 {
        return *c;
    }
    let (w1, w2, w3) = (d2 * e3 - d3 * e2, d3 * e1 - d1 * e3, d1 * e2 - d2 * e1);
    if w3 <= 0.0 && d1 >= 0.0 && d2 <= 0.0 {
        return nearest_on_edge(p, &[*a, *b]);
    }
    if w2 <= 0.0 && e1 >= 0.0 && e3 <= 0.0 {
        return nearest_on_edge(p, &[*a, *c]);
    }
    if w1 <= 0.0 && e2 >= d2 && d3 >= e3 {
        return nearest_on_edge(p, &[*b, *c]);
    }
    let whole = w1 + w2 + w3;
    if whole > 0.0 { a + (u * w2 + v * w3) / whole } else { *a }
}

/// From the closest point of the second edge to that of the first, by solving for both and clamping.
///
/// x = a + s u on the first edge, y = c + t v on the second.
fn between_edges([a, b]: &[Vec3; 2], [c, d]: &[Vec3; 2]) -> Vec3 {
    let (u, v, r) = (b - a, d - c, a - c);
    let (uu, vv, uv) = (u.norm_squared(), v.norm_squared(), u.dot(&v));
    let (ur, vr) = (u.dot(&r), v.dot(&r));
    let tiny = f64::MIN_POSITIVE;
    let determinant = uu * vv - uv * uv;
    let free = if determinant > 1e-15 * uu * vv { (uv * vr - ur * vv) / determinant } else { 0.5 };
    let t = ((uv * free.clamp(0.0, 1.0) + vr) / vv.max(tiny)).clamp(0.0, 1.0);
    let s = ((uv * t - ur) / uu.max(tiny)).clamp(0.0, 1.0);
    r + u * s - v * t
}
