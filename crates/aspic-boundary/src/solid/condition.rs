//! What is known at a vertex: displacement or traction, direction by direction.

use crate::solid::{Mat3, Vec3};

/// Which of the two is given in a direction. The other one is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// The displacement  \[m\]
    Displacement,
    /// The traction  \[Pa\]
    Traction,
}

/// The conditions at a vertex in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    /// Orthonormal directions as columns.
    pub frame: Mat3,
    /// What is known along each.
    pub known: [Known; 3],
}

impl Condition {
    /// The tractions are given.
    pub fn free() -> Condition {
        Condition { frame: Mat3::identity(), known: [Known::Traction; 3] }
    }

    /// The displacements are given.
    pub fn held() -> Condition {
        Condition { frame: Mat3::identity(), known: [Known::Displacement; 3] }
    }

    /// The displacement along `normal` is given, and the tractions across it: contact without friction.
    ///
    /// The normal comes first in the frame. A normal of length zero gives a frame that [`crate::solid::System::new`] refuses.
    pub fn slip(normal: &Vec3) -> Condition {
        let n = normal.normalize();
        let least = Vec3::from_fn(|k, _| if k == n.iamin() { 1.0 } else { 0.0 });
        let first = n.cross(&least).normalize();
        let frame = Mat3::from_columns(&[n, first, n.cross(&first)]);
        Condition { frame, known: [Known::Displacement, Known::Traction, Known::Traction] }
    }

    /// Whether the frame is orthonormal.
    pub fn is_sound(&self) -> bool {
        (self.frame.transpose() * self.frame - Mat3::identity()).amax() < 1e-9
    }
}
