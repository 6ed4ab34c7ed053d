//! Conjugate gradients in single precision, for rough solutions.
//!
//! Memory is the limit of every part of the method, so half the bytes are nearly twice the speed. See
//! [`SingleMatrix`] for when the rounding does not matter.

use wide::f32x4;

use super::{
    BlockMatrix, Conjugate, Effort, Operator, Preconditioner, RankOnes, SingleMatrix, Target, Triple,
    may_be_rounded,
};
use crate::Vec3;

/// A system in single precision, and the vectors to solve it.
#[derive(Clone, Debug, Default)]
pub struct Rough {
    system: RoughSystem,
    conjugate: Conjugate<f32x4>,
    right: Vec<f32x4>,
    solution: Vec<f32x4>,
}

/// A = matrix + Σ z zᵀ, rounded.
#[derive(Clone, Debug, Default)]
struct RoughSystem {
    matrix: SingleMatrix,
    terms: RankOnes<f32x4>,
}

impl Operator<f32x4> for RoughSystem {
    fn multiply(&mut self, x: &[f32x4], y: &mut [f32x4]) {
        self.matrix.multiply(x, y);
        self.terms.add_product(x, y);
    }
}

impl Rough {
    /// Takes a matrix, if it may be rounded; returns whether it may.
    pub fn take(&mut self, matrix: &BlockMatrix) -> bool {
        let may = may_be_rounded(matrix);
        if may {
            self.system.matrix.copy(matrix);
        }
        may
    }

    /// Solves (matrix + Σ z zᵀ) x = b from x = 0, with the matrix that was taken. The right-hand side is made of size
    /// one, so that no unit brings numbers that single precision does not have.
    pub fn solve(
        &mut self,
        terms: &RankOnes,
        m: &mut impl Preconditioner<f32x4>,
        b: &[Vec3],
        x: &mut [Vec3],
        target: Target,
    ) -> Effort {
        let largest = b.iter().map(|b| b.amax()).fold(0.0, f64::max);
        let size = if largest > 0.0 { largest } else { 1.0 };
        self.system.terms.round(terms);
        self.right.clear();
        self.right.extend(b.iter().map(|b| f32x4::of(&(b / size))));
        self.solution.resize(b.len(), f32x4::ZERO);
        let effort = self.conjugate.solve(&mut self.system, m, &self.right, &mut self.solution, target);
        x.iter_mut().zip(&self.solution).for_each(|(x, rough)| *x = size * rough.exact());
        effort
    }
}
