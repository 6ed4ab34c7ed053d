//! Triangles that fill a simple outline.

use super::{Vec2, cross};

/// Cuts the inside of a simple loop, which runs against the clock, into triangles by taking off one ear after the other.
///
/// Every loop of n vertices has n − 2 triangles. An ear is a corner that turns left and has no other vertex in it. Rounding
/// may leave none among corners on a line; then the corner that turns most to the left goes.
pub fn triangulate(outline: &[Vec2]) -> Vec<[u32; 3]> {
    let mut left: Vec<usize> = (0..outline.len()).collect();
    let mut triangles = Vec::with_capacity(outline.len().saturating_sub(2));
    while left.len() > 3 {
        let count = left.len();
        let corner = |k: usize| [left[(k + count - 1) % count], left[k], left[(k + 1) % count]];
        let turn = |k: usize| {
            let [a, b, c] = corner(k).map(|v| outline[v]);
            cross(b - a, c - b)
        };
        let ear = (0..count).filter(|&k| turn(k) > 0.0 && is_empty(outline, &left, corner(k)));
        // Of all ears the roundest, so that slivers come last.
        let best =
            ear.max_by(|&a, &b| roundness(outline, corner(a)).total_cmp(&roundness(outline, corner(b))));
        let most = (0..count).max_by(|&a, &b| turn(a).total_cmp(&turn(b)));
        let Some(k) = best.or(most) else { break };
        triangles.push(corner(k).map(|v| v as u32));
        left.remove(k);
    }
    if let [a, b, c] = left[..] {
        triangles.push([a, b, c].map(|v| v as u32));
    }
    triangles
}

/// Twice the area against the squares of the sides: zero for a sliver.
fn roundness(outline: &[Vec2], corner: [usize; 3]) -> f64 {
    let [a, b, c] = corner.map(|v| outline[v]);
    let sides = (b - a).norm_squared() + (c - b).norm_squared() + (a - c).norm_squared();
    cross(b - a, c - b) / sides.max(f64::MIN_POSITIVE)
}

/// Whether no other vertex is in the triangle or on its rim.
fn is_empty(outline: &[Vec2], left: &[usize], corner: [usize; 3]) -> bool {
    let [a, b, c] = corner.map(|v| outline[v]);
    let outside = |x: Vec2| [(a, b), (b, c), (c, a)].iter().any(|&(p, q)| cross(q - p, x - p) < 0.0);
    left.iter().all(|v| corner.contains(v) || outside(outline[*v]))
}

#[cfg(test)]
#[path = "ear_clipping_tests.rs"]
mod tests;
