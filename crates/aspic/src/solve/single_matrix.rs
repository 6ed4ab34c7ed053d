//! A matrix of 3×3 blocks for products alone, in single precision.
//!
//! A product reads every block once and memory is its limit, so half the bytes are nearly twice the speed. The
//! rounding, 6e-8 of each entry and the same in both halves, makes another symmetric matrix, so near that conjugate
//! gradients to the accuracy of a Newton direction cannot tell. Vectors and sums stay in double precision.

use rayon::prelude::*;
use wide::f64x4;

use super::block_matrix::{BlockMatrix, CHUNK, PARALLEL_ROWS, join_columns};
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
        if y.len() < PARALLEL_ROWS || rayon::current_num_threads() == 1 {
            y.iter_mut().enumerate().for_each(|(i, y)| *y = self.row_times(i, x));
        } else {
            y.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, y)| {
                y.iter_mut().enumerate().for_each(|(i, y)| *y = self.row_times(chunk * CHUNK + i, x));
            });
        }
    }

    /// (A x)ᵢ, as [`BlockMatrix`] does it.
    #[inline(always)]
    fn row_times(&self, i: usize, x: &[Vec3]) -> Vec3 {
        let range = self.starts[i]..self.starts[i + 1];
        let mut sums = [f64x4::ZERO; 3];
        for (b, &j) in self.blocks[range.clone()].iter().zip(&self.columns[range]) {
            let columns = [[b[0], b[1], b[2], b[3]], [b[3], b[4], b[5], b[6]], [b[5], b[6], b[7], b[8]]];
            for a in 0..3 {
                let column = f64x4::new(columns[a].map(f64::from));
                sums[a] = column.mul_add(f64x4::splat(x[j as usize][a]), sums[a]);
            }
        }
        join_columns(sums)
    }
}
