//! A soft body that falls, hits a floor and bounces (Watanabe et al., 4 and 6).
//!
//! As a whole it moves like a rigid body with the force of the floor. In its own frame it is at rest under that force and
//! D'Alembert's force, and takes the shape of equilibrium, which the boundary elements give. In free fall both forces
//! vanish and so does the deformation.

use super::floating::Touching;
use super::floor::Floor;
use super::rigid_motion::{Bouncer, Reaction, RigidMotion};
use super::shape::{Load, Shape};
use super::substance::{Substance, SubstanceError};
use super::update_error::UpdateError;
use super::{BodyForce, Polygon, Vec2};

/// A step is cut into this many parts at most.
const MOST_PARTS: f64 = 1e4;

/// A soft body in the plane.
pub struct PlaneBody {
    substance: Substance,
    /// The outline has its centroid at the origin.
    shape: Shape,
    area: f64,
    bouncer: Bouncer,
    motion: RigidMotion,
    reaction: Reaction,
}

/// Why a body cannot be made or moved.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PlaneBodyError {
    /// The matter is impossible.
    #[error(transparent)]
    Substance(#[from] SubstanceError),
    /// The equations of equilibrium have no solution.
    #[error(transparent)]
    Equilibrium(#[from] UpdateError),
    /// The step is too long, or no number.
    #[error("a step of {step} s needs {parts} parts on a floor this stiff: take a shorter, positive step")]
    Step {
        /// The step  \[s\]
        step: f64,
        /// The parts it would need.
        parts: f64,
    },
    /// The motion or the gravity is NaN or infinite.
    #[error("the motion of the body or the gravity is not finite")]
    NotFinite,
}

impl PlaneBody {
    /// A body at rest where its outline is.
    pub fn new(outline: &Polygon, substance: Substance) -> Result<PlaneBody, PlaneBodyError> {
        let medium = substance.medium()?;
        let moments = outline.moments();
        let outline = outline.shifted(-moments.centroid);
        let bouncer = Bouncer {
            mass: substance.density * moments.area,
            inertia: substance.density * moments.polar(),
            stiffness: substance.ground_stiffness(moments.area),
            internal_friction: substance.internal_friction,
            diameter: outline.diameter(),
        };
        Ok(PlaneBody {
            substance,
            shape: Shape::new(outline, &medium)?,
            area: moments.area,
            bouncer,
            motion: RigidMotion { position: moments.centroid, ..Default::default() },
            reaction: Reaction::default(),
        })
    }

    /// What the body is made of.
    pub fn substance(&self) -> &Substance {
        &self.substance
    }

    /// The outline at rest, with the centroid at the origin  \[m\].
    pub fn outline(&self) -> &Polygon {
        self.shape.outline()
    }

    /// The motion as a whole.
    pub fn motion(&self) -> &RigidMotion {
        &self.motion
    }

    /// The motion as a whole, to be changed: thrown, turned, put elsewhere.
    pub fn motion_mut(&mut self) -> &mut RigidMotion {
        &mut self.motion
    }

    /// The numbers of the rigid motion; the stiffness of the ground is the paper's constant of proportion.
    pub fn bouncer_mut(&mut self) -> &mut Bouncer {
        &mut self.bouncer
    }

    /// The numbers of the rigid motion.
    pub fn bouncer(&self) -> &Bouncer {
        &self.bouncer
    }

    /// The force of the floor at the end of the last step, in the frame of the body.
    pub fn reaction(&self) -> &Reaction {
        &self.reaction
    }

    /// Displacements of the vertices in the frame of the body  \[m\].
    pub fn displacements(&self) -> &[Vec2] {
        self.shape.displacements()
    }

    /// Displacements of the vertices, to be changed; the next step begins with them  \[m\].
    pub fn displacements_mut(&mut self) -> &mut [Vec2] {
        self.shape.displacements_mut()
    }

    /// The vertices on the floor.
    pub fn touching(&self) -> &[Touching] {
        self.shape.touching()
    }

    /// How many equilibria the last step took.
    pub fn passes(&self) -> usize {
        self.shape.passes()
    }

    /// The traction at a vertex in the frame of the body; zero away from the floor  \[Pa\].
    pub fn traction(&self, vertex: usize) -> Vec2 {
        self.shape.floating().traction(vertex)
    }

    /// The angular acceleration that the contact in the elastic body makes beyond that of the rigid motion  \[1/s²\].
    pub fn added_turning(&self) -> f64 {
        self.shape.floating().added().euler / self.substance.density
    }

    /// Where the vertices are  \[m\].
    pub fn vertices(&self) -> impl Iterator<Item = Vec2> + '_ {
        let rest = self.outline().vertices().iter();
        rest.zip(self.displacements()).map(|(x, u)| self.motion.place(x + u))
    }

    /// Kinetic energy, that of weight, and that held by the ground  \[J/m\].
    pub fn energies(&self, floors: &[Floor], gravity: Vec2) -> [f64; 3] {
        self.bouncer.energies(self.outline(), &self.motion, floors, gravity)
    }

    /// Moves the body through a step of `length` \[s\] over floors, under gravity \[m/s²\]. Returns the energy that
    /// internal friction and adhesion took  \[J/m\].
    ///
    /// All floors act on the motion as a whole. The shape is that on the floor in which it is deepest; what is then in the
    /// ground of another floor is put onto its surface.
    pub fn step(&mut self, floors: &[Floor], gravity: Vec2, length: f64) -> Result<f64, PlaneBodyError> {
        let parts = self.bouncer.parts(length);
        if !(length > 0.0 && parts <= MOST_PARTS) {
            return Err(PlaneBodyError::Step { step: length, parts });
        }
        let mut lost = 0.0;
        for _ in 0..parts as usize {
            let (outline, motion) = (self.shape.outline(), &mut self.motion);
            lost += self.bouncer.advance(outline, motion, floors, gravity, length / parts);
        }
        let RigidMotion { position, velocity, angle, spin } = self.motion;
        let sum = position.sum() + velocity.sum() + angle + spin;
        if !sum.is_finite() {
            return Err(PlaneBodyError::NotFinite);
        }
        let (outline, motion) = (self.shape.outline(), &self.motion);
        self.reaction = self.bouncer.reaction(outline, motion, floors, 0.0);
        let floor = self.deepest(floors);
        let inertia = self.inertia_force();
        let internal_friction = self.substance.internal_friction;
        self.shape.find(&Load { floor, inertia, internal_friction, length, reach: 0.0 })?;
        for floor in floors.iter().filter(|_| floors.len() > 1) {
            self.put_onto(&floor.seen_from(position, angle));
        }
        Ok(lost)
    }

    /// The floor in which the body is deepest, in the frame of the body; one far away if there is none.
    fn deepest(&self, floors: &[Floor]) -> Floor {
        let (mut best, mut most) = (Floor::far_away(self.bouncer.diameter), f64::NEG_INFINITY);
        for floor in floors {
            let seen = floor.seen_from(self.motion.position, self.motion.angle);
            let depth =
                self.outline().vertices().iter().map(|x| seen.depth(*x)).fold(f64::NEG_INFINITY, f64::max);
            if depth > most {
                (best, most) = (seen, depth);
            }
        }
        best
    }

    /// Lifts what is in the ground to its surface.
    fn put_onto(&mut self, floor: &Floor) {
        for k in 0..self.outline().len() {
            let depth = floor.depth(self.outline().vertices()[k] + self.displacements()[k]);
            self.displacements_mut()[k] += depth.max(0.0) * floor.normal();
        }
    }

    /// The inertia that balances the floor in force and torque: b = −F/A − ρ dω/dt × x + ρ ω² x.
    ///
    /// The torque is that of the rigid motion; where the contact has another one, [`Floating`] adds the difference.
    fn inertia_force(&self) -> BodyForce {
        BodyForce {
            uniform: -self.reaction.force / self.area,
            centrifugal: self.substance.density * self.motion.spin * self.motion.spin,
            euler: self.substance.density * self.reaction.torque / self.bouncer.inertia,
        }
    }
}

#[cfg(test)]
#[path = "plane_body_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "plane_body_floors_tests.rs"]
mod floors_tests;
