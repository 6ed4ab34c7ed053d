//! The body as one spring between its surface nodes: E = ½ uᵀ K u.
//!
//! K is the operator of Steklov and Poincaré in its symmetric form (Costabel 1987, Steinbach 2008), by Galerkin's method
//! with displacements u linear and continuous and tractions even on each triangle:
//!
//! ```text
//! K = D + Bᵀ V⁻¹ B        B = ½ M + T        M = ∫ N over each triangle
//! ```
//!
//! with the single layer V, the double layer T and the hypersingular D of Kelvin's solution. Both parts are symmetric and
//! nowhere negative, D is zero for rigid motion only, and so K is stable whatever the mesh and its diagonals. Tractions
//! even on triangles make it too soft and displacements linear on them too stiff, both by the third power of the mesh where
//! the answer is smooth. Displacements weigh more: where the body bends, the middle of an edge is not halfway between its
//! ends. So with few triangles each is cut in four, the middles of edges follow the vertices around as polynomials of degree
//! 2 do (`recovery`), and K becomes Rᵀ K R.
//!
//! Integration by parts leaves weak singularities only (Han 1994). On a triangle let c_p = n × ∇N_p, which
//! does not vary there, and A = ∬ 1/r. With Günter's derivatives 𝓜 u = Σ c_p × u_p,
//!
//! ```text
//! T u = L u − A 𝓜u/4π + 2μ V 𝓜u                             L, the double layer of harmonic functions
//! D_pq = (μ/4π) a (2 (c_p·c_q) I − c_p c_qᵀ) + [c_p]ᵀ ((μ/2π) a I − 4μ² V) [c_q]      [c] u = c × u
//! ```
//!
//! summed over pairs of triangles. What quadrature leaves is taken out at the end. The displacement is split,
//!
//! ```text
//! u = ū + ∇̄u (x − x̄) + u′        ∇̄u = (1/V) ∫ u nᵀ dS,     ū, x̄ = means over the surface
//! ```
//!
//! where ∇̄u is the mean of ∇u over the volume by the divergence theorem, whatever u does inside. The energy splits too,
//! because the strain of u′ has no mean: E = ½ V ε̄ : C : ε̄ + E(u′). The first part is exact, the second is left to K.
//! Rigid motion costs nothing and uniform strain gives the exact forces, both to rounding, and K stays without negative
//! eigenvalues. Where middles of edges follow the vertices around, u′ is what is left beside the mean strain of R u, but the
//! first part has that of u linear on triangles: forces and pressures on vertices act as if u were, and even strain must
//! meet them exactly.

use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Mat, Par, Side};

use crate::solid::layers::Layers;
use crate::solid::panel::Panel;
use crate::solid::quarters::Quarters;
use crate::solid::recovery::Recovery;
use crate::solid::weights::{symmetric, vertex_normals, vertex_shares};
use crate::solid::{Mat3, Medium, Surface, Vec3};

/// Most triangles of a body whose motion is recovered on quarters of them. 400 take some seconds, and the time grows with
/// the third power.
const QUARTERED: usize = 400;

/// The spring matrix of a body and how much had to be mended.
#[derive(Clone, Debug)]
pub struct Stiffness {
    /// K  \[N/m\]  (3n × 3n)
    pub matrix: Mat<f64>,
    /// What the split changes, as a part of |K| in the norm of all entries: the error of quadrature.
    pub correction: f64,
}

/// Why a body has no stiffness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StiffnessError {
    /// The single layer is not positive.
    #[error(
        "the equations of the surface have no answer: look for triangles that cross, needles, or shells that touch"
    )]
    NotPositive,
}

impl Stiffness {
    /// From the boundary equations.
    ///
    /// Triangles must not be much longer than the body is thick there: few of them on a thin plate cannot bend without
    /// stretching, and the plate becomes too stiff.
    pub fn new(surface: &Surface, medium: &Medium) -> Result<Stiffness, StiffnessError> {
        let panels = Panel::all(surface);
        Stiffness::from_layers(surface, &panels, medium, || Layers::new(surface, &panels, medium))
    }

    /// From layers that are there already, should they be needed.
    pub(crate) fn from_layers(
        surface: &Surface,
        panels: &[Panel],
        medium: &Medium,
        layers: impl FnOnce() -> Layers,
    ) -> Result<Stiffness, StiffnessError> {
        let [fields, finders] = linear_fields(surface, panels);
        let (plain, own) = match finer(surface) {
            None => (steklov_poincare(surface, panels, medium, layers(), None)?, finders.clone()),
            Some(quarters) => {
                let recovery = Recovery::new(surface, panels, &quarters);
                let parts = Panel::all(&quarters.surface);
                let layers = Layers::new(&quarters.surface, &parts, medium);
                let [_, finders] = linear_fields(&quarters.surface, &parts);
                let plain = steklov_poincare(&quarters.surface, &parts, medium, layers, Some(&recovery))?;
                (plain, recovery.forces(&finders))
            }
        };
        let moduli = moduli(surface, medium);
        let rest = rest(&plain, &fields, &own);
        let mended = &rest + &own * &moduli * own.transpose();
        let correction = (&mended - &plain).norm_l2() / mended.norm_l2();
        let matrix = symmetric(&(rest + &finders * moduli * finders.transpose()));
        Ok(Stiffness { matrix, correction })
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

/// The quarters of a body's triangles, if it has few.
fn finer(surface: &Surface) -> Option<Quarters> {
    // Quarters of a good surface are one, but for rounding: then the whole triangles do.
    if surface.triangles().len() > QUARTERED { None } else { Quarters::new(surface).ok() }
}

/// D + Bᵀ V⁻¹ B, Rᵀ (…) R with recovery
fn steklov_poincare(
    surface: &Surface,
    panels: &[Panel],
    medium: &Medium,
    layers: Layers,
    recovery: Option<&Recovery>,
) -> Result<Mat<f64>, StiffnessError> {
    let curls: Vec<[Vec3; 3]> = panels.iter().map(|p| p.slopes.map(|slope| p.normal.cross(&slope))).collect();
    let mut hyper = hypersingular(surface, medium, &layers, &curls);
    let mut pulled = double_layer(surface, panels, medium, &layers, &curls);
    if let Some(recovery) = recovery {
        hyper = recovery.forces(&recovery.columns(&hyper));
        pulled = recovery.columns(&pulled);
    }
    let factor = layers.single.llt(Side::Lower).map_err(|_| StiffnessError::NotPositive)?;
    solve_lower_triangular_in_place(factor.L(), pulled.as_mut(), Par::Seq);
    Ok(symmetric(&(hyper + pulled.transpose() * &pulled)))
}

/// ½ M + T  \[m²\]  (3m × 3n)
fn double_layer(
    surface: &Surface,
    panels: &[Panel],
    medium: &Medium,
    layers: &Layers,
    curls: &[[Vec3; 3]],
) -> Mat<f64> {
    let (m, n) = (panels.len(), surface.vertices().len());
    let mut sum = Mat::zeros(3 * m, 3 * n);
    for (j, corners) in surface.triangles().iter().enumerate() {
        for (q, &vertex) in corners.iter().enumerate() {
            let (vertex, curl) = (vertex as usize, curls[j][q].cross_matrix());
            (0..3).for_each(|a| sum[(3 * j + a, 3 * vertex + a)] += panels[j].area / 6.0);
            for i in 0..m {
                let even = Mat3::identity() * (layers.inverse[(i, j)] / (4.0 * std::f64::consts::PI));
                let block = (layers.block(i, j) * (2.0 * medium.shear()) - even) * curl;
                add(&mut sum, i, vertex, &block);
            }
        }
    }
    for vertex in 0..n {
        for i in 0..m {
            (0..3).for_each(|a| sum[(3 * i + a, 3 * vertex + a)] += layers.double[(i, vertex)]);
        }
    }
    sum
}

/// D  \[N/m\]  (3n × 3n), of each two triangles twice the one half: the symmetric part is meant.
fn hypersingular(surface: &Surface, medium: &Medium, layers: &Layers, curls: &[[Vec3; 3]]) -> Mat<f64> {
    let (n, mu) = (surface.vertices().len(), medium.shear());
    let mut sum = Mat::zeros(3 * n, 3 * n);
    let triangles = surface.triangles();
    for (j, right) in triangles.iter().enumerate() {
        for (i, left) in triangles.iter().enumerate().take(j + 1) {
            let twice = if i < j { 2.0 } else { 1.0 };
            let even = twice * mu * layers.inverse[(i, j)] / (4.0 * std::f64::consts::PI);
            let inner = Mat3::identity() * (2.0 * even) - layers.block(i, j) * (twice * 4.0 * mu * mu);
            for (q, &to) in right.iter().enumerate() {
                let c_q = curls[j][q];
                let turned = inner * c_q.cross_matrix();
                for (p, &from) in left.iter().enumerate() {
                    let c_p = curls[i][p];
                    let plain = Mat3::identity() * (2.0 * c_p.dot(&c_q)) - c_p * c_q.transpose();
                    let block = plain * even - c_p.cross_matrix() * turned;
                    add(&mut sum, from as usize, to as usize, &block);
                }
            }
        }
    }
    sum
}

fn add(sum: &mut Mat<f64>, i: usize, j: usize, block: &Mat3) {
    for b in 0..3 {
        (0..3).for_each(|a| sum[(3 * i + a, 3 * j + b)] += block[(a, b)]);
    }
}

/// The twelve linear fields P and the functionals Φ that find them, Φᵀ P = I  (3n × 12 each)
///
/// Column 3 c + a of P is u_a = 1 for c = 0 and u_a = x_{c−1} about the middle, in units of the size, otherwise.
pub(crate) fn linear_fields(surface: &Surface, panels: &[Panel]) -> [Mat<f64>; 2] {
    let (normals, shares) = (vertex_normals(surface, panels), vertex_shares(surface, panels));
    let x = surface.vertices();
    let middle: Vec3 = x.iter().zip(&shares).map(|(x, share)| x * *share).sum();
    let (n, volume, size) = (3 * x.len(), surface.volume(), surface.size());
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
    [fields, finders]
}

/// V C of the twelve linear fields.
fn moduli(surface: &Surface, medium: &Medium) -> Mat<f64> {
    let (volume, size) = (surface.volume(), surface.size());
    Mat::from_fn(12, 12, |i, k| {
        if i < 3 || k < 3 {
            return 0.0;
        }
        let mut gradient = Mat3::zeros();
        gradient[(k % 3, k / 3 - 1)] = 1.0 / size;
        medium.stress(&gradient)[(i % 3, i / 3 - 1)] * (volume / size)
    })
}

/// (I − Π)ᵀ K (I − Π) with Π = P Φᵀ.
fn rest(plain: &Mat<f64>, fields: &Mat<f64>, finders: &Mat<f64>) -> Mat<f64> {
    let pushed = plain * fields;
    let inner = fields.transpose() * &pushed;
    let cross = &pushed * finders.transpose();
    plain - &cross - cross.transpose() + finders * inner * finders.transpose()
}

#[cfg(test)]
#[path = "stiffness_tests.rs"]
mod tests;
