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
use super::ring::{Axes, Ring};
use super::skin::Pose;
use super::stage::Stage;
use crate::strands::strands;

/// Tubes are at least this wide \[px\].
const LEAST_WIDTH: f32 = 1.2;
/// A ring may be this far from a circle \[px\].
const ROUND: f32 = 0.2;
/// Corners of a ring, at least and at most. A pentagon is nearly as wide from every side.
const SIDES: [usize; 2] = [5, 24];
/// Tubes with a smaller radius than this have simple joints and ends \[px\].
const FINE: f32 = 1.5;
/// Cosine of the largest bend that looks smooth: 55°, as on surfaces.
const GENTLE: f32 = 0.574;
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

    /// The triangles that cast shadows: of hair prisms with three sides do.
    pub(super) fn casters(&self, first: usize) -> Vec<[u32; 3]> {
        let mut triangles = vec![];
        let mut corner = first as u32;
        for tube in &self.tubes {
            let sides = tube.circle.len() as u32;
            match tube.joint {
                1 => tube.between(corner, &[0, (sides + 1) / 3, (2 * sides + 1) / 3], &mut triangles),
                _ => tube.triangles(corner, &mut triangles),
            }
            corner += (tube.rings() * tube.circle.len()) as u32;
        }
        triangles
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
        let all: Vec<u32> = (0..self.circle.len() as u32).collect();
        self.between(first, &all, out);
    }

    /// From ring to ring between some of their corners.
    fn between(&self, first: u32, corners: &[u32], out: &mut Vec<[u32; 3]>) {
        let (rings, sides) = (self.rings() as u32, self.circle.len() as u32);
        for (ring, k) in (0..rings - 1).flat_map(|ring| (0..corners.len()).map(move |k| (ring, k))) {
            let [left, right] = [corners[k], corners[(k + 1) % corners.len()]];
            let at = |ring: u32, corner: u32| first + ring * sides + corner;
            let [a, b, c, d] = [at(ring, left), at(ring, right), at(ring + 1, right), at(ring + 1, left)];
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
        let mut axes = Axes::new(self.way(0, positions).unwrap_or_else(V::x));
        let mut from = self.at(0, axes, positions, values, camera);
        self.end(&from, -1.0, colored, pose);
        for place in 1..self.points.len() {
            let next = self.way(place, positions).map_or(axes, |way| axes.turned(way));
            let middle = axes.halfway(&next);
            let gentle = axes.along.dot(&next.along) > GENTLE;
            let to = self.at(place, axes, positions, values, camera);
            let to = Ring { shading: if gentle { middle } else { axes }, ..to };
            let parts = self.parts[place - 1];
            for part in 1..parts {
                let share = f32::from(part) / f32::from(parts);
                self.ring(&from.mixed(&to, share), [1.0, 0.0], colored, pose);
            }
            if place + 1 == self.points.len() {
                self.end(&to, 1.0, colored, pose);
                return;
            }
            let shading = if gentle { middle } else { next };
            from = Ring { axes: next, shading, ..to };
            let between = Ring { axes: middle, shading: middle, ..to };
            let joint = [to, between, from];
            let rings = if self.joint == 1 { &joint[1..2] } else { &joint[..] };
            rings.iter().for_each(|ring| self.ring(ring, [1.0, 0.0], colored, pose));
            axes = next;
        }
    }

    /// The direction from a point to the next, if there is one.
    fn way(&self, place: usize, positions: &[V]) -> Option<V> {
        let [a, b] = self.points.get(place..place + 2)? else { return None };
        let way = positions.get(*b as usize)? - positions.get(*a as usize)?;
        way.try_normalize(0.0).filter(|d| d.iter().all(|x| x.is_finite()))
    }

    /// A ring around a point.
    fn at(&self, place: usize, axes: Axes, positions: &[V], values: &[f32], camera: &Camera) -> Ring {
        let point = self.points[place] as usize;
        let center = positions.get(point).copied().unwrap_or_else(V::zeros);
        let radius = self.radius.max(0.5 * LEAST_WIDTH * camera.pixel(&center));
        Ring { center, axes, shading: axes, radius, value: values.get(point).copied().unwrap_or(0.0) }
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
        let Ring { center, axes, shading, radius, value } = ring;
        let (third, shading_third) = (axes.third(), shading.third());
        // With this radius the mean width of the polygon is that of the circle.
        let angle = PI / self.circle.len() as f32;
        let round = radius * wide * angle / angle.sin();
        for [cos, sin] in &self.circle {
            let aside = axes.aside * *cos + third * *sin;
            pose.positions.push(center + aside * round + axes.along * (radius * along));
            let normal = shading.aside * *cos + shading_third * *sin;
            pose.normals.push(normal * wide + shading.along * along);
            if colored {
                pose.values.push(*value);
            }
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
