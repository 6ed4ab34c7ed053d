//! A segment through a triangle, after Möller and Trumbore.

use crate::Vec3;

/// Where the segment from p to q passes through a triangle: at which fraction of it, and whether out of the side that
/// the triangle faces. Its ends and the rim of the triangle count. A segment in the plane of the triangle passes nowhere.
pub fn pierce(p: &Vec3, q: &Vec3, [a, b, c]: [&Vec3; 3]) -> Option<(f64, bool)> {
    let (d, e1, e2) = (q - p, b - a, c - a);
    let h = d.cross(&e2);
    let det = e1.dot(&h);
    if det == 0.0 {
        return None;
    }
    let s = (p - a) / det;
    let u = s.dot(&h);
    if !(0.0..=1.0).contains(&u) {
        return None;
    }
    let w = s.cross(&e1);
    let (v, t) = (d.dot(&w), e2.dot(&w));
    // det = −d·(e1 × e2).
    (v >= 0.0 && u + v <= 1.0 && (0.0..=1.0).contains(&t)).then_some((t, det < 0.0))
}
