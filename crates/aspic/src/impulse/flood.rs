//! Points inside closed surfaces (Kharevych & Khan 2002).
//!
//! Bounding spheres first, then boxes. Then each edge of one body against the triangles of the other: an edge that passes
//! through an odd number of times is cut, and its inner end is a seed. A depth-first flood from the seeds over the edges
//! that are not cut collects all points inside. A body that is inside as a whole has no cut edge and is not found.

use super::{Hit, Impulses, Shape, pierce};
use crate::Vec3;
use crate::contact::{Kind, closest};

/// Passages at fractions of an edge nearer than this are one, on the rim between two triangles.
const SAME: f64 = 1e-12;
/// A point is on a face if it is nearer than this part of the face's size.
const ON_FACE: f64 = 1e-9;

impl Impulses {
    /// Points of each body inside each other one, and the nearest face of that.
    pub(super) fn find_enclosed(&self, x: &[Vec3], hits: &mut Vec<Hit>) {
        let rounds: Vec<Round> = self.shapes.iter().map(|shape| Round::of(shape, x)).collect();
        for (a, one) in self.shapes.iter().enumerate() {
            for (b, other) in self.shapes.iter().enumerate() {
                let near = a != b && !other.skin.is_empty() && rounds[a].meets(&rounds[b]);
                if near && self.meet(a, b) {
                    let inside = one.enclosed_by(other, x);
                    push_out(&inside, other, x, [a as u32, b as u32], hits);
                }
            }
        }
    }
}

/// A sphere around a body.
struct Round {
    center: Vec3,
    radius: f64,
}

impl Round {
    fn of(shape: &Shape, x: &[Vec3]) -> Round {
        let (lo, hi) = bounds(&shape.points, x);
        let center = (lo + hi) / 2.0;
        let away = |&p: &u32| (x[p as usize] - center).norm();
        Round { center, radius: shape.points.iter().map(away).fold(0.0, f64::max) }
    }

    fn meets(&self, other: &Round) -> bool {
        (self.center - other.center).norm() <= self.radius + other.radius
    }
}

/// The box around some points.
fn bounds(points: &[u32], x: &[Vec3]) -> (Vec3, Vec3) {
    let none = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    points.iter().fold(none, |(lo, hi), &p| (lo.inf(&x[p as usize]), hi.sup(&x[p as usize])))
}

/// Whether two boxes meet.
fn meet(a: &(Vec3, Vec3), b: &(Vec3, Vec3)) -> bool {
    (0..3).all(|axis| a.0[axis] <= b.1[axis] && b.0[axis] <= a.1[axis])
}

impl Shape {
    /// The points inside the closed skin of another body, ascending, for points at `x` \[m\].
    pub fn enclosed_by(&self, other: &Shape, x: &[Vec3]) -> Vec<u32> {
        let (mine, theirs) = (bounds(&self.points, x), bounds(&other.points, x));
        let faces: Vec<(&[u32; 3], (Vec3, Vec3))> = other
            .skin
            .iter()
            .map(|face| (face, bounds(face, x)))
            .filter(|(_, face)| meet(face, &mine))
            .collect();
        let mut cut = vec![false; self.graph.edges().len()];
        let mut seeds = vec![];
        for (edge, ends) in self.graph.edges().enumerate() {
            let whole = bounds(&ends, x);
            if !meet(&whole, &theirs) {
                continue;
            }
            let near = faces.iter().filter(|(_, face)| meet(face, &whole)).map(|(face, _)| *face);
            if let Some(inner) = inner_end(ends, near, x) {
                cut[edge] = true;
                seeds.push(inner);
            }
        }
        self.flood(seeds, &cut, |p| meet(&(x[p as usize], x[p as usize]), &theirs))
    }

    /// All points that can be reached from the seeds over edges that are not cut, ascending. What is outside of the other
    /// body's box is not inside it, whatever rounding did to a cut.
    fn flood(&self, seeds: Vec<u32>, cut: &[bool], possible: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut reached = std::collections::BTreeSet::new();
        let mut open = seeds;
        while let Some(point) = open.pop() {
            if possible(point) && reached.insert(point) {
                open.extend(self.graph.around(point).filter(|(_, edge)| !cut[*edge]).map(|(next, _)| next));
            }
        }
        reached.into_iter().collect()
    }
}

/// The end of an edge that is inside, if the edge passes through an odd number of the faces.
fn inner_end<'a>([p, q]: [u32; 2], faces: impl Iterator<Item = &'a [u32; 3]>, x: &[Vec3]) -> Option<u32> {
    let through = |face: &[u32; 3]| {
        pierce(&x[p as usize], &x[q as usize], face.each_ref().map(|&corner| &x[corner as usize]))
    };
    let mut passages: Vec<(f64, bool)> = faces.filter_map(through).collect();
    passages.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Through the rim between two faces the edge passes once, though it meets both.
    passages.dedup_by(|next, last| next.1 == last.1 && next.0 - last.0 < SAME);
    let odd = passages.len() % 2 == 1;
    // Who comes out first was inside.
    passages.first().filter(|_| odd).map(|&(_, out)| if out { p } else { q })
}

/// For each inside point the nearest face: weights (1, −w), pushed out along the shortest way.
fn push_out(inside: &[u32], other: &Shape, x: &[Vec3], bodies: [u32; 2], hits: &mut Vec<Hit>) {
    if inside.is_empty() {
        return;
    }
    let round = |face: &[u32; 3]| {
        let corners = face.map(|p| x[p as usize]);
        let center = (corners[0] + corners[1] + corners[2]) / 3.0;
        (center, corners.iter().map(|corner| (corner - center).norm()).fold(0.0, f64::max))
    };
    let rounds: Vec<(Vec3, f64)> = other.skin.iter().map(round).collect();
    for &p in inside {
        let here = x[p as usize];
        let mut best: Option<Hit> = None;
        for (face, (center, radius)) in other.skin.iter().zip(&rounds) {
            let least = best.map_or(f64::INFINITY, |hit| hit.depth);
            if (center - here).norm() - radius >= least {
                continue;
            }
            let [a, b, c] = face.map(|corner| x[corner as usize]);
            let found = closest(Kind::PointTriangle, &[here, a, b, c]);
            if found.distance() < least {
                let [_, wa, wb, wc] = found.weights;
                // On the face itself the way out is the normal of the face: that of the delta is all rounding.
                let out = (b - a).cross(&(c - a));
                let normal = (-found.delta).try_normalize(ON_FACE * radius).unwrap_or(out.normalize());
                best = Some(Hit {
                    points: [(p, 1.0), (face[0], wa), (face[1], wb), (face[2], wc)],
                    normal,
                    depth: found.distance(),
                    wall: Vec3::zeros(),
                    bodies,
                });
            }
        }
        hits.extend(best.filter(|hit| hit.depth > 0.0));
    }
}

#[cfg(test)]
#[path = "flood_tests.rs"]
mod tests;
