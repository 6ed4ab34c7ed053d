//! One tetrahedron at a time, for tests of the packs.

use super::pack::Pack;
use crate::lanes::Mat3x8;
use crate::{Mat3, Vec3};

/// One tetrahedron, deformed. Its rest shape is turned so that Dm is upper triangular, which no isotropic law notices.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its number in the mesh.
    pub tet: usize,
    /// Its nodes in the world.
    pub nodes: [u32; 4],
    /// Gradients of the barycentric functions: the rows of Dm⁻¹, and minus their sum first  \[1/m\]
    pub gradients: [Vec3; 4],
    /// Rest volume  \[m³\]
    pub volume: f64,
    /// F = Ds Dm⁻¹
    pub f: Mat3,
    /// Ḟ  \[1/s\]
    pub f_rate: Mat3,
}

impl Element {
    pub(super) fn new(
        tet: usize,
        pack: &Pack,
        lane: usize,
        block_nodes: &[u32],
        q: &[Vec3],
        v: &[Vec3],
    ) -> Element {
        let nodes = pack.corners.map(|corner| block_nodes[corner[lane] as usize]);
        let inverse = Mat3x8(pack.gradients()).lane(lane);
        let gradient = |x: &[Vec3]| {
            let [a, b, c, d] = nodes.map(|n| x[n as usize]);
            Mat3::from_columns(&[b - a, c - a, d - a]) * inverse
        };
        let [a, b, c] = [0, 1, 2].map(|i| inverse.row(i).transpose());
        Element {
            tet,
            nodes,
            gradients: [-(a + b + c), a, b, c],
            volume: pack.volume.to_array()[lane],
            f: gradient(q),
            f_rate: gradient(v),
        }
    }
}
