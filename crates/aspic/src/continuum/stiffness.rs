//! The tangent matrix of a body: 3×3 blocks between nodes, from packs of eight tetrahedra, in a fixed order.
//!
//! As with forces, a block of tetrahedra sums what its own nodes and edges get, in memory that fits the second cache.
//! One thread adds these sums to the matrix block by block; several threads keep them, and a last sweep adds them to
//! each entry in the order of the blocks.

use rayon::prelude::*;

use super::Blocks;
use super::pack::{BLOCK_NODES, Pack, gather};
use super::places::{Part, Places};
use crate::lanes::{LANES, Lanes, Mat3x8, splat};
use crate::rows::transpose;
use crate::{Mat3, Vec3};

/// Entries of the matrix summed by one task of the last sweep.
const SUM_ENTRIES: usize = 4096;

/// How much of each part the tangent matrix holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TangentWeights {
    /// Of ∂²P/∂q²; no unit, or what the caller makes of it.
    pub stiffness: f64,
    /// Of ½ ∂²W/∂v²; 1/s to make a stiffness, as 1/h of a time step h does.
    pub damping: f64,
}

/// Memory for the tangent; filled at its first use, kept for the next.
#[derive(Clone, Debug, Default)]
pub struct TangentScratch {
    /// One for each block, or one for all where there is one thread.
    sums: Vec<Sums>,
}

/// What the nodes and edges of one block get.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    /// Blocks on the diagonal, per node: 00 01 02 11 12 22 · ·
    nodes: Vec<Lanes>,
    /// Blocks above the diagonal, per edge, but their last entry: 00 10 20 01 11 21 02 12.
    edges: Vec<Lanes>,
    /// 22 of each edge.
    last: Vec<f64>,
}

impl Blocks {
    /// Adds to `matrix`, a list of 3×3 blocks, the stiffness of every tetrahedron. `kernel` gives the six blocks between
    /// its nodes 1, 2, 3 for \[F, F of `frozen`\], their gradients, V₀ and the number of the pack; F of `frozen` only if
    /// `uses_frozen`.
    pub fn add_tangent(
        &self,
        kernel: &(impl Fn(&[Mat3x8; 2], &[[Lanes; 3]; 3], Lanes, usize) -> [Mat3x8; 6] + Sync),
        q: &[Vec3],
        frozen: &[Vec3],
        uses_frozen: bool,
        places: &Places,
        matrix: &mut [Mat3],
        scratch: &mut TangentScratch,
    ) {
        let run = |block: usize, sums: &mut Sums| {
            let mut rows = [splat(0.0); BLOCK_NODES];
            gather(&mut rows, &self.blocks[block].nodes, q, frozen, uses_frozen);
            sums.start(self.blocks[block].nodes.len(), places.edges(block).len());
            let packs = (self.first_pack(block)..).zip(self.packs_of(block));
            for ((number, pack), numbers) in packs.zip(places.packs(block)) {
                let motion = pack.motion(&rows, uses_frozen);
                let blocks = kernel(&motion, &pack.gradients(), pack.volume, number);
                sums.scatter(&pack, numbers, &blocks);
            }
        };
        let count = if self.on_one_thread() { 1 } else { self.blocks.len() };
        scratch.sums.resize_with(count.max(scratch.sums.len()), Sums::default);
        if count == 1 {
            for block in 0..self.blocks.len() {
                run(block, &mut scratch.sums[0]);
                scratch.sums[0].add_to(places, block, matrix);
            }
        } else {
            scratch.sums[..count].par_iter_mut().enumerate().for_each(|(block, sums)| run(block, sums));
            let sums = &scratch.sums;
            (matrix.par_chunks_mut(SUM_ENTRIES).enumerate())
                .for_each(|(c, chunk)| add_parts(places, sums, c * SUM_ENTRIES, chunk));
        }
    }
}

/// Adds what all blocks have for the entries `first`, `first + 1`, … of the matrix.
fn add_parts(places: &Places, sums: &[Sums], first: usize, matrix: &mut [Mat3]) {
    for (i, entry) in matrix.iter_mut().enumerate() {
        for &(block, part) in places.parts(first + i) {
            sums[block as usize].add_part(part, entry);
        }
    }
}

/// The block above the diagonal: transposed in the lanes where the row's corner comes after the column's.
#[inline(always)]
fn above(block: &Mat3x8, row: &[u8; LANES], column: &[u8; LANES]) -> Mat3x8 {
    let [row, column] = [row, column].map(|corner| Lanes::new(corner.map(f64::from)));
    let below = row.simd_gt(column);
    let entry = |i: usize, j: usize| block.0[i][j];
    Mat3x8::from_fn(|i, j| if i == j { entry(i, i) } else { below.select(entry(j, i), entry(i, j)) })
}

impl Sums {
    /// Zeros for a block of so many nodes and edges.
    fn start(&mut self, nodes: usize, edges: usize) {
        fn zeros<T: Copy>(list: &mut Vec<T>, count: usize, zero: T) {
            list.clear();
            list.resize(count, zero);
        }
        zeros(&mut self.nodes, nodes, splat(0.0));
        zeros(&mut self.edges, edges, splat(0.0));
        zeros(&mut self.last, edges, 0.0);
    }

    /// Adds the blocks of eight tetrahedra; `numbers` are those of the edges 01, 02, 03, 12, 13, 23 in each lane.
    /// The rows of a stiffness add up to zero, which gives the blocks of corner 0.
    #[inline(always)]
    fn scatter(&mut self, pack: &Pack, numbers: &[[u16; LANES]; 6], blocks: &[Mat3x8; 6]) {
        let [k11, k22, k33, k12, k13, k23] = blocks;
        let minus =
            |a: &Mat3x8, b: &Mat3x8, c: &Mat3x8| Mat3x8::from_fn(|i, j| -(a.0[i][j] + b.0[i][j] + c.0[i][j]));
        let k01 = minus(k11, &k12.transpose(), &k13.transpose());
        let k02 = minus(k12, k22, &k23.transpose());
        let k03 = minus(k13, k23, k33);
        let k00 = minus(&k01, &k02, &k03);
        for (corners, block) in pack.corners.iter().zip([&k00, k11, k22, k33]) {
            self.add_nodes(corners, block);
        }
        // corners 0, 1, 2 are in rising order, the last one may lie anywhere between them
        let [c0, c1, c2, c3] = &pack.corners;
        let [k03, k13, k23] = [(&k03, c0), (k13, c1), (k23, c2)].map(|(block, c)| above(block, c, c3));
        for (numbers, block) in numbers.iter().zip([&k01, &k02, &k03, k12, &k13, &k23]) {
            self.add_edges(numbers, block);
        }
    }

    #[inline(always)]
    fn add_nodes(&mut self, corners: &[u8; LANES], Mat3x8(m): &Mat3x8) {
        let zero = splat(0.0);
        let rows = transpose([m[0][0], m[0][1], m[0][2], m[1][1], m[1][2], m[2][2], zero, zero]);
        for (&corner, row) in corners.iter().zip(rows) {
            self.nodes[corner as usize] += row;
        }
    }

    #[inline(always)]
    fn add_edges(&mut self, numbers: &[u16; LANES], Mat3x8(m): &Mat3x8) {
        let rows = transpose([m[0][0], m[1][0], m[2][0], m[0][1], m[1][1], m[2][1], m[0][2], m[1][2]]);
        for ((&edge, row), last) in numbers.iter().zip(rows).zip(m[2][2].to_array()) {
            self.edges[edge as usize] += row;
            self.last[edge as usize] += last;
        }
    }

    /// Adds everything to the matrix.
    fn add_to(&self, places: &Places, block: usize, matrix: &mut [Mat3]) {
        for (node, &place) in places.nodes(block).iter().enumerate() {
            if let Some(entry) = matrix.get_mut(place as usize) {
                self.add_part(Part::Node(node as u16), entry);
            }
        }
        for (edge, &[above, below]) in places.edges(block).iter().enumerate() {
            if let Some(entry) = matrix.get_mut(above as usize) {
                self.add_part(Part::Above(edge as u16), entry);
            }
            if let Some(entry) = matrix.get_mut(below as usize) {
                self.add_part(Part::Below(edge as u16), entry);
            }
        }
    }

    #[inline(always)]
    fn add_part(&self, part: Part, entry: &mut Mat3) {
        *entry += match part {
            Part::Node(node) => {
                let [a, b, c, d, e, f, ..] = self.nodes[node as usize].to_array();
                Mat3::new(a, b, c, b, d, e, c, e, f)
            }
            Part::Above(edge) => self.edge(edge),
            Part::Below(edge) => self.edge(edge).transpose(),
        };
    }

    #[inline(always)]
    fn edge(&self, edge: u16) -> Mat3 {
        let [a, b, c, d, e, f, g, h] = self.edges[edge as usize].to_array();
        Mat3::new(a, d, g, b, e, h, c, f, self.last[edge as usize])
    }
}

#[cfg(test)]
#[path = "stiffness_tests.rs"]
mod tests;
