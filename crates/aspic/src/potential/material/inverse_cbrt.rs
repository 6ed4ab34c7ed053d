//! x^(−1/3) on packs of eight, without division.
//!
//! The bits of a positive number, read as an integer, are roughly its logarithm: y's bits are about a
//! constant minus a third of x's. The third is taken in floating point, where it is one multiply-add.
//! Then h = 1 − x y³ measures the error, and x^(−1/3) = y (1 − h)^(−1/3) exactly.

use crate::lanes::{Lanes, splat};
use wide::u64x8;

/// Floating-point operations per number (a multiply-add counts 2): guess 2, first step 4 + 7 + 1,
/// second step 4 + 2 + 1 + 2.
pub const FLOPS: usize = 2 + 12 + 9;

/// Bits of 2⁵². A number 2⁵² + n, n < 2⁵², holds the integer n in its mantissa.
const TWO_52: u64 = 0x4330_0000_0000_0000;

/// 2⁵⁴/3 + 2⁴⁰ (4/3 · 1023 − 0.075): takes 2⁵² + n to 2⁵² + constant − n/3. The 0.075 centres h.
const THIRD: f64 = 7_504_450_900_075_042.0;

/// (1 − h)^(−1/3) for −0.0862 ≤ h ≤ 0.1125, within 2·10⁻⁶ (interpolated at Chebyshev points).
const FIRST: [f64; 4] =
    [0.999_998_404_474_071_7, 0.333_293_895_857_544_1, 0.223_530_209_665_820_46, 0.181_965_688_177_433_14];

/// x^(−1/3) within 4 %. The lowest 12 bits of x do not matter here.
#[inline(always)]
fn guess(x: Lanes) -> Lanes {
    let n = Lanes::from_bits((x.to_bits() >> 12_u32) | u64x8::splat(TWO_52));
    Lanes::from_bits(n.mul_add(splat(-1.0 / 3.0), splat(THIRD)).to_bits() << 12_u32)
}

/// 1 − x y³.
#[inline(always)]
fn residual(x: Lanes, y: Lanes) -> Lanes {
    (x * y).mul_neg_add(y * y, splat(1.0))
}

/// x^(−1/3) to a relative error of 3·10⁻¹⁶ for normal x > 0. For other x a number without meaning.
#[inline(always)]
pub fn inverse_cbrt(x: Lanes) -> Lanes {
    let y = guess(x);
    let h = residual(x, y);
    let [c0, c1, c2, c3] = FIRST.map(splat);
    // Two halves side by side take less time than one nested form.
    let y = y * (h * h).mul_add(h.mul_add(c3, c2), h.mul_add(c1, c0));
    // |h| < 7·10⁻⁶: (1 − h)^(−1/3) = 1 + h/3 + 2h²/9, and the next term is below 10⁻¹⁶
    let h = residual(x, y);
    (y * h).mul_add(h.mul_add(splat(2.0 / 9.0), splat(1.0 / 3.0)), y)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative error against the cube root of the standard library, itself good to an ulp.
    fn error(x: f64) -> f64 {
        let y = inverse_cbrt(splat(x)).to_array()[4];
        (y * x.cbrt() - 1.0).abs()
    }

    #[test]
    fn inverse_cube_root_has_full_precision_from_1e_minus_12_to_1e12() {
        let worst = (0..=480_000).map(|i| error(10_f64.powf(f64::from(i) / 2e4 - 12.0))).fold(0.0, f64::max);
        assert!(worst < 7e-16, "{worst:e}");
    }

    #[test]
    fn inverse_cube_root_has_full_precision_near_one() {
        let worst = (-2000..2000).map(|i| error(1.0 + 1e-6 * f64::from(i))).fold(0.0, f64::max);
        assert!(worst < 7e-16, "{worst:e}");
    }

    #[test]
    fn powers_of_eight_have_powers_of_two() {
        for k in -100..100 {
            let y = inverse_cbrt(splat(8_f64.powi(k))).to_array()[0];
            assert!((y * 2_f64.powi(k) - 1.0).abs() < 3e-16, "8^{k}");
        }
    }

    #[test]
    fn lanes_do_not_mix() {
        let x = [1e-300, 1e-3, 0.5, 1.0, 2.0, 3.0, 1e3, 1e300];
        let y = inverse_cbrt(Lanes::new(x)).to_array();
        for (x, y) in x.iter().zip(y) {
            assert!((y * x.cbrt() - 1.0).abs() < 1e-15, "{x}");
        }
    }

    #[test]
    fn numbers_without_an_answer_leave_their_neighbours_alone() {
        let x = [0.0, -0.0, -1.0, f64::NAN, 27.0, f64::INFINITY, f64::NEG_INFINITY, 1e-310];
        assert!((inverse_cbrt(Lanes::new(x)).to_array()[4] - 1.0 / 3.0).abs() < 1e-16);
    }
}
