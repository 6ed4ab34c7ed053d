//! Friction of one contact while the end of a step is searched for.
//!
//! Smoothed Coulomb friction has a sharp bend where sliding turns into holding, and Newton's directions do not see it:
//! along a slip the curvature is zero, so that a contact that should come to rest is thrown past it, again and again.
//! With all of the secant f₁/y as curvature it never passes rest, but creeps towards the end of a slip. So each contact
//! learns from its last direction which of the two it needs.

use super::RankOnes;
use super::friction::Lagged;
use super::pair::Kind;
use super::touching::{Key, Touch};
use crate::Vec3;

/// Part of the secant that counts as curvature along the slip at first, at least, and how it changes: it grows when a
/// direction turned the slip around, and shrinks when not.
const CAUTION: f64 = 0.3;
const LEAST_CAUTION: f64 = 0.02;
const MORE_CAUTION: f64 = 4.0;
const LESS_CAUTION: f64 = 0.5;

/// Friction of one contact, remembered from an earlier configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rubbing {
    kind: Kind,
    pub points: [u32; 4],
    /// The pair of bodies.
    pub bodies: [u32; 2],
    lagged: Lagged,
    /// Part of the secant that counts as curvature along the slip.
    pub caution: f64,
}

impl Rubbing {
    /// Remembers a push.
    pub fn new(touch: &Touch) -> Rubbing {
        let load = touch.friction * -touch.slope;
        let lagged = Lagged { weights: touch.weights, normal: touch.normal, load };
        Rubbing { kind: touch.kind, points: touch.points, bodies: touch.bodies, lagged, caution: CAUTION }
    }

    /// By how much the force is not that of a contact that bears `limit` = μ λ: the difference where it slides, and what
    /// is too much where it holds  \[N\]
    pub fn beyond(&self, limit: f64, moved: &[Vec3], hold: f64) -> f64 {
        let moved = self.at(moved);
        let force = self.lagged.pull(&moved, hold).norm();
        if self.lagged.slip(&moved).norm() >= hold { (force - limit).abs() } else { (force - limit).max(0.0) }
    }

    /// What tells it from all others.
    pub fn key(&self) -> Key {
        (self.points, self.kind, self.bodies)
    }

    /// μ λ: the largest force  \[N\]
    pub fn load(&self) -> f64 {
        self.lagged.load
    }

    /// What the motion of all surface points is at the four of this contact.
    fn at(&self, motion: &[Vec3]) -> [Vec3; 4] {
        self.points.map(|p| motion[p as usize])
    }

    /// Energy when the surface points have moved by `moved`, and a slip of `hold` still holds  \[J\]
    pub fn energy(&self, moved: &[Vec3], hold: f64) -> f64 {
        self.lagged.energy(&self.at(moved), hold)
    }

    /// Gradient of the energy: minus the force on each point  \[N\]
    pub fn gradient(&self, moved: &[Vec3], hold: f64) -> [Vec3; 4] {
        self.lagged.gradient(&self.at(moved), hold)
    }

    /// From the second to the first of the two points that rub, and the force on the first; `None` against a half-space
    /// \[m\], \[N\]
    pub fn lever(&self, x: &[Vec3], moved: &[Vec3], hold: f64) -> Option<(Vec3, Vec3)> {
        let c = self.lagged.weights;
        if self.points[0] == self.points[3] {
            return None;
        }
        let at = self.at(x);
        let apart = c[0] * at[0] + c[1] * at[1] + c[2] * at[2] + c[3] * at[3];
        let pull = self.lagged.pull(&self.at(moved), hold);
        Some((apart, pull))
    }

    /// The curvature of the energy, no less than what caution wants.
    pub fn hessian(&self, moved: &[Vec3], hold: f64) -> RankOnes {
        self.lagged.hessian(&self.at(moved), hold, self.caution)
    }

    /// Learns from the direction `dx`, taken where the points have `moved`. Returns by how much it changes the slip, in
    /// parts of what holds; zero for a contact that slides before and after.
    pub fn learn(&mut self, moved: &[Vec3], dx: &[Vec3], hold: f64) -> f64 {
        let change = self.lagged.slip(&self.at(dx));
        let before = self.lagged.slip(&self.at(moved));
        let after = before + change;
        let turned = before.dot(&after) < 0.0 && after.norm() > hold;
        let factor = if turned { MORE_CAUTION } else { LESS_CAUTION };
        self.caution = (self.caution * factor).clamp(LEAST_CAUTION, 1.0);
        let slides = before.norm().min(after.norm()) >= hold;
        if slides { 0.0 } else { (change.norm() / hold).min(1.0) }
    }
}
