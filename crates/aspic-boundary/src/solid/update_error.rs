//! Why a boundary condition cannot be switched.

/// Why a condition cannot be switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpdateError {
    /// The candidate does not exist.
    #[error("candidate {candidate} does not exist: there are {candidates}, numbered from 0")]
    NoCandidate {
        /// The number asked for.
        candidate: usize,
        /// How many there are.
        candidates: usize,
    },
    /// All room is taken.
    #[error("{most} places are switched already: make room for more at the beginning")]
    Full {
        /// The room.
        most: usize,
    },
    /// The problem with the new conditions has no unique answer.
    #[error("switching candidate {candidate} leaves the body loose: hold it elsewhere first")]
    Loose {
        /// The candidate.
        candidate: usize,
    },
    /// Arrays do not fit.
    #[error("{what}: {given} numbers were given, {expected} are needed")]
    Length {
        /// Which array.
        what: &'static str,
        /// How long it must be.
        expected: usize,
        /// How long it is.
        given: usize,
    },
}
