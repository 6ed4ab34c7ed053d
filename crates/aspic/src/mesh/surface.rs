//! A surface of triangles without an inside, and a plane.

use std::collections::BTreeMap;

use super::TetMesh;
use super::pose::direction;
use crate::Vec3;

/// Triangles on shared vertices. A closed one faces outward.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleSurface {
    /// Positions  \[m\]  (n)
    pub positions: Vec<Vec3>,
    /// Vertex numbers of each triangle, counter-clockwise from outside  (m)
    pub triangles: Vec<[u32; 3]>,
}

/// A half-space's border.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// A point of it  \[m\]
    pub point: Vec3,
    /// Unit vector out of the half-space.
    pub normal: Vec3,
}

/// Why a surface cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SurfaceError {
    /// There is no triangle.
    #[error("the surface holds no triangles")]
    NoTriangles,
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite: {position:?}")]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// Its coordinates.
        position: [f64; 3],
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {vertices}")]
    BadIndex {
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A triangle has no area.
    #[error("triangle {triangle} has no area ({area:.3e} m², longest edge {edge:.3e} m): mend the surface")]
    Degenerate {
        /// The triangle.
        triangle: usize,
        /// Its area.
        area: f64,
        /// Its longest edge.
        edge: f64,
    },
    /// Two triangles have the same corners.
    #[error("triangles {first} and {second} have the same corners: remove one")]
    Duplicate {
        /// The first.
        first: usize,
        /// The second.
        second: usize,
    },
    /// A plane whose normal has no direction, or whose point is nowhere.
    #[error("a plane needs a finite point and a normal that is not zero")]
    BadPlane,
}

impl Plane {
    /// Through a point \[m\], with a normal of any length but zero.
    pub fn new(point: Vec3, normal: Vec3) -> Result<Plane, SurfaceError> {
        let normal = direction(normal).ok_or(SurfaceError::BadPlane)?.into_inner();
        match point.iter().all(|c| c.is_finite()) {
            true => Ok(Plane { point, normal }),
            false => Err(SurfaceError::BadPlane),
        }
    }

    /// Distance of a point \[m\] from the plane, negative inside the half-space  \[m\]
    pub fn height(&self, x: &Vec3) -> f64 {
        self.normal.dot(&(x - self.point))
    }
}

impl TriangleSurface {
    /// A checked surface: finite coordinates, valid indices, no triangle without area and none twice.
    pub fn new(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<TriangleSurface, SurfaceError> {
        let surface = TriangleSurface { positions, triangles };
        surface.check()?;
        Ok(surface)
    }

    /// The exposed triangles of a mesh and the vertices on them, in their order.
    pub fn of(mesh: &TetMesh) -> TriangleSurface {
        let vertices = mesh.surface_vertices();
        let mut number = vec![0; mesh.positions.len()];
        vertices.iter().enumerate().for_each(|(new, &old)| number[old as usize] = new as u32);
        TriangleSurface {
            positions: vertices.iter().map(|&v| mesh.positions[v as usize]).collect(),
            triangles: mesh.boundary().iter().map(|face| face.map(|v| number[v as usize])).collect(),
        }
    }

    /// Holds what [`TriangleSurface::new`] promises.
    pub fn check(&self) -> Result<(), SurfaceError> {
        let vertices = self.positions.len();
        if self.triangles.is_empty() {
            return Err(SurfaceError::NoTriangles);
        }
        if let Some(vertex) = self.positions.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
            return Err(SurfaceError::NotFinite { vertex, position: self.positions[vertex].into() });
        }
        let mut seen = BTreeMap::new();
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&v) = corners.iter().find(|&&v| v as usize >= vertices) {
                return Err(SurfaceError::BadIndex { triangle, vertex: v as usize, vertices });
            }
            self.check_shape(triangle)?;
            let mut key = *corners;
            key.sort_unstable();
            if let Some(first) = seen.insert(key, triangle) {
                return Err(SurfaceError::Duplicate { first, second: triangle });
            }
        }
        Ok(())
    }

    /// No area means less than 1e-12 of the square of the longest edge.
    fn check_shape(&self, triangle: usize) -> Result<(), SurfaceError> {
        let [a, b, c] = self.triangles[triangle].map(|v| self.positions[v as usize]);
        let edge = [b - a, c - b, a - c].map(|e| e.norm()).into_iter().fold(0.0, f64::max);
        let area = (b - a).cross(&(c - a)).norm() / 2.0;
        if area <= 1e-12 * edge * edge {
            return Err(SurfaceError::Degenerate { triangle, area, edge });
        }
        Ok(())
    }

    /// How often each directed edge occurs, in a fixed order.
    fn directed_edges(&self) -> BTreeMap<[u32; 2], usize> {
        let mut edges = BTreeMap::new();
        for &[a, b, c] in &self.triangles {
            for edge in [[a, b], [b, c], [c, a]] {
                *edges.entry(edge).or_default() += 1;
            }
        }
        edges
    }

    /// The first edge that more than two triangles share, or two that face different ways; `None` on a manifold.
    pub fn not_manifold(&self) -> Option<[u32; 2]> {
        // Two neighbours that face the same way run along their edge in opposite directions.
        self.directed_edges().into_iter().find(|&(_, count)| count > 1).map(|(edge, _)| edge)
    }

    /// Whether it is a manifold, each edge between two triangles at most that face the same way.
    pub fn is_manifold(&self) -> bool {
        self.not_manifold().is_none()
    }

    /// Whether it is a manifold without border.
    pub fn is_closed(&self) -> bool {
        let edges = self.directed_edges();
        edges.iter().all(|(&[a, b], &count)| count == 1 && edges.get(&[b, a]) == Some(&1))
    }

    /// ∫ x·n dA / 3: the volume inside, if it is closed and faces outward  \[m³\]
    pub fn volume(&self) -> f64 {
        let x = |v: u32| self.positions[v as usize];
        self.triangles.iter().map(|&[a, b, c]| x(a).dot(&x(b).cross(&x(c))) / 6.0).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    fn square() -> TriangleSurface {
        let positions = vec![Vec3::zeros(), Vec3::x(), Vec3::new(1.0, 1.0, 0.0), Vec3::y()];
        TriangleSurface::new(positions, vec![[0, 1, 2], [0, 2, 3]]).unwrap()
    }

    #[test]
    fn surface_of_a_block_is_closed_and_holds_its_volume() {
        let block = generate::block(Vec3::new(1.0, 2.0, 0.5), [2, 3, 2]).unwrap();
        let surface = TriangleSurface::of(&block);
        assert_eq!(surface.check(), Ok(()));
        assert!(surface.is_closed() && surface.is_manifold());
        assert!((surface.volume() - block.volume()).abs() < 1e-14);
        assert_eq!(surface.positions.len(), block.surface_vertices().len());
    }

    #[test]
    fn an_open_square_is_a_manifold_but_not_closed() {
        let square = square();
        assert!(square.is_manifold() && !square.is_closed());
    }

    #[test]
    fn edge_of_three_triangles_and_faces_turned_against_each_other_are_found() {
        let mut fan = square();
        fan.positions.push(Vec3::z());
        fan.triangles.push([0, 2, 4]);
        assert_eq!(fan.not_manifold(), Some([0, 2]));
        let mut turned = square();
        turned.triangles[1] = [0, 3, 2];
        assert_eq!(turned.not_manifold(), Some([2, 0]));
    }

    #[test]
    fn broken_surfaces_are_refused_with_the_culprit() {
        let broken = |change: fn(&mut TriangleSurface)| {
            let mut surface = square();
            change(&mut surface);
            surface.check().unwrap_err()
        };
        assert_eq!(broken(|s| s.triangles.clear()), SurfaceError::NoTriangles);
        assert_eq!(
            broken(|s| s.triangles[1][2] = 4),
            SurfaceError::BadIndex { triangle: 1, vertex: 4, vertices: 4 }
        );
        assert!(matches!(broken(|s| s.positions[3].z = f64::NAN), SurfaceError::NotFinite { vertex: 3, .. }));
        assert!(matches!(
            broken(|s| s.positions[3] = Vec3::repeat(0.5).component_mul(&Vec3::new(1.0, 1.0, 0.0))),
            SurfaceError::Degenerate { triangle: 1, .. }
        ));
        assert_eq!(broken(|s| s.triangles.push([2, 1, 0])), SurfaceError::Duplicate { first: 0, second: 2 });
    }

    #[test]
    fn plane_has_a_unit_normal_and_knows_its_side() {
        let plane = Plane::new(Vec3::z(), Vec3::new(0.0, 0.0, 5.0)).unwrap();
        assert_eq!((plane.normal, plane.height(&Vec3::zeros())), (Vec3::z(), -1.0));
        assert_eq!(Plane::new(Vec3::zeros(), Vec3::zeros()), Err(SurfaceError::BadPlane));
    }
}
