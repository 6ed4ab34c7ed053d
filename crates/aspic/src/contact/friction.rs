//! Friction: smoothed Coulomb with a lagged normal force.
//!
//! Weights c, normal n and force λ come from an earlier configuration and stay fixed, so friction has an energy and
//! fits into the minimisation of a step. A scheme ends its step with the velocity v = c (x − x̂), so the slip
//! u = (I − n nᵀ) Σ cᵢ (xᵢ − x̂ᵢ) is the sliding velocity at the end over c, and friction opposes it. With y = |u| and the
//! smoothing length e = ε_v/c (ε_v: speed below which contact sticks):
//!
//! ```text
//! energy  μλ f₀(y)      f₀ = y²/e − y³/(3e²) + e/3  for y < e,  else y
//! force  −μλ cᵢ f₁ u/y  f₁ = f₀′ = 2y/e − y²/e²     for y < e,  else 1
//! ```
//!
//! A load below the friction limit creeps instead of sticking: tangential over normal force tan θ < μ moves at the
//! speed ε_v (1 − √(1 − tan θ/μ)).

use super::RankOnes;
use crate::Vec3;

/// The friction of one pair, with what it remembers from an earlier configuration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lagged {
    /// c: weights of the four points, as in [`super::Closest`].
    pub weights: [f64; 4],
    /// n: unit normal of the contact.
    pub normal: Vec3,
    /// μ λ: the largest force of friction  \[N\]
    pub load: f64,
}

impl Lagged {
    /// The slip u of the contact when its points moved by `moved` = xᵢ − x̂ᵢ  \[m\].
    #[inline]
    pub fn slip(&self, moved: &[Vec3; 4]) -> Vec3 {
        let c = &self.weights;
        let relative = c[0] * moved[0] + c[1] * moved[1] + c[2] * moved[2] + c[3] * moved[3];
        // twice, so that no rounding of a large normal motion is left along n
        self.tangential(&self.tangential(&relative))
    }

    /// Energy  \[J\]. `moved` = xᵢ − x̂ᵢ and the smoothing length e = ε_v/c in metres.
    #[inline]
    pub fn energy(&self, moved: &[Vec3; 4], smoothing: f64) -> f64 {
        let (y, e) = (self.slip(moved).norm(), smoothing);
        let smoothed = if y < e { y * y / e - y * y * y / (3.0 * e * e) + e / 3.0 } else { y };
        self.load * smoothed
    }

    /// Gradient of the energy: minus the force on each point  \[N\].
    #[inline]
    pub fn gradient(&self, moved: &[Vec3; 4], smoothing: f64) -> [Vec3; 4] {
        let pull = self.pull(moved, smoothing);
        self.weights.map(|weight| -weight * pull)
    }

    /// Force on the first side; the second has its opposite  \[N\]
    #[inline]
    pub fn pull(&self, moved: &[Vec3; 4], smoothing: f64) -> Vec3 {
        let slip = self.slip(moved);
        -self.load * secant(slip.norm(), smoothing) * slip
    }

    /// Hessian of the energy, μλ cᵢ cⱼ (f₁′ ûûᵀ + f₁/y (I − nnᵀ − ûûᵀ)), with f₁′ at least the part
    /// `caution` of f₁/y: always positive semidefinite, and never below the true one.
    #[inline]
    pub fn hessian(&self, moved: &[Vec3; 4], smoothing: f64, caution: f64) -> RankOnes {
        let slip = self.slip(moved);
        let (y, e) = (slip.norm(), smoothing);
        let along = self.direction(&slip);
        let tangent = if y < e { 2.0 * (e - y) / (e * e) } else { 0.0 };
        let tangent = tangent.max(caution * secant(y, e));
        let mut squares = RankOnes::none();
        let sides = [(tangent, along), (secant(y, e), self.normal.cross(&along))];
        for (stiffness, direction) in sides {
            let root = (self.load * stiffness).max(0.0).sqrt();
            if root > 0.0 {
                squares.push(self.weights.map(|weight| root * weight * direction));
            }
        }
        squares
    }

    #[inline]
    fn tangential(&self, a: &Vec3) -> Vec3 {
        a - self.normal.dot(a) * self.normal
    }

    /// A unit vector in the plane of contact: along the slip, or any when there is none.
    #[inline]
    fn direction(&self, slip: &Vec3) -> Vec3 {
        // a slip of a few roundings may point anywhere
        if let Some(along) = slip.try_normalize(0.0)
            && self.normal.dot(&along).abs() < 1e-14
        {
            return along;
        }
        let axis = Vec3::ith(self.normal.iamin(), 1.0);
        self.tangential(&axis).normalize()
    }
}

/// f₁/y, also at y = 0  \[1/m\].
#[inline]
fn secant(y: f64, e: f64) -> f64 {
    if y < e {
        (2.0 - y / e) / e
    } else if y > 0.0 {
        1.0 / y
    } else {
        0.0
    }
}

#[cfg(test)]
#[path = "friction_tests.rs"]
mod tests;
