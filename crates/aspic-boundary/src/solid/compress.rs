//! H or G of a large body in little memory: blocks of vertices that are far apart have low rank.
//!
//! Dense matrices grow with the square of the number of vertices. Here blocks between far clusters are kept as sums of
//! crosses, which grows only a little faster than the number of vertices. The diagonal of H follows from rigid
//! translation as in the dense matrix, so translations stay exact.

use rayon::prelude::*;

use crate::solid::Mat3;
use crate::solid::cluster::{Cluster, Tree};
use crate::solid::cross::Crosses;
use crate::solid::entries::{Entries, Part};

/// Sums that are made side by side in a product. Their number is fixed, so that the bits do not depend on the threads.
const PARTS: usize = 16;

/// A matrix as blocks, dense or of low rank.
#[derive(Clone, Debug)]
pub struct Compressed {
    order: Vec<usize>,
    blocks: Vec<Block>,
    diagonal: Vec<Mat3>,
}

#[derive(Clone, Debug)]
struct Block {
    rows: [usize; 2],
    columns: [usize; 2],
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Row by row.
    Dense(Vec<f64>),
    Low(Crosses),
}

impl Compressed {
    /// Compresses one matrix of a body; each far block is kept to the part `tolerance` of its norm, say 1e-5.
    pub(crate) fn new(entries: &Entries, tree: &Tree, tolerance: f64) -> Compressed {
        let make = |(left, right, far): (Cluster, Cluster, bool)| {
            let rows = &tree.order[left.start..left.end];
            let columns = &tree.order[right.start..right.end];
            let low = if far { entries.low_rank(rows, columns, tolerance) } else { None };
            let kind = low.map_or_else(|| Kind::Dense(entries.dense(rows, columns)), Kind::Low);
            Block { rows: [left.start, left.end], columns: [right.start, right.end], kind }
        };
        let blocks: Vec<Block> = tree.pairs().into_par_iter().map(make).collect();
        let diagonal = vec![Mat3::zeros(); tree.order.len()];
        let mut matrix = Compressed { order: tree.order.clone(), blocks, diagonal };
        if entries.part == Part::OfDisplacement {
            matrix.hold_translations();
        }
        matrix
    }

    /// Sets the diagonal so that each translation gives nothing.
    fn hold_translations(&mut self) {
        let n = 3 * self.order.len();
        for axis in 0..3 {
            let x: Vec<f64> = (0..n).map(|i| if i % 3 == axis { 1.0 } else { 0.0 }).collect();
            let mut y = vec![0.0; n];
            self.apply(&x, &mut y);
            y.iter().enumerate().for_each(|(i, y)| self.diagonal[i / 3][(i % 3, axis)] = -y);
        }
    }

    /// Numbers that are kept; the dense matrix has 9 n².
    pub fn numbers(&self) -> usize {
        self.blocks.iter().map(Block::numbers).sum::<usize>() + 9 * self.diagonal.len()
    }

    /// Rows and columns.
    pub fn order(&self) -> usize {
        3 * self.order.len()
    }

    /// The vertices of each leaf of the tree, with the block between them row by row.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = (&[usize], Vec<f64>)> {
        self.blocks.iter().filter(|block| block.rows == block.columns).filter_map(|block| {
            let Kind::Dense(entries) = &block.kind else { return None };
            let (vertices, mut entries) = (&self.order[block.rows[0]..block.rows[1]], entries.clone());
            let width = 3 * vertices.len();
            for (k, &v) in vertices.iter().enumerate() {
                for a in 0..3 {
                    (0..3).for_each(|b| entries[(3 * k + a) * width + 3 * k + b] += self.diagonal[v][(a, b)]);
                }
            }
            Some((vertices, entries))
        })
    }

    /// y = A x, with 3 numbers for each vertex.
    pub fn apply(&self, x: &[f64], y: &mut [f64]) {
        let sorted: Vec<f64> = self.order.iter().flat_map(|&v| [0, 1, 2].map(|a| x[3 * v + a])).collect();
        let sums: Vec<Vec<f64>> = self.parts().par_iter().map(|blocks| sum(blocks, &sorted)).collect();
        for (k, &v) in self.order.iter().enumerate() {
            for a in 0..3 {
                let own: f64 = (0..3).map(|b| self.diagonal[v][(a, b)] * sorted[3 * k + b]).sum();
                y[3 * v + a] = own + sums.iter().map(|sum| sum[3 * k + a]).sum::<f64>();
            }
        }
    }

    /// The blocks in a fixed number of groups of about equal work.
    fn parts(&self) -> Vec<&[Block]> {
        let share = self.numbers() / PARTS + 1;
        let (mut parts, mut begin, mut work) = (Vec::with_capacity(PARTS), 0, 0);
        for (k, block) in self.blocks.iter().enumerate() {
            work += block.numbers();
            if work >= share {
                parts.push(&self.blocks[begin..=k]);
                (begin, work) = (k + 1, 0);
            }
        }
        parts.push(&self.blocks[begin..]);
        parts
    }
}

impl Block {
    fn numbers(&self) -> usize {
        match &self.kind {
            Kind::Dense(entries) => entries.len(),
            Kind::Low(crosses) => crosses.pairs.iter().map(|(u, v)| u.len() + v.len()).sum(),
        }
    }

    /// y += A x, with its own parts of both.
    fn add_product(&self, x: &[f64], y: &mut [f64]) {
        let dot = |a: &[f64]| a.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
        match &self.kind {
            Kind::Dense(entries) => {
                y.iter_mut().zip(entries.chunks_exact(x.len())).for_each(|(y, row)| *y += dot(row));
            }
            Kind::Low(crosses) => {
                for (u, v) in &crosses.pairs {
                    let factor = dot(v);
                    y.iter_mut().zip(u).for_each(|(y, u)| *y += factor * u);
                }
            }
        }
    }
}

/// Products of some blocks, added up in their order.
fn sum(blocks: &[Block], x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for block in blocks {
        let [rows, columns] = [block.rows, block.columns].map(|[start, end]| 3 * start..3 * end);
        block.add_product(&x[columns], &mut y[rows]);
    }
    y
}

#[cfg(test)]
#[path = "compress_tests.rs"]
mod tests;
