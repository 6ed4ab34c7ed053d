//! Deformation in space from two plane sections (Watanabe et al., 5).

use nalgebra::Vector3;

use super::{Polygon, Vec2};

/// A plane section of a body and how its outline has moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Section<'a> {
    outline: &'a Polygon,
    displacements: &'a [Vec2],
    exponent: f64,
    /// Edges that a chord along x or along y can meet.
    strips: [Strips; 2],
    /// Start of each edge \[m\], and its vector over the square of its length, and that vector  \[1/m, m\]
    edges: Vec<[Vec2; 3]>,
}

/// Edges sorted into strips across an axis.
#[derive(Clone, Debug, PartialEq)]
struct Strips {
    low: f64,
    per_metre: f64,
    edges: Vec<Vec<usize>>,
}

impl Strips {
    fn new(outline: &Polygon, across: usize) -> Strips {
        let ends = |k: usize| outline.edge(k).map(|x| x[across]);
        let all = || (0..outline.len()).flat_map(ends);
        let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        let per_metre = outline.len() as f64 / (high - low).max(f64::MIN_POSITIVE);
        let mut strips = Strips { low, per_metre, edges: vec![vec![]; outline.len()] };
        for k in 0..outline.len() {
            let [a, b] = ends(k).map(|c| strips.strip(c));
            (a.min(b)..=a.max(b)).for_each(|strip| strips.edges[strip].push(k));
        }
        strips
    }

    /// The strip of a coordinate; never a lower one for a larger coordinate.
    fn strip(&self, coordinate: f64) -> usize {
        (((coordinate - self.low) * self.per_metre) as usize).min(self.edges.len() - 1)
    }
}

/// Why sections cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SectionError {
    /// A displacement is missing or too many.
    #[error("there are {given} displacements for {needed} vertices: give one for each vertex")]
    Mismatch {
        /// Displacements.
        given: usize,
        /// Vertices.
        needed: usize,
    },
    /// The exponent blends nothing.
    #[error("the exponent of blending is {0}: give a positive number, 1 for an even blend")]
    Exponent(f64),
    /// The planes have no direction.
    #[error(
        "the axis and the side direction of the sections are zero or parallel: give two that span a plane"
    )]
    Directions,
}

impl<'a> Section<'a> {
    /// An outline \[m\], the displacement of each vertex \[m\], and the exponent α of [`blend`].
    pub fn new(outline: &'a Polygon, displacements: &'a [Vec2], exponent: f64) -> Result<Self, SectionError> {
        let (given, needed) = (displacements.len(), outline.len());
        if given != needed {
            return Err(SectionError::Mismatch { given, needed });
        }
        if !(exponent > 0.0 && exponent.is_finite()) {
            return Err(SectionError::Exponent(exponent));
        }
        let strips = [1, 0].map(|across| Strips::new(outline, across));
        let edge = |k: usize| {
            let [a, b] = outline.edge(k);
            [a, (b - a) / (b - a).norm_squared(), b - a]
        };
        let edges = (0..needed).map(edge).collect();
        Ok(Section { outline, displacements, exponent, strips, edges })
    }

    /// The displacement of a place in the section  \[m\].
    ///
    /// Each component is blended between the ends B and C of the chord through the place along that component. Where no
    /// chord passes, at the rim or outside, the nearest place of the outline moves it.
    pub fn displacement(&self, place: Vec2) -> Vec2 {
        let mut nearest = None;
        let mut component = |axis: usize| match self.chord(place, axis) {
            [Some((r1, u1)), Some((r2, u2))] => blend(r1, r2, u1[axis], u2[axis], self.exponent),
            _ => nearest.get_or_insert_with(|| self.nearest(place))[axis],
        };
        Vec2::new(component(0), component(1))
    }

    /// Distance and displacement of the nearest crossings below and above `place` along an axis  \[m\].
    fn chord(&self, place: Vec2, axis: usize) -> [Option<(f64, Vec2)>; 2] {
        let across = 1 - axis;
        let mut ends = [None; 2];
        let strips = &self.strips[axis];
        for &k in &strips.edges[strips.strip(place[across])] {
            let [a, b] = self.outline.edge(k);
            if (a[across] > place[across]) == (b[across] > place[across]) {
                continue;
            }
            let part = (place[across] - a[across]) / (b[across] - a[across]);
            let offset = a[axis] + part * (b[axis] - a[axis]) - place[axis];
            for (side, distance) in [(0, -offset), (1, offset)] {
                let nearer = ends[side].is_none_or(|(least, _)| distance < least);
                if distance >= 0.0 && nearer {
                    ends[side] = Some((distance, self.on_edge(k, part)));
                }
            }
        }
        ends
    }

    /// The displacement at a part of an edge  \[m\].
    fn on_edge(&self, edge: usize, part: f64) -> Vec2 {
        let [a, b] = [edge, self.outline.next(edge)].map(|v| self.displacements[v]);
        a + part * (b - a)
    }

    /// The displacement of the nearest place of the outline  \[m\].
    fn nearest(&self, place: Vec2) -> Vec2 {
        let mut best = (f64::INFINITY, 0, 0.0);
        for (k, [start, along, edge]) in self.edges.iter().enumerate() {
            let part = (place - start).dot(along).clamp(0.0, 1.0);
            let distance = (start + part * edge - place).norm_squared();
            if distance < best.0 {
                best = (distance, k, part);
            }
        }
        self.on_edge(best.1, best.2)
    }
}

/// u = (r₂^α u₁ + r₁^α u₂) / (r₁^α + r₂^α) (18); u₁ where both distances are zero.
///
/// α = 1 is linear along the chord and keeps every linear field; a small α approaches the mean, a large one the nearer end.
pub fn blend(r1: f64, r2: f64, u1: f64, u2: f64, exponent: f64) -> f64 {
    let whole = r1 + r2;
    if whole <= 0.0 {
        return u1;
    }
    if exponent == 1.0 {
        return (r2 * u1 + r1 * u2) / whole;
    }
    let [near, far] = [r1 / whole, r2 / whole].map(|r| r.powf(exponent));
    (far * u1 + near * u2) / (near + far)
}

/// Two planes at right angles through a common axis.
///
/// In the coordinates of a section x is along its side and y along the axis, from the common origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoSections {
    origin: Vector3<f64>,
    axis: Vector3<f64>,
    sides: [Vector3<f64>; 2],
}

impl TwoSections {
    /// The planes through `origin` \[m\] that contain `axis`; the first one contains `side` too.
    ///
    /// For a body on a floor the axis runs from the middle of the contact to the centroid.
    pub fn new(origin: Vector3<f64>, axis: Vector3<f64>, side: Vector3<f64>) -> Result<Self, SectionError> {
        let axis = axis.try_normalize(0.0).ok_or(SectionError::Directions)?;
        let across = axis.cross(&side);
        let finite = origin.iter().chain(&axis).chain(&side).all(|c| c.is_finite());
        if !finite || across.norm() <= 1e-9 * side.norm() {
            return Err(SectionError::Directions);
        }
        let second = across.normalize();
        Ok(TwoSections { origin, axis, sides: [second.cross(&axis), second] })
    }

    /// A place in the coordinates of section 0 or 1  \[m\].
    pub fn project(&self, place: Vector3<f64>, section: usize) -> Vec2 {
        let d = place - self.origin;
        Vec2::new(d.dot(&self.sides[section]), d.dot(&self.axis))
    }

    /// The displacement of a place in space  \[m\].
    ///
    /// Each section moves it along its own side; along the common axis it moves by the mean of both.
    pub fn displacement(&self, sections: [&Section; 2], place: Vector3<f64>) -> Vector3<f64> {
        let [first, second] = [0, 1].map(|k| sections[k].displacement(self.project(place, k)));
        first.x * self.sides[0] + second.x * self.sides[1] + 0.5 * (first.y + second.y) * self.axis
    }
}

#[cfg(test)]
#[path = "sections_tests.rs"]
mod tests;
