//! Lagrange multipliers: the forces that keep Φ(q, t) = 0 exactly.
//!
//! (N M⁻¹ Nᵀ) λ = ψ − N M⁻¹ F, then C = Nᵀ λ, so that a positive λ pushes along +∂Φ/∂q (erratum L10 in
//! `REFERENCES.md`). The same small matrix removes drift after each step. M⁻¹ is needed only between the nodes that
//! constraints touch, and is kept with the phase.

use std::sync::Arc;

use super::{Free, NamedConstraint, Phase, Workspace, World};
use crate::Vec3;
use crate::constraint::{Constraint, Row};
use crate::solve::PivotedCholesky;
use crate::state::State;

/// Memory for the multipliers of one state.
#[derive(Default)]
pub struct Multipliers {
    rows: Vec<Row>,
    /// Constraint that each row belongs to.
    owners: Vec<usize>,
    /// Multiplier of each row  \[N\]
    lambda: Vec<f64>,
    spring_rows: Vec<Row>,
    matrix: Vec<f64>,
    factor: PivotedCholesky,
    /// What `factor` was made from: the gradients, and the free vertices.
    factored: Vec<[(u32, Vec3); 2]>,
    factored_free: Option<Arc<Free>>,
    temporary: Vec<f64>,
    forces: Vec<Vec3>,
    delta: Vec<Vec3>,
}

/// Drift below this part of the bodies' size is rounding.
const SETTLED: f64 = 1e-14;
/// Drift above this part of the bodies' size, after projection, means that no state satisfies the constraints.
const UNSETTLED: f64 = 1e-10;
/// Newton's method on Φ converges in two or three rounds; more means it does not.
const ROUNDS: usize = 8;

/// A constraint that cannot be satisfied together with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsatisfied {
    /// The constraint, as an index.
    pub constraint: usize,
}

impl Multipliers {
    /// The rows of some laws, kept apart from the exact ones.
    pub fn rows_of(&mut self, laws: &[Box<dyn Constraint>], state: &State) -> &[Row] {
        self.spring_rows.clear();
        laws.iter().for_each(|law| law.add_rows(state, &mut self.spring_rows));
        &self.spring_rows
    }

    /// The rows of the exact constraints of a phase.
    pub fn gather(&mut self, constraints: &[NamedConstraint], exact: &[usize], state: &State) -> &[Row] {
        self.rows.clear();
        self.owners.clear();
        for &c in exact {
            constraints[c].laws.iter().for_each(|law| law.add_rows(state, &mut self.rows));
            self.owners.resize(self.rows.len(), c);
        }
        &self.rows
    }

    /// The rows of the last [`Multipliers::gather`], each with its constraint.
    pub fn owned_rows(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.owners.iter().copied().zip(&self.rows)
    }

    /// Every row of the last [`Multipliers::constrain`], with its constraint and its multiplier.
    pub fn each(&self, mut visit: impl FnMut(usize, &Row, f64)) {
        for ((row, &owner), &lambda) in self.rows.iter().zip(&self.owners).zip(&self.lambda) {
            visit(owner, row, lambda);
        }
    }

    /// Adds Nᵀ λ to the force, and M⁻¹ Nᵀ λ to the accelerations, so that N a = ψ.
    pub fn constrain(world: &World, state: &State, a: &mut [Vec3], work: &mut Workspace) {
        let phase = &world.phases[work.phase];
        let this = &mut work.multipliers;
        this.gather(&world.constraints, &phase.exact, state);
        this.factor(&phase.free);
        this.lambda.clear();
        this.lambda.extend(this.rows.iter().map(|row| row.psi - row.times(a)));
        this.apply(phase, a, &mut work.columns);
        work.force.iter_mut().zip(&this.forces).for_each(|(f, extra)| *f += extra);
    }

    /// Moves q onto Φ = 0 and v onto N v + Φₜ = 0, by the smallest change in the metric of M.
    pub fn project(world: &World, state: &mut State, work: &mut Workspace) -> Result<(), Unsatisfied> {
        let phase = &world.phases[work.phase];
        let this = &mut work.multipliers;
        for _ in 0..ROUNDS {
            let rows = this.gather(&world.constraints, &phase.exact, state);
            if rows.iter().all(|row| row.value.abs() <= SETTLED * world.scale.length) {
                break;
            }
            this.factor(&phase.free);
            this.lambda.clear();
            this.lambda.extend(this.rows.iter().map(|row| -row.value));
            this.apply(phase, &mut state.q, &mut work.columns);
        }
        Multipliers::project_velocities(world, state, work);
        let this = &work.multipliers;
        let off = |row: &Row| row.value.is_nan() || row.value.abs() > UNSETTLED * world.scale.length;
        match this.rows.iter().position(off) {
            Some(row) => Err(Unsatisfied { constraint: this.owners[row] }),
            None => Ok(()),
        }
    }

    /// Moves v onto N v + Φₜ = 0, by the smallest change in the metric of M.
    pub fn project_velocities(world: &World, state: &mut State, work: &mut Workspace) {
        let phase = &world.phases[work.phase];
        let this = &mut work.multipliers;
        this.gather(&world.constraints, &phase.exact, state);
        this.factor(&phase.free);
        this.lambda.clear();
        this.lambda.extend(this.rows.iter().map(|row| -row.velocity(&state.v)));
        this.apply(phase, &mut state.v, &mut work.columns);
    }

    /// N M⁻¹ Nᵀ and its factor; kept while N is the same, as it is for planes, lines and ties.
    fn factor(&mut self, free: &Arc<Free>) {
        let same_free = self.factored_free.as_ref().is_some_and(|before| Arc::ptr_eq(before, free));
        if same_free && self.rows.iter().map(|row| &row.terms).eq(&self.factored) {
            return;
        }
        self.factored_free = Some(Arc::clone(free));
        self.factored.clear();
        self.factored.extend(self.rows.iter().map(|row| row.terms));
        let k = self.rows.len();
        self.matrix.clear();
        self.matrix.resize(k * k, 0.0);
        for (r, row) in self.rows.iter().enumerate() {
            for (s, column) in self.rows.iter().enumerate().take(r + 1) {
                let mut sum = 0.0;
                for (a, ga) in &row.terms {
                    for (b, gb) in &column.terms {
                        sum += ga.dot(gb) * free.response(*a, *b);
                    }
                }
                self.matrix[r * k + s] = sum;
                self.matrix[s * k + r] = sum;
            }
        }
        self.factor.factor(k, &self.matrix);
    }

    /// Solves for λ (its right-hand side on entry), and adds M⁻¹ Nᵀ λ to `target`.
    fn apply(&mut self, phase: &Phase, target: &mut [Vec3], columns: &mut [wide::f64x4]) {
        self.temporary.resize(self.rows.len(), 0.0);
        self.factor.solve(&mut self.lambda, &mut self.temporary);
        for buffer in [&mut self.forces, &mut self.delta] {
            buffer.clear();
            buffer.resize(target.len(), Vec3::zeros());
        }
        for (row, &lambda) in self.rows.iter().zip(&self.lambda) {
            row.terms.iter().for_each(|(node, gradient)| self.forces[*node as usize] += gradient * lambda);
        }
        phase.free.factor.solve(&self.forces, &mut self.delta, columns);
        target.iter_mut().zip(&self.delta).for_each(|(x, d)| *x += d);
    }
}
