//! ω(F, Ḟ): the viscous loss of an isotropic material, on packs of eight elements.
//!
//! D' = ḞᵀF + FᵀḞ is the rate of D = FᵀF, d = sym(Ḟ F⁻¹) the rate of strain in space, J = det F.
//!
//! material   ω = ζ/4 (tr D')² + η/2 |dev D'|²,   P = F (ζ/2 tr D' I + η dev D')
//! spatial    ω = J σ : d,   σ = ζ tr d I + 2η dev d,   P = J σ F⁻ᵀ
//!
//! Both are the loss of a Newtonian fluid at small strain, ζ (tr e')² + 2η |dev e'|², and both vanish in
//! rigid motion. They follow Liesenfeld & Stolfi (17)–(23), whose coefficients differ from Newton's by
//! factors of two: see [`Viscosity::from_ls_17`] and [`Viscosity::from_ls_23`].

use crate::Mat3;
use crate::element_map::{Mat9, for_pairs, map_of};
use crate::lanes::{Lanes, Mat3x8, splat};
use crate::symmetric::Sym3x8;

/// Bulk and shear viscosity of an isotropic material.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Viscosity {
    /// Bulk viscosity ζ \[Pa s\].
    pub bulk: f64,
    /// Shear viscosity η \[Pa s\].
    pub shear: f64,
}

/// A viscosity that is negative or not a number.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the {which} viscosity is {value} Pa s: it must be zero (no damping) or a positive number")]
pub struct ViscosityError {
    /// "bulk" or "shear".
    pub which: &'static str,
    /// The number given \[Pa s\].
    pub value: f64,
}

impl Viscosity {
    /// From bulk and shear viscosity \[Pa s\].
    pub fn new(bulk: f64, shear: f64) -> Result<Viscosity, ViscosityError> {
        for (which, value) in [("bulk", bulk), ("shear", shear)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(ViscosityError { which, value });
            }
        }
        Ok(Viscosity { bulk, shear })
    }

    /// From η₁, η₂ as equation (17) of Liesenfeld & Stolfi uses them: ζ = 2η₁, η = η₂.
    pub fn from_ls_17(eta1: f64, eta2: f64) -> Result<Viscosity, ViscosityError> {
        Viscosity::new(2.0 * eta1, eta2)
    }

    /// From η₁, η₂ as equation (23) of Liesenfeld & Stolfi uses them: ζ = 2η₁, η = 2η₂.
    pub fn from_ls_23(eta1: f64, eta2: f64) -> Result<Viscosity, ViscosityError> {
        Viscosity::new(2.0 * eta1, 2.0 * eta2)
    }

    /// ζ tr(A) I + 2η dev A.
    fn newtonian(&self, a: &Mat3) -> Mat3 {
        2.0 * self.shear * a + Mat3::from_diagonal_element((self.bulk - 2.0 / 3.0 * self.shear) * a.trace())
    }
}

/// What the viscosity of a deformed element refers to.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ViscousModel {
    /// Rates of the material's own metric, weighted by the rest volume (the default).
    #[default]
    Material,
    /// As `material`, weighted by the current volume: as printed by Liesenfeld and Stolfi. Damping
    /// fades in strong compression.
    MaterialCurrentVolume,
    /// A Newtonian fluid in space: the viscosity does not depend on the deformation so far.
    Spatial,
}

/// A viscous law: its coefficients and what they refer to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ViscousLaw {
    /// The coefficients.
    pub viscosity: Viscosity,
    /// What they refer to.
    pub model: ViscousModel,
}

/// ½ D' on the diagonal, D' off it: the form with the fewest operations.
#[inline(always)]
fn half_rate(f: &Mat3x8, fdot: &Mat3x8) -> Sym3x8 {
    let (f, g) = (&f.0, &fdot.0);
    let half = |i: usize, j: usize| f[0][i].mul_add(g[0][j], f[1][i].mul_add(g[1][j], f[2][i] * g[2][j]));
    let sum = |i: usize, j: usize| {
        f[0][j].mul_add(g[0][i], f[1][j].mul_add(g[1][i], f[2][j].mul_add(g[2][i], half(i, j))))
    };
    Sym3x8 { diagonal: [half(0, 0), half(1, 1), half(2, 2)], off: [sum(1, 2), sum(2, 0), sum(0, 1)] }
}

impl ViscousLaw {
    /// Floating-point operations of [`ViscousLaw::second_piola`] per element, without the power (a multiply-add counts 2):
    /// D' 3·5 + 3·11, the weighted coefficients 3, S 2 + 1 + 3·2 + 3.
    pub const FLOPS: usize = 48 + 3 + 12;
    /// Those of the power ω.
    pub const POWER_FLOPS: usize = 11;

    /// Of [`ViscousLaw::FLOPS`], what two elements do together whose F and Ḟ have the same first two columns: three
    /// entries of D', 2·5 + 11.
    pub const SHARED_FLOPS: usize = 21;

    /// From checked coefficients and a model.
    pub fn new(viscosity: Viscosity, model: ViscousModel) -> Self {
        ViscousLaw { viscosity, model }
    }

    /// Viscous first Piola–Kirchhoff stress \[Pa\] and dissipated power per rest volume \[W/m³\].
    #[inline(always)]
    pub fn stress(&self, f: &Mat3x8, fdot: &Mat3x8) -> (Mat3x8, Lanes) {
        match self.model {
            ViscousModel::Material => self.material(f, fdot),
            ViscousModel::MaterialCurrentVolume => self.current_volume(f, fdot),
            ViscousModel::Spatial => self.spatial(f, fdot),
        }
    }

    /// As [`ViscousLaw::stress`], for the material model: P = F S.
    #[inline(always)]
    pub fn material(&self, f: &Mat3x8, fdot: &Mat3x8) -> (Mat3x8, Lanes) {
        let (stress, power) = self.second_piola(f, fdot, splat(1.0));
        (stress.left_times(f), power)
    }

    /// For the material model, a weight times the second Piola–Kirchhoff stress S = ζ/2 tr D' I + η dev D' \[Pa\], of which
    /// P = F S, and the weight times ω = ½ S : D' \[W/m³\].
    #[inline(always)]
    pub fn second_piola(&self, f: &Mat3x8, fdot: &Mat3x8, weight: Lanes) -> (Sym3x8, Lanes) {
        let rate = half_rate(f, fdot);
        let Viscosity { bulk, shear } = self.viscosity;
        let [bulk, twice, shear] =
            [bulk - 2.0 / 3.0 * shear, 2.0 * shear, shear].map(|coefficient| weight * splat(coefficient));
        let pressure = bulk * rate.trace();
        let stress = Sym3x8 {
            diagonal: rate.diagonal.map(|x| twice.mul_add(x, pressure)),
            off: rate.off.map(|x| shear * x),
        };
        let (s, r) = (&stress.diagonal, &rate.diagonal);
        let power = s[0].mul_add(r[0], s[1].mul_add(r[1], s[2] * r[2]));
        let (s, r) = (&stress.off, &rate.off);
        (stress, s[0].mul_add(r[0], s[1].mul_add(r[1], s[2].mul_add(r[2], power))))
    }

    /// J times the material model.
    #[inline(never)]
    fn current_volume(&self, f: &Mat3x8, fdot: &Mat3x8) -> (Mat3x8, Lanes) {
        let j = determinant(f, &f.cofactor());
        let (stress, power) = self.second_piola(f, fdot, j);
        (stress.left_times(f), power)
    }

    /// P = σ cof F.
    #[inline(never)]
    fn spatial(&self, f: &Mat3x8, fdot: &Mat3x8) -> (Mat3x8, Lanes) {
        let cofactor = f.cofactor();
        let j = determinant(f, &cofactor);
        // J L = Ḟ (cof F)ᵀ, so that twice J d is its sum with its transpose
        let flow = fdot.times_transpose(&cofactor);
        let rate = (flow + flow.transpose()).scale(splat(0.5) / j);
        let Viscosity { bulk, shear } = self.viscosity;
        let pressure = splat(bulk - 2.0 / 3.0 * shear) * rate.trace();
        let stress = rate.scale(splat(2.0 * shear)).plus_diagonal(pressure);
        (stress.times(&cofactor), j * stress.dot(&rate))
    }

    /// ∂P/∂Ḟ \[Pa s\] at F, flattened column-major: symmetric, positive semidefinite, the same at every Ḟ.
    /// Its kernel is the three spins while both coefficients are positive.
    pub fn rate_tangent(&self, f: &Mat3) -> Mat9 {
        map_of(|x| self.rate_change(f, x))
    }

    /// weight · ∂P/∂Ḟ at F between the nodes 1, 2, 3 of eight tetrahedra in the order of [`PAIRS`](crate::element_map::PAIRS) \[N s/m\], for the
    /// gradients g of these nodes \[1/m\] and a weight \[m³\]: symmetric, positive semidefinite.
    ///
    /// ζ tr A I + 2η dev A of A = sym(u ⊗ y) makes η (yₐ·y_b) I + η y_b ⊗ yₐ + (ζ − 2η/3) yₐ ⊗ y_b of two nodes.
    /// In space y = F⁻ᵀg; in the material y = g, and F leads to it and back.
    #[inline(always)]
    pub fn pair_blocks(&self, f: &Mat3x8, gradients: &[[Lanes; 3]; 3], weight: Lanes) -> [Mat3x8; 6] {
        let cofactor = f.cofactor();
        let j = determinant(f, &cofactor);
        let (map, metric, weight) = match self.model {
            ViscousModel::Material => (f, f.times_transpose(f), weight),
            ViscousModel::MaterialCurrentVolume => (f, f.times_transpose(f), weight * j),
            ViscousModel::Spatial => (&cofactor, Mat3x8::splat(&Mat3::identity()), weight / j),
        };
        let y = gradients.map(|g| map.times_vector(&g));
        let lengths = if self.model == ViscousModel::Spatial { y } else { *gradients };
        let Viscosity { bulk, shear } = self.viscosity;
        let (shear, pressure) = (weight * splat(shear), weight * splat(bulk - 2.0 / 3.0 * shear));
        for_pairs(|a, b| {
            let (p, q) = (&lengths[a], &lengths[b]);
            let product = p[0].mul_add(q[0], p[1].mul_add(q[1], p[2] * q[2]));
            let across = metric.scale(shear * product).plus_outer(&y[b].map(|x| shear * x), &y[a]);
            across.plus_outer(&y[a].map(|x| pressure * x), &y[b])
        })
    }

    /// The stress due to the rate X: it is linear.
    fn rate_change(&self, f: &Mat3, x: &Mat3) -> Mat3 {
        let material = || f * self.viscosity.newtonian(&symmetric(&(f.transpose() * x)));
        match self.model {
            ViscousModel::Material => material(),
            ViscousModel::MaterialCurrentVolume => f.determinant() * material(),
            ViscousModel::Spatial => {
                let cofactor = cofactor(f);
                let flow = x * cofactor.transpose() / f.determinant();
                self.viscosity.newtonian(&symmetric(&flow)) * cofactor
            }
        }
    }

    /// ∂P/∂F \[Pa\] at F and Ḟ, flattened column-major. Not symmetric.
    pub fn position_tangent(&self, f: &Mat3, fdot: &Mat3) -> Mat9 {
        match self.model {
            ViscousModel::Material => map_of(|y| self.material_change(f, fdot, y)),
            ViscousModel::MaterialCurrentVolume => {
                let (j, cofactor) = (f.determinant(), cofactor(f));
                let stress = f * self.viscosity.newtonian(&symmetric(&(f.transpose() * fdot)));
                map_of(|y| cofactor.dot(y) * stress + j * self.material_change(f, fdot, y))
            }
            ViscousModel::Spatial => self.spatial_tangent(f, fdot),
        }
    }

    /// Material model, dP\[Y\] = Y S + F dS, dS due to the change ḞᵀY + YᵀḞ of D'.
    fn material_change(&self, f: &Mat3, fdot: &Mat3, y: &Mat3) -> Mat3 {
        let newtonian = |a: Mat3| self.viscosity.newtonian(&symmetric(&a));
        y * newtonian(f.transpose() * fdot) + f * newtonian(fdot.transpose() * y)
    }

    /// Spatial model: L = Ḟ F⁻¹ changes by −L Y F⁻¹, and cof F by (F⁻ᵀ : Y) cof F − F⁻ᵀ Yᵀ cof F.
    fn spatial_tangent(&self, f: &Mat3, fdot: &Mat3) -> Mat9 {
        let cofactor = cofactor(f);
        let inverse = cofactor.transpose() / f.determinant();
        let flow = fdot * inverse;
        let stress = self.viscosity.newtonian(&symmetric(&flow));
        map_of(|y| {
            let turn = y * inverse;
            let change = self.viscosity.newtonian(&symmetric(&(-flow * turn)));
            (change + stress * (Mat3::from_diagonal_element(turn.trace()) - turn.transpose())) * cofactor
        })
    }
}

/// det F from F and its cofactors.
#[inline(always)]
fn determinant(f: &Mat3x8, cofactor: &Mat3x8) -> Lanes {
    let (f, c) = (&f.0[0], &cofactor.0[0]);
    f[0].mul_add(c[0], f[1].mul_add(c[1], f[2] * c[2]))
}

/// (A + Aᵀ)/2.
fn symmetric(a: &Mat3) -> Mat3 {
    (a + a.transpose()) / 2.0
}

/// cof A = det(A) A⁻ᵀ, also where A has no inverse.
fn cofactor(a: &Mat3) -> Mat3 {
    let (x, y, z) = (a.column(0), a.column(1), a.column(2));
    Mat3::from_columns(&[y.cross(&z), z.cross(&x), x.cross(&y)])
}

#[cfg(test)]
#[path = "viscous_law_tests.rs"]
mod tests;
