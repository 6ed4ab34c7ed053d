//! Why a body of mass points cannot be built.

use crate::mesh::SurfaceError;
use crate::yielding::YieldError;

/// What is wrong. Vertices count from 0 in the body.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PointsError {
    /// A surface that is wrong by itself.
    #[error("{0}")]
    Surface(SurfaceError),
    /// A coordinate is NaN or infinite.
    #[error("point {vertex} has a coordinate that is not finite")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// A spring without length has no direction to pull in.
    #[error("points {} and {} lie on the same place: a spring between them has no length; merge them", ends[0], ends[1])]
    ZeroLength {
        /// Its ends.
        ends: [u32; 2],
    },
    /// A point that nothing holds and that has no mass.
    #[error(
        "point {vertex} is isolated: no spring, triangle or tetrahedron has it, so it has no mass; remove it"
    )]
    Isolated {
        /// The vertex.
        vertex: usize,
    },
    /// A triangle without area.
    #[error("triangle {triangle} has no area: mend the mesh")]
    FlatTriangle {
        /// The triangle.
        triangle: usize,
    },
    /// A tetrahedron without volume.
    #[error("tetrahedron {tetrahedron} is flat: mend the mesh")]
    FlatTetrahedron {
        /// The tetrahedron.
        tetrahedron: usize,
    },
    /// A surface with a rim encloses nothing.
    #[error("the surface is open at the edge between points {} and {}: a shell must be closed; make it a cloth, or close it", ends[0], ends[1])]
    Open {
        /// The edge.
        ends: [u32; 2],
    },
    /// An edge of more than two triangles.
    #[error("more than two triangles meet at the edge between points {} and {}: a shell has exactly two at every edge; mend the mesh", ends[0], ends[1])]
    Crowded {
        /// The edge.
        ends: [u32; 2],
    },
    /// Neighbours that face opposite ways.
    #[error("the triangles at the edge between points {} and {} face opposite ways: turn them all outward", ends[0], ends[1])]
    Disoriented {
        /// The edge.
        ends: [u32; 2],
    },
    /// Too few points.
    #[error("it has {points} points: at least 2 are needed")]
    TooFew {
        /// How many there are.
        points: usize,
    },
    /// Lasting changes that make no sense.
    #[error("{0}")]
    Yield(YieldError),
    /// A number that makes no sense.
    #[error("{what} is {value}: {need}")]
    BadNumber {
        /// What it is.
        what: &'static str,
        /// The number.
        value: f64,
        /// What it should be.
        need: &'static str,
    },
}

impl PointsError {
    /// A number that must be above zero.
    pub(super) fn positive(what: &'static str, value: f64) -> Result<f64, PointsError> {
        let need = "it must be a number above zero";
        if value > 0.0 && value.is_finite() {
            Ok(value)
        } else {
            Err(PointsError::BadNumber { what, value, need })
        }
    }

    /// A number that must not be below zero.
    pub(super) fn not_negative(what: &'static str, value: f64) -> Result<f64, PointsError> {
        let need = "it must be zero or more";
        if value >= 0.0 && value.is_finite() {
            Ok(value)
        } else {
            Err(PointsError::BadNumber { what, value, need })
        }
    }
}
