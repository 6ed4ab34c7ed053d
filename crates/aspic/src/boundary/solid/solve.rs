//! Statics: at each vertex and in each direction either the displacement or the traction is known.
//!
//! The unknowns' columns of H and −(μ/L) G make the matrix; μ/L with the size L of the body makes both alike. Rigid
//! motions R that no given displacement hinders cost no force, so the matrix alone is singular. It is bordered,
//!
//! ```text
//! [ A   R ] [x]   [right]
//! [ Rᵀ  0 ] [a] = [  0  ]
//! ```
//!
//! and the solution has no such motion. Forces that would drive one have no static answer and are refused.

use faer::Mat;
use faer::linalg::solvers::{PartialPivLu, Solve};

use crate::boundary::solid::condition::{Condition, Known};
use crate::boundary::solid::load::{Load, nodal};
use crate::boundary::solid::rigid::{free_modes, rigid};
use crate::boundary::solid::{Operator, SolveError, Vec3};

/// Work on a rigid motion, as a part of the work of all forces at the size of the body, that counts as none.
const BALANCED: f64 = 1e-6;
/// Least over greatest pivot of a matrix that is not singular.
const SINGULAR: f64 = 1e-14;

/// Displacements and tractions of all vertices in the axes of space.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// u  \[m\]  (n)
    pub displacements: Vec<Vec3>,
    /// t, besides those of the load  \[Pa\]  (n)
    pub tractions: Vec<Vec3>,
}

/// An answer as plain lists, in the frames of the vertices: entry 3 i + a is direction a of vertex i.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// What was known: displacements  \[m\], or tractions over the scale  \[m\]
    pub known: Vec<f64>,
    /// What was found, in the same units.
    pub answer: Vec<f64>,
}

/// A factored problem, for many loads and values.
pub struct System<'a> {
    operator: &'a Operator,
    conditions: Vec<Condition>,
    free_modes: Vec<[f64; 6]>,
    factor: PartialPivLu<f64>,
    scale: f64,
}

impl<'a> System<'a> {
    /// Sets up and factors the equations for the conditions at all vertices.
    pub fn new(operator: &'a Operator, conditions: Vec<Condition>) -> Result<System<'a>, SolveError> {
        let expected = operator.surface().vertices().len();
        if conditions.len() != expected {
            let given = conditions.len();
            return Err(SolveError::Count { what: "vertices with conditions", expected, given });
        }
        if let Some(vertex) = conditions.iter().position(|condition| !condition.is_sound()) {
            return Err(SolveError::BadFrame { vertex });
        }
        let scale = operator.medium().shear() / operator.surface().size();
        let free_modes = free_modes(operator, &conditions);
        let (n, modes) = (3 * expected, free_modes.len());
        let mut matrix = Mat::zeros(n + modes, n + modes);
        for j in 0..n {
            let unknown = other(conditions[j / 3].known[j % 3]);
            write_column(operator, &conditions[j / 3], j, unknown, scale, |i, value| matrix[(i, j)] = value);
        }
        for (k, mode) in free_modes.iter().enumerate() {
            for i in 0..expected {
                let motion = rigid(operator, mode, i);
                let local = conditions[i].frame.transpose() * motion;
                for a in 0..3 {
                    matrix[(3 * i + a, n + k)] = motion[a];
                    if conditions[i].known[a] == Known::Traction {
                        matrix[(n + k, 3 * i + a)] = local[a];
                    }
                }
            }
        }
        let factor = matrix.partial_piv_lu();
        let pivots: Vec<f64> = (0..n + modes).map(|i| factor.U()[(i, i)].abs()).collect();
        let most = pivots.iter().fold(0.0, |most: f64, p| most.max(*p));
        if !pivots.iter().all(|p| p.is_finite() && *p > SINGULAR * most) {
            return Err(SolveError::Singular);
        }
        Ok(System { operator, conditions, free_modes, factor, scale })
    }

    /// The conditions at the vertices.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// The operator whose equations are solved.
    pub fn operator(&self) -> &Operator {
        self.operator
    }

    /// μ/L, by which tractions are divided in the unknowns  \[Pa/m\]
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// How many rigid motions are free.
    pub fn free_modes(&self) -> usize {
        self.free_modes.len()
    }

    /// Solves for known values in the frames of the vertices, displacements \[m\] or tractions \[Pa\], besides the load.
    pub fn solve(&self, values: &[Vec3], load: &Load) -> Result<Solution, SolveError> {
        let reference = self.reference(values, load)?;
        Ok(self.gather(&reference.known, &reference.answer))
    }

    /// The same as plain lists, tractions divided by [`System::scale`], as a starting point for changed conditions.
    pub fn reference(&self, values: &[Vec3], load: &Load) -> Result<Reference, SolveError> {
        let expected = self.conditions.len();
        if values.len() != expected {
            return Err(SolveError::Count { what: "known vectors", expected, given: values.len() });
        }
        if load.right.len() != 3 * expected {
            let given = load.right.len();
            return Err(SolveError::Count { what: "entries of the load", expected: 3 * expected, given });
        }
        if !values.iter().all(|v| v.iter().all(|c| c.is_finite())) {
            return Err(SolveError::NotFinite { what: "a known displacement or traction" });
        }
        self.check_balance(values, load)?;
        let known = self.known_column(values);
        let answer = self.solve_right(&self.right(&known, load));
        Ok(Reference { known, answer })
    }

    /// Known values as one list with tractions divided by the scale.
    fn known_column(&self, values: &[Vec3]) -> Vec<f64> {
        let value = |i: usize| match self.conditions[i / 3].known[i % 3] {
            Known::Displacement => values[i / 3][i % 3],
            Known::Traction => values[i / 3][i % 3] / self.scale,
        };
        (0..3 * values.len()).map(value).collect()
    }

    /// The load less what the known values contribute.
    fn right(&self, known: &[f64], load: &Load) -> Vec<f64> {
        let mut right = load.right.clone();
        for (j, value) in known.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            self.column(j, self.conditions[j / 3].known[j % 3], |i, entry| right[i] -= entry * value);
        }
        right
    }

    /// The column of H or −(μ/L) G for a direction of a vertex's frame.
    pub(crate) fn column(&self, j: usize, kind: Known, write: impl FnMut(usize, f64)) {
        write_column(self.operator, &self.conditions[j / 3], j, kind, self.scale, write);
    }

    /// A⁻¹ right, without the multipliers of rigid motions.
    fn solve_right(&self, right: &[f64]) -> Vec<f64> {
        let n = right.len();
        let mut x = Mat::from_fn(n + self.free_modes.len(), 1, |i, _| if i < n { right[i] } else { 0.0 });
        self.factor.solve_in_place(&mut x);
        (0..n).map(|i| x[(i, 0)]).collect()
    }

    /// The same for many columns at once. The body must be held.
    pub(crate) fn solve_columns(&self, columns: &mut Mat<f64>) {
        self.factor.solve_in_place(columns);
    }

    /// Displacements and tractions from known and found values in the frames of the vertices.
    fn gather(&self, known: &[f64], found: &[f64]) -> Solution {
        let vector = |i: usize, kind: Known| {
            let local = Vec3::from_fn(|a, _| match self.conditions[i].known[a] == kind {
                true => known[3 * i + a],
                false => found[3 * i + a],
            });
            self.conditions[i].frame * local
        };
        let count = self.conditions.len();
        Solution {
            displacements: (0..count).map(|i| vector(i, Known::Displacement)).collect(),
            tractions: (0..count).map(|i| vector(i, Known::Traction) * self.scale).collect(),
        }
    }

    /// The given forces must do no work on a rigid motion that is free.
    fn check_balance(&self, values: &[Vec3], load: &Load) -> Result<(), SolveError> {
        let (operator, mut load) = (self.operator, load.clone());
        for (k, (panel, corners)) in operator.panels().iter().zip(operator.surface().triangles()).enumerate()
        {
            if !operator.carries(k) {
                continue;
            }
            let given = corners.map(|v| {
                let (condition, value) = (&self.conditions[v as usize], &values[v as usize]);
                let traction = condition.known.map(|known| known == Known::Traction);
                condition.frame * Vec3::from_fn(|a, _| if traction[a] { value[a] } else { 0.0 })
            });
            for (x, f) in panel.corners.iter().zip(nodal(&given, panel.area)) {
                load.add(&(x - operator.surface().centroid()), &f);
            }
        }
        let size = operator.surface().size();
        for mode in &self.free_modes {
            let work: f64 =
                (0..3).map(|a| mode[a] * load.force[a] + mode[3 + a] * load.torque[a] / size).sum();
            if work.abs() > BALANCED * load.magnitude {
                return Err(SolveError::Unbalanced { force: load.force.into(), torque: load.torque.into() });
            }
        }
        Ok(())
    }
}

fn other(known: Known) -> Known {
    match known {
        Known::Displacement => Known::Traction,
        Known::Traction => Known::Displacement,
    }
}

fn write_column(
    operator: &Operator,
    condition: &Condition,
    j: usize,
    kind: Known,
    scale: f64,
    mut write: impl FnMut(usize, f64),
) {
    let (matrix, factor) = match kind {
        Known::Displacement => (operator.h(), 1.0),
        Known::Traction => (operator.g(), -scale),
    };
    let (first, axis) = (j - j % 3, condition.frame.column(j % 3));
    for i in 0..matrix.nrows() {
        let sum = (0..3).fold(0.0, |sum, a| sum + matrix[(i, first + a)] * axis[a]);
        write(i, factor * sum);
    }
}

#[cfg(test)]
#[path = "solve_tests.rs"]
mod tests;
