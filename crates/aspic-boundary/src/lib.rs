//! Boundary elements: elastic bodies known from their surface alone.
//!
//! Somigliana's identity turns the equations of elasticity inside a body into equations on its boundary. [`solid`] does
//! this for closed triangle meshes: statics, Green's functions, stiffness and mass. [`plane`] does it for outlines, and
//! animates soft bodies over a floor by their plane sections in real time: [`plane::Puppet`].
//!
//! Nothing here knows of the world of aspic; the crate `aspic` makes bodies of it that touch all others.

pub mod plane;
pub mod solid;

/// A point or vector.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3×3 matrix.
pub type Mat3 = nalgebra::Matrix3<f64>;
