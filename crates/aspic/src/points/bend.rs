//! Keep a rope straight at a point: with the unit tangents t₁, t₂ on both sides, the energy is ½ |t₂ − t₁|² = 1 − cos θ,
//! which is ½ θ² for small angles and, unlike an angle, smooth where the rope is straight.

use super::keeper::{Keeper, Vec3x8, divisible, dot, minus, times};
use crate::lanes::{Lanes, Mat3x8, splat};
use crate::potential::material::inverse_sqrt::inverse_sqrt;

/// The bend of three points in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend;

/// Unit vector along d, and 1/|d|.
#[inline(always)]
fn tangent(d: &Vec3x8) -> (Vec3x8, Lanes) {
    let inverse = inverse_sqrt(divisible(dot(d, d)));
    (times(d, inverse), inverse)
}

impl Keeper<3> for Bend {
    #[inline(always)]
    fn energy(&self, [a, b, c]: &[Vec3x8; 3], _: Lanes) -> Lanes {
        let jump = minus(&tangent(&minus(c, b)).0, &tangent(&minus(b, a)).0);
        splat(0.5) * dot(&jump, &jump)
    }

    /// ∂(1 − t₁·t₂)/∂d₁ = −(t₂ − t₁ (t₁·t₂))/|d₁|, and the same for d₂.
    #[inline(always)]
    fn force(&self, [a, b, c]: &[Vec3x8; 3], _: Lanes) -> [Vec3x8; 3] {
        let ((t1, i1), (t2, i2)) = (tangent(&minus(b, a)), tangent(&minus(c, b)));
        let cosine = dot(&t1, &t2);
        let f1 = times(&minus(&t2, &times(&t1, cosine)), i1);
        let f2 = times(&minus(&t1, &times(&t2, cosine)), i2);
        [f1.map(|x| -x), minus(&f1, &f2), f2]
    }

    /// Of ½ |r|² with r = t₂ − t₁: Σ (∂r)ᵀ(∂r), where ∂t/∂d = (I − t tᵀ)/|d|.
    fn curvature(&self, [a, b, c]: &[Vec3x8; 3], _: Lanes) -> [[Mat3x8; 3]; 3] {
        let across = |d: &Vec3x8| {
            let (t, inverse) = tangent(d);
            Mat3x8::outer(&t, &times(&t, -inverse)).plus_diagonal(inverse)
        };
        let (p1, p2) = (across(&minus(b, a)), across(&minus(c, b)));
        let both = p1 + p2;
        let parts = [p1, both.scale(splat(-1.0)), p2];
        std::array::from_fn(|i| std::array::from_fn(|j| parts[i].transpose_times(&parts[j])))
    }

    /// The angle of turning.
    fn value(&self, [a, b, c]: &[Vec3x8; 3]) -> Lanes {
        let (t1, t2) = (tangent(&minus(b, a)).0, tangent(&minus(c, b)).0);
        let jump = minus(&t2, &t1);
        let half = (dot(&jump, &jump).sqrt() * splat(0.5)).min(splat(1.0));
        half.asin() * splat(2.0)
    }
}
