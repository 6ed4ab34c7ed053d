//! `ls`: the elastic law of Liesenfeld & Stolfi 1997, equation (16).
//!
//! ψ = K/32 (J⁴ + J⁻⁴ − 2) + G/6 (d₂² − 3 d₁),   d₁ the sum of the principal minors of D
//! P = K/8 (J⁴ − J⁻⁴) F⁻ᵀ + G (F D − d₂/3 F)
//!
//! As printed, with two things the report does not say. ψ depends on J², so it cannot see a mirror
//! image: J > 0 must be checked. And it loses stability when lₖ > 2(lᵢ + lⱼ), which a bar pulled to
//! 1.6 times its length already reaches; `ls-stable` does not.

use super::{Law, LawName, PrincipalHessian, determinant, infinite_unless_upright, volumetric};
use crate::Vec3;
use crate::lanes::{Lanes, Mat3x8, splat};
use crate::symmetric::Sym3x8;

/// Equation (16) of Liesenfeld & Stolfi.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiesenfeldStolfi {
    /// Bulk modulus \[Pa\], α in the report.
    pub bulk: f64,
    /// Shear modulus \[Pa\], β in the report.
    pub shear: f64,
}

impl LiesenfeldStolfi {
    /// From bulk and shear modulus \[Pa\], as checked by [`Moduli`](super::Moduli).
    pub fn new(bulk: f64, shear: f64) -> Self {
        LiesenfeldStolfi { bulk, shear }
    }
}

/// dev D.
#[inline(always)]
fn deviator(f: &Mat3x8) -> Sym3x8 {
    let d = Sym3x8::gram(f);
    d.plus_diagonal(d.trace() * splat(-1.0 / 3.0))
}

impl Law for LiesenfeldStolfi {
    const INVERTIBLE: bool = false;
    const NAME: LawName = LawName::Ls;

    /// d₂² − 3 d₁ = 3/2 |dev D|², which is free of cancellation.
    #[inline(always)]
    fn energy(&self, f: &Mat3x8) -> (Lanes, Lanes) {
        let j = determinant(f, &f.cofactor());
        let bulk = volumetric::energy(self.bulk, j, splat(1.0) / j);
        let shear = splat(self.shear / 4.0) * deviator(f).norm_squared();
        infinite_unless_upright(j, (bulk, shear))
    }

    /// P = F (G dev D) + ψ'(J) cof F.
    #[inline(always)]
    fn piola(&self, f: &Mat3x8) -> (Mat3x8, Lanes) {
        let cofactor = f.cofactor();
        let j = determinant(f, &cofactor);
        let slope = volumetric::slope(self.bulk, j, splat(1.0) / j);
        let stress = deviator(f).scale(splat(self.shear));
        (stress.left_times_add(f, &cofactor.scale(slope)), j)
    }

    fn principal_hessian(&self, s: &Vec3) -> PrincipalHessian {
        let (a, b) = volumetric::hessian_coefficients(self.bulk, s.x * s.y * s.z);
        let l = s.component_mul(s);
        let d2 = l.sum();
        let g = self.shear;
        PrincipalHessian::from_fn(
            |i, j| -a / (s[i] * s[j]) + g * (l[i] + l[j] + s[i] * s[j] - d2 / 3.0),
            |i, j| a / (s[i] * s[j]) + g * (l[i] + l[j] - s[i] * s[j] - d2 / 3.0),
            |i, j| match i == j {
                true => (b - a) / l[i] + g * (7.0 * l[i] - d2) / 3.0,
                false => b / (s[i] * s[j]) - 2.0 / 3.0 * g * s[i] * s[j],
            },
        )
    }
}
