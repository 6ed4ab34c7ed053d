//! Which bodies overlap at some positions, how deep, and which way out.
//!
//! Bodies overlap when an edge of one passes through a triangle of the other, or when one lies wholly inside the
//! other. Obstacles are shells: what lies inside a closed one without crossing it is in a container, not in a wall.
//! Bodies touch when a gap is so small that no step could open it, which is as bad.

use std::collections::BTreeMap;

use super::candidates::Candidates;
use super::crossing::{Crossing, Shapes};
use super::inside::inside;
use super::law::Contact;
use super::near::keeping;
use super::way_out::{Side, WayOut, nested_way, unsure_normal};
use super::{Kind, Pair, closest};
use crate::Vec3;

/// Two bodies that overlap or touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The bodies, the lower number first; twice the same for a body that crosses itself. A half-space counts as body
    /// `first_plane_body` plus its number.
    pub bodies: [u32; 2],
    /// Edges through triangles; with a half-space, points behind its plane.
    pub crossings: usize,
    /// About how far they must move apart until they only touch  \[m\]; zero for bodies that touch.
    pub depth: f64,
    /// Motion of the first body against the second that should end it  \[m\]; zero where no motion does.
    pub push: Vec3,
}

/// What counts as an overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// Share of d̂ that must be open between different bodies. At zero only what no step could resolve counts.
    pub open: f64,
    /// Ways out lead clear of the whole other body, not only out of the nearest side.
    pub far: bool,
}

impl Demand {
    /// Only what no step could resolve.
    pub const STRICT: Demand = Demand { open: 0.0, far: false };
    /// What a way out opens beyond the demand, over it.
    const SPARE: f64 = 0.1;

    /// What a way out opens, in d̂.
    fn opened(&self) -> f64 {
        self.open * (1.0 + Demand::SPARE)
    }
}

/// A rope whose parts are nearer to each other than this part of its thickness crosses itself.
const CROSSES: f64 = 1e-6;

/// Finds overlaps; keeps its memory.
#[derive(Debug)]
pub struct OverlapSearch {
    shapes: Shapes,
    candidates: Candidates,
}

/// What is wrong between two bodies.
#[derive(Debug, Default)]
struct Group {
    parts: [usize; 2],
    crossings: Vec<Crossing>,
    /// The first part lies wholly inside the second.
    nested: bool,
    /// Sum of directions from the second to the first over all touches, and the most that a gap lacks  \[m\]
    directions: Vec3,
    lacking: f64,
}

impl OverlapSearch {
    /// For the surfaces of this contact.
    pub fn new(contact: &Contact) -> OverlapSearch {
        OverlapSearch { shapes: Shapes::new(contact), candidates: Candidates::new(&contact.surface) }
    }

    /// All overlaps with the surface points at `x` \[m\], in the order of the bodies' numbers.
    pub fn find(&mut self, contact: &Contact, x: &[Vec3], demand: Demand) -> Vec<Overlap> {
        self.shapes.fit(contact, x);
        let mut groups = BTreeMap::new();
        for crossing in self.shapes.crossings(x) {
            group(&mut groups, contact, [crossing.edge[0], crossing.triangle[0]]).crossings.push(crossing);
        }
        self.add_nested(contact, x, &mut groups);
        self.add_touches(contact, x, demand, &mut groups);
        let mut found: Vec<Overlap> = groups
            .into_iter()
            .map(|(bodies, group)| self.overlap(contact, x, demand, bodies, &group))
            .collect();
        found.extend(below_planes(contact, x, demand));
        found.sort_by_key(|overlap| overlap.bodies);
        found
    }

    /// Bodies wholly inside others: they cross nothing, so one point tells.
    fn add_nested(&self, contact: &Contact, x: &[Vec3], groups: &mut BTreeMap<[u32; 2], Group>) {
        let parts = contact.surface.parts();
        for [a, b] in self.shapes.near_parts().filter(|[a, b]| a != b) {
            let key = [parts[a].body.min(parts[b].body), parts[a].body.max(parts[b].body)];
            for [inner, outer] in [[a, b], [b, a]] {
                let solid = parts[outer].skin.closed() && !parts[outer].fixed;
                let tree = &self.shapes.trees[outer];
                let probe = || parts[inner].points.iter().map(|&p| &x[p as usize]).next();
                if key[0] == key[1] || !solid || groups.contains_key(&key) {
                    continue;
                }
                if probe().is_some_and(|point| inside(tree, x, point)) {
                    groups.insert(key, Group { parts: [inner, outer], nested: true, ..Group::default() });
                }
            }
        }
    }

    fn add_touches(
        &mut self,
        contact: &Contact,
        x: &[Vec3],
        demand: Demand,
        groups: &mut BTreeMap<[u32; 2], Group>,
    ) {
        self.candidates.rebuild(&contact.surface, x, x, &contact.distance);
        for pair in self.candidates.pairs() {
            let kept = keeping(contact, pair);
            let own = kept.bodies[0] == kept.bodies[1];
            let open = if own { 0.0 } else { demand.open };
            let at = pair.points.map(|p| x[p as usize]);
            let near = closest(pair.kind, &at);
            let radii = pair.points.map(|p| contact.surface.radius_at(p));
            // What crosses itself at rest has no distance at rest to keep.
            let least = if own { CROSSES * (radii[0] + radii[3]) } else { 0.0 };
            let lacking = (kept.floor + open * kept.range).max(least) - near.distance();
            if lacking < 0.0 {
                continue;
            }
            let group = group(groups, contact, [pair.points[0], pair.points[3]]);
            group.lacking = group.lacking.max(lacking);
            let first = contact.surface.parts()[group.parts[0]].body == kept.bodies[0];
            let sign = if first { 1.0 } else { -1.0 };
            group.directions += sign * direction(contact, pair, &at, near.delta, x);
        }
    }

    fn overlap(
        &self,
        contact: &Contact,
        x: &[Vec3],
        demand: Demand,
        bodies: [u32; 2],
        group: &Group,
    ) -> Overlap {
        let crossings = group.crossings.len();
        if bodies[0] == bodies[1] {
            let depth = |c: &Crossing| c.heights(x).map(f64::abs).into_iter().fold(f64::INFINITY, f64::min);
            let depth = group.crossings.iter().map(depth).fold(0.0, f64::max);
            return Overlap { bodies, crossings, depth, push: Vec3::zeros() };
        }
        let range = contact.distance.between(group.parts[0], group.parts[1]);
        let radii: f64 = group.parts.map(|part| contact.surface.parts()[part].radius).iter().sum();
        let spare = radii + contact.floor(range) + demand.opened() * range;
        let sides = group.parts.map(|part| Side::new(contact, &self.shapes, part, x));
        let only_touch = crossings == 0 && !group.nested;
        let WayOut { direction, depth } = match only_touch {
            true if group.directions.norm() > 1e-6 => {
                WayOut { direction: group.directions.normalize(), depth: 0.0 }
            }
            true => nested_way(&sides),
            false if group.nested || demand.far => nested_way(&sides),
            false => super::way_out::crossing_way(&sides, &group.crossings),
        };
        let way = if only_touch && depth == 0.0 {
            group.lacking + demand.open * Demand::SPARE * range
        } else {
            depth + spare
        };
        // Parts are in the order of their discovery, bodies in that of their numbers.
        let first = contact.surface.parts()[group.parts[0]].body == bodies[0];
        Overlap { bodies, crossings, depth, push: direction * if first { way } else { -way } }
    }
}

/// The group of the bodies of two points.
fn group<'g>(
    groups: &'g mut BTreeMap<[u32; 2], Group>,
    contact: &Contact,
    points: [u32; 2],
) -> &'g mut Group {
    let parts = points.map(|p| contact.surface.part_of(p).unwrap_or(0));
    let [a, b] = parts.map(|part| contact.surface.parts()[part].body);
    groups.entry([a.min(b), a.max(b)]).or_insert_with(|| Group { parts, ..Group::default() })
}

/// Unit direction from the second primitive to the first, also where they have no distance.
fn direction(contact: &Contact, pair: &Pair, at: &[Vec3; 4], delta: Vec3, x: &[Vec3]) -> Vec3 {
    let size = at.iter().map(|x| x.amax()).fold(0.0, f64::max);
    if delta.norm() > 1e-12 * size {
        return delta.normalize();
    }
    let [p, a, b, c] = at;
    let normal = match pair.kind {
        Kind::EdgeEdge => (a - p).cross(&(c - b)),
        _ => (b - a).cross(&(c - a)),
    };
    unsure_normal(contact, [pair.points[0], pair.points[3]], normal, x)
}

/// Bodies with points behind a plane, or too near to it.
fn below_planes(contact: &Contact, x: &[Vec3], demand: Demand) -> Vec<Overlap> {
    let mut found = vec![];
    for (k, plane) in contact.half_spaces.iter().enumerate() {
        let plane_body = contact.first_plane_body + k as u32;
        for (number, part) in contact.surface.parts().iter().enumerate() {
            if part.fixed || contact.surface.excludes(part.body, plane_body) {
                continue;
            }
            let range = contact.distance.at_plane(number, k);
            let floor = part.radius + contact.floor(range);
            let heights = || part.points.iter().map(|&p| plane.height(&x[p as usize]));
            let least = heights().fold(f64::INFINITY, f64::min);
            if least <= floor + demand.open * range {
                found.push(Overlap {
                    bodies: [part.body, plane_body],
                    crossings: heights().filter(|&height| height < 0.0).count(),
                    depth: (-least).max(0.0),
                    push: plane.normal * (floor + demand.opened() * range - least),
                });
            }
        }
    }
    found
}
