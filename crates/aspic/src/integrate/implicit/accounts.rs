//! The energy books of an implicit step.
//!
//! Every force at the end of the step does the work f·Δq. For what stores energy the true change is known as well;
//! the difference is what the scheme itself destroys (or makes), booked as numerical loss:
//!
//! ΔK − M a·Δq  and  ΔP − ∂P/∂q·Δq,   with the sign of a loss.
//!
//! Where a body turns freely Δq is the way along its arc, so that inner forces, which have no torque, do no work by turning
//! along.
//!
//! Viscosity takes h W, its power at the end of the step for as long as the step lasts, which is never negative. What
//! its force does along Δq differs: BDF2 has other velocities than Δq/h, and a spring that turns has a chord. Rods, ties
//! and slides do no work either; what their forces do along the chord of a curved way is booked there too.
//! For backward Euler the first is ½ |Δv|²_M. The forces balance at the minimum, so what remains of the total is the
//! work of Newton's residual: an honest audit of how well the minimum was found.

use std::ops::Range;

use super::objective::{Forces, Objective, work_of};
use super::rigid::arc;
use crate::Vec3;
use crate::constraint::Row;
use crate::contact::Pushes;
use crate::state::State;
use crate::world::{ForceError, Workspace, World};

/// Memory for the books, and the reactions of the last step.
#[derive(Debug, Default)]
pub(super) struct Books {
    forces: Forces,
    /// The way of each node in the step, and the same along arcs where bodies turn freely  \[m\]
    moved: Vec<Vec3>,
    arcs: Vec<Vec3>,
    /// Force of what holds and drags on each node  \[N\]
    supports: Vec<Vec3>,
    /// Force of all constraints on each node, and of each constraint  \[N\]
    node_reactions: Vec<Vec3>,
    reactions: Vec<Vec3>,
    closed: bool,
    /// Energy in play in the last step: that of motion, shape and contact before it, and what weight, loads and drags did \[J\].
    in_play: f64,
}

/// What implicit steps have made out of nothing, as parts of the energy in play.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Made {
    /// By the last step, of what was in play in it.
    pub now: f64,
    /// By it and all since the numerical loss was highest, of the most that has been in play.
    pub in_all: f64,
    /// By the whole run, of what was in play in the last step.
    pub on_the_whole: f64,
}

impl Books {
    /// Finds every force at q, where the step ends.
    pub fn weigh(
        &mut self,
        world: &World,
        objective: &mut Objective,
        q: &[Vec3],
    ) -> Result<Pushes, ForceError> {
        objective.forces(world, q, &mut self.forces)
    }

    /// Books the step from `now` to `next` in the accounts of `next`, with the forces that were found last.
    pub fn close(
        &mut self,
        world: &World,
        objective: &mut Objective,
        now: &State,
        next: &mut State,
        free_bodies: &[Range<usize>],
        pushes: Pushes,
        h: f64,
    ) {
        self.moved.clear();
        self.moved.extend(next.q.iter().zip(&now.q).map(|(q, before)| q - before));
        self.arcs.clone_from(&self.moved);
        for nodes in free_bodies {
            arc(&world.inertia, nodes.clone(), &now.q, &next.q, &mut self.arcs);
        }
        self.react(world, next, objective);
        let work = |force: &[Vec3]| work_of(force, &self.arcs);
        let forces = &self.forces;
        let hands = hand_work(world, next, &mut objective.work) * h;
        let held = world.stored_energy(now, &mut objective.work);
        let moving = world.inertia.energy(&now.v);
        let lost_potential = held - world.stored_energy(next, &mut objective.work);
        let lost_kinetic = moving - world.inertia.energy(&next.v);
        let lost_contact = now.accounts.contact - pushes.energy;
        let mut accounts = now.accounts;
        let viscous_loss = objective.viscous_loss(world, h);
        accounts.viscous_loss += viscous_loss;
        // Friction takes what it does against the sliding at the end, like viscosity. The velocities of `next` differ by what
        // keeps the momenta: little, but the friction of what rests is large.
        let friction_loss = objective.friction_loss(&forces.friction, h);
        accounts.friction_loss += friction_loss;
        let load_work = work_of(&forces.load, &self.moved);
        accounts.load_work += load_work;
        accounts.drag_work += work(&self.supports) + hands;
        accounts.contact = pushes.energy;
        accounts.numerical_loss += lost_kinetic - work(&forces.inertia) + lost_potential
            - work(&forces.stored)
            + hands
            + lost_contact
            - work(&forces.repulsion)
            - work(&forces.constraint)
            - work(&forces.viscous)
            - viscous_loss
            - work(&forces.friction)
            - friction_loss
            + load_work
            - work(&forces.load);
        let weight = world.weight_energy(&now.q);
        let worked = (accounts.load_work - now.accounts.load_work).abs()
            + (accounts.drag_work - now.accounts.drag_work).abs()
            + (weight - world.weight_energy(&next.q)).abs();
        self.in_play = moving + held - weight + now.accounts.contact + worked;
        accounts.most_in_play = accounts.most_in_play.max(self.in_play);
        accounts.highest_loss = accounts.highest_loss.max(accounts.numerical_loss);
        next.accounts = accounts;
    }

    /// What the step from `now` to `next`, booked last, has made out of nothing. Bodies at rest have the energy `resting` \[J\]
    /// in play.
    pub fn made(&self, now: &State, next: &State, resting: f64) -> Made {
        let (before, after) = (&now.accounts, &next.accounts);
        let part = |energy: f64, of: f64| if energy > 0.0 { energy / (of + resting) } else { 0.0 };
        Made {
            now: part(before.numerical_loss - after.numerical_loss, self.in_play),
            in_all: part(after.highest_loss - after.numerical_loss, after.most_in_play),
            on_the_whole: part(-after.numerical_loss, self.in_play),
        }
    }

    /// The forces of supports and constraints at the end of the step. A row between two nodes has no net force; what
    /// is reported then is the force on its first node.
    fn react(&mut self, world: &World, next: &State, objective: &mut Objective) {
        let Books { forces, supports, node_reactions, reactions, .. } = self;
        for (list, count) in [(&mut *supports, world.nodes()), (&mut *reactions, world.constraints.len())] {
            list.clear();
            list.resize(count, Vec3::zeros());
        }
        let phase = &world.phases[objective.work.phase];
        for (constraint, node, _) in phase.motions(&world.constraints, next.t) {
            supports[node] = -forces.sum(node);
            reactions[constraint] += supports[node];
        }
        node_reactions.clone_from(supports);
        objective.each_pull(world, |constraint, row, pull| {
            let on = |(node, gradient): &(u32, Vec3)| node_reactions[*node as usize] += gradient * pull;
            row.terms().iter().for_each(on);
            reactions[constraint] += row.terms()[0].1 * pull;
        });
        self.closed = true;
    }

    /// Force of the supports on each node and of each constraint, after a step  \[N\]
    pub fn reactions(&self) -> Option<(&[Vec3], &[Vec3])> {
        self.closed.then_some((&self.node_reactions[..], &self.reactions[..]))
    }

    /// Every force at the end of the last step.
    pub fn forces(&self) -> &Forces {
        &self.forces
    }

    /// Force of contact and friction on each point, after a step or as set  \[N\]
    pub fn contact(&self) -> &[Vec3] {
        &self.forces.contact
    }

    /// The same, to be set before the first step.
    pub fn contact_mut(&mut self) -> &mut Vec<Vec3> {
        &mut self.forces.contact
    }
}

/// Power of the hands that move springs: Σ k Φ Φₜ  \[W\]
fn hand_work(world: &World, state: &State, work: &mut Workspace) -> f64 {
    let mut power = 0.0;
    world.each_spring(state, work, |_, stiffness: f64, row: &Row| power += stiffness * row.value * row.rate);
    power
}
