//! Looks over a step: which surfaces would meet in it, and when.

use super::contact::SpringContact;
use super::spring::{Meeting, Spring};
use super::{Bounds, Cubic, Path, SweepAndPrune, Wedge, edge_edge, sweep_boxes, vertex_face};
use crate::Vec3;

/// Places and velocities of all points at the start and at the end of a step.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Times  \[s\]
    pub t: [f64; 2],
    /// Places  \[m\]
    pub x: [Vec<Vec3>; 2],
    /// Velocities  \[m/s\]
    pub v: [Vec<Vec3>; 2],
}

/// A meeting: when, and the spring for it, which has no stiffness yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct First {
    /// Time, rounded down  \[s\]
    pub t: f64,
    /// Who, with their weights.
    pub spring: Spring,
}

/// The elements of all surfaces, and which of them are near each other. Nothing of it must outlast a process: it is
/// built anew after a restart and finds the same.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Points of surfaces, as numbered in frames; what follows counts in this list.
    points: Vec<u32>,
    edges: Vec<[u32; 2]>,
    /// Ends of the opposite edge of a tetrahedron at each edge.
    opposite: Vec<[u32; 2]>,
    /// The third points of the triangles at each edge.
    across: Vec<[u32; 2]>,
    faces: Vec<[u32; 3]>,
    /// Body of each point, edge and face, in this order.
    bodies: Vec<u32>,
    paths: Vec<Path>,
    /// The box of each path.
    tight: Vec<Bounds>,
    /// Boxes of points, edges and faces that hold for some steps.
    boxes: Vec<Bounds>,
    near: SweepAndPrune,
    found: Vec<First>,
}

impl Watch {
    /// For the surfaces of a world; empty where there are no springs.
    pub fn new(contact: Option<&SpringContact>) -> Watch {
        let mut watch = Watch::default();
        let Some(contact) = contact else { return watch };
        let mut body_of = [vec![], vec![], vec![]];
        for (body, skin) in contact.skins.iter().enumerate() {
            let first = watch.points.len();
            watch.points.extend(&skin.points);
            let mut others: Vec<u32> = skin.edges.iter().flat_map(|side| side.opposite).collect();
            others.retain(|point| skin.points.binary_search(point).is_err());
            others.sort_unstable();
            others.dedup();
            watch.points.extend(&others);
            let place = |point: u32| {
                let place = skin.points.binary_search(&point);
                let inner = || skin.points.len() + others.binary_search(&point).unwrap_or(0);
                (first + place.unwrap_or_else(|_| inner())) as u32
            };
            for side in &skin.edges {
                watch.edges.push(side.ends.map(place));
                watch.across.push(side.across.map(place));
                watch.opposite.push(side.opposite.map(place));
            }
            watch.faces.extend(skin.triangles.iter().map(|triangle| triangle.map(place)));
            let body = body as u32;
            body_of[0].resize(first + skin.points.len(), body);
            // Points inside only tell where the inside is.
            body_of[0].resize(watch.points.len(), NOBODY);
            body_of[1].resize(watch.edges.len(), body);
            body_of[2].resize(watch.faces.len(), body);
        }
        watch.bodies = body_of.concat();
        watch
    }

    /// All meetings of a step, in the order of time. Pairs that have a spring in `memory` are left out.
    pub fn meetings(&mut self, contact: &SpringContact, trace: &Trace, memory: &[f64]) -> &[First] {
        self.paths.clear();
        let length = trace.t[1] - trace.t[0];
        self.paths.extend(self.points.iter().map(|&point| {
            let p = point as usize;
            Path::hermite(trace.x[0][p], trace.v[0][p], trace.x[1][p], trace.v[1][p], length)
        }));
        self.tight.clear();
        self.tight.extend(self.paths.iter().map(Bounds::of_path));
        if self.boxes.is_empty() || self.tight.iter().zip(&self.boxes).any(|(tight, wide)| !wide.holds(tight))
        {
            self.look_around(contact);
        }
        let (first_edge, first_face) =
            (self.points.len() as u32, (self.points.len() + self.edges.len()) as u32);
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let pairs = self.near.pairs().iter();
        found.extend(pairs.filter_map(|&[i, j]| match i < first_edge {
            true => self.vertex_and_face(i as usize, (j - first_face) as usize, trace),
            false => self.two_edges((i - first_edge) as usize, (j - first_edge) as usize, trace),
        }));
        self.add_walls(contact, trace, &mut found);
        let tied = |first: &First| {
            contact.springs(memory).any(|spring| spring.joins(first.spring.meeting, &first.spring.points))
        };
        found.retain(|first| !tied(first));
        found.sort_by(|a, b| a.t.total_cmp(&b.t));
        self.found = found;
        &self.found
    }

    /// The pairs that are near each other, and stay the only ones until a path leaves its box.
    fn look_around(&mut self, contact: &SpringContact) {
        let length = |&[a, b]: &[u32; 2]| (self.paths[a as usize].0[0] - self.paths[b as usize].0[0]).norm();
        let mean = self.edges.iter().map(length).sum::<f64>() / self.edges.len().max(1) as f64;
        sweep_boxes(&self.paths, &self.edges, &self.faces, SLACK * mean, &mut self.boxes);
        let Watch { points, edges, faces, bodies, near, .. } = self;
        let (first_edge, first_face) = (points.len() as u32, (points.len() + edges.len()) as u32);
        near.update(&self.boxes, |i, j| {
            let [a, b] = [bodies[i as usize], bodies[j as usize]];
            let apart = match (i < first_edge, i < first_face, j < first_edge, j < first_face) {
                (true, _, false, false) => !faces[(j - first_face) as usize].contains(&i),
                (false, true, false, true) => {
                    let [one, other] = [i, j].map(|edge| edges[(edge - first_edge) as usize]);
                    one.iter().all(|end| !other.contains(end))
                }
                _ => false,
            };
            apart && a != NOBODY && b != NOBODY && contact.meet(a, b)
        });
    }

    /// The box of the motion of an element, from its corners.
    fn swept<const N: usize>(&self, corners: [u32; N]) -> Bounds {
        let rest = corners[1..].iter().map(|&corner| &self.tight[corner as usize]);
        rest.fold(self.tight[corners[0] as usize], |sum, tight| sum.join(tight))
    }

    /// What [`Watch::meetings`] found last.
    pub fn found(&self) -> &[First] {
        &self.found
    }

    fn first(&self, trace: &Trace, u: f64, spring: Spring) -> First {
        First { t: trace.t[0] + u * (trace.t[1] - trace.t[0]), spring }
    }

    fn vertex_and_face(&self, vertex: usize, face: usize, trace: &Trace) -> Option<First> {
        let corners = self.faces[face];
        if !self.tight[vertex].meets(&self.swept(corners)) {
            return None;
        }
        let touch = vertex_face(&self.paths[vertex], corners.map(|corner| &self.paths[corner as usize]))?;
        let [a, b, c] = corners.map(|corner| self.points[corner as usize]);
        let bodies = [self.bodies[vertex], self.bodies[self.points.len() + self.edges.len() + face]];
        let points = [self.points[vertex], a, b, c];
        Some(self.first(trace, touch.u, spring(Meeting::VertexFace, points, touch.weights, bodies)))
    }

    fn two_edges(&self, one: usize, other: usize, trace: &Trace) -> Option<First> {
        let near = self.swept(self.edges[one]).meets(&self.swept(self.edges[other]));
        if !near || !self.is_convex(one) || !self.is_convex(other) {
            return None;
        }
        let wedge = |edge: usize| Wedge {
            ends: self.edges[edge].map(|end| &self.paths[end as usize]),
            opposite: self.opposite[edge].map(|end| &self.paths[end as usize]),
        };
        let touch = edge_edge(&wedge(one), &wedge(other))?;
        let bodies = [one, other].map(|edge| self.bodies[self.points.len() + edge]);
        let [[a, b], [c, d]] = [one, other].map(|edge| self.edges[edge].map(|end| self.points[end as usize]));
        let [s, t, u, v] = touch.weights;
        // In this order the first edge is on the side of e₁ × e₂ before they meet.
        let (points, weights) =
            if touch.falling { ([a, b, c, d], [s, t, u, v]) } else { ([a, b, d, c], [s, t, v, u]) };
        Some(self.first(trace, touch.u, spring(Meeting::EdgeEdge, points, weights, bodies)))
    }

    /// Whether the surface bends outward at an edge, at the start of the step. Others cannot be met by an edge first.
    fn is_convex(&self, edge: usize) -> bool {
        let at = |point: u32| &self.paths[point as usize].0[0];
        let ([a, b], [c, d]) = (self.edges[edge].map(at), self.across[edge].map(at));
        (b - a).cross(&(c - a)).dot(&(d - a)) < 0.0
    }

    /// Vertices that enter half-spaces.
    fn add_walls(&self, contact: &SpringContact, trace: &Trace, found: &mut Vec<First>) {
        for (number, wall) in contact.walls.iter().enumerate() {
            let body = (contact.skins.len() + number) as u32;
            for (vertex, path) in self.paths.iter().enumerate() {
                if self.bodies[vertex] == NOBODY || !contact.meet(self.bodies[vertex], body) {
                    continue;
                }
                let height = Cubic(path.0.map(|x| (x - wall.point).dot(&wall.normal)));
                let entry = height.passages().find(|passage| passage.falling);
                let Some(entry) = entry else { continue };
                let points = [self.points[vertex]; 4];
                let meeting = Meeting::VertexWall(number as u32);
                let bodies = [self.bodies[vertex], body];
                let spring = spring(meeting, points, [1.0, 0.0, 0.0, 0.0], bodies);
                found.push(self.first(trace, entry.u, spring));
            }
        }
    }
}

/// Boxes are wider than the motion of a step by this part of the mean edge, so that they hold for many steps.
const SLACK: f64 = 0.05;

/// The body of points that are on no surface.
const NOBODY: u32 = u32::MAX;

/// A spring between those who meet, without stiffness.
fn spring(meeting: Meeting, points: [u32; 4], weights: [f64; 4], bodies: [u32; 2]) -> Spring {
    Spring { meeting, points, weights, place: Vec3::zeros(), stiffness: 0.0, bodies }
}
