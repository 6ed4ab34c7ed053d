//! What the matter is, and what a point force does to an endless piece of it (Kelvin's solution in the plane).

use std::f64::consts::PI;

use super::{Mat2, Vec2};

/// Which of the two plane problems is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plane {
    /// A slice of a long prism: no strain across the plane.
    #[default]
    Strain,
    /// A thin plate: no stress across the plane.
    Stress,
}

/// Isotropic, linearly elastic matter in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Medium {
    young: f64,
    poisson: f64,
    plane: Plane,
}

/// Why no matter has these numbers.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MediumError {
    /// Young's modulus is not positive.
    #[error("Young's modulus is {0} Pa: give a positive, finite number of pascals")]
    Young(f64),
    /// Poisson's ratio is out of range.
    #[error("Poisson's ratio is {0}: give a number between −1 and 0.5, both excluded (rubber: 0.49)")]
    Poisson(f64),
}

impl Medium {
    /// Matter with Young's modulus E \[Pa\] and Poisson's ratio ν.
    pub fn new(young: f64, poisson: f64, plane: Plane) -> Result<Medium, MediumError> {
        if !(young > 0.0 && young.is_finite()) {
            return Err(MediumError::Young(young));
        }
        if !(poisson > -1.0 && poisson < 0.5) {
            return Err(MediumError::Poisson(poisson));
        }
        Ok(Medium { young, poisson, plane })
    }

    /// Young's modulus E  \[Pa\]
    pub fn young(&self) -> f64 {
        self.young
    }

    /// Poisson's ratio ν.
    pub fn poisson(&self) -> f64 {
        self.poisson
    }

    /// Which plane problem is meant.
    pub fn plane(&self) -> Plane {
        self.plane
    }

    /// μ = E / (2 (1 + ν)), the same in both plane problems  \[Pa\]
    pub fn shear(&self) -> f64 {
        self.young / (2.0 * (1.0 + self.poisson))
    }

    /// The ratio to write into formulas for plane strain: ν, or ν* = ν / (1 + ν) in plane stress.
    pub fn plane_poisson(&self) -> f64 {
        match self.plane {
            Plane::Strain => self.poisson,
            Plane::Stress => self.poisson / (1.0 + self.poisson),
        }
    }

    /// λ = 2 μ ν / (1 − 2 ν) with the ratio of the plane problem  \[Pa\]
    pub fn lame(&self) -> f64 {
        let ratio = self.plane_poisson();
        2.0 * self.shear() * ratio / (1.0 - 2.0 * ratio)
    }

    /// λ + 2 μ: stress over strain when nothing moves sideways in the plane  \[Pa\]
    pub fn confined(&self) -> f64 {
        self.lame() + 2.0 * self.shear()
    }

    /// 2 μ / (1 − ν): stress over strain when the sides are free. It is E in plane stress and E / (1 − ν²) in plane
    /// strain  \[Pa\]
    pub fn unconfined(&self) -> f64 {
        2.0 * self.shear() / (1.0 - self.plane_poisson())
    }

    /// σ n of the displacement gradient with rows ∂u/∂x, the columns being the axes of x  \[Pa\]
    pub fn traction(&self, gradient: &Mat2, normal: Vec2) -> Vec2 {
        let strain = gradient + gradient.transpose();
        self.lame() * gradient.trace() * normal + self.shear() * strain * normal
    }
}

/// Kelvin's kernels: what a unit force at P does at Q, with d = Q − P, r = |d|, g = d/r.
///
/// ```text
/// U = [(3−4ν) ln(L/r) I + g gᵀ] / (8 π μ (1−ν))
/// T = −[(g·n)((1−2ν) I + 2 g gᵀ) − (1−2ν)(g nᵀ − n gᵀ)] / (4 π (1−ν) r)
/// ```
///
/// Row i belongs to the direction of the force, column j to the component at Q. Any length L is right, because it only
/// adds a rigid shift to U. With L ≥ the diameter of the body the logarithm never changes sign; that keeps away from the
/// sizes for which G is singular (a circle of radius L e^(1/(6−8ν))).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kelvin {
    shear: f64,
    poisson: f64,
    length: f64,
}

impl Kelvin {
    /// The kernels of `medium` with the length L \[m\].
    pub fn new(medium: &Medium, length: f64) -> Kelvin {
        Kelvin { shear: medium.shear(), poisson: medium.plane_poisson(), length }
    }

    /// μ  \[Pa\]
    pub fn shear(&self) -> f64 {
        self.shear
    }

    /// ν of plane strain.
    pub fn poisson(&self) -> f64 {
        self.poisson
    }

    /// L  \[m\]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// 1 / (8 π μ (1−ν)), the factor of U  \[1/Pa\]
    pub fn displacement_factor(&self) -> f64 {
        1.0 / (8.0 * PI * self.shear * (1.0 - self.poisson))
    }

    /// 1 / (4 π (1−ν)), the factor of T.
    pub fn traction_factor(&self) -> f64 {
        1.0 / (4.0 * PI * (1.0 - self.poisson))
    }

    /// U at d ≠ 0  \[1/Pa, for a force per depth\]
    #[inline]
    pub fn displacement(&self, d: Vec2) -> Mat2 {
        let square = d.norm_squared();
        let logarithm = self.length.ln() - 0.5 * square.ln();
        let spread = (3.0 - 4.0 * self.poisson) * logarithm;
        self.displacement_factor() * (Mat2::from_diagonal_element(spread) + d * d.transpose() / square)
    }

    /// T at d ≠ 0 on a boundary with the outward normal n  \[1/m\]
    #[inline]
    pub fn traction(&self, d: Vec2, n: Vec2) -> Mat2 {
        let square = d.norm_squared();
        let soft = 1.0 - 2.0 * self.poisson;
        let radial = Mat2::from_diagonal_element(soft) + 2.0 / square * d * d.transpose();
        let turn = d * n.transpose() - n * d.transpose();
        -self.traction_factor() / square * (d.dot(&n) * radial - soft * turn)
    }
}

#[cfg(test)]
#[path = "kernel_tests.rs"]
mod tests;
