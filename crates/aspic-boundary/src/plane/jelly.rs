//! A soft body in space, animated by two of its sections (Watanabe et al., 5 and 6).
//!
//! As a whole it moves like a rigid body with the force of the ground. Its shape comes from two plane sections at right
//! angles, through the middle of the contact and the centroid. Each is a plane body on the same floor. The matter of a
//! section feels the inertia of the whole body, b = −F/V for each volume, and the floor under the section carries just
//! that: the shape is that of plane strain of a slice with its own share of the load. In flight the body goes back to its
//! shape at rest.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::closed_mesh::ClosedMesh;
use super::immersed::Ground;
use super::jelly_numbers::{JellyError, JellyNumbers};
use super::puppet::{self, HalfSpace, Puppet, PuppetError};
use super::slice::Slice;
use super::space_bouncer::SpaceBouncer;
use super::space_motion::SpaceMotion;
use super::{Medium, Vec3};

/// A step is cut into this many parts at most.
const MOST_PARTS: f64 = 1e4;

/// A soft body in space.
///
/// The ground may hold it: see [`SpaceBouncer`]. Energies are those of the motion as a whole; that of the deformation is
/// the one that the ground holds.
pub struct Jelly {
    pub(super) numbers: JellyNumbers,
    /// At rest, with the centroid at the origin and along the principal axes.
    pub(super) mesh: ClosedMesh,
    pub(super) edges: Vec<[u32; 2]>,
    pub(super) volume: f64,
    pub(super) medium: Medium,
    pub(super) bouncer: SpaceBouncer,
    motion: SpaceMotion,
    /// Sections that were used; they depend on the body alone. The last used is the last.
    slices: Mutex<Vec<Slice>>,
}

impl Jelly {
    /// The body inside a closed surface, at rest where it is.
    pub fn new(mesh: &ClosedMesh, numbers: JellyNumbers) -> Result<Jelly, JellyError> {
        let medium = numbers.check()?;
        let moments = mesh.moments();
        mesh.check_star_shaped(moments.centroid)?;
        let (turn, inertia) = numbers.principal(&moments);
        let mesh = mesh.mapped(|x| turn.inverse() * (x - moments.centroid));
        let bouncer = numbers.bouncer(&mesh, moments.volume, inertia);
        let motion = SpaceMotion {
            position: moments.centroid,
            orientation: turn,
            velocity: Vec3::zeros(),
            momentum: Vec3::zeros(),
        };
        let edges = mesh.edges();
        let slices = Mutex::new(Vec::new());
        Ok(Jelly { numbers, edges, volume: moments.volume, medium, bouncer, motion, slices, mesh })
    }

    /// The same body with another velocity \[m/s\] and angular velocity \[1/s\] at the start.
    pub fn thrown(mut self, velocity: Vec3, spin: Vec3) -> Jelly {
        self.motion.velocity = velocity;
        let turned = self.motion.orientation.inverse() * spin;
        self.motion.momentum = turned.component_mul(&self.bouncer.inertia);
        self
    }

    /// The numbers of its motion as a whole.
    pub fn bouncer(&self) -> &SpaceBouncer {
        &self.bouncer
    }

    /// What it is made of and how it is animated.
    pub fn numbers(&self) -> &JellyNumbers {
        &self.numbers
    }

    fn size(&self) -> usize {
        SpaceMotion::SIZE + 6 * self.mesh.vertices().len()
    }

    /// The sections. What is kept does not change what is found, so a failed use does no harm.
    pub(super) fn slices(&self) -> MutexGuard<'_, Vec<Slice>> {
        self.slices.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Puppet for Jelly {
    fn points(&self) -> usize {
        self.mesh.vertices().len()
    }

    fn triangles(&self) -> &[[u32; 3]] {
        self.mesh.triangles()
    }

    fn start(&self) -> Vec<f64> {
        let mut memory = self.motion.write().to_vec();
        memory.resize(self.size(), 0.0);
        memory
    }

    fn step(
        &self,
        memory: &mut [f64],
        ground: &[HalfSpace],
        gravity: Vec3,
        length: f64,
    ) -> Result<f64, PuppetError> {
        puppet::check(memory, self.size(), ground, gravity)?;
        let parts = self.bouncer.parts(length);
        if !(length > 0.0 && parts <= MOST_PARTS) {
            return Err(PuppetError::Step { step: length, parts });
        }
        let mut motion = SpaceMotion::read(memory);
        let lost = self.bouncer.advance(&self.mesh, &mut motion, ground, gravity, length, parts as usize);
        if !motion.write().iter().all(|c| c.is_finite()) {
            return Err(PuppetError::NotFinite);
        }
        let (old, rates) = memory[SpaceMotion::SIZE..].split_at_mut(3 * self.points());
        let wanted = match self.touched(&motion, ground) {
            Some(seen) => {
                let [wrench, _] = self.bouncer.reaction(&self.mesh, &motion, ground, 0.0);
                self.settle(&seen, &wrench, old, length)?
            }
            None => vec![Vec3::zeros(); self.points()],
        };
        let lag = self.bouncer.internal_friction / length;
        let seen: Vec<Ground> = ground.iter().map(|half| self.bouncer.seen(half, &motion)).collect();
        for (k, x) in self.mesh.vertices().iter().enumerate() {
            let before = Vec3::new(old[3 * k], old[3 * k + 1], old[3 * k + 2]);
            let mut u = (wanted[k] + lag * before) / (1.0 + lag);
            // What is still in the ground stays on its surface.
            for ground in seen.iter().chain(seen.iter().filter(|_| seen.len() > 1)) {
                u += ground.depth(x + u).max(0.0) * ground.normal;
            }
            for c in 0..3 {
                rates[3 * k + c] = (u[c] - before[c]) / length;
                old[3 * k + c] = u[c];
            }
        }
        memory[..SpaceMotion::SIZE].copy_from_slice(&motion.write());
        Ok(lost)
    }

    fn show(&self, memory: &[f64], places: &mut [Vec3], velocities: &mut [Vec3]) {
        if memory.len() != self.size() {
            return;
        }
        let motion = SpaceMotion::read(memory);
        let spin = motion.momentum.component_div(&self.bouncer.inertia);
        let (moved, rates) = memory[SpaceMotion::SIZE..].split_at(3 * self.points());
        let vector = |from: &[f64], k: usize| Vec3::new(from[3 * k], from[3 * k + 1], from[3 * k + 2]);
        for (k, (place, velocity)) in places.iter_mut().zip(velocities).enumerate().take(self.points()) {
            let arm = self.mesh.vertices()[k] + vector(moved, k);
            *place = motion.position + motion.orientation * arm;
            *velocity = motion.velocity + motion.orientation * (spin.cross(&arm) + vector(rates, k));
        }
    }

    fn energies(&self, memory: &[f64], ground: &[HalfSpace], gravity: Vec3) -> [f64; 3] {
        if memory.len() != self.size() {
            return [f64::NAN; 3];
        }
        self.bouncer.energies(&self.mesh, &SpaceMotion::read(memory), ground, gravity)
    }

    fn momenta(&self, memory: &[f64]) -> [Vec3; 2] {
        if memory.len() != self.size() {
            return [Vec3::repeat(f64::NAN); 2];
        }
        let motion = SpaceMotion::read(memory);
        let momentum = self.bouncer.mass * motion.velocity;
        [momentum, motion.position.cross(&momentum) + motion.orientation * motion.momentum]
    }

    fn mass(&self) -> f64 {
        self.bouncer.mass
    }
}

#[cfg(test)]
#[path = "jelly_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "jelly_more_tests.rs"]
mod more_tests;
