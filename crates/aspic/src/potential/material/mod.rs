//! ψ(F): elastic laws of isotropic materials, on packs of eight elements.
//!
//! Every law has the bulk modulus K and the shear modulus G as its only numbers, and at small strain e
//! every law is Hooke's: ψ = K/2 (tr e)² + G |dev e|². They differ where the strain is large.
//! D = FᵀF, J = det F, d₂ = tr D, sᵢ the principal stretches (singular values of F), lᵢ = sᵢ².

pub mod corotated;
pub mod inverse_cbrt;
pub mod inverse_sqrt;
pub mod law_name;
pub mod liesenfeld_stolfi;
pub mod ls_stable;
pub mod moduli;
pub mod neo_hookean;
pub mod pack_svd;
pub mod polar;
pub mod st_venant;
pub mod stiffness;
mod volumetric;
mod wall;

#[cfg(test)]
mod battery;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod hessian;

pub use corotated::Corotated;
pub use law_name::LawName;
pub use liesenfeld_stolfi::LiesenfeldStolfi;
pub use ls_stable::LsStable;
pub use moduli::{MaterialError, Moduli};
pub use neo_hookean::NeoHookean;
pub use st_venant::StVenant;
pub use wall::Walled;

use crate::lanes::{Lanes, Mat3x8, splat};
use crate::symmetric::Sym3x8;

/// Elastic energy per rest volume ψ(F) of an isotropic material.
pub trait Law: Send + Sync + Copy {
    /// Whether ψ is defined for J ≤ 0: then inversion is a state, not an error.
    const INVERTIBLE: bool;

    /// The name a scene calls it by.
    const NAME: LawName;

    /// (bulk part, shear part) of ψ \[J/m³\]; their sum is ψ.
    /// Both are +∞ where J ≤ 0, unless the law is invertible.
    fn energy(&self, f: &Mat3x8) -> (Lanes, Lanes);

    /// First Piola–Kirchhoff stress ∂ψ/∂F \[Pa\], together with J = det F.
    /// The stress means nothing where J ≤ 0, unless the law is invertible: the caller checks.
    fn piola(&self, f: &Mat3x8) -> (Mat3x8, Lanes);

    /// weight · P + F S for the P of [`Law::piola`] and another, second Piola–Kirchhoff stress S that has its weight
    /// already; together with J.
    #[inline(always)]
    fn piola_plus(&self, f: &Mat3x8, weight: Lanes, other: &Sym3x8) -> (Mat3x8, Lanes) {
        let (piola, j) = self.piola(f);
        (piola.scale_add(weight, &other.left_times(f)), j)
    }

    /// Second derivatives of ψ in the principal stretches, the last of which carries the sign of J.
    fn principal_hessian(&self, stretches: &[Lanes; 3]) -> PrincipalHessian;
}

/// ∂²ψ/∂F² in the frame of the principal stretches s, F = U diag(s) Vᵀ; all in Pa.
///
/// Entry k of `flip` and `twist` belongs to the plane (i, j) = (k+1, k+2) across axis k.
#[derive(Clone, Copy, Debug)]
pub struct PrincipalHessian {
    /// Eigenvalue of the mode U (eᵢeⱼᵀ + eⱼeᵢᵀ) Vᵀ/√2: (ψᵢ − ψⱼ)/(sᵢ − sⱼ).
    pub flip: [Lanes; 3],
    /// Eigenvalue of the mode U (eᵢeⱼᵀ − eⱼeᵢᵀ) Vᵀ/√2: (ψᵢ + ψⱼ)/(sᵢ + sⱼ).
    pub twist: [Lanes; 3],
    /// ∂²ψ/∂sᵢ∂sⱼ.
    pub scaling: Sym3x8,
}

impl PrincipalHessian {
    /// All entries from functions of the two axes of a plane (flip, twist, and ∂²ψ/∂sᵢ∂sⱼ), and of one axis (∂²ψ/∂sᵢ²).
    #[inline(always)]
    pub fn from_fn(
        flip: impl Fn(usize, usize) -> Lanes,
        twist: impl Fn(usize, usize) -> Lanes,
        mixed: impl Fn(usize, usize) -> Lanes,
        pure: impl Fn(usize) -> Lanes,
    ) -> Self {
        PrincipalHessian {
            flip: [flip(1, 2), flip(2, 0), flip(0, 1)],
            twist: [twist(1, 2), twist(2, 0), twist(0, 1)],
            scaling: Sym3x8 {
                diagonal: [pure(0), pure(1), pure(2)],
                off: [mixed(1, 2), mixed(2, 0), mixed(0, 1)],
            },
        }
    }
}

/// s₀ s₁ s₂, and 1/(sᵢ sⱼ) for the plane across each axis.
#[inline(always)]
fn inverse_areas(s: &[Lanes; 3]) -> (Lanes, [Lanes; 3]) {
    let volume_ratio = s[0] * s[1] * s[2];
    let inverse = splat(1.0) / volume_ratio;
    (volume_ratio, s.map(|x| x * inverse))
}

/// det F from F and its cofactors.
#[inline(always)]
fn determinant(f: &Mat3x8, cofactor: &Mat3x8) -> Lanes {
    let (f, c) = (&f.0[0], &cofactor.0[0]);
    f[0].mul_add(c[0], f[1].mul_add(c[1], f[2] * c[2]))
}

/// The two energies where J > 0, +∞ elsewhere: ψ(J) of most laws cannot tell a mirror image by itself.
#[inline(always)]
fn infinite_unless_upright(volume_ratio: Lanes, (bulk, shear): (Lanes, Lanes)) -> (Lanes, Lanes) {
    let upright = volume_ratio.simd_gt(splat(0.0));
    let infinite = splat(f64::INFINITY);
    (upright.select(bulk, infinite), upright.select(shear, infinite))
}
