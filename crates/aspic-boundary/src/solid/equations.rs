//! The equations of mixed conditions: which column of H or of −(μ/L) G belongs to each unknown and to each known value.
//!
//! With u = F x at a vertex whose frame is F the columns are those of H F and −(μ/L) G F. Tractions are divided by μ/L,
//! L the size of the body, so that both matrices are alike.

use crate::solid::condition::{Condition, Known};
use crate::solid::rigid::{free_modes, rigid};
use crate::solid::{Operator, Vec3};

/// Which of the two values of a direction is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The given one.
    Known,
    /// The other one.
    Unknown,
}

/// A body, what is known at its vertices, and the rigid motions that this leaves free.
pub struct Equations<'a> {
    /// The body.
    pub operator: &'a Operator,
    /// What is known  (n)
    pub conditions: Vec<Condition>,
    /// Combinations of rigid motions that nothing hinders.
    pub free_modes: Vec<[f64; 6]>,
    /// μ/L  \[Pa/m\]
    pub scale: f64,
}

impl<'a> Equations<'a> {
    /// Of a body under conditions at all its vertices.
    pub fn new(operator: &'a Operator, conditions: Vec<Condition>) -> Equations<'a> {
        let scale = operator.medium().shear() / operator.surface().size();
        let free_modes = free_modes(operator, &conditions);
        Equations { operator, conditions, free_modes, scale }
    }

    /// Number of unknowns, without the multipliers of rigid motions.
    pub fn order(&self) -> usize {
        3 * self.conditions.len()
    }

    /// Whether the value of a direction in this role is a displacement; else it is a traction.
    pub fn moves(&self, place: usize, role: Role) -> bool {
        (self.conditions[place / 3].known[place % 3] == Known::Displacement) == (role == Role::Known)
    }

    /// y = the columns of all values in a role times the values.
    pub fn apply(&self, values: &[f64], role: Role, y: &mut [f64]) {
        let [mut u, mut t] = [vec![0.0; values.len()], vec![0.0; values.len()]];
        for (i, condition) in self.conditions.iter().enumerate() {
            for a in 0..3 {
                let value = values[3 * i + a];
                let side = if self.moves(3 * i + a, role) { &mut u } else { &mut t };
                (0..3).for_each(|b| side[3 * i + b] += condition.frame[(b, a)] * value);
            }
        }
        self.operator.h().apply(&u, y);
        if t.iter().any(|t| *t != 0.0) {
            let mut pushed = u;
            self.operator.g().apply(&t, &mut pushed);
            y.iter_mut().zip(&pushed).for_each(|(y, pushed)| *y -= self.scale * pushed);
        }
    }

    /// The column of one value.
    pub fn column(&self, place: usize, role: Role, y: &mut [f64]) {
        let moves = self.moves(place, role);
        let (matrix, factor) = match moves {
            true => (self.operator.h(), 1.0),
            false => (self.operator.g(), -self.scale),
        };
        let axis = self.conditions[place / 3].frame.column(place % 3);
        let mut unit = vec![0.0; y.len()];
        (0..3).for_each(|b| unit[place - place % 3 + b] = factor * axis[b]);
        matrix.apply(&unit, y);
    }

    /// A free rigid motion at a vertex, in the axes of space and as far as it is unknown in the frame of the vertex.
    pub fn free_motion(&self, mode: usize, vertex: usize) -> [Vec3; 2] {
        let (motion, condition) =
            (rigid(self.operator, &self.free_modes[mode], vertex), &self.conditions[vertex]);
        let mut local = condition.frame.transpose() * motion;
        for a in (0..3).filter(|&a| condition.known[a] == Known::Displacement) {
            local[a] = 0.0;
        }
        [motion, local]
    }
}
