//! The volume term of Liesenfeld & Stolfi (16), K/32 (J⁴ + J⁻⁴ − 2): grows without limit as J → 0.

use crate::lanes::{Lanes, splat};

/// K/32 (J² − J⁻²)²: the same number as in (16), without its cancellation near J = 1.
#[inline(always)]
pub fn energy(bulk: f64, volume_ratio: Lanes, inverse: Lanes) -> Lanes {
    let (j, r) = (volume_ratio, inverse);
    let root = j.mul_sub(j, r * r);
    splat(bulk / 32.0) * root * root
}

/// Derivative in J: K/8 (J³ − J⁻⁵).
#[inline(always)]
pub fn slope(bulk: f64, volume_ratio: Lanes, inverse: Lanes) -> Lanes {
    let (j, r) = (volume_ratio, inverse);
    let r2 = r * r;
    splat(bulk / 8.0) * (j * j).mul_sub(j, r2 * r2 * r)
}

/// A factor times (J³ − J⁻⁵), minus a pull times J⁻¹. J⁻¹ and the pull are known last: three operations deep from there.
#[inline(always)]
pub fn slope_minus(factor: Lanes, volume_ratio: Lanes, inverse: Lanes, pull: Lanes) -> Lanes {
    let (j, r) = (volume_ratio, inverse);
    let r2 = r * r;
    let rest = pull.mul_neg_add(r, (factor * j) * (j * j));
    (factor * r2).mul_neg_add(r2 * r, rest)
}

/// (A, B) of the Hessian: A = K/8 (J⁴ − J⁻⁴), B = K/2 (J⁴ + J⁻⁴).
#[inline(always)]
pub fn hessian_coefficients(bulk: f64, volume_ratio: Lanes) -> (Lanes, Lanes) {
    let square = volume_ratio * volume_ratio;
    let power = square * square;
    let inverse = splat(1.0) / power;
    (splat(bulk / 8.0) * (power - inverse), splat(bulk / 2.0) * (power + inverse))
}
