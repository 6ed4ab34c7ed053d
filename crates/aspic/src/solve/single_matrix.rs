//! A matrix of 3×3 blocks for products alone, in single precision.
//!
//! A product reads every block once and memory is its limit, so half the bytes are nearly twice the speed. The
//! rounding, 6e-8 of each entry and the same in both halves, makes another symmetric matrix. In it rigid motions meet
//! a stiffness: 6e-8 of the body's own, where only inertia should be. So it may stand for bodies whose stiffness is not
//! too large against their inertia; conjugate gradients to the accuracy of a Newton direction cannot tell then.

use wide::f32x4;

use super::block_matrix::{self, Block, BlockMatrix};
use crate::Mat3;

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
        self.blocks.extend(matrix.blocks().iter().map(rounded));
    }

    /// y = A x.
    pub fn multiply(&self, x: &[f32x4], y: &mut [f32x4]) {
        block_matrix::multiply(&self.starts, &self.columns, &self.blocks, x, y);
    }
}

/// The nine numbers of a block, column by column.
pub(super) fn rounded(block: &Mat3) -> [f32; 9] {
    let (numbers, mut rounded) = (block.data.0.as_flattened(), [0.0; 9]);
    (0..9).for_each(|k| rounded[k] = numbers[k] as f32);
    rounded
}

impl Block<f32x4> for [f32; 9] {
    type Sums = [f32x4; 3];
    const NONE: [f32x4; 3] = [f32x4::ZERO; 3];

    /// As for a block in double precision: the loads of four numbers stay inside the nine.
    #[inline(always)]
    fn add_columns(&self, x: &f32x4, sums: &mut [f32x4; 3]) {
        let x = x.as_array();
        for (a, first) in [0, 3, 5].into_iter().enumerate() {
            let column = self[first..].first_chunk().map_or(f32x4::ZERO, |four| f32x4::new(*four));
            sums[a] = column.mul_add(f32x4::splat(x[a]), sums[a]);
        }
    }

    #[inline(always)]
    fn join(sums: [f32x4; 3]) -> f32x4 {
        let (low, high) = ((sums[0] + sums[1]).to_array(), sums[2].to_array());
        f32x4::new([low[0] + high[1], low[1] + high[2], low[2] + high[3], 0.0])
    }
}
