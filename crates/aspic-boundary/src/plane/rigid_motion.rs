//! The motion of a plane body as a whole, and the force with which a floor throws it back.

use super::{Floor, Polygon, Vec2, cross, quarter};

/// Sub-steps per radian of the fastest swing on the floor.
const FINENESS: f64 = 5.0;

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RigidMotion {
    /// Place of the centroid  \[m\]
    pub position: Vec2,
    /// Angle against the clock  \[rad\]
    pub angle: f64,
    /// Velocity of the centroid  \[m/s\]
    pub velocity: Vec2,
    /// Angular velocity  \[1/s\]
    pub spin: f64,
}

impl RigidMotion {
    /// Where a place of the body is outside  \[m\].
    pub fn place(&self, x: Vec2) -> Vec2 {
        self.position + nalgebra::Rotation2::new(self.angle) * x
    }
}

/// A force at a place, both in the frame of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reaction {
    /// Force  \[N/m\]
    pub force: Vec2,
    /// Torque about the centroid  \[N\]
    pub torque: f64,
}

impl Reaction {
    fn add(&mut self, other: &Reaction) {
        self.force += other.force;
        self.torque += other.torque;
    }
}

/// A rigid body that a floor pushes back in proportion to what is in the ground.
///
/// ```text
/// F = max(0, k V − c V (n·v)) n       with   c V = k τ w
/// ```
///
/// (Watanabe et al. (17) with a loss; V is the area in the ground, w the length of the cut, v the velocity at its middle).
/// Since dV/dt = −w n·v, this is F = k (V + τ dV/dt): matter that answers with its shape and, τ behind, with the rate of
/// it. The part k V passes through the centroid of V, as the weight of displaced water does, and has the energy
/// k ∫ depth dV. The loss passes through the middle of the cut, where its power −k τ w (n·v)² cannot be positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bouncer {
    /// Mass for each metre of depth  \[kg/m\]
    pub mass: f64,
    /// Moment of inertia about the centroid  \[kg m\]
    pub inertia: f64,
    /// k  \[N/m³\]
    pub stiffness: f64,
    /// τ  \[s\]
    pub internal_friction: f64,
    /// No two places of the body are farther apart  \[m\]
    pub diameter: f64,
}

impl Bouncer {
    /// The number of equal parts into which a step of `length` \[s\] must be cut.
    pub fn parts(&self, length: f64) -> f64 {
        let light = 1.0 / self.mass + self.diameter * self.diameter / (4.0 * self.inertia);
        let fastest = (self.stiffness * self.diameter * light).sqrt();
        (length * fastest * FINENESS).ceil().max(1.0)
    }

    /// What the floors do now. Over a time `ahead` \[s\] the loss slows itself down, so that no step can be too long for it.
    pub fn reaction(&self, body: &Polygon, motion: &RigidMotion, floors: &[Floor], ahead: f64) -> Reaction {
        self.both(body, motion, floors, ahead).0
    }

    /// What the floors do now, and the part k V of it that has an energy.
    fn both(
        &self,
        body: &Polygon,
        motion: &RigidMotion,
        floors: &[Floor],
        ahead: f64,
    ) -> (Reaction, Reaction) {
        let (mut all, mut kept) = (Reaction::default(), Reaction::default());
        for floor in floors {
            let (whole, push) = self.one(body, motion, floor, ahead);
            all.add(&whole);
            kept.add(&push);
        }
        (all, kept)
    }

    fn one(&self, body: &Polygon, motion: &RigidMotion, floor: &Floor, ahead: f64) -> (Reaction, Reaction) {
        let floor = floor.seen_from(motion.position, motion.angle);
        let pierced = floor.pierced(body);
        let normal = floor.normal();
        let velocity = nalgebra::Rotation2::new(-motion.angle) * motion.velocity;
        let leaving = normal.dot(&(velocity + motion.spin * quarter(pierced.middle)));
        let arms = [pierced.centre, pierced.middle].map(|x| cross(x, normal));
        let light = 1.0 / self.mass + arms[1] * arms[1] / self.inertia;
        let slowing = self.stiffness * self.internal_friction * pierced.width;
        let push = self.stiffness * pierced.area;
        let kept = Reaction { force: push * normal, torque: push * arms[0] };
        let loss = -slowing * leaving / (1.0 + ahead * light * slowing);
        let least = -floor.adhesion() * pierced.width;
        let (push, loss) = if push + loss < least { (0.0, least) } else { (push, loss) };
        let torque = push * arms[0] + loss * arms[1];
        (Reaction { force: (push + loss) * normal, torque }, kept)
    }

    /// Moves the body through a step of `length` \[s\] by leapfrog: half a kick, a drift, half a kick. Returns the energy
    /// that internal friction and adhesion took  \[J/m\].
    pub fn advance(
        &self,
        body: &Polygon,
        motion: &mut RigidMotion,
        floors: &[Floor],
        gravity: Vec2,
        length: f64,
    ) -> f64 {
        let half = 0.5 * length;
        let first = self.kick(body, motion, floors, gravity, half);
        motion.position += length * motion.velocity;
        motion.angle += length * motion.spin;
        first + self.kick(body, motion, floors, gravity, half)
    }

    /// A kick changes the kinetic energy by the impulse times the mean of the velocities before and after. The part of
    /// the impulse beyond that of k V takes the energy that is returned  \[J/m\].
    fn kick(
        &self,
        body: &Polygon,
        motion: &mut RigidMotion,
        floors: &[Floor],
        gravity: Vec2,
        length: f64,
    ) -> f64 {
        let (all, kept) = self.both(body, motion, floors, length);
        let turn = nalgebra::Rotation2::new(motion.angle);
        let (velocity, spin) = (motion.velocity, motion.spin);
        motion.velocity += length * (gravity + turn * all.force / self.mass);
        motion.spin += length * all.torque / self.inertia;
        let force = turn * (all.force - kept.force);
        -0.5 * length
            * (force.dot(&(velocity + motion.velocity)) + (all.torque - kept.torque) * (spin + motion.spin))
    }

    /// Energy of motion, of weight, and of the ground that is pushed away  \[J/m\].
    pub fn energies(
        &self,
        body: &Polygon,
        motion: &RigidMotion,
        floors: &[Floor],
        gravity: Vec2,
    ) -> [f64; 3] {
        let kinetic = self.mass * motion.velocity.norm_squared() + self.inertia * motion.spin * motion.spin;
        let held = |floor: &Floor| {
            let seen = floor.seen_from(motion.position, motion.angle);
            let pierced = seen.pierced(body);
            self.stiffness * pierced.area * seen.depth(pierced.centre)
        };
        let stored = floors.iter().map(held).sum();
        [0.5 * kinetic, -self.mass * gravity.dot(&motion.position), stored]
    }

    /// The sum of [`Bouncer::energies`]  \[J/m\].
    pub fn energy(&self, body: &Polygon, motion: &RigidMotion, floors: &[Floor], gravity: Vec2) -> f64 {
        self.energies(body, motion, floors, gravity).iter().sum()
    }
}

#[cfg(test)]
#[path = "rigid_motion_tests.rs"]
mod tests;
