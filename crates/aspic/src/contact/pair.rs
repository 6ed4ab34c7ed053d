//! Two primitives that may touch.

/// What a pair is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Two points.
    PointPoint,
    /// A point and an edge.
    PointEdge,
    /// A point and a triangle.
    PointTriangle,
    /// Two edges.
    EdgeEdge,
}

impl Kind {
    /// All of them, in their order.
    pub const ALL: [Kind; 4] = [Kind::PointPoint, Kind::PointEdge, Kind::PointTriangle, Kind::EdgeEdge];
}

/// Two primitives without a common surface point.
///
/// The first primitive comes first: `[p, a, b, c]` is point p and triangle abc, `[a, b, c, d]` are edges ab and cd,
/// `[p, a, b, b]` is a point and an edge, `[p, a, a, a]` are two points. Repeated places carry weight zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// What it is made of.
    pub kind: Kind,
    /// Its surface points.
    pub points: [u32; 4],
}

impl Pair {
    /// The points of the first and of the second primitive, each once.
    pub fn sides(&self) -> [&[u32]; 2] {
        let points = &self.points;
        match self.kind {
            Kind::PointPoint => [&points[..1], &points[1..2]],
            Kind::PointEdge => [&points[..1], &points[1..3]],
            Kind::PointTriangle => [&points[..1], &points[1..]],
            Kind::EdgeEdge => [&points[..2], &points[2..]],
        }
    }
}
