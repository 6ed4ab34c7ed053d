//! A matrix of 3×3 blocks for products alone, in single precision.
//!
//! A product reads every block once and memory is its limit, so half the bytes are nearly twice the speed. The
//! rounding, 6e-8 of each entry and the same in both halves, makes another symmetric matrix. In it rigid motions meet
//! a stiffness: 6e-8 of the body's own, where only inertia should be. So it may stand for bodies whose stiffness is not
//! too large against their inertia; conjugate gradients to the accuracy of a Newton direction cannot tell then. Vectors
//! and sums stay in double precision.

use wide::f64x4;

use super::block_matrix::{self, Block, BlockMatrix};
use crate::Vec3;

/// The blocks of a [`BlockMatrix`], rounded.
#[derive(Clone, Debug, Default)]
pub struct SingleMatrix {
    /// Where each row begins in `columns` and `blocks`  (n + 1)
    starts: Vec<usize>,
    columns: Vec<u32>,
    /// Columns of each block one after the other  \[N/m\]
    blocks: Vec<[f32; 9]>,
}

/// Largest stiffness of a node over its inertia for which rigid motions do not feel the rounding: 6e-8 of this is far
/// below the accuracy of rough solves.
const STIFFEST: f64 = 1e4;

/// Whether a matrix may be rounded. A row sums up to the inertia of its node, since rigid motions cost nothing else.
pub fn may_be_rounded(matrix: &BlockMatrix) -> bool {
    (0..matrix.len()).all(|i| {
        let inertia: f64 = matrix.row(i).map(|(_, block)| block.trace()).sum();
        matrix.diagonal(i).trace() < STIFFEST * inertia
    })
}

impl SingleMatrix {
    /// Takes the pattern and the numbers of a matrix.
    pub fn copy(&mut self, matrix: &BlockMatrix) {
        self.starts.clear();
        self.starts.push(0);
        self.starts.extend((0..matrix.len()).map(|i| matrix.row_places(i).end));
        self.columns.clear();
        self.columns.extend_from_slice(matrix.columns());
        self.blocks.clear();
        self.blocks.extend(matrix.blocks().iter().map(|block| {
            let numbers = block.data.0.as_flattened();
            std::array::from_fn(|k| numbers[k] as f32)
        }));
    }

    /// y = A x.
    pub fn multiply(&self, x: &[Vec3], y: &mut [Vec3]) {
        block_matrix::multiply(&self.starts, &self.columns, &self.blocks, x, y);
    }
}

impl Block for [f32; 9] {
    #[inline(always)]
    fn add_columns(&self, x: &Vec3, sums: &mut [f64x4; 3]) {
        let b = self;
        let columns = [[b[0], b[1], b[2], b[3]], [b[3], b[4], b[5], b[6]], [b[5], b[6], b[7], b[8]]];
        for a in 0..3 {
            sums[a] = f64x4::new(columns[a].map(f64::from)).mul_add(f64x4::splat(x[a]), sums[a]);
        }
    }
}
