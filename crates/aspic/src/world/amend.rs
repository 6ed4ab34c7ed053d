//! What happens to a state once a step is done, whatever scheme took it: things that are not forces.

use super::{Workspace, World};
use crate::state::State;

impl World {
    /// Whether anything of this world happens between steps. Steps then end on frames: what jumps at the end of a step
    /// must not be smoothed over.
    pub fn amends(&self) -> bool {
        false
    }

    /// Amends the state `next` that a step from `before` has reached, and books the energy that this costs. Returns
    /// whether positions, velocities or forces have changed.
    pub fn amend(&self, _before: &State, _next: &mut State, _work: &mut Workspace) -> bool {
        false
    }
}
