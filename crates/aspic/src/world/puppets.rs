//! Bodies that move by rules of their own: between steps, over the half-spaces of the world.

use std::ops::Range;

use super::World;
use crate::Vec3;
use crate::boundary::plane::{HalfSpace, Puppet, PuppetError};
use crate::state::State;

/// A puppet, its body, and where its numbers are.
pub struct NamedPuppet {
    /// The body, as an index into the topology.
    pub body: usize,
    /// Its nodes.
    pub nodes: Range<usize>,
    /// What it remembers, in the memory of a state.
    pub memory: Range<usize>,
    /// Its rules.
    pub law: Box<dyn Puppet>,
}

impl World {
    /// The half-spaces that puppets know.
    fn ground(&self) -> Vec<HalfSpace> {
        self.planes.iter().map(|plane| HalfSpace { point: plane.point, normal: plane.normal }).collect()
    }

    /// Moves all puppets through the step that led to `next`; the energy that they lose counts as viscous. An error names
    /// the body.
    pub(crate) fn move_puppets(&self, before: &State, next: &mut State) -> Result<(), (usize, PuppetError)> {
        if self.puppets.is_empty() {
            return Ok(());
        }
        let (ground, gravity, length) = (self.ground(), self.gravity.acceleration, next.t - before.t);
        for puppet in self.puppets.iter().filter(|_| length > 0.0) {
            let memory = &mut next.memory[puppet.memory.clone()];
            let lost = puppet.law.step(memory, &ground, gravity, length);
            next.accounts.viscous_loss += lost.map_err(|error| (puppet.body, error))?;
            let (q, v) = (&mut next.q[puppet.nodes.clone()], &mut next.v[puppet.nodes.clone()]);
            puppet.law.show(memory, q, v);
        }
        Ok(())
    }

    /// Kinetic energy of all puppets, that of their weight, and that held by the ground  \[J\]
    pub(super) fn puppet_energies(&self, state: &State) -> [f64; 3] {
        let ground = self.ground();
        self.puppets.iter().fold([0.0; 3], |sum, puppet| {
            let memory = &state.memory[puppet.memory.clone()];
            let own = puppet.law.energies(memory, &ground, self.gravity.acceleration);
            [0, 1, 2].map(|k| sum[k] + own[k])
        })
    }

    /// Momentum \[kg m/s\] and angular momentum about the origin \[kg m²/s\] of all puppets.
    pub(super) fn puppet_momenta(&self, state: &State) -> [Vec3; 2] {
        self.puppets.iter().fold([Vec3::zeros(); 2], |sum, puppet| {
            let own = puppet.law.momenta(&state.memory[puppet.memory.clone()]);
            [0, 1].map(|k| sum[k] + own[k])
        })
    }
}
