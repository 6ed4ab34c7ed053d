//! Eight tetrahedra at a time: from the rows of their nodes to F and Ḟ, to stress, to forces on the nodes.

use wide::f64x4;

use super::blocks::Kernel;
use super::rows::{ROW_PAIRS, Spread, columns, halves, row_pairs};
use super::twins::Cell;
use crate::lanes::{LANES, Lanes, Mat3x8, splat};
use crate::mesh::TetMesh;
use crate::{Mat3, Vec3};

/// Nodes in a block: what one byte can name.
pub(super) const BLOCK_NODES: usize = 256;

/// The bits of a mask that is true in every lane.
const ALL: u32 = (1 << LANES) - 1;

/// Eight tetrahedra side by side.
#[derive(Clone, Debug)]
pub(super) struct Pack {
    /// Local node of each corner in each lane.
    pub(super) corners: [[u8; LANES]; 4],
    /// Dm⁻¹  \[1/m\]
    pub(super) inverse_edges: Mat3x8,
    /// Rest volume, zero in lanes that only fill up  \[m³\]
    pub(super) volume: Lanes,
}

/// The nodes of one block, and room for what its packs hand on.
pub(super) struct Local {
    /// Positions and velocities: x y z 0 vx vy vz 0.
    pub(super) rows: [Lanes; BLOCK_NODES],
    /// F and Ḟ of the twins at hand.
    pub(super) motions: [[Mat3x8; 2]; 2],
    /// −V₀ P of the twins at hand.
    pub(super) stresses: [Mat3x8; 2],
    /// How forces become rows.
    pub(super) spread: Spread,
}

/// What the packs of a block add up to.
pub(super) struct Totals {
    /// Dissipated power \[W\].
    pub(super) power: Lanes,
    /// First pack and lane that is not positive.
    pub(super) inverted: Option<(usize, usize)>,
}

impl Totals {
    /// −V₀ P of twins  \[J\]; `number` is that of the first pack.
    ///
    /// Both without a branch between them: while one waits for its J^(−1/3), the other keeps the processor busy.
    #[inline(always)]
    pub(super) fn stresses<K: Kernel>(
        &mut self,
        kernel: &K,
        [a, b]: &Twins,
        motions: &[[Mat3x8; 2]; 2],
        number: usize,
    ) -> [Mat3x8; 2] {
        let answer = |pack: &Pack, motion: &[Mat3x8; 2]| kernel.answer(&motion[0], &motion[1], -pack.volume);
        let (a, b) = (answer(a, &motions[0]), answer(b, &motions[1]));
        self.power -= a.power + b.power;
        let positive = [a.jacobian, b.jacobian].map(|j| j.simd_gt(splat(0.0)).to_bitmask());
        if !K::INVERTIBLE && (positive[0] & positive[1]) != ALL {
            self.note_inverted(positive, number);
        }
        [a.piola, b.piola]
    }

    /// Keeps the first pack and lane that is not positive.
    #[cold]
    fn note_inverted(&mut self, positive: [u32; 2], number: usize) {
        let first = |side: usize| (number + side, (!positive[side]).trailing_zeros() as usize);
        let bad = (0..2).find(|&side| positive[side] != ALL).map(first);
        self.inverted = self.inverted.or(bad);
    }
}

impl Local {
    /// Nothing yet.
    pub(super) fn new() -> Local {
        let zero = Mat3x8::from_fn(|_, _| splat(0.0));
        Local {
            rows: [splat(0.0); BLOCK_NODES],
            motions: [[zero; 2]; 2],
            stresses: [zero; 2],
            spread: Spread::new(),
        }
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
        let row = row.as_mut_array();
        row[..3].copy_from_slice(x.as_slice());
        row[4..7].copy_from_slice(v.as_slice());
    }
}

impl Pack {
    /// Eight tetrahedra of a mesh, in a block of these nodes.
    pub(super) fn new(mesh: &TetMesh, cells: &[Cell; LANES], nodes: &[u32]) -> Pack {
        let local = |v: u32| {
            nodes.iter().position(|&n| n == v).expect("the block lists every node of its tetrahedra") as u8
        };
        // the first three in rising order: between them the stiffness is then always that above the diagonal of the block
        let corners: [[u8; 4]; LANES] = cells.map(|cell| {
            let mut corners = cell.corners.map(local);
            corners[..3].sort_unstable();
            corners
        });
        let inverses: [Mat3; LANES] = corners.map(|corners| {
            let [a, b, c, d] = corners.map(|corner| mesh.positions[nodes[corner as usize] as usize]);
            let edges = Mat3::from_columns(&[b - a, c - a, d - a]);
            edges.try_inverse().expect("a checked mesh has no flat tetrahedron")
        });
        let volume = |cell: Cell| if cell.real { mesh.volume_of(cell.tet as usize) } else { 0.0 };
        Pack {
            corners: std::array::from_fn(|c| corners.map(|corners| corners[c])),
            inverse_edges: Mat3x8::from_fn(|i, j| Lanes::new(inverses.map(|inverse| inverse[(i, j)]))),
            volume: Lanes::new(cells.map(volume)),
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
}

/// Eight twins: two packs that have corners 0, 1 and 2 in common, lane by lane.
pub(super) type Twins = [Pack; 2];

/// F = Σ (xₖ − x₀) ⊗ gₖ over corners k = 1, 2, 3, and Ḟ, the same of the velocities, if the kernel uses it.
#[inline(always)]
pub(super) fn motions<K: Kernel>([a, b]: &Twins, rows: &[Lanes; BLOCK_NODES]) -> [[Mat3x8; 2]; 2] {
    let row = |corner: &[u8; LANES], lane: usize| rows[corner[lane] as usize];
    let edge = |corner: &[u8; LANES]| {
        columns(std::array::from_fn(|lane| row(corner, lane) - row(&a.corners[0], lane)))
    };
    let (edge1, edge2) = (edge(&a.corners[1]), edge(&a.corners[2]));
    let motion = |pack: &Pack| {
        let edge3 = edge(&pack.corners[3]);
        let [g1, g2, g3] = &pack.inverse_edges.0;
        let part =
            |i: usize| Mat3x8::outer(&edge1[i], g1).plus_outer(&edge2[i], g2).plus_outer(&edge3[i], g3);
        let f = part(0);
        [f, if K::USES_RATE { part(1) } else { f }]
    };
    [motion(a), motion(b)]
}

/// Adds the forces fₖ = S gₖ to the block's sums, S = −V₀ P; corner 0 gets minus the sum of the others.
///
/// Written out lane by lane: left to itself the compiler keeps a loop here, and the forces in memory.
#[inline(always)]
pub(super) fn scatter(
    [a, b]: &Twins,
    [sa, sb]: &[Mat3x8; 2],
    sums: &mut [f64x4; BLOCK_NODES],
    spread: &Spread,
) {
    let (ga, gb) = (&a.inverse_edges.0, &b.inverse_edges.0);
    let f1 = row_pairs(spread, sb.times_vector_plus(&gb[0], &sa.times_vector(&ga[0])));
    let f2 = row_pairs(spread, sb.times_vector_plus(&gb[1], &sa.times_vector(&ga[1])));
    let fa = row_pairs(spread, sa.times_vector(&ga[2]));
    let fb = row_pairs(spread, sb.times_vector(&gb[2]));
    let mut add = |pair: usize| {
        let others = (f1[pair] + f2[pair]) + (fa[pair] + fb[pair]);
        let [f0, f1, f2, fa, fb] = [others, f1[pair], f2[pair], fa[pair], fb[pair]].map(halves);
        let mut add = |half: usize| {
            let lane = ROW_PAIRS[pair][half];
            sums[a.corners[0][lane] as usize] -= f0[half];
            sums[a.corners[1][lane] as usize] += f1[half];
            sums[a.corners[2][lane] as usize] += f2[half];
            sums[a.corners[3][lane] as usize] += fa[half];
            sums[b.corners[3][lane] as usize] += fb[half];
        };
        add(0);
        add(1);
    };
    add(0);
    add(1);
    add(2);
    add(3);
}
