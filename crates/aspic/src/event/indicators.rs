//! Passages of a vertex through a face (30) and of an edge through an edge (31) (Liesenfeld & Stolfi 1997, 6.3).
//!
//! Four points lie in a plane when their volume det[x₁−x₀, x₂−x₀, x₃−x₀] is zero. The volume over the step is taken as
//! the cubic Hermite of its values and rates at the ends, which is exact when the points move straight and evenly.
//! At each of its sign changes, in order, the points are put where their motions have them, and the first sign change
//! at which the two elements meet is the touch.
//!
//! A sign change is seen once: elements that overlap already at the start of the step are not found. The closed
//! elements are tested, with a slack, so that a vertex which runs into a common edge of two faces hits one at least.

use super::{Cubic, Path};
use crate::Vec3;

/// Weights down to minus this count as inside.
const SLACK: f64 = 1e-9;
/// Edges with a smaller sine between one and the plane of the other are parallel, and faces thinner than this have no
/// area: no test.
const FLAT: f64 = 1e-12;

/// Which elements touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchKind {
    /// A vertex and a face.
    VertexFace,
    /// Two edges.
    EdgeEdge,
}

/// The touch of two elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// When, as a part of the step, rounded down: just before the passage.
    pub u: f64,
    /// Which elements.
    pub kind: TouchKind,
    /// The weights of the four points in the gap Σ cᵢ xᵢ: (1, −w₀, −w₁, −w₂) of vertex and face,
    /// (1−s, s, −(1−t), −t) of two edges.
    pub weights: [f64; 4],
    /// Whether the volume falls through zero: always for vertex and face, and for edges if the first was on the side of
    /// (u₁ − u₀) × (v₁ − v₀) before.
    pub falling: bool,
}

/// An edge u₀u₁ with one tetrahedron at it.
#[derive(Clone, Copy, Debug)]
pub struct Wedge<'a> {
    /// u₀ and u₁.
    pub ends: [&'a Path; 2],
    /// The ends of the opposite edge of the tetrahedron, whose midpoint tells the inside.
    pub opposite: [&'a Path; 2],
}

/// The first passage of a vertex through a face from outside to inside.
///
/// Seen from outside, the corners run counter-clockwise. A vertex that starts in the plane and goes inside touches at
/// u = 0. One that stays in the plane, or comes to it and turns back, does not touch.
pub fn vertex_face(vertex: &Path, face: [&Path; 3]) -> Option<Touch> {
    let [a, b, c] = face;
    let volume = volume(&[a, b, c, vertex]); // g₃ = n · (v − u₀)
    volume.passages().filter(|passage| passage.falling).find_map(|passage| {
        let weights = within_face(&vertex.at(passage.u), &face.map(|corner| corner.at(passage.u)))?;
        Some(Touch { u: passage.u, kind: TouchKind::VertexFace, weights, falling: true })
    })
}

/// The first passage of two edges through each other, from outside of both tetrahedra.
///
/// Parallel edges do not touch: their ends meet faces. Edges with a common end, and edges at which the surface is
/// concave, are not to be tested.
pub fn edge_edge(first: &Wedge, second: &Wedge) -> Option<Touch> {
    let ([a, b], [c, d]) = (first.ends, second.ends);
    volume(&[a, b, c, d]).passages().find_map(|passage| {
        let side = if passage.falling { 1.0 } else { -1.0 };
        let weights = across_edges(&first.at(passage.u), &second.at(passage.u), side)?;
        Some(Touch { u: passage.u, kind: TouchKind::EdgeEdge, weights, falling: passage.falling })
    })
}

impl Wedge<'_> {
    /// Both ends and the midpoint of the opposite edge  \[m\].
    fn at(&self, u: f64) -> [Vec3; 3] {
        let [e, f] = self.opposite.map(|path| path.at(u));
        [self.ends[0].at(u), self.ends[1].at(u), 0.5 * (e + f)]
    }
}

/// det[x₁−x₀, x₂−x₀, x₃−x₀] over the step  \[m³\].
#[inline]
fn volume(paths: &[&Path; 4]) -> Cubic {
    let [ga, dga] = volume_and_rate(paths.map(|path| path.0[0]), paths.map(|path| path.end_rates()[0]));
    let [gb, dgb] = volume_and_rate(paths.map(|path| path.0[3]), paths.map(|path| path.end_rates()[1]));
    Cubic::hermite(ga, dga, gb, dgb, 1.0)
}

/// det[a, b, c] = a × b · c, and its rate (a′ × b + a × b′) · c + a × b · c′.
#[inline]
fn volume_and_rate(x: [Vec3; 4], rates: [Vec3; 4]) -> [f64; 2] {
    let [a, b, c] = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
    let [da, db, dc] = [rates[1] - rates[0], rates[2] - rates[0], rates[3] - rates[0]];
    let n = a.cross(&b);
    [n.dot(&c), (da.cross(&b) + a.cross(&db)).dot(&c) + n.dot(&dc)]
}

/// The weights of the gap if the vertex is in the prism over the face: gᵢ = (v − uᵢ) · n × (uᵢ₊₁ − uᵢ) = |n|² wᵢ₊₂.
fn within_face(v: &Vec3, face: &[Vec3; 3]) -> Option<[f64; 4]> {
    let [a, b, c] = face;
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let n = ab.cross(&ac);
    let flat = n.norm() <= FLAT * ab.norm_squared().max(ac.norm_squared()).max(bc.norm_squared());
    let n2 = n.norm_squared();
    let side = |from: &Vec3, along: &Vec3| (v - from).dot(&n.cross(along)) / n2;
    let w = [side(b, &bc), side(c, &-ac), side(a, &ab)];
    if flat || !w.iter().all(|w| *w >= -SLACK) {
        return None;
    }
    let w = w.map(|w| w.max(0.0));
    let sum: f64 = w.iter().sum();
    Some([1.0, -w[0] / sum, -w[1] / sum, -w[2] / sum])
}

/// The weights of the gap if the edges cross and each tetrahedron is on its own side.
///
/// The plane of u₀, u₁, p cuts the second edge at t = g₀/(g₀ + g₁), that of v₀, v₁, q cuts the first at
/// s = g₂/(g₂ + g₃). `side` is the common sign of g₀ … g₃ that is asked for.
fn across_edges(first: &[Vec3; 3], second: &[Vec3; 3], side: f64) -> Option<[f64; 4]> {
    let t = cut(first, second, side)?;
    let s = cut(second, first, side)?;
    Some([1.0 - s, s, t - 1.0, -t])
}

/// Where the second edge goes through the plane of the first and its p, with its start on the given side.
fn cut(first: &[Vec3; 3], second: &[Vec3; 3], side: f64) -> Option<f64> {
    let ([u0, u1, p], [v0, v1, _]) = (first, second);
    let r = side * (u0 - p).cross(&(u1 - p));
    let both = (v0 - v1).dot(&r); // g₀ + g₁
    let through = both > FLAT * r.norm() * (v0 - v1).norm();
    let t = (v0 - p).dot(&r) / both;
    (through && (-SLACK..=1.0 + SLACK).contains(&t)).then(|| t.clamp(0.0, 1.0))
}

#[cfg(test)]
#[path = "indicators_tests.rs"]
mod tests;
