//! The simplest preconditioner: every node alone.

use rayon::prelude::*;
use wide::f64x4;

use super::block_matrix::{add_columns, join_columns};
use super::conjugate::{CHUNK, is_small};
use super::{BlockMatrix, Preconditioner, RankOnes};
use crate::{Mat3, Vec3};

/// The inverse 3×3 diagonal blocks of A.
#[derive(Clone, Debug, Default)]
pub struct BlockJacobi {
    /// \[m/N\]  (nodes)
    inverse: Vec<Mat3>,
}

impl BlockJacobi {
    /// Takes the diagonal blocks of `matrix` + Σ z zᵀ.
    pub fn update(&mut self, matrix: &BlockMatrix, terms: &RankOnes) {
        self.inverse.clear();
        self.inverse.extend((0..matrix.len()).map(|i| *matrix.diagonal(i)));
        terms.add_diagonal(&mut self.inverse);
        self.inverse.iter_mut().for_each(|block| *block = positive_inverse(block));
    }

    /// The inverse blocks  \[m/N\]
    pub fn blocks(&self) -> &[Mat3] {
        &self.inverse
    }
}

/// The inverse of a symmetric block; if that is not positive definite, the inverse of its largest entry times I.
fn positive_inverse(block: &Mat3) -> Mat3 {
    match block.cholesky() {
        Some(factor) => factor.inverse(),
        None => {
            let largest = block.amax();
            Mat3::identity() / if largest > 0.0 && largest.is_finite() { largest } else { 1.0 }
        }
    }
}

impl Preconditioner for BlockJacobi {
    fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]) {
        let sweep = |inverse: &[Mat3], r: &[Vec3], z: &mut [Vec3]| {
            for ((block, r), z) in inverse.iter().zip(r).zip(z) {
                let mut sums = [f64x4::ZERO; 3];
                add_columns(block, r, &mut sums);
                *z = join_columns(sums);
            }
        };
        if is_small(r.len()) {
            sweep(&self.inverse, r, z);
        } else {
            let chunks = self.inverse.par_chunks(CHUNK).zip(r.par_chunks(CHUNK));
            chunks.zip(z.par_chunks_mut(CHUNK)).for_each(|((inverse, r), z)| sweep(inverse, r, z));
        }
    }
}
