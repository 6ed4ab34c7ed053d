//! Whether a surface crosses itself.

use robust::{Coord3D, orient3d};

use crate::solid::{SurfaceError, Vec3};

/// Looks for an edge that passes through a triangle with which it shares no vertex. Candidates overlap along x; signs are
/// exact. What only touches does not cross.
pub(super) fn check_crossings(x: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), SurfaceError> {
    let at = |v: u32| &x[v as usize];
    let range = |corners: &[u32], axis: usize| {
        let values = corners.iter().map(|&v| at(v)[axis]);
        values.fold((f64::INFINITY, -f64::INFINITY), |(low, high), c| (low.min(c), high.max(c)))
    };
    let mut order: Vec<(f64, usize)> =
        triangles.iter().enumerate().map(|(k, corners)| (range(corners, 0).0, k)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let widest =
        triangles.iter().map(|corners| range(corners, 0)).fold(0.0, |most: f64, (l, h)| most.max(h - l));
    for corners in triangles {
        // Each edge belongs to two triangles; the one that passes it upwards asks.
        let edges = [0, 1, 2].map(|k: usize| [corners[k], corners[(k + 1) % 3]]);
        for edge in edges.into_iter().filter(|[from, to]| from < to) {
            let (low, high) = range(&edge, 0);
            let first = order.partition_point(|(start, _)| *start < low - widest);
            for &(_, triangle) in order[first..].iter().take_while(|(start, _)| *start <= high) {
                let other = &triangles[triangle];
                let apart = |axis: usize| {
                    let (a, b) = (range(&edge, axis), range(other, axis));
                    a.1 < b.0 || b.1 < a.0
                };
                if edge.iter().any(|v| other.contains(v)) || (0..3).any(apart) {
                    continue;
                }
                if passes(edge.map(at), other.map(at)) {
                    let [from, to] = edge;
                    return Err(SurfaceError::Crossing { from, to, triangle });
                }
            }
        }
    }
    Ok(())
}

/// Whether the inside of an edge passes through the inside of a triangle.
fn passes([p, q]: [&Vec3; 2], [a, b, c]: [&Vec3; 3]) -> bool {
    let side = |a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3| {
        let [a, b, c, d] = [a, b, c, d].map(|x| Coord3D { x: x.x, y: x.y, z: x.z });
        orient3d(a, b, c, d)
    };
    if side(a, b, c, p) * side(a, b, c, q) >= 0.0 {
        return false;
    }
    let around = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    around.iter().all(|side| *side > 0.0) || around.iter().all(|side| *side < 0.0)
}
