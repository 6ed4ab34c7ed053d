//! A half-space that nothing enters: its plane is flat, so distance and motion bound are exact.

use super::law::Contact;
use super::repulsion::Repulsion;
use super::touching::Touch;
use crate::Vec3;

/// All points with n·(x − p) < 0 are inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    /// p: a point of its plane  \[m\]
    pub point: Vec3,
    /// n: unit vector out of it.
    pub normal: Vec3,
}

impl HalfSpace {
    /// n·(x − p)  \[m\]
    pub fn height(&self, x: &Vec3) -> f64 {
        self.normal.dot(&(x - self.point))
    }
}

/// One free surface point near one half-space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub plane: u32,
    pub point: u32,
    /// The body of the point, and the half-space counted as one.
    pub bodies: [u32; 2],
    /// d̂  \[m\]
    pub range: f64,
    /// Height that is never undercut  \[m\]
    pub floor: f64,
    /// Stiffness over that of a natural distance.
    pub firmness: f64,
    /// k  \[N/m\]
    pub stiffness: f64,
    pub friction: f64,
}

/// Calls `visit` for every free surface point and every half-space it may touch.
pub(super) fn each_standing(contact: &Contact, mut visit: impl FnMut(Standing)) {
    for (k, _) in contact.half_spaces.iter().enumerate() {
        let plane_body = contact.first_plane_body + k as u32;
        for (number, part) in contact.surface.parts().iter().enumerate().filter(|(_, part)| !part.fixed) {
            if contact.surface.excludes(part.body, plane_body) {
                continue;
            }
            let friction = contact.friction.between(part.body, plane_body);
            for &point in &part.points {
                let range = contact.distance.at_plane_from(number, k, point);
                let firmness = contact.distance.firmness(number, number, range);
                let floor = part.radius + contact.floor(range);
                let bodies = [part.body, plane_body];
                let plane = k as u32;
                visit(Standing { plane, point, bodies, range, floor, firmness, stiffness: 0.0, friction });
            }
        }
    }
}

impl Standing {
    /// Takes the stiffness of each surface point  \[N/m\]
    pub fn harden(&mut self, contact: &Contact, stiffness: &[f64]) {
        // Nothing pushes a held point; it only must not move into the half-space.
        let own = stiffness[self.point as usize];
        self.stiffness = if own.is_finite() { self.firmness * contact.stiffness_scale * own } else { 0.0 };
    }

    /// Height above the floor, y  \[m\]
    pub fn gap(&self, contact: &Contact, x: &[Vec3]) -> f64 {
        contact.half_spaces[self.plane as usize].height(&x[self.point as usize]) - self.floor
    }

    /// k φ(y)  \[J\]
    pub fn energy(&self, contact: &Contact, x: &[Vec3]) -> f64 {
        self.stiffness * Repulsion { range: self.range }.energy(self.gap(contact, x))
    }

    /// Largest fraction of the motion that keeps the share `slack` of the gap; exact.
    pub fn limit(&self, contact: &Contact, x: &[Vec3], dx: &[Vec3], slack: f64) -> f64 {
        let approach = -contact.half_spaces[self.plane as usize].normal.dot(&dx[self.point as usize]);
        let room = (1.0 - slack) * self.gap(contact, x);
        if approach > 0.0 { (room / approach).max(0.0) } else { f64::INFINITY }
    }

    /// The push at x, if there is one.
    pub fn touch(&self, contact: &Contact, x: &[Vec3]) -> Option<Touch> {
        let gap = self.gap(contact, x);
        if gap >= self.range {
            return None;
        }
        let (slope, curvature) = Repulsion { range: self.range }.slope_and_curvature(gap);
        let normal = contact.half_spaces[self.plane as usize].normal;
        let push = |unit: f64| self.stiffness * unit;
        let pushes = [push(slope), push(curvature)];
        Some(Touch::of_point(self.point, self.bodies, normal, pushes, self.friction))
    }
}
