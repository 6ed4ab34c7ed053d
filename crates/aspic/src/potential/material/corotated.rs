//! `corotated`: Hooke's law in a frame that turns with the element.
//!
//! F = R S (polar decomposition), ψ = G |dev(S − I)|² + K/2 tr²(S − I)
//! P = 2G (F − R) + λ tr(S − I) R,   λ = K − 2G/3
//!
//! Finite for flat elements, so that it wants a wall: see [`Walled`](super::Walled).

use super::polar::rotation;
use super::{Law, LawName, PrincipalHessian, determinant, infinite_unless_upright};
use crate::lanes::{Lanes, Mat3x8, splat};

/// The corotated linear law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corotated {
    /// Bulk modulus \[Pa\].
    pub bulk: f64,
    /// Shear modulus \[Pa\].
    pub shear: f64,
}

impl Corotated {
    /// From bulk and shear modulus \[Pa\], as checked by [`Moduli`](super::Moduli).
    pub fn new(bulk: f64, shear: f64) -> Self {
        Corotated { bulk, shear }
    }

    /// λ = K − 2G/3 \[Pa\].
    #[inline(always)]
    fn lambda(&self) -> f64 {
        self.bulk - 2.0 / 3.0 * self.shear
    }
}

impl Law for Corotated {
    const INVERTIBLE: bool = false;
    const NAME: LawName = LawName::Corotated;

    #[inline(always)]
    fn energy(&self, f: &Mat3x8) -> (Lanes, Lanes) {
        let strain = rotation(f).transpose_times(f).plus_diagonal(splat(-1.0));
        let trace = strain.trace();
        let deviator = strain.plus_diagonal(trace * splat(-1.0 / 3.0));
        let bulk = splat(self.bulk / 2.0) * trace * trace;
        let shear = splat(self.shear) * deviator.dot(&deviator);
        let j = determinant(f, &f.cofactor());
        infinite_unless_upright(j, (bulk, shear))
    }

    /// tr S = R : F, so S itself is not needed.
    #[inline(always)]
    fn piola(&self, f: &Mat3x8) -> (Mat3x8, Lanes) {
        let r = rotation(f);
        let trace = r.dot(f) - splat(3.0);
        let turn = splat(self.lambda()).mul_add(trace, splat(-2.0 * self.shear));
        let stress = r.scale_add(turn, &f.scale(splat(2.0 * self.shear)));
        (stress, determinant(f, &f.cofactor()))
    }

    #[inline(always)]
    fn principal_hessian(&self, s: &[Lanes; 3]) -> PrincipalHessian {
        let (lambda, twice) = (splat(self.lambda()), splat(2.0 * self.shear));
        let turn = lambda.mul_sub(s[0] + s[1] + s[2] - splat(3.0), twice);
        PrincipalHessian::from_fn(
            |_, _| twice,
            |i, j| twice + (turn + turn) / (s[i] + s[j]),
            |_, _| lambda,
            |_| twice + lambda,
        )
    }
}
