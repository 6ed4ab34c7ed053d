//! Why a static problem has no answer.

/// Why a static problem has no answer.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// A list has the wrong length.
    #[error("there are {given} {what}, but {expected} are needed")]
    Count {
        /// What is counted.
        what: &'static str,
        /// How many there must be.
        expected: usize,
        /// How many there are.
        given: usize,
    },
    /// A number is NaN or infinite.
    #[error("{what} is not finite")]
    NotFinite {
        /// Which number.
        what: &'static str,
    },
    /// A frame is not orthonormal.
    #[error("the frame at vertex {vertex} is not orthonormal: give three unit vectors at right angles")]
    BadFrame {
        /// The vertex.
        vertex: usize,
    },
    /// The load would accelerate the body.
    #[error(
        "the load does not balance: force {force:?} N, torque {torque:?} N m about the centroid. Hold the body at \
         more vertices, or add the inertial force of its acceleration as a force on the volume"
    )]
    Unbalanced {
        /// The sum of the given forces \[N\].
        force: [f64; 3],
        /// Their torque \[N m\].
        torque: [f64; 3],
    },
    /// The body can move freely where it must be held.
    #[error("{modes} rigid motions are free: give enough displacements that the body cannot move as a whole")]
    Floating {
        /// How many.
        modes: usize,
    },
    /// The iteration does not end.
    #[error(
        "the boundary equations were not solved: {directions} directions leave {residual:.1e} of the right-hand side. Look \
         for needle-like triangles, or take fewer than {dense} vertices",
        dense = crate::solid::DENSE_UP_TO
    )]
    NotConverged {
        /// How many directions were tried.
        directions: usize,
        /// What is left of the right-hand side.
        residual: f64,
    },
    /// The matrix is singular.
    #[error("the boundary equations are singular: look for triangles that cross, or for shells that touch")]
    Singular,
}
