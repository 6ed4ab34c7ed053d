//! x^(−1/2) on packs of eight, without division.
//!
//! As for the cube root: the bits of y are about a constant minus half of x's, h = 1 − x y² measures the error, and
//! x^(−1/2) = y (1 − h)^(−1/2) exactly. A division and a square root would each keep the processor three times as long.

use crate::lanes::{Lanes, splat};
use wide::u64x8;

/// Makes |h| < 0.07.
const GUESS: u64 = 0x5FE6_EB50_C7B5_37A9;

/// 1 − x y².
#[inline(always)]
fn residual(x: Lanes, y: Lanes) -> Lanes {
    (x * y).mul_neg_add(y, splat(1.0))
}

/// x^(−1/2) within 10⁻⁶, for normal x > 0.
#[inline(always)]
pub fn rough_inverse_sqrt(x: Lanes) -> Lanes {
    let y = Lanes::from_bits(u64x8::splat(GUESS) - (x.to_bits() >> 1_u32));
    let h = residual(x, y);
    // 1 + h/2 + 3h²/8 + 5h³/16 + 35h⁴/128
    let high = (h * h).mul_add(splat(35.0 / 128.0), h.mul_add(splat(5.0 / 16.0), splat(3.0 / 8.0)));
    y * (h * h).mul_add(high, h.mul_add(splat(0.5), splat(1.0)))
}

/// x^(−1/2) to a relative error of 3·10⁻¹⁶, for normal x > 0. For other x a number without meaning.
#[inline(always)]
pub fn inverse_sqrt(x: Lanes) -> Lanes {
    let y = rough_inverse_sqrt(x);
    let h = residual(x, y);
    (y * h).mul_add(h.mul_add(splat(3.0 / 8.0), splat(0.5)), y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_square_root_has_full_precision_from_1e_minus_290_to_1e290() {
        for i in -29_000..=29_000 {
            let x = 10_f64.powf(f64::from(i) / 100.0);
            let error = |y: Lanes| (y.to_array()[4] * x.sqrt() - 1.0).abs();
            assert!(error(inverse_sqrt(splat(x))) < 7e-16, "{x:e}");
            assert!(error(rough_inverse_sqrt(splat(x))) < 1e-6, "{x:e}");
        }
    }
}
