//! The shape of a jelly on the ground, from its two sections.

use super::immersed::Ground;
use super::jelly::Jelly;
use super::puppet::{HalfSpace, PuppetError};
use super::sections::{Section, TwoSections};
use super::shape::Load;
use super::slice::{Rounded, Slice};
use super::space_bouncer::{Wrench, force, torque};
use super::space_motion::SpaceMotion;
use super::{BodyForce, Polygon, Vec2, Vec3, quarter};

/// So many sections are kept.
const KEPT: usize = 64;
/// The axis of the sections leans from the normal of the ground no more than to this cosine.
const LEAN: f64 = 0.5;
/// The middle of a contact must be this part of the diameter aside to choose the first section.
const ASIDE: f64 = 0.05;

impl Jelly {
    /// The ground in which the body is deepest, if it touches any.
    pub(super) fn touched(&self, motion: &SpaceMotion, ground: &[HalfSpace]) -> Option<Ground> {
        let mut best = None;
        let mut most = if self.bouncer.adhesion > 0.0 { -self.bouncer.reach } else { 0.0 };
        for half in ground {
            let seen = self.bouncer.seen(half, motion);
            let depth = self.mesh.vertices().iter().map(|x| seen.depth(*x)).fold(most, f64::max);
            if depth > most {
                (best, most) = (Some(seen), depth);
            }
        }
        best
    }

    /// The axis from the middle of the contact to the centroid, and the side to which the contact is.
    ///
    /// Where the contact is below the centroid the side is that of a principal axis.
    pub(super) fn planes(&self, ground: &Ground) -> Result<(TwoSections, [Vec3; 3]), PuppetError> {
        let normal = ground.normal;
        let contact = self.bouncer.touched(&self.mesh, ground);
        let level = |v: Vec3| v - normal.dot(&v) * normal;
        let mut fixed = Vec3::zeros();
        fixed[normal.iamin()] = ASIDE * self.bouncer.diameter;
        let mut side = level(if contact.area > 0.0 { contact.middle } else { Vec3::zeros() } + fixed);
        if side.norm() < 1e-3 * fixed.norm() {
            side = level(fixed);
        }
        let up = -contact.middle.try_normalize(0.0).unwrap_or(-normal);
        let axis = if contact.area > 0.0 && up.dot(&normal) > LEAN { up } else { normal };
        let across = axis.cross(&side).normalize();
        let planes = TwoSections::new(Vec3::zeros(), axis, side)?;
        Ok((planes, [axis, across.cross(&axis), across]))
    }

    /// What the two sections do to all vertices: w of u + τ du/dt = w  \[m\].
    pub(super) fn settle(
        &self,
        ground: &Ground,
        wrench: &Wrench,
        old: &[f64],
        length: f64,
    ) -> Result<Vec<Vec3>, PuppetError> {
        let (planes, [axis, first, second]) = self.planes(ground)?;
        let mut slices = self.slices();
        let mut solve = |side: Vec3| -> Result<(Polygon, Vec<Vec2>), PuppetError> {
            let slice = self.slice(&mut slices, Rounded::from(side.cross(&axis)))?;
            self.press(slice, ground, wrench, old, length)?;
            let up = slice.flat(axis).normalize();
            let turned = |v: &Vec2| Vec2::new(-v.dot(&quarter(up)), v.dot(&up));
            let outline = slice.shape.outline();
            let moved = (0..outline.len()).map(|k| turned(&slice.shape.floating().displacement(k))).collect();
            Ok((outline.mapped(|x| turned(&x)), moved))
        };
        let solved = [solve(first)?, solve(second)?];
        drop(slices);
        let exponent = self.numbers.exponent;
        let [a, b] = [&solved[0], &solved[1]].map(|(outline, moved)| Section::new(outline, moved, exponent));
        let sections = [&a?, &b?];
        Ok(self.mesh.vertices().iter().map(|x| planes.displacement(sections, *x)).collect())
    }

    /// The equilibrium of one section.
    fn press(
        &self,
        slice: &mut Slice,
        ground: &Ground,
        wrench: &Wrench,
        old: &[f64],
        length: f64,
    ) -> Result<(), PuppetError> {
        slice.remember(old);
        let (floor, part) = slice.floor(ground)?;
        let floor = floor.with_grip(self.numbers.grip).with_adhesion(self.bouncer.adhesion)?;
        let turning = torque(wrench).component_div(&self.bouncer.inertia);
        let inertia = BodyForce {
            uniform: -slice.flat(force(wrench)) / self.volume,
            centrifugal: 0.0,
            euler: self.numbers.substance.density * turning.dot(&slice.axes[0].cross(&slice.axes[1])),
        };
        let reach = if self.bouncer.adhesion > 0.0 { self.bouncer.reach / part } else { 0.0 };
        let internal_friction = self.bouncer.internal_friction;
        Ok(slice.shape.find(&Load { floor, inertia, internal_friction, length, reach })?)
    }

    /// A section from those that are kept, or a new one.
    fn slice<'a>(&self, slices: &'a mut Vec<Slice>, key: Rounded) -> Result<&'a mut Slice, PuppetError> {
        let slice = match slices.iter().position(|slice| slice.key == key) {
            Some(at) => slices.remove(at),
            None => Slice::new(&self.mesh, &self.edges, key, self.numbers.section_vertices, &self.medium)?,
        };
        if slices.len() >= KEPT {
            slices.remove(0);
        }
        slices.push(slice);
        let last = slices.len() - 1;
        Ok(&mut slices[last])
    }
}
