//! `neo-hookean`: the stable neo-Hookean law of Smith, de Goes & Kim 2018.
//!
//! ψ = μ/2 (d₂ − 3) − μ (J − 1) + (λ + μ)/2 (J − 1)²,   μ = G, λ = K − 2G/3
//! P = μ F + ((λ + μ)(J − 1) − μ) cof F
//!
//! λ + μ, not λ, makes the law Hooke's at rest. ψ is a polynomial: an element may turn inside out and
//! find its way back, and nothing resists crushing without limit. Where elements must stay upright it wants a wall: see
//! [`Walled`](super::Walled).

use super::{Law, LawName, PrincipalHessian, determinant};
use crate::lanes::{Lanes, Mat3x8, splat};
use crate::symmetric::Sym3x8;

/// The stable neo-Hookean law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeoHookean {
    /// Bulk modulus \[Pa\].
    pub bulk: f64,
    /// Shear modulus \[Pa\].
    pub shear: f64,
}

impl NeoHookean {
    /// From bulk and shear modulus \[Pa\], as checked by [`Moduli`](super::Moduli).
    pub fn new(bulk: f64, shear: f64) -> Self {
        NeoHookean { bulk, shear }
    }

    /// λ + μ = K + G/3 \[Pa\].
    #[inline(always)]
    fn stiffness(&self) -> f64 {
        self.bulk + self.shear / 3.0
    }
}

impl Law for NeoHookean {
    const INVERTIBLE: bool = true;
    const NAME: LawName = LawName::NeoHookean;

    /// bulk = K/2 (J−1)², shear = G/2 (d₂ − 3) − G (J−1) + G/6 (J−1)². With M = D − I and
    /// j = J − 1, J² = det(I + M) turns the first two terms into G/2 (j² − minors − det M): second
    /// order in the strain, so that a small energy keeps its digits.
    #[inline(always)]
    fn energy(&self, f: &Mat3x8) -> (Lanes, Lanes) {
        let excess = determinant(f, &f.cofactor()) - splat(1.0);
        let squared = excess * excess;
        let m = Sym3x8::gram(f).plus_diagonal(splat(-1.0));
        let half = squared.mul_add(splat(4.0 / 3.0), -(m.minors() + m.determinant()));
        (splat(self.bulk / 2.0) * squared, splat(self.shear / 2.0) * half)
    }

    #[inline(always)]
    fn piola(&self, f: &Mat3x8) -> (Mat3x8, Lanes) {
        let cofactor = f.cofactor();
        let j = determinant(f, &cofactor);
        let push = splat(self.stiffness()).mul_add(j - splat(1.0), splat(-self.shear));
        (cofactor.scale_add(push, &f.scale(splat(self.shear))), j)
    }

    #[inline(always)]
    fn principal_hessian(&self, s: &[Lanes; 3]) -> PrincipalHessian {
        // ∂J/∂sᵢ, the product of the other two, also where a stretch is zero
        let slope = [s[1] * s[2], s[2] * s[0], s[0] * s[1]];
        let (stiffness, g) = (splat(self.stiffness()), splat(self.shear));
        let push = stiffness.mul_sub(s[0] * slope[0] - splat(1.0), g);
        let across = |i: usize, j: usize| push * s[3 - i - j];
        PrincipalHessian::from_fn(
            |i, j| g - across(i, j),
            |i, j| g + across(i, j),
            |i, j| (stiffness * slope[i]).mul_add(slope[j], across(i, j)),
            |i| (stiffness * slope[i]).mul_add(slope[i], g),
        )
    }
}
