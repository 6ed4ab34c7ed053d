//! The motion of a rigid body in space.

use nalgebra::{Quaternion, UnitQuaternion};

use super::Vec3;

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceMotion {
    /// Place of the centroid  \[m\]
    pub position: Vec3,
    /// Turns the frame of the body, along its principal axes, into that of space.
    pub orientation: UnitQuaternion<f64>,
    /// Velocity of the centroid  \[m/s\]
    pub velocity: Vec3,
    /// Angular momentum about the centroid, in the frame of the body  \[kg m²/s\]
    pub momentum: Vec3,
}

impl SpaceMotion {
    /// How many numbers it takes.
    pub const SIZE: usize = 13;

    /// From the numbers of [`SpaceMotion::write`]; the slice holds [`SpaceMotion::SIZE`] of them at least.
    pub fn read(m: &[f64]) -> SpaceMotion {
        let vector = |k: usize| Vec3::new(m[k], m[k + 1], m[k + 2]);
        SpaceMotion {
            position: vector(0),
            orientation: UnitQuaternion::new_unchecked(Quaternion::new(m[3], m[4], m[5], m[6])),
            velocity: vector(7),
            momentum: vector(10),
        }
    }

    /// Position, quaternion (real part first), velocity, angular momentum.
    pub fn write(&self) -> [f64; SpaceMotion::SIZE] {
        let (x, q, v, l) = (self.position, self.orientation.quaternion(), self.velocity, self.momentum);
        [x.x, x.y, x.z, q.w, q.i, q.j, q.k, v.x, v.y, v.z, l.x, l.y, l.z]
    }

    /// Flies for a time \[s\] with principal moments of inertia \[kg m²\].
    ///
    /// A body that turns about a principal axis k by the angle Π_k t / I_k keeps its angular momentum in space. Turns about
    /// the axes one after the other, there and back by halves, are the free motion with its gyroscopic term to second
    /// order, can be run backwards, and do not heap up energy (Dullweber, Leimkuhler and McLachlan 1997).
    pub fn drift(&mut self, inertia: Vec3, time: f64) {
        self.position += time * self.velocity;
        for (axis, part) in [(0, 0.5), (1, 0.5), (2, 1.0), (1, 0.5), (0, 0.5)] {
            let angle = part * time * self.momentum[axis] / inertia[axis];
            let mut direction = Vec3::zeros();
            direction[axis] = angle;
            let turn = UnitQuaternion::from_scaled_axis(direction);
            self.momentum = turn.inverse() * self.momentum;
            self.orientation = UnitQuaternion::new_normalize((self.orientation * turn).into_inner());
        }
    }
}

#[cfg(test)]
#[path = "space_motion_tests.rs"]
mod tests;
