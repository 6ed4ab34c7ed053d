//! The simplest preconditioner: every node alone.

use rayon::prelude::*;
use wide::f32x4;

use super::block_matrix::Block;
use super::conjugate::{CHUNK, is_small};
use super::single_matrix::rounded;
use super::{BlockMatrix, Preconditioner, RankOnes};
use crate::{Mat3, Vec3};

/// The inverse 3×3 diagonal blocks of A.
#[derive(Clone, Debug, Default)]
pub struct BlockJacobi {
    /// \[m/N\]  (nodes)
    inverse: Vec<Mat3>,
    /// The same, rounded.
    single: Vec<[f32; 9]>,
}

impl BlockJacobi {
    /// Takes the diagonal blocks of `matrix` + Σ z zᵀ.
    pub fn update(&mut self, matrix: &BlockMatrix, terms: &RankOnes) {
        self.inverse.clear();
        self.inverse.extend((0..matrix.len()).map(|i| *matrix.diagonal(i)));
        terms.add_diagonal(&mut self.inverse);
        self.inverse.iter_mut().for_each(|block| *block = positive_inverse(block));
        self.single.clear();
        self.single.extend(self.inverse.iter().map(rounded));
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
        multiply_each(&self.inverse, r, z);
    }
}

impl Preconditioner<f32x4> for BlockJacobi {
    fn apply(&mut self, r: &[f32x4], z: &mut [f32x4]) {
        multiply_each(&self.single, r, z);
    }
}

/// Every node's block times its part of r.
fn multiply_each<V: Send + Sync, B: Block<V>>(blocks: &[B], r: &[V], z: &mut [V]) {
    let sweep = |blocks: &[B], r: &[V], z: &mut [V]| {
        for ((block, r), z) in blocks.iter().zip(r).zip(z) {
            let mut sums = B::NONE;
            block.add_columns(r, &mut sums);
            *z = B::join(sums);
        }
    };
    if is_small(r.len()) {
        sweep(blocks, r, z);
    } else {
        let chunks = blocks.par_chunks(CHUNK).zip(r.par_chunks(CHUNK));
        chunks.zip(z.par_chunks_mut(CHUNK)).for_each(|((blocks, r), z)| sweep(blocks, r, z));
    }
}
