//! Hold a vertex, or drag it along a path: Φ = x − r(t).

use super::{Constraint, Motion, Path, Row};
use crate::Vec3;
use crate::state::State;

/// One vertex that follows start + path(t); held if the path is still.
#[derive(Clone, Debug)]
pub struct Pin {
    node: u32,
    start: Vec3,
    path: Path,
}

impl Pin {
    /// A vertex that starts at `start` \[m\] and is displaced along `path`.
    pub fn new(node: u32, start: Vec3, path: Path) -> Pin {
        Pin { node, start, path }
    }

    fn motion(&self, t: f64) -> Motion {
        let displaced = self.path.at(t);
        Motion { position: self.start + displaced.position, ..displaced }
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
        self.path.breaks().collect()
    }

    fn prescribed(&self, t: f64) -> Option<(u32, Motion)> {
        Some((self.node, self.motion(t)))
    }
}
