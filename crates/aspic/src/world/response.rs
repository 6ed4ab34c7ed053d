//! M⁻¹ between the nodes that multipliers touch.
//!
//! Rounding makes an entry found from one column differ from the same found from the other. So that a run taken up again
//! gives the same bits, each pair has its one column, whenever it was found: that of the lower node, and between a node of
//! a constraint and one of a contact that of the contact.

use std::sync::Arc;

use wide::f64x4;

use super::{Free, Phase};
use crate::Vec3;
use crate::constraint::Row;

/// Columns of contacts that are kept, in numbers: 256 MiB.
const MOST_KEPT: usize = 1 << 25;
const UNKNOWN: u32 = u32::MAX;

/// Entries of M⁻¹, found when they are first needed and kept for as long as the same nodes are free.
#[derive(Default)]
pub struct Response {
    free: Option<Arc<Free>>,
    /// Constraints whose nodes are the lasting ones.
    exact: Vec<usize>,
    /// Nodes of constraints, ascending, and the number of each node among them.
    lasting: Vec<u32>,
    numbers: Vec<u32>,
    /// Columns of the lower triangle between them  \[1/kg\]
    entries: Vec<Vec<f64>>,
    /// Whole columns of nodes of contacts, and the number of each node among them.
    columns: Vec<Vec<f64>>,
    passing: Vec<u32>,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    unit: Vec<Vec3>,
    column: Vec<Vec3>,
    work: Vec<f64x4>,
    nodes: Vec<u32>,
}

impl Response {
    /// Makes sure that all nodes of some rows are known, the first of which belong to the constraints of a phase. Returns
    /// whether the free nodes are the same as before.
    pub fn know(&mut self, phase: &Phase, rows: &[Row], of_constraints: usize) -> bool {
        let free = &phase.free;
        let same = self.free.as_ref().is_some_and(|before| Arc::ptr_eq(before, free));
        if !same || self.exact != phase.exact {
            self.free = Some(Arc::clone(free));
            self.exact.clone_from(&phase.exact);
            self.columns.clear();
            for numbers in [&mut self.numbers, &mut self.passing] {
                numbers.clear();
                numbers.resize(free.mask.len(), UNKNOWN);
            }
            self.know_lasting(free, &rows[..of_constraints]);
        }
        self.know_passing(free, &rows[of_constraints..]);
        same
    }

    fn know_lasting(&mut self, free: &Free, rows: &[Row]) {
        let Response { lasting, numbers, entries, scratch, .. } = self;
        lasting.clear();
        lasting.extend(rows.iter().flat_map(Row::terms).map(|(node, _)| *node));
        lasting.sort_unstable();
        lasting.dedup();
        lasting.iter().enumerate().for_each(|(number, &node)| numbers[node as usize] = number as u32);
        entries.clear();
        scratch.columns(free, lasting, |number, column| {
            entries.push(lasting[number..].iter().map(|&node| column(node)).collect());
        });
    }

    fn know_passing(&mut self, free: &Free, rows: &[Row]) {
        let new = |this: &Response, node: u32| {
            this.numbers[node as usize] == UNKNOWN && this.passing[node as usize] == UNKNOWN
        };
        if !rows.iter().flat_map(Row::terms).any(|&(node, _)| new(self, node)) {
            return;
        }
        let n = free.mask.len();
        if self.columns.len() * n > MOST_KEPT {
            self.columns.clear();
            self.passing.fill(UNKNOWN);
        }
        let mut nodes = std::mem::take(&mut self.scratch.nodes);
        nodes.clear();
        for &(node, _) in rows.iter().flat_map(Row::terms) {
            if new(self, node) {
                self.passing[node as usize] = (self.columns.len() + nodes.len()) as u32;
                nodes.push(node);
            }
        }
        let Response { columns, scratch, .. } = self;
        scratch.columns(free, &nodes, |_, column| columns.push((0..n as u32).map(column).collect()));
        self.scratch.nodes = nodes;
    }

    /// M⁻¹ between two known nodes; zero if either is held  \[1/kg\]
    pub fn between(&self, a: u32, b: u32) -> f64 {
        let (low, high) = (a.min(b) as usize, a.max(b) as usize);
        match (self.numbers[low], self.numbers[high]) {
            (UNKNOWN, _) => self.columns[self.passing[low] as usize][high],
            (_, UNKNOWN) => self.columns[self.passing[high] as usize][low],
            (first, second) => self.entries[first as usize][(second - first) as usize],
        }
    }
}

impl Scratch {
    /// Shows columns of M⁻¹, one after the other. A solve takes three at once, one in each coordinate.
    fn columns(&mut self, free: &Free, nodes: &[u32], mut show: impl FnMut(usize, &dyn Fn(u32) -> f64)) {
        let Scratch { unit, column, work, .. } = self;
        unit.resize(free.mask.len(), Vec3::zeros());
        work.resize(free.mask.len(), f64x4::ZERO);
        for (chunk, three) in nodes.chunks(3).enumerate() {
            let set = |unit: &mut [Vec3], value: f64| {
                let free = three.iter().enumerate().filter(|(_, node)| free.mask[**node as usize]);
                free.for_each(|(c, &node)| unit[node as usize][c] = value);
            };
            set(unit, 1.0);
            column.clear();
            column.resize(free.mask.len(), Vec3::zeros());
            free.factor.solve(unit, column, work);
            set(unit, 0.0);
            (0..three.len()).for_each(|c| show(3 * chunk + c, &|node| column[node as usize][c]));
        }
    }
}
