//! Whether a point is inside a closed surface, or an edge passes through it.

use crate::Vec3;
use crate::impulse::pierce;

/// Whether a point \[m\] is inside closed triangles: a ray along x leaves an odd number of times. The sides of triangles
/// are looked at the same way from both of their triangles, so that none is counted twice or missed.
pub fn inside(point: &Vec3, triangles: &[[u32; 3]], x: &[Vec3]) -> bool {
    triangles.iter().filter(|triangle| leaves(point, triangle, x)).count() % 2 == 1
}

/// Whether the ray along x from a point passes through a triangle.
fn leaves(point: &Vec3, &[a, b, c]: &[u32; 3], x: &[Vec3]) -> bool {
    let corners = [a, b, c].map(|p| &x[p as usize]);
    let low = |axis: usize| corners.iter().fold(f64::INFINITY, |low, x| low.min(x[axis]));
    let high = |axis: usize| corners.iter().fold(f64::NEG_INFINITY, |high, x| high.max(x[axis]));
    if high(0) < point.x || low(1) > point.y || high(1) < point.y || low(2) > point.z || high(2) < point.z {
        return false;
    }
    let left = [[a, b], [b, c], [c, a]].map(|side| is_left(point, side, x));
    if left[0] != left[1] || left[1] != left[2] {
        return false;
    }
    // Above the plane of the triangle, seen along x.
    let [a, b, c] = corners;
    let normal = (b - a).cross(&(c - a));
    let height = normal.dot(&(a - point)) * normal.x;
    height > 0.0
}

/// Whether a point is to the left of a side, seen along x. A side counts from its lower point, so that its two
/// triangles agree to the last bit.
fn is_left(point: &Vec3, [from, to]: [u32; 2], x: &[Vec3]) -> bool {
    let (a, b) = (&x[from.min(to) as usize], &x[from.max(to) as usize]);
    let turn = (b.y - a.y) * (point.z - a.z) - (b.z - a.z) * (point.y - a.y);
    (turn >= 0.0) == (from < to)
}

/// Whether an edge passes through one of the triangles.
pub fn crosses(edge: [&Vec3; 2], triangles: &[[u32; 3]], x: &[Vec3]) -> bool {
    let [low, high] = [edge[0].inf(edge[1]), edge[0].sup(edge[1])];
    triangles.iter().any(|triangle| {
        let [a, b, c] = triangle.map(|p| &x[p as usize]);
        let apart = |axis: usize| {
            a[axis].min(b[axis]).min(c[axis]) > high[axis] || a[axis].max(b[axis]).max(c[axis]) < low[axis]
        };
        !(0..3).any(apart) && pierce(edge[0], edge[1], [a, b, c]).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    #[test]
    fn points_of_a_torus_are_inside_just_where_its_equation_says() {
        let mesh = generate::torus(0.1, 0.03, 40, 24).unwrap();
        let triangles = mesh.boundary();
        let (mut seed, mut checked) = (7u64, 0);
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let (low, high) = mesh.bounds();
        // The axis of the torus is the shortest side of its box.
        let axis = (high - low).imin();
        for _ in 0..20_000 {
            let p = Vec3::new(0.3 * random(), 0.3 * random(), 0.3 * random());
            let across = (p.norm_squared() - p[axis] * p[axis]).sqrt();
            let distance = ((across - 0.1).powi(2) + p[axis] * p[axis]).sqrt();
            // Flat triangles are a little inside the round surface.
            if !(0.028..0.0301).contains(&distance) {
                assert_eq!(inside(&p, &triangles, &mesh.positions), distance < 0.03, "{p:?}");
                checked += 1;
            }
        }
        assert!(checked > 10_000);
    }

    #[test]
    fn rays_through_vertices_and_edges_count_once() {
        let mesh = generate::block(Vec3::repeat(2.0), [2; 3]).unwrap();
        let triangles = mesh.boundary();
        for x in [-2.0, -1.5, -0.5, 0.5, 1.5, 2.0] {
            for (y, z) in [(0.0, 0.0), (0.5, 0.5), (0.5, 0.0), (0.25, 0.25)] {
                let p = Vec3::new(x, y, z);
                assert_eq!(inside(&p, &triangles, &mesh.positions), x.abs() < 1.0, "{p:?}");
            }
        }
    }
}
