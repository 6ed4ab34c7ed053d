//! The inertia of a solid body on its surface nodes, with the inside following as elasticity says: M = ρ ∫ u_iᵀ u_j dV,
//! where u_i is the static displacement of the volume when one node moves along one axis.
//!
//! This is what static condensation gives, and belongs to the stiffness better than harmonic continuation
//! ([`crate::solid::mass`]) does, in which the axes do not know of each other. It is three times as large. The way is the same:
//! the potential ∫ U u_j dV can be made outside by a layer of forces σ_j on the surface, and by Betti's theorem
//! ∫ u_i·u_j dV = ∫ u_i·σ_j dS. With the kernel W that answers U as U answers a point force, 𝓛 W = U,
//!
//! ```text
//! t = V⁻¹ (½ M + D) u        σ = V⁻¹ (D_W u − V_W t)        A = ρ Mᵀ σ
//! ```
//!
//! The symmetric part of A is then changed by as little as makes it exact for the twelve linear motions P:
//! M = A + Z (T − Pᵀ A P) Zᵀ with Z = A P (Pᵀ A P)⁻¹ and T = ρ ∫ Pᵀ P dV. If A is positive, so is M, because motions that A
//! does not couple to linear ones keep their energy.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

use crate::solid::average::average;
use crate::solid::creases::TractionNodes;
use crate::solid::mass::MassError;
use crate::solid::panel::Panel;
use crate::solid::second_kernel::SecondKernel;
use crate::solid::weights::{NodeMass, asymmetry, symmetric};
use crate::solid::{Mat3, Medium, Surface, Vec3};

/// Eigenvalues are raised to this part of the mean diagonal.
const FLOOR: f64 = 1e-3;

/// The mass matrix of the surface nodes under static continuation.
#[derive(Clone, Debug)]
pub struct ElasticMass {
    /// M  \[kg\]  (3n × 3n)
    pub matrix: Mat<f64>,
    /// |A − Aᵀ| / |A| of the integral before it was made symmetric.
    pub asymmetry: f64,
    /// |M − sym A| / |M|
    pub correction: f64,
    /// How many eigenvalues had to be raised to make M positive.
    pub raised: usize,
}

impl ElasticMass {
    /// For a body of uniform density ρ \[kg/m³\].
    pub fn new(surface: &Surface, medium: &Medium, density: f64) -> Result<ElasticMass, MassError> {
        if !(density > 0.0 && density.is_finite()) {
            return Err(MassError::Density { density });
        }
        let panels = Panel::all(surface);
        let nodes = TractionNodes::new(surface, &panels);
        let mass = NodeMass::new(surface, &panels, &nodes);
        let kernel = SecondKernel::new(*medium);
        let [first, second] =
            average(surface, &panels, &nodes, Mat3::zeros(), |panel, source| kernel.pairs(panel, source));
        let [single, mut double] = first.dense(3, |block, i, j| block[(i, j)]);
        let [far_single, far_double] = second.dense(3, |block, i, j| block[(i, j)]);
        mass.add_half(3, &mut double);
        let factor = single.partial_piv_lu();
        let tractions = factor.solve(&double);
        let layer = factor.solve(far_double - far_single * &tractions);
        let raw = mass.forces(3, &layer) * faer::Scale(density);
        let mut matrix = symmetric(&raw);
        let raised = make_positive(&mut matrix)?;
        let changed = exact_for_linear(surface, density, &matrix);
        let correction = (&changed - symmetric(&raw)).norm_l2() / changed.norm_l2();
        Ok(ElasticMass { matrix: changed, asymmetry: asymmetry(&raw), correction, raised })
    }

    /// ½ vᵀ M v  \[J\]
    pub fn kinetic_energy(&self, v: &[Vec3]) -> f64 {
        let column = Mat::from_fn(3 * v.len(), 1, |i, _| v[i / 3][i % 3]);
        0.5 * (column.transpose() * &self.matrix * &column)[(0, 0)]
    }
}

/// Raises eigenvalues that are not positive. Most bodies have none, which a Cholesky factor tells cheaply.
fn make_positive(matrix: &mut Mat<f64>) -> Result<usize, MassError> {
    let n = matrix.nrows();
    let floor = FLOOR * (0..n).map(|i| matrix[(i, i)]).sum::<f64>() / n as f64;
    let held = &*matrix - Mat::<f64>::identity(n, n) * faer::Scale(floor);
    if held.llt(Side::Lower).is_ok() {
        return Ok(0);
    }
    let eigen = matrix.self_adjoint_eigen(Side::Lower).map_err(|_| MassError::NoEigenvalues)?;
    let values: Vec<f64> = eigen.S().column_vector().iter().copied().collect();
    let bad: Vec<usize> = (0..n).filter(|&k| values[k] < floor).collect();
    let vectors = Mat::from_fn(n, bad.len(), |i, k| eigen.U()[(i, bad[k])]);
    let weighted = Mat::from_fn(n, bad.len(), |i, k| vectors[(i, k)] * (floor - values[bad[k]]));
    *matrix += &weighted * vectors.transpose();
    Ok(bad.len())
}

/// A + Z (T − Pᵀ A P) Zᵀ
fn exact_for_linear(surface: &Surface, density: f64, matrix: &Mat<f64>) -> Mat<f64> {
    let (x, middle, size) = (surface.vertices(), surface.centroid(), surface.size());
    // Column 3 c + a is u_a = 1 for c = 0 and u_a = x_{c−1}, in units of the size, otherwise.
    let fields = Mat::from_fn(matrix.nrows(), 12, |i, k| match (i % 3 == k % 3, k / 3) {
        (false, _) => 0.0,
        (true, 0) => 1.0,
        (true, axis) => (x[i / 3][axis - 1] - middle[axis - 1]) / size,
    });
    let spread = surface.spread() / (size * size);
    let exact = Mat::from_fn(12, 12, |i, k| match (i % 3 == k % 3, i / 3, k / 3) {
        (true, 0, 0) => density * surface.volume(),
        (true, a, b) if a > 0 && b > 0 => density * spread[(a - 1, b - 1)],
        _ => 0.0,
    });
    let coupled = matrix * &fields;
    let found = fields.transpose() * &coupled;
    let z = found.partial_piv_lu().solve(coupled.transpose());
    symmetric(&(matrix + z.transpose() * (exact - found) * &z))
}

#[cfg(test)]
#[path = "elastic_mass_tests.rs"]
mod tests;
