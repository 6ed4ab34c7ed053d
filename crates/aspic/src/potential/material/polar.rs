//! The rotation in F = R S, on packs of eight, without branches.
//!
//! Newton's iteration R ← ½ (γR + (γR)⁻ᵀ) replaces every singular value s by ½ (γs + 1/(γs)) and leaves
//! the singular vectors alone (Higham 1986). γ = √(|R⁻¹|/|R|) draws far-off values near 1 first; a
//! rough γ does, as long as γ and 1/γ agree. Then the plain iteration doubles the digits each time.

use super::determinant;
use crate::lanes::{Lanes, Mat3x8, splat};
use wide::u64x8;

/// Enough for singular values a factor 10⁶ apart.
const SCALED: usize = 5;
/// A rough γ leaves an error of 3·10⁻³, and then 5·10⁻⁶ → 10⁻¹¹ → rounding.
const PLAIN: usize = 3;

/// About (a/b)^(1/4), within 8 %, for a, b > 0: the bits of a number are roughly its logarithm.
#[inline(always)]
fn rough_fourth_root_of_ratio(a: Lanes, b: Lanes) -> Lanes {
    let one = u64x8::splat(1.0_f64.to_bits());
    Lanes::from_bits((a.to_bits() >> 2_u32) + one - (b.to_bits() >> 2_u32))
}

/// ½ (γR + (γR)⁻ᵀ), γ from a function of R, its cofactors and its determinant.
#[inline(always)]
fn newton(r: &Mat3x8, scale: impl Fn(&Mat3x8, Lanes) -> Lanes) -> Mat3x8 {
    let cofactor = r.cofactor();
    let j = determinant(r, &cofactor);
    let gamma = scale(&cofactor, j);
    cofactor.scale_add(splat(0.5) / (gamma * j), &r.scale(splat(0.5) * gamma))
}

/// The rotation R of F = R S, for det F > 0.
#[inline(always)]
pub fn rotation(f: &Mat3x8) -> Mat3x8 {
    let mut r = *f;
    for _ in 0..SCALED {
        let size = r.dot(&r);
        r = newton(&r, |cofactor, j| rough_fourth_root_of_ratio(cofactor.dot(cofactor), size * j * j));
    }
    for _ in 0..PLAIN {
        r = newton(&r, |_, _| splat(1.0));
    }
    r
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mat3, Vec3};
    use nalgebra::Rotation3;

    fn check(stretches: Vec3, tolerance: f64) {
        for turn in 0..20 {
            let angle = f64::from(turn);
            let v = Rotation3::from_euler_angles(angle, 0.7 * angle, 1.3).into_inner();
            let r = Rotation3::from_euler_angles(0.3 - angle, 2.1 * angle, 0.4 * angle).into_inner();
            let f = r * v * Mat3::from_diagonal(&stretches) * v.transpose();
            let found = rotation(&Mat3x8::splat(&f)).lane(turn as usize % 8);
            assert!((found - r).norm() < tolerance, "{stretches:?}: {:e}", (found - r).norm());
        }
    }

    #[test]
    fn rotation_is_found_at_rest_and_at_equal_stretches() {
        check(Vec3::new(1.0, 1.0, 1.0), 3e-15);
        check(Vec3::new(2.0, 2.0, 2.0), 3e-15);
        check(Vec3::new(0.05, 0.05, 20.0), 1e-13);
        check(Vec3::new(1.0 + 1e-9, 1.0, 1.0 - 1e-9), 3e-15);
    }

    #[test]
    fn rotation_is_found_at_strong_stretches() {
        // s₂ + s₃ small means R itself is ill-defined: rounding in F counts by s₁/(s₂ + s₃)
        for a in [0.05, 0.3, 1.0, 4.0, 20.0] {
            for b in [0.05, 0.5, 1.1, 20.0] {
                for c in [0.05, 0.9, 20.0] {
                    check(Vec3::new(a, b, c), 2e-13);
                }
            }
        }
        check(Vec3::new(1e3, 1.0, 1.0), 3e-12);
        check(Vec3::new(1e3, 1e3, 1e-3), 3e-12);
    }
}
