//! A closed surface of triangles that bounds a body.

use std::collections::HashMap;

use crate::solid::crossing::check_crossings;
use crate::solid::{Mat3, SurfaceError, Vec3};

/// Vertices nearer than this part of the size of the body count as one.
const SAME_PLACE: f64 = 1e-12;
/// A triangle with less than this part of the area of its longest edge squared is a sliver.
const SLIVER: f64 = 1e-7;

/// One or several closed shells. Normals point out of the material: into the hollow on the wall of a cavity.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    volume: f64,
    centroid: Vec3,
    /// ∫ x xᵀ dV about the centroid  \[m⁵\]
    spread: Mat3,
    size: f64,
}

impl Surface {
    /// Checks the mesh and measures the body.
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Surface, SurfaceError> {
        check_numbers(&vertices, &triangles)?;
        check_places(&vertices)?;
        check_edges(&triangles)?;
        check_crossings(&vertices, &triangles)?;
        let (volume, centroid, spread) = measure(&vertices, &triangles);
        if volume <= 0.0 {
            return Err(SurfaceError::InsideOut { volume });
        }
        let size = extent(&vertices);
        Ok(Surface { vertices, triangles, volume, centroid, spread, size })
    }

    /// Positions  \[m\]  (n)
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Vertices of each triangle, counter-clockwise from outside the material  (m)
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of a triangle  \[m\]
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// V = ⅓ ∫ x·n dS  \[m³\]
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// Middle of the volume  \[m\]
    pub fn centroid(&self) -> Vec3 {
        self.centroid
    }

    /// ∫ x xᵀ dV about the centroid  \[m⁵\]
    pub fn spread(&self) -> Mat3 {
        self.spread
    }

    /// ∫ (|x|² I − x xᵀ) dV about the centroid: times the density the inertia tensor  \[m⁵\]
    pub fn inertia(&self) -> Mat3 {
        Mat3::identity() * self.spread.trace() - self.spread
    }

    /// Length of the diagonal of the bounding box  \[m\]
    pub fn size(&self) -> f64 {
        self.size
    }

    /// The six rigid motions of the vertices: three translations, three turns ω × (x − centroid) about the axes, with
    /// the turns divided by the size of the body so that all columns are comparable.
    pub fn rigid_motion(&self, mode: usize, vertex: usize) -> Vec3 {
        let mut axis = Vec3::zeros();
        axis[mode % 3] = 1.0;
        if mode < 3 { axis } else { axis.cross(&(self.vertices[vertex] - self.centroid)) / self.size() }
    }
}

fn extent(vertices: &[Vec3]) -> f64 {
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for x in vertices {
        (low, high) = (low.inf(x), high.sup(x));
    }
    (high - low).norm()
}

fn check_numbers(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), SurfaceError> {
    if triangles.is_empty() {
        return Err(SurfaceError::NoTriangles);
    }
    if let Some((vertex, x)) = vertices.iter().enumerate().find(|(_, x)| !x.iter().all(|c| c.is_finite())) {
        return Err(SurfaceError::NotFinite { vertex, position: (*x).into() });
    }
    let mut used = vec![false; vertices.len()];
    for (triangle, corners) in triangles.iter().enumerate() {
        for &v in corners {
            match used.get_mut(v as usize) {
                Some(seen) => *seen = true,
                None => {
                    let (vertex, vertices) = (v as usize, vertices.len());
                    return Err(SurfaceError::BadIndex { triangle, vertex, vertices });
                }
            }
        }
        let [a, b, c] = corners.map(|v| vertices[v as usize]);
        let area = 0.5 * (b - a).cross(&(c - a)).norm();
        let edge = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        if area.is_nan() || area <= SLIVER * edge * edge {
            return Err(SurfaceError::Degenerate { triangle, area, edge });
        }
    }
    match used.iter().position(|seen| !seen) {
        Some(vertex) => Err(SurfaceError::Unused { vertex }),
        None => Ok(()),
    }
}

/// Looks for vertices at one place among neighbours in x.
fn check_places(vertices: &[Vec3]) -> Result<(), SurfaceError> {
    let near = SAME_PLACE * extent(vertices);
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    let key = |&i: &usize| [vertices[i].x, vertices[i].y, vertices[i].z];
    let compare = |a: &usize, b: &usize| {
        let (a, b) = (key(a), key(b));
        a.iter().zip(&b).fold(std::cmp::Ordering::Equal, |so_far, (a, b)| so_far.then(a.total_cmp(b)))
    };
    order.sort_by(compare);
    for (k, &i) in order.iter().enumerate() {
        for &j in order[k + 1..].iter().take_while(|&&j| vertices[j].x - vertices[i].x <= near) {
            if (vertices[j] - vertices[i]).norm() <= near {
                return Err(SurfaceError::Duplicate { first: i.min(j), second: i.max(j) });
            }
        }
    }
    Ok(())
}

/// Each edge must be passed once in each direction.
fn check_edges(triangles: &[[u32; 3]]) -> Result<(), SurfaceError> {
    let mut owner: HashMap<[u32; 2], usize> = HashMap::with_capacity(3 * triangles.len());
    let edges = |corners: &[u32; 3]| [0, 1, 2].map(|k: usize| [corners[k], corners[(k + 1) % 3]]);
    for (second, corners) in triangles.iter().enumerate() {
        for [from, to] in edges(corners) {
            if let Some(first) = owner.insert([from, to], second) {
                return Err(SurfaceError::Turned { from, to, first, second });
            }
        }
    }
    for (triangle, corners) in triangles.iter().enumerate() {
        for [from, to] in edges(corners) {
            if !owner.contains_key(&[to, from]) {
                return Err(SurfaceError::Open { from, to, triangle });
            }
        }
    }
    Ok(())
}

/// Volume, centroid and spread as sums over the tetrahedra between the triangles and a vertex, with signs.
fn measure(vertices: &[Vec3], triangles: &[[u32; 3]]) -> (f64, Vec3, Mat3) {
    let origin = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
    let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
    for corners in triangles {
        let [a, b, c] = corners.map(|v| vertices[v as usize] - origin);
        let part = a.dot(&b.cross(&c)) / 6.0;
        let sum = a + b + c;
        volume += part;
        first += sum * (part / 4.0);
        let squares = a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose();
        second += squares * (part / 20.0);
    }
    let middle = first / volume;
    (volume, origin + middle, second - middle * middle.transpose() * volume)
}

#[cfg(test)]
#[path = "surface_tests.rs"]
mod tests;
