//! Triangles as they come from a file: no promise is made but that numbers can be checked.

use aspic::Vec3;
use aspic::mesh::TriangleSurface;

use crate::error::FillError;

/// Triangles on vertices, with holes, duplicates, degenerate triangles or anything else that files hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Soup {
    /// Positions  \[m\]  (n)
    pub positions: Vec<Vec3>,
    /// Vertex numbers of each triangle, counter-clockwise from outside where there is one  (m)
    pub triangles: Vec<[u32; 3]>,
}

impl From<TriangleSurface> for Soup {
    fn from(surface: TriangleSurface) -> Soup {
        Soup { positions: surface.positions, triangles: surface.triangles }
    }
}

impl Soup {
    /// Refuses what no later step could stand: no triangle, a number that is not finite, an index out of range, sizes
    /// whose cubes leave the range of f64.
    pub fn check(&self) -> Result<(), FillError> {
        if self.triangles.is_empty() {
            return Err(FillError::NoTriangles { vertices: self.positions.len() });
        }
        let vertices = self.positions.len();
        let beyond = |t: &[u32; 3]| t.iter().copied().find(|&v| v as usize >= vertices);
        let bad = self.triangles.iter().enumerate().find_map(|(n, t)| beyond(t).map(|v| (n, v)));
        if let Some((triangle, vertex)) = bad {
            return Err(FillError::BadIndex { triangle, vertex: vertex as usize, vertices });
        }
        if let Some(vertex) = self.positions.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
            return Err(FillError::NotFinite { vertex, position: self.positions[vertex].into() });
        }
        let (low, high) = self.bounds();
        let size = (high - low).max();
        let far = low.amax().max(high.amax());
        if !(1e-50..=1e50).contains(&size) || far > 1e9 * size {
            return Err(FillError::BadExtent { size, far });
        }
        Ok(())
    }

    /// Corners of one triangle.
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|v| self.positions[v as usize])
    }

    /// Lowest and highest corner of the box around all triangles; vertices that no triangle uses do not count.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let start = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        let corners = self.triangles.iter().flatten().map(|&v| self.positions[v as usize]);
        corners.fold(start, |(low, high), x| (low.inf(&x), high.sup(&x)))
    }

    /// ∫ x·n dA / 3 about the middle of the box: the volume inside a closed surface that faces outward  \[m³\]
    pub fn signed_volume(&self) -> f64 {
        let (low, high) = self.bounds();
        let middle = (low + high) / 2.0;
        let cone = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| self.positions[v as usize] - middle);
            a.dot(&b.cross(&c)) / 6.0
        };
        self.triangles.iter().map(cone).sum()
    }

    /// Area of all triangles  \[m²\]
    pub fn area(&self) -> f64 {
        (0..self.triangles.len()).map(|t| area_vector(&self.corners(t)).norm()).sum()
    }

    /// Whether every edge is run along as often one way as the other, counting coincident vertices as one. Only then is
    /// the winding number a whole number everywhere off the surface.
    pub fn is_balanced(&self) -> bool {
        let merged = crate::merge::exact_numbers(&self.positions);
        let mut runs: Vec<([u32; 2], bool)> = Vec::with_capacity(3 * self.triangles.len());
        for t in &self.triangles {
            let [a, b, c] = t.map(|v| merged[v as usize]);
            for [p, q] in [[a, b], [b, c], [c, a]] {
                if p != q {
                    runs.push(([p.min(q), p.max(q)], p < q));
                }
            }
        }
        rayon::slice::ParallelSliceMut::par_sort_unstable(runs.as_mut_slice());
        let sum = |run: &[([u32; 2], bool)]| run.iter().map(|r| if r.1 { 1i64 } else { -1 }).sum::<i64>();
        runs.chunk_by(|a, b| a.0 == b.0).all(|run| sum(run) == 0)
    }
}

/// Half the cross product of two edges: the area \[m²\] times the unit normal.
pub fn area_vector([a, b, c]: &[Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a)) / 2.0
}
