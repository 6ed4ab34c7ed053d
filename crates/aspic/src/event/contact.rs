//! Who may meet whom, and the springs between those who have met.

use std::collections::BTreeSet;

use super::solid::{crosses, inside};
use super::spring::{Meeting, Spring};
use crate::Vec3;
use crate::contact::{Kind, closest};
use crate::impulse::Wall;

/// When a spring is taken away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Removal {
    /// When its vertex has left the other body, or its edges both bodies; a vertex that came near to another face is tied
    /// to that one.
    #[default]
    Outside,
    /// When it would pull, seen from the face where it began. A vertex that leaves through another face keeps its spring
    /// for ever: the rule of 1997.
    Paper,
}

/// The surface of one body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Its points, ascending.
    pub points: Vec<u32>,
    /// Its edges, and the points across them in their two triangles.
    pub edges: Vec<Side>,
    /// Its triangles, outward.
    pub triangles: Vec<[u32; 3]>,
    /// Whether its motion is prescribed.
    pub fixed: bool,
}

/// An edge between two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Its ends, the lower first.
    pub ends: [u32; 2],
    /// The third points of its triangles: first of the one in which the edge runs from the lower end to the higher.
    pub across: [u32; 2],
    /// The opposite edge of a tetrahedron at the edge, whose middle is inside; the points across where there is none.
    pub opposite: [u32; 2],
}

impl Skin {
    /// Of closed triangles, outward. `None` if a side has not two triangles that turn the same way.
    pub fn new(triangles: &[[u32; 3]], fixed: bool) -> Option<Skin> {
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b, c], [b, c, a], [c, a, b]]);
        let mut up: Vec<[u32; 3]> = sides.clone().filter(|[a, b, _]| a < b).collect();
        let mut down: Vec<[u32; 3]> = sides.filter(|[a, b, _]| a > b).map(|[a, b, c]| [b, a, c]).collect();
        up.sort_unstable();
        down.sort_unstable();
        let paired = |(one, other): (&[u32; 3], &[u32; 3])| one[..2] == other[..2];
        if up.len() != down.len() || !up.iter().zip(&down).all(paired) {
            return None;
        }
        let side = |(one, other): (&[u32; 3], &[u32; 3])| Side {
            ends: [one[0], one[1]],
            across: [one[2], other[2]],
            opposite: [one[2], other[2]],
        };
        let mut points: Vec<u32> = triangles.iter().flatten().copied().collect();
        points.sort_unstable();
        points.dedup();
        let edges = up.iter().zip(&down).map(side).collect();
        Some(Skin { points, edges, triangles: triangles.to_vec(), fixed })
    }

    /// Looks for the inside of each edge in the tetrahedra of the body.
    pub fn look_inside(&mut self, tets: &[[u32; 4]]) {
        let corners = [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]];
        for (tet, [i, j, k, l]) in tets.iter().flat_map(|tet| corners.map(|order| (tet, order))) {
            let ends = [tet[i].min(tet[j]), tet[i].max(tet[j])];
            if let Ok(place) = self.edges.binary_search_by_key(&ends, |side| side.ends) {
                self.edges[place].opposite = [tet[k], tet[l]];
            }
        }
    }
}

/// Contact by springs; it does not change during a run. The springs themselves are in the memory of the state.
#[derive(Clone, Debug, Default)]
pub struct SpringContact {
    /// One surface for each body.
    pub skins: Vec<Skin>,
    /// Half-spaces; number k counts as body `skins.len() + k`.
    pub walls: Vec<Wall>,
    /// When springs are taken away.
    pub removal: Removal,
    /// Coulomb's μ: the foot of a spring slides. `None`: it sticks.
    pub friction: Option<f64>,
    /// Whether bodies meet themselves.
    pub own: bool,
    /// Pairs that pass through each other, the lower number first.
    pub off: BTreeSet<[u32; 2]>,
    /// Whether multipliers hold what has met, instead of springs. Feet that slide then do so without friction.
    pub rigid: bool,
    /// The distance at which multipliers hold surfaces  \[m\]
    pub gap: f64,
    /// k of a spring at each point, infinite where the motion is prescribed  \[N/m\]
    pub stiffness: Vec<f64>,
    /// Where the springs begin in the memory of the state.
    pub memory: usize,
}

/// What became of the springs at the end of a step  \[J\]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Released {
    /// Energy of springs that were taken away or tied to another place.
    pub lost: f64,
    /// Whether any force has changed.
    pub changed: bool,
}

impl SpringContact {
    /// Whether two bodies meet at all.
    pub fn meet(&self, a: u32, b: u32) -> bool {
        let fixed = |k: u32| self.skins.get(k as usize).is_none_or(|skin| skin.fixed);
        let off = self.off.contains(&[a.min(b), a.max(b)]);
        !off && (!fixed(a) || !fixed(b)) && (a != b || self.own)
    }

    /// The springs in a memory.
    pub fn springs<'a>(&self, memory: &'a [f64]) -> impl DoubleEndedIterator<Item = Spring> + 'a {
        Spring::list(&memory[self.memory.min(memory.len())..])
    }

    /// k of a new spring: the softer side counts, edges and faces by their softest point  \[N/m\]
    pub fn stiffness_of(&self, points: &[u32; 4], weights: &[f64; 4]) -> f64 {
        let heavy = points.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
        heavy.map(|(point, _)| self.stiffness[*point as usize]).fold(f64::INFINITY, f64::min)
    }

    /// Goes through all springs at the end of a step whose points are at `x` \[m\]: takes away what must not stay, and
    /// moves the feet of the others.
    pub fn release(&self, x: &[Vec3], memory: &mut Vec<f64>) -> Released {
        let mut released = Released::default();
        let energy = |spring: &Spring| match self.rigid {
            true => 0.0,
            false => 0.5 * spring.stiffness * self.felt(spring, |point| x[point as usize]).norm_squared(),
        };
        let kept: Vec<Spring> = self
            .springs(memory)
            .filter_map(|spring| {
                let next = match self.removal {
                    _ if self.rigid => self.walk_on(spring, x),
                    Removal::Paper => (!self.pulls(&spring, x)).then_some(spring),
                    Removal::Outside => self.still_inside(&spring, x),
                };
                released.changed |= next != Some(spring);
                released.lost += energy(&spring) - next.as_ref().map_or(0.0, energy);
                let slid = next.map(|spring| if self.rigid { spring } else { self.slide(spring, x) });
                released.changed |= slid != next;
                slid
            })
            .collect();
        if released.changed {
            memory.truncate(self.memory);
            kept.iter().for_each(|spring| memory.extend(spring.to_array()));
        }
        released
    }

    /// δ·n > 0 with the outward normal of what the first point has entered: the spring pulls.
    fn pulls(&self, spring: &Spring, x: &[Vec3]) -> bool {
        let stretch = spring.stretch(|point| x[point as usize]);
        self.normal(spring, &|point| x[point as usize]).dot(&stretch) > 0.0
    }

    /// Normal of the second body at the spring, of any length.
    pub fn normal(&self, spring: &Spring, place: &impl Fn(u32) -> Vec3) -> Vec3 {
        if let Meeting::VertexWall(wall) = spring.meeting {
            return self.walls[wall as usize].normal;
        }
        let [p, a, b, c] = spring.points.map(place);
        match spring.meeting {
            // The ends of the second edge are in the order in which this points to the first edge before they met.
            Meeting::EdgeEdge => (a - p).cross(&(c - b)),
            _ => (b - a).cross(&(c - a)),
        }
    }

    /// The stretch that a spring feels: δ if it sticks. Where feet slide it never pulls, and the part along the surface
    /// is at most μ times that across it  \[m\]
    pub fn felt(&self, spring: &Spring, place: impl Fn(u32) -> Vec3) -> Vec3 {
        let stretch = spring.stretch(&place);
        let Some(friction) = self.friction else { return stretch };
        let Some(normal) = self.normal(spring, &place).try_normalize(0.0) else { return stretch };
        let depth = -stretch.dot(&normal);
        if depth <= 0.0 {
            return Vec3::zeros();
        }
        let along = stretch + normal * depth;
        along * (friction * depth / along.norm().max(f64::MIN_POSITIVE)).min(1.0) - normal * depth
    }

    /// The spring as it goes on, or nothing if the bodies have parted there.
    fn still_inside(&self, spring: &Spring, x: &[Vec3]) -> Option<Spring> {
        let at = |k: usize| &x[spring.points[k] as usize];
        match spring.meeting {
            Meeting::VertexWall(_) => (!self.pulls(spring, x)).then_some(*spring),
            // A body is around its own vertices: what has met itself knows only the face.
            Meeting::VertexFace if spring.bodies[0] == spring.bodies[1] => {
                (!self.pulls(spring, x)).then_some(*spring)
            }
            Meeting::VertexFace => {
                let skin = &self.skins[spring.bodies[1] as usize];
                let within = inside(at(0), &skin.triangles, x);
                match (within, self.pulls(spring, x)) {
                    (false, _) => None,
                    (true, false) => Some(*spring),
                    (true, true) => Some(self.tied_anew(spring, at(0), x)),
                }
            }
            Meeting::EdgeEdge if spring.bodies[0] == spring.bodies[1] => {
                (!self.pulls(spring, x)).then_some(*spring)
            }
            Meeting::EdgeEdge => {
                let skin = |k: usize| &self.skins[spring.bodies[k] as usize].triangles;
                let crossing = crosses([at(0), at(1)], skin(1), x) || crosses([at(2), at(3)], skin(0), x);
                crossing.then_some(*spring).filter(|spring| !self.pulls(spring, x))
            }
        }
    }

    /// The same spring with its feet where the two are nearest.
    pub fn with_nearest_feet(&self, spring: Spring, place: &impl Fn(u32) -> Vec3) -> Spring {
        let weights = kind(spring.meeting).map(|kind| closest(kind, &spring.points.map(place)).weights);
        Spring { weights: weights.unwrap_or(spring.weights), ..spring }
    }

    /// What multipliers hold and slides, as it goes on: over the rim of its face to the next one, unless that leads away
    /// from the surface.
    fn walk_on(&self, spring: Spring, x: &[Vec3]) -> Option<Spring> {
        let Some(kind) = kind(spring.meeting) else { return Some(spring) };
        let at = spring.points.map(|point| x[point as usize]);
        let on_rim = closest(kind, &at).weights.contains(&0.0);
        if self.friction.is_none() || !on_rim {
            return Some(spring);
        }
        if spring.meeting == Meeting::EdgeEdge {
            return None;
        }
        let own = [spring.points[1], spring.points[2], spring.points[3]];
        let next = self.tied_to_nearest(&spring, &at[0], x, |triangle| *triangle != own);
        let normal = self.normal(&next, &|point| x[point as usize]);
        let height = normal.dot(&(at[0] - x[next.points[1] as usize])) / normal.norm();
        (height <= 2.0 * self.gap).then_some(next)
    }

    /// The same vertex, tied to the point of the second body that is nearest to `aim`.
    fn tied_anew(&self, spring: &Spring, aim: &Vec3, x: &[Vec3]) -> Spring {
        self.tied_to_nearest(spring, aim, x, |_| true)
    }

    /// The same among some triangles.
    fn tied_to_nearest(
        &self,
        spring: &Spring,
        aim: &Vec3,
        x: &[Vec3],
        allowed: impl Fn(&[u32; 3]) -> bool,
    ) -> Spring {
        let triangles = &self.skins[spring.bodies[1] as usize].triangles;
        let mut best = (f64::INFINITY, *spring);
        for triangle in triangles.iter().filter(|triangle| allowed(triangle)) {
            let [a, b, c] = *triangle;
            let corners = [a, b, c].map(|p| x[p as usize]);
            let found = closest(Kind::PointTriangle, &[*aim, corners[0], corners[1], corners[2]]);
            if found.distance() < best.0 {
                let points = [spring.points[0], a, b, c];
                best = (found.distance(), Spring { points, weights: found.weights, ..*spring });
            }
        }
        best.1
    }

    /// Lets the foot follow where the spring is stretched more along the surface than it feels.
    fn slide(&self, spring: Spring, x: &[Vec3]) -> Spring {
        let stretch = spring.stretch(|point| x[point as usize]);
        let way = stretch - self.felt(&spring, |point| x[point as usize]);
        if self.friction.is_none() || way.norm_squared() <= 1e-24 * stretch.norm_squared() {
            return spring;
        }
        match spring.meeting {
            Meeting::VertexWall(_) => Spring { place: spring.place + way, ..spring },
            Meeting::VertexFace => {
                let foot = x[spring.points[0] as usize] - stretch;
                self.tied_anew(&spring, &(foot + way), x)
            }
            Meeting::EdgeEdge => slide_edges(spring, &way, x),
        }
    }
}

/// What has met, as a pair of primitives.
fn kind(meeting: Meeting) -> Option<Kind> {
    match meeting {
        Meeting::VertexWall(_) => None,
        Meeting::VertexFace => Some(Kind::PointTriangle),
        Meeting::EdgeEdge => Some(Kind::EdgeEdge),
    }
}

/// Moves the feet of two edges so that their difference changes by −`way`, as far as the edges go.
fn slide_edges(spring: Spring, way: &Vec3, x: &[Vec3]) -> Spring {
    let [p, q, r, s] = spring.points.map(|point| &x[point as usize]);
    let (first, second) = (q - p, s - r);
    // Least squares: first ds − second dt = −way.
    let (aa, ab, bb) = (first.norm_squared(), first.dot(&second), second.norm_squared());
    let det = aa * bb - ab * ab;
    if det <= 1e-12 * aa * bb {
        return spring;
    }
    let (ra, rb) = (-first.dot(way), second.dot(way));
    let (ds, dt) = ((ra * bb + rb * ab) / det, (rb * aa + ra * ab) / det);
    let (s, t) = ((spring.weights[1] + ds).clamp(0.0, 1.0), (-spring.weights[3] + dt).clamp(0.0, 1.0));
    Spring { weights: [1.0 - s, s, -(1.0 - t), -t], ..spring }
}
