//! One pair of primitives near each other: its gap, its push, its bound on the motion.

use super::law::Contact;
use super::pair::{Kind, Pair};
use super::repulsion::Repulsion;
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
    /// m, frozen during a line search.
    pub mollifier: f64,
}

/// Share of the rest distance at which parts of one body begin to push each other, so that nothing pushes at rest.
const SELF_RANGE: f64 = 0.5;
/// Share of the rest distance that parts of one body always keep at most.
const SELF_FLOOR: f64 = 0.25;

impl Near {
    /// `stiffness` is that of each surface point, infinite where it is held  \[N/m\]
    pub fn new(contact: &Contact, pair: Pair, stiffness: &[f64]) -> Near {
        let surface = &contact.surface;
        let (a, b) = (pair.points[0], pair.points[3]);
        let parts = [a, b].map(|point| surface.part_of(point).unwrap_or(0));
        let bodies = parts.map(|part| surface.parts()[part].body);
        let mut range = contact.distance.between(parts[0], parts[1]);
        let mut floor = contact.floor(range) + surface.radius_at(a) + surface.radius_at(b);
        if bodies[0] == bodies[1] {
            let rest = closest(pair.kind, &pair.points.map(|p| surface.rest()[p as usize])).distance();
            range = range.min(SELF_RANGE * rest);
            floor = floor.min(SELF_FLOOR * rest);
        }
        let sides = pair.sides();
        let mean =
            |side: &[u32]| side.iter().map(|&p| stiffness[p as usize]).sum::<f64>() / side.len() as f64;
        let softness = 1.0 / mean(sides[0]) + 1.0 / mean(sides[1]);
        Near {
            pair,
            range,
            floor,
            // Two held sides do not push each other.
            stiffness: if softness > 0.0 { contact.stiffness_scale / softness } else { 0.0 },
            friction: contact.friction.between(bodies[0], bodies[1]),
            mollifier: 1.0,
        }
    }

    fn positions(&self, x: &[Vec3]) -> [Vec3; 4] {
        self.pair.points.map(|p| x[p as usize])
    }

    /// Whether the pair cannot come within its range when it starts at x and moves by at most dx.
    pub fn stays_away(&self, x: &[Vec3], dx: &[Vec3]) -> bool {
        let reach = self.longest(dx);
        closest(self.pair.kind, &self.positions(x)).distance() > self.floor + self.range + reach
    }

    /// No two points of the pair approach by more than this  \[m\]
    fn longest(&self, dx: &[Vec3]) -> f64 {
        let longest = |side: &[u32]| side.iter().map(|&p| dx[p as usize].norm_squared()).fold(0.0, f64::max);
        let [first, second] = self.pair.sides().map(|side| longest(side).sqrt());
        first + second
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
            points: self.pair.points,
            weights: closest.weights,
            normal: closest.normal(),
            slope,
            gap,
            squares: hessian(&closest, slope, curvature),
        })
    }
}
