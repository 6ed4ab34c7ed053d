//! Why conditions cannot be exchanged.

use super::dense_lu::LuError;

/// Why conditions cannot be exchanged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum UpdateError {
    /// Matrices or vectors do not fit.
    #[error("{what} has {given} entries or columns where {needed} are needed")]
    Shape {
        /// Which one.
        what: &'static str,
        /// Its size.
        given: usize,
        /// The right size.
        needed: usize,
    },
    /// The equations have no solution.
    #[error("{0}: the given values leave something undetermined, or say it twice; exchange other columns")]
    Factor(#[from] LuError),
}
