//! Keep a distance: a spring. C = |x₂ − x₁|.

use super::batch::Batch;
use super::keeper::{Keeper, Vec3x8, divisible, dot, minus, times};
use super::point_rows::PointRows;
use crate::lanes::{Lanes, Mat3x8, splat};
use crate::potential::material::inverse_sqrt::inverse_sqrt;

/// A spring between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Smallest C − C₀ that is felt \[m\]: −∞, or 0 for a thread that bears no pressure.
    floor: f64,
}

impl Distance {
    /// Resists stretch and pressure.
    pub const BOTH: Distance = Distance { floor: f64::NEG_INFINITY };
    /// Resists stretch only.
    pub const TENSION: Distance = Distance { floor: 0.0 };

    /// Length, its inverse and the stretch that is felt.
    #[inline(always)]
    fn stretch(&self, d: &Vec3x8, rest: Lanes) -> (Lanes, Lanes, Lanes) {
        let square = divisible(dot(d, d));
        let inverse = inverse_sqrt(square);
        let length = square * inverse;
        (length, inverse, (length - rest).max(splat(self.floor)))
    }
}

impl Distance {
    /// 1/|d|.
    #[inline(always)]
    pub(super) fn inverse_length(d: &Vec3x8) -> Lanes {
        inverse_sqrt(divisible(dot(d, d)))
    }

    /// The force along d, per length of d.
    #[inline(always)]
    pub(super) fn pull(&self, d: &Vec3x8, rest: Lanes) -> Lanes {
        let (_, inverse, stretch) = self.stretch(d, rest);
        stretch * inverse
    }
}

impl Keeper<2> for Distance {
    #[inline(always)]
    fn energy(&self, [a, b]: &[Vec3x8; 2], rest: Lanes) -> Lanes {
        let (_, _, stretch) = self.stretch(&minus(b, a), rest);
        splat(0.5) * stretch * stretch
    }

    #[inline(always)]
    fn force(&self, [a, b]: &[Vec3x8; 2], rest: Lanes) -> [Vec3x8; 2] {
        let d = minus(b, a);
        let pull = times(&d, self.pull(&d, rest));
        [pull, pull.map(|x| -x)]
    }

    fn curvature(&self, x: &[Vec3x8; 2], rest: Lanes) -> [[Mat3x8; 2]; 2] {
        self.curvature_above(x, rest, splat(0.0))
    }

    #[inline(always)]
    fn value(&self, [a, b]: &[Vec3x8; 2]) -> Lanes {
        let d = minus(b, a);
        let square = divisible(dot(&d, &d));
        square * inverse_sqrt(square)
    }

    fn add_forces(batch: &Batch<2, Distance>, rows: &mut PointRows, memory: &[f64]) {
        batch.add_pulls(rows, memory);
    }
}

impl Distance {
    /// n nᵀ + max(least, 1 − L/l)(I − n nᵀ). A spring under pressure pushes itself aside: 1 − L/l is negative. As much of that
    /// is kept as whoever asks can bear, −`least`.
    pub(super) fn curvature_above(
        &self,
        [a, b]: &[Vec3x8; 2],
        rest: Lanes,
        least: Lanes,
    ) -> [[Mat3x8; 2]; 2] {
        let d = minus(b, a);
        let (_, inverse, stretch) = self.stretch(&d, rest);
        let across = (stretch * inverse).max(least);
        // Slack threads have no stiffness at all.
        let felt = stretch.simd_gt(splat(self.floor)).select(splat(1.0), splat(0.0));
        let along = (felt - across) * inverse * inverse;
        let own = Mat3x8::outer(&d, &times(&d, along)).plus_diagonal(across);
        let other = own.scale(splat(-1.0));
        [[own, other], [other, own]]
    }
}
