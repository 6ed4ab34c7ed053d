//! The incremental potential of one step, its gradient and its curvature.
//!
//! Π(q) = ½ c² |q − q̃|²_M + P(q) − E·q + W(F*, v)/2c + Σ (λ Φ + ½ ρ Φ²) + contact + friction,   v = c (q − q̂)
//!
//! A hand adds ½ k |x − c|² + d |x′|²/2c. E and F* are taken at a predicted state, which keeps the order of the scheme and makes Π a function of q alone.
//! Exact constraints Φ = 0 are kept by multipliers λ that grow until Φ is small enough (augmented Lagrangian).

use std::ops::Range;

use super::scheme::{Past, Weights};
use super::turns::{predict_turned, straying};
use crate::constraint::Row;
use crate::contact::{Pushes, Slip, Stop, Touching, passes};
use crate::solve::RankOnes;
use crate::state::State;
use crate::world::{ForceError, StepMatrix, Workspace, World};
use crate::{Mat3, Vec3};

/// ρ over the stiffness of the nodes that a constraint touches.
const CONSTRAINT_SCALE: f64 = 1000.0;
/// Part of the energy of motion that counts where no force acts.
const IN_FLIGHT: f64 = 1e-4;
/// Turns below this need no foresight: viscosity takes less than its square of the energy of turning \[rad\].
const LEAST_TURN: f64 = 0.01;
/// Part of the way to the first flat tetrahedron that a motion may go.
pub(super) const UPRIGHT: f64 = 0.9;

/// All terms of Π and the memory they need.
pub(super) struct Objective {
    pub weights: Weights,
    /// The trial state: t at the end of the step, q as asked for, v = c (q − q̂).
    pub state: State,
    pub work: Workspace,
    pub touching: Option<Touching>,
    /// q*: shape at which viscosity is taken.
    frozen: Vec<Vec3>,
    /// l̂ of the dampers of mass points  \[m\]
    lengths: Vec<Vec<f64>>,
    /// E: loads of the step  \[N\]
    load: Vec<Vec3>,
    /// λ and ρ of the exact rows  \[N\], \[N/m\]
    multipliers: Vec<f64>,
    penalties: Vec<f64>,
    /// Positions and gradient of the surface points.
    points: Vec<Vec3>,
    point_gradient: Vec<Vec3>,
    point_motion: Vec<Vec3>,
    /// What resists a push at each surface point, infinite where it is held  \[N/m\]
    firmness: Vec<f64>,
    offset: Vec<Vec3>,
    force: Vec<Vec3>,
    /// Π without contact at the trial state, where it is known  \[J\]
    known: Option<f64>,
}

/// Forces at the end of a step, kept apart for the ledger  \[N\]  (nodes)
#[derive(Clone, Debug, Default)]
pub(super) struct Forces {
    pub inertia: Vec<Vec3>,
    pub stored: Vec<Vec3>,
    pub viscous: Vec<Vec3>,
    pub load: Vec<Vec3>,
    pub constraint: Vec<Vec3>,
    pub repulsion: Vec<Vec3>,
    pub friction: Vec<Vec3>,
    /// The part of the stored and viscous forces that acts on bodies from outside.
    pub afar: Vec<Vec3>,
    /// Torques beside the forces.
    pub couples: Vec<Couple>,
    /// Repulsion and friction together  \[N\]  (points)
    pub contact: Vec<Vec3>,
}

/// A torque on a body that its forces do not have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Couple {
    /// A node of the body.
    pub node: usize,
    /// \[N m\]
    pub torque: Vec3,
    /// Radius of the surface around its points  \[m\]
    pub radius: f64,
}

impl Objective {
    pub fn new(world: &World) -> Objective {
        let zeros = || vec![Vec3::zeros(); world.nodes()];
        Objective {
            weights: Weights::default(),
            state: State::at_rest(zeros()),
            work: world.workspace(),
            touching: world.contact.as_ref().map(Touching::new),
            frozen: zeros(),
            lengths: vec![],
            load: zeros(),
            multipliers: vec![],
            penalties: vec![],
            points: vec![Vec3::zeros(); world.embedding.len()],
            point_gradient: vec![Vec3::zeros(); world.embedding.len()],
            point_motion: vec![Vec3::zeros(); world.embedding.len()],
            firmness: vec![],
            offset: zeros(),
            force: zeros(),
            known: None,
        }
    }

    /// Freezes what a step of length h from `now` keeps: loads and the shape for viscosity, at the predicted end. Free bodies
    /// make these `rotations` on their way there: to a shape that is not turned along, a body that turns would seem to flow.
    pub fn begin(
        &mut self,
        world: &World,
        (now, past): (&State, &Past),
        h: f64,
        free_bodies: &[Range<usize>],
        rotations: &[Mat3],
    ) {
        self.known = None;
        let weights = &self.weights;
        world.base_lengths(|ends| weights.base_length(ends, now, past), &mut self.lengths);
        self.state.t = now.t + h;
        self.state.memory.clone_from(&now.memory);
        let (inertia, motion) = (&world.inertia, [&now.q[..], &now.v[..]]);
        // The planned shape is safe for viscous laws that need upright elements as long as none is flattened.
        let turning = || free_bodies.iter().zip(rotations).filter(|(_, rotation)| turns(rotation));
        straying(inertia, turning().map(|(nodes, _)| nodes), motion, h, &mut self.offset);
        let safe = if world.first_flat(&now.q, &self.offset) > 1.25 { 1.0 } else { 0.0 };
        for ((frozen, q), step) in self.frozen.iter_mut().zip(&now.q).zip(&self.offset) {
            *frozen = q + step * safe;
        }
        for (nodes, rotation) in turning() {
            predict_turned(inertia, nodes.clone(), motion, (h, safe), rotation, &mut self.frozen);
        }
        self.state.q.copy_from_slice(&self.frozen);
        self.state.v.copy_from_slice(&now.v);
        self.load.fill(Vec3::zeros());
        world.add_loads(&self.state, &mut self.load, &self.work);
    }

    /// Whether a body would pass another in a step of length h.
    pub fn passes(&mut self, world: &World, now: &State, h: f64, share: f64) -> bool {
        let Some(contact) = &world.contact else { return false };
        let fall = world.gravity.acceleration * h;
        self.offset.clear();
        self.offset.extend(now.v.iter().map(|v| (v + fall) * h));
        let phase = &world.phases[self.work.phase];
        for (_, node, motion) in phase.motions(&world.constraints, now.t + h) {
            self.offset[node] = motion.position - now.q[node];
        }
        world.embedding.positions(&now.q, &mut self.points);
        world.embedding.positions(&self.offset, &mut self.point_motion);
        passes(contact, &self.points, &self.point_motion, share)
    }

    /// The matrix at q, without contact.
    pub fn assemble(&self, world: &World, q: &[Vec3], out: &mut StepMatrix) {
        world.assemble(q, &self.state.memory, &self.frozen, &self.lengths, self.weights.rate, out);
    }

    /// Looks for what may touch on the way from `now` to the planned end.
    pub fn detect(&mut self, world: &World, now: &State, planned: &[Vec3]) {
        let (Some(contact), Some(touching)) = (&world.contact, &mut self.touching) else { return };
        world.embedding.positions(&now.q, &mut self.points);
        world.embedding.positions(planned, &mut self.point_motion);
        world.embedding.positions(&self.weights.base, &mut self.point_gradient);
        let slip = Slip { base: &self.point_gradient, hold: contact.friction.slip_speed / self.weights.rate };
        touching.begin(contact, &self.points, &self.point_motion, slip);
    }

    /// Freezes the stiffness of constraints, from the diagonal of the matrix.
    pub fn stiffen(&mut self, world: &World, matrix: &StepMatrix, now: &State) {
        let free = &world.phases[self.work.phase].free.mask;
        let stiffness = |node: usize| match free[node] {
            true => matrix.matrix.diagonal(node).trace() / 3.0,
            false => f64::INFINITY,
        };
        self.known = None;
        self.state.q.copy_from_slice(&now.q);
        self.penalties.clear();
        self.penalties.extend(world.exact_rows(&self.state, &mut self.work).map(|(_, row)| {
            let nodes = row.terms().iter().filter(|(_, gradient)| *gradient != Vec3::zeros());
            let stiff = nodes.map(|&(node, _)| stiffness(node as usize)).filter(|s| s.is_finite());
            CONSTRAINT_SCALE * stiff.fold(f64::MIN_POSITIVE, f64::max)
        }));
        self.multipliers.clear();
        self.multipliers.resize(self.penalties.len(), 0.0);
    }

    /// Freezes the stiffness of contacts, which never changes: it is that of the regular steps of rate c.
    pub fn harden(&mut self, world: &World, rate: f64) {
        self.penalties.clear();
        self.multipliers.clear();
        let free = &world.phases[self.work.phase].free.mask;
        let (Some(contact), Some(touching)) = (&world.contact, &mut self.touching) else { return };
        let firmness = |node: usize| match free[node] {
            true => contact.backing[node].firmness(rate),
            false => f64::INFINITY,
        };
        let softness = |point: usize| -> f64 {
            world.embedding.of(point).map(|(node, w)| w * w / firmness(node as usize)).sum()
        };
        self.firmness.clear();
        self.firmness.extend((0..world.embedding.len()).map(|point| 1.0 / softness(point)));
        touching.harden(contact, &self.firmness);
    }

    /// Sets the trial state to q, with the velocities of the scheme.
    fn try_at(&mut self, q: &[Vec3]) {
        self.known = None;
        self.state.q.copy_from_slice(q);
        let State { q, v, .. } = &mut self.state;
        self.weights.velocity(q, v);
    }

    /// Π(q) during a line search.
    pub fn energy(&mut self, world: &World, q: &[Vec3]) -> f64 {
        let smooth = self.smooth_energy(world, q);
        match (&world.contact, &mut self.touching) {
            (Some(contact), Some(touching)) => {
                world.embedding.positions(q, &mut self.points);
                smooth + touching.energy(contact, &self.points)
            }
            _ => smooth,
        }
    }

    /// Energy of repulsion at q, where the search begins  \[J\], and its force on each point  \[N\]
    pub fn push_at(&mut self, world: &World, q: &[Vec3], force: &mut Vec<Vec3>) -> f64 {
        force.clear();
        let (Some(contact), Some(touching)) = (&world.contact, &mut self.touching) else { return 0.0 };
        world.embedding.positions(q, &mut self.points);
        self.point_gradient.fill(Vec3::zeros());
        let energy = touching.evaluate(contact, &self.points, &mut self.point_gradient).energy;
        force.extend(self.point_gradient.iter().map(|gradient| Vec3::zeros() - gradient));
        // A sum of nothing is −0, which tables would show.
        energy + 0.0
    }

    /// Π(q) without contact.
    fn smooth_energy(&mut self, world: &World, q: &[Vec3]) -> f64 {
        self.try_at(q);
        self.offset_from_aim(q);
        let inertia = world.inertia.energy(&self.offset) * self.weights.rate.powi(2);
        let load: f64 = self.load.iter().zip(q).map(|(f, q)| f.dot(q)).sum();
        let viscous = world.dissipation(&self.frozen, &self.state.v) / self.weights.rate
            + world.damper_energy(q, &self.lengths, self.weights.rate);
        let stored = world.stored_energy(&self.state, &mut self.work);
        let hand = world.hand_potential(&self.state, self.weights.rate);
        let rows = world.exact_rows(&self.state, &mut self.work);
        let held = rows.zip(&self.multipliers).zip(&self.penalties);
        let held: f64 = held.map(|(((_, row), l), p)| row.value * (l + 0.5 * p * row.value)).sum();
        let sum = inertia + stored - load + viscous + held + hand;
        self.known = Some(sum);
        sum
    }

    /// Energy that forces move in a step: that of the impulses so far, and of the weight of all bodies  \[J\]
    pub fn energy_in_play(&mut self, world: &World) -> f64 {
        let rate = self.weights.rate;
        let fall = world.gravity.acceleration.norm() / rate;
        let mass: f64 = world.inertia.masses().iter().sum();
        let flight = IN_FLIGHT * world.inertia.energy(&self.state.v);
        // The offset is that of the last potential.
        world.inertia.energy(&self.offset) * rate * rate + 0.5 * mass * fall * fall + flight
    }

    /// Work of a force, and that of the forces of bodies and loads at the last gradient, counted without sign for each
    /// node, on the way from the start of the step to q  \[J\]
    pub fn works(&self, force: &[Vec3], q: &[Vec3], from: &[Vec3]) -> (f64, f64) {
        let inner = self.force.iter().zip(&self.load);
        let ways = q.iter().zip(from).map(|(q, from)| q - from);
        force.iter().zip(inner).zip(ways).fold((0.0, 0.0), |(net, all), ((f, (inner, load)), way)| {
            (net + f.dot(&way), all + (inner + load).dot(&way).abs())
        })
    }

    /// What viscosity takes in a step of length h that ends at the trial state: h W, never negative  \[J\]
    pub fn viscous_loss(&self, world: &World, h: f64) -> f64 {
        let (State { q, v, .. }, rate) = (&self.state, self.weights.rate);
        let dampers = rate * world.damper_energy(q, &self.lengths, rate);
        2.0 * h * (world.dissipation(&self.frozen, v) + dampers)
    }

    /// What friction takes in a step of length h that ends at the trial state, with these forces on the nodes \[N\]: it opposes
    /// the velocity that the scheme has there, so that this is never negative  \[J\]
    pub fn friction_loss(&self, friction: &[Vec3], h: f64) -> f64 {
        -h * work_of(friction, &self.state.v)
    }

    fn offset_from_aim(&mut self, q: &[Vec3]) {
        self.offset.clear();
        self.offset.extend(q.iter().zip(&self.weights.aim).map(|(q, aim)| q - aim));
    }

    /// Gradient of Π at q \[N\], and Π itself. Keeps the contacts for [`Objective::curvature`].
    pub fn gradient(&mut self, world: &World, q: &[Vec3], out: &mut [Vec3]) -> Result<f64, ForceError> {
        // a line search has just been here
        let known = self.known.filter(|_| self.state.q == q);
        let smooth = known.unwrap_or_else(|| self.smooth_energy(world, q));
        self.force.fill(Vec3::zeros());
        world.add_stored_force(&self.state, &mut self.force, &mut self.work)?;
        world.add_viscous_force(&self.frozen, &self.state.v, &mut self.force, &mut self.work)?;
        world.add_damper_force(q, &self.lengths, self.weights.rate, &mut self.force);
        world.add_hand(&self.state, &mut self.force);
        let rate2 = self.weights.rate.powi(2);
        for (i, out) in out.iter_mut().enumerate() {
            let inertia = world.inertia.matrix().row_times(i, &self.offset) * rate2;
            *out = inertia - self.force[i] - self.load[i];
        }
        let rows = world.exact_rows(&self.state, &mut self.work);
        for (((_, row), multiplier), penalty) in rows.zip(&self.multipliers).zip(&self.penalties) {
            let pull = multiplier + penalty * row.value;
            row.terms().iter().for_each(|(node, gradient)| out[*node as usize] += gradient * pull);
        }
        let mut pushes = Pushes::default();
        if let (Some(contact), Some(touching)) = (&world.contact, &mut self.touching) {
            world.embedding.positions(q, &mut self.points);
            self.point_gradient.fill(Vec3::zeros());
            pushes = touching.evaluate(contact, &self.points, &mut self.point_gradient);
            world.embedding.add_transposed(&self.point_gradient, out);
        }
        Ok(smooth + pushes.energy + pushes.friction_energy)
    }

    /// The curvature beside the matrix: constraints, springs, contact and friction, as a sum of squares.
    pub fn curvature(&mut self, world: &World, out: &mut RankOnes) {
        out.clear();
        world.each_spring(&self.state, &mut self.work, |_, stiffness, row| {
            out.push(row.terms().iter().map(|(node, gradient)| (*node, gradient * stiffness.sqrt())));
        });
        world.each_square(&self.state, &mut self.work, |first, z| {
            out.push(z.iter().enumerate().map(|(i, z)| ((first + i) as u32, *z)));
        });
        world.each_hand_square(self.weights.rate, |square| out.push(square.iter().copied()));
        let rows = world.exact_rows(&self.state, &mut self.work);
        for ((_, row), penalty) in rows.zip(&self.penalties) {
            out.push(row.terms().iter().map(|(node, gradient)| (*node, gradient * penalty.sqrt())));
        }
        if let Some(touching) = &self.touching {
            touching.each_square(|points, z| push_square(world, points, z, out));
        }
    }

    /// Largest fraction of the motion dq that crosses nothing and flattens nothing, at most 1.
    pub fn limit(&mut self, world: &World, q: &[Vec3], dq: &[Vec3]) -> f64 {
        let upright = (UPRIGHT * world.first_flat(q, dq)).min(1.0);
        match (&world.contact, &mut self.touching) {
            (Some(contact), Some(touching)) => {
                world.embedding.positions(q, &mut self.points);
                world.embedding.positions(dq, &mut self.point_motion);
                let end = &mut self.point_gradient;
                end.iter_mut().zip(&self.points).zip(&self.point_motion).for_each(|((e, x), d)| *e = x + d);
                touching.cover(contact, &self.points, end);
                upright.min(touching.limit(contact, &self.points, &self.point_motion))
            }
            _ => upright,
        }
    }

    /// Looks for what touches at q, and returns whether anything does.
    pub fn find_touches(&mut self, world: &World, q: &[Vec3]) -> bool {
        let (Some(contact), Some(touching)) = (&world.contact, &mut self.touching) else { return false };
        world.embedding.positions(q, &mut self.points);
        self.point_gradient.fill(Vec3::zeros());
        touching.evaluate(contact, &self.points, &mut self.point_gradient);
        touching.touches()
    }

    /// The bodies that touched at [`Objective::find_touches`].
    pub fn touched_bodies(&self, world: &World) -> Vec<usize> {
        let Some(touching) = &self.touching else { return vec![] };
        let mut bodies: Vec<usize> = touching.touching_bodies().map(|body| body as usize).collect();
        bodies.sort_unstable();
        bodies.dedup();
        bodies.retain(|body| *body < world.topology.bodies.len());
        bodies
    }

    /// Whether anything touches where the gradient was asked for last.
    pub fn touches(&self) -> bool {
        self.touching.as_ref().is_some_and(Touching::touches)
    }

    /// Lets friction learn from the motion that [`Objective::limit`] was asked about last. Returns how much of the contacts
    /// is still undecided, see [`Touching::learn`].
    pub fn learn(&mut self, world: &World) -> f64 {
        let (Some(_), Some(touching)) = (&world.contact, &mut self.touching) else { return 0.0 };
        touching.learn(&self.points, &self.point_motion)
    }

    /// Who presses on a body hardest, where [`Objective::first_stop`] was asked last.
    pub fn pressing(&self, world: &World, body: u32) -> [Option<u32>; 2] {
        let (Some(contact), Some(touching)) = (&world.contact, &self.touching) else { return [None; 2] };
        touching.pressing(contact, &self.points, body)
    }

    /// What contact stops first on the way dq.
    pub fn first_stop(&mut self, world: &World, q: &[Vec3], dq: &[Vec3]) -> Option<Stop> {
        self.limit(world, q, dq);
        let (contact, touching) = (world.contact.as_ref()?, self.touching.as_ref()?);
        touching.first_stop(contact, &self.points, &self.point_motion)
    }

    /// The largest |Φ| of the exact constraints at q  \[m\], and whose it is.
    pub fn violation(&mut self, world: &World, q: &[Vec3]) -> (f64, usize) {
        self.try_at(q);
        let rows = world.exact_rows(&self.state, &mut self.work);
        rows.map(|(owner, row)| (row.value.abs(), owner)).fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a })
    }

    /// Lets the multipliers take over what the penalties carry at the trial state.
    pub fn grow_multipliers(&mut self, world: &World) {
        self.known = None;
        let rows = world.exact_rows(&self.state, &mut self.work);
        for (((_, row), multiplier), penalty) in rows.zip(&mut self.multipliers).zip(&self.penalties) {
            *multiplier += penalty * row.value;
        }
    }

    /// Calls `visit` for every row of springs and exact constraints at the trial state, with its constraint and the force
    /// along its gradient  \[N\]
    pub fn each_pull(&mut self, world: &World, mut visit: impl FnMut(usize, &Row, f64)) {
        let springs = |c, stiffness: f64, row: &Row| visit(c, row, -stiffness * row.value);
        world.each_spring(&self.state, &mut self.work, springs);
        let rows = world.exact_rows(&self.state, &mut self.work);
        for (((c, row), multiplier), penalty) in rows.zip(&self.multipliers).zip(&self.penalties) {
            visit(c, row, -(multiplier + penalty * row.value));
        }
    }

    /// By how much friction at q is not Coulomb's, see [`Touching::coulomb_error`].
    pub fn coulomb_error(&mut self, world: &World, q: &[Vec3]) -> f64 {
        let (Some(contact), Some(touching)) = (&world.contact, &mut self.touching) else { return 0.0 };
        if contact.friction.is_none() {
            return 0.0;
        }
        world.embedding.positions(q, &mut self.points);
        self.point_gradient.fill(Vec3::zeros());
        touching.evaluate(contact, &self.points, &mut self.point_gradient);
        touching.coulomb_error(&self.points)
    }

    /// Remembers new normal forces for friction at q.
    pub fn lag_again(&mut self, world: &World, q: &[Vec3]) {
        if let (Some(contact), Some(touching)) = (&world.contact, &mut self.touching) {
            world.embedding.positions(q, &mut self.points);
            touching.lag(contact, &self.points);
        }
    }

    /// Every force at q by its cause; their sum is minus the gradient.
    pub fn forces(&mut self, world: &World, q: &[Vec3], out: &mut Forces) -> Result<Pushes, ForceError> {
        out.clear(world.nodes());
        self.try_at(q);
        self.offset_from_aim(q);
        for (i, inertia) in out.inertia.iter_mut().enumerate() {
            *inertia = world.inertia.matrix().row_times(i, &self.offset) * -self.weights.rate.powi(2);
        }
        world.add_stored_force(&self.state, &mut out.stored, &mut self.work)?;
        world.add_viscous_force(&self.frozen, &self.state.v, &mut out.viscous, &mut self.work)?;
        world.add_damper_force(q, &self.lengths, self.weights.rate, &mut out.viscous);
        world.add_outer_force(&self.state, &mut out.afar, &mut self.work);
        world.add_drag(&self.state.v, &mut out.afar);
        out.load.copy_from_slice(&self.load);
        world.add_hand(&self.state, &mut out.load);
        let rows = world.exact_rows(&self.state, &mut self.work);
        for (((_, row), multiplier), penalty) in rows.zip(&self.multipliers).zip(&self.penalties) {
            let pull = multiplier + penalty * row.value;
            row.terms().iter().for_each(|(node, gradient)| out.constraint[*node as usize] -= gradient * pull);
        }
        let mut pushes = Pushes::default();
        if let (Some(contact), Some(touching)) = (&world.contact, &mut self.touching) {
            world.embedding.positions(q, &mut self.points);
            self.point_gradient.fill(Vec3::zeros());
            pushes = touching.evaluate(contact, &self.points, &mut self.point_gradient);
            // Π is in J and not scaled by the step, so this is in N as it is.
            out.contact.extend(self.point_gradient.iter().map(|gradient| Vec3::zeros() - gradient));
            self.point_motion.fill(Vec3::zeros());
            touching.add_friction(&self.points, &mut self.point_motion);
            world.embedding.add_transposed(&self.point_motion, &mut out.friction);
            // what is left of the gradient is repulsion
            self.point_gradient.iter_mut().zip(&self.point_motion).for_each(|(g, f)| *g = -(*g + f));
            world.embedding.add_transposed(&self.point_gradient, &mut out.repulsion);
            let node_of =
                |point: u32| world.embedding.of(point as usize).next().map(|(node, _)| node as usize);
            touching.each_couple(&self.points, |point, torque| {
                let radius = contact.surface.radius_at(point);
                out.couples.extend(node_of(point).map(|node| Couple { node, torque, radius }));
            });
        }
        Ok(pushes)
    }
}

impl Forces {
    fn clear(&mut self, nodes: usize) {
        let Forces {
            inertia,
            stored,
            viscous,
            load,
            constraint,
            repulsion,
            friction,
            afar,
            couples,
            contact,
        } = self;
        contact.clear();
        couples.clear();
        for list in [inertia, stored, viscous, load, constraint, repulsion, friction, afar] {
            list.clear();
            list.resize(nodes, Vec3::zeros());
        }
    }

    /// What acts on a node from outside its body.
    pub fn outer(&self, node: usize) -> Vec3 {
        self.afar[node] + self.load[node] + self.constraint[node] + self.repulsion[node] + self.friction[node]
    }

    /// What is left over at a node: the force of the support where it is held, else Newton's residual.
    pub fn sum(&self, node: usize) -> Vec3 {
        self.inertia[node]
            + self.stored[node]
            + self.viscous[node]
            + self.load[node]
            + self.constraint[node]
            + self.repulsion[node]
            + self.friction[node]
    }
}

/// Whether a body turns so far in a step that its tangents lead astray.
fn turns(rotation: &Mat3) -> bool {
    (rotation - Mat3::identity()).amax() > LEAST_TURN
}

/// Σ f·dq.
pub(super) fn work_of(force: &[Vec3], moved: &[Vec3]) -> f64 {
    force.iter().zip(moved).map(|(f, d)| f.dot(d)).sum()
}

/// One square on surface points as a square on nodes: Bᵀz, each node once.
fn push_square(world: &World, points: &[u32; 4], z: &[Vec3; 4], out: &mut RankOnes) {
    if world.embedding.is_plain() {
        let used = points.iter().zip(z).filter(|(_, z)| **z != Vec3::zeros());
        out.push(used.map(|(&point, z)| (point, *z)));
        return;
    }
    let mut entries = [(0_u32, Vec3::zeros()); 16];
    let mut count = 0;
    for (&point, z) in points.iter().zip(z).filter(|(_, z)| **z != Vec3::zeros()) {
        for (node, weight) in world.embedding.of(point as usize) {
            match entries[..count].iter_mut().find(|(known, _)| *known == node) {
                Some((_, sum)) => *sum += z * weight,
                None => {
                    entries[count] = (node, z * weight);
                    count += 1;
                }
            }
        }
    }
    out.push(entries[..count].iter().copied());
}
