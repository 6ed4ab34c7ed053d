//! What an implicit step asks of the world: energies and forces one by one, and the matrix of a step.

use super::{ForceError, Workspace, World};
use crate::Vec3;
use crate::constraint::Row;
use crate::contact::{Backing, begin_in_peace, first_flat};
use crate::continuum::{Places, TangentScratch, TangentWeights};
use crate::frame::{BodyKind, BodyRange};
use crate::points::{NetworkPlaces, PointRows};
use crate::solve::BlockMatrix;
use crate::state::State;

/// The matrix of an implicit step, and where each body writes in it.
pub struct StepMatrix {
    /// c² M + K⁺ + c D, with the pattern of all bodies.
    pub matrix: BlockMatrix,
    places: Vec<Places>,
    scratch: Vec<TangentScratch>,
    networks: Vec<(NetworkPlaces, PointRows)>,
}

impl World {
    /// The pattern of the matrix of an implicit step.
    pub fn step_matrix(&self) -> StepMatrix {
        let elements: Vec<[u32; 4]> = self.continua.iter().flat_map(|(_, c)| c.tetrahedra()).collect();
        let links: Vec<Vec<u32>> = self.networks.iter().flat_map(|(_, network)| network.cliques()).collect();
        let cliques = elements.iter().map(|nodes| &nodes[..]).chain(links.iter().map(|nodes| &nodes[..]));
        let matrix = BlockMatrix::with_pattern(self.nodes(), cliques);
        let place = |i: u32, j: u32| matrix.place(i as usize, j as usize);
        let places: Vec<Places> = self.continua.iter().map(|(_, c)| c.stiffness_places(&place)).collect();
        let scratch = self.continua.iter().map(|_| TangentScratch::default()).collect();
        let networks = self.networks.iter();
        let networks = networks.map(|(_, n)| (n.places(&place), PointRows::new(n.points))).collect();
        StepMatrix { matrix, places, scratch, networks }
    }

    /// P(q): elastic energy, gravity and the springs that stand for constraints  \[J\]
    pub fn stored_energy(&self, state: &State, work: &mut Workspace) -> f64 {
        let solids = self.continua.iter().map(|(_, c)| c.energy(&state.q, &state.memory));
        let elastic: f64 = solids.map(|e| e.bulk + e.shear).sum();
        let networks = self.networks.iter().zip(&mut work.rows);
        let springs: f64 = networks.map(|((_, n), rows)| n.energy(state, rows)).map(|(a, b)| a + b).sum();
        elastic + springs + self.weight_energy(&state.q) + self.spring_energy(state, work)
    }

    /// Adds −∂P/∂q  \[N\]
    pub fn add_stored_force(
        &self,
        state: &State,
        out: &mut [Vec3],
        work: &mut Workspace,
    ) -> Result<(), ForceError> {
        work.evaluations += 1;
        for ((tets, continuum), scratch) in self.continua.iter().zip(&mut work.scratch) {
            continuum
                .add_elastic_force(&state.q, &state.memory, out, scratch)
                .map_err(|inverted| ForceError::Inverted { body: self.body_of(tets), tet: inverted.tet })?;
        }
        for ((_, network), rows) in self.networks.iter().zip(&mut work.rows) {
            network.add_stored_force(state, out, rows);
        }
        self.add_outer_force(state, out, work);
        Ok(())
    }

    /// Adds the part of −∂P/∂q that acts on bodies from outside: weight, gravitation, and springs that stand for
    /// constraints  \[N\]
    pub fn add_outer_force(&self, state: &State, out: &mut [Vec3], work: &mut Workspace) {
        self.gravity.add_force(self.inertia.masses(), out);
        if let Some(gravitation) = &self.gravitation {
            gravitation.add_force(self.inertia.masses(), &state.q, out);
        }
        self.each_spring(state, work, |_, stiffness, row| {
            let pull = -stiffness * row.value;
            row.terms().iter().for_each(|(node, gradient)| out[*node as usize] += gradient * pull);
        });
    }

    /// Adds the drag of a medium on points, which no other body feels  \[N\]
    pub fn add_drag(&self, v: &[Vec3], out: &mut [Vec3]) {
        self.networks.iter().for_each(|(_, network)| network.add_point_damping(v, out));
    }

    /// Calls `visit` for every row of the springs in force, with its constraint and its stiffness  \[N/m\]
    pub fn each_spring(&self, state: &State, work: &mut Workspace, mut visit: impl FnMut(usize, f64, &Row)) {
        for &(c, stiffness) in &self.phases[work.phase].springs {
            let rows = work.multipliers.rows_of(&self.constraints[c].laws, state);
            rows.iter().for_each(|row| visit(c, stiffness, row));
        }
    }

    /// The rows of the exact constraints in force that are not prescribed motions, each with its constraint.
    pub fn exact_rows<'w>(
        &self,
        state: &State,
        work: &'w mut Workspace,
    ) -> impl Iterator<Item = (usize, &'w Row)> {
        work.multipliers.gather(self, work.phase, state);
        work.multipliers.owned_rows()
    }

    /// Adds the loads in force  \[N\]
    pub fn add_loads(&self, state: &State, out: &mut [Vec3], work: &Workspace) {
        for &load in &self.phases[work.phase].loads {
            self.loads[load].law.add_force(state, out);
        }
    }

    /// ½ W/c of the dampers of all networks at q, with their base lengths and c  \[J\]
    pub fn damper_energy(&self, q: &[Vec3], lengths: &[Vec<f64>], rate: f64) -> f64 {
        let networks = self.networks.iter().zip(lengths);
        networks.map(|((_, network), lengths)| network.damper_energy(q, lengths, rate)).sum()
    }

    /// Adds the forces of the dampers of all networks  \[N\]
    pub fn add_damper_force(&self, q: &[Vec3], lengths: &[Vec<f64>], rate: f64, out: &mut [Vec3]) {
        for ((_, network), lengths) in self.networks.iter().zip(lengths) {
            network.add_damper_force(q, lengths, rate, out);
        }
    }

    /// Base lengths of the dampers of all networks, by a function of the ends of a spring  \[m\]
    pub fn base_lengths(&self, of: impl Fn([usize; 2]) -> f64, out: &mut Vec<Vec<f64>>) {
        out.resize(self.networks.len(), vec![]);
        for ((_, network), lengths) in self.networks.iter().zip(out) {
            network.base_lengths(&of, lengths);
        }
    }

    /// W/2 for the shape `frozen` and the velocities v: its gradient in v is the viscous force  \[W\]
    pub fn dissipation(&self, frozen: &[Vec3], v: &[Vec3]) -> f64 {
        let solids: f64 = self.continua.iter().map(|(_, c)| c.dissipation(frozen, v)).sum();
        solids + self.networks.iter().map(|(_, network)| network.point_dissipation(v)).sum::<f64>()
    }

    /// Adds −½ ∂W/∂v for the shape `frozen`  \[N\]
    pub fn add_viscous_force(
        &self,
        frozen: &[Vec3],
        v: &[Vec3],
        out: &mut [Vec3],
        work: &mut Workspace,
    ) -> Result<(), ForceError> {
        for ((tets, continuum), scratch) in self.continua.iter().zip(&mut work.scratch) {
            continuum
                .add_viscous_force(frozen, v, out, scratch)
                .map_err(|inverted| ForceError::Inverted { body: self.body_of(tets), tet: inverted.tet })?;
        }
        for (_, network) in &self.networks {
            network.add_point_damping(v, out);
        }
        Ok(())
    }

    /// Writes c² M + K⁺(q) + c D(frozen), with `rate` = c  \[N/m\]
    pub fn assemble(
        &self,
        q: &[Vec3],
        memory: &[f64],
        frozen: &[Vec3],
        lengths: &[Vec<f64>],
        rate: f64,
        out: &mut StepMatrix,
    ) {
        out.matrix.clear();
        // The mass matrix of every body lies within the pattern of its elements.
        let inside = out.matrix.add_scalar(rate * rate, self.inertia.matrix());
        debug_assert!(inside.is_ok(), "mass outside the pattern of the elements");
        let weights = TangentWeights { stiffness: 1.0, damping: rate };
        for (k, (_, continuum)) in self.continua.iter().enumerate() {
            let (blocks, scratch) = (out.matrix.blocks_mut(), &mut out.scratch[k]);
            continuum.add_tangent(q, memory, frozen, weights, true, &out.places[k], blocks, scratch);
        }
        let blocks = out.matrix.blocks_mut();
        for (((_, network), (places, rows)), lengths) in
            self.networks.iter().zip(&mut out.networks).zip(lengths)
        {
            network.add_tangent(q, memory, lengths, rate, places, blocks, rows);
        }
    }

    /// Finds what stands behind the contacts, in the shape of `start`.
    pub(crate) fn back_contacts(&mut self, start: &State) {
        if self.contact.is_none() {
            return;
        }
        let mut matrix = self.step_matrix();
        let mut lengths = vec![];
        self.base_lengths(|[a, b]| (start.q[b] - start.q[a]).norm(), &mut lengths);
        // c² M + K + c D at c = 0 and c = 1.
        let mut firmness = |rate: f64| -> Vec<f64> {
            self.assemble(&start.q, &start.memory, &start.q, &lengths, rate, &mut matrix);
            (0..self.nodes()).map(|node| matrix.matrix.diagonal(node).trace() / 3.0).collect()
        };
        let (still, moving) = (firmness(0.0), firmness(1.0));
        let mass =
            |node: usize| self.inertia.matrix().row(node).find(|(j, _)| *j == node).map_or(0.0, |(_, m)| m);
        let backing = |node: usize| {
            let (stiffness, mass) = (still[node], mass(node));
            Backing { mass, stiffness, damping: (moving[node] - stiffness - mass).max(0.0) }
        };
        let backing = (0..self.nodes()).map(backing).collect();
        if let Some(contact) = &mut self.contact {
            contact.backing = backing;
        }
    }

    /// Lets bodies that begin within the contact distance begin in peace, with the nodes at q.
    pub(crate) fn begin_in_peace(&mut self, q: &[Vec3]) {
        if let Some(contact) = &mut self.contact {
            let mut points = vec![Vec3::zeros(); self.embedding.len()];
            self.embedding.positions(q, &mut points);
            begin_in_peace(contact, &points);
        }
    }

    /// Calls `visit` with the first node and z of every curvature z zᵀ that couples all points of a body.
    pub fn each_square(&self, state: &State, work: &mut Workspace, mut visit: impl FnMut(usize, &[Vec3])) {
        for ((_, network), rows) in self.networks.iter().zip(&mut work.rows) {
            network.each_square(state, rows, &mut visit);
        }
    }

    /// Smallest fraction of the motion dq at which a tetrahedron would be flat; infinite if none would.
    pub fn first_flat(&self, q: &[Vec3], dq: &[Vec3]) -> f64 {
        let solids = self.continua.iter().map(|(_, c)| c.first_flat(q, dq));
        let blocks = self.networks.iter().map(|(_, network)| network.first_flat(q, dq));
        solids.chain(blocks).fold(f64::INFINITY, f64::min)
    }

    /// The tetrahedron that would be flat first: its body, its number there, and at which fraction of the motion dq.
    pub fn flattest(&self, q: &[Vec3], dq: &[Vec3]) -> Option<(usize, usize, f64)> {
        let mut first: Option<(usize, usize, f64)> = None;
        for (number, body) in self.topology.bodies.iter().enumerate() {
            for (tet, nodes) in self.node_tets(body).enumerate() {
                let at = |list: &[Vec3]| nodes.map(|node| list[node]);
                let fraction = first_flat(&at(q), &at(dq));
                if first.is_none_or(|(_, _, least)| fraction < least) {
                    first = Some((number, tet, fraction));
                }
            }
        }
        first
    }

    /// Tetrahedra between the nodes of a body: those of its mesh, or the one that an affine body follows.
    fn node_tets<'a>(&'a self, body: &'a BodyRange) -> impl Iterator<Item = [usize; 4]> + 'a {
        let (node, point) = (body.nodes.start, body.points.start);
        let affine = (body.kind == BodyKind::Affine).then_some([node, node + 1, node + 2, node + 3]);
        let meshed = matches!(body.kind, BodyKind::Solid | BodyKind::Points);
        let solid = if meshed { body.tets.clone() } else { 0..0 };
        self.topology.tets[solid].iter().map(move |tet| tet.map(|p| p as usize - point + node)).chain(affine)
    }
}
