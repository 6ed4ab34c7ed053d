//! The motion of a vertex over one step.

use super::Cubic;
use crate::Vec3;

/// A cubic motion by its Bernstein points: x(u) = P₁(1−u)³ + 3 P₂ u(1−u)² + 3 P₃ u²(1−u) + P₄ u³  \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path(pub [Vec3; 4]);

impl Path {
    /// The motion with positions `xa`, `xb` \[m\] and velocities `va`, `vb` \[m/s\] at the ends of a step of `length`
    /// \[s\].
    #[inline]
    pub fn hermite(xa: Vec3, va: Vec3, xb: Vec3, vb: Vec3, length: f64) -> Path {
        let third = length / 3.0;
        Path([xa, xa + third * va, xb - third * vb, xb])
    }

    /// The straight and even motion from `xa` to `xb`  \[m\].
    #[inline]
    pub fn line(xa: Vec3, xb: Vec3) -> Path {
        Path([xa, (2.0 * xa + xb) / 3.0, (xa + 2.0 * xb) / 3.0, xb])
    }

    /// The position at `u`  \[m\].
    #[inline]
    pub fn at(&self, u: f64) -> Vec3 {
        let [p, q, r, s] = &self.0;
        let w = 1.0 - u;
        w * w * (w * p + 3.0 * u * q) + u * u * (3.0 * w * r + u * s)
    }

    /// dx/du at the start and at the end of the step  \[m\].
    #[inline]
    pub fn end_rates(&self) -> [Vec3; 2] {
        let [p, q, r, s] = &self.0;
        [3.0 * (q - p), 3.0 * (s - r)]
    }

    /// One coordinate.
    #[inline]
    pub fn coordinate(&self, axis: usize) -> Cubic {
        Cubic(self.0.map(|p| p[axis]))
    }
}
