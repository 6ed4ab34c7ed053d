//! Forces on the volume that are linear in space, as exact integrals over the surface.
//!
//! With U = (∇²r I − ∇∇r / (2(1 − ν))) / (8 π μ) and b(x) = b₀ + A (x − x₀), so that ∇²b = 0, two integrations by parts give
//!
//! ```text
//! ∫ U b dV = 1/(8πμ) ∫ { (g·n) b − r A n − [ n (g·b) − r Aᵀ n ] / (2(1 − ν)) } dS
//! ```
//!
//! For a uniform force, A = 0, this is the known boundary integral of gravity. Spinning bodies need A: no particular
//! solution has to be interpolated, and nothing is lost.

use std::f64::consts::PI;

use rayon::prelude::*;

use crate::solid::moments::Moments;
use crate::solid::panel::Panel;
use crate::solid::quadrature::Rule;
use crate::solid::{Mat3, Medium, Operator, Surface, Vec3};

/// Beyond this many times the reach of a triangle 7 points integrate it.
const FAR: f64 = 20.0;

/// b(x) = b₀ + A (x − x₀)  \[N/m³\]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearForce {
    /// b₀  \[N/m³\]
    pub base: Vec3,
    /// A  \[N/m⁴\]
    pub slope: Mat3,
    /// x₀  \[m\]
    pub origin: Vec3,
}

impl LinearForce {
    /// The same everywhere, like the weight ρ g  \[N/m³\].
    pub fn uniform(b: Vec3) -> LinearForce {
        LinearForce { base: b, slope: Mat3::zeros(), origin: Vec3::zeros() }
    }

    /// What a body of density ρ \[kg/m³\] feels that turns with ω \[1/s\] and ω′ \[1/s²\] about `centre`, in its own frame:
    /// centrifugal and Euler force, b = −ρ ω × (ω × x) − ρ ω′ × x.
    pub fn turning(density: f64, omega: Vec3, omega_rate: Vec3, centre: Vec3) -> LinearForce {
        let spin = omega.cross_matrix();
        let slope = (spin * spin + omega_rate.cross_matrix()) * -density;
        LinearForce { base: Vec3::zeros(), slope, origin: centre }
    }

    /// The sum of two forces, written about the origin of this one.
    pub fn plus(&self, other: &LinearForce) -> LinearForce {
        let base = self.base + other.at(&self.origin);
        LinearForce { base, slope: self.slope + other.slope, origin: self.origin }
    }

    /// b at a place  \[N/m³\]
    pub fn at(&self, x: &Vec3) -> Vec3 {
        self.base + self.slope * (x - self.origin)
    }

    /// ∫ b dV and ∫ (x − centroid) × b dV  \[N\], \[N m\]
    pub fn resultant(&self, surface: &Surface) -> (Vec3, Vec3) {
        let force = self.at(&surface.centroid()) * surface.volume();
        let m = self.slope * surface.spread();
        (force, Vec3::new(m[(2, 1)] - m[(1, 2)], m[(0, 2)] - m[(2, 0)], m[(1, 0)] - m[(0, 1)]))
    }

    /// B = ∫ U b dV at each vertex  \[m\]
    pub fn influence(&self, operator: &Operator) -> Vec<f64> {
        let (surface, rule) = (operator.surface(), Rule::seven());
        let at = |i: usize| -> [f64; 3] {
            let source = surface.vertices()[i];
            let mut sum = Vec3::zeros();
            for (panel, corners) in operator.panels().iter().zip(surface.triangles()) {
                let own = corners.iter().position(|&v| v as usize == i);
                sum += self.of_panel(operator.medium(), panel, &source, own, &rule);
            }
            sum.into()
        };
        (0..surface.vertices().len()).into_par_iter().flat_map_iter(at).collect()
    }

    /// The part of one triangle.
    fn of_panel(
        &self,
        medium: &Medium,
        panel: &Panel,
        source: &Vec3,
        own: Option<usize>,
        rule: &Rule,
    ) -> Vec3 {
        let n = panel.normal;
        let kappa = 1.0 / (2.0 * (1.0 - medium.poisson()));
        let here = self.at(source);
        // ∫ d/r, ∫ d dᵀ/r, ∫ r and (g·n) b, all with d from the source.
        let (first, second, distance) = if (panel.centre - source).norm() > FAR * panel.reach {
            by_rule(rule, panel, source)
        } else {
            let m = Moments::new(panel, source, own);
            let first = m.direction + n * (m.h * m.inverse);
            let skew = m.direction * n.transpose();
            let second =
                m.square() + (skew + skew.transpose()) * m.h + n * n.transpose() * (m.h * m.h * m.inverse);
            (first, second, m.distance())
        };
        let across = here * first.dot(&n) + self.slope * (second * n);
        let along = here.dot(&first) + self.slope.component_mul(&second).sum();
        let bend = self.slope * n - self.slope.transpose() * n * kappa;
        (across - bend * distance - n * (kappa * along)) / (8.0 * PI * medium.shear())
    }
}

fn by_rule(rule: &Rule, panel: &Panel, source: &Vec3) -> (Vec3, Mat3, f64) {
    let (mut first, mut second, mut distance) = (Vec3::zeros(), Mat3::zeros(), 0.0);
    for (shape, weight) in &rule.points {
        let d = panel.point(shape) - source;
        let (r, w) = (d.norm(), weight * panel.area);
        first += d * (w / r);
        second += d * d.transpose() * (w / r);
        distance += w * r;
    }
    (first, second, distance)
}

#[cfg(test)]
#[path = "body_force_tests.rs"]
mod tests;
