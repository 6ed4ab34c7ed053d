//! `ls-stable`, the default: the volume term of Liesenfeld & Stolfi (16) with a polyconvex shear term.
//!
//! ψ = K/32 (J⁴ + J⁻⁴ − 2) + G/2 (J^(−2/3) d₂ − 3),   m = G J^(−2/3)
//! P = K/8 (J⁴ − J⁻⁴) F⁻ᵀ + m (F − d₂/3 F⁻ᵀ)
//!
//! Same moduli and same resistance to crushing as `ls`, but stable at every stretch.
//! Simple shear by γ gives the stress Gγ exactly.

use super::inverse_cbrt::{self, inverse_cbrt};
use super::{
    Law, LawName, PrincipalHessian, determinant, infinite_unless_upright, inverse_areas, volumetric,
};
use crate::lanes::{Lanes, Mat3x8, splat};
use crate::symmetric::Sym3x8;

/// The stable variant of equation (16).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LsStable {
    /// Bulk modulus \[Pa\].
    pub bulk: f64,
    /// Shear modulus \[Pa\].
    pub shear: f64,
}

impl LsStable {
    /// Floating-point operations of [`Law::piola_plus`] per element (a multiply-add counts 2): cofactors 27, J 5, d₂ 17,
    /// J^(−1/3), its square and cube 2, weights 2, m 1, pull 2, push 10, S + m I 3, F (S + m I) 9·5, c cof F + that 9·2.
    pub const PLUS_FLOPS: usize = 27 + 5 + 17 + inverse_cbrt::FLOPS + 2 + 2 + 1 + 2 + 10 + 3 + 45 + 18;

    /// Of these, what two elements do together whose F have the same first two columns: a column of cof F 9, of d₂ 11.
    pub const SHARED_FLOPS: usize = 9 + 11;

    /// From bulk and shear modulus \[Pa\], as checked by [`Moduli`](super::Moduli).
    pub fn new(bulk: f64, shear: f64) -> Self {
        LsStable { bulk, shear }
    }

    /// m, c, cof F and J of P = m F + c cof F, c = ψ'(J) − m d₂/3 J⁻¹; m and c times a weight. The cube of J^(−1/3) stands
    /// in for a division by J.
    ///
    /// All else waits for these, so what does not need J^(−1/3) is multiplied first: the way from it to c is short.
    #[inline(always)]
    fn factors(&self, f: &Mat3x8, weight: Lanes) -> (Lanes, Lanes, Mat3x8, Lanes) {
        let cofactor = f.cofactor();
        let j = determinant(f, &cofactor);
        let root = inverse_cbrt(j);
        let square = root * root;
        let m = (weight * splat(self.shear)) * square;
        let pull = m * (f.dot(f) * splat(1.0 / 3.0));
        let push = volumetric::slope_minus(weight * splat(self.bulk / 8.0), j, square * root, pull);
        (m, push, cofactor, j)
    }
}

impl Law for LsStable {
    const INVERTIBLE: bool = false;
    const NAME: LawName = LawName::LsStable;

    /// With M = J^(−2/3) D − I: det(I + M) = 1 makes tr M = −(sum of minors) − det M. The right-hand
    /// side is of second order in the strain, so that a small energy keeps its digits.
    #[inline(always)]
    fn energy(&self, f: &Mat3x8) -> (Lanes, Lanes) {
        let j = determinant(f, &f.cofactor());
        let root = inverse_cbrt(j);
        let square = root * root;
        let m = Sym3x8::gram(f).scale(square).plus_diagonal(splat(-1.0));
        let bulk = volumetric::energy(self.bulk, j, square * root);
        let shear = splat(-self.shear / 2.0) * (m.minors() + m.determinant());
        infinite_unless_upright(j, (bulk, shear))
    }

    #[inline(always)]
    fn piola(&self, f: &Mat3x8) -> (Mat3x8, Lanes) {
        let (m, push, cofactor, j) = self.factors(f, splat(1.0));
        (cofactor.scale_add(push, &f.scale(m)), j)
    }

    #[inline(always)]
    fn piola_plus(&self, f: &Mat3x8, weight: Lanes, other: &Sym3x8) -> (Mat3x8, Lanes) {
        let (m, push, cofactor, j) = self.factors(f, weight);
        (cofactor.scale_add(push, &other.plus_diagonal(m).left_times(f)), j)
    }

    #[inline(always)]
    fn principal_hessian(&self, s: &[Lanes; 3]) -> PrincipalHessian {
        let (volume_ratio, inverse) = inverse_areas(s);
        let (a, b) = volumetric::hessian_coefficients(self.bulk, volume_ratio);
        let root = inverse_cbrt(volume_ratio);
        let m = splat(self.shear) * root * root;
        let l = s.map(|s| s * s);
        let pull = m * splat(1.0 / 3.0) * (l[0] + l[1] + l[2]);
        let push = a - pull;
        let area = |i: usize, j: usize| inverse[3 - i - j];
        PrincipalHessian::from_fn(
            |i, j| push.mul_neg_add(area(i, j), m),
            |i, j| push.mul_add(area(i, j), m),
            |i, j| {
                // sᵢ/sⱼ + sⱼ/sᵢ = (lᵢ + lⱼ)/(sᵢ sⱼ)
                let ratios = m * (l[i] + l[j]);
                area(i, j) * splat(2.0 / 3.0).mul_add(pull - ratios, b)
            },
            |i| (splat(5.0 / 3.0).mul_add(pull, b - a)) / l[i] - m * splat(1.0 / 3.0),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mat3;

    #[test]
    fn a_stress_joined_to_another_is_the_sum_of_both() {
        let f = Mat3x8::splat(&Mat3::new(1.1, 0.2, -0.1, 0.05, 0.9, 0.15, 0.3, -0.1, 1.2));
        let other = Sym3x8::gram(&f).plus_diagonal(splat(7.0));
        let law = LsStable::new(5.0, 3.0);
        let (alone, j) = law.piola(&f);
        let (joined, same) = law.piola_plus(&f, splat(-0.3), &other);
        let expected = f.lane(3) * other.full().lane(3) - 0.3 * alone.lane(3);
        assert!((joined.lane(3) - expected).norm() < 1e-14);
        assert_eq!(j.to_array(), same.to_array());
    }
}
