//! Eight tetrahedra at a time: from the rows of their nodes to F and Ḟ, to stress, to forces on the nodes.

use wide::f64x4;

use super::blocks::Kernel;
use super::rows::{ROW_PAIRS, columns, halves, row_pairs};
use crate::lanes::{LANES, Lanes, Mat3x8, splat};
use crate::mesh::TetMesh;
use crate::{Mat3, Vec3};

/// Nodes in a block: what one byte can name.
pub(super) const BLOCK_NODES: usize = 256;
/// Packs that pass each of three short loops before the next ones do. In one long loop the processor would see
/// hardly more than one pack at a time, and wait for its longest chain of operations.
pub(super) const CHUNK: usize = 4;

/// Eight tetrahedra side by side.
#[derive(Clone, Debug)]
pub(super) struct Pack {
    /// Local node of each corner in each lane.
    pub(super) corners: [[u8; LANES]; 4],
    /// Dm⁻¹  \[1/m\]
    pub(super) inverse_edges: Mat3x8,
    /// Rest volume, zero in lanes that only fill up the last pack  \[m³\]
    pub(super) volume: Lanes,
}

/// The nodes of one block.
pub(super) struct Local {
    /// Positions and velocities: x y z 0 vx vy vz 0.
    pub(super) rows: [Lanes; BLOCK_NODES],
    /// Forces: x y z ·
    pub(super) sums: [f64x4; BLOCK_NODES],
    /// F and Ḟ of the packs at hand.
    pub(super) motions: [[Mat3x8; 2]; CHUNK],
    /// −V₀ P of the packs at hand.
    pub(super) stresses: [Mat3x8; CHUNK],
}

/// What the packs of a block add up to.
pub(super) struct Totals {
    /// Dissipated power \[W\].
    pub(super) power: Lanes,
    /// First pack and lane that is not positive.
    pub(super) inverted: Option<(usize, usize)>,
}

impl Totals {
    /// −V₀ P of one pack  \[J\]
    #[inline(always)]
    pub(super) fn stress<K: Kernel>(
        &mut self,
        kernel: &K,
        pack: &Pack,
        motion: &[Mat3x8; 2],
        number: usize,
    ) -> Mat3x8 {
        let answer = kernel.answer(&motion[0], &motion[1]);
        self.power = answer.power.mul_add(pack.volume, self.power);
        let positive = answer.jacobian.simd_gt(splat(0.0));
        if !K::INVERTIBLE && !positive.all() && self.inverted.is_none() {
            self.inverted = Some((number, (!positive.to_bitmask()).trailing_zeros() as usize));
        }
        answer.piola.scale(-pack.volume)
    }
}

impl Local {
    /// Nothing yet.
    pub(super) fn new() -> Local {
        let zero = Mat3x8::from_fn(|_, _| splat(0.0));
        Local {
            rows: [splat(0.0); BLOCK_NODES],
            sums: [f64x4::ZERO; BLOCK_NODES],
            motions: [[zero; 2]; CHUNK],
            stresses: [zero; CHUNK],
        }
    }

    /// Copies the nodes of a block and starts their sums.
    #[inline(always)]
    pub(super) fn gather<K: Kernel>(&mut self, nodes: &[u32], q: &[Vec3], v: &[Vec3]) {
        gather(&mut self.rows, nodes, q, v, K::USES_RATE);
        self.sums[..nodes.len()].fill(f64x4::ZERO);
    }
}

/// Copies positions and, if asked, a second vector of each node of a block.
#[inline(always)]
pub(super) fn gather(
    rows: &mut [Lanes; BLOCK_NODES],
    nodes: &[u32],
    q: &[Vec3],
    second: &[Vec3],
    uses_second: bool,
) {
    for (row, &node) in rows.iter_mut().zip(nodes) {
        let x = &q[node as usize];
        let v = if uses_second { second[node as usize] } else { Vec3::zeros() };
        *row = Lanes::new([x.x, x.y, x.z, 0.0, v.x, v.y, v.z, 0.0]);
    }
}

impl Pack {
    /// At most eight tetrahedra of a mesh, in a block of these nodes.
    pub(super) fn new(mesh: &TetMesh, tets: &[u32], nodes: &[u32]) -> Pack {
        let tet_of = |lane: usize| tets[lane.min(tets.len() - 1)] as usize;
        // in rising order: between two corners the stiffness is then always that above the diagonal of the block
        let corners: [[u8; 4]; LANES] = std::array::from_fn(|lane| {
            let mut corners = mesh.tets[tet_of(lane)].map(|node| {
                nodes.iter().position(|&n| n == node).expect("the block lists every node of its tetrahedra")
                    as u8
            });
            corners.sort_unstable();
            corners
        });
        let inverses: [Mat3; LANES] = corners.map(|corners| {
            let [a, b, c, d] = corners.map(|corner| mesh.positions[nodes[corner as usize] as usize]);
            let edges = Mat3::from_columns(&[b - a, c - a, d - a]);
            edges.try_inverse().expect("a checked mesh has no flat tetrahedron")
        });
        Pack {
            corners: std::array::from_fn(|c| std::array::from_fn(|lane| corners[lane][c])),
            inverse_edges: Mat3x8::from_fn(|i, j| {
                Lanes::new(std::array::from_fn(|lane| inverses[lane][(i, j)]))
            }),
            volume: Lanes::new(std::array::from_fn(|lane| {
                if lane < tets.len() { mesh.volume_of(tet_of(lane)) } else { 0.0 }
            })),
        }
    }

    /// F = Σ (xₖ − x₀) ⊗ gₖ over corners k = 1, 2, 3, and Ḟ, the same of the velocities, if asked.
    ///
    /// Edge by edge: the shuffles of one and the products of another use different parts of the processor.
    #[inline(always)]
    pub(super) fn motion(&self, rows: &[Lanes; BLOCK_NODES], uses_rate: bool) -> [Mat3x8; 2] {
        let row = |corner: usize, lane: usize| rows[self.corners[corner][lane] as usize];
        let edge = |corner: usize| columns(std::array::from_fn(|lane| row(corner, lane) - row(0, lane)));
        let [g1, g2, g3] = &self.inverse_edges.0;
        let [f, f_rate] = edge(1).map(|edge| Mat3x8::outer(&edge, g1));
        let [edge2, rate2] = edge(2);
        let [f, f_rate] = [f.plus_outer(&edge2, g2), f_rate.plus_outer(&rate2, g2)];
        let [edge3, rate3] = edge(3);
        let f = f.plus_outer(&edge3, g3);
        [f, if uses_rate { f_rate.plus_outer(&rate3, g3) } else { f }]
    }

    /// Adds the forces fₖ = S gₖ to the block's sums, S = −V₀ P; corner 0 gets minus the sum of the others.
    #[inline(always)]
    pub(super) fn scatter(&self, stress: &Mat3x8, sums: &mut [f64x4; BLOCK_NODES]) {
        let [f1, f2, f3] = self.inverse_edges.0.map(|gradient| row_pairs(stress.times_vector(&gradient)));
        for (pair, lanes) in ROW_PAIRS.into_iter().enumerate() {
            let others = halves(f1[pair] + f2[pair] + f3[pair]);
            let forces = [f1, f2, f3].map(|f| halves(f[pair]));
            for (half, lane) in lanes.into_iter().enumerate() {
                sums[self.corners[0][lane] as usize] -= others[half];
                for corner in 1..4 {
                    sums[self.corners[corner][lane] as usize] += forces[corner - 1][half];
                }
            }
        }
    }
}
