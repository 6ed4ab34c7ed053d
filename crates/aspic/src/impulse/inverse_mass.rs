//! How the relative velocity of a touch changes with the impulse, u += W P, and the law of a touch where W is a matrix.
//!
//! Masses that only move give W = (1/m) I. A body that turns gives W = I/m₀ − \[r\]× I₀⁻¹ \[r\]×: an impulse along the normal
//! then changes the sliding too, and one across it the approach. The touch is solved as a whole, with the state after it:
//!
//! - sticking: P = W⁻¹ (s n − u) for the speed of parting s, if |P_T| ≤ μ Pₙ;
//! - sliding: P_T = −μ Pₙ u_T/|u_T| with the u_T that is left, and uₙ = s;
//! - simplified: P = W⁻¹ (s n + (1 − c) u_T − u).

use super::law::{Change, Push, Rub, shorten};
use crate::{Mat3, Vec3};

/// Most rounds in which a touch finds the way it slides.
const MOST_ROUNDS: usize = 100;
/// The rounds end when no impulse changes by more than this part of itself.
const SETTLED: f64 = 1e-15;
/// A touch moves along its normal only by rounding if its 1/m there is below this part of the whole.
const FIXED: f64 = 1e-12;

/// W  \[1/kg\]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InverseMass {
    /// The same in all directions; zero where nothing can move.
    Scalar(f64),
    /// Of bodies that turn.
    Matrix(Mat3),
}

impl Default for InverseMass {
    fn default() -> InverseMass {
        InverseMass::Scalar(0.0)
    }
}

impl InverseMass {
    /// W P: the change of the relative velocity \[m/s\] by an impulse \[N s\].
    pub fn times(&self, impulse: &Vec3) -> Vec3 {
        match self {
            InverseMass::Scalar(inverse_mass) => impulse * *inverse_mass,
            InverseMass::Matrix(matrix) => matrix * impulse,
        }
    }

    /// 1/m along a unit vector, zero where nothing can move  \[1/kg\]
    pub fn along(&self, n: &Vec3) -> f64 {
        match self {
            InverseMass::Scalar(inverse_mass) => *inverse_mass,
            InverseMass::Matrix(matrix) => {
                let along = n.dot(&(matrix * n));
                if along > FIXED * matrix.trace() { along } else { 0.0 }
            }
        }
    }
}

impl Push {
    /// [`Push::update`] for any W.
    pub fn settle(&mut self, u: &Vec3, n: &Vec3, inverse: &InverseMass, rebound: f64, rub: Rub) -> Change {
        let matrix = match inverse {
            InverseMass::Scalar(inverse_mass) => return self.update(u, n, *inverse_mass, rebound, rub),
            InverseMass::Matrix(matrix) => matrix,
        };
        let before = *self;
        *self = match rub {
            Rub::Coulomb(mu) => self.coulomb(u, n, matrix, rebound, mu),
            Rub::Factor(part) => self.factor(u, n, matrix, rebound, part),
        };
        Change { normal: self.normal - before.normal, tangential: self.tangential - before.tangential }
    }

    fn coulomb(&self, u: &Vec3, n: &Vec3, w: &Mat3, rebound: f64, mu: f64) -> Push {
        let free = u - w * (n * self.normal + self.tangential);
        if free.dot(n) >= rebound {
            return Push::default();
        }
        match w.cholesky().map(|factor| split(&factor.solve(&(n * rebound - free)), n)) {
            Some(stuck) if stuck.tangential.norm() <= mu * stuck.normal => stuck,
            _ => self.slide(&free, n, w, rebound, mu),
        }
    }

    /// The sliding touch, in rounds from the push so far. `free` is the relative velocity without it.
    fn slide(mut self, free: &Vec3, n: &Vec3, w: &Mat3, rebound: f64, mu: f64) -> Push {
        let flat = Mat3::identity() - n * n.transpose();
        let (along, across) = (n.dot(&(w * n)), largest(&(flat * w * flat)));
        for _ in 0..MOST_ROUNDS {
            let before = n * self.normal + self.tangential;
            let u = free + w * before;
            self.normal = (self.normal + (rebound - u.dot(n)) / along).max(0.0);
            self.tangential = shorten(self.tangential - flat * u / across, mu * self.normal);
            let now = n * self.normal + self.tangential;
            if (now - before).norm() <= SETTLED * now.norm() {
                break;
            }
        }
        self
    }

    fn factor(&self, u: &Vec3, n: &Vec3, w: &Mat3, rebound: f64, part: f64) -> Push {
        let approach = u.dot(n);
        let first = *self == Push::default() && approach < rebound;
        let wanted = n * (rebound - approach) - (u - n * approach) * part;
        let whole = w.cholesky().filter(|_| first).map(|factor| split(&factor.solve(&wanted), n));
        let alone = Push { normal: (self.normal + (rebound - approach) / n.dot(&(w * n))).max(0.0), ..*self };
        // Bodies only push.
        whole.filter(|push| push.normal > 0.0).unwrap_or(alone)
    }
}

/// An impulse along and across the normal.
fn split(impulse: &Vec3, n: &Vec3) -> Push {
    let normal = impulse.dot(n);
    Push { normal, tangential: impulse - n * normal }
}

/// The larger eigenvalue of a symmetric matrix of rank two: ½ (t + √(2 tr A² − t²)) with t = tr A.
fn largest(a: &Mat3) -> f64 {
    let t = a.trace();
    0.5 * (t + (2.0 * a.norm_squared() - t * t).max(0.0).sqrt())
}

#[cfg(test)]
#[path = "inverse_mass_tests.rs"]
mod tests;
