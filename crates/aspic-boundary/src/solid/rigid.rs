//! Rigid motions that given displacements leave free.

use nalgebra::{Matrix6, Vector6};

use crate::solid::condition::{Condition, Known};
use crate::solid::{Operator, Vec3};

/// A rigid motion is free when given displacements see less than this part of it.
const UNHELD: f64 = 1e-8;

/// A combination of the six rigid motions at a vertex.
pub fn rigid(operator: &Operator, mode: &[f64; 6], vertex: usize) -> Vec3 {
    (0..6).map(|k| operator.surface().rigid_motion(k, vertex) * mode[k]).sum()
}

/// Combinations of rigid motions that vanish wherever displacements are given.
pub fn free_modes(operator: &Operator, conditions: &[Condition]) -> Vec<[f64; 6]> {
    let mut gram = Matrix6::zeros();
    for (i, condition) in conditions.iter().enumerate() {
        for a in (0..3).filter(|&a| condition.known[a] == Known::Displacement) {
            let axis = condition.frame.column(a);
            let seen = Vector6::from_fn(|k, _| operator.surface().rigid_motion(k, i).dot(&axis));
            gram += seen * seen.transpose();
        }
    }
    let eigen = gram.symmetric_eigen();
    let limit = UNHELD * UNHELD * conditions.len() as f64 + UNHELD * eigen.eigenvalues.amax();
    let free = (0..6).filter(|&k| eigen.eigenvalues[k] <= limit);
    free.map(|k| std::array::from_fn(|a| eigen.eigenvectors[(a, k)])).collect()
}
