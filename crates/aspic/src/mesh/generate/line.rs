//! Points along a path, and rectangles of cells: what ropes and cloth are made on.

use super::{MeshError, need_count, need_length};
use crate::Vec3;
use crate::mesh::TriangleSurface;

/// Pieces that a rounded path is measured in, between two of its points.
const FINE: usize = 64;

/// `segments` + 1 points at equal distances along a path through the given points \[m\], straight or rounded between them.
/// A closed path, whose last point is its first, keeps that.
pub fn along_path(path: &[Vec3], segments: usize, smooth: bool) -> Result<Vec<Vec3>, MeshError> {
    need_count("number of segments", segments, 1)?;
    if path.len() < 2 {
        return Err(MeshError::BadShape(format!("the path has {} points: give at least 2", path.len())));
    }
    if let Some(k) = path.windows(2).position(|pair| pair[0] == pair[1]) {
        let text = format!("points {k} and {} of the path are the same: remove one", k + 1);
        return Err(MeshError::BadShape(text));
    }
    let fine = if smooth { rounded(path) } else { path.to_vec() };
    let lengths: Vec<f64> = fine.windows(2).map(|pair| (pair[1] - pair[0]).norm()).collect();
    let total: f64 = lengths.iter().sum();
    need_length("the length of the path", total)?;
    let (mut piece, mut before) = (0, 0.0);
    let mut points = Vec::with_capacity(segments + 1);
    for k in 0..=segments {
        let goal = total * k as f64 / segments as f64;
        while piece + 1 < lengths.len() && before + lengths[piece] < goal {
            before += lengths[piece];
            piece += 1;
        }
        let part = ((goal - before) / lengths[piece]).clamp(0.0, 1.0);
        points.push(fine[piece].lerp(&fine[piece + 1], part));
    }
    // The ends exactly, so that a ring closes.
    (points[0], points[segments]) = (path[0], path[path.len() - 1]);
    Ok(points)
}

/// The curve of Catmull and Rom through all points: at each it runs parallel to the line between its neighbours.
fn rounded(path: &[Vec3]) -> Vec<Vec3> {
    let last = path.len() - 1;
    let closed = path[0] == path[last] && last > 2;
    let at = |k: isize| -> Vec3 {
        match k {
            k if k < 0 && closed => path[last - 1],
            k if k < 0 => path[0] * 2.0 - path[1],
            k if k as usize > last && closed => path[1],
            k if k as usize > last => path[last] * 2.0 - path[last - 1],
            k => path[k as usize],
        }
    };
    let mut fine = vec![path[0]];
    for k in 0..last as isize {
        let [a, b, c, d] = [at(k - 1), at(k), at(k + 1), at(k + 2)];
        for step in 1..=FINE {
            let t = step as f64 / FINE as f64;
            let line = (c - a) * t;
            let square = (a * 2.0 - b * 5.0 + c * 4.0 - d) * (t * t);
            let cube = (b * 3.0 - a - c * 3.0 + d) * (t * t * t);
            fine.push(b + (line + square + cube) * 0.5);
        }
    }
    fine
}

/// A rectangle in the plane z = 0 around the origin, facing up, with its cells: corners in a row around each. Diagonals
/// alternate, so that no direction is preferred.
pub fn sheet(size: [f64; 2], cells: [usize; 2]) -> Result<(TriangleSurface, Vec<[u32; 4]>), MeshError> {
    need_length("an edge of the sheet", size[0])?;
    need_length("an edge of the sheet", size[1])?;
    need_count("number of cells", cells[0], 1)?;
    need_count("number of cells", cells[1], 1)?;
    let number = |i: usize, j: usize| (j * (cells[0] + 1) + i) as u32;
    let place = |k: usize, n: usize, size: f64| (k as f64 / n as f64 - 0.5) * size;
    let (mut positions, mut triangles, mut quads) = (vec![], vec![], vec![]);
    for j in 0..=cells[1] {
        for i in 0..=cells[0] {
            positions.push(Vec3::new(place(i, cells[0], size[0]), place(j, cells[1], size[1]), 0.0));
        }
    }
    for (i, j) in (0..cells[1]).flat_map(|j| (0..cells[0]).map(move |i| (i, j))) {
        let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        quads.push([a, b, c, d]);
        match (i + j) % 2 {
            0 => triangles.extend([[a, b, c], [a, c, d]]),
            _ => triangles.extend([[a, b, d], [b, c, d]]),
        }
    }
    Ok((TriangleSurface { positions, triangles }, quads))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_along_a_path_are_equally_far_apart() {
        let path = [Vec3::zeros(), Vec3::new(1.0, 0.0, 0.0), Vec3::new(1.0, 2.0, 0.0)];
        let points = along_path(&path, 6, false).unwrap();
        assert_eq!((points[0], points[2], points[6]), (path[0], path[1], path[2]));
        assert!(points.windows(2).all(|pair| ((pair[1] - pair[0]).norm() - 0.5).abs() < 1e-12));
    }

    #[test]
    fn a_rounded_ring_through_a_square_is_nearly_a_circle_and_closes() {
        let corner = |k: usize| {
            let angle = std::f64::consts::FRAC_PI_2 * k as f64;
            Vec3::new(angle.cos(), angle.sin(), 0.0)
        };
        let path: Vec<Vec3> = (0..4).map(corner).chain([corner(0)]).collect();
        let points = along_path(&path, 40, true).unwrap();
        assert_eq!(points[0], points[40]);
        assert!(points.iter().all(|x| (0.85..1.01).contains(&x.norm())));
    }

    #[test]
    fn a_sheet_has_its_area_and_faces_up() {
        let (surface, cells) = sheet([2.0, 1.5], [4, 3]).unwrap();
        assert_eq!((surface.positions.len(), surface.triangles.len(), cells.len()), (20, 24, 12));
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| surface.positions[v as usize]);
            0.5 * (b - a).cross(&(c - a)).z
        };
        assert!((surface.triangles.iter().map(area).sum::<f64>() - 3.0).abs() < 1e-12);
        assert!(surface.triangles.iter().all(|t| area(t) > 0.0));
    }

    #[test]
    fn a_path_that_stands_still_is_refused() {
        let text = along_path(&[Vec3::zeros(), Vec3::zeros()], 3, false).unwrap_err().to_string();
        assert!(text.contains("the same"), "{text}");
    }
}
