//! A part of a surface as it is handed in, and what can be wrong with it.

use super::primitive::side;
use crate::Vec3;

/// What moves together and is equally thick: the skin of a solid, a rope, a cloud of points.
///
/// All indices are numbers of surface points. A surface point belongs to one part only.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The body it belongs to; a body may have several parts.
    pub body: u32,
    /// Its triangles.
    pub triangles: &'a [[u32; 3]],
    /// Its edges that are not sides of triangles: ropes.
    pub loose_edges: &'a [[u32; 2]],
    /// Its points that are on no triangle and no edge.
    pub loose_points: &'a [u32],
    /// Half its thickness \[m\]: nothing comes nearer than the sum of both radii. 0 for solids.
    pub radius: f64,
    /// Its points never move freely. Two fixed parts do not touch.
    pub fixed: bool,
    /// It may touch itself.
    pub self_contact: bool,
}

/// Whether the triangles of a part bound a volume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skin {
    /// An edge with one triangle only.
    pub open_edge: Option<[u32; 2]>,
    /// An edge with more than two triangles.
    pub crowded_edge: Option<[u32; 2]>,
}

impl Skin {
    /// No edge has one triangle only: the triangles have no rim.
    pub fn closed(&self) -> bool {
        self.open_edge.is_none()
    }

    /// No edge has more than two triangles.
    pub fn manifold(&self) -> bool {
        self.crowded_edge.is_none()
    }

    /// Looks at the edges of all triangles.
    pub(super) fn of(triangles: &[[u32; 3]]) -> Skin {
        let mut sides: Vec<[u32; 2]> = triangles.iter().flat_map(|t| [0, 1, 2].map(|i| side(t, i))).collect();
        sides.sort_unstable();
        let mut skin = Skin::default();
        for same in sides.chunk_by(|a, b| a == b) {
            match same.len() {
                1 => skin.open_edge = skin.open_edge.or(Some(same[0])),
                2 => (),
                _ => skin.crowded_edge = skin.crowded_edge.or(Some(same[0])),
            }
        }
        skin
    }
}

/// Why a part cannot be touched. Triangles, edges and points count from 0 inside the part.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SurfaceError {
    /// An index is too large.
    #[error("the surface names point {point}, but there are only {points}")]
    BadIndex {
        /// The index.
        point: u32,
        /// Number of surface points.
        points: usize,
    },
    /// A rest position is NaN or infinite.
    #[error("surface point {point} has a rest position that is not finite")]
    NotFinite {
        /// The surface point.
        point: u32,
    },
    /// The radius is negative or not a number.
    #[error("the radius of a surface must be zero or more, not {radius} m")]
    BadRadius {
        /// The radius \[m\].
        radius: f64,
    },
    /// A triangle names a point twice.
    #[error("triangle {triangle} names a point twice: {corners:?}")]
    RepeatedPoint {
        /// The triangle.
        triangle: usize,
        /// Its corners.
        corners: [u32; 3],
    },
    /// A triangle has no area at rest.
    #[error("triangle {triangle} has no area ({area:.3e} m², longest side {edge:.3e} m): mend the mesh")]
    FlatTriangle {
        /// The triangle.
        triangle: usize,
        /// Its area \[m²\].
        area: f64,
        /// Its longest side \[m\].
        edge: f64,
    },
    /// Two triangles have the same corners.
    #[error("two triangles have the corners {corners:?}: remove one")]
    DuplicateTriangle {
        /// The corners, ascending.
        corners: [u32; 3],
    },
    /// A loose edge has no length at rest.
    #[error("loose edge {edge} has no length: {ends:?}")]
    ShortEdge {
        /// The loose edge.
        edge: usize,
        /// Its ends.
        ends: [u32; 2],
    },
    /// A loose edge is there twice, or is the side of a triangle.
    #[error("the loose edge {ends:?} is there twice, or is the side of a triangle")]
    DuplicateEdge {
        /// Its ends, ascending.
        ends: [u32; 2],
    },
    /// A loose point is there twice, or on a triangle or an edge.
    #[error("the loose point {point} is there twice, or is not loose")]
    DuplicatePoint {
        /// The surface point.
        point: u32,
    },
    /// A point belongs to an earlier part.
    #[error("surface point {point} already belongs to another part")]
    SharedPoint {
        /// The surface point.
        point: u32,
    },
}

impl Part<'_> {
    /// All points it names, with repetitions.
    pub(super) fn named_points(&self) -> impl Iterator<Item = u32> {
        (self.triangles.iter().flatten())
            .chain(self.loose_edges.iter().flatten())
            .chain(self.loose_points)
            .copied()
    }

    /// Sides of triangles and loose edges, lower point first, ascending, each once.
    pub(super) fn edges(&self) -> Vec<[u32; 2]> {
        let mut edges: Vec<[u32; 2]> = self.sides().chain(self.ordered_loose_edges()).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    fn sides(&self) -> impl Iterator<Item = [u32; 2]> {
        self.triangles.iter().flat_map(|t| [0, 1, 2].map(|i| side(t, i)))
    }

    fn ordered_loose_edges(&self) -> impl Iterator<Item = [u32; 2]> {
        self.loose_edges.iter().map(|&[a, b]| [a.min(b), a.max(b)])
    }

    /// Finds what is wrong, without looking at other parts.
    pub(super) fn check(&self, rest: &[Vec3]) -> Result<(), SurfaceError> {
        if !(self.radius >= 0.0 && self.radius.is_finite()) {
            return Err(SurfaceError::BadRadius { radius: self.radius });
        }
        for point in self.named_points() {
            let Some(position) = rest.get(point as usize) else {
                return Err(SurfaceError::BadIndex { point, points: rest.len() });
            };
            if !position.iter().all(|c| c.is_finite()) {
                return Err(SurfaceError::NotFinite { point });
            }
        }
        self.check_triangles(rest)?;
        self.check_loose_edges(rest)?;
        self.check_loose_points()
    }

    fn check_triangles(&self, rest: &[Vec3]) -> Result<(), SurfaceError> {
        let mut sorted = Vec::with_capacity(self.triangles.len());
        for (triangle, &corners) in self.triangles.iter().enumerate() {
            let mut ascending = corners;
            ascending.sort_unstable();
            if ascending[0] == ascending[1] || ascending[1] == ascending[2] {
                return Err(SurfaceError::RepeatedPoint { triangle, corners });
            }
            sorted.push(ascending);
            let [a, b, c] = corners.map(|p| rest[p as usize]);
            let area = (b - a).cross(&(c - a)).norm() / 2.0;
            let edge = (b - a).norm().max((c - a).norm()).max((c - b).norm());
            // The same measure of flatness as for tetrahedra.
            if area <= 1e-12 * edge * edge {
                return Err(SurfaceError::FlatTriangle { triangle, area, edge });
            }
        }
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(SurfaceError::DuplicateTriangle { corners: pair[0] }),
            None => Ok(()),
        }
    }

    fn check_loose_edges(&self, rest: &[Vec3]) -> Result<(), SurfaceError> {
        let length = |[a, b]: [u32; 2]| (rest[a as usize] - rest[b as usize]).norm();
        if let Some(edge) = self.loose_edges.iter().position(|&ends| length(ends) <= 0.0) {
            return Err(SurfaceError::ShortEdge { edge, ends: self.loose_edges[edge] });
        }
        let mut sides: Vec<[u32; 2]> = self.sides().collect();
        sides.sort_unstable();
        let mut loose: Vec<[u32; 2]> = self.ordered_loose_edges().collect();
        loose.sort_unstable();
        let twice = loose.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        match twice.or_else(|| loose.iter().copied().find(|ends| sides.binary_search(ends).is_ok())) {
            Some(ends) => Err(SurfaceError::DuplicateEdge { ends }),
            None => Ok(()),
        }
    }

    fn check_loose_points(&self) -> Result<(), SurfaceError> {
        let corners = self.triangles.iter().flatten().chain(self.loose_edges.iter().flatten());
        let mut bound: Vec<u32> = corners.copied().collect();
        bound.sort_unstable();
        let mut loose = self.loose_points.to_vec();
        loose.sort_unstable();
        let twice = loose.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        match twice.or_else(|| loose.iter().copied().find(|p| bound.binary_search(p).is_ok())) {
            Some(point) => Err(SurfaceError::DuplicatePoint { point }),
            None => Ok(()),
        }
    }
}
