//! Kelvin's solution: infinite elastic space under a point force.
//!
//! d = Q − P leads from the force at P to the observer at Q, r = |d|, g = d/r. Row i is the direction of the unit force,
//! column j the component that is seen.

use std::f64::consts::PI;

use crate::solid::{Mat3, Vec3};

/// An isotropic linear elastic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Medium {
    young: f64,
    poisson: f64,
}

/// Why a material cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MediumError {
    /// Young's modulus is not a positive number.
    #[error("Young's modulus {young} Pa must be positive and finite")]
    Young {
        /// What was given \[Pa\].
        young: f64,
    },
    /// Poisson's ratio is out of range.
    #[error(
        "Poisson's ratio {poisson} must lie strictly between -1 and 0.5: \
         for a material that hardly changes its volume use 0.499"
    )]
    Poisson {
        /// What was given.
        poisson: f64,
    },
}

impl Medium {
    /// From Young's modulus E \[Pa\] > 0 and Poisson's ratio −1 < ν < ½.
    pub fn new(young: f64, poisson: f64) -> Result<Medium, MediumError> {
        if !(young > 0.0 && young.is_finite()) {
            return Err(MediumError::Young { young });
        }
        if !(poisson > -1.0 && poisson < 0.5) {
            return Err(MediumError::Poisson { poisson });
        }
        Ok(Medium { young, poisson })
    }

    /// Young's modulus E  \[Pa\]
    pub fn young(&self) -> f64 {
        self.young
    }

    /// Poisson's ratio ν
    pub fn poisson(&self) -> f64 {
        self.poisson
    }

    /// Shear modulus μ = E / (2 (1 + ν))  \[Pa\]
    pub fn shear(&self) -> f64 {
        self.young / (2.0 * (1.0 + self.poisson))
    }

    /// Lamé's first modulus λ = 2 μ ν / (1 − 2ν)  \[Pa\]
    pub fn lame(&self) -> f64 {
        2.0 * self.shear() * self.poisson / (1.0 - 2.0 * self.poisson)
    }

    /// Bulk modulus K = λ + 2μ/3  \[Pa\]
    pub fn bulk(&self) -> f64 {
        self.lame() + 2.0 * self.shear() / 3.0
    }

    /// σ = λ tr(∇u) I + μ (∇u + ∇uᵀ)  \[Pa\]
    pub fn stress(&self, gradient: &Mat3) -> Mat3 {
        Mat3::identity() * (self.lame() * gradient.trace()) + (gradient + gradient.transpose()) * self.shear()
    }

    /// 1 / (16 π μ (1 − ν)), the factor of U  \[1/Pa\]
    pub fn factor_u(&self) -> f64 {
        1.0 / (16.0 * PI * self.shear() * (1.0 - self.poisson))
    }

    /// 1 / (8 π (1 − ν)), the factor of T
    pub fn factor_t(&self) -> f64 {
        1.0 / (8.0 * PI * (1.0 - self.poisson))
    }

    /// Displacements U = ((3 − 4ν) I + g gᵀ) / (16 π μ (1 − ν) r)  \[m/N\]
    pub fn displacement(&self, d: &Vec3) -> Mat3 {
        let r = d.norm();
        let g = d / r;
        (Mat3::identity() * (3.0 - 4.0 * self.poisson) + g * g.transpose()) * (self.factor_u() / r)
    }

    /// Tractions on a plane with unit normal n,
    /// T = −((g·n) ((1 − 2ν) I + 3 g gᵀ) − (1 − 2ν) (g nᵀ − n gᵀ)) / (8 π (1 − ν) r²)  \[1/m²\]
    pub fn traction(&self, d: &Vec3, n: &Vec3) -> Mat3 {
        let r = d.norm();
        let g = d / r;
        let soft = 1.0 - 2.0 * self.poisson;
        let across = (Mat3::identity() * soft + g * g.transpose() * 3.0) * g.dot(n);
        let along = (g * n.transpose() - n * g.transpose()) * soft;
        (along - across) * (self.factor_t() / (r * r))
    }
}

#[cfg(test)]
#[path = "kernel_tests.rs"]
mod tests;
