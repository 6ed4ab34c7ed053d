//! The ground below a plane body: everything on one side of a line.

use super::{Polygon, Vec2, cross, quarter};

/// What a vertex on the floor may do along it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grip {
    /// It glides freely.
    #[default]
    Slip,
    /// It keeps the sideways displacement that it had when it touched.
    Stick,
}

/// A half-plane: the places x with n·x < offset are in the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    normal: Vec2,
    offset: f64,
    grip: Grip,
    adhesion: f64,
}

/// Why there is no such floor.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FloorError {
    /// The normal has no length.
    #[error("the normal {0:?} of the floor has no length or is not finite: give a vector out of the ground")]
    Normal([f64; 2]),
    /// The place is NaN or infinite.
    #[error("the floor is at {0} m along its normal: give a finite number")]
    Offset(f64),
    /// The pull is negative.
    #[error("the floor pulls with up to {0} Pa: give zero for a dry floor, or a positive number")]
    Adhesion(f64),
}

impl Floor {
    /// A dry, smooth floor through `place` \[m\] with the normal out of the ground.
    pub fn through(place: Vec2, normal: Vec2) -> Result<Floor, FloorError> {
        let length = normal.norm();
        if !(length > 0.0 && length.is_finite()) {
            return Err(FloorError::Normal(normal.into()));
        }
        let (normal, offset) = (normal / length, normal.dot(&place) / length);
        if !offset.is_finite() {
            return Err(FloorError::Offset(offset));
        }
        Ok(Floor { normal, offset, grip: Grip::Slip, adhesion: 0.0 })
    }

    /// A floor that a body of the given diameter \[m\] around the origin does not reach.
    pub(crate) fn far_away(diameter: f64) -> Floor {
        Floor { normal: Vec2::y(), offset: -1e3 * diameter, grip: Grip::Slip, adhesion: 0.0 }
    }

    /// The same floor with another grip.
    pub fn with_grip(self, grip: Grip) -> Floor {
        Floor { grip, ..self }
    }

    /// The same floor, to which wet jelly sticks until it is pulled with this stress  \[Pa\].
    pub fn with_adhesion(self, adhesion: f64) -> Result<Floor, FloorError> {
        if !(adhesion >= 0.0 && adhesion.is_finite()) {
            return Err(FloorError::Adhesion(adhesion));
        }
        Ok(Floor { adhesion, ..self })
    }

    /// The unit normal out of the ground.
    pub fn normal(&self) -> Vec2 {
        self.normal
    }

    /// What a vertex may do along the floor.
    pub fn grip(&self) -> Grip {
        self.grip
    }

    /// The largest pull before the floor lets go  \[Pa\]
    pub fn adhesion(&self) -> f64 {
        self.adhesion
    }

    /// How deep a place is in the ground  \[m\]; negative above it.
    pub fn depth(&self, x: Vec2) -> f64 {
        self.offset - self.normal.dot(&x)
    }

    /// The floor as seen from a body that is at `position` \[m\] and turned by `angle` \[rad\].
    pub fn seen_from(&self, position: Vec2, angle: f64) -> Floor {
        let normal = nalgebra::Rotation2::new(-angle) * self.normal;
        Floor { normal, offset: self.depth(position), ..*self }
    }

    /// The part of a body that is in the ground.
    ///
    /// With the origin on the line, the closing pieces along the line add nothing to Σ p × q. The flux of the normal,
    /// and of the normal times the place along the line, through the closed outline of that part is zero; that gives the
    /// cut from the edges that are in the ground.
    pub fn pierced(&self, body: &Polygon) -> Pierced {
        let (origin, along) = (self.offset * self.normal, -quarter(self.normal));
        let (mut area, mut first, mut width, mut moment) = (0.0, Vec2::zeros(), 0.0, 0.0);
        for k in 0..body.len() {
            let [a, b] = body.edge(k);
            let (da, db) = (self.depth(a), self.depth(b));
            if da <= 0.0 && db <= 0.0 {
                continue;
            }
            let cut = |x: Vec2, dx: f64, y: Vec2, dy: f64| {
                if dx < 0.0 { x + (y - x) * (dx / (dx - dy)) } else { x }
            };
            let (p, q) = (cut(a, da, b, db) - origin, cut(b, db, a, da) - origin);
            let double = cross(p, q);
            area += double / 2.0;
            first += double / 6.0 * (p + q);
            let flux = (q - p).dot(&along);
            width += flux;
            moment += flux * 0.5 * (p + q).dot(&along);
        }
        if !(area > 0.0 && width > 0.0) {
            return Pierced { area: 0.0, centre: origin, width: 0.0, middle: origin };
        }
        Pierced { area, centre: origin + first / area, width, middle: origin + moment / width * along }
    }
}

/// The part of a body in the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pierced {
    /// V  \[m²\]
    pub area: f64,
    /// Its centroid, through which the force k V passes  \[m\]
    pub centre: Vec2,
    /// Length of the line inside the body  \[m\]
    pub width: f64,
    /// Middle of the line inside the body  \[m\]
    pub middle: Vec2,
}

#[cfg(test)]
#[path = "floor_tests.rs"]
mod tests;
