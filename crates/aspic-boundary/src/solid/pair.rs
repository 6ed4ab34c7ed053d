//! Integrals over pairs of triangles: what one does to the other in the mean.
//!
//! With d = y − x, x on σ and y on τ, all matrices of the boundary equations come of
//!
//! ```text
//! a = ∬ 1/r        B = ∬ d dᵀ/r³        k_c = ∬ ∂ₙ(1/4πr) N_c(y)
//! ```
//!
//! Near triangles have the integral over y in closed form ([`Moments`]) and that over x by points that gather where σ and τ
//! touch ([`Graded`]); far ones have a rule on both.

use std::f64::consts::PI;

use crate::solid::graded::Graded;
use crate::solid::moments::Moments;
use crate::solid::panel::Panel;
use crate::solid::quadrature::Rule;
use crate::solid::{Mat3, Vec3};

/// Centres further apart than this many times the greater reach have a rule of 16 points on both triangles.
const NEAR: f64 = 5.0;
/// And beyond this one of 7 points.
const FAR: f64 = 12.0;

/// The integrals of σ and τ, with τ and σ exchanged for the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairIntegrals {
    /// a  \[m³\]
    pub inverse: f64,
    /// B  \[m³\]
    pub dyad: Mat3,
    /// k of the corners of τ as seen from σ  \[m²\]
    pub from_first: [f64; 3],
    /// k of the corners of σ as seen from τ  \[m²\]
    pub from_second: [f64; 3],
}

/// Integrates over pairs.
#[derive(Clone, Debug)]
pub struct PairRule {
    graded: Graded,
    sixteen: Rule,
    seven: Rule,
}

/// One order of integration: points on the first triangle, closed form on the second.
struct Swept {
    inverse: f64,
    dyad: Mat3,
    double: [f64; 3],
}

impl PairRule {
    /// Makes the rules.
    pub fn new() -> PairRule {
        PairRule { graded: Graded::new(), sixteen: Rule::sixteen(), seven: Rule::seven() }
    }

    /// All integrals of two triangles, which may be the same.
    pub fn integrals(&self, sigma: &Panel, tau: &Panel) -> PairIntegrals {
        let distance = (sigma.centre - tau.centre).norm() / sigma.reach.max(tau.reach);
        if distance > NEAR {
            return product(if distance > FAR { &self.seven } else { &self.sixteen }, sigma, tau);
        }
        let (there, back) = (self.sweep(sigma, tau), self.sweep(tau, sigma));
        PairIntegrals {
            inverse: 0.5 * (there.inverse + back.inverse),
            dyad: (there.dyad + back.dyad) * 0.5,
            from_first: there.double,
            from_second: back.double,
        }
    }

    fn sweep(&self, sigma: &Panel, tau: &Panel) -> Swept {
        let mut sum = Swept { inverse: 0.0, dyad: Mat3::zeros(), double: [0.0; 3] };
        self.graded.points(sigma, tau, &mut |(x, weight)| {
            let m = Moments::new(tau, &x, None);
            sum.inverse += weight * m.inverse;
            sum.dyad += m.dyad() * weight;
            let lift = m.pull * m.h;
            (0..3).for_each(|k| sum.double[k] -= weight * m.shape(k, m.angle, &lift) / (4.0 * PI));
        });
        sum
    }
}

/// A rule on both triangles.
fn product(rule: &Rule, sigma: &Panel, tau: &Panel) -> PairIntegrals {
    let mut sum =
        PairIntegrals { inverse: 0.0, dyad: Mat3::zeros(), from_first: [0.0; 3], from_second: [0.0; 3] };
    let area = sigma.area * tau.area;
    for (shape_x, weight_x) in &rule.points {
        let x = sigma.point(shape_x);
        // k of σ needs the sum over y of d/r³ only: its weights are those of x.
        let mut pull = Vec3::zeros();
        for (shape_y, weight_y) in &rule.points {
            let d = tau.point(shape_y) - x;
            let square = d.norm_squared();
            let inverse = weight_x * weight_y / square.sqrt();
            let cube = d * (inverse / square);
            sum.inverse += inverse;
            sum.dyad += cube * d.transpose();
            pull += cube;
            let across = cube.dot(&tau.normal);
            (0..3).for_each(|k| sum.from_first[k] -= across * shape_y[k]);
        }
        let across = pull.dot(&sigma.normal);
        (0..3).for_each(|k| sum.from_second[k] += across * shape_x[k]);
    }
    sum.inverse *= area;
    sum.dyad *= area;
    sum.from_first = sum.from_first.map(|k| k * area / (4.0 * PI));
    sum.from_second = sum.from_second.map(|k| k * area / (4.0 * PI));
    sum
}

#[cfg(test)]
#[path = "pair_tests.rs"]
mod tests;
