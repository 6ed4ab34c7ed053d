//! The force with which the ground throws a body in space back, or holds it.

use nalgebra::{Matrix6, Vector6};

use super::closed_mesh::ClosedMesh;
use super::immersed::{Ground, Immersed};
use super::puppet::HalfSpace;
use super::space_motion::SpaceMotion;
use super::{Mat3, Vec3};

/// Sub-steps per radian of the fastest swing on the ground.
const FINENESS: f64 = 5.0;

/// A rigid body that the ground pushes back in proportion to what is in it, and pulls at what is just above it.
///
/// ```text
/// F = k V₀ − (a/δ) (V_δ − V₀) − k τ ∫ n·v dA,      F ≥ −a A
/// ```
///
/// V₀ is the volume in the ground and V_δ that in the ground raised by the reach δ. A flat bottom at the surface is pulled
/// with the stress a, the sticking force of a jelly; one at the height δ no more. Both parts have energies,
/// k ∫ depth dV for the first: what pulls a body in must be paid to tear it off. The loss is that of matter that answers
/// with k (V + τ dV/dt), taken all over the cut, so that it also brakes rocking. On ground with grip the matter drags
/// along the surface with the same loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceBouncer {
    /// Mass  \[kg\]
    pub mass: f64,
    /// Principal moments of inertia  \[kg m²\]
    pub inertia: Vec3,
    /// k  \[N/m³\]
    pub stiffness: f64,
    /// τ  \[s\]
    pub internal_friction: f64,
    /// a: the largest pull of the ground  \[Pa\]
    pub adhesion: f64,
    /// δ: how far above the ground it pulls  \[m\]
    pub reach: f64,
    /// Whether the loss also acts along the ground.
    pub sticks: bool,
    /// No two places of the body are farther apart  \[m\]
    pub diameter: f64,
}

/// Where a body touches one ground, in its own frame.
struct Contact {
    normal: Vec3,
    /// What is in the ground.
    inside: Immersed,
    /// What is in the ground or within its reach.
    reached: Immersed,
}

/// Force \[N\], then torque about the centroid \[N m\], in the frame of the body.
pub type Wrench = Vector6<f64>;

impl SpaceBouncer {
    fn pull(&self) -> f64 {
        if self.adhesion > 0.0 { self.adhesion / self.reach } else { 0.0 }
    }

    /// The number of equal parts into which a step of `length` \[s\] must be cut.
    pub fn parts(&self, length: f64) -> f64 {
        let light = 1.0 / self.mass + self.diameter * self.diameter / (4.0 * self.inertia.min());
        let area = std::f64::consts::FRAC_PI_4 * self.diameter * self.diameter;
        let fastest = ((self.stiffness + self.pull()) * area * light).sqrt();
        (length * fastest * FINENESS).ceil().max(1.0)
    }

    /// The ground as seen from the body.
    pub fn seen(&self, half: &HalfSpace, motion: &SpaceMotion) -> Ground {
        let normal = motion.orientation.inverse() * half.normal;
        Ground { normal, offset: half.depth(motion.position) }
    }

    /// What the body has in the ground, or within its reach.
    pub fn touched(&self, body: &ClosedMesh, ground: &Ground) -> Immersed {
        ground.raised(if self.adhesion > 0.0 { self.reach } else { 0.0 }).immersed(body)
    }

    /// Where the body touches ground now.
    fn contacts(&self, body: &ClosedMesh, motion: &SpaceMotion, ground: &[HalfSpace]) -> Vec<Contact> {
        let seen = ground.iter().map(|half| self.seen(half, motion));
        let near = seen.filter(|seen| seen.offset > -self.diameter - self.reach);
        let contact = |ground: Ground| {
            let reached = self.touched(body, &ground);
            let inside = if self.adhesion > 0.0 { ground.immersed(body) } else { reached };
            Contact { normal: ground.normal, inside, reached }
        };
        near.map(contact).filter(|contact| contact.reached.area > 0.0).collect()
    }

    /// What all ground does now, and the part of it that has an energy. Over a time `ahead` \[s\] the loss slows itself
    /// down, so that no step can be too long for it.
    pub fn reaction(
        &self,
        body: &ClosedMesh,
        motion: &SpaceMotion,
        ground: &[HalfSpace],
        ahead: f64,
    ) -> [Wrench; 2] {
        self.sum(&self.contacts(body, motion, ground), motion, ahead)
    }

    fn sum(&self, contacts: &[Contact], motion: &SpaceMotion, ahead: f64) -> [Wrench; 2] {
        let mut sum = [Wrench::zeros(); 2];
        for contact in contacts {
            let one = self.one(contact, motion, ahead);
            (0..2).for_each(|k| sum[k] += one[k]);
        }
        sum
    }

    fn one(&self, contact: &Contact, motion: &SpaceMotion, ahead: f64) -> [Wrench; 2] {
        let Contact { normal, inside, reached } = contact;
        let along = |x: Vec3| wrench(*normal, x.cross(normal));
        let mut kept = (self.stiffness + self.pull()) * inside.volume * along(inside.centre);
        kept -= self.pull() * reached.volume * along(reached.centre);
        let slowing = self.stiffness * self.internal_friction * drag(reached, *normal, self.sticks);
        let velocity = motion.orientation.inverse() * motion.velocity;
        let rates = wrench(velocity, motion.momentum.component_div(&self.inertia));
        let light = wrench(Vec3::repeat(1.0 / self.mass), self.inertia.map(|i| 1.0 / i));
        let ahead = Matrix6::identity() + ahead * Matrix6::from_diagonal(&light) * slowing;
        let loss = ahead.lu().solve(&rates).map_or(Wrench::zeros(), |slowed| -slowing * slowed);
        let (whole, least) = (kept + loss, -self.adhesion * reached.area);
        let push = force(&whole).dot(normal);
        let whole = if push < least { least * along(reached.middle) } else { whole };
        [whole, kept]
    }

    /// Moves the body through `parts` equal steps that make up `length` \[s\] by leapfrog. Returns the energy that the loss
    /// took  \[J\].
    pub fn advance(
        &self,
        body: &ClosedMesh,
        motion: &mut SpaceMotion,
        ground: &[HalfSpace],
        gravity: Vec3,
        length: f64,
        parts: usize,
    ) -> f64 {
        let (step, mut lost) = (length / parts as f64, 0.0);
        let mut contacts = self.contacts(body, motion, ground);
        for _ in 0..parts {
            lost += self.kick(&contacts, motion, gravity, 0.5 * step);
            motion.drift(self.inertia, step);
            contacts = self.contacts(body, motion, ground);
            lost += self.kick(&contacts, motion, gravity, 0.5 * step);
        }
        lost
    }

    /// The part of the impulse that has no energy takes its product with the mean of the velocities before and after.
    fn kick(&self, contacts: &[Contact], motion: &mut SpaceMotion, gravity: Vec3, length: f64) -> f64 {
        let [whole, kept] = self.sum(contacts, motion, length);
        let before = *motion;
        motion.velocity += length * (gravity + motion.orientation * force(&whole) / self.mass);
        motion.momentum += length * torque(&whole);
        let velocity = motion.orientation.inverse() * (before.velocity + motion.velocity);
        let spin = (before.momentum + motion.momentum).component_div(&self.inertia);
        -0.5 * length * (whole - kept).dot(&wrench(velocity, spin))
    }

    /// Energy of motion, of weight, and held by the ground  \[J\].
    pub fn energies(
        &self,
        body: &ClosedMesh,
        motion: &SpaceMotion,
        ground: &[HalfSpace],
        gravity: Vec3,
    ) -> [f64; 3] {
        let turning = motion.momentum.component_div(&self.inertia).dot(&motion.momentum);
        let mut stored = 0.0;
        for half in ground {
            let seen = self.seen(half, motion);
            let held = |ground: Ground| {
                let part = ground.immersed(body);
                part.volume * ground.depth(part.centre)
            };
            stored += (self.stiffness + self.pull()) * held(seen);
            stored -= if self.adhesion > 0.0 { self.pull() * held(seen.raised(self.reach)) } else { 0.0 };
        }
        let moving = self.mass * motion.velocity.norm_squared() + turning;
        [0.5 * moving, -self.mass * gravity.dot(&motion.position), stored]
    }
}

/// ∫ Gᵀ N G dA over the cut, where G makes velocities of the cut from those of the body, and N takes their part along the
/// normal, or all of them.
fn drag(cut: &Immersed, normal: Vec3, all: bool) -> Matrix6<f64> {
    let along = if all { Mat3::identity() } else { normal * normal.transpose() };
    let mut sum = Matrix6::zeros();
    let mut add = |at: Vec3, weight: f64, shift: f64| {
        let arm = at.cross_matrix();
        let corner = arm * along;
        let mut block = |i: usize, j: usize, m: Mat3| {
            let mut part = sum.fixed_view_mut::<3, 3>(i, j);
            part += weight * m;
        };
        block(0, 0, shift * along);
        block(0, 3, -shift * along * arm);
        block(3, 0, shift * corner);
        block(3, 3, -corner * arm);
    };
    add(cut.middle, cut.area, 1.0);
    // The spread about the middle, as the columns of its square root would add it.
    let eigen = cut.spread.symmetric_eigen();
    for k in 0..3 {
        add(eigen.eigenvectors.column(k).into(), eigen.eigenvalues[k].max(0.0), 0.0);
    }
    sum
}

/// Both parts in one vector.
pub(crate) fn wrench(force: Vec3, torque: Vec3) -> Wrench {
    Wrench::new(force.x, force.y, force.z, torque.x, torque.y, torque.z)
}

/// The force of a wrench  \[N\].
pub(crate) fn force(wrench: &Wrench) -> Vec3 {
    wrench.fixed_rows::<3>(0).into()
}

/// The torque of a wrench  \[N m\].
pub(crate) fn torque(wrench: &Wrench) -> Vec3 {
    wrench.fixed_rows::<3>(3).into()
}

#[cfg(test)]
#[path = "space_bouncer_tests.rs"]
mod tests;
