//! Integrals over pairs of triangles: what one does to the other in the mean.
//!
//! With d = y − x, x on σ and y on τ, all matrices of the boundary equations come of
//!
//! ```text
//! a = ∬ 1/r        B = ∬ d dᵀ/r³        k_c = ∬ ∂ₙ(1/4πr) N_c(y)
//! ```
//!
//! Near triangles have integrals in closed form over the one and by points along the rim of the other ([`rims`]); far ones
//! have a rule on both.

use std::f64::consts::PI;

use crate::solid::line::Rules;
use crate::solid::panel::Panel;
use crate::solid::quadrature::Rule;
use crate::solid::rims;
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
    lines: Rules,
    sixteen: Rule,
    seven: Rule,
}

impl PairIntegrals {
    /// Nothing.
    pub fn zero() -> PairIntegrals {
        PairIntegrals { inverse: 0.0, dyad: Mat3::zeros(), from_first: [0.0; 3], from_second: [0.0; 3] }
    }

    /// The sum of two.
    pub fn plus(&self, other: &PairIntegrals) -> PairIntegrals {
        let sum = |a: &[f64; 3], b: &[f64; 3]| [0, 1, 2].map(|k| a[k] + b[k]);
        PairIntegrals {
            inverse: self.inverse + other.inverse,
            dyad: self.dyad + other.dyad,
            from_first: sum(&self.from_first, &other.from_first),
            from_second: sum(&self.from_second, &other.from_second),
        }
    }
}

impl PairRule {
    /// Makes the rules.
    pub fn new() -> PairRule {
        PairRule { lines: Rules::new(), sixteen: Rule::sixteen(), seven: Rule::seven() }
    }

    /// All integrals of two triangles, which may be the same.
    pub fn integrals(&self, sigma: &Panel, tau: &Panel) -> PairIntegrals {
        let distance = (sigma.centre - tau.centre).norm() / sigma.reach.max(tau.reach);
        if distance > NEAR {
            return product(if distance > FAR { &self.seven } else { &self.sixteen }, sigma, tau);
        }
        rims::integrals(&self.lines, sigma, tau)
    }
}

/// A rule on both triangles.
fn product(rule: &Rule, sigma: &Panel, tau: &Panel) -> PairIntegrals {
    let mut sum = PairIntegrals::zero();
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
