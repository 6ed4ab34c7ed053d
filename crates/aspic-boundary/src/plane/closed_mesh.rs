//! The surface of a body in space: closed, with its triangles outward.

use std::collections::HashMap;

use super::{Mat3, Vec3};

/// A closed surface.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosedMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// Volume and its moments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceMoments {
    /// V  \[m³\]
    pub volume: f64,
    /// Where the matter is on the average  \[m\]
    pub centroid: Vec3,
    /// ∫ x xᵀ dV about the centroid  \[m⁵\]
    pub second: Mat3,
}

/// Why triangles do not bound a body.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// A coordinate is NaN or infinite.
    #[error("vertex {0} is not finite")]
    NotFinite(usize),
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names vertex {vertex}, but there are {count}")]
    Index {
        /// The triangle.
        triangle: usize,
        /// The vertex.
        vertex: u32,
        /// The number of vertices.
        count: usize,
    },
    /// An edge lacks its second triangle, or has too many.
    #[error(
        "the edge from vertex {0} to {1} does not belong to two triangles that run along it in opposite directions: close \
         the surface and let all triangles turn the same way"
    )]
    Open(u32, u32),
    /// The triangles look inward.
    #[error("the triangles enclose {0} m³: they look inward; swap two vertices of each")]
    InsideOut(f64),
    /// Some of the surface cannot be seen from the centroid.
    #[error(
        "triangle {0} cannot be seen from the centroid: sections are made of bodies that are star-shaped about it; give a \
         rounder body"
    )]
    NotStarShaped(usize),
}

impl ClosedMesh {
    /// The body inside triangles that run against the clock as seen from outside  \[m\].
    pub fn new(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<ClosedMesh, MeshError> {
        if let Some(bad) = vertices.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
            return Err(MeshError::NotFinite(bad));
        }
        let count = vertices.len();
        let mut edges = HashMap::new();
        for (triangle, t) in triangles.iter().enumerate() {
            for k in 0..3 {
                if t[k] as usize >= count {
                    return Err(MeshError::Index { triangle, vertex: t[k], count });
                }
                *edges.entry((t[k], t[(k + 1) % 3])).or_insert(0usize) += 1;
            }
        }
        for t in triangles {
            for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                if edges.get(&(a, b)) != Some(&1) || edges.get(&(b, a)) != Some(&1) {
                    return Err(MeshError::Open(a, b));
                }
            }
        }
        let mesh = ClosedMesh { vertices: vertices.to_vec(), triangles: triangles.to_vec() };
        let volume = mesh.moments().volume;
        if volume > 0.0 { Ok(mesh) } else { Err(MeshError::InsideOut(volume)) }
    }

    /// The vertices  \[m\].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The triangles.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of a triangle  \[m\].
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// Each edge once, from the smaller to the larger vertex.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let around = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        self.triangles.iter().flat_map(around).filter(|e| e[0] < e[1]).collect()
    }

    /// The same body with every vertex moved.
    pub fn mapped(&self, to: impl Fn(Vec3) -> Vec3) -> ClosedMesh {
        let vertices = self.vertices.iter().map(|x| to(*x)).collect();
        ClosedMesh { vertices, triangles: self.triangles.clone() }
    }

    /// Volume, centroid and second moments, as sums over tetrahedra with one vertex.
    pub fn moments(&self) -> SpaceMoments {
        let origin = self.vertices.first().copied().unwrap_or_default();
        let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
        for k in 0..self.triangles.len() {
            let [a, b, c] = self.corners(k).map(|x| x - origin);
            let (six, sum) = (a.dot(&b.cross(&c)), a + b + c);
            volume += six / 6.0;
            first += six / 24.0 * sum;
            let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
            second += six / 120.0 * (squares + sum * sum.transpose());
        }
        let mean = first / volume;
        let second = second - volume * mean * mean.transpose();
        SpaceMoments { volume, centroid: origin + mean, second }
    }

    /// Refuses a body of which some surface is hidden from `centre`  \[m\].
    pub fn check_star_shaped(&self, centre: Vec3) -> Result<(), MeshError> {
        let seen = |k: &usize| {
            let [a, b, c] = self.corners(*k);
            (a - centre).dot(&(b - a).cross(&(c - a))) > 0.0
        };
        match (0..self.triangles.len()).find(|k| !seen(k)) {
            Some(hidden) => Err(MeshError::NotStarShaped(hidden)),
            None => Ok(()),
        }
    }
}
