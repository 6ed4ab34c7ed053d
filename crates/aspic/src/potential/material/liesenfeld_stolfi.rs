//! `ls`: the elastic law of Liesenfeld & Stolfi 1997, equation (16).
//!
//! ψ = K/32 (J⁴ + J⁻⁴ − 2) + G/6 (d₂² − 3 d₁),   d₁ the sum of the principal minors of D
//! P = K/8 (J⁴ − J⁻⁴) F⁻ᵀ + G (F D − d₂/3 F)
//!
//! As printed, with two things the report does not say. ψ depends on J², so it cannot see a mirror
//! image: J > 0 must be checked. And it loses stability when lₖ > 2(lᵢ + lⱼ), which a bar pulled to
//! 1.6 times its length already reaches; `ls-stable` does not.

use super::{
    Law, LawName, PrincipalHessian, determinant, infinite_unless_upright, inverse_areas, volumetric,
};
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
        (cofactor.scale_add(slope, &stress.left_times(f)), j)
    }

    #[inline(always)]
    fn principal_hessian(&self, s: &[Lanes; 3]) -> PrincipalHessian {
        let (volume_ratio, inverse) = inverse_areas(s);
        let (a, b) = volumetric::hessian_coefficients(self.bulk, volume_ratio);
        let l = s.map(|s| s * s);
        let third = (l[0] + l[1] + l[2]) * splat(1.0 / 3.0);
        let g = splat(self.shear);
        PrincipalHessian::from_fn(
            |i, j| g.mul_sub(l[i] + l[j] + s[i] * s[j] - third, a * inverse[3 - i - j]),
            |i, j| g.mul_add(l[i] + l[j] - s[i] * s[j] - third, a * inverse[3 - i - j]),
            |i, j| b.mul_sub(inverse[3 - i - j], splat(2.0 / 3.0 * self.shear) * s[i] * s[j]),
            |i| g.mul_add(splat(7.0 / 3.0) * l[i] - third, (b - a) / l[i]),
        )
    }
}
