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
//! and the solution has no such motion. Forces that would drive one have no static answer and are refused. Dense matrices
//! are factored, compressed ones solved by iteration.

use faer::Mat;
use rayon::prelude::*;

use crate::solid::condition::{Condition, Known};
use crate::solid::equations::{Equations, Role};
use crate::solid::load::{Load, nodal};
use crate::solid::solver::Solver;
use crate::solid::{Operator, SolveError, Vec3};

/// Work on a rigid motion, as a part of the work of all forces at the size of the body, that counts as none.
const BALANCED: f64 = 1e-6;

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

/// A problem made ready for many loads and values.
pub struct System<'a> {
    equations: Equations<'a>,
    solver: Solver,
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
        let equations = Equations::new(operator, conditions);
        let solver = Solver::new(&equations)?;
        Ok(System { equations, solver })
    }

    /// The conditions at the vertices.
    pub fn conditions(&self) -> &[Condition] {
        &self.equations.conditions
    }

    /// The operator whose equations are solved.
    pub fn operator(&self) -> &Operator {
        self.equations.operator
    }

    /// μ/L, by which tractions are divided in the unknowns  \[Pa/m\]
    pub fn scale(&self) -> f64 {
        self.equations.scale
    }

    /// How many rigid motions are free.
    pub fn free_modes(&self) -> usize {
        self.equations.free_modes.len()
    }

    /// Solves for known values in the frames of the vertices, displacements \[m\] or tractions \[Pa\], besides the load.
    pub fn solve(&self, values: &[Vec3], load: &Load) -> Result<Solution, SolveError> {
        let reference = self.reference(values, load)?;
        Ok(self.gather(&reference.known, &reference.answer))
    }

    /// The same as plain lists, tractions divided by [`System::scale`], as a starting point for changed conditions.
    pub fn reference(&self, values: &[Vec3], load: &Load) -> Result<Reference, SolveError> {
        let expected = self.conditions().len();
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
        let answer = self.solver.solve(&self.equations, &self.right(&known, load))?;
        Ok(Reference { known, answer })
    }

    /// Known values as one list with tractions divided by the scale.
    fn known_column(&self, values: &[Vec3]) -> Vec<f64> {
        let value = |i: usize| match self.conditions()[i / 3].known[i % 3] {
            Known::Displacement => values[i / 3][i % 3],
            Known::Traction => values[i / 3][i % 3] / self.scale(),
        };
        (0..3 * values.len()).map(value).collect()
    }

    /// The load less what the known values contribute.
    fn right(&self, known: &[f64], load: &Load) -> Vec<f64> {
        let mut contributed = vec![0.0; known.len()];
        self.equations.apply(known, Role::Known, &mut contributed);
        load.right.iter().zip(&contributed).map(|(load, known)| load - known).collect()
    }

    /// What all unknowns do when the known value at one of these places rises by one, place by place. The body must be
    /// held.
    pub(crate) fn answers(&self, places: &[usize]) -> Result<Vec<f64>, SolveError> {
        let n = 3 * self.conditions().len();
        let right = |&place: &usize| {
            let mut column = vec![0.0; n];
            self.equations.column(place, Role::Known, &mut column);
            column.iter_mut().for_each(|entry| *entry = -*entry);
            column
        };
        if let Solver::Factor(factor) = &self.solver {
            let rights: Vec<Vec<f64>> = places.par_iter().map(right).collect();
            let mut columns = Mat::from_fn(n, places.len(), |i, k| rights[k][i]);
            factor.solve(&mut columns);
            return Ok(columns.col_iter().flat_map(|column| column.iter().copied()).collect());
        }
        let answers: Result<Vec<Vec<f64>>, SolveError> =
            places.par_iter().map(|place| self.solver.solve(&self.equations, &right(place))).collect();
        Ok(answers?.concat())
    }

    /// Displacements and tractions from known and found values in the frames of the vertices.
    fn gather(&self, known: &[f64], found: &[f64]) -> Solution {
        let vector = |i: usize, kind: Known| {
            let local = Vec3::from_fn(|a, _| match self.conditions()[i].known[a] == kind {
                true => known[3 * i + a],
                false => found[3 * i + a],
            });
            self.conditions()[i].frame * local
        };
        let count = self.conditions().len();
        Solution {
            displacements: (0..count).map(|i| vector(i, Known::Displacement)).collect(),
            tractions: (0..count).map(|i| vector(i, Known::Traction) * self.scale()).collect(),
        }
    }

    /// The given forces must do no work on a rigid motion that is free.
    fn check_balance(&self, values: &[Vec3], load: &Load) -> Result<(), SolveError> {
        let (operator, mut load) = (self.operator(), load.clone());
        for (k, (panel, corners)) in operator.panels().iter().zip(operator.surface().triangles()).enumerate()
        {
            if !operator.carries(k) {
                continue;
            }
            let given = corners.map(|v| {
                let (condition, value) = (&self.conditions()[v as usize], &values[v as usize]);
                let traction = condition.known.map(|known| known == Known::Traction);
                condition.frame * Vec3::from_fn(|a, _| if traction[a] { value[a] } else { 0.0 })
            });
            for (x, f) in panel.corners.iter().zip(nodal(&given, panel.area)) {
                load.add(&(x - operator.surface().centroid()), &f);
            }
        }
        let size = operator.surface().size();
        for mode in &self.equations.free_modes {
            let work: f64 =
                (0..3).map(|a| mode[a] * load.force[a] + mode[3 + a] * load.torque[a] / size).sum();
            if work.abs() > BALANCED * load.magnitude {
                return Err(SolveError::Unbalanced { force: load.force.into(), torque: load.torque.into() });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "solve_tests.rs"]
mod tests;
