//! The world: a sum of terms. It knows traits and the two terms every world has (inertia and gravity), never the
//! law of a body, and never the time step.
//!
//! M q″ = F + C with F = E − ½ ∂W/∂v − ∂P/∂q and C the forces of the constraints. Vertices whose motion is
//! prescribed are taken out of the unknowns; every other exact constraint gets Lagrange multipliers,
//! (N M⁻¹ Nᵀ) λ = ψ − N M⁻¹ F, and the drift is projected away after each step.

mod amend;
mod closed;
mod contact_springs;
mod events;
mod grips;
mod hand;
mod increment;
mod levers;
mod multipliers;
mod orbits;
mod phase;
mod puppets;
mod respond;
mod response;
mod stiffest;

pub use amend::Amended;
pub use events::{Ending, Ends, NamedEvent};
pub use increment::StepMatrix;
pub use multipliers::{Multipliers, Unsatisfied};
pub use phase::{Free, Phase, PhaseError};
pub use puppets::NamedPuppet;
pub use stiffest::Stiffest;

use std::ops::Range;

use wide::f64x4;

use crate::Vec3;
use crate::constraint::{Constraint, Row};
use crate::contact::Contact;
use crate::continuum::{Continuum, Scratch};
use crate::embedding::Embedding;
use crate::event::SpringContact;
use crate::external::{External, Hand};
use crate::frame::{BodyKind, Ledger, Topology};
use crate::impulse::Impulses;
use crate::kinetic::Inertia;
use crate::points::{Network, PointRows};
use crate::potential::{Gravitation, Gravity};
use crate::state::{Rates, State};

/// Everything that does not change: bodies, laws, constraints.
pub struct World {
    /// The mass matrix.
    pub inertia: Inertia,
    /// The bodies' elastic and viscous laws, with the range of tetrahedra each answers for.
    pub continua: Vec<(Range<usize>, Box<dyn Continuum>)>,
    /// The bodies of mass points: springs and the like, with the body each belongs to.
    pub networks: Vec<(usize, Network)>,
    /// Bodies that move by rules of their own.
    pub puppets: Vec<NamedPuppet>,
    /// Uniform gravity.
    pub gravity: Gravity,
    /// What nodes attract each other with; `None` for bodies that weigh little.
    pub gravitation: Option<Gravitation>,
    /// Loads.
    pub loads: Vec<Load>,
    /// Constraints, by the names of the scene.
    pub constraints: Vec<NamedConstraint>,
    /// Times at which steps must end, in order  \[s\]
    pub breaks: Vec<f64>,
    /// Lengths and times that errors are measured against.
    pub scale: Scale,
    /// What the frames need to know.
    pub topology: Topology,
    /// How the points of frames and surfaces follow the nodes.
    pub embedding: Embedding,
    /// Half-spaces that nothing may enter.
    pub planes: Vec<NamedPlane>,
    /// What keeps surfaces apart; `None` lets them pass through each other.
    pub contact: Option<Contact>,
    /// Contact by impulses between steps, instead.
    pub impulses: Option<Impulses>,
    /// Contact by springs that are put where surfaces meet, instead.
    pub springs: Option<SpringContact>,
    /// Events of the scene.
    pub events: Vec<NamedEvent>,
    /// Where their times begin in the memory of a state.
    pub event_memory: usize,
    /// Bodies that were moved because they overlapped at the start.
    pub shifts: Vec<Shift>,
    /// Spans of time with the same active constraints.
    pub phases: Vec<Phase>,
    /// A hand that pulls at a point. The one part that may change between steps: see [`crate::Simulation::grab`].
    pub hand: Option<Hand>,
}

/// A constraint as the scene named it.
pub struct NamedConstraint {
    /// Its name.
    pub name: String,
    /// One law per vertex or pair of vertices.
    pub laws: Vec<Box<dyn Constraint>>,
    /// It lets go at this time  \[s\]
    pub until: f64,
    /// A spring of this stiffness \[N/m\] instead of an exact constraint.
    pub stiffness: Option<f64>,
}

/// A half-space that nothing may enter, bounded by a plane.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPlane {
    /// Its name.
    pub name: String,
    /// A point of the plane  \[m\]
    pub point: Vec3,
    /// Unit vector out of the half-space, towards where bodies may be.
    pub normal: Vec3,
}

/// A body that was moved before the start, as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// The body, as an index into the topology.
    pub body: usize,
    /// How far  \[m\]
    pub by: Vec3,
}

/// A load and when it ends.
pub struct Load {
    /// The force law.
    pub law: Box<dyn External>,
    /// It ends at this time  \[s\]
    pub until: f64,
}

/// What counts as large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Size of the smallest body (diagonal of its box)  \[m\]
    pub length: f64,
    /// Time in which a pressure wave crosses that length  \[s\]
    pub time: f64,
    /// Longest explicit step that lets nothing grow while the bodies are at rest  \[s\]
    pub stable_step: f64,
}

/// Why a force could not be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForceError {
    /// A tetrahedron has J ≤ 0.
    #[error("tetrahedron {tet} of body {body} turns inside out")]
    Inverted {
        /// The body, as an index into the topology.
        body: usize,
        /// Its number in the body's mesh.
        tet: usize,
    },
    /// A constraint cannot be satisfied.
    #[error("constraint {constraint} cannot be kept")]
    Unsatisfied {
        /// The constraint, as an index.
        constraint: usize,
    },
    /// A number is NaN or infinite.
    #[error("node {node} has a force that is not a finite number")]
    NotFinite {
        /// The node.
        node: usize,
    },
}

impl From<Unsatisfied> for ForceError {
    fn from(error: Unsatisfied) -> Self {
        ForceError::Unsatisfied { constraint: error.constraint }
    }
}

/// Memory that the world's sums need; nothing is allocated after the first step.
#[derive(Default)]
pub struct Workspace {
    /// Index of the phase in force.
    pub phase: usize,
    /// Number of force evaluations so far.
    pub evaluations: u64,
    scratch: Vec<Scratch>,
    rows: Vec<PointRows>,
    pub(crate) force: Vec<Vec3>,
    pub(crate) reduced: Vec<Vec3>,
    pub(crate) columns: Vec<f64x4>,
    pub(crate) multipliers: Multipliers,
    /// Mean force of impulses on each point in the last step  \[N\]; empty where nothing touched.
    pub(crate) pushes: Vec<Vec3>,
}

impl World {
    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.inertia.masses().len()
    }

    /// The nodes of each affine body.
    pub fn affine_bodies(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let affine = self.topology.bodies.iter().filter(|body| body.kind == BodyKind::Affine);
        affine.map(|body| body.nodes.clone())
    }

    /// Writes the nodes of each body that has inertia and whose nodes are all `free`.
    pub(crate) fn free_bodies(&self, free: &[bool], out: &mut Vec<Range<usize>>) {
        out.clear();
        let movable = |kind| !matches!(kind, BodyKind::Obstacle | BodyKind::Puppet);
        let bodies = self.topology.bodies.iter().filter(|body| movable(body.kind));
        let loose = |nodes: &Range<usize>| !nodes.is_empty() && nodes.clone().all(|node| free[node]);
        out.extend(bodies.map(|body| body.nodes.clone()).filter(loose));
    }

    /// The points that each constraint acts on, ascending: vertices of solids, all of an affine body, points of a skin
    /// whose carriers are all acted on.
    pub fn constrained_points(&self, state: &State) -> Vec<Vec<u32>> {
        let points = |constraint: &NamedConstraint| -> Vec<u32> {
            let mut rows = vec![];
            constraint.laws.iter().for_each(|law| law.add_rows(state, &mut rows));
            let mut held = vec![false; self.nodes()];
            rows.iter().flat_map(Row::terms).for_each(|(node, _)| held[*node as usize] = true);
            let acted_on = |&p: &usize| self.embedding.of(p).all(|(node, _)| held[node as usize]);
            (0..self.embedding.len()).filter(acted_on).map(|point| point as u32).collect()
        };
        self.constraints.iter().map(points).collect()
    }

    /// Memory for this world.
    pub fn workspace(&self) -> Workspace {
        let n = self.nodes();
        Workspace {
            scratch: self.continua.iter().map(|(_, c)| c.scratch()).collect(),
            rows: self.networks.iter().map(|(_, network)| PointRows::new(network.points)).collect(),
            force: vec![Vec3::zeros(); n],
            reduced: vec![Vec3::zeros(); n],
            columns: vec![f64x4::ZERO; n],
            ..Default::default()
        }
    }

    /// The phase that begins at or before t and ends after it.
    pub fn phase_at(&self, t: f64) -> usize {
        self.phases.partition_point(|p| p.until <= t).min(self.phases.len() - 1)
    }

    /// The next time after t at which a step must end.
    pub fn next_break(&self, t: f64) -> f64 {
        let next = self.breaks.partition_point(|&b| b <= t);
        self.breaks.get(next).copied().unwrap_or(f64::INFINITY)
    }

    /// F (without the forces of exact constraints) into the workspace; powers into the rates.
    fn forces(&self, state: &State, rates: &mut Rates, work: &mut Workspace) -> Result<(), ForceError> {
        work.evaluations += 1;
        work.force.fill(Vec3::zeros());
        let mut loss = 0.0;
        for ((tets, continuum), scratch) in self.continua.iter().zip(&mut work.scratch) {
            loss += continuum
                .add_force(&state.q, &state.v, &state.memory, &mut work.force, scratch)
                .map_err(|inverted| ForceError::Inverted { body: self.body_of(tets), tet: inverted.tet })?;
        }
        for ((_, network), rows) in self.networks.iter().zip(&mut work.rows) {
            loss += network.add_force(state, &mut work.force, rows);
        }
        self.gravity.add_force(self.inertia.masses(), &mut work.force);
        if let Some(gravitation) = &self.gravitation {
            gravitation.add_force(self.inertia.masses(), &state.q, &mut work.force);
        }
        rates.accounts.viscous_loss = loss;
        let loads = self.phases[work.phase].loads.iter().map(|&l| &self.loads[l].law);
        rates.accounts.load_work = loads.map(|law| law.add_force(state, &mut work.force)).sum();
        if let Some(hand) = &self.hand {
            rates.accounts.load_work += hand.add_force(state, &mut work.force);
        }
        rates.accounts.friction_loss = self.add_contact_springs(state, &mut work.force);
        rates.accounts.drag_work = self.add_springs(state, work);
        Ok(())
    }

    /// The body of a continuum, from its range of tetrahedra.
    fn body_of(&self, tets: &Range<usize>) -> usize {
        self.topology.bodies.iter().position(|body| body.tets == *tets).unwrap_or(0)
    }

    /// Forces −k Φ N of the constraints that are springs; returns the power k Φ Φₜ of the hands that move them.
    fn add_springs(&self, state: &State, work: &mut Workspace) -> f64 {
        let phase = &self.phases[work.phase];
        let mut power = 0.0;
        for &(c, stiffness) in &phase.springs {
            for row in work.multipliers.rows_of(&self.constraints[c].laws, state) {
                let pull = -stiffness * row.value;
                row.terms().iter().for_each(|(node, gradient)| work.force[*node as usize] += gradient * pull);
                power -= pull * row.rate;
            }
        }
        power
    }

    /// Time derivative of a state: v, a = M⁻¹(F + C), and the powers.
    pub fn rates(&self, state: &State, rates: &mut Rates, work: &mut Workspace) -> Result<(), ForceError> {
        self.forces(state, rates, work)?;
        rates.v.copy_from_slice(&state.v);
        let phase = &self.phases[work.phase];
        let Workspace { force, reduced, columns, .. } = work;
        phase.solve(&self.inertia, &self.constraints, state.t, force, reduced, &mut rates.a, columns);
        if self.is_linked(state, work) {
            Multipliers::constrain(self, state, &mut rates.a, work);
        }
        rates.accounts.drag_work +=
            phase.drag_power(&self.inertia, &self.constraints, state.t, &rates.a, &work.force);
        match rates.a.iter().position(|a| !(a.x + a.y + a.z).is_finite()) {
            Some(node) => Err(ForceError::NotFinite { node }),
            None => Ok(()),
        }
    }

    /// Whether multipliers hold anything.
    pub(crate) fn is_linked(&self, state: &State, work: &Workspace) -> bool {
        !self.phases[work.phase].exact.is_empty() || self.grips(state)
    }

    /// Puts held and dragged vertices where they must be, exactly.
    pub fn prescribe(&self, state: &mut State, work: &Workspace) {
        self.phases[work.phase].prescribe(&self.constraints, state);
    }

    /// Removes what drift is left in the other exact constraints, in positions and velocities.
    pub fn settle(&self, state: &mut State, work: &mut Workspace) -> Result<(), Unsatisfied> {
        self.prescribe(state, work);
        if self.is_linked(state, work) { Multipliers::project(self, state, work) } else { Ok(()) }
    }

    /// The same for velocities alone: positions stay where they are, to the last bit.
    pub fn settle_velocities(&self, state: &mut State, work: &mut Workspace) {
        let phase = &self.phases[work.phase];
        for (_, node, motion) in phase.motions(&self.constraints, state.t) {
            state.v[node] = motion.velocity;
        }
        if self.is_linked(state, work) {
            Multipliers::project_velocities(self, state, work);
        }
    }

    /// Largest |Φ| of the exact constraints in force, relative to the size of the bodies.
    pub fn violation(&self, state: &State, work: &mut Workspace) -> f64 {
        let phase = &self.phases[work.phase];
        let held = phase.motions(&self.constraints, state.t);
        let held = held.map(|(_, node, motion)| (state.q[node] - motion.position).norm());
        let rows = work.multipliers.gather(self, work.phase, state);
        let linked = rows.iter().map(|row| row.value.abs());
        held.chain(linked).fold(0.0, f64::max) / self.scale.length
    }

    /// Energies and momenta of a state; `start` is the row at time zero, if there is one yet.
    pub fn ledger(&self, state: &State, start: Option<&Ledger>, work: &mut Workspace) -> Ledger {
        let mut row = Ledger { t: state.t, kinetic: self.inertia.energy(&state.v), ..Ledger::default() };
        for (_, continuum) in &self.continua {
            let elastic = continuum.energy(&state.q, &state.memory);
            row.elastic_bulk += elastic.bulk;
            row.elastic_shear += elastic.shear;
        }
        for ((_, network), rows) in self.networks.iter().zip(&mut work.rows) {
            let (volume, shape) = network.energy(state, rows);
            row.elastic_bulk += volume;
            row.elastic_shear += shape;
        }
        let [moving, weight, ground] = self.puppet_energies(state);
        row.kinetic += moving;
        row.gravity = self.weight_energy(&state.q) + weight;
        row.springs = self.spring_energy(state, work);
        row.viscous_loss = state.accounts.viscous_loss;
        let in_springs = self.contact_spring_energy(state);
        row.contact = state.accounts.contact + in_springs + ground;
        row.friction_loss = state.accounts.friction_loss - if self.feet_slide() { in_springs } else { 0.0 };
        row.plastic_loss = state.accounts.plastic_loss;
        row.impact_loss = state.accounts.impact_loss;
        row.numerical_loss = state.accounts.numerical_loss;
        row.drag_work = state.accounts.drag_work;
        row.load_work = state.accounts.load_work;
        (row.momentum, row.angular_momentum) = self.inertia.momenta(&state.q, &state.v);
        let [momentum, turning] = self.puppet_momenta(state);
        row.momentum += momentum;
        row.angular_momentum += turning;
        row.violation = self.violation(state, work);
        row.close(start);
        row
    }

    /// Energy of gravity and gravitation  \[J\]
    pub(crate) fn weight_energy(&self, q: &[Vec3]) -> f64 {
        let mutual = self.gravitation.map_or(0.0, |law| law.energy(self.inertia.masses(), q));
        self.gravity.energy(self.inertia.masses(), q) + mutual
    }

    /// Σ ½ k Φ² of the springs of the phase at hand  \[J\]
    pub fn spring_energy(&self, state: &State, work: &mut Workspace) -> f64 {
        let springs = &self.phases[work.phase].springs;
        let energy = |rows: &[Row], k: f64| rows.iter().map(|r| 0.5 * k * r.value * r.value).sum::<f64>();
        // The sum of nothing is −0, which would look odd in a table.
        springs.iter().fold(0.0, |sum, &(c, k)| {
            sum + energy(work.multipliers.rows_of(&self.constraints[c].laws, state), k)
        })
    }

    /// Elastic energy density \[J/m³\] and Cauchy stress \[Pa\] of every tetrahedron of the topology. All
    /// tetrahedra of an affine body show those of its one element.
    pub fn sample(&self, state: &State, density: &mut [f64], stress: &mut [[f64; 6]]) {
        for (tets, continuum) in &self.continua {
            let (density, stress) = (&mut density[tets.clone()], &mut stress[tets.clone()]);
            continuum.sample(&state.q, &state.memory, density, stress);
            if self.topology.bodies[self.body_of(tets)].kind == BodyKind::Affine {
                let first = (density[0], stress[0]);
                density.fill(first.0);
                stress.fill(first.1);
            }
        }
        for (body, network) in &self.networks {
            let tets = self.topology.bodies[*body].tets.clone();
            network.sample(state, &mut density[tets.clone()], &mut stress[tets]);
        }
    }

    /// Force of the constraints on each node, and the net force of each constraint \[N\].
    pub fn reactions(
        &self,
        state: &State,
        work: &mut Workspace,
    ) -> Result<(Vec<Vec3>, Vec<Vec3>), ForceError> {
        let mut rates = Rates::zeros(self.nodes());
        self.rates(state, &mut rates, work)?;
        Ok(self.reactions_of(state, &rates, work))
    }

    /// The same where the rates are known already, and are the last ones in the workspace.
    pub(crate) fn reactions_of(
        &self,
        state: &State,
        rates: &Rates,
        work: &mut Workspace,
    ) -> (Vec<Vec3>, Vec<Vec3>) {
        let mut per_node = vec![Vec3::zeros(); self.nodes()];
        let mut per_constraint = vec![Vec3::zeros(); self.constraints.len()];
        let phase = &self.phases[work.phase];
        for (c, node, _) in phase.motions(&self.constraints, state.t) {
            let reaction = phase.reaction(&self.inertia, node, &rates.a, &work.force);
            per_node[node] += reaction;
            per_constraint[c] += reaction;
        }
        // Rows with their force: k Φ of springs, λ of multipliers. A row between two nodes has no net force;
        // what is reported then is the force on its first node.
        let mut report = |c: usize, row: &Row, force: f64| {
            row.terms().iter().for_each(|(node, gradient)| per_node[*node as usize] += gradient * force);
            per_constraint[c] += row.terms()[0].1 * force;
        };
        for &(c, stiffness) in &phase.springs {
            let rows = work.multipliers.rows_of(&self.constraints[c].laws, state);
            rows.iter().for_each(|row| report(c, row, -stiffness * row.value));
        }
        if self.is_linked(state, work) {
            work.multipliers.each(|c, row, lambda| report(c, row, lambda));
        }
        (per_node, per_constraint)
    }
}
