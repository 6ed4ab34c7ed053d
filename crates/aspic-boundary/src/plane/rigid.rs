//! Motions that strain nothing: two shifts and a turn.

use nalgebra::{Matrix3, SymmetricEigen, Vector3};

use super::conditions::{Conditions, Known};
use super::{Equations, Vec2, quarter};

/// Held directions that move by less than this part of the largest possible do not count as held.
const LOOSE: f64 = 1e-10;

/// A rigid motion u(x) = a + θ e_z × (x − c)/L.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    shift: Vec2,
    turn: f64,
    centre: Vec2,
    length: f64,
}

impl Mode {
    /// The displacement of the place `x` \[m\] for a unit of the motion.
    pub fn at(&self, x: Vec2) -> Vec2 {
        self.shift + self.turn / self.length * quarter(x - self.centre)
    }

    /// The work of a force \[N/m\] and a torque about the centroid \[N\] for a unit of the motion  \[N/m\].
    pub fn work(&self, force: Vec2, torque: f64) -> f64 {
        self.shift.dot(&force) + self.turn / self.length * torque
    }

    fn new(equations: &Equations, amounts: Vector3<f64>) -> Mode {
        Mode {
            shift: amounts.xy(),
            turn: amounts.z,
            centre: equations.moments().centroid,
            length: equations.kernel().length(),
        }
    }
}

/// The shifts along x and y and the turn about the centroid.
pub fn all_modes(equations: &Equations) -> [Mode; 3] {
    [Vector3::x(), Vector3::y(), Vector3::z()].map(|amounts| Mode::new(equations, amounts))
}

/// The rigid motions that move no held node in a held direction.
pub fn undetermined(equations: &Equations, conditions: &Conditions) -> Vec<Mode> {
    let mut held = Matrix3::zeros();
    for (node, x) in equations.nodes().iter().enumerate() {
        for (c, axis) in conditions.directions(node).into_iter().enumerate() {
            if conditions.known[node][c] != Known::Traction {
                let moved = Vector3::from(all_modes(equations).map(|mode| mode.at(*x).dot(&axis)));
                held += moved * moved.transpose();
            }
        }
    }
    let (least, eigen) = (LOOSE * held.trace(), SymmetricEigen::new(held));
    let loose = (0..3).filter(|&k| eigen.eigenvalues[k] <= least);
    loose.map(|k| Mode::new(equations, eigen.eigenvectors.column(k).into_owned())).collect()
}
