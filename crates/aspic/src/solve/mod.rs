//! Algebra without physics: sparse matrices, their Cholesky factor, small dense saddle systems.

mod cholesky;
mod saddle;
mod sparse;
mod tangent;

pub use cholesky::{Factor, FactorError};
pub use saddle::PivotedCholesky;
pub use sparse::SymmetricMatrix;
pub use tangent::Tangent;
