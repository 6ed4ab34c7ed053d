//! Ropes as round tubes: strands of points become stacks of rings with round ends.
//!
//! Around a bend the rings turn about the point itself, so that the outside of the joint is a part of a ball and the
//! inside lies within the tube: together they are the points that are nearer than the radius, which is what touches. How
//! many corners a ring has depends on how wide the tube is in the picture. Hair has few, and never gets narrower than a
//! pixel or so.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use aspic::frame::Topology;

use super::V;
use super::camera::Camera;
use super::skin::Pose;
use super::stage::Stage;
use super::strand::strands;

/// Tubes are at least this wide \[px\].
const LEAST_WIDTH: f32 = 1.2;
/// A ring may be this far from a circle \[px\].
const ROUND: f32 = 0.2;
/// Corners of a ring, at least and at most. A pentagon is nearly as wide from every side.
const SIDES: [usize; 2] = [5, 24];
/// Tubes with a smaller radius than this have simple joints and ends \[px\].
const FINE: f32 = 1.5;
/// With more corners than this in all, every tube is drawn like hair.
const MOST_CORNERS: usize = 600_000;

/// All tubes of a film: what does not change from frame to frame.
#[derive(Debug)]
pub(super) struct Tubes {
    tubes: Vec<Tube>,
}

/// One strand.
#[derive(Debug)]
struct Tube {
    /// The points along it.
    points: Vec<u32>,
    body: u32,
    /// In coordinates of the stage.
    radius: f32,
    /// Parts that each segment is cut into, so that light and shade have corners to live on.
    parts: Vec<u8>,
    /// The corners of a ring: cosine and sine.
    circle: Vec<[f32; 2]>,
    /// Rings of a bend, 1 or 3.
    joint: usize,
    /// Rings of each end beside the first: the last of them is its tip.
    cap: usize,
}

/// Where a ring goes: around a point, across a direction.
#[derive(Clone, Copy)]
struct Ring {
    center: V,
    /// Unit vectors: along the tube, and to the first corner.
    along: V,
    aside: V,
    radius: f32,
    value: f32,
}

impl Tubes {
    /// `start` are the places of the points in the first frame, in coordinates of the stage; segments longer than
    /// `longest` are cut.
    pub(super) fn new(topology: &Topology, start: &[V], stage: &Stage, longest: f32) -> Tubes {
        let mut tubes = vec![];
        for (number, body) in topology.bodies.iter().enumerate() {
            let edges = topology.edges.get(body.edges.clone()).unwrap_or_default();
            let there = |e: &&[u32; 2]| e.iter().all(|&p| (p as usize) < start.len());
            let edges: Vec<[u32; 2]> = edges.iter().filter(there).copied().collect();
            let radius = stage.length(body.radius);
            let tube = |points| Tube::new(points, number as u32, radius, start, &stage.camera, longest);
            tubes.extend(strands(&edges).into_iter().map(tube));
        }
        let mut tubes = Tubes { tubes };
        if tubes.corners() > MOST_CORNERS {
            tubes.tubes.iter_mut().for_each(Tube::simplify);
        }
        tubes
    }

    /// Corners of all rings.
    pub(super) fn corners(&self) -> usize {
        self.tubes.iter().map(|tube| tube.rings() * tube.circle.len()).sum()
    }

    /// The triangles between corners that are counted from `first` on, and the body of each.
    pub(super) fn triangles(&self, first: usize) -> (Vec<[u32; 3]>, Vec<u32>) {
        let (mut triangles, mut bodies) = (vec![], vec![]);
        let mut corner = first as u32;
        for tube in &self.tubes {
            tube.triangles(corner, &mut triangles);
            bodies.resize(triangles.len(), tube.body);
            corner += (tube.rings() * tube.circle.len()) as u32;
        }
        (triangles, bodies)
    }

    /// Appends the corners with the points at `positions` and their `values`, which may be empty.
    pub(super) fn pose(&self, positions: &[V], values: &[f32], camera: &Camera, pose: &mut Pose) {
        let corners = self.corners();
        pose.positions.reserve(corners);
        pose.normals.reserve(corners);
        for tube in &self.tubes {
            tube.pose(positions, values, camera, pose);
        }
    }
}

impl Tube {
    fn new(points: Vec<u32>, body: u32, radius: f32, start: &[V], camera: &Camera, longest: f32) -> Tube {
        let place = |&p: &u32| start[p as usize];
        let parts = points.windows(2).map(|pair| {
            let length = (place(&pair[1]) - place(&pair[0])).norm();
            (length / longest).ceil().clamp(1.0, 32.0) as u8
        });
        let widest = points.iter().map(|p| radius / camera.pixel(&place(p)).max(f32::MIN_POSITIVE));
        let widest = widest.fold(0.5 * LEAST_WIDTH, f32::max);
        let sides = (PI / (1.0 - (ROUND / widest).min(1.0)).acos()).ceil() as usize;
        let sides = sides.clamp(SIDES[0], SIDES[1]);
        let fine = widest >= FINE;
        Tube {
            parts: parts.collect(),
            circle: circle(sides),
            joint: if fine { 3 } else { 1 },
            cap: if fine { (sides / 4).max(2) } else { 1 },
            points,
            body,
            radius,
        }
    }

    /// As few corners as a tube can have.
    fn simplify(&mut self) {
        self.parts.fill(1);
        (self.circle, self.joint, self.cap) = (circle(3), 1, 1);
    }

    /// Rings from tip to tip.
    fn rings(&self) -> usize {
        let between: usize = self.parts.iter().map(|&parts| usize::from(parts) - 1).sum();
        let bends = self.parts.len().saturating_sub(1);
        between + bends * self.joint + 2 * (1 + self.cap)
    }

    fn triangles(&self, first: u32, out: &mut Vec<[u32; 3]>) {
        let (rings, sides) = (self.rings() as u32, self.circle.len() as u32);
        for (ring, side) in (0..rings - 1).flat_map(|ring| (0..sides).map(move |side| (ring, side))) {
            let at = |ring: u32, side: u32| first + ring * sides + side % sides;
            let [a, b, c, d] =
                [at(ring, side), at(ring, side + 1), at(ring + 1, side + 1), at(ring + 1, side)];
            // The corners of a tip are all in one place.
            if ring > 0 {
                out.push([a, b, c]);
            }
            if ring + 2 < rings {
                out.push([a, c, d]);
            }
        }
    }

    fn pose(&self, positions: &[V], values: &[f32], camera: &Camera, pose: &mut Pose) {
        let colored = !values.is_empty();
        let at = |place: usize, along: V, aside: V| {
            let point = self.points[place] as usize;
            let center = positions.get(point).copied().unwrap_or_else(V::zeros);
            let radius = self.radius.max(0.5 * LEAST_WIDTH * camera.pixel(&center));
            Ring { center, along, aside, radius, value: values.get(point).copied().unwrap_or(0.0) }
        };
        let last = self.points.len() - 1;
        let way = |place: usize, before: V| {
            let [a, b] = [place, place + 1].map(|p| at(p, before, before).center);
            (b - a).try_normalize(0.0).filter(|d| d.iter().all(|x| x.is_finite())).unwrap_or(before)
        };
        let mut along = way(0, V::x());
        let mut aside = across(&along);
        self.end(&at(0, along, aside), -1.0, colored, pose);
        for place in 0..last {
            let (from, to) = (at(place, along, aside), at(place + 1, along, aside));
            for part in 1..self.parts[place] {
                let share = f32::from(part) / f32::from(self.parts[place]);
                self.ring(&from.mixed(&to, share), [1.0, 0.0], colored, pose);
            }
            if place + 1 == last {
                self.end(&to, 1.0, colored, pose);
                return;
            }
            let next = way(place + 1, along);
            let turned = turned(&aside, &along, &next);
            let half = if folded(&along, &next) { aside } else { (along + next).normalize() };
            let middle = Ring { along: half, aside: self::turned(&aside, &along, &half), ..to };
            if self.joint == 1 {
                self.ring(&middle, [1.0, 0.0], colored, pose);
            } else {
                let after = Ring { along: next, aside: turned, ..to };
                [to, middle, after].iter().for_each(|ring| self.ring(ring, [1.0, 0.0], colored, pose));
            }
            (along, aside) = (next, turned);
        }
    }

    /// A round end, its tip first (`side` −1) or last (1).
    fn end(&self, ring: &Ring, side: f32, colored: bool, pose: &mut Pose) {
        for k in 0..=self.cap {
            let from_ring = if side < 0.0 { self.cap - k } else { k };
            let (sin, cos) = (FRAC_PI_2 * from_ring as f32 / self.cap as f32).sin_cos();
            let wide = if from_ring == self.cap { 0.0 } else { cos };
            self.ring(ring, [wide, side * sin], colored, pose);
        }
    }

    /// A circle of a ball around the middle of a ring: how wide it is and how far along, in radii.
    fn ring(&self, ring: &Ring, [wide, along]: [f32; 2], colored: bool, pose: &mut Pose) {
        let third = ring.along.cross(&ring.aside);
        // With this radius the mean width of the polygon is that of the circle.
        let angle = PI / self.circle.len() as f32;
        let radius = ring.radius * angle / angle.sin();
        for [cos, sin] in &self.circle {
            let round = ring.aside * *cos + third * *sin;
            pose.positions.push(ring.center + round * (radius * wide) + ring.along * (ring.radius * along));
            pose.normals.push(round * wide + ring.along * along);
            if colored {
                pose.values.push(ring.value);
            }
        }
    }
}

impl Ring {
    /// Between this one and one farther along.
    fn mixed(&self, other: &Ring, share: f32) -> Ring {
        Ring {
            center: self.center + (other.center - self.center) * share,
            radius: self.radius + (other.radius - self.radius) * share,
            value: self.value + (other.value - self.value) * share,
            ..*self
        }
    }
}

fn circle(sides: usize) -> Vec<[f32; 2]> {
    let corner = |k: usize| {
        let (sin, cos) = (TAU * k as f32 / sides as f32).sin_cos();
        [cos, sin]
    };
    (0..sides).map(corner).collect()
}

/// Any unit vector at right angles to one.
fn across(along: &V) -> V {
    let other = if along.z.abs() < 0.9 { V::z() } else { V::x() };
    other.cross(along).normalize()
}

/// Whether a rope goes back the way it came; it then turns over its `aside`.
fn folded(from: &V, to: &V) -> bool {
    1.0 + from.dot(to) < 1e-4
}

/// A vector at right angles to `from`, turned the shortest way that takes `from` to `to`.
fn turned(aside: &V, from: &V, to: &V) -> V {
    let sum = from + to;
    let rest = 1.0 + from.dot(to);
    let turned = if folded(from, to) { -aside } else { aside - sum * (aside.dot(to) / rest) };
    // Rounding must not add up along a rope.
    (turned - to * turned.dot(to)).try_normalize(1e-6).unwrap_or_else(|| across(to))
}
