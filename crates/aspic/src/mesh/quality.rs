//! How well shaped the tetrahedra of a mesh are.
//!
//! With A_p the outward area vector of the face opposite corner p, the gradient of the barycentric
//! function of p is g_p = −A_p / 3V. The altitude over that face is 1/|g_p| = 3V/|A_p|; the dihedral
//! angle of the faces p and q is π less the angle between A_p and A_q.

use super::{FACES, TetMesh};
use crate::Vec3;

/// Measures of a mesh at rest. All zero for an empty mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// Number of tetrahedra.
    pub tets: usize,
    /// Number of vertices.
    pub vertices: usize,
    /// Volume \[m³\].
    pub volume: f64,
    /// Smallest angle between two faces of a tetrahedron [°].
    pub min_dihedral_deg: f64,
    /// Largest angle between two faces of a tetrahedron [°].
    pub max_dihedral_deg: f64,
    /// Smallest altitude of a tetrahedron \[m\]: it limits the step of explicit schemes.
    pub min_altitude: f64,
    /// Length of the shortest edge \[m\].
    pub shortest_edge: f64,
    /// The tetrahedron with the smallest dihedral angle, the first of equals.
    pub worst_tet: usize,
}

/// Measures a mesh that [`TetMesh::check`] accepts.
pub fn quality(mesh: &TetMesh) -> Quality {
    let measured = (0..mesh.tets.len()).map(|tet| (tet, Shape::of(mesh, tet)));
    let sizes = Quality { tets: mesh.tets.len(), vertices: mesh.positions.len(), ..Quality::default() };
    measured.fold(sizes, |so_far, (tet, shape)| so_far.with(tet, &shape))
}

impl Quality {
    /// The same with one more tetrahedron.
    fn with(mut self, tet: usize, shape: &Shape) -> Quality {
        self.volume += shape.volume;
        let [low, high] = shape.dihedral.map(f64::to_degrees);
        let first = tet == 0;
        if first || low < self.min_dihedral_deg {
            (self.min_dihedral_deg, self.worst_tet) = (low, tet);
        }
        self.max_dihedral_deg = self.max_dihedral_deg.max(high);
        if first || shape.altitude < self.min_altitude {
            self.min_altitude = shape.altitude;
        }
        if first || shape.edge < self.shortest_edge {
            self.shortest_edge = shape.edge;
        }
        self
    }
}

/// The pairs of corners of a tetrahedron: its edges, and the pairs of opposite faces.
const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// One tetrahedron: volume \[m³\], extreme dihedral angles \[rad\], smallest altitude and edge \[m\].
struct Shape {
    volume: f64,
    dihedral: [f64; 2],
    altitude: f64,
    edge: f64,
}

impl Shape {
    fn of(mesh: &TetMesh, tet: usize) -> Shape {
        let x = mesh.tets[tet].map(|v| mesh.positions[v as usize]);
        let areas = FACES.map(|[a, b, c]| (x[b] - x[a]).cross(&(x[c] - x[a])) / 2.0);
        let angles = PAIRS.map(|(p, q)| angle_between(&areas[p], &areas[q]));
        let volume = mesh.volume_of(tet);
        let largest = areas.iter().map(|a| a.norm()).fold(0.0, f64::max);
        Shape {
            volume,
            dihedral: [min(&angles), angles.into_iter().fold(0.0, f64::max)],
            altitude: if largest > 0.0 { 3.0 * volume / largest } else { 0.0 },
            edge: min(&PAIRS.map(|(p, q)| (x[p] - x[q]).norm())),
        }
    }
}

/// Dihedral angle of two faces from their outward area vectors: exact for slivers too, unlike the arc cosine.
fn angle_between(a: &Vec3, b: &Vec3) -> f64 {
    a.cross(b).norm().atan2(-a.dot(b))
}

fn min(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh_of(points: [[f64; 3]; 4]) -> TetMesh {
        TetMesh::new(points.map(Vec3::from).to_vec(), vec![[0, 1, 2, 3]]).unwrap()
    }

    fn assert_near(value: f64, expected: f64) {
        assert!((value - expected).abs() <= 1e-12 * expected.abs(), "{value} is not {expected}");
    }

    #[test]
    fn regular_tetrahedron_has_six_angles_of_arccos_one_third() {
        // Edge 2√2; altitude edge·√(2/3); volume edge³/(6√2) = 8/3.
        let mesh = mesh_of([[1., 1., 1.], [-1., 1., -1.], [1., -1., -1.], [-1., -1., 1.]]);
        let found = quality(&mesh);
        assert_near(found.min_dihedral_deg, (1f64 / 3.0).acos().to_degrees());
        assert_near(found.max_dihedral_deg, 70.528_779_365_509_31);
        assert_near(found.min_altitude, 4.0 / 3f64.sqrt());
        assert_near(found.shortest_edge, 8f64.sqrt());
        assert_near(found.volume, 8.0 / 3.0);
        assert_eq!((found.tets, found.vertices, found.worst_tet), (1, 4, 0));
    }

    #[test]
    fn corner_tetrahedron_has_right_angles_and_arctan_sqrt_two() {
        let found = quality(&mesh_of([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]]));
        assert_near(found.min_dihedral_deg, 2f64.sqrt().atan().to_degrees());
        assert_near(found.max_dihedral_deg, 90.0);
        assert_near(found.min_altitude, 1.0 / 3f64.sqrt());
        assert_near(found.shortest_edge, 1.0);
        assert_near(found.volume, 1.0 / 6.0);
    }

    #[test]
    fn altitude_is_one_over_the_largest_barycentric_gradient() {
        let mesh = mesh_of([[0.1, -0.2, 0.3], [1.3, 0.2, -0.4], [0.4, 1.7, 0.1], [-0.3, 0.5, 0.9]]);
        // Rows of Dm⁻¹ are g₁, g₂, g₃; the four sum to zero.
        let rows = mesh.edges_at(0).try_inverse().unwrap();
        let gradients: Vec<Vec3> = (0..3).map(|p| rows.row(p).transpose()).collect();
        let first = -gradients.iter().sum::<Vec3>();
        let steepest = gradients.iter().chain([&first]).map(|g| g.norm()).fold(0.0, f64::max);
        assert_near(quality(&mesh).min_altitude, 1.0 / steepest);
    }

    #[test]
    fn the_sliver_is_the_worst_tetrahedron() {
        let mut points: Vec<Vec3> =
            [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from).to_vec();
        points.push(Vec3::new(0.3, 0.3, -1e-6));
        let mesh = TetMesh::new(points, vec![[0, 1, 2, 3], [0, 2, 1, 4]]).unwrap();
        let found = quality(&mesh);
        assert_eq!(found.worst_tet, 1);
        // At the edges on the axes the sliver rises by 1e-6 over 0.3; at the long edge by 1e-6 over 0.4/√2.
        assert_near(found.min_dihedral_deg, (1e-6f64 / 0.3).atan().to_degrees());
        assert!((found.min_altitude - 1e-6).abs() < 1e-12);
    }

    #[test]
    fn empty_mesh_measures_zero() {
        assert_eq!(quality(&TetMesh::default()), Quality::default());
    }
}
