//! Bodies that follow rules of motion of their own over half-spaces.

use super::floor::FloorError;
use super::plane_body::PlaneBodyError;
use super::polygon::PolygonError;
use super::sections::SectionError;
use super::update_error::UpdateError;
use super::{Vec2, Vec3};

/// A unit vector may be longer or shorter by this.
const UNIT: f64 = 1e-6;

/// Ground that fills one side of a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    /// A place on the surface  \[m\]
    pub point: Vec3,
    /// The unit normal out of the ground.
    pub normal: Vec3,
}

impl HalfSpace {
    /// How deep a place is in the ground  \[m\]; negative above it.
    pub fn depth(&self, x: Vec3) -> f64 {
        self.normal.dot(&(self.point - x))
    }
}

/// Why a puppet cannot be moved.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PuppetError {
    /// The memory is not that of this puppet.
    #[error("the memory has {given} numbers where {needed} are needed: give those that start() made")]
    Memory {
        /// Its length.
        given: usize,
        /// The right length.
        needed: usize,
    },
    /// A half-space has no surface.
    #[error("half-space {0} has a normal that is not of unit length, or a place that is not finite")]
    HalfSpace(usize),
    /// The ground leans out of the plane of a plane body.
    #[error(
        "half-space {which} has a normal with the part {part} along y: a prism moves in the x–z plane, so give ground \
         without a slope along y"
    )]
    Slanted {
        /// The half-space.
        which: usize,
        /// The part of its normal along y.
        part: f64,
    },
    /// Gravity pulls out of the plane of a plane body.
    #[error(
        "gravity has the part {0} m/s² along y: a prism moves in the x–z plane, so give gravity without it"
    )]
    Gravity(f64),
    /// The step is too long, or no number.
    #[error("a step of {step} s needs {parts} parts on ground this stiff: take a shorter, positive step")]
    Step {
        /// The step  \[s\]
        step: f64,
        /// The parts it would need.
        parts: f64,
    },
    /// The memory or the gravity is NaN or infinite, or became so.
    #[error("the motion of the body or the gravity is not finite")]
    NotFinite,
    /// A plane body cannot be moved.
    #[error(transparent)]
    Plane(#[from] PlaneBodyError),
    /// The ground is no floor.
    #[error(transparent)]
    Floor(#[from] FloorError),
    /// The equations of a section have no solution.
    #[error(transparent)]
    Equilibrium(#[from] UpdateError),
    /// A section of the body is no outline.
    #[error("a section of the body cannot be used: {0}; give a finer or smoother mesh")]
    Outline(#[from] PolygonError),
    /// The sections have no directions.
    #[error(transparent)]
    Sections(#[from] SectionError),
}

/// A body with rules of motion of its own over half-spaces. It does not push other bodies.
///
/// A step is a function of its arguments alone: the same memory gives the same bits whatever was asked before.
pub trait Puppet: Send + Sync {
    /// Number of points that it shows.
    fn points(&self) -> usize;
    /// Outward triangles between them.
    fn triangles(&self) -> &[[u32; 3]];
    /// The numbers that say where it is and how it moves, at the start.
    fn start(&self) -> Vec<f64>;
    /// Moves it through a step of `length` \[s\]; all that it remembers is in `memory`. Returns the energy lost  \[J\].
    ///
    /// After an error the memory is as it was.
    fn step(
        &self,
        memory: &mut [f64],
        ground: &[HalfSpace],
        gravity: Vec3,
        length: f64,
    ) -> Result<f64, PuppetError>;
    /// Where its points are \[m\] and how they move \[m/s\].
    fn show(&self, memory: &[f64], places: &mut [Vec3], velocities: &mut [Vec3]);
    /// Kinetic energy, that of weight, and that held by the ground  \[J\].
    fn energies(&self, memory: &[f64], ground: &[HalfSpace], gravity: Vec3) -> [f64; 3];
    /// Momentum \[kg m/s\] and angular momentum about the origin \[kg m²/s\] of the motion as a whole.
    fn momenta(&self, memory: &[f64]) -> [Vec3; 2];
    /// Mass  \[kg\]
    fn mass(&self) -> f64;
}

/// Refuses memory, ground and gravity that no step can begin with.
pub(crate) fn check(
    memory: &[f64],
    needed: usize,
    ground: &[HalfSpace],
    gravity: Vec3,
) -> Result<(), PuppetError> {
    if memory.len() != needed {
        return Err(PuppetError::Memory { given: memory.len(), needed });
    }
    let sound = |h: &HalfSpace| (h.normal.norm() - 1.0).abs() < UNIT && h.point.iter().all(|c| c.is_finite());
    match ground.iter().position(|h| !sound(h)) {
        Some(bad) => Err(PuppetError::HalfSpace(bad)),
        None if memory.iter().chain(&gravity).all(|c| c.is_finite()) => Ok(()),
        None => Err(PuppetError::NotFinite),
    }
}

/// The x and z of a vector in space.
pub(crate) fn flat(v: Vec3) -> Vec2 {
    Vec2::new(v.x, v.z)
}
