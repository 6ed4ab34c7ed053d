//! Numbers without a pattern, always the same ones.

use crate::Vec3;

/// A fixed sequence (linear congruential, modulus 2⁶⁴).
pub struct Noise(u64);

impl Noise {
    /// From its beginning.
    pub fn new() -> Noise {
        Noise(1)
    }

    /// The next vector, each component in −1..1.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        })
    }
}
