//! A surface without what files often hold too much of.

use std::collections::HashSet;

use aspic::mesh::TriangleSurface;

use crate::merge::merge;
use crate::soup::{Soup, area_vector};

/// Area of a triangle, as a part of the square of its longest edge, up to which it counts as none.
const NO_AREA: f64 = 1e-12;

/// The surface with coincident vertices made one, without triangles that have no area, without all but the first of
/// triangles with the same corners, and without vertices that no triangle uses.
pub fn tidy(soup: &Soup) -> TriangleSurface {
    let merged = merge(soup, 0.0).soup;
    let mut seen = HashSet::new();
    let mut keeps = |t: &usize| {
        let mut corners = merged.triangles[*t];
        corners.sort_unstable();
        has_area(&merged, *t) && seen.insert(corners)
    };
    let kept: Vec<[u32; 3]> =
        (0..merged.triangles.len()).filter(&mut keeps).map(|t| merged.triangles[t]).collect();
    let mut numbers = vec![u32::MAX; merged.positions.len()];
    kept.iter().flatten().for_each(|&v| numbers[v as usize] = 0);
    let mut positions = vec![];
    for (v, number) in numbers.iter_mut().enumerate().filter(|(_, number)| **number == 0) {
        *number = positions.len() as u32;
        positions.push(merged.positions[v]);
    }
    TriangleSurface { positions, triangles: kept.iter().map(|t| t.map(|v| numbers[v as usize])).collect() }
}

fn has_area(soup: &Soup, triangle: usize) -> bool {
    let corners = soup.corners(triangle);
    let [a, b, c] = corners;
    let longest = [b - a, c - b, a - c].map(|edge| edge.norm_squared()).into_iter().fold(0.0, f64::max);
    area_vector(&corners).norm() > NO_AREA * longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::cube;

    #[test]
    fn a_torn_cube_with_rubbish_is_a_sound_surface_again() {
        let whole = cube(1.0);
        let mut torn = Soup::default();
        for t in 0..whole.triangles.len() {
            let first = torn.positions.len() as u32;
            torn.positions.extend(whole.corners(t));
            torn.triangles.push([first, first + 1, first + 2]);
        }
        torn.triangles.push([0, 1, 1]);
        torn.triangles.push([1, 2, 0]);
        torn.positions.push(aspic::Vec3::repeat(9.0));
        let mended = tidy(&torn);
        assert_eq!(mended.check(), Ok(()));
        assert!(mended.is_closed());
        assert_eq!(
            (mended.positions.len(), mended.triangles.len()),
            (whole.positions.len(), whole.triangles.len())
        );
        assert!((mended.volume() - 1.0).abs() < 1e-12);
    }
}
