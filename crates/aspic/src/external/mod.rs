//! E: forces from outside: on vertices, on the surface, or on every bit of mass, constant or keyed in time; and a hand.

mod hand;
mod load;
mod schedule;
mod wind;

pub use hand::Hand;
pub use load::{Field, PointForces, Pressure};
pub use schedule::Schedule;
pub use wind::Wind;

use crate::Vec3;
use crate::state::State;

/// A force law E(q, t).
pub trait External: Send + Sync {
    /// Adds its forces \[N\] to `out` and returns its power E·v \[W\].
    fn add_force(&self, state: &State, out: &mut [Vec3]) -> f64;

    /// Its factor over time, so that steps can end where it has kinks.
    fn schedule(&self) -> &Schedule;
}
