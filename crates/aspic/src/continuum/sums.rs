//! Sums and extremes over all tetrahedra, on packs of eight: energy, loss, and how far a motion may go.
//!
//! Blocks are joined two by two in a tree that only their number decides, so that no bit depends on the threads.

use std::ops::Range;

use super::Blocks;
use super::pack::{BLOCK_NODES, Pack, gather};
use crate::Vec3;
use crate::flat::first_flat;
use crate::lanes::{Lanes, Mat3x8, splat};

impl Blocks {
    /// ΣV₀ψ of the two parts of an energy density ψ of F and the number of the pack \[J\].
    pub fn energy(&self, q: &[Vec3], density: impl Fn(&Mat3x8, usize) -> (Lanes, Lanes) + Sync) -> [f64; 2] {
        let zero = splat(0.0);
        let visit = |sum: [Lanes; 2], number: usize, pack: &Pack, motion: &[Mat3x8; 2]| {
            let (bulk, shear) = density(&motion[0], number);
            // lanes that only fill up have no volume, and zero times infinity is no energy
            let filled = pack.volume.simd_gt(zero);
            let add = |sum: Lanes, density: Lanes| sum + filled.select(density * pack.volume, zero);
            [add(sum[0], bulk), add(sum[1], shear)]
        };
        let join = |a: [Lanes; 2], b: [Lanes; 2]| [a[0] + b[0], a[1] + b[1]];
        self.fold(q, None, [zero; 2], &visit, &join).map(|sum| sum.reduce_add())
    }

    /// ΣV₀ω of a loss ω(F, Ḟ) per rest volume \[W\].
    pub fn power(&self, q: &[Vec3], v: &[Vec3], loss: impl Fn(&Mat3x8, &Mat3x8) -> Lanes + Sync) -> f64 {
        let visit = |sum: Lanes, _: usize, pack: &Pack, [f, f_rate]: &[Mat3x8; 2]| {
            loss(f, f_rate).mul_add(pack.volume, sum)
        };
        self.fold(q, Some(v), splat(0.0), &visit, &|a, b| a + b).reduce_add()
    }

    /// Smallest t in \[0, 1\] at which some tetrahedron at q + t dq has no volume left, a little early rather than late;
    /// infinite if there is none.
    pub fn first_flat(&self, q: &[Vec3], dq: &[Vec3]) -> f64 {
        let visit =
            |first: f64, _: usize, _: &Pack, [f, change]: &[Mat3x8; 2]| first.min(first_flat(f, change));
        self.fold(q, Some(dq), f64::INFINITY, &visit, &f64::min)
    }

    /// `visit` over all packs with F and its like of a second field, from `empty` in each block; blocks joined.
    fn fold<T: Copy + Send + Sync>(
        &self,
        q: &[Vec3],
        second: Option<&[Vec3]>,
        empty: T,
        visit: &(impl Fn(T, usize, &Pack, &[Mat3x8; 2]) -> T + Sync),
        join: &(impl Fn(T, T) -> T + Sync),
    ) -> T {
        let one = |block: usize| {
            let mut rows = [splat(0.0); BLOCK_NODES];
            gather(&mut rows, &self.blocks[block].nodes, q, second.unwrap_or(q), second.is_some());
            let visit = |sum: T, (number, pack): (usize, Pack)| {
                visit(sum, number, &pack, &pack.motion(&rows, second.is_some()))
            };
            (self.first_pack(block)..).zip(self.packs_of(block)).fold(empty, visit)
        };
        tree(0..self.blocks.len(), empty, &one, join)
    }
}

impl Blocks {
    /// Calls `change` with F of every pack and its part of `memory`, of the same length for all; whether any call has
    /// changed something.
    pub(super) fn flow(
        &self,
        q: &[Vec3],
        memory: &mut [f64],
        change: &(impl Fn(&Mat3x8, &mut [f64]) -> bool + Sync),
    ) -> bool {
        let each = memory.len() / self.packs().max(1);
        self.flow_in(0..self.blocks.len(), q, memory, each, change)
    }

    /// The same for some blocks and their part of the memory, which has so many numbers for each pack.
    fn flow_in(
        &self,
        blocks: Range<usize>,
        q: &[Vec3],
        memory: &mut [f64],
        each: usize,
        change: &(impl Fn(&Mat3x8, &mut [f64]) -> bool + Sync),
    ) -> bool {
        match blocks.len() {
            0 => false,
            1 => {
                let mut rows = [splat(0.0); BLOCK_NODES];
                gather(&mut rows, &self.blocks[blocks.start].nodes, q, q, false);
                let packs = self.packs_of(blocks.start).zip(memory.chunks_mut(each));
                packs.fold(false, |any, (pack, held)| change(&pack.motion(&rows, false)[0], held) | any)
            }
            count => {
                let middle = blocks.start + count / 2;
                let cut = each * (self.first_pack(middle) - self.first_pack(blocks.start));
                let (low, high) = memory.split_at_mut(cut);
                let (a, b) = rayon::join(
                    || self.flow_in(blocks.start..middle, q, low, each, change),
                    || self.flow_in(middle..blocks.end, q, high, each, change),
                );
                a | b
            }
        }
    }
}

/// Joins what `one` gives for each number, two by two.
fn tree<T: Copy + Send + Sync>(
    range: Range<usize>,
    empty: T,
    one: &(impl Fn(usize) -> T + Sync),
    join: &(impl Fn(T, T) -> T + Sync),
) -> T {
    match range.len() {
        0 => empty,
        1 => one(range.start),
        count => {
            let middle = range.start + count / 2;
            let (low, high) = (range.start..middle, middle..range.end);
            let (a, b) = rayon::join(|| tree(low, empty, one, join), || tree(high, empty, one, join));
            join(a, b)
        }
    }
}
