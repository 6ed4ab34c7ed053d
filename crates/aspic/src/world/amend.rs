//! What happens to a state once a step is done, whatever scheme took it: things that are not forces.

use super::{Workspace, World};
use crate::state::State;

/// What has changed at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amended {
    /// Nothing.
    Nothing,
    /// Forces, while places and velocities are those that the step reached.
    Forces,
    /// Places or velocities.
    Motion,
}

impl World {
    /// Whether anything of this world happens between steps. Steps then end on frames: what jumps at the end of a step
    /// must not be smoothed over.
    pub fn amends(&self) -> bool {
        self.impulses.is_some()
            || self.springs.is_some()
            || !self.puppets.is_empty()
            || self.amends_points()
            || self.continua.iter().any(|(_, continuum)| continuum.remembers())
    }

    /// Whether anything happens to mass points.
    fn amends_points(&self) -> bool {
        self.networks.iter().any(|(_, network)| network.amends())
    }

    /// Amends the state `next` that a step from `before` has reached, and books the energy that this costs. An `implicit`
    /// step has taken all damping itself.
    pub fn amend(&self, before: &State, next: &mut State, implicit: bool, work: &mut Workspace) -> Amended {
        let h = next.t - before.t;
        if !implicit {
            self.damp(next, h, work);
        }
        self.limit_strain(next, work);
        // Behind what moves points, so that nothing is left inside something else.
        let touched = self.respond(before, next, work);
        let flowed = self.reshape(next, h, work) | self.release(next);
        let moved = self.networks.iter().any(|(_, network)| network.moves(implicit));
        match touched || moved {
            true => Amended::Motion,
            false if flowed => Amended::Forces,
            false => Amended::Nothing,
        }
    }

    /// 1/m of a node that is free, 0 of one that is held.
    fn inverse_mass(&self, phase: usize) -> impl Fn(usize) -> f64 + '_ {
        let (masses, free) = (self.inertia.masses(), &self.phases[phase].free.mask);
        move |node| if free[node] { 1.0 / masses[node] } else { 0.0 }
    }

    /// Damping that is taken at the end of the step.
    fn damp(&self, next: &mut State, h: f64, work: &Workspace) {
        if self.networks.iter().all(|(_, network)| network.damping.is_none()) {
            return;
        }
        let kinetic = self.inertia.energy(&next.v);
        let inverse_mass = self.inverse_mass(work.phase);
        for (_, network) in &self.networks {
            network.damp(&next.q, &mut next.v, &inverse_mass, h);
        }
        next.accounts.viscous_loss += kinetic - self.inertia.energy(&next.v);
    }

    /// Springs that are too long. What this changes in energy is no physics, and is booked as numerical.
    fn limit_strain(&self, next: &mut State, work: &mut Workspace) {
        if self.networks.iter().all(|(_, network)| network.limit.is_none()) {
            return;
        }
        let held = self.mechanical_energy(next, work);
        let inverse_mass = self.inverse_mass(work.phase);
        for (_, network) in &self.networks {
            network.limit_strain(next, &inverse_mass);
        }
        drop(inverse_mass);
        next.accounts.numerical_loss += held - self.mechanical_energy(next, work);
    }

    /// Lasting changes of rest shapes: what yields loses energy, what grows by a plan is paid for by whoever drives it.
    /// Whether a solid has yielded.
    fn reshape(&self, next: &mut State, h: f64, work: &mut Workspace) -> bool {
        if next.memory.is_empty() {
            return false;
        }
        let held = self.stored_energy(next, work);
        let State { q, memory, .. } = &mut *next;
        let flowed = self.continua.iter().fold(false, |any, (_, solid)| solid.flow(q, h, memory) | any);
        if self.networks.is_empty() {
            if flowed {
                next.accounts.plastic_loss += held - self.stored_energy(next, work);
            }
            return flowed;
        }
        for ((_, network), rows) in self.networks.iter().zip(&mut work.rows) {
            network.flow(next, h, rows);
        }
        let kept = self.stored_energy(next, work);
        next.accounts.plastic_loss += held - kept;
        for ((_, network), rows) in self.networks.iter().zip(&mut work.rows) {
            network.grow(next, rows);
        }
        next.accounts.load_work += self.stored_energy(next, work) - kept;
        true
    }

    /// Kinetic and stored energy  \[J\]
    pub(super) fn mechanical_energy(&self, state: &State, work: &mut Workspace) -> f64 {
        self.inertia.energy(&state.v) + self.stored_energy(state, work)
    }
}
