//! Random positions for the tests of contact.

use super::Kind;
use crate::Vec3;

/// All kinds of pairs.
pub const KINDS: [Kind; 4] = [Kind::PointPoint, Kind::PointEdge, Kind::PointTriangle, Kind::EdgeEdge];

/// A small generator of random numbers (splitmix64), the same on every machine.
pub struct Random(pub u64);

impl Random {
    /// From 0 to 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// From −1 to 1.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// Even powers of ten between the two exponents.
    pub fn decade(&mut self, from: f64, to: f64) -> f64 {
        10.0_f64.powf(from + (to - from) * self.unit())
    }

    /// Inside the cube from −1 to 1.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    /// Four of those, with the repeats that the kind asks for.
    pub fn points(&mut self, kind: Kind) -> [Vec3; 4] {
        let [a, b, c, d] = std::array::from_fn(|_| self.vector());
        repeat(kind, [a, b, c, d])
    }

    /// Four points that are degenerate in one of many ways: coincident, collinear, parallel, nearly so, flat.
    pub fn degenerate(&mut self, kind: Kind) -> [Vec3; 4] {
        let [a, b, c, d] = std::array::from_fn(|_| self.vector());
        let tiny = self.decade(-16.0, -4.0) * self.vector();
        let (s, t) = (2.0 * self.signed(), 2.0 * self.signed());
        let points = match (self.unit() * 10.0) as usize {
            0 => [a, b, c, c],
            1 => [a, a, c, d],
            2 => [a, b, b, b],
            3 => [a, b, c, b + s * (c - b)],
            4 => [a, b, c, b + s * (c - b) + tiny],
            5 => [a, b, c, c + s * (b - a)],
            6 => [a, b, c, c + s * (b - a) + tiny],
            7 => [a, b, a + s * (b - a), a + t * (b - a)],
            8 => [a, b, a + tiny, b],
            _ => [0.3 * (b + c + d) + tiny, b, c, d],
        };
        repeat(kind, points)
    }
}

fn repeat(kind: Kind, [a, b, c, d]: [Vec3; 4]) -> [Vec3; 4] {
    match kind {
        Kind::PointPoint => [a, b, b, b],
        Kind::PointEdge => [a, b, c, c],
        Kind::PointTriangle | Kind::EdgeEdge => [a, b, c, d],
    }
}

/// How many points belong to the first primitive.
pub fn firsts(kind: Kind) -> usize {
    if kind == Kind::EdgeEdge { 2 } else { 1 }
}
