//! Boxes around the motion of vertices, edges and faces over one step.
//!
//! A cubic motion stays in the hull of its Bernstein points, so their box holds it. The box of an edge or a face holds
//! those of its corners.

use super::Path;

/// A box with sides along the axes  \[m\]. It meets nothing when a bound is not a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least coordinates  \[m\]
    pub low: [f64; 3],
    /// Greatest coordinates  \[m\]
    pub high: [f64; 3],
}

impl Bounds {
    /// The box of the motion of a vertex.
    #[inline]
    pub fn of_path(path: &Path) -> Bounds {
        let points = &path.0;
        let least = |axis: usize| points.iter().map(|p| p[axis]).reduce(lesser).unwrap_or(f64::NAN);
        let most = |axis: usize| points.iter().map(|p| p[axis]).reduce(greater).unwrap_or(f64::NAN);
        Bounds { low: [0, 1, 2].map(least), high: [0, 1, 2].map(most) }
    }

    /// The box around two boxes.
    #[inline]
    pub fn join(&self, other: &Bounds) -> Bounds {
        let axes = [0, 1, 2];
        Bounds {
            low: axes.map(|axis| lesser(self.low[axis], other.low[axis])),
            high: axes.map(|axis| greater(self.high[axis], other.high[axis])),
        }
    }

    /// The box wider by `margin` on all sides  \[m\].
    #[inline]
    pub fn widen(&self, margin: f64) -> Bounds {
        Bounds { low: self.low.map(|low| low - margin), high: self.high.map(|high| high + margin) }
    }

    /// Whether low ≤ high on each axis.
    #[inline]
    pub fn is_sound(&self) -> bool {
        (0..3).all(|axis| self.low[axis] <= self.high[axis])
    }

    /// Whether all of another box is in this one.
    #[inline]
    pub fn holds(&self, other: &Bounds) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.low[axis] && other.high[axis] <= self.high[axis])
    }

    /// Whether two boxes have a point in common; the rims count.
    #[inline]
    pub fn meets(&self, other: &Bounds) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }
}

/// The lesser of two, or not a number if one is not.
#[inline]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b || a.is_nan() { a } else { b }
}

/// The greater of two, or not a number if one is not.
#[inline]
fn greater(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// Boxes of all vertices, then all edges, then all faces, each wider by `margin` \[m\], into a list that is used again.
///
/// The corners of edges and faces must be places in `paths`.
pub fn sweep_boxes(
    paths: &[Path],
    edges: &[[u32; 2]],
    faces: &[[u32; 3]],
    margin: f64,
    boxes: &mut Vec<Bounds>,
) {
    boxes.clear();
    boxes.reserve(paths.len() + edges.len() + faces.len());
    boxes.extend(paths.iter().map(|path| Bounds::of_path(path).widen(margin)));
    for &[a, b] in edges {
        boxes.push(boxes[a as usize].join(&boxes[b as usize]));
    }
    for &[a, b, c] in faces {
        boxes.push(boxes[a as usize].join(&boxes[b as usize]).join(&boxes[c as usize]));
    }
}

#[cfg(test)]
#[path = "boxes_tests.rs"]
mod tests;
