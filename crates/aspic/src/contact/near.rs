//! One pair of primitives near each other: its gap, its push, its bound on the motion.

use super::law::Contact;
use super::pair::{Kind, Pair};
use super::repulsion::Repulsion;
use super::sweep::{SELF_FLOOR, SELF_RANGE};
use super::touching::Touch;
use super::{closest, hessian, mollifier, safe_fraction};
use crate::Vec3;

/// A candidate with the numbers that are frozen during a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub pair: Pair,
    /// d̂  \[m\]
    pub range: f64,
    /// Distance that is never undercut: radii and a little more  \[m\]
    pub floor: f64,
    /// k  \[N/m\]
    pub stiffness: f64,
    /// μ
    pub friction: f64,
    /// The two bodies.
    pub bodies: [u32; 2],
    /// Stiffness over that of a natural distance.
    firmness: f64,
    /// m, frozen during a line search.
    pub mollifier: f64,
    /// Both primitives belong to one part: only their motion relative to it counts.
    pub own: bool,
    /// Distance when it was computed last  \[m\]
    distance: f64,
    /// Ways that the four points had gone then  \[m\]
    ways: [f64; 4],
}

/// How far each surface point has gone so far, in all and relative to its part  \[m\]
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    pub world: Vec<f64>,
    pub own: Vec<f64>,
}

/// What a pair keeps: whose it is, d̂, and the distance that is never undercut  \[m\]
#[derive(Clone, Copy, Debug)]
pub(super) struct Keeping {
    pub parts: [usize; 2],
    pub bodies: [u32; 2],
    pub range: f64,
    pub floor: f64,
}

/// The range and the floor of a pair: those of its parts, less between parts of one body that are near at rest.
pub(super) fn keeping(contact: &Contact, pair: &Pair) -> Keeping {
    let surface = &contact.surface;
    let (a, b) = (pair.points[0], pair.points[3]);
    let parts = [a, b].map(|point| surface.part_of(point).unwrap_or(0));
    let bodies = parts.map(|part| surface.parts()[part].body);
    let mut range = contact.distance.between_points(parts, &pair.points);
    let mut floor = contact.floor(range) + surface.radius_at(a) + surface.radius_at(b);
    if bodies[0] == bodies[1] {
        let rest = closest(pair.kind, &pair.points.map(|p| surface.rest()[p as usize])).distance();
        range = range.min(SELF_RANGE * rest);
        floor = floor.min(SELF_FLOOR * rest);
    }
    Keeping { parts, bodies, range, floor }
}

impl Near {
    /// Without stiffness: it can limit the motion, but does not push yet.
    pub fn new(contact: &Contact, pair: Pair) -> Near {
        let Keeping { parts, bodies, range, floor } = keeping(contact, &pair);
        Near {
            pair,
            range,
            floor,
            stiffness: 0.0,
            friction: contact.friction.between(bodies[0], bodies[1]),
            bodies,
            firmness: contact.distance.firmness(parts[0], parts[1], range),
            mollifier: 1.0,
            own: parts[0] == parts[1],
            distance: 0.0,
            ways: [f64::NEG_INFINITY; 4],
        }
    }

    /// Takes the stiffness of each surface point, infinite where it is held  \[N/m\]: two springs in series.
    pub fn harden(&mut self, contact: &Contact, stiffness: &[f64]) {
        let mean =
            |side: &[u32]| side.iter().map(|&p| stiffness[p as usize]).sum::<f64>() / side.len() as f64;
        let [first, second] = self.pair.sides().map(mean);
        let softness = 1.0 / first + 1.0 / second;
        // Two held sides do not push each other.
        self.stiffness =
            if softness > 0.0 { self.firmness * contact.stiffness_scale / softness } else { 0.0 };
    }

    fn positions(&self, x: &[Vec3]) -> [Vec3; 4] {
        self.pair.points.map(|p| x[p as usize])
    }

    fn gone(&self, ways: &Ways) -> [f64; 4] {
        let list = if self.own { &ways.own } else { &ways.world };
        self.pair.points.map(|p| list[p as usize])
    }

    /// The sum over both sides of the longest of four ways.
    fn longest(&self, ways: [f64; 4]) -> f64 {
        let [a, b, c, d] = ways;
        if self.pair.kind == Kind::EdgeEdge { a.max(b) + c.max(d) } else { a + b.max(c).max(d) }
    }

    /// A distance that the pair keeps at least, from the last one computed and the ways gone since.
    fn at_least(&self, gone: &[f64; 4]) -> f64 {
        self.distance - self.longest(std::array::from_fn(|i| gone[i] - self.ways[i]))
    }

    /// How much nearer the pair must come at least before it may push  \[m\]
    pub fn spare(&self, ways: &Ways) -> f64 {
        self.at_least(&self.gone(ways)) - self.floor - self.range
    }

    /// Brings the distance up to date at x, unless the pair is surely out of range. Returns whether it may push.
    pub fn look(&mut self, x: &[Vec3], ways: &Ways) -> bool {
        let gone = self.gone(ways);
        if self.at_least(&gone) > self.floor + self.range {
            return false;
        }
        self.distance = closest(self.pair.kind, &self.positions(x)).distance();
        self.ways = gone;
        self.distance <= self.floor + self.range
    }

    /// Whether the pair cannot come within its range on the way that `planned` adds to the ways gone so far.
    pub fn stays_away(&self, ways: &Ways, planned: &Ways) -> bool {
        let reach = self.longest(self.gone(planned));
        self.at_least(&self.gone(ways)) > self.floor + self.range + reach
    }

    /// Sets m for the line search that begins at x.
    pub fn freeze_mollifier(&mut self, contact: &Contact, x: &[Vec3]) {
        if self.pair.kind == Kind::EdgeEdge {
            let [a, b, c, d] = self.pair.points;
            let lengths = [[a, b], [c, d]].map(|edge| contact.surface.rest_length_squared(edge).sqrt());
            self.mollifier = mollifier(&self.positions(x), lengths);
        }
    }

    /// k m φ(y)  \[J\]
    pub fn energy(&self, x: &[Vec3]) -> f64 {
        let gap = closest(self.pair.kind, &self.positions(x)).distance() - self.floor;
        if gap >= self.range || self.mollifier == 0.0 {
            return 0.0;
        }
        self.stiffness * self.mollifier * Repulsion { range: self.range }.energy(gap)
    }

    /// Largest fraction of the motion, at most 1, along which at least the share `slack` of the gap is kept.
    pub fn limit(&self, x: &[Vec3], dx: &[Vec3], slack: f64) -> f64 {
        safe_fraction(self.pair.kind, &self.positions(x), &self.positions(dx), self.floor, slack, 1.0)
    }

    /// The gap at x  \[m\]
    pub fn gap(&self, x: &[Vec3]) -> f64 {
        closest(self.pair.kind, &self.positions(x)).distance() - self.floor
    }

    /// The push at x, if there is one.
    pub fn touch(&self, x: &[Vec3]) -> Option<Touch> {
        let closest = closest(self.pair.kind, &self.positions(x));
        let gap = closest.distance() - self.floor;
        let scale = self.stiffness * self.mollifier;
        if gap >= self.range || scale == 0.0 {
            return None;
        }
        let (slope, curvature) = Repulsion { range: self.range }.slope_and_curvature(gap);
        let (slope, curvature) = (scale * slope, scale * curvature);
        Some(Touch {
            kind: self.pair.kind,
            points: self.pair.points,
            weights: closest.weights,
            normal: closest.normal(),
            slope,
            curvature,
            squares: hessian(&closest, slope, curvature),
            friction: self.friction,
            bodies: self.bodies,
        })
    }
}
