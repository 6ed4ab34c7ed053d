//! The inertia of a solid body carried by its surface nodes: M_ij = ρ ∫ φ_i φ_j dV, where φ_i continues the function that
//! is 1 at node i and 0 at the others harmonically into the volume. Only the surface is needed.
//!
//! Outside of the body the Newton potential ∫ φ_j/(4πr) dV can also be made by a charge σ_j on the surface, found from
//! ∫ σ_j/(4πr) dS = ∫ φ_j/(4πr) dV at the surface. Harmonic functions cannot tell the two apart (Poincaré's sweeping-out):
//! the difference v of the potentials vanishes outside, and inside ∇²v = −φ_j and v = 0, ∂ₙv = −σ_j at the surface, so
//! Green's second identity gives ∫ φ_i φ_j dV = ∫ φ_i σ_j dS. With the slope q = ∂ₙφ, and because ∇²(r/8π) = 1/(4πr),
//!
//! ```text
//! ½ φ + ∫ ∂ₙ(1/4πr) φ dS = ∫ q/(4πr) dS                         gives  q = S₁⁻¹ (½ M + D₁) φ
//! ∫ φ/(4πr) dV = ∫ ∂ₙ(r/8π) φ − (r/8π) q dS                     gives  σ = S₁⁻¹ (D₂ φ − S₂ q)
//! A = Mᵀ S₁⁻¹ (D₂ − S₂ S₁⁻¹ (½ M + D₁))                         M = ∫ ψ N dS
//! ```
//!
//! all averaged over the surface like the elastic equations, with slopes and charges that jump at creases.
//!
//! Linear functions are harmonic, and for them all is known exactly. As with the stiffness, φ = Π φ + φ′ is split into
//! the linear function with the mean gradient (1/V) ∫ φ n dS and a rest. Two linear functions have the product moment T
//! of the volume. A linear p and a rest: with a polynomial w, ∇²w = p, ∫ p φ′ dV = ∫ φ′ ∂ₙw − w q′ dS. Two rests have
//! sym A. So mass, centre and inertia tensor are exact to rounding.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

use crate::solid::average::average;
use crate::solid::creases::TractionNodes;
use crate::solid::panel::Panel;
use crate::solid::quadrature::Rule;
use crate::solid::scalar::harmonic;
use crate::solid::weights::{NodeMass, asymmetry, symmetric, vertex_normals, vertex_shares};
use crate::solid::{Surface, Vec3};

/// Eigenvalues of the part that is not linear are raised to this part of the mean diagonal.
const FLOOR: f64 = 1e-3;

/// The mass matrix of the surface nodes, the same for each axis.
#[derive(Clone, Debug)]
pub struct SurfaceMass {
    /// M  \[kg\]  (n × n)
    pub matrix: Mat<f64>,
    /// |A − Aᵀ| / |A| of the integral before it was made symmetric.
    pub asymmetry: f64,
    /// How many eigenvalues had to be raised to make M positive.
    pub raised: usize,
}

/// Why a body has no mass matrix.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MassError {
    /// The density is not a positive number.
    #[error("the density {density} kg/m³ must be positive and finite")]
    Density {
        /// What was given.
        density: f64,
    },
    /// The eigenvalues could not be found.
    #[error(
        "the eigenvalues of the mass were not found: look for triangles that cross, or for shells that touch"
    )]
    NoEigenvalues,
}

impl SurfaceMass {
    /// For a body of uniform density ρ \[kg/m³\].
    pub fn new(surface: &Surface, density: f64) -> Result<SurfaceMass, MassError> {
        if !(density > 0.0 && density.is_finite()) {
            return Err(MassError::Density { density });
        }
        let panels = Panel::all(surface);
        let nodes = TractionNodes::new(surface, &panels);
        let node_mass = NodeMass::new(surface, &panels, &nodes);
        let rule = Rule::seven();
        let [laplace, newton] = average(surface, &panels, &nodes, 0.0, |panel, x| harmonic(panel, x, &rule));
        let [single, mut double] = laplace.dense(1, |entry, _, _| *entry);
        let [far_single, far_double] = newton.dense(1, |entry, _, _| *entry);
        node_mass.add_half(1, &mut double);
        let factor = single.partial_piv_lu();
        let slope = factor.solve(&double);
        let charge = factor.solve(far_double - far_single * &slope);
        let raw = node_mass.forces(1, &charge);
        let slope = Slope { matrix: slope, nodes: &nodes };
        let mut matrix = split(surface, &panels, &symmetric(&raw), &slope);
        let raised = make_positive(surface, &mut matrix)?;
        matrix *= faer::Scale(density);
        Ok(SurfaceMass { matrix, asymmetry: asymmetry(&raw), raised })
    }

    /// ½ vᵀ M v  \[J\]
    pub fn kinetic_energy(&self, v: &[Vec3]) -> f64 {
        0.5 * v.iter().zip(self.momentum(v)).map(|(v, p)| v.dot(&p)).sum::<f64>()
    }

    /// M v  \[kg m/s\]
    pub fn momentum(&self, v: &[Vec3]) -> Vec<Vec3> {
        let product = &self.matrix * Mat::from_fn(v.len(), 3, |i, a| v[i][a]);
        (0..v.len()).map(|i| Vec3::from_fn(|a, _| product[(i, a)])).collect()
    }
}

/// ∂ₙφ at the slope nodes from φ at the vertices.
struct Slope<'a> {
    matrix: Mat<f64>,
    nodes: &'a TractionNodes,
}

/// The functions 1, x, y, z about the centroid at the vertices.
fn linear(surface: &Surface) -> Mat<f64> {
    let (x, c) = (surface.vertices(), surface.centroid());
    Mat::from_fn(x.len(), 4, |i, k| if k == 0 { 1.0 } else { x[i][k - 1] - c[k - 1] })
}

/// ∫ p pᵀ dV of the four functions.
fn moments(surface: &Surface) -> Mat<f64> {
    let spread = surface.spread();
    Mat::from_fn(4, 4, |i, k| match (i, k) {
        (0, 0) => surface.volume(),
        (0, _) | (_, 0) => 0.0,
        _ => spread[(i - 1, k - 1)],
    })
}

/// Φ T Φᵀ + Φ Yᵀ (I − Π) + (I − Π)ᵀ Y Φᵀ + (I − Π)ᵀ M (I − Π) with Π = P Φᵀ.
fn split(surface: &Surface, panels: &[Panel], plain: &Mat<f64>, slope: &Slope) -> Mat<f64> {
    let n = plain.nrows();
    let (normals, shares) = (vertex_normals(surface, panels), vertex_shares(surface, panels));
    let fields = linear(surface);
    let means = Vec3::from_fn(|a, _| (0..n).map(|i| shares[i] * fields[(i, a + 1)]).sum());
    let finders = Mat::from_fn(n, 4, |i, k| {
        let slope = normals[i] / surface.volume();
        if k == 0 { shares[i] - slope.dot(&means) } else { slope[k - 1] }
    });
    let (slopes, values) = polynomials(surface, panels, slope.nodes);
    let cross = slopes - slope.matrix.transpose() * values;
    let rest = Mat::<f64>::identity(n, n) - &fields * finders.transpose();
    let mixed = &finders * (rest.transpose() * &cross).transpose();
    let middle = &finders * moments(surface) * finders.transpose();
    let sum = middle + &mixed + mixed.transpose() + rest.transpose() * plain * &rest;
    symmetric(&sum)
}

/// ∫ N_i ∂ₙw dS of vertices and ∫ ψ_a w dS of slope nodes for w = |x|²/6 and x |x|²/10, whose Laplacians are 1 and x.
fn polynomials(surface: &Surface, panels: &[Panel], nodes: &TractionNodes) -> (Mat<f64>, Mat<f64>) {
    let (n, rule) = (surface.vertices().len(), Rule::seven());
    let (mut slopes, mut values) = (Mat::zeros(n, 4), Mat::zeros(nodes.count, 4));
    for ((panel, corners), own) in panels.iter().zip(surface.triangles()).zip(&nodes.corners) {
        for (shape, weight) in &rule.points {
            let x = panel.point(shape) - surface.centroid();
            let (square, across) = (x.norm_squared(), x.dot(&panel.normal));
            for k in 0..3 {
                let (w, i, node) = (weight * panel.area * shape[k], corners[k] as usize, own[k] as usize);
                slopes[(i, 0)] += w * across / 3.0;
                values[(node, 0)] += w * square / 6.0;
                for a in 0..3 {
                    slopes[(i, a + 1)] += w * (panel.normal[a] * square + 2.0 * x[a] * across) / 10.0;
                    values[(node, a + 1)] += w * x[a] * square / 10.0;
                }
            }
        }
    }
    (slopes, values)
}

/// Raises what is not positive, on the functions that M does not couple to linear ones: M = Y T⁻¹ Yᵀ + rest, Y = M P.
fn make_positive(surface: &Surface, matrix: &mut Mat<f64>) -> Result<usize, MassError> {
    let n = matrix.nrows();
    let floor = FLOOR * (0..n).map(|i| matrix[(i, i)]).sum::<f64>() / n as f64;
    let coupled = &*matrix * linear(surface);
    let known = &coupled * moments(surface).partial_piv_lu().solve(coupled.transpose());
    let rest = &*matrix - known;
    let fields = linear(surface);
    let held = &rest + &fields * fields.transpose() - Mat::<f64>::identity(n, n) * faer::Scale(floor);
    if held.llt(Side::Lower).is_ok() {
        return Ok(0);
    }
    let eigen = rest.self_adjoint_eigen(Side::Lower).map_err(|_| MassError::NoEigenvalues)?;
    let values: Vec<f64> = eigen.S().column_vector().iter().copied().collect();
    // The four linear functions have the eigenvalue 0 and stay as they are.
    let share = |k: usize| (fields.transpose() * eigen.U().col(k)).norm_l2() / (n as f64).sqrt();
    let bad: Vec<usize> = (0..n).filter(|&k| values[k] < floor && share(k) < 1e-6).collect();
    let vectors = Mat::from_fn(n, bad.len(), |i, k| eigen.U()[(i, bad[k])]);
    let weighted = Mat::from_fn(n, bad.len(), |i, k| vectors[(i, k)] * (floor - values[bad[k]]));
    *matrix += &weighted * vectors.transpose();
    Ok(bad.len())
}

#[cfg(test)]
#[path = "mass_tests.rs"]
pub(crate) mod tests;
