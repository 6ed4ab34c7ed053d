//! What people and contacts watch for, as conditions Γ > 0.

use super::{Condition, Extended};
use crate::Vec3;

/// A point stays on its side of a plane: Γ = ±n·(x − p)  \[m\]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaysOnSide {
    /// The point, as numbered in frames.
    pub point: u32,
    /// A point of the plane  \[m\]
    pub place: Vec3,
    /// Unit vector of the plane, towards the point at the start.
    pub normal: Vec3,
}

impl Condition for StaysOnSide {
    fn value(&self, at: &Extended) -> f64 {
        self.normal.dot(&(at.q[self.point as usize] - self.place))
    }

    fn rate(&self, at: &Extended) -> Option<f64> {
        Some(self.normal.dot(&at.v[self.point as usize]))
    }
}

/// A point is not too fast: Γ = v_max − |v|  \[m/s\]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaysSlow {
    /// The point, as numbered in frames.
    pub point: u32,
    /// v_max  \[m/s\]
    pub speed: f64,
}

impl Condition for StaysSlow {
    fn value(&self, at: &Extended) -> f64 {
        self.speed - at.v[self.point as usize].norm()
    }

    fn rate(&self, _: &Extended) -> Option<f64> {
        None
    }
}

/// A constraint does not pull too hard: Γ = F_max − |F|  \[N\]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PullsLess {
    /// The constraint, as numbered in the world.
    pub constraint: usize,
    /// F_max  \[N\]
    pub force: f64,
}

impl Condition for PullsLess {
    fn value(&self, at: &Extended) -> f64 {
        self.force - at.pulls[self.constraint]
    }

    fn rate(&self, _: &Extended) -> Option<f64> {
        None
    }
}

/// A contact that a multiplier holds pushes: Γ = λ  \[N\]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pushes {
    /// The contact, as numbered in the state.
    pub contact: usize,
}

impl Condition for Pushes {
    fn value(&self, at: &Extended) -> f64 {
        at.pushes[self.contact]
    }

    fn rate(&self, _: &Extended) -> Option<f64> {
        None
    }
}
