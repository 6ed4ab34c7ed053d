//! Dihedral angles of one tetrahedron.

use aspic::Vec3;
use aspic::mesh::FACES;

/// Smallest and largest dihedral angle [°]; 0 and 180 when it is flat or inside out.
pub(crate) fn dihedral(x: &[Vec3; 4]) -> [f64; 2] {
    let six = (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0]));
    if six <= 0.0 {
        return [0.0, 180.0];
    }
    let normals = FACES.map(|[a, b, c]| (x[b] - x[a]).cross(&(x[c] - x[a])));
    super::stencil::EDGES.iter().fold([180.0f64, 0.0f64], |[low, high], &[p, q]| {
        let (m, n) = (&normals[p], &normals[q]);
        let angle = m.cross(n).norm().atan2(-m.dot(n)).to_degrees();
        [low.min(angle), high.max(angle)]
    })
}
