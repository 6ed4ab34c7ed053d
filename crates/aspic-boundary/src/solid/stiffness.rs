//! The body as one spring between its surface nodes: E = ½ uᵀ K u.
//!
//! Tractions follow from displacements by the averaged equations, t = V⁻¹ (½ M + D) u, and nodal forces from tractions,
//! f = Mᵀ t with M = ∫ ψ N dS. In exact theory the product A is symmetric, pays nothing for rigid motion, and is nowhere
//! negative. Numerically it is nearly so. To make sure, the displacement is split,
//!
//! ```text
//! u = ū + ∇̄u (x − x̄) + u′        ∇̄u = (1/V) ∫ u nᵀ dS,     ū, x̄ = means over the surface
//! ```
//!
//! where ∇̄u is the mean of ∇u over the volume by the divergence theorem, whatever u does inside. The energy splits too,
//! because the strain of u′ has no mean: E = ½ V ε̄ : C : ε̄ + E(u′). The first part is exact, the second is left to sym A.
//! Rigid motion costs nothing and uniform strain gives the exact forces, both to rounding. Should an eigenvalue of the
//! second part be negative, its sign is turned, so that no motion becomes free; that is told.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

use crate::solid::average::average;
use crate::solid::creases::TractionNodes;
use crate::solid::integrate::Integrator;
use crate::solid::panel::Panel;
use crate::solid::weights::{NodeMass, asymmetry, symmetric, vertex_normals, vertex_shares};
use crate::solid::{Mat3, Medium, Surface, Vec3};

/// Eigenvalues below zero by less than this part of the greatest one are rounding.
const ROUNDING: f64 = 1e-13;

/// The spring matrix of a body and how much had to be mended.
#[derive(Clone, Debug)]
pub struct Stiffness {
    /// K  \[N/m\]  (3n × 3n)
    pub matrix: Mat<f64>,
    /// |A − Aᵀ| / |A| of A = Mᵀ V⁻¹ (½ M + D) in the norm of all entries.
    pub asymmetry: f64,
    /// |K − sym A| / |K|: the change by the split and by turned signs together.
    pub correction: f64,
    /// How many negative eigenvalues were turned.
    pub turned: usize,
    /// The most negative of them over the greatest eigenvalue; zero when there was none.
    pub most_negative: f64,
}

/// Why a body has no stiffness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StiffnessError {
    /// The eigenvalues could not be found.
    #[error(
        "the eigenvalues of the stiffness were not found: look for triangles that cross, or for shells that touch"
    )]
    NoEigenvalues,
}

impl Stiffness {
    /// From the averaged boundary equations, with tractions that jump at creases.
    ///
    /// Triangles must not be much longer than the body is thick there: linear displacements on a thin plate cannot bend
    /// without stretching, and the plate becomes too stiff.
    pub fn new(surface: &Surface, medium: &Medium) -> Result<Stiffness, StiffnessError> {
        let panels = Panel::all(surface);
        let raw = forces_of_displacements(surface, &panels, medium);
        let (asymmetry, plain) = (asymmetry(&raw), symmetric(&raw));
        let Split { mean, mut rest, fields } = split(surface, &panels, medium, &plain);
        let (turned, most_negative) = make_positive(&mut rest, &fields)?;
        let matrix = mean + rest;
        let correction = (&matrix - &plain).norm_l2() / matrix.norm_l2();
        Ok(Stiffness { matrix, asymmetry, correction, turned, most_negative })
    }

    /// ½ uᵀ K u  \[J\]
    pub fn energy(&self, u: &[Vec3]) -> f64 {
        0.5 * u.iter().zip(self.force(u)).map(|(u, f)| u.dot(&f)).sum::<f64>()
    }

    /// K u, what must act on the nodes to hold u  \[N\]
    pub fn force(&self, u: &[Vec3]) -> Vec<Vec3> {
        let product = &self.matrix * Mat::from_fn(3 * u.len(), 1, |i, _| u[i / 3][i % 3]);
        (0..u.len()).map(|i| Vec3::from_fn(|a, _| product[(3 * i + a, 0)])).collect()
    }
}

/// A = Mᵀ V⁻¹ (½ M + D)
fn forces_of_displacements(surface: &Surface, panels: &[Panel], medium: &Medium) -> Mat<f64> {
    let integrator = Integrator::quick(*medium);
    let nodes = TractionNodes::new(surface, panels);
    let [equations] = average(surface, panels, &nodes, Mat3::zeros(), |panel, source| {
        let part = integrator.influence(panel, source, None);
        [[part.of_traction, part.of_displacement]]
    });
    let [single, mut double] = equations.dense(3, |block, i, j| block[(i, j)]);
    let mass = NodeMass::new(surface, panels, &nodes);
    mass.add_half(3, &mut double);
    single.partial_piv_lu().solve_in_place(&mut double);
    mass.forces(3, &double)
}

struct Split {
    /// The energy of the mean strain.
    mean: Mat<f64>,
    /// The energy of the rest.
    rest: Mat<f64>,
    /// The twelve linear fields, for which the rest is nothing.
    fields: Mat<f64>,
}

/// V BᵀCB and (I − Π)ᵀ K (I − Π) with Π = P Φᵀ: the twelve linear fields P and the functionals Φ that find them.
fn split(surface: &Surface, panels: &[Panel], medium: &Medium, plain: &Mat<f64>) -> Split {
    let (normals, shares) = (vertex_normals(surface, panels), vertex_shares(surface, panels));
    let x = surface.vertices();
    let middle: Vec3 = x.iter().zip(&shares).map(|(x, share)| x * *share).sum();
    let (n, volume, size) = (plain.nrows(), surface.volume(), surface.size());
    // Column 3 c + a is u_a = 1 for c = 0 and u_a = x_{c−1}, in units of the size, otherwise.
    let same = |i: usize, k: usize| i % 3 == k % 3;
    let fields = Mat::from_fn(n, 12, |i, k| match (same(i, k), k / 3) {
        (false, _) => 0.0,
        (true, 0) => 1.0,
        (true, axis) => (x[i / 3][axis - 1] - middle[axis - 1]) / size,
    });
    let finders = Mat::from_fn(n, 12, |i, k| match (same(i, k), k / 3) {
        (false, _) => 0.0,
        (true, 0) => shares[i / 3],
        (true, axis) => normals[i / 3][axis - 1] * size / volume,
    });
    let moduli = Mat::from_fn(12, 12, |i, k| {
        if i < 3 || k < 3 {
            return 0.0;
        }
        let mut gradient = Mat3::zeros();
        gradient[(k % 3, k / 3 - 1)] = 1.0 / size;
        medium.stress(&gradient)[(i % 3, i / 3 - 1)] * (volume / size)
    });
    let pushed = plain * &fields;
    let inner = fields.transpose() * &pushed;
    let cross = &pushed * finders.transpose();
    let rest = plain - &cross - cross.transpose() + &finders * inner * finders.transpose();
    let mean = &finders * moduli * finders.transpose();
    Split { mean: symmetric(&mean), rest: symmetric(&rest), fields }
}

/// Turns the sign of negative eigenvalues. Most bodies have none, which a Cholesky factor with the linear fields held
/// tells cheaply.
fn make_positive(rest: &mut Mat<f64>, fields: &Mat<f64>) -> Result<(usize, f64), StiffnessError> {
    let n = rest.nrows();
    let lift = (0..n).map(|i| rest[(i, i)]).sum::<f64>() / n as f64;
    let held = &*rest + (fields * fields.transpose()) * faer::Scale(lift);
    if held.llt(Side::Lower).is_ok() {
        return Ok((0, 0.0));
    }
    let eigen = rest.self_adjoint_eigen(Side::Lower).map_err(|_| StiffnessError::NoEigenvalues)?;
    let values: Vec<f64> = eigen.S().column_vector().iter().copied().collect();
    let greatest = values.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
    let bad: Vec<usize> = (0..n).filter(|&k| values[k] < -ROUNDING * greatest).collect();
    let vectors = Mat::from_fn(n, bad.len(), |i, k| eigen.U()[(i, bad[k])]);
    let weighted = Mat::from_fn(n, bad.len(), |i, k| vectors[(i, k)] * (-2.0 * values[bad[k]]));
    *rest += &weighted * vectors.transpose();
    let least = bad.iter().map(|&k| values[k]).fold(0.0, f64::min);
    Ok((bad.len(), least / greatest))
}

#[cfg(test)]
#[path = "stiffness_tests.rs"]
mod tests;
