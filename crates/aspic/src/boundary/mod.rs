//! Boundary elements: bodies known from their surface alone.
//!
//! The crate `aspic-boundary` turns the equations of elasticity inside a body into equations on its boundary. [`solid`] does
//! this for closed triangle meshes; [`SurfaceSpring`] makes of it a body like any other, that touches all others. [`plane`]
//! does it for outlines, and animates soft bodies over a floor by their plane sections in real time: [`plane::Puppet`].

mod body;

pub use aspic_boundary::{plane, solid};
pub use body::SurfaceSpring;

use solid::whole::WholeError;
use solid::{MediumError, SurfaceError};

/// Why a body has no boundary elements.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BoundaryError {
    /// The surface does not bound a body.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// The matter is impossible.
    #[error(transparent)]
    Medium(#[from] MediumError),
    /// There is no stiffness or no mass.
    #[error(transparent)]
    Whole(#[from] WholeError),
    /// Dense matrices would be too large.
    #[error(
        "a boundary-element body of {vertices} vertices needs too much memory: take at most {limit}, or make it a solid"
    )]
    TooLarge {
        /// Vertices of the surface.
        vertices: usize,
        /// The most there may be.
        limit: usize,
    },
}
