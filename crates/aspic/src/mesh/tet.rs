//! A tetrahedral mesh at rest.
//!
//! A tetrahedron is positive when det[x₁−x₀, x₂−x₀, x₃−x₀] > 0; its outward faces are then
//! (0,2,1) (0,1,3) (0,3,2) (1,2,3).

use std::collections::{BTreeMap, HashMap};

use crate::{Mat3, Vec3};

/// Corners of the four outward faces of a positive tetrahedron.
pub const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// The most tetrahedra aspic agrees to build or read, all bodies together: at 1 kB each, 10 GB.
pub const MAX_TETS: usize = 10_000_000;

/// Tetrahedra on shared vertices, with named groups of vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TetMesh {
    /// Rest positions  \[m\]  (n)
    pub positions: Vec<Vec3>,
    /// Vertex numbers of each tetrahedron, positively oriented  (m)
    pub tets: Vec<[u32; 4]>,
    /// Vertex numbers by group name; generated shapes and mesh files both fill it.
    pub groups: BTreeMap<String, Vec<u32>>,
    /// How much of each tetrahedron is matter, above 0 and at most 1; all of every one if the list is empty  (m)
    pub shares: Vec<f64>,
}

/// Why a mesh cannot be simulated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// There is no tetrahedron at all.
    #[error(
        "the mesh holds no tetrahedra ({vertices} vertices): a solid needs tetrahedra, not a \
         surface: fill it with `aspic mesh tet`, or in a scene with `tetrahedralize = {{ cell = \"2 cm\" }}`"
    )]
    NoTetrahedra {
        /// Number of vertices that were there.
        vertices: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite: {position:?}")]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// Its coordinates.
        position: [f64; 3],
    },
    /// A tetrahedron names a vertex that does not exist.
    #[error("tetrahedron {tet} names vertex {vertex}, but there are only {vertices}")]
    BadIndex {
        /// The tetrahedron.
        tet: usize,
        /// The vertex it names.
        vertex: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A tetrahedron is turned inside out.
    #[error(
        "tetrahedron {tet} is inside out (volume {volume:.3e} m³): swap two of its vertices, or mend the mesh"
    )]
    Inverted {
        /// The tetrahedron.
        tet: usize,
        /// Its signed volume.
        volume: f64,
    },
    /// A tetrahedron is flat.
    #[error("tetrahedron {tet} has no volume ({volume:.3e} m³, longest edge {edge:.3e} m): mend the mesh")]
    Flat {
        /// The tetrahedron.
        tet: usize,
        /// Its volume.
        volume: f64,
        /// Its longest edge.
        edge: f64,
    },
    /// The mesh would not fit in any reasonable memory.
    #[error("{tets} tetrahedra are too many (the limit is {limit}): use a coarser mesh")]
    TooLarge {
        /// How many were asked for.
        tets: u128,
        /// The limit.
        limit: usize,
    },
    /// A generated shape was asked for with impossible numbers.
    #[error("{0}")]
    BadShape(String),
}

impl TetMesh {
    /// A checked mesh: finite coordinates, valid indices, every tetrahedron positive and not flat.
    pub fn new(positions: Vec<Vec3>, tets: Vec<[u32; 4]>) -> Result<TetMesh, MeshError> {
        let mesh = TetMesh { positions, tets, ..TetMesh::default() };
        mesh.check()?;
        Ok(mesh)
    }

    /// Holds what [`TetMesh::new`] promises.
    pub fn check(&self) -> Result<(), MeshError> {
        let vertices = self.positions.len();
        if self.tets.is_empty() {
            return Err(MeshError::NoTetrahedra { vertices });
        }
        if self.tets.len() > MAX_TETS {
            return Err(MeshError::TooLarge { tets: self.tets.len() as u128, limit: MAX_TETS });
        }
        if let Some(vertex) = self.positions.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
            return Err(MeshError::NotFinite { vertex, position: self.positions[vertex].into() });
        }
        for (tet, corners) in self.tets.iter().enumerate() {
            if let Some(&v) = corners.iter().find(|&&v| v as usize >= vertices) {
                return Err(MeshError::BadIndex { tet, vertex: v as usize, vertices });
            }
            self.check_shape(tet)?;
        }
        let in_order = self.shares.iter().all(|share| *share > 0.0 && *share <= 1.0);
        if !(self.shares.is_empty() || self.shares.len() == self.tets.len() && in_order) {
            return Err(MeshError::BadShape(
                "the shares of tetrahedra are one for each, above 0 and at most 1".into(),
            ));
        }
        Ok(())
    }

    /// Flat means a volume below 1e-12 of the cube of the longest edge.
    fn check_shape(&self, tet: usize) -> Result<(), MeshError> {
        let edges = self.edges_at(tet);
        let edge = (edges.column_iter().map(|e| e.norm()))
            .chain([(0, 1), (0, 2), (1, 2)].map(|(i, j)| (edges.column(i) - edges.column(j)).norm()))
            .fold(0.0, f64::max);
        let volume = edges.determinant() / 6.0;
        if volume.abs() <= 1e-12 * edge.powi(3) {
            Err(MeshError::Flat { tet, volume, edge })
        } else if volume < 0.0 {
            Err(MeshError::Inverted { tet, volume })
        } else {
            Ok(())
        }
    }

    /// Dm = [X₁−X₀, X₂−X₀, X₃−X₀], edges as columns (erratum L2 in `REFERENCES.md`).
    pub fn edges_at(&self, tet: usize) -> Mat3 {
        let [a, b, c, d] = self.tets[tet].map(|v| self.positions[v as usize]);
        Mat3::from_columns(&[b - a, c - a, d - a])
    }

    /// Volume of one tetrahedron \[m³\].
    pub fn volume_of(&self, tet: usize) -> f64 {
        self.edges_at(tet).determinant() / 6.0
    }

    /// How much of one tetrahedron is matter.
    pub fn share_of(&self, tet: usize) -> f64 {
        self.shares.get(tet).copied().unwrap_or(1.0)
    }

    /// Volume of the matter in one tetrahedron \[m³\].
    pub fn matter_of(&self, tet: usize) -> f64 {
        self.share_of(tet) * self.volume_of(tet)
    }

    /// Volume of all matter \[m³\].
    pub fn matter(&self) -> f64 {
        (0..self.tets.len()).map(|t| self.matter_of(t)).sum()
    }

    /// Volume of the whole mesh \[m³\].
    pub fn volume(&self) -> f64 {
        (0..self.tets.len()).map(|t| self.volume_of(t)).sum()
    }

    /// Turns every tetrahedron the positive way round. Files rarely agree on the convention.
    pub fn orient(&mut self) {
        for tet in 0..self.tets.len() {
            if self.tets[tet].iter().all(|&v| (v as usize) < self.positions.len())
                && self.volume_of(tet) < 0.0
            {
                self.tets[tet].swap(2, 3);
            }
        }
    }

    /// The exposed triangles, outward, in the order of their tetrahedra.
    pub fn boundary(&self) -> Vec<[u32; 3]> {
        let key = |mut f: [u32; 3]| {
            f.sort_unstable();
            f
        };
        let faces = || self.tets.iter().flat_map(|t| FACES.map(|f| f.map(|c| t[c])));
        let mut seen: HashMap<[u32; 3], u32> = HashMap::new();
        faces().for_each(|f| *seen.entry(key(f)).or_default() += 1);
        faces().filter(|&f| seen[&key(f)] == 1).collect()
    }

    /// Vertices of the exposed triangles, ascending.
    pub fn surface_vertices(&self) -> Vec<u32> {
        let mut vertices = self.boundary().concat();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// Every edge once, lower number first, ascending.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        let of = |t: &[u32; 4]| PAIRS.map(|(p, q)| [t[p].min(t[q]), t[p].max(t[q])]);
        let mut edges: Vec<[u32; 2]> = self.tets.iter().flat_map(of).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// Length of the diagonal of the axis-aligned bounding box \[m\].
    pub fn size(&self) -> f64 {
        let (lo, hi) = self.bounds();
        (hi - lo).norm()
    }

    /// Lowest and highest corner of the axis-aligned bounding box.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let start = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        self.positions.iter().fold(start, |(lo, hi), x| (lo.inf(x), hi.sup(x)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A corner tetrahedron of volume 1/6, and its mirror image below.
    fn pair() -> TetMesh {
        let points = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [0., 0., -1.]];
        TetMesh::new(points.map(Vec3::from).to_vec(), vec![[0, 1, 2, 3], [0, 2, 1, 4]]).unwrap()
    }

    #[test]
    fn two_tetrahedra_on_a_shared_face_expose_six() {
        let mesh = pair();
        assert_eq!(mesh.boundary().len(), 6);
        assert_eq!(mesh.surface_vertices(), [0, 1, 2, 3, 4]);
        assert_eq!(mesh.edges().len(), 9);
        assert!((mesh.volume() - 1.0 / 3.0).abs() < 1e-15);
        assert!((mesh.size() - 6f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn exposed_triangles_face_outward() {
        // ∫ x·n dA = 3V: the cone over each outward triangle adds a·(b × c)/6.
        let mesh = pair();
        let x = |v: u32| mesh.positions[v as usize];
        let cones: f64 = mesh.boundary().iter().map(|&[a, b, c]| x(a).dot(&x(b).cross(&x(c))) / 6.0).sum();
        assert!((cones - mesh.volume()).abs() < 1e-15);
    }

    #[test]
    fn orienting_mends_an_inverted_tetrahedron() {
        let mut mesh = pair();
        mesh.tets[1].swap(0, 1);
        assert!(matches!(mesh.check(), Err(MeshError::Inverted { tet: 1, volume }) if volume < 0.0));
        mesh.orient();
        assert_eq!(mesh.check(), Ok(()));
    }

    #[test]
    fn broken_meshes_are_refused_with_the_culprit() {
        let broken = |change: fn(&mut TetMesh)| {
            let mut mesh = pair();
            change(&mut mesh);
            mesh.check().unwrap_err()
        };
        assert_eq!(broken(|m| m.tets.clear()), MeshError::NoTetrahedra { vertices: 5 });
        let error = broken(|m| m.tets[1][2] = 5);
        assert_eq!(error, MeshError::BadIndex { tet: 1, vertex: 5, vertices: 5 });
        let error = broken(|m| m.positions[3].y = f64::NAN);
        assert!(matches!(error, MeshError::NotFinite { vertex: 3, .. }));
        let error = broken(|m| m.positions[4].z = -1e-13);
        assert!(matches!(error, MeshError::Flat { tet: 1, .. }));
    }
}
