//! Points of a body as rows in memory.

use wide::f64x4;

use super::fold::FoldScratch;
use super::keeper::Vec3x8;
use super::solid::SolidScratch;
use crate::Vec3;
use crate::lanes::LANES;
use crate::rows::{ROW_PAIRS, Spread, both, columns, from_row_pairs, halves, row_pairs};

/// A point and the force on it: one line of the cache, one load or store for each.
///
/// Two lists would both start at the same place of a page, and machines that compare only that part of an address would
/// take the position of a point for the force that is just being stored.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct PointRow {
    /// Position  \[m\]
    pub q: f64x4,
    /// Force  \[N\]
    pub force: f64x4,
}

/// All points of a body.
#[derive(Clone, Debug)]
pub struct PointRows {
    /// One row for each.
    pub points: Vec<PointRow>,
    spread: Spread,
    /// Of hinges that answer together.
    pub(super) folds: FoldScratch,
    /// Of springs that pull together.
    pub(super) solid: SolidScratch,
}

impl PointRows {
    /// For so many points.
    pub fn new(points: usize) -> PointRows {
        let zero = PointRow { q: f64x4::ZERO, force: f64x4::ZERO };
        PointRows {
            points: vec![zero; points],
            spread: Spread::new(),
            folds: FoldScratch::default(),
            solid: SolidScratch::default(),
        }
    }

    /// Takes positions over and forgets the forces.
    pub fn load(&mut self, q: &[Vec3]) {
        for (row, x) in self.points.iter_mut().zip(q) {
            *row = PointRow { q: f64x4::new([x.x, x.y, x.z, 0.0]), force: f64x4::ZERO };
        }
    }

    /// Where a point is  \[m\]
    pub fn position(&self, node: u32) -> Vec3 {
        let [x, y, z, _] = self.q(node).to_array();
        Vec3::new(x, y, z)
    }

    /// Adds a force to one point  \[N\]
    pub fn push(&mut self, node: u32, force: Vec3) {
        self.points[node as usize].force += f64x4::new([force.x, force.y, force.z, 0.0]);
    }

    /// Adds the forces to a list of the same points.
    pub fn add_to(&self, out: &mut [Vec3]) {
        for (out, row) in out.iter_mut().zip(&self.points) {
            let [x, y, z, _] = row.force.to_array();
            *out += Vec3::new(x, y, z);
        }
    }

    #[inline(always)]
    fn q(&self, node: u32) -> f64x4 {
        self.points[node as usize].q
    }

    /// The points of a pack.
    #[inline(always)]
    pub(super) fn gather<const N: usize>(&self, nodes: &[[u32; N]; LANES]) -> [Vec3x8; N] {
        let mut points = [Vec3x8::default(); N];
        for first in (0..N).step_by(2) {
            let second = (first + 1).min(N - 1);
            let pair = |lane: usize| both(self.q(nodes[lane][first]), self.q(nodes[lane][second]));
            let rows = [pair(0), pair(1), pair(2), pair(3), pair(4), pair(5), pair(6), pair(7)];
            [points[first], points[second]] = columns(rows);
        }
        points
    }

    /// From the points `tail` to the points `head`, lane by lane.
    #[inline(always)]
    pub(super) fn edges(&self, head: impl Fn(usize) -> u32, tail: impl Fn(usize) -> u32) -> Vec3x8 {
        let edge = |lane: usize| self.q(head(lane)) - self.q(tail(lane));
        let pair = |k: usize| both(edge(ROW_PAIRS[k][0]), edge(ROW_PAIRS[k][1]));
        from_row_pairs([pair(0), pair(1), pair(2), pair(3)])
    }

    /// Calls `add` with every lane of a pack and the force that it has for the rows, in a fixed order.
    #[inline(always)]
    fn each_row(&mut self, pack: Vec3x8, mut add: impl FnMut(&mut [PointRow], usize, f64x4)) {
        for (pair, lanes) in row_pairs(&self.spread, pack).into_iter().zip(ROW_PAIRS) {
            for (row, lane) in halves(pair).into_iter().zip(lanes) {
                add(&mut self.points, lane, row);
            }
        }
    }

    /// Adds a force to the point of each lane.
    #[inline(always)]
    pub(super) fn add(&mut self, force: Vec3x8, node: impl Fn(usize) -> u32) {
        self.each_row(force, |points, lane, row| points[node(lane) as usize].force += row);
    }

    /// Adds a force to the first point of each lane, and its opposite to the second.
    #[inline(always)]
    pub(super) fn add_opposite(&mut self, force: Vec3x8, nodes: &[[u32; 2]; LANES]) {
        self.each_row(force, |points, lane, row| {
            let [a, b] = nodes[lane];
            points[a as usize].force += row;
            points[b as usize].force -= row;
        });
    }
}
