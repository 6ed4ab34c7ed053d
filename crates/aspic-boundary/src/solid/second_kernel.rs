//! The kernel behind Kelvin's: W answers U as U answers a point force.
//!
//! With Navier's operator 𝓛 u = μ ∇²u + (λ + μ) ∇(∇·u), 𝓛 U = −δ I. From the Fourier transform
//! U ~ (I − κ k kᵀ/k²)/(μ k²), κ = 1/(2(1 − ν)), the solution of 𝓛 W = U is W ~ −(I − κ k kᵀ/k²)²/(μ k²)², that is
//!
//! ```text
//! W = ( r I − (c/4) (r I + d dᵀ/r) ) / (8 π μ²)          c = 2κ − κ²
//! ```
//!
//! By Betti's theorem a field u with 𝓛 u = 0 inside has ∫ U u dV = ∫ T_W u − W t dS, where T_W are the tractions of W:
//!
//! ```text
//! T_W = { λ (1 − c) g nᵀ + μ [ (1 − c/2) ((g·n) I + n gᵀ) − (c/2) g nᵀ + (c/2) (g·n) g gᵀ ] } / (8 π μ²)
//! ```

use std::f64::consts::PI;

use crate::solid::average::Pair;
use crate::solid::integrate::{Integrator, NEAR};
use crate::solid::moments::Moments;
use crate::solid::panel::Panel;
use crate::solid::quadrature::Rule;
use crate::solid::{Mat3, Medium, Vec3};

/// W for one material.
pub struct SecondKernel {
    medium: Medium,
    c: f64,
    integrator: Integrator,
    rule: Rule,
}

impl SecondKernel {
    /// For a material.
    pub fn new(medium: Medium) -> SecondKernel {
        let kappa = 1.0 / (2.0 * (1.0 - medium.poisson()));
        let c = 2.0 * kappa - kappa * kappa;
        SecondKernel { medium, c, integrator: Integrator::quick(medium), rule: Rule::seven() }
    }

    /// ∫ U N, ∫ T N and ∫ W N, ∫ T_W N over a triangle for each corner.
    pub fn pairs(&self, panel: &Panel, source: &Vec3) -> [Pair<Mat3>; 2] {
        let first = self.integrator.influence(panel, source, None);
        let kelvin = [first.of_traction, first.of_displacement];
        let mut second = [[Mat3::zeros(); 3]; 2];
        if (panel.centre - source).norm() < NEAR * panel.reach {
            let m = Moments::new(panel, source, None);
            for k in 0..3 {
                (second[0][k], second[1][k]) = self.near(&m, k, &first.of_traction[k]);
            }
            return [kelvin, second];
        }
        for (shape, weight) in &self.rule.points {
            let d = panel.point(shape) - source;
            let (r, w) = (d.norm(), weight * panel.area);
            let g = d / r;
            let (dyad, across) = (g * g.transpose(), g.dot(&panel.normal));
            let field = self.field(r, &(dyad * r)) * w;
            let traction = self.traction(&g, across, &(dyad * across), &panel.normal) * w;
            for k in 0..3 {
                second[0][k] += field * shape[k];
                second[1][k] += traction * shape[k];
            }
        }
        [kelvin, second]
    }

    /// W from r and d dᵀ/r, or their integrals.
    fn field(&self, r: f64, dyad: &Mat3) -> Mat3 {
        let mu = self.medium.shear();
        (Mat3::identity() * (r * (1.0 - self.c / 4.0)) - dyad * (self.c / 4.0)) / (8.0 * PI * mu * mu)
    }

    /// T_W from g, g·n and (g·n) g gᵀ, or their integrals.
    fn traction(&self, g: &Vec3, across: f64, triple: &Mat3, n: &Vec3) -> Mat3 {
        let (mu, half) = (self.medium.shear(), self.c / 2.0);
        let (gn, ng) = (g * n.transpose(), n * g.transpose());
        let shear = (Mat3::identity() * across + ng) * (1.0 - half) - gn * half + triple * half;
        (gn * (self.medium.lame() * (1.0 - self.c)) + shear * mu) / (8.0 * PI * mu * mu)
    }

    /// Both integrals in closed form. ∫ N d dᵀ/r³ is taken out of ∫ U N.
    fn near(&self, m: &Moments, k: usize, kelvin: &Mat3) -> (Mat3, Mat3) {
        let (n, h, b, foot) = (m.panel.normal, m.h, m.panel.slopes[k], m.foot[k]);
        let both = |v: Vec3| v * n.transpose() + n * v.transpose();
        let inverse = m.shape(k, m.inverse, &m.direction);
        let square = m.square();
        let along = m.direction * foot + square * b;
        let dyad = square * foot + m.cube(&b) + both(along * h) + n * n.transpose() * (h * h * inverse);
        let stiff = 3.0 - 4.0 * self.medium.poisson();
        let triple = (kelvin / self.medium.factor_u() - Mat3::identity() * (stiff * inverse)) * h;
        let length = m.shape(k, m.distance(), &m.moment());
        let g = along + n * (h * inverse);
        (self.field(length, &dyad), self.traction(&g, h * inverse, &triple, &n))
    }
}

#[cfg(test)]
#[path = "second_kernel_tests.rs"]
mod tests;
