//! The outline of a plane body: a closed polygon, with or without holes.

use super::simple::{self, Crossing};
use super::{Vec2, cross, quarter};

/// A region of the plane. The body is to the left of every edge: the outer loop runs against the clock, holes with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    vertices: Vec<Vec2>,
    /// First vertex of each loop, and the number of vertices at the end  (loops + 1)
    starts: Vec<usize>,
    /// The vertex after each vertex.
    next: Vec<usize>,
    /// The vertex before each vertex.
    previous: Vec<usize>,
}

/// Area and its moments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// A  \[m²\]
    pub area: f64,
    /// Where the matter is on the average  \[m\]
    pub centroid: Vec2,
    /// ∫ x² dA, ∫ y² dA, ∫ x y dA about the centroid  \[m⁴\]
    pub second: [f64; 3],
}

impl Moments {
    /// ∫ |x|² dA about the centroid  \[m⁴\]
    pub fn polar(&self) -> f64 {
        self.second[0] + self.second[1]
    }
}

/// Why loops do not bound a body.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PolygonError {
    /// There is no loop.
    #[error("there is no loop: give the outer loop first, then the holes")]
    Empty,
    /// A loop is a point or a line.
    #[error("loop {which} has {count} vertices: three at least enclose something")]
    TooFew {
        /// The loop.
        which: usize,
        /// Its vertices.
        count: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {0} is not finite")]
    NotFinite(usize),
    /// Two vertices are at one place.
    #[error("vertices {0} and {1} are at one place: remove one of them")]
    Duplicate(usize, usize),
    /// A loop runs the wrong way.
    #[error("loop {0} runs the wrong way: the outer loop runs against the clock, holes with it; reverse it")]
    Orientation(usize),
    /// Two edges meet where they should not.
    #[error(
        "the edges after vertices {0} and {1} cross or touch: the outline of a body does not meet itself"
    )]
    Crossing(usize, usize),
    /// A hole is not in the body.
    #[error("hole {0} is not inside the outer loop, or is inside another hole")]
    Outside(usize),
}

impl Polygon {
    /// The body inside one loop, which runs against the clock  \[m\].
    pub fn new(outline: &[Vec2]) -> Result<Polygon, PolygonError> {
        Polygon::with_holes(&[outline])
    }

    /// The body inside the first loop, which runs against the clock, and outside the others, which run with it  \[m\].
    pub fn with_holes(loops: &[&[Vec2]]) -> Result<Polygon, PolygonError> {
        let polygon = Polygon::joined(loops)?;
        for which in 0..loops.len() {
            let turns_left = loop_area(loops[which]) > 0.0;
            if turns_left != (which == 0) {
                return Err(PolygonError::Orientation(which));
            }
        }
        match simple::first_crossing(&polygon) {
            Some(Crossing::Edges(a, b)) => return Err(PolygonError::Crossing(a, b)),
            Some(Crossing::Vertices(a, b)) => return Err(PolygonError::Duplicate(a, b)),
            None => {}
        }
        for which in 1..loops.len() {
            let place = loops[which][0];
            let in_hole = (1..loops.len()).any(|k| k != which && simple::winds_around(loops[k], place));
            if !simple::winds_around(loops[0], place) || in_hole {
                return Err(PolygonError::Outside(which));
            }
        }
        Ok(polygon)
    }

    /// A regular polygon with its vertices on a circle, the first on the right. Fails below three vertices.
    pub fn circle(centre: Vec2, radius: f64, count: usize) -> Result<Polygon, PolygonError> {
        let step = std::f64::consts::TAU / count as f64;
        let at = |k: usize| centre + radius * Vec2::new((k as f64 * step).cos(), (k as f64 * step).sin());
        Polygon::new(&(0..count).map(at).collect::<Vec<_>>())
    }

    /// The same body with every edge cut into `parts` equal ones (0 counts as 1).
    pub fn refined(&self, parts: usize) -> Polygon {
        let parts = parts.max(1);
        let cut = |k: usize, i: usize| {
            let [a, b] = self.edge(k);
            a + (b - a) * (i as f64 / parts as f64)
        };
        let starts: Vec<usize> = self.starts.iter().map(|s| s * parts).collect();
        let count = self.len() * parts;
        let vertices = (0..count).map(|k| cut(k / parts, k % parts)).collect();
        Polygon::linked(vertices, starts)
    }

    /// The same body moved by `shift`  \[m\].
    pub fn shifted(&self, shift: Vec2) -> Polygon {
        let vertices = self.vertices.iter().map(|x| x + shift).collect();
        Polygon { vertices, ..self.clone() }
    }

    /// The same outline with every vertex turned about the origin.
    pub(crate) fn mapped(&self, to: impl Fn(Vec2) -> Vec2) -> Polygon {
        let vertices = self.vertices.iter().map(|x| to(*x)).collect();
        Polygon { vertices, ..self.clone() }
    }

    fn joined(loops: &[&[Vec2]]) -> Result<Polygon, PolygonError> {
        if loops.is_empty() {
            return Err(PolygonError::Empty);
        }
        let (mut vertices, mut starts) = (vec![], vec![0]);
        for (which, outline) in loops.iter().enumerate() {
            if outline.len() < 3 {
                return Err(PolygonError::TooFew { which, count: outline.len() });
            }
            vertices.extend_from_slice(outline);
            starts.push(vertices.len());
        }
        match vertices.iter().position(|x: &Vec2| !x.iter().all(|c| c.is_finite())) {
            Some(bad) => Err(PolygonError::NotFinite(bad)),
            None => Ok(Polygon::linked(vertices, starts)),
        }
    }

    fn linked(vertices: Vec<Vec2>, starts: Vec<usize>) -> Polygon {
        let (mut next, mut previous) = (vec![0; vertices.len()], vec![0; vertices.len()]);
        for ends in starts.windows(2) {
            for k in ends[0]..ends[1] {
                let after = if k + 1 == ends[1] { ends[0] } else { k + 1 };
                next[k] = after;
                previous[after] = k;
            }
        }
        Polygon { vertices, starts, next, previous }
    }

    /// Number of vertices, and of edges.
    #[allow(clippy::len_without_is_empty)] // a polygon has vertices
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// All vertices, loop after loop  \[m\].
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices
    }

    /// Number of loops.
    pub fn loops(&self) -> usize {
        self.starts.len() - 1
    }

    /// The vertices of one loop  \[m\].
    pub fn outline(&self, which: usize) -> &[Vec2] {
        &self.vertices[self.starts[which]..self.starts[which + 1]]
    }

    /// The vertex after `vertex` in its loop.
    pub fn next(&self, vertex: usize) -> usize {
        self.next[vertex]
    }

    /// The vertex before `vertex` in its loop.
    pub fn previous(&self, vertex: usize) -> usize {
        self.previous[vertex]
    }

    /// The ends of the edge that begins at `vertex`  \[m\].
    pub fn edge(&self, vertex: usize) -> [Vec2; 2] {
        [self.vertices[vertex], self.vertices[self.next[vertex]]]
    }

    /// Length of the edge that begins at `vertex`  \[m\].
    pub fn edge_length(&self, vertex: usize) -> f64 {
        let [a, b] = self.edge(vertex);
        (b - a).norm()
    }

    /// Outward normal of the edge that begins at `vertex`.
    pub fn edge_normal(&self, vertex: usize) -> Vec2 {
        let [a, b] = self.edge(vertex);
        -quarter(b - a) / (b - a).norm()
    }

    /// Diagonal of the box around the body: no two of its points are farther apart  \[m\].
    pub fn diameter(&self) -> f64 {
        let low = self.vertices.iter().fold(self.vertices[0], |m, x| m.inf(x));
        let high = self.vertices.iter().fold(self.vertices[0], |m, x| m.sup(x));
        (high - low).norm()
    }

    /// Area, centroid and second moments, as sums over edges of triangles with one vertex.
    pub fn moments(&self) -> Moments {
        let origin = self.vertices[0];
        let (mut area, mut first, mut second) = (0.0, Vec2::zeros(), [0.0; 3]);
        for k in 0..self.len() {
            let [a, b] = self.edge(k).map(|x| x - origin);
            let double = cross(a, b);
            let products = |i: usize, j: usize| 2.0 * (a[i] * a[j] + b[i] * b[j]) + a[i] * b[j] + a[j] * b[i];
            area += double / 2.0;
            first += double / 6.0 * (a + b);
            for (sum, (i, j)) in second.iter_mut().zip([(0, 0), (1, 1), (0, 1)]) {
                *sum += double / 24.0 * products(i, j);
            }
        }
        let mean = first / area;
        let [xx, yy, xy] = second;
        let second = [xx - area * mean.x * mean.x, yy - area * mean.y * mean.y, xy - area * mean.x * mean.y];
        Moments { area, centroid: origin + mean, second }
    }
}

/// The signed area inside one loop  \[m²\].
fn loop_area(outline: &[Vec2]) -> f64 {
    let origin = outline[0];
    let edges = outline.iter().zip(outline.iter().cycle().skip(1));
    edges.map(|(a, b)| cross(a - origin, b - origin) / 2.0).sum()
}

#[cfg(test)]
#[path = "polygon_tests.rs"]
mod tests;
