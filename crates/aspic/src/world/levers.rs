//! What an impulse on points moves: M⁻¹ between the nodes behind them.
//!
//! A point is a weighted sum of nodes, so an impulse P with coefficients c on points is Bᵀ c P on nodes and changes their
//! velocities by M⁻¹ Bᵀ c P. That is exact for every kind of body, and so linear and angular momentum are. Held and
//! dragged nodes, and those of obstacles, do not move.
//!
//! A free affine body is struck as a rigid one. Its straining is there to be stiff: by M⁻¹ a part of the impulse would go
//! into it, the touch would part with the speed that the restitution asks for, and the body with less. Rigid motions and
//! strains are orthogonal in M, so both what the impulse does and what it sees are the rigid part of the motion. Then the
//! energy that it takes is that of the rigid body, whatever the body's vibrations are.

use nalgebra::{Matrix4, Vector4};

use super::{Free, Workspace, World};
use crate::frame::{BodyKind, BodyRange};
use crate::impulse::{Hit, Lever, Turn};
use crate::{Mat3, Vec3};

impl World {
    /// The lever of every hit on velocities, with the nodes at q \[m\]; with affine bodies as rigid ones, or as they strain.
    pub(super) fn levers(&self, hits: &[Hit], q: &[Vec3], rigid: bool, work: &mut Workspace) -> Vec<Lever> {
        let free = &self.phases[work.phase].free;
        let mut levers: Vec<Lever> = hits.iter().map(|hit| self.row(hit)).collect();
        let mut wide = vec![];
        for (k, lever) in levers.iter_mut().enumerate() {
            if rigid {
                self.stiffen(lever, q, free);
            }
            match self.near_moves(&lever.row, free) {
                Some(moves) => lever.moves = moves,
                None => wide.push(k),
            }
        }
        for three in wide.chunks(3) {
            self.wide_moves(&mut levers, three, work);
        }
        let mut scratch = vec![0.0; self.nodes()];
        levers.iter_mut().for_each(|lever| lever.weigh(&mut scratch));
        levers
    }

    /// The lever of every hit on places. Consistent masses count as if they were lumped, so that neighbours stay; an
    /// affine body is shifted as it is. The centre of mass of two bodies stays too.
    pub(super) fn shift_levers(&self, hits: &[Hit], work: &Workspace) -> Vec<Lever> {
        let free = &self.phases[work.phase].free.mask;
        let masses = self.inertia.masses();
        let mut scratch = vec![0.0; self.nodes()];
        let lever = |hit: &Hit| {
            let mut lever = self.row(hit);
            for (body, part) in self.by_body(&lever.row) {
                let nodes = body.nodes.clone();
                if body.kind == BodyKind::Affine {
                    let whole =
                        part.iter().map(|(_, c)| c).sum::<f64>() / masses[nodes.clone()].iter().sum::<f64>();
                    let all_free = free[nodes.clone()].iter().all(|free| *free);
                    lever.moves.extend(nodes.filter(|_| all_free).map(|node| (node as u32, whole)));
                } else {
                    let moving = part.iter().filter(|(node, _)| free[*node as usize]);
                    lever.moves.extend(moving.map(|&(node, c)| (node, c / masses[node as usize])));
                }
            }
            lever.weigh(&mut scratch);
            lever
        };
        hits.iter().map(lever).collect()
    }

    /// Nodes and coefficients of a hit, each node once, ascending.
    fn row(&self, hit: &Hit) -> Lever {
        let nodes = hit.ends().flat_map(|(point, c)| {
            self.embedding.of(point as usize).map(move |(node, weight)| (node, c * weight))
        });
        let mut row: Vec<(u32, f64)> = nodes.collect();
        row.sort_by_key(|(node, _)| *node);
        row.dedup_by(|next, last| {
            let same = next.0 == last.0;
            last.1 += if same { next.1 } else { 0.0 };
            same
        });
        Lever { row, ..Lever::default() }
    }

    /// A row in pieces, each with its body.
    fn by_body<'a>(
        &'a self,
        row: &'a [(u32, f64)],
    ) -> impl Iterator<Item = (&'a BodyRange, Vec<(u32, f64)>)> + 'a {
        let body = |node: u32| self.topology.bodies.partition_point(|body| body.nodes.end <= node as usize);
        row.chunk_by(move |a, b| body(a.0) == body(b.0))
            .map(move |part| (&self.topology.bodies[body(part[0].0)], part.to_vec()))
    }

    /// M⁻¹ c where it reaches no further than the nodes of the row or of an affine body; `None` otherwise.
    fn near_moves(&self, row: &[(u32, f64)], free: &Free) -> Option<Vec<(u32, f64)>> {
        let mut moves = vec![];
        for (body, part) in self.by_body(row) {
            let first = body.nodes.start;
            if free_affine(body, free) {
                let mut c = Vector4::zeros();
                part.iter().for_each(|&(node, part)| c[node as usize - first] += part);
                let solved = self.mass_block(first).cholesky()?.solve(&c);
                moves.extend((0..4).map(|k| ((first + k) as u32, solved[k])));
                continue;
            }
            for &(node, c) in part.iter().filter(|(node, _)| free.mask[*node as usize]) {
                let mut entries = self.inertia.matrix().row(node as usize);
                let (Some((_, mass)), None) = (entries.next(), entries.next()) else { return None };
                moves.push((node, c / mass));
            }
        }
        Some(moves)
    }

    /// Takes the free affine bodies out of the row, and strikes them as rigid ones.
    fn stiffen(&self, lever: &mut Lever, q: &[Vec3], free: &Free) {
        let mut row = vec![];
        for (body, part) in self.by_body(&lever.row) {
            match free_affine(body, free) {
                true => lever.turns.extend(self.rigid_turns(body.nodes.start, &part, q)),
                false => row.extend(part),
            }
        }
        lever.row = row;
    }

    /// The four nodes of an affine body as those of a rigid one. With the mass m, the inertia I about the centre of mass,
    /// s = Σ c and the arm a = Σ c x from there, an impulse P changes the velocity by s P/m and the spin by I⁻¹ (a × P), so
    /// the node at the place r by (s/m − [r]× I⁻¹ [a]×) P. The touch has the velocity s v + ω × a with the velocity v and the
    /// spin ω = I⁻¹ Σ b × v of the nodes, b = Σ M r: the transpose of the same, times M.
    fn rigid_turns(&self, first: usize, part: &[(u32, f64)], q: &[Vec3]) -> [Turn; 4] {
        let block = self.mass_block(first);
        let (mass, weights) = (block.sum(), block.column_sum());
        let centre = (0..4).map(|k| q[first + k] * weights[k]).sum::<Vec3>() / mass;
        let places: [Vec3; 4] = std::array::from_fn(|k| q[first + k] - centre);
        let moments: [Vec3; 4] = std::array::from_fn(|j| (0..4).map(|k| places[k] * block[(j, k)]).sum());
        let second: Mat3 = (0..4).map(|k| places[k] * moments[k].transpose()).sum();
        let inertia = Mat3::identity() * second.trace() - second;
        // A body without extent across a line does not turn.
        let inverse = inertia.try_inverse().unwrap_or_default();
        let own = |&(node, c): &(u32, f64)| places[node as usize - first] * c;
        let arm = part.iter().map(own).sum::<Vec3>().cross_matrix();
        let share = part.iter().map(|(_, c)| c).sum::<f64>() / mass;
        let along = |part: f64| Mat3::identity() * part;
        std::array::from_fn(|k| Turn {
            node: (first + k) as u32,
            sense: along(share * weights[k]) - arm * inverse * moments[k].cross_matrix(),
            moves: along(share) - places[k].cross_matrix() * inverse * arm,
        })
    }

    /// The masses between four nodes  \[kg\]
    fn mass_block(&self, first: usize) -> Matrix4<f64> {
        let mut block = Matrix4::zeros();
        for row in 0..4 {
            let entries = self.inertia.matrix().row(first + row);
            entries.filter(|(j, _)| (first..first + 4).contains(j)).for_each(|(j, mass)| {
                block[(row, j - first)] = mass;
            });
        }
        block
    }

    /// M⁻¹ c of up to three levers at once, by the factor of the phase: one in each coordinate.
    fn wide_moves(&self, levers: &mut [Lever], three: &[usize], work: &mut Workspace) {
        let mut right = vec![Vec3::zeros(); self.nodes()];
        let mut moved = vec![Vec3::zeros(); self.nodes()];
        for (axis, &k) in three.iter().enumerate() {
            levers[k].row.iter().for_each(|&(node, c)| right[node as usize][axis] = c);
        }
        self.phases[work.phase].free.factor.solve(&right, &mut moved, &mut work.columns);
        for (axis, &k) in three.iter().enumerate() {
            let parts = moved.iter().enumerate().map(|(node, part)| (node as u32, part[axis]));
            levers[k].moves = parts.filter(|(_, part)| *part != 0.0).collect();
        }
    }
}

/// Whether a body is affine, and all of it may move.
fn free_affine(body: &BodyRange, free: &Free) -> bool {
    let whole = body.kind == BodyKind::Affine && body.nodes.len() == 4;
    whole && free.mask[body.nodes.clone()] == [true; 4]
}
