//! The examination of a tetrahedral mesh.

use aspic::Vec3;
use aspic::mesh::{FACES, TetMesh, quality};
use serde::Serialize;

use super::as_list;
use crate::manifold::{components, faults};

/// What a tetrahedral mesh is like. Its `Display` is the text for a person; [`TetReport::advice`] alone says what would
/// be done.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TetReport {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of tetrahedra.
    pub tets: usize,
    /// Lowest corner of the box around all tetrahedra  \[m\]
    #[serde(serialize_with = "as_list")]
    pub low: Vec3,
    /// Highest corner of that box  \[m\]
    #[serde(serialize_with = "as_list")]
    pub high: Vec3,
    /// Volume, all counted positive  \[m³\]
    pub volume: f64,
    /// Smallest dihedral angle [°].
    pub min_dihedral_deg: f64,
    /// Largest dihedral angle [°].
    pub max_dihedral_deg: f64,
    /// Three times the inner over the outer radius, the smallest: 1 for a regular tetrahedron, 0 for a flat one.
    pub worst_radius_ratio: f64,
    /// The tetrahedron that has it.
    pub worst_tet: usize,
    /// Length of the shortest edge  \[m\]
    pub shortest_edge: f64,
    /// Length of the longest edge  \[m\]
    pub longest_edge: f64,
    /// Separate bodies.
    pub components: usize,
    /// Triangles of the boundary.
    pub boundary: usize,
    /// Edges where the boundary has more than two triangles.
    pub faulty_edges: usize,
    /// Other vertices where parts of the boundary touch.
    pub faulty_vertices: usize,
    /// Faces of more than two tetrahedra.
    pub crowded_faces: usize,
    /// Tetrahedra that are inside out.
    pub inverted: usize,
    /// Tetrahedra without volume: below 1e-12 of the cube of their longest edge.
    pub flat: usize,
    /// Tetrahedra that name a vertex that is not there or not finite.
    pub broken: usize,
    /// Vertices that no tetrahedron uses.
    pub unused: usize,
}

/// Examines a mesh, whatever is wrong with it.
pub fn examine_tets(mesh: &TetMesh) -> TetReport {
    let mut report =
        TetReport { vertices: mesh.positions.len(), tets: mesh.tets.len(), ..TetReport::default() };
    let finite = |v: &u32| mesh.positions.get(*v as usize).is_some_and(|x| x.iter().all(|c| c.is_finite()));
    let whole: Vec<usize> = (0..mesh.tets.len()).filter(|&t| mesh.tets[t].iter().all(finite)).collect();
    report.broken = mesh.tets.len() - whole.len();
    let mut used = vec![false; mesh.positions.len()];
    let names = mesh.tets.iter().flatten().filter(|&&v| (v as usize) < mesh.positions.len());
    names.for_each(|&v| used[v as usize] = true);
    report.unused = used.iter().filter(|&&used| !used).count();
    if !whole.is_empty() {
        let tets = whole.iter().map(|&t| mesh.tets[t]).collect();
        let mut part = TetMesh { positions: mesh.positions.clone(), tets, ..TetMesh::default() };
        measure(&mut part, &whole, &mut report);
        connect(&part, &mut report);
    }
    report
}

/// Shapes. Turns what is inside out, so that angles can be measured.
fn measure(mesh: &mut TetMesh, numbers: &[usize], report: &mut TetReport) {
    report.inverted = (0..mesh.tets.len()).filter(|&t| mesh.volume_of(t) < 0.0).count();
    mesh.orient();
    let measured = quality(mesh);
    report.volume = measured.volume;
    report.min_dihedral_deg = measured.min_dihedral_deg;
    report.max_dihedral_deg = measured.max_dihedral_deg;
    report.shortest_edge = measured.shortest_edge;
    report.worst_radius_ratio = f64::INFINITY;
    (report.low, report.high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for (t, corners) in mesh.tets.iter().enumerate() {
        let x = corners.map(|v| mesh.positions[v as usize]);
        x.iter().for_each(|x| (report.low, report.high) = (report.low.inf(x), report.high.sup(x)));
        let longest = longest_edge(&x);
        report.longest_edge = report.longest_edge.max(longest);
        report.flat += usize::from(mesh.volume_of(t) <= 1e-12 * longest.powi(3));
        let ratio = radius_ratio(&x);
        if ratio < report.worst_radius_ratio {
            (report.worst_radius_ratio, report.worst_tet) = (ratio, numbers[t]);
        }
    }
}

fn longest_edge(x: &[Vec3; 4]) -> f64 {
    let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    pairs.iter().map(|&(p, q)| (x[p] - x[q]).norm()).fold(0.0, f64::max)
}

/// 3 r/R: r = 3V/ΣA, and with the edges a, b, c from one corner R = |a² b×c + b² c×a + c² a×b| / 12V.
fn radius_ratio(x: &[Vec3; 4]) -> f64 {
    let [a, b, c] = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
    let volume = a.cross(&b).dot(&c).abs() / 6.0;
    let areas: f64 = FACES.iter().map(|&[p, q, r]| (x[q] - x[p]).cross(&(x[r] - x[p])).norm() / 2.0).sum();
    let outer =
        b.cross(&c) * a.norm_squared() + c.cross(&a) * b.norm_squared() + a.cross(&b) * c.norm_squared();
    let divisor = areas * outer.norm();
    if divisor > 0.0 { 108.0 * volume * volume / divisor } else { 0.0 }
}

/// Bodies and boundary.
fn connect(mesh: &TetMesh, report: &mut TetReport) {
    report.components = components(mesh.positions.len(), &mesh.tets).1;
    let found = faults(&mesh.tets);
    (report.faulty_edges, report.faulty_vertices) = (found.edges.len(), found.vertices.len());
    let (boundary, crowded) = crate::manifold::face_counts(&mesh.tets);
    (report.boundary, report.crowded_faces) = (boundary, crowded);
}
