//! Algebra without physics: sparse matrices, their factors, conjugate gradients, small dense saddle systems.

mod block_jacobi;
mod block_matrix;
mod cholesky;
mod coarse;
mod conjugate;
mod direct;
mod linear;
mod patches;
mod rank_ones;
mod rough;
mod saddle;
mod single_matrix;
mod sparse;
mod tangent;
#[cfg(test)]
mod tests_linear;
mod triangular;
mod triple;
mod two_level;

pub use block_jacobi::BlockJacobi;
pub use block_matrix::BlockMatrix;
pub use cholesky::{Factor, FactorError};
pub use conjugate::{Conjugate, Effort, Ending, Operator, Preconditioner, Target};
pub use direct::Direct;
pub use linear::{Choice, LinearSolver, System};
pub use rank_ones::RankOnes;
pub use rough::Rough;
pub use saddle::PivotedCholesky;
pub use single_matrix::{SingleMatrix, may_be_rounded};
pub use sparse::SymmetricMatrix;
pub use tangent::Tangent;
pub use triangular::Precision;
pub use triple::Triple;
pub use two_level::TwoLevel;
