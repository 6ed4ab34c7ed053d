//! Given loads: their right-hand side, their sum and their torque.

use crate::solid::{LinearForce, Operator, SolveError, Vec3};

/// Tractions that may jump at edges, and forces on the volume.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// G t + B  \[m\]  (3n)
    pub right: Vec<f64>,
    /// The sum of the forces  \[N\]
    pub force: Vec3,
    /// Their torque about the centroid of the volume  \[N m\]
    pub torque: Vec3,
    /// The sum of the magnitudes of all forces, a measure for what counts as small  \[N\]
    pub magnitude: f64,
}

impl Load {
    /// No load.
    pub fn none(operator: &Operator) -> Load {
        let right = vec![0.0; operator.h().order()];
        Load { right, force: Vec3::zeros(), torque: Vec3::zeros(), magnitude: 0.0 }
    }

    /// Adds tractions at the corners of each triangle  \[Pa\].
    pub fn tractions(mut self, operator: &Operator, corners: &[[Vec3; 3]]) -> Result<Load, SolveError> {
        let expected = operator.panels().len();
        if corners.len() != expected {
            return Err(SolveError::Count {
                what: "triangles with tractions",
                expected,
                given: corners.len(),
            });
        }
        if !corners.iter().flatten().all(|t| t.iter().all(|c| c.is_finite())) {
            return Err(SolveError::NotFinite { what: "a given traction" });
        }
        self.right.iter_mut().zip(operator.load(corners)).for_each(|(sum, part)| *sum += part);
        for (panel, corners) in operator.panels().iter().zip(corners) {
            for (x, f) in panel.corners.iter().zip(nodal(corners, panel.area)) {
                self.add(&(x - operator.surface().centroid()), &f);
            }
        }
        Ok(self)
    }

    /// Adds a uniform traction on each triangle  \[Pa\].
    pub fn faces(self, operator: &Operator, tractions: &[Vec3]) -> Result<Load, SolveError> {
        self.tractions(operator, &tractions.iter().map(|&t| [t; 3]).collect::<Vec<_>>())
    }

    /// Adds a force on the volume.
    pub fn volume(mut self, operator: &Operator, force: &LinearForce) -> Load {
        self.right.iter_mut().zip(force.influence(operator)).for_each(|(sum, part)| *sum += part);
        let (sum, torque) = force.resultant(operator.surface());
        self.force += sum;
        self.torque += torque;
        let slope = force.slope.norm() * operator.surface().size();
        let middle = force.at(&operator.surface().centroid()).norm();
        self.magnitude += (middle + slope) * operator.surface().volume();
        self
    }

    /// Adds a force at a place that is measured from the centroid.
    pub(crate) fn add(&mut self, arm: &Vec3, force: &Vec3) {
        self.force += force;
        self.torque += arm.cross(force);
        self.magnitude += force.norm();
    }
}

/// ∫ N_k t dS over a triangle for t linear between its corners: A/12 (t_k + Σ t)  \[N\]
pub(crate) fn nodal(corners: &[Vec3; 3], area: f64) -> [Vec3; 3] {
    let sum: Vec3 = corners.iter().sum();
    corners.map(|t| (t + sum) * (area / 12.0))
}
