//! A symmetric matrix of 3×3 blocks whose pattern never changes: mass and elasticity of an implicit step.
//!
//! Both halves are stored, so that the product needs no scatter and every row is summed by one thread in one
//! order. The product reads 76 bytes per block, and memory is its limit.

use rayon::prelude::*;
use wide::f64x4;

use super::SymmetricMatrix;
use crate::{Mat3, Vec3};

/// Rows that one thread takes at a time.
const CHUNK: usize = 256;
/// Below this number of rows one thread is faster than many.
const PARALLEL_ROWS: usize = 1536;

/// Symmetric matrix of 3×3 blocks, both halves by rows; the diagonal is always there.
#[derive(Clone, Debug, Default)]
pub struct BlockMatrix {
    /// Where each row begins in `columns` and `blocks`  (n + 1)
    starts: Vec<usize>,
    /// Column of each block, ascending in each row.
    columns: Vec<u32>,
    /// The blocks.
    blocks: Vec<Mat3>,
    /// Place of each diagonal block  (n)
    diagonal: Vec<usize>,
}

impl BlockMatrix {
    /// The zero matrix for `nodes` nodes with a block for every two nodes that share a clique, and the diagonal.
    ///
    /// A clique is a set of node numbers below `nodes` that are coupled, such as the corners of an element.
    pub fn with_pattern<'a>(nodes: usize, cliques: impl IntoIterator<Item = &'a [u32]>) -> BlockMatrix {
        let mut pairs: Vec<(u32, u32)> = (0..nodes as u32).map(|i| (i, i)).collect();
        for clique in cliques {
            for &i in clique {
                pairs.extend(clique.iter().filter(|&&j| j != i).map(|&j| (i, j)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut matrix = BlockMatrix { starts: vec![0; nodes + 1], ..Default::default() };
        for (place, &(i, j)) in pairs.iter().enumerate() {
            matrix.starts[i as usize + 1] = place + 1;
            if i == j {
                matrix.diagonal.push(place);
            }
        }
        matrix.columns = pairs.into_iter().map(|(_, j)| j).collect();
        matrix.blocks = vec![Mat3::zeros(); matrix.columns.len()];
        matrix
    }

    /// Number of rows of blocks.
    pub fn len(&self) -> usize {
        self.diagonal.len()
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.diagonal.is_empty()
    }

    /// Where the block of this row and column is in [`BlockMatrix::blocks`]; none outside the pattern.
    pub fn place(&self, row: usize, column: usize) -> Option<usize> {
        let (&start, &end) = (self.starts.get(row)?, self.starts.get(row + 1)?);
        let found = self.columns[start..end].binary_search(&u32::try_from(column).ok()?);
        found.ok().map(|k| start + k)
    }

    /// The blocks, row by row.
    pub fn blocks(&self) -> &[Mat3] {
        &self.blocks
    }

    /// The blocks, row by row, to be written. Whoever writes keeps the matrix symmetric.
    pub fn blocks_mut(&mut self) -> &mut [Mat3] {
        &mut self.blocks
    }

    /// Where the blocks of row i are in [`BlockMatrix::blocks`].
    pub fn row_places(&self, i: usize) -> std::ops::Range<usize> {
        self.starts[i]..self.starts[i + 1]
    }

    /// Column of each block, in the order of [`BlockMatrix::blocks`].
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// Blocks (column, block) of row i, columns ascending.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, &Mat3)> + '_ {
        let range = self.row_places(i);
        self.columns[range.clone()].iter().zip(&self.blocks[range]).map(|(&j, block)| (j as usize, block))
    }

    /// All blocks become zero; the pattern stays.
    pub fn clear(&mut self) {
        self.blocks.fill(Mat3::zeros());
    }

    /// The block on the diagonal of row i.
    pub fn diagonal(&self, i: usize) -> &Mat3 {
        &self.blocks[self.diagonal[i]]
    }

    /// Where the diagonal block of row i is in [`BlockMatrix::blocks`].
    pub fn diagonal_place(&self, i: usize) -> usize {
        self.diagonal[i]
    }

    /// Adds scale · A ⊗ I₃ for a matrix of numbers, such as the mass; entries outside the pattern are returned as
    /// the error (row, column).
    pub fn add_scalar(&mut self, scale: f64, numbers: &SymmetricMatrix) -> Result<(), (usize, usize)> {
        for i in 0..numbers.len() {
            for (j, value) in numbers.row(i) {
                let place = self.place(i, j).ok_or((i, j))?;
                (0..3).for_each(|a| self.blocks[place][(a, a)] += scale * value);
            }
        }
        Ok(())
    }

    /// Rows and columns of nodes that are not free become those of the identity. Call it after the sum is complete.
    ///
    /// With a zero on the right-hand side such a node gets zero, and does not touch the others.
    pub fn constrain(&mut self, free: &[bool]) {
        for i in 0..self.len() {
            for k in self.row_places(i) {
                if !free[i] || !free[self.columns[k] as usize] {
                    self.blocks[k] = Mat3::zeros();
                }
            }
            if !free[i] {
                self.blocks[self.diagonal[i]] = Mat3::identity();
            }
        }
    }

    /// y = A x.
    pub fn multiply(&self, x: &[Vec3], y: &mut [Vec3]) {
        multiply(&self.starts, &self.columns, &self.blocks, x, y);
    }
}

/// A 3×3 block of a product with vectors of `V`.
pub(super) trait Block<V>: Sync {
    /// Sums of columns; three of them hide the latency of the multiply-adds.
    type Sums: Copy;
    /// Nothing.
    const NONE: Self::Sums;
    /// Adds column a of the block times xₐ to sum a.
    fn add_columns(&self, x: &V, sums: &mut Self::Sums);
    /// The vector in the sums.
    fn join(sums: Self::Sums) -> V;
}

impl Block<Vec3> for Mat3 {
    type Sums = [f64x4; 3];
    const NONE: [f64x4; 3] = [f64x4::ZERO; 3];

    /// Columns 0 and 1 are in the low three lanes, column 2 in the high three: so all loads of four numbers stay
    /// inside the nine.
    #[inline(always)]
    fn add_columns(&self, x: &Vec3, sums: &mut [f64x4; 3]) {
        let b = self.data.0.as_flattened();
        let columns = [[b[0], b[1], b[2], b[3]], [b[3], b[4], b[5], b[6]], [b[5], b[6], b[7], b[8]]];
        for a in 0..3 {
            sums[a] = f64x4::new(columns[a]).mul_add(f64x4::splat(x[a]), sums[a]);
        }
    }

    #[inline(always)]
    fn join(sums: [f64x4; 3]) -> Vec3 {
        let (low, high) = ((sums[0] + sums[1]).to_array(), sums[2].to_array());
        Vec3::new(low[0] + high[1], low[1] + high[2], low[2] + high[3])
    }
}

/// y = A x, with row i in `starts[i]..starts[i + 1]` of `columns` and `blocks`.
pub(super) fn multiply<V: Send + Sync, B: Block<V>>(
    starts: &[usize],
    columns: &[u32],
    blocks: &[B],
    x: &[V],
    y: &mut [V],
) {
    let row = |i: usize| {
        let range = starts[i]..starts[i + 1];
        let mut sums = B::NONE;
        for (block, &j) in blocks[range.clone()].iter().zip(&columns[range]) {
            block.add_columns(&x[j as usize], &mut sums);
        }
        B::join(sums)
    };
    if y.len() < PARALLEL_ROWS || rayon::current_num_threads() == 1 {
        y.iter_mut().enumerate().for_each(|(i, y)| *y = row(i));
    } else {
        y.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, y)| {
            y.iter_mut().enumerate().for_each(|(i, y)| *y = row(chunk * CHUNK + i));
        });
    }
}
