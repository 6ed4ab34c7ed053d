//! Lagrange multipliers: the forces that keep Φ(q, t) = 0 exactly.
//!
//! (N M⁻¹ Nᵀ) λ = ψ − N M⁻¹ F, then C = Nᵀ λ, so that a positive λ pushes along +∂Φ/∂q (erratum L10 in
//! `REFERENCES.md`). The same small matrix removes drift after each step. Contacts that multipliers hold are
//! rows like those of constraints, behind them.

use super::response::Response;
use super::{Phase, Workspace, World};
use crate::Vec3;
use crate::constraint::{Constraint, Row};
use crate::solve::PivotedCholesky;
use crate::state::State;

/// Memory for the multipliers of one state.
#[derive(Default)]
pub struct Multipliers {
    rows: Vec<Row>,
    /// Constraint that each row belongs to; rows of contacts come behind and have none.
    owners: Vec<usize>,
    /// Multiplier of each row  \[N\]
    lambda: Vec<f64>,
    spring_rows: Vec<Row>,
    matrix: Vec<f64>,
    factor: PivotedCholesky,
    /// What `factor` was made from.
    factored: Vec<Row>,
    response: Response,
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

    /// The rows of the exact constraints of a phase, and behind them those of contacts.
    pub fn gather(&mut self, world: &World, phase: usize, state: &State) -> &[Row] {
        self.rows.clear();
        self.owners.clear();
        for &c in &world.phases[phase].exact {
            world.constraints[c].laws.iter().for_each(|law| law.add_rows(state, &mut self.rows));
            self.owners.resize(self.rows.len(), c);
        }
        world.add_grip_rows(state, &mut self.rows);
        &self.rows
    }

    /// The rows of the last [`Multipliers::gather`] that belong to constraints, each with its own.
    pub fn owned_rows(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.owners.iter().copied().zip(&self.rows)
    }

    /// The rows of contacts in the last [`Multipliers::constrain`], with their multipliers.
    pub fn grips(&self) -> impl Iterator<Item = (&Row, f64)> {
        self.rows.iter().zip(self.lambda.iter().copied()).skip(self.owners.len())
    }

    /// Every row of a constraint in the last [`Multipliers::constrain`], with its multiplier.
    pub fn each(&self, mut visit: impl FnMut(usize, &Row, f64)) {
        for ((row, &owner), &lambda) in self.rows.iter().zip(&self.owners).zip(&self.lambda) {
            visit(owner, row, lambda);
        }
    }

    /// Adds Nᵀ λ to the force, and M⁻¹ Nᵀ λ to the accelerations, so that N a = ψ.
    pub fn constrain(world: &World, state: &State, a: &mut [Vec3], work: &mut Workspace) {
        let phase = &world.phases[work.phase];
        let this = &mut work.multipliers;
        this.gather(world, work.phase, state);
        this.factor(phase);
        this.lambda.clear();
        this.lambda.extend(this.rows.iter().map(|row| row.psi - row.times(a)));
        this.apply(phase, a, &mut work.columns);
        work.force.iter_mut().zip(&this.forces).for_each(|(f, extra)| *f += extra);
    }

    /// Moves q onto Φ = 0 and v onto N v + Φₜ = 0, by the smallest change in the metric of M.
    pub fn project(world: &World, state: &mut State, work: &mut Workspace) -> Result<(), Unsatisfied> {
        let settled = Multipliers::project_places(world, state, work);
        Multipliers::project_velocities(world, state, work);
        settled
    }

    /// Moves q onto Φ = 0, by the smallest change in the metric of M.
    pub fn project_places(world: &World, state: &mut State, work: &mut Workspace) -> Result<(), Unsatisfied> {
        let phase = &world.phases[work.phase];
        let this = &mut work.multipliers;
        for _ in 0..ROUNDS {
            let rows = this.gather(world, work.phase, state);
            if rows.iter().all(|row| row.value.abs() <= SETTLED * world.scale.length) {
                break;
            }
            this.factor(phase);
            this.lambda.clear();
            this.lambda.extend(this.rows.iter().map(|row| -row.value));
            this.apply(phase, &mut state.q, &mut work.columns);
        }
        this.gather(world, work.phase, state);
        let off = |row: &Row| row.value.is_nan() || row.value.abs() > UNSETTLED * world.scale.length;
        match this.owned_rows().find(|(_, row)| off(row)) {
            Some((constraint, _)) => Err(Unsatisfied { constraint }),
            None => Ok(()),
        }
    }

    /// Moves v onto N v + Φₜ = 0, by the smallest change in the metric of M.
    pub fn project_velocities(world: &World, state: &mut State, work: &mut Workspace) {
        let phase = &world.phases[work.phase];
        let this = &mut work.multipliers;
        this.gather(world, work.phase, state);
        this.factor(phase);
        this.lambda.clear();
        this.lambda.extend(this.rows.iter().map(|row| -row.velocity(&state.v)));
        this.apply(phase, &mut state.v, &mut work.columns);
    }

    /// N M⁻¹ Nᵀ and its factor; kept while N is the same, as it is for planes, lines and ties.
    fn factor(&mut self, phase: &Phase) {
        let same_free = self.response.know(phase, &self.rows, self.owners.len());
        if same_free && self.rows.iter().map(Row::terms).eq(self.factored.iter().map(Row::terms)) {
            return;
        }
        self.factored.clone_from(&self.rows);
        let k = self.rows.len();
        self.matrix.clear();
        self.matrix.resize(k * k, 0.0);
        for (r, row) in self.rows.iter().enumerate() {
            for (s, column) in self.rows.iter().enumerate().take(r + 1) {
                let mut sum = 0.0;
                for (a, ga) in row.terms() {
                    for (b, gb) in column.terms() {
                        sum += ga.dot(gb) * self.response.between(*a, *b);
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
            row.terms().iter().for_each(|(node, gradient)| self.forces[*node as usize] += gradient * lambda);
        }
        phase.free.factor.solve(&self.forces, &mut self.delta, columns);
        target.iter_mut().zip(&self.delta).for_each(|(x, d)| *x += d);
    }
}
