//! Whether a triangle meets a tetrahedron.
//!
//! Two convex bodies are apart exactly when their shadows on some axis are, and for polyhedra it is enough to try the
//! normals of faces and the cross products of edges.

use aspic::Vec3;
use aspic::mesh::FACES;

const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// Whether they meet, touching by a hair included.
pub(crate) fn meets(triangle: &[Vec3; 3], tet: &[Vec3; 4]) -> bool {
    let size = (tet[1] - tet[0]).norm();
    let sides = [triangle[1] - triangle[0], triangle[2] - triangle[1], triangle[0] - triangle[2]];
    let apart = |axis: Vec3| {
        let shadow = |points: &[Vec3]| {
            let along = points.iter().map(|x| axis.dot(&(x - tet[0])));
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)))
        };
        let ((low, high), (from, to)) = (shadow(triangle), shadow(tet));
        let room = 1e-9 * size * axis.norm();
        low > to + room || high < from - room
    };
    let normals = FACES.iter().map(|&[a, b, c]| (tet[b] - tet[a]).cross(&(tet[c] - tet[a])));
    let plane = sides[0].cross(&sides[1]);
    let crosses = EDGES.iter().flat_map(|&[p, q]| sides.map(|side| side.cross(&(tet[q] - tet[p]))));
    // The sides in the plane of a flat triangle are covered by the cross products with its normal.
    let in_plane = sides.map(|side| side.cross(&plane));
    !normals.chain([plane]).chain(in_plane).chain(crosses).any(apart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Dice;

    /// The least distance of the two bodies by alternating projections over barycentric samples.
    fn least_distance(triangle: &[Vec3; 3], tet: &[Vec3; 4]) -> f64 {
        // Frank and Wolfe's method with pairwise steps on the difference of the two bodies.
        let corners: Vec<Vec3> = tet.iter().flat_map(|p| triangle.iter().map(move |q| p - q)).collect();
        let mut w = vec![1.0 / corners.len() as f64; corners.len()];
        let mut x: Vec3 = corners.iter().sum::<Vec3>() / corners.len() as f64;
        for _ in 0..3000 {
            let slope = |k: &usize| x.dot(&corners[*k]);
            let by = |a: &usize, b: &usize| slope(a).total_cmp(&slope(b));
            let to = (0..w.len()).min_by(by).unwrap();
            let from = (0..w.len()).filter(|&k| w[k] > 0.0).max_by(by).unwrap();
            let way = corners[to] - corners[from];
            if to == from || way.norm_squared() == 0.0 {
                break;
            }
            let step = (-x.dot(&way) / way.norm_squared()).clamp(0.0, w[from]);
            w[to] += step;
            w[from] -= step;
            x += way * step;
        }
        x.norm()
    }

    #[test]
    fn shadows_agree_with_the_least_distance() {
        let mut dice = Dice(8);
        let mut met = 0;
        for _ in 0..2000 {
            let tet = [(); 4].map(|()| dice.vector());
            let shift = dice.vector() * 0.7;
            let triangle = [(); 3].map(|()| dice.vector() * 0.7 + shift);
            let distance = least_distance(&triangle, &tet);
            let found = meets(&triangle, &tet);
            met += usize::from(found);
            assert!(if found { distance < 0.02 } else { distance > 0.0 }, "{distance}");
            if distance > 0.02 {
                assert!(!found);
            }
        }
        assert!((300..1700).contains(&met), "{met}");
    }
}
