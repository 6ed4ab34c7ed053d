//! The state of equilibrium under given conditions, by one dense factor.

use faer::Mat;

use super::body_force::{self, BodyForce};
use super::conditions::{Conditions, Known};
use super::dense_lu::{DenseLu, LuError};
use super::rigid::{Mode, undetermined};
use super::{Equations, Vec2};

/// A load may miss balance by this part of its own size; more is an error of the one who gave it.
const BALANCE: f64 = 1e-3;

/// Displacements and tractions in equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Displacement of each node  \[m\]
    pub displacements: Vec<Vec2>,
    /// Traction at each slot  \[Pa\]
    pub tractions: Vec<Vec2>,
    /// Number of rigid motions that the conditions left open, and that were set to zero on the average.
    pub floating: usize,
}

/// Why there is no equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// The body would accelerate.
    #[error(
        "nothing holds the body against a net force of {force:?} N/m or a net torque of {torque} N: hold some nodes, \
         or add the body force that balances the load"
    )]
    Unbalanced {
        /// Net force  \[N/m\]
        force: [f64; 2],
        /// Net torque about the centroid  \[N\]
        torque: f64,
    },
    /// The conditions were made for other equations.
    #[error(
        "the conditions are for {given} nodes and the equations have {needed}: make both from one polygon"
    )]
    Mismatch {
        /// Nodes of the conditions.
        given: usize,
        /// Nodes of the equations.
        needed: usize,
    },
    /// The equations cannot be solved.
    #[error("the equations of equilibrium cannot be solved: {0}; look for vertices that nearly coincide")]
    Factor(#[from] LuError),
}

impl Equations {
    /// The equilibrium under `conditions` and a body force, which enters by its particular solutions.
    pub fn solve(&self, conditions: &Conditions, body: &BodyForce) -> Result<Solution, SolveError> {
        let columns = body_force::by_particular_solutions(self);
        let amounts = body.amounts();
        let mut inside = vec![0.0; 2 * self.nodes.len()];
        for (k, amount) in amounts.iter().enumerate() {
            inside.iter_mut().enumerate().for_each(|(row, sum)| *sum += amount * columns[(row, k)]);
        }
        self.solve_with(conditions, body, &inside)
    }

    /// The equilibrium where the body force has been integrated to B = `inside` \[m\] by any method.
    pub fn solve_with(
        &self,
        conditions: &Conditions,
        body: &BodyForce,
        inside: &[f64],
    ) -> Result<Solution, SolveError> {
        let (given, needed) = (conditions.known.len(), self.nodes.len());
        if given != needed || conditions.tractions.len() != self.slots.len() || inside.len() != 2 * needed {
            return Err(SolveError::Mismatch { given, needed });
        }
        let tractions = self.given_tractions(conditions);
        let modes = undetermined(self, conditions);
        self.check_balance(&modes, &tractions, body)?;
        let (matrix, mut x) = self.assemble(conditions, &modes, &tractions, inside);
        DenseLu::of(matrix.as_ref())?.solve_vector(&mut x);
        Ok(self.read(conditions, tractions, &x, modes.len()))
    }

    /// The given tractions, without what is sought  \[Pa\].
    fn given_tractions(&self, conditions: &Conditions) -> Vec<Vec2> {
        let mut tractions = conditions.tractions.clone();
        for (slot, t) in tractions.iter_mut().enumerate() {
            for (c, axis) in conditions.directions(self.slots[slot].node).into_iter().enumerate() {
                if conditions.carries(self, slot, c) {
                    *t -= t.dot(&axis) * axis;
                }
            }
        }
        tractions
    }

    fn check_balance(&self, modes: &[Mode], tractions: &[Vec2], body: &BodyForce) -> Result<(), SolveError> {
        let (outside, outer_torque) = body_force::traction_resultant(self, tractions);
        let (inside, inner_torque) = body_force::resultant(self, body);
        let (force, torque) = (outside + inside, outer_torque + inner_torque);
        let share = self.elements.len() as f64 / self.slots.len() as f64;
        let slots = self.slots.iter().zip(tractions);
        let pressed: f64 = slots.map(|(slot, t)| share * self.elements[slot.element].length * t.norm()).sum();
        let size = pressed + inside.norm() + inner_torque.abs() / self.kernel.length();
        let unbalanced = modes.iter().any(|mode| mode.work(force, torque).abs() > BALANCE * size);
        if unbalanced { Err(SolveError::Unbalanced { force: force.into(), torque }) } else { Ok(()) }
    }

    /// [A R; Rᵀ 0] and its right-hand side.
    ///
    /// Column 2k + c of A is that of the unknown of node k in its direction c: H for a displacement \[m\], −G μ/L for a
    /// traction times L/μ \[m\]. The rigid motions R that nothing determines border it.
    fn assemble(
        &self,
        conditions: &Conditions,
        modes: &[Mode],
        tractions: &[Vec2],
        inside: &[f64],
    ) -> (Mat<f64>, Vec<f64>) {
        let n = 2 * self.nodes.len();
        let mut matrix = Mat::zeros(n + modes.len(), n + modes.len());
        let mut rhs = inside.to_vec();
        rhs.resize(n + modes.len(), 0.0);
        for node in 0..self.nodes.len() {
            for (c, axis) in conditions.directions(node).into_iter().enumerate() {
                let h = |row: usize| (0..2).map(|a| self.h[(row, 2 * node + a)] * axis[a]).sum::<f64>();
                match conditions.known[node][c] {
                    Known::Traction => (0..n).for_each(|row| matrix[(row, 2 * node + c)] = h(row)),
                    Known::Displacement(value, _) => (0..n).for_each(|row| rhs[row] -= h(row) * value),
                }
            }
        }
        let scale = -1.0 / self.traction_scale();
        for (k, slot) in self.slots.iter().enumerate() {
            let (g, t) = ([self.g.col(2 * k), self.g.col(2 * k + 1)], tractions[k]);
            (0..n).for_each(|row| rhs[row] += g[0][row] * t.x + g[1][row] * t.y);
            for (c, axis) in conditions.directions(slot.node).into_iter().enumerate() {
                if conditions.carries(self, k, c) {
                    for row in 0..n {
                        let column = g[0][row] * axis.x + g[1][row] * axis.y;
                        matrix[(row, 2 * slot.node + c)] += scale * column;
                    }
                }
            }
        }
        self.border(conditions, modes, &mut matrix);
        (matrix, rhs)
    }

    fn border(&self, conditions: &Conditions, modes: &[Mode], matrix: &mut Mat<f64>) {
        let n = 2 * self.nodes.len();
        for (m, mode) in modes.iter().enumerate() {
            for (node, x) in self.nodes.iter().enumerate() {
                let motion = mode.at(*x);
                for (c, axis) in conditions.directions(node).into_iter().enumerate() {
                    matrix[(2 * node + c, n + m)] = motion[c];
                    if conditions.known[node][c] == Known::Traction {
                        matrix[(n + m, 2 * node + c)] = motion.dot(&axis);
                    }
                }
            }
        }
    }

    fn read(
        &self,
        conditions: &Conditions,
        mut tractions: Vec<Vec2>,
        x: &[f64],
        floating: usize,
    ) -> Solution {
        let mut displacements = vec![Vec2::zeros(); self.nodes.len()];
        for (node, u) in displacements.iter_mut().enumerate() {
            for (c, axis) in conditions.directions(node).into_iter().enumerate() {
                *u += axis
                    * match conditions.known[node][c] {
                        Known::Traction => x[2 * node + c],
                        Known::Displacement(value, _) => value,
                    };
            }
        }
        for (k, t) in tractions.iter_mut().enumerate() {
            let node = self.slots[k].node;
            for (c, axis) in conditions.directions(node).into_iter().enumerate() {
                if conditions.carries(self, k, c) {
                    *t += x[2 * node + c] / self.traction_scale() * axis;
                }
            }
        }
        Solution { displacements, tractions, floating }
    }
}

#[cfg(test)]
#[path = "solve_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "solve_load_tests.rs"]
mod load_tests;
