//! What a soft body in space is made of and how it is animated.

use nalgebra::{Rotation3, UnitQuaternion};

use super::closed_mesh::{ClosedMesh, MeshError, SpaceMoments};
use super::floor::Grip;
use super::space_bouncer::SpaceBouncer;
use super::substance::{Substance, SubstanceError};
use super::{Mat3, Medium, Vec3};

/// Depth, as a part of the radius, at which a ball is as stiff in the ground as its matter makes it.
const DEPTH: f64 = 0.1;
/// A section has at least so many vertices.
const FEWEST: usize = 8;
/// A section has at most so many vertices.
const MOST: usize = 512;

/// The numbers of a jelly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JellyNumbers {
    /// The matter.
    pub substance: Substance,
    /// k of F = k V \[N/m³\], the paper's constant of proportion; by Hertz if none is given.
    pub stiffness: Option<f64>,
    /// The sticking force of the ground: its largest pull  \[Pa\]
    pub adhesion: f64,
    /// How far above the ground it pulls  \[m\]
    pub reach: f64,
    /// Whether the jelly glides on the ground.
    pub grip: Grip,
    /// α of [`super::blend`]
    pub exponent: f64,
    /// Vertices of each section.
    pub section_vertices: usize,
}

/// Why there is no such jelly.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum JellyError {
    /// The surface bounds no body, or none that sections are made of.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The matter is impossible.
    #[error(transparent)]
    Substance(#[from] SubstanceError),
    /// A number is impossible.
    #[error("{what} is {value}: give {cure}")]
    Number {
        /// Which one.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it should be.
        cure: &'static str,
    },
}

impl JellyNumbers {
    /// A dry jelly that glides, with an even blend of sections of 48 vertices.
    pub fn new(substance: Substance) -> JellyNumbers {
        JellyNumbers {
            substance,
            stiffness: None,
            adhesion: 0.0,
            reach: 0.0,
            grip: Grip::Slip,
            exponent: 1.0,
            section_vertices: 48,
        }
    }

    /// The same jelly on ground that pulls with up to `adhesion` \[Pa\] at what is less than `reach` \[m\] above it.
    pub fn sticky(self, adhesion: f64, reach: f64) -> JellyNumbers {
        JellyNumbers { adhesion, reach, grip: Grip::Stick, ..self }
    }

    /// The elastic part, if all numbers make sense.
    pub fn check(&self) -> Result<Medium, JellyError> {
        let bad = |what, value, cure| Err(JellyError::Number { what, value, cure });
        let positive = |x: f64| x > 0.0 && x.is_finite();
        match () {
            _ if !self.stiffness.is_none_or(positive) => bad(
                "the stiffness of the ground",
                self.stiffness.unwrap_or(0.0),
                "a positive number of N/m³, or none",
            ),
            _ if !(self.adhesion == 0.0 || positive(self.adhesion)) => {
                bad("the adhesion", self.adhesion, "zero for dry ground, or a positive stress in Pa")
            }
            _ if self.adhesion > 0.0 && !positive(self.reach) => {
                bad("the reach of the adhesion", self.reach, "a positive length in m")
            }
            _ if !positive(self.exponent) => {
                bad("the exponent of blending", self.exponent, "a positive number, 1 for an even blend")
            }
            _ if !(FEWEST..=MOST).contains(&self.section_vertices) => {
                bad("the number of vertices of a section", self.section_vertices as f64, "8 to 512")
            }
            _ => Ok(self.substance.medium()?),
        }
    }

    /// The turn from the principal axes, and the moments of inertia about them  \[kg m²\].
    pub(super) fn principal(&self, moments: &SpaceMoments) -> (UnitQuaternion<f64>, Vec3) {
        let eigen = moments.second.symmetric_eigen();
        let mut axes = eigen.eigenvectors;
        if axes.determinant() < 0.0 {
            axes.column_mut(2).neg_mut();
        }
        let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
        let matrix: Mat3 = turn.to_rotation_matrix().matrix().transpose()
            * moments.second
            * turn.to_rotation_matrix().matrix();
        (turn, self.substance.density * matrix.diagonal().map(|own| matrix.trace() - own))
    }

    /// The rigid motion of a body of this volume  \[m³\].
    ///
    /// Hertz gives F = 4/3 E/(1−ν²) √R d^(3/2) for a ball that is pressed in by d. The cap in the ground has V ≈ π R d², so
    /// k = 4/(3π) E/(1−ν²) / √(R d), taken at d = R/10.
    pub(super) fn bouncer(&self, mesh: &ClosedMesh, volume: f64, inertia: Vec3) -> SpaceBouncer {
        let Substance { young, poisson, internal_friction, density } = self.substance;
        let radius = (0.75 * volume / std::f64::consts::PI).cbrt();
        let hertz = 4.0 / (3.0 * std::f64::consts::PI) * young / (1.0 - poisson * poisson);
        let farthest = mesh.vertices().iter().map(|x| x.norm()).fold(0.0, f64::max);
        SpaceBouncer {
            mass: density * volume,
            inertia,
            stiffness: self.stiffness.unwrap_or(hertz / (radius * DEPTH.sqrt())),
            internal_friction,
            adhesion: self.adhesion,
            reach: if self.adhesion > 0.0 { self.reach } else { 0.0 },
            sticks: self.grip == Grip::Stick,
            diameter: 2.0 * farthest,
        }
    }
}
