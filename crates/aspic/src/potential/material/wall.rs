//! A wall against flatness, for laws that offer none of their own.
//!
//! Laws that are finite at J = 0 let an element go flat under a finite load, and no step can go on from there. Below
//! J = ε they get, with x = J/ε,
//!
//! ψ = K ε (1 − x)³/x,   ψ′ = −K (1/x² − 3 + 2x),   ψ″ = K/ε (2/x³ − 2)
//!
//! which begins with two continuous derivatives at ε and grows without limit at 0. Above ε the law is what it was.

use super::{Law, LawName, PrincipalHessian, determinant, infinite_unless_upright};
use crate::lanes::{Lanes, Mat3x8, splat};

/// ε: a tenth of the volume.
const BEGIN: f64 = 0.1;

/// A law with a wall of its bulk modulus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walled<L> {
    law: L,
    /// K  \[Pa\]
    bulk: f64,
}

impl<L: Law> Walled<L> {
    /// The wall before a law of this bulk modulus \[Pa\].
    pub fn new(law: L, bulk: f64) -> Self {
        Walled { law, bulk }
    }
}

impl<L: Law> Law for Walled<L> {
    const INVERTIBLE: bool = false;
    const NAME: LawName = L::NAME;

    #[inline(always)]
    fn energy(&self, f: &Mat3x8) -> (Lanes, Lanes) {
        let j = determinant(f, &f.cofactor());
        let (bulk, shear) = self.law.energy(f);
        infinite_unless_upright(j, (bulk + energy(self.bulk, j), shear))
    }

    #[inline(always)]
    fn piola(&self, f: &Mat3x8) -> (Mat3x8, Lanes) {
        let cofactor = f.cofactor();
        let (stress, j) = self.law.piola(f);
        (cofactor.scale_add(slope(self.bulk, part(j)), &stress), j)
    }

    #[inline(always)]
    fn principal_hessian(&self, s: &[Lanes; 3]) -> PrincipalHessian {
        add_hessian(self.bulk, s, self.law.principal_hessian(s))
    }
}

/// x, and one above the wall, where every term is zero.
#[inline(always)]
fn part(volume_ratio: Lanes) -> Lanes {
    (volume_ratio * splat(1.0 / BEGIN)).fast_min(splat(1.0))
}

/// ψ of a bulk modulus K.
#[inline(always)]
fn energy(bulk: f64, volume_ratio: Lanes) -> Lanes {
    let x = part(volume_ratio);
    let left = splat(1.0) - x;
    splat(bulk * BEGIN) * left * left * left / x
}

/// ψ′ of a bulk modulus K.
#[inline(always)]
fn slope(bulk: f64, x: Lanes) -> Lanes {
    let inverse = splat(1.0) / x;
    splat(-bulk) * inverse.mul_add(inverse, (x + x) - splat(3.0))
}

/// Adds the second derivatives. With A = ψ′ J and B = ψ″ J² they are ∓A/sᵢsⱼ for flip and twist, (A + B)/sᵢsⱼ, and B/sᵢ².
#[inline(always)]
fn add_hessian(bulk: f64, s: &[Lanes; 3], mut law: PrincipalHessian) -> PrincipalHessian {
    let j = s[0] * s[1] * s[2];
    let x = part(j);
    let inverse = splat(1.0) / x;
    let a = slope(bulk, x) * j;
    let b = splat(2.0 * bulk / BEGIN) * (inverse * inverse).mul_sub(inverse, splat(1.0)) * j * j;
    for k in 0..3 {
        let across = splat(1.0) / (s[(k + 1) % 3] * s[(k + 2) % 3]);
        law.flip[k] -= a * across;
        law.twist[k] += a * across;
        law.scaling.off[k] += (a + b) * across;
        law.scaling.diagonal[k] += b / (s[k] * s[k]);
    }
    law
}
