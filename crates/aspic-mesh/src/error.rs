//! Why a surface could not be filled, with the numbers and a cure.

use aspic::mesh::{MAX_TETS, MeshError};

/// Why a surface could not be filled with tetrahedra.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FillError {
    /// There is no triangle.
    #[error("the surface holds no triangles ({vertices} vertices): give a file with triangles")]
    NoTriangles {
        /// Number of vertices that were there.
        vertices: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite: {position:?}; mend the file")]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// Its coordinates.
        position: [f64; 3],
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {vertices}: mend the file")]
    BadIndex {
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// The surface is a point, is absurdly large, or lies where coordinates have no digits left.
    #[error(
        "the surface is {size:.3e} m across and {far:.3e} m from the origin: that cannot be computed with; \
         scale it to metres and move it near the origin"
    )]
    BadExtent {
        /// Longest edge of its box  \[m\]
        size: f64,
        /// Largest coordinate  \[m\]
        far: f64,
    },
    /// A cell size that is not a positive, finite length.
    #[error("the cell size is {size}: give a positive, finite length in metres")]
    BadSize {
        /// What was given.
        size: f64,
    },
    /// A target count of zero or beyond the limit.
    #[error("the number of tetrahedra is {count}: give 1 to {limit}", limit = MAX_TETS)]
    BadCount {
        /// What was given.
        count: usize,
    },
    /// The lattice would be too large.
    #[error(
        "cells of {size:.3e} m would give about {tets:.2e} tetrahedra on a lattice of {points:.2e} points \
         (limits {limit} and {most_points}): use cells of {cure:.3e} m or larger"
    )]
    TooFine {
        /// The cell size  \[m\]
        size: f64,
        /// Estimated number of tetrahedra.
        tets: f64,
        /// Lattice points in the box of the surface.
        points: f64,
        /// The most tetrahedra.
        limit: usize,
        /// The most lattice points.
        most_points: usize,
        /// A cell size that fits  \[m\]
        cure: f64,
    },
    /// No lattice point is inside.
    #[error(
        "cells of {size:.3e} m are too large, nothing of the surface is left inside: use cells of {cure:.3e} m or smaller"
    )]
    TooCoarse {
        /// The cell size  \[m\]
        size: f64,
        /// A cell size that leaves something, tried out  \[m\]
        cure: f64,
    },
    /// The surface has no inside at any cell size tried.
    #[error(
        "the surface encloses nothing (box {}, cells down to {smallest:.3e} m were tried): \
         close it, or give it a thickness",
        extent(*.size)
    )]
    NoInside {
        /// Edges of its box  \[m\]
        size: [f64; 3],
        /// The smallest cells tried  \[m\]
        smallest: f64,
    },
    /// The finished mesh is not what it should be.
    #[error("the mesh that came out is not sound: {0}; try another cell size")]
    Mesh(#[from] MeshError),
}

/// Three lengths as people write them.
fn extent(size: [f64; 3]) -> String {
    format!("{:.3e} × {:.3e} × {:.3e} m", size[0], size[1], size[2])
}
