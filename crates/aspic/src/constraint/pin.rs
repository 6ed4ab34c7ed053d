//! Hold a vertex, or drag it along a trajectory: Φ = x − r(t).

use super::{Constraint, Motion, Row, Trajectory};
use crate::Vec3;
use crate::state::State;

/// One vertex that follows its trajectory; held if that is still.
#[derive(Clone, Debug)]
pub struct Pin {
    node: u32,
    start: Vec3,
    trajectory: Trajectory,
}

impl Pin {
    /// A vertex that starts at `start` \[m\] and moves along a path or a trajectory.
    pub fn new(node: u32, start: Vec3, trajectory: impl Into<Trajectory>) -> Pin {
        Pin { node, start, trajectory: trajectory.into() }
    }

    fn motion(&self, t: f64) -> Motion {
        self.trajectory.at(t, self.start)
    }
}

impl Constraint for Pin {
    fn add_rows(&self, state: &State, rows: &mut Vec<Row>) {
        let motion = self.motion(state.t);
        let gap = state.q[self.node as usize] - motion.position;
        rows.extend((0..3).map(|c| Row {
            rate: -motion.velocity[c],
            psi: motion.acceleration[c],
            ..Row::single(self.node, Vec3::ith(c, 1.0), gap[c])
        }));
    }

    fn breaks(&self) -> Vec<f64> {
        self.trajectory.breaks().collect()
    }

    fn prescribed(&self, t: f64) -> Option<(u32, Motion)> {
        Some((self.node, self.motion(t)))
    }

    fn held(&self) -> Option<(u32, Vec3)> {
        self.trajectory.is_still().then_some((self.node, self.start))
    }
}
