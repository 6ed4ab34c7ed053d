//! Puts a world together, body by body, and checks that it can move.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::Vec3;
use crate::body::contact::contact;
use crate::body::impulse::impulses;
use crate::body::separate::Movable;
use crate::body::spring::{Grounds, SpringSettings, springs};
use crate::body::{BuildError, ContactSettings, ImpulseSettings, Material};
use crate::continuum::Continuum;
use crate::embedding::Embedding;
use crate::frame::{BodyKind, BodyRange, Topology};
use crate::kinetic::{Inertia, MassModel, tet_entries};
use crate::mesh::{self, MAX_TETS, MeshError, TetMesh};
use crate::points::Network;
use crate::potential::{Gravitation, Gravity};
use crate::state::State;
use crate::world::{
    Load, NamedConstraint, NamedEvent, NamedPlane, NamedPuppet, Phase, PhaseError, Scale, World,
};
use crate::yielding::Yield;

/// A body of the world, as an index.
pub type BodyId = usize;

/// How far off the start may be, relative to the size of the bodies, to be settled silently.
const START_TOLERANCE: f64 = 1e-6;

/// Longest step, over the time a pressure wave takes across the smallest altitude a. The stiffest mode of linear
/// tetrahedra with consistent mass has ω up to 4.4 c/a, with lumped mass half; beyond ω h = 3.2 Runge–Kutta–Fehlberg
/// grows it at once. (Below 2.3 it grows by at most 3 % a step, which the error control sees in time.)
const STABLE: f64 = 2.8 / 4.4;

/// Rows of exact constraints that multipliers can carry: each stage factors a dense matrix of that size.
const MAX_ROWS: usize = 3000;

/// What a body shows, in numbers that count from its own first point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outline<'a> {
    pub tets: &'a [[u32; 4]],
    pub triangles: &'a [[u32; 3]],
    /// Lines that are no side of a triangle.
    pub edges: &'a [[u32; 2]],
    /// Half the thickness of lines and open surfaces  \[m\]
    pub radius: f64,
}

/// A world in the making.
#[derive(Default)]
pub struct WorldBuilder {
    pub(super) gravity: Vec3,
    pub(super) gravitation: Option<Gravitation>,
    pub(super) positions: Vec<Vec3>,
    pub(super) velocities: Vec<Vec3>,
    pub(super) masses: Vec<(u32, u32, f64)>,
    pub(super) continua: Vec<Box<dyn Continuum>>,
    pub(super) networks: Vec<(BodyId, Network)>,
    /// What the bodies remember, as it is at the start.
    pub(super) memory: Vec<f64>,
    pub(super) topology: Topology,
    pub(super) embedding: Embedding,
    pub(super) planes: Vec<NamedPlane>,
    pub(super) contact: Option<ContactSettings>,
    pub(super) impulses: Option<ImpulseSettings>,
    pub(super) springs: Option<SpringSettings>,
    /// Obstacles that are spheres, with their radius  \[m\]
    pub(super) balls: BTreeMap<BodyId, f64>,
    pub(super) scales: Vec<(BodyKind, Scale)>,
    pub(super) constraints: Vec<NamedConstraint>,
    pub(super) loads: Vec<Load>,
    pub(super) events: Vec<NamedEvent>,
    pub(super) puppets: Vec<NamedPuppet>,
    /// Nodes of puppets.
    pub(super) guided: Vec<Range<usize>>,
    pub(super) refused: Option<BuildError>,
}

impl WorldBuilder {
    /// A world without gravity and without bodies.
    pub fn new() -> WorldBuilder {
        WorldBuilder::default()
    }

    /// Sets uniform gravity \[m/s²\].
    pub fn gravity(&mut self, acceleration: Vec3) -> &mut Self {
        self.gravity = acceleration;
        self
    }

    /// Lets all nodes attract each other.
    pub fn gravitation(&mut self, law: Gravitation) -> &mut Self {
        self.gravitation = Some(law);
        self
    }

    /// The exposed pieces of rope of a body, in world numbers of points, and their radius  \[m\]
    pub fn edges(&self, body: BodyId) -> (&[[u32; 2]], f64) {
        let body = &self.topology.bodies[body];
        (&self.topology.edges[body.edges.clone()], body.radius)
    }

    /// Keeps all surfaces apart. Implicit steps heed it, explicit ones do not. Replaces [`WorldBuilder::impulses`].
    pub fn contact(&mut self, settings: ContactSettings) -> &mut Self {
        (self.impulses, self.springs) = (None, None);
        self.contact = Some(settings);
        self
    }

    /// Adds a solid at rest: relaxed on `mesh`, placed at the mesh's own positions.
    pub fn solid(
        &mut self,
        name: &str,
        mesh: &TetMesh,
        material: &Material,
        mass: MassModel,
    ) -> Result<BodyId, BuildError> {
        self.check_mesh(name, mesh, material.density)?;
        if let Some(Err(error)) = material.plasticity.map(Yield::checked) {
            return Err(BuildError::Yield { body: name.into(), error });
        }
        self.room_for_points(mesh.positions.len())?;
        let nodes = self.add_nodes(&mesh.positions);
        let shift = |v: u32| v + nodes.start as u32;
        for (t, tet) in mesh.tets.iter().enumerate() {
            tet_entries(mass, tet.map(shift), material.density * mesh.matter_of(t), &mut self.masses);
        }
        let length = mesh.size();
        let crossing = mesh::quality(mesh).min_altitude / material.wave_speed();
        let stable_step = crossing * if mass == MassModel::Consistent { STABLE } else { 2.0 * STABLE };
        let scale = Scale { length, time: length / material.wave_speed(), stable_step };
        self.add_continuum(material.solid(mesh, nodes.start), BodyKind::Solid, scale);
        self.embedding.push_plain(nodes.clone());
        let outline = Outline { tets: &mesh.tets, triangles: &mesh.boundary(), ..Outline::default() };
        Ok(self.enlist(name, BodyKind::Solid, nodes, &outline))
    }

    /// Refuses a mesh or a density \[kg/m³\] that cannot be simulated, and too many tetrahedra in all.
    pub(super) fn check_mesh(&self, name: &str, mesh: &TetMesh, density: f64) -> Result<(), BuildError> {
        mesh.check().map_err(|error| BuildError::Mesh { body: name.into(), error })?;
        if !(density > 0.0 && density.is_finite()) {
            return Err(BuildError::Density { body: name.into(), density });
        }
        let tets = self.topology.tets.len() + mesh.tets.len();
        if tets > MAX_TETS {
            let error = MeshError::TooLarge { tets: tets as u128, limit: MAX_TETS };
            return Err(BuildError::Mesh { body: name.into(), error });
        }
        Ok(())
    }

    /// Refuses more points than can be numbered. There are never fewer points than nodes.
    pub(super) fn room_for_points(&self, more: usize) -> Result<(), BuildError> {
        let count = self.positions.len().max(self.embedding.len()) + more;
        if count > u32::MAX as usize { Err(BuildError::TooLarge(count)) } else { Ok(()) }
    }

    /// Appends nodes at rest; returns their range.
    pub(super) fn add_nodes(&mut self, positions: &[Vec3]) -> Range<usize> {
        let first = self.positions.len();
        self.positions.extend(positions);
        self.velocities.resize(self.positions.len(), Vec3::zeros());
        first..self.positions.len()
    }

    /// The law of the body that is enlisted next.
    pub(super) fn add_continuum(&mut self, mut law: Box<dyn Continuum>, kind: BodyKind, scale: Scale) {
        law.remember(&mut self.memory);
        self.continua.push(law);
        self.scales.push((kind, scale));
    }

    /// The body that a point belongs to.
    pub(super) fn body_of(&self, point: u32) -> BodyId {
        let body = self.topology.bodies.partition_point(|body| body.points.end <= point as usize);
        body.min(self.topology.bodies.len().saturating_sub(1))
    }

    /// Adds a body to the topology once its points are embedded.
    pub(super) fn enlist(
        &mut self,
        name: &str,
        kind: BodyKind,
        nodes: Range<usize>,
        outline: &Outline,
    ) -> BodyId {
        let Outline { tets, triangles, edges, radius } = *outline;
        let topology = &mut self.topology;
        let first = topology.bodies.last().map_or(0, |body| body.points.end);
        let shift = |v: u32| v + first as u32;
        topology.bodies.push(BodyRange {
            name: name.into(),
            kind,
            nodes,
            points: first..self.embedding.len(),
            tets: topology.tets.len()..topology.tets.len() + tets.len(),
            triangles: topology.triangles.len()..topology.triangles.len() + triangles.len(),
            edges: topology.edges.len()..topology.edges.len() + edges.len(),
            radius,
            skin: None,
        });
        topology.tets.extend(tets.iter().map(|tet| tet.map(shift)));
        topology.triangles.extend(triangles.iter().map(|triangle| triangle.map(shift)));
        topology.edges.extend(edges.iter().map(|edge| edge.map(shift)));
        topology.bodies.len() - 1
    }

    /// The nodes of a body.
    pub fn nodes(&self, body: BodyId) -> Range<usize> {
        self.topology.bodies[body].nodes.clone()
    }

    /// The points of a body, without those of a skin; of a solid each is a node.
    pub fn points(&self, body: BodyId) -> Range<usize> {
        self.topology.bodies[body].own_points()
    }

    /// The exposed triangles between these points, outward, in world numbers of points.
    pub fn triangles(&self, body: BodyId) -> &[[u32; 3]] {
        let body = &self.topology.bodies[body];
        let shown = &self.topology.triangles[body.triangles.clone()];
        body.skin.as_ref().map_or(shown, |skin| &skin.cage)
    }

    /// Positions of the nodes at the start; move a body by writing here  \[m\]
    pub fn positions(&mut self) -> &mut [Vec3] {
        &mut self.positions
    }

    /// Positions of all points as they are now  \[m\]
    pub fn point_positions(&self) -> Vec<Vec3> {
        let mut points = vec![Vec3::zeros(); self.embedding.len()];
        self.embedding.positions(&self.positions, &mut points);
        points
    }

    /// Positions of the nodes of a body as they are now  \[m\]
    pub fn rest_of(&self, body: BodyId) -> Vec<Vec3> {
        self.positions[self.nodes(body)].to_vec()
    }

    /// Velocities of the nodes at the start  \[m/s\]
    pub fn velocities(&mut self) -> &mut [Vec3] {
        &mut self.velocities
    }

    /// Mass that belongs to each node so far \[kg\].
    pub fn masses(&self) -> Vec<f64> {
        let mut masses = vec![0.0; self.positions.len()];
        self.masses.iter().for_each(|&(i, _, m)| masses[i as usize] += m);
        masses
    }

    /// Keeps the first error that a call could not return, for [`WorldBuilder::build`].
    pub(super) fn refuse<T: Default>(&mut self, error: BuildError) -> T {
        self.refused.get_or_insert(error);
        T::default()
    }

    /// The world and its state at time zero, settled onto the constraints.
    pub fn build(mut self) -> Result<(World, State), BuildError> {
        self.check_puppets()?;
        self.memory.extend(self.events.iter().map(|_| f64::INFINITY));
        let q = self.positions.clone();
        let mut state = State { v: std::mem::take(&mut self.velocities), ..State::at_rest(q) };
        if let Some(vertex) = state.not_finite() {
            return Err(BuildError::NotFinite { vertex });
        }
        self.first_memory(&mut state);
        let separate = self.contact.as_ref().map(|settings| settings.separate);
        let mut world = self.world(None)?;
        if let (Some(contact), Some(separate)) = (&world.contact, separate) {
            let movable = Movable::new(
                &world.topology,
                &world.embedding,
                &world.planes,
                &world.constraints,
                world.inertia.masses(),
                &state,
            );
            let shifts = movable.settle(contact, separate, &mut state.q)?;
            world.shifts = shifts;
        }
        world.begin_in_peace(&state.q);
        check_start(&world, &mut state)?;
        Ok((world, state))
    }

    /// The world for a motion that is already under way in another world with the same bodies, as a run needs when a
    /// law, gravity or a constraint changes. The state is put onto constraints that are new; nothing else moves, so
    /// that surfaces that were apart stay apart and need not be looked at. What `before` has that is still right, as
    /// the factor of the mass matrix, is kept.
    pub fn build_around(mut self, mut state: State, before: &World) -> Result<(World, State), BuildError> {
        self.memory.extend(self.events.iter().map(|_| f64::INFINITY));
        // Springs between bodies are behind what the bodies remember; who does not know them forgets them.
        if self.springs.is_none() && before.springs.is_some() {
            state.memory.truncate(self.memory.len());
        }
        let springs = state.memory.len().checked_sub(self.memory.len());
        let same_memory = springs == Some(0) || springs.is_some() && self.springs.is_some();
        let mut world = self.world(Some(before))?;
        if world.topology.bodies != before.topology.bodies || !same_memory {
            return Err(BuildError::OtherBodies);
        }
        if let (Some(contact), Some(before)) = (&mut world.contact, &before.contact) {
            contact.distance.clone_from(&before.distance);
        }
        world.recall(&state.memory).map_err(|error| named(error, &world.constraints))?;
        check_start(&world, &mut state)?;
        Ok((world, state))
    }

    /// The world of these terms.
    fn world(mut self, before: Option<&World>) -> Result<World, BuildError> {
        if let Some(error) = self.refused {
            return Err(error);
        }
        if self.continua.is_empty() && self.networks.is_empty() && self.puppets.is_empty() {
            return Err(BuildError::NoBodies);
        }
        let mut start = State::at_rest(std::mem::take(&mut self.positions));
        self.first_memory(&mut start);
        let mut inertia = Inertia::new(start.q.len(), self.masses);
        self.guided.iter().for_each(|nodes| inertia.guide(nodes.clone()));
        check_rows(&self.constraints, &start)?;
        let known = before.filter(|before| before.inertia == inertia).map_or(&[][..], |b| &b.phases);
        let phases = Phase::all(&inertia, &self.constraints, &self.loads, known)
            .map_err(|error| named(error, &self.constraints))?;
        let solid =
            |body: &&BodyRange| matches!(body.kind, BodyKind::Solid | BodyKind::Affine | BodyKind::Boundary);
        let with_tets = self.topology.bodies.iter().filter(solid);
        let tets: Vec<_> = with_tets.map(|body| body.tets.clone()).collect();
        let mut topology = self.topology.clone();
        (topology.nodes, topology.points) = (start.q.len(), self.embedding.len());
        let scale = smallest(&self.scales);
        let mut points = vec![Vec3::zeros(); topology.points];
        self.embedding.positions(&start.q, &mut points);
        let impulses = match &self.impulses {
            Some(settings) => Some(impulses(settings, &topology, &self.planes, &self.balls, &points)?),
            None => None,
        };
        let memory = self.memory.len();
        let grounds = Grounds {
            topology: &topology,
            planes: &self.planes,
            embedding: &self.embedding,
            inertia: &inertia,
            scale,
            memory,
        };
        let springs = match &self.springs {
            Some(settings) => Some(springs(settings, &grounds, &points)?),
            None => None,
        };
        let touching = |body: &BodyRange| !matches!(body.kind, BodyKind::Obstacle | BodyKind::Puppet);
        let contact = match self.contact.as_ref().filter(|_| topology.bodies.iter().any(touching)) {
            Some(settings) => Some(contact(settings, &topology, &self.planes, points, scale.length)?),
            None => None,
        };
        let mut world = World {
            inertia,
            continua: tets.into_iter().zip(self.continua).collect(),
            networks: self.networks,
            puppets: self.puppets,
            gravity: Gravity { acceleration: self.gravity },
            breaks: Phase::breaks(&self.constraints, &self.loads),
            gravitation: self.gravitation,
            loads: self.loads,
            constraints: self.constraints,
            scale,
            topology,
            embedding: self.embedding,
            planes: self.planes,
            contact,
            impulses,
            springs,
            event_memory: memory - self.events.len(),
            events: self.events,
            shifts: vec![],
            phases,
            hand: None,
        };
        world.back_contacts(&start);
        Ok(world)
    }
}

/// The smallest of every length and time. Waves in stiff affine bodies are no measure for the velocities of others:
/// they count only where there is no solid.
fn smallest(scales: &[(BodyKind, Scale)]) -> Scale {
    let solids = scales.iter().any(|(kind, _)| *kind == BodyKind::Solid);
    let alone = scales.iter().all(|(kind, _)| *kind == BodyKind::Puppet);
    let scales = scales.iter().filter(|(kind, _)| alone || *kind != BodyKind::Puppet);
    let none = Scale { length: f64::INFINITY, time: f64::INFINITY, stable_step: f64::INFINITY };
    scales.fold(none, |least, (kind, scale)| Scale {
        length: least.length.min(scale.length),
        time: if solids && *kind == BodyKind::Affine { least.time } else { least.time.min(scale.time) },
        stable_step: least.stable_step.min(scale.stable_step),
    })
}

/// Constraints with multipliers must not be too many.
fn check_rows(constraints: &[NamedConstraint], state: &State) -> Result<(), BuildError> {
    let mut rows = vec![];
    for constraint in constraints.iter().filter(|c| c.stiffness.is_none()) {
        for law in constraint.laws.iter().filter(|law| law.prescribed(0.0).is_none()) {
            law.add_rows(state, &mut rows);
        }
    }
    match rows.len() {
        rows if rows > MAX_ROWS => Err(BuildError::TooManyRows { rows, limit: MAX_ROWS }),
        _ => Ok(()),
    }
}

/// Says which constraints a phase failed on.
fn named(error: PhaseError, constraints: &[NamedConstraint]) -> BuildError {
    match error {
        PhaseError::Mass(error) => BuildError::Mass(error),
        PhaseError::HeldTwice { constraints: [a, b], node } => BuildError::HeldTwice {
            first: constraints[a].name.clone(),
            second: constraints[b].name.clone(),
            vertex: node,
        },
    }
}

/// The start must satisfy every exact constraint in force, and the constraints each other.
fn check_start(world: &World, state: &mut State) -> Result<(), BuildError> {
    let name = |c: usize| world.constraints[c].name.clone();
    let mut work = world.workspace();
    work.phase = world.phase_at(state.t);
    let phase = &world.phases[work.phase];
    for &c in &phase.exact {
        let mut rows = vec![];
        world.constraints[c].laws.iter().for_each(|law| law.add_rows(state, &mut rows));
        let gap = rows.iter().map(|row| row.value.abs()).fold(0.0, f64::max);
        if gap > START_TOLERANCE * world.scale.length {
            return Err(BuildError::StartsOff { name: name(c), gap });
        }
        let free =
            |(node, gradient): &(u32, Vec3)| *gradient != Vec3::zeros() && phase.free.mask[*node as usize];
        if !rows.iter().any(|row| row.terms().iter().any(free)) {
            return Err(BuildError::NothingFree { name: name(c) });
        }
    }
    let settled = world.settle(state, &mut work);
    settled.map_err(|error| BuildError::Contradiction { name: name(error.constraint) })
}
