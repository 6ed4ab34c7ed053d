//! Twins through the hottest loop: from the rows of their nodes to F and Ḟ, to stress, to forces on the nodes.

use wide::f64x4;

use super::blocks::Kernel;
use super::pack::{BLOCK_NODES, Twins, first, matrix, second, third};
use crate::lanes::{LANES, Lanes, Mat3x8, splat};
use crate::rows::{ROW_PAIRS, Spread, columns, halves, row_pairs};

/// The bits of a mask that is true in every lane.
const ALL: u32 = (1 << LANES) - 1;

/// The nodes of one block, and room for what its packs hand on.
pub(super) struct Local {
    /// Positions and velocities: x y z 0 vx vy vz 0.
    pub(super) rows: [Lanes; BLOCK_NODES],
    /// F and Ḟ of the twins at hand.
    pub(super) motions: Motions,
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
        volumes: &[Lanes; 2],
        motions: &Motions,
        number: usize,
    ) -> [Mat3x8; 2] {
        let ([fa, fa_rate], [fb, fb_rate]) = (motions.of_side(0), motions.of_side(1));
        let a = kernel.answer(&fa, &fa_rate, -volumes[0], number);
        let b = kernel.answer(&fb, &fb_rate, -volumes[1], number + 1);
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
            motions: Motions([[[splat(0.0); 3]; 4]; 2]),
            stresses: [zero; 2],
            spread: Spread::new(),
        }
    }
}

/// F and Ḟ of twins, by columns: the first two, which are the same for both, then the third of each.
///
/// What a law makes of the common columns alone, the compiler computes once.
pub(super) struct Motions([[[Lanes; 3]; 4]; 2]);

impl Motions {
    /// Those of these twins, from the rows of their block's nodes; Ḟ only if the kernel uses it.
    #[inline(always)]
    pub(super) fn set<K: Kernel>(&mut self, twins: &Twins, rows: &[Lanes; BLOCK_NODES]) {
        let row = |corner: &[u8; LANES], lane: usize| rows[corner[lane] as usize];
        let [c0, c1, c2, ca, cb] = &twins.corners;
        let edge =
            |corner: &[u8; LANES]| columns(std::array::from_fn(|lane| row(corner, lane) - row(c0, lane)));
        let (edge1, edge2) = (edge(c1), edge(c2));
        let (edge_a, edge_b) = (edge(ca), edge(cb));
        let Twins { face, apexes: [a, b], .. } = twins;
        let part = |k: usize| {
            let (e1, e2) = (&edge1[k], &edge2[k]);
            let thirds = [third(a, e1, e2, &edge_a[k]), third(b, e1, e2, &edge_b[k])];
            [first(face, e1), second(face, e1, e2), thirds[0], thirds[1]]
        };
        self.0[0] = part(0);
        if K::USES_RATE {
            self.0[1] = part(1);
        }
    }

    #[inline(always)]
    fn of_side(&self, side: usize) -> [Mat3x8; 2] {
        let [f, f_rate] = &self.0;
        [matrix(&f[0], &f[1], &f[2 + side]), matrix(&f_rate[0], &f_rate[1], &f_rate[2 + side])]
    }
}

/// Adds the forces fₖ = S gₖ to the block's sums, S = −V₀ P; corner 0 gets minus the sum of the others.
///
/// Written out lane by lane: left to itself the compiler keeps a loop here, and the forces in memory.
#[inline(always)]
pub(super) fn scatter(
    twins: &Twins,
    stresses: &[Mat3x8; 2],
    sums: &mut [f64x4; BLOCK_NODES],
    spread: &Spread,
) {
    let [f1, f2, fa, fb] = forces(twins, stresses).map(|force| row_pairs(spread, force));
    let [c0, c1, c2, ca, cb] = &twins.corners;
    let mut add = |pair: usize| {
        let others = (f1[pair] + f2[pair]) + (fa[pair] + fb[pair]);
        let [f0, f1, f2, fa, fb] = [others, f1[pair], f2[pair], fa[pair], fb[pair]].map(halves);
        let mut add = |half: usize| {
            let lane = ROW_PAIRS[pair][half];
            sums[c0[lane] as usize] -= f0[half];
            sums[c1[lane] as usize] += f1[half];
            sums[c2[lane] as usize] += f2[half];
            sums[ca[lane] as usize] += fa[half];
            sums[cb[lane] as usize] += fb[half];
        };
        add(0);
        add(1);
    };
    add(0);
    add(1);
    add(2);
    add(3);
}

/// The forces on corners 1 and 2, from both twins, and on the apex of each.
#[inline(always)]
fn forces(twins: &Twins, [Mat3x8(sa), Mat3x8(sb)]: &[Mat3x8; 2]) -> [[Lanes; 3]; 4] {
    let [p, q, s] = twins.face;
    let [[ra, ta, ua], [rb, tb, ub]] = twins.apexes;
    let f1 = |i: usize| {
        let apexes = rb.mul_add(sb[i][2], ra * sa[i][2]);
        p.mul_add(sa[i][0] + sb[i][0], q.mul_add(sa[i][1] + sb[i][1], apexes))
    };
    let f2 = |i: usize| s.mul_add(sa[i][1] + sb[i][1], tb.mul_add(sb[i][2], ta * sa[i][2]));
    let (fa, fb) = (|i: usize| ua * sa[i][2], |i: usize| ub * sb[i][2]);
    [[f1(0), f1(1), f1(2)], [f2(0), f2(1), f2(2)], [fa(0), fa(1), fa(2)], [fb(0), fb(1), fb(2)]]
}
