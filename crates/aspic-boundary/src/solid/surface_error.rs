//! Why a surface does not bound a body.

/// Why a surface cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SurfaceError {
    /// There is no triangle.
    #[error("the surface holds no triangles: give a closed surface")]
    NoTriangles,
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite: {position:?}")]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// Its coordinates.
        position: [f64; 3],
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {vertices}, numbered from 0")]
    BadIndex {
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A triangle has no area.
    #[error("triangle {triangle} is a sliver ({area:.3e} m², longest edge {edge:.3e} m): mend the surface")]
    Degenerate {
        /// The triangle.
        triangle: usize,
        /// Its area.
        area: f64,
        /// Its longest edge.
        edge: f64,
    },
    /// Two vertices are at the same place.
    #[error("vertices {first} and {second} are at the same place: merge them into one")]
    Duplicate {
        /// The lower number.
        first: usize,
        /// The higher number.
        second: usize,
    },
    /// A vertex belongs to no triangle.
    #[error("vertex {vertex} belongs to no triangle: leave it out")]
    Unused {
        /// The vertex.
        vertex: usize,
    },
    /// An edge has only one triangle.
    #[error(
        "the surface is open at the edge from vertex {from} to {to} of triangle {triangle}: close the hole"
    )]
    Open {
        /// Start of the edge.
        from: u32,
        /// End of the edge.
        to: u32,
        /// The triangle that has it.
        triangle: usize,
    },
    /// An edge is passed twice in the same direction.
    #[error(
        "triangles {first} and {second} both pass the edge from vertex {from} to {to} in this direction: \
         turn one of them over, or part surfaces that touch along an edge"
    )]
    Turned {
        /// Start of the edge.
        from: u32,
        /// End of the edge.
        to: u32,
        /// A triangle that has it.
        first: usize,
        /// Another one.
        second: usize,
    },
    /// The surface crosses itself.
    #[error(
        "the surface crosses itself: the edge from vertex {from} to {to} passes through triangle {triangle}; mend it, or part \
         what overlaps"
    )]
    Crossing {
        /// Start of the edge.
        from: u32,
        /// End of the edge.
        to: u32,
        /// The triangle.
        triangle: usize,
    },
    /// The enclosed volume is not positive.
    #[error(
        "the surface is inside out (it encloses {volume:.3e} m³): order the corners of each triangle \
         counter-clockwise as seen from outside the material"
    )]
    InsideOut {
        /// The enclosed volume \[m³\].
        volume: f64,
    },
}
