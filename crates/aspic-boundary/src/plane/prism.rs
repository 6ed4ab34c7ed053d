//! A soft plane body with depth, as a puppet in space.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ear_clipping::triangulate;
use super::floor::{Floor, FloorError, Grip};
use super::plane_body::PlaneBody;
use super::puppet::{self, HalfSpace, Puppet, PuppetError, flat};
use super::rigid_motion::RigidMotion;
use super::{Vec2, Vec3, quarter};

/// Numbers of the motion as a whole, before the displacements and their rates.
const WHOLE: usize = 6;
/// A part of a unit vector smaller than this is rounding.
const ROUNDING: f64 = 1e-9;

/// A [`PlaneBody`] in the x–z plane, extruded along y.
///
/// The x and y of the outline are the x and z of space. All half-spaces act on the motion as a whole; the shape is that on
/// the one in which the body is deepest. The first half of the points is the cap at the smaller y.
pub struct Prism {
    body: Mutex<PlaneBody>,
    motion: RigidMotion,
    mass: f64,
    /// About the axis along y through the centroid  \[kg m²\]
    inertia: f64,
    rest: Vec<Vec2>,
    triangles: Vec<[u32; 3]>,
    depth: f64,
    middle: f64,
    grip: Grip,
    adhesion: f64,
}

/// Why there is no such prism.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PrismError {
    /// The depth is no length.
    #[error("the prism is {depth} m deep about y = {middle} m: give a positive depth and finite numbers")]
    Depth {
        /// Depth along y  \[m\]
        depth: f64,
        /// Middle along y  \[m\]
        middle: f64,
    },
    /// The caps would have holes.
    #[error("the outline has {0} loops: caps are made for one loop without holes")]
    Holes(usize),
    /// The floor cannot pull so.
    #[error(transparent)]
    Adhesion(#[from] FloorError),
}

impl Prism {
    /// The body as it is and moves, `depth` \[m\] deep about y = `middle` \[m\].
    pub fn new(body: PlaneBody, depth: f64, middle: f64) -> Result<Prism, PrismError> {
        if !(depth > 0.0 && depth.is_finite() && middle.is_finite()) {
            return Err(PrismError::Depth { depth, middle });
        }
        let outline = body.outline();
        if outline.loops() != 1 {
            return Err(PrismError::Holes(outline.loops()));
        }
        let n = outline.len() as u32;
        let mut triangles = triangulate(outline.vertices());
        for k in 0..triangles.len() {
            let [a, b, c] = triangles[k];
            triangles.push([n + a, n + c, n + b]);
        }
        for a in 0..n {
            let b = outline.next(a as usize) as u32;
            triangles.extend([[a, n + a, n + b], [a, n + b, b]]);
        }
        Ok(Prism {
            motion: *body.motion(),
            mass: body.bouncer().mass * depth,
            inertia: body.bouncer().inertia * depth,
            rest: outline.vertices().to_vec(),
            body: Mutex::new(body),
            triangles,
            depth,
            middle,
            grip: Grip::Slip,
            adhesion: 0.0,
        })
    }

    /// The same prism with another grip on the ground.
    pub fn with_grip(self, grip: Grip) -> Prism {
        Prism { grip, ..self }
    }

    /// The same prism on wet ground, which holds it until it is pulled with this stress  \[Pa\].
    pub fn with_adhesion(self, adhesion: f64) -> Result<Prism, PrismError> {
        Floor::through(Vec2::zeros(), Vec2::y())?.with_adhesion(adhesion)?;
        Ok(Prism { adhesion, ..self })
    }

    fn size(&self) -> usize {
        WHOLE + 4 * self.rest.len()
    }

    /// The workspace. Every use begins by setting all of it, so what a failed use left behind does not matter.
    fn body(&self) -> MutexGuard<'_, PlaneBody> {
        self.body.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn floors(&self, ground: &[HalfSpace]) -> Result<Vec<Floor>, PuppetError> {
        let floor = |(which, half): (usize, &HalfSpace)| {
            if half.normal.y.abs() > ROUNDING {
                return Err(PuppetError::Slanted { which, part: half.normal.y });
            }
            let floor = Floor::through(flat(half.point), flat(half.normal))?;
            Ok(floor.with_grip(self.grip).with_adhesion(self.adhesion)?)
        };
        ground.iter().enumerate().map(floor).collect()
    }
}

fn motion(memory: &[f64]) -> RigidMotion {
    let vector = |k: usize| Vec2::new(memory[k], memory[k + 1]);
    RigidMotion { position: vector(0), angle: memory[2], velocity: vector(3), spin: memory[5] }
}

impl Puppet for Prism {
    fn points(&self) -> usize {
        2 * self.rest.len()
    }

    fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    fn start(&self) -> Vec<f64> {
        let RigidMotion { position, angle, velocity, spin } = self.motion;
        let mut memory = vec![position.x, position.y, angle, velocity.x, velocity.y, spin];
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
        if gravity.y.abs() > ROUNDING * gravity.norm() {
            return Err(PuppetError::Gravity(gravity.y));
        }
        let floors = self.floors(ground)?;
        let mut body = self.body();
        *body.motion_mut() = motion(memory);
        let (old, rates) = memory[WHOLE..].split_at_mut(2 * self.rest.len());
        for (u, old) in body.displacements_mut().iter_mut().zip(old.chunks_exact(2)) {
            *u = Vec2::new(old[0], old[1]);
        }
        let lost = body.step(&floors, flat(gravity), length)?;
        let pairs = old.chunks_exact_mut(2).zip(rates.chunks_exact_mut(2));
        for (u, (old, rate)) in body.displacements().iter().zip(pairs) {
            for c in 0..2 {
                rate[c] = (u[c] - old[c]) / length;
                old[c] = u[c];
            }
        }
        let RigidMotion { position, angle, velocity, spin } = *body.motion();
        memory[..WHOLE].copy_from_slice(&[position.x, position.y, angle, velocity.x, velocity.y, spin]);
        Ok(lost * self.depth)
    }

    fn show(&self, memory: &[f64], places: &mut [Vec3], velocities: &mut [Vec3]) {
        if memory.len() != self.size() {
            return;
        }
        let (motion, n) = (motion(memory), self.rest.len());
        let turn = nalgebra::Rotation2::new(motion.angle);
        for (k, (place, velocity)) in places.iter_mut().zip(velocities).enumerate().take(2 * n) {
            let at = WHOLE + 2 * (k % n);
            let u = Vec2::new(memory[at], memory[at + 1]);
            let rate = Vec2::new(memory[at + 2 * n], memory[at + 2 * n + 1]);
            let arm = turn * (self.rest[k % n] + u);
            let y = self.middle + self.depth * if k < n { -0.5 } else { 0.5 };
            let (x, v) = (motion.position + arm, motion.velocity + motion.spin * quarter(arm) + turn * rate);
            (*place, *velocity) = (Vec3::new(x.x, y, x.y), Vec3::new(v.x, 0.0, v.y));
        }
    }

    fn energies(&self, memory: &[f64], ground: &[HalfSpace], gravity: Vec3) -> [f64; 3] {
        let Ok(floors) = self.floors(ground) else { return [f64::NAN; 3] };
        if memory.len() != self.size() {
            return [f64::NAN; 3];
        }
        let mut body = self.body();
        *body.motion_mut() = motion(memory);
        body.energies(&floors, flat(gravity)).map(|energy| energy * self.depth)
    }

    /// Turning from x to z is turning about −y.
    fn momenta(&self, memory: &[f64]) -> [Vec3; 2] {
        if memory.len() != self.size() {
            return [Vec3::repeat(f64::NAN); 2];
        }
        let RigidMotion { position, velocity, spin, .. } = motion(memory);
        let momentum = self.mass * Vec3::new(velocity.x, 0.0, velocity.y);
        let turning = Vec3::new(0.0, -self.inertia * spin, 0.0);
        [momentum, Vec3::new(position.x, self.middle, position.y).cross(&momentum) + turning]
    }

    fn mass(&self) -> f64 {
        self.mass
    }
}

#[cfg(test)]
#[path = "prism_tests.rs"]
mod tests;
