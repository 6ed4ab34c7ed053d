//! What a plane body is made of.

use std::f64::consts::PI;

use super::{Medium, MediumError, Plane};

/// Depth, as a part of the radius, at which a disc is as stiff in the ground as its matter makes it.
const DEPTH: f64 = 0.1;

/// The three numbers of soft matter (Watanabe et al., 4.2 and 5.3), and its density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Substance {
    /// Young's modulus E  \[Pa\]
    pub young: f64,
    /// Poisson's ratio ν: near 0.5 for rubber, near 0 for sponge.
    pub poisson: f64,
    /// Internal friction τ: stress is elastic stress of the strain, and τ times that of its rate (Kelvin and Voigt)  \[s\]
    pub internal_friction: f64,
    /// Density  \[kg/m³\]
    pub density: f64,
}

/// Why no body is made of this.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SubstanceError {
    /// The elastic numbers are impossible.
    #[error(transparent)]
    Medium(#[from] MediumError),
    /// Friction must not drive.
    #[error("the internal friction is {0} s: give zero for a body that loses nothing, or a positive time")]
    Friction(f64),
    /// Matter weighs something.
    #[error("the density is {0} kg/m³: give a positive, finite number")]
    Density(f64),
}

impl Substance {
    /// The elastic part, in plane strain.
    pub fn medium(&self) -> Result<Medium, SubstanceError> {
        if !(self.internal_friction >= 0.0 && self.internal_friction.is_finite()) {
            return Err(SubstanceError::Friction(self.internal_friction));
        }
        if !(self.density > 0.0 && self.density.is_finite()) {
            return Err(SubstanceError::Density(self.density));
        }
        Ok(Medium::new(self.young, self.poisson, Plane::Strain)?)
    }

    /// k of F = k V for a body of this area \[m²\]: stiff as a pressed disc is  \[N/m³\].
    ///
    /// Line contact gives F ≈ π/4 E/(1−ν²) d for a disc of radius R that is pressed in by d. The segment in the ground has
    /// V ≈ 4/3 d √(2Rd), so k = 3π/16 E/(1−ν²) / √(2Rd), taken at d = R/10.
    pub fn ground_stiffness(&self, area: f64) -> f64 {
        let radius = (area / PI).sqrt();
        3.0 * PI / 16.0 * self.young / (1.0 - self.poisson * self.poisson) / (radius * (2.0 * DEPTH).sqrt())
    }
}
