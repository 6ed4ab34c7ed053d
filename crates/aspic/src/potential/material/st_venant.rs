//! `st-venant`: Saint Venant–Kirchhoff, Hooke's law on Green's strain E = (D − I)/2.
//!
//! ψ = K/2 (tr E)² + G |dev E|²,   P = F (λ tr E I + 2G E),   λ = K − 2G/3
//!
//! Softens under compression and offers nothing against crushing, so that it wants a wall: see [`Walled`](super::Walled).
//! Uniaxial compression below 1/√3 of the length gives way. For moderate strain.

use super::{Law, LawName, PrincipalHessian, determinant, infinite_unless_upright};
use crate::lanes::{Lanes, Mat3x8, splat};
use crate::symmetric::Sym3x8;

/// The Saint Venant–Kirchhoff law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StVenant {
    /// Bulk modulus \[Pa\].
    pub bulk: f64,
    /// Shear modulus \[Pa\].
    pub shear: f64,
}

impl StVenant {
    /// From bulk and shear modulus \[Pa\], as checked by [`Moduli`](super::Moduli).
    pub fn new(bulk: f64, shear: f64) -> Self {
        StVenant { bulk, shear }
    }

    /// λ = K − 2G/3 \[Pa\].
    #[inline(always)]
    fn lambda(&self) -> f64 {
        self.bulk - 2.0 / 3.0 * self.shear
    }
}

/// 2E = D − I.
#[inline(always)]
fn twice_strain(f: &Mat3x8) -> Sym3x8 {
    Sym3x8::gram(f).plus_diagonal(splat(-1.0))
}

impl Law for StVenant {
    const INVERTIBLE: bool = false;
    const NAME: LawName = LawName::StVenant;

    #[inline(always)]
    fn energy(&self, f: &Mat3x8) -> (Lanes, Lanes) {
        let strain = twice_strain(f);
        let trace = strain.trace();
        let deviator = strain.plus_diagonal(trace * splat(-1.0 / 3.0));
        let bulk = splat(self.bulk / 8.0) * trace * trace;
        let shear = splat(self.shear / 4.0) * deviator.norm_squared();
        let j = determinant(f, &f.cofactor());
        infinite_unless_upright(j, (bulk, shear))
    }

    #[inline(always)]
    fn piola(&self, f: &Mat3x8) -> (Mat3x8, Lanes) {
        let strain = twice_strain(f);
        let pressure = splat(self.lambda() / 2.0) * strain.trace();
        let stress = strain.scale(splat(self.shear)).plus_diagonal(pressure);
        (stress.left_times(f), determinant(f, &f.cofactor()))
    }

    #[inline(always)]
    fn principal_hessian(&self, s: &[Lanes; 3]) -> PrincipalHessian {
        let l = s.map(|s| s * s);
        let (lambda, g) = (splat(self.lambda()), splat(self.shear));
        let base = splat(self.lambda() / 2.0).mul_sub(l[0] + l[1] + l[2] - splat(3.0), g);
        PrincipalHessian::from_fn(
            |i, j| g.mul_add(l[i] + l[j] + s[i] * s[j], base),
            |i, j| g.mul_add(l[i] + l[j] - s[i] * s[j], base),
            |i, j| lambda * s[i] * s[j],
            |i| splat(3.0 * self.shear + self.lambda()).mul_add(l[i], base),
        )
    }
}
