//! How far the points of a part move against the part itself.
//!
//! A part that touches itself cares for changes of its shape only. So the motion of its points is compared with that
//! of the whole part, which is carried along to first order like a rigid body:
//!
//!   y = A (z − c) + c + t,   A = 1 + \[ω\],   \[ω\] r = ω × r,   for any t and ω.
//!
//! Aᵀ A = 1 − \[ω\]² ≥ 1, so A brings no two points nearer. With e = y − A (x − c) − c − t, z is x + A⁻¹ e, no farther
//! from x than |e|. As long as |e| stays below the reach of each point, two primitives that were farther apart at x than
//! what they feel and both reaches do not feel each other at y. No step of this needs ω to be small.
//!
//! With ω = 0 it is enough that y − t stays in a box around the path of x + e. Both sets of y are convex, for all t
//! and ω together: a straight path stays in where its ends do.

use rayon::prelude::*;

use super::bounds::Bounds;
use super::reach::ContactDistance;
use super::surface::Surface;
use crate::{Mat3, Vec3};

/// Added to the moments of inertia, over their sum: a straight line of points has no moment about itself.
const ROUND: f64 = 1e-12;
/// Points below this number are not worth another thread.
const FEW_POINTS: usize = 2048;

/// The room of the points in parts that may touch themselves.
#[derive(Clone, Debug)]
pub struct Own {
    parts: Vec<OwnPart>,
    /// Which of the parts has a surface point.
    part_of: Vec<Option<u32>>,
    /// Positions when the room was made \[m\].
    from: Vec<Vec3>,
    /// The box of each surface point, for paths against its part. Empty in other parts.
    pub boxes: Vec<Bounds>,
    /// How far each surface point may move against its part \[m\].
    pub reach: Vec<f64>,
}

/// A part that may touch itself.
#[derive(Clone, Debug)]
struct OwnPart {
    /// Its number among all parts.
    part: usize,
    points: Vec<u32>,
    /// c \[m\]
    centre: Vec3,
    /// Inverse of Σ (r² − r rᵀ) \[1/m²\]
    lightness: Mat3,
    /// Boxes are those of the reach: the part turns more than it changes its shape.
    turns: bool,
    /// The planned motion.
    carried: Carried,
    /// d̂ \[m\]
    room: f64,
    /// Whether the last [`Own::fit`] made new room.
    renewed: bool,
}

/// How a whole part is carried along.
#[derive(Clone, Copy, Debug, Default)]
struct Carried {
    /// t \[m\]
    shift: Vec3,
    /// ω \[rad\]
    turn: Vec3,
}

impl Own {
    /// No room yet.
    pub fn new(surface: &Surface) -> Own {
        let of = |part: usize| OwnPart {
            part,
            points: surface.parts()[part].points.clone(),
            centre: Vec3::zeros(),
            lightness: Mat3::zeros(),
            turns: false,
            carried: Carried::default(),
            room: 0.0,
            renewed: false,
        };
        let own = (0..surface.parts().len()).filter(|&part| surface.may_touch(part, part));
        let parts: Vec<OwnPart> = own.map(of).collect();
        let mut part_of = vec![None; surface.rest().len()];
        for (k, part) in parts.iter().enumerate() {
            part.points.iter().for_each(|&p| part_of[p as usize] = Some(k as u32));
        }
        Own { parts, part_of, from: vec![], boxes: vec![], reach: vec![] }
    }

    /// Makes room for paths from `x` to `x_end` \[m\]: the path of each point against its part, a quarter of it on
    /// all sides, and the contact distance. Parts that have room for these paths keep it, unless `anew`.
    pub fn fit(&mut self, x: &[Vec3], x_end: &[Vec3], distance: &ContactDistance, anew: bool) {
        let mut parts = std::mem::take(&mut self.parts);
        let fits = |part: &OwnPart| !anew && self.holds(part, x) && self.holds(part, x_end);
        parts.par_iter_mut().for_each(|part| {
            part.renewed = !fits(part);
            if part.renewed {
                part.plan(x, x_end, distance);
            }
        });
        self.parts = parts;
        let Own { parts, part_of, from, boxes, reach } = self;
        from.resize(x.len(), Vec3::zeros());
        boxes.resize(x.len(), Bounds::EMPTY);
        reach.resize(x.len(), 0.0);
        let each = |(i, ((from, bounds), reach)): (usize, ((&mut Vec3, &mut Bounds), &mut f64))| {
            let part = part_of[i].map(|part| &parts[part as usize]);
            if let Some(part) = part.filter(|part| part.renewed) {
                *from = x[i];
                (*bounds, *reach) = part.room_of(&x[i], &x_end[i]);
            }
        };
        let points = from.par_iter_mut().zip(boxes).zip(reach).enumerate();
        points.with_min_len(FEW_POINTS).for_each(each);
    }

    /// The parts that the last [`Own::fit`] made new room for, ascending.
    pub fn renewed(&self) -> impl Iterator<Item = usize> + '_ {
        self.parts.iter().filter(|part| part.renewed).map(|part| part.part)
    }

    /// Whether all points that end at `x_end` \[m\] keep their room.
    pub fn covers(&self, x_end: &[Vec3]) -> bool {
        self.from.len() == x_end.len() && self.parts.par_iter().all(|part| self.holds(part, x_end))
    }

    fn holds(&self, part: &OwnPart, x_end: &[Vec3]) -> bool {
        if self.from.len() != x_end.len() {
            return false;
        }
        let carried = part.carried(&self.from, x_end);
        part.points.iter().all(|&p| {
            let (p, from, to) = (p as usize, &self.from[p as usize], &x_end[p as usize]);
            (to - part.follow(&carried, from)).norm() <= self.reach[p]
                && (part.turns || self.boxes[p].holds(&(to - carried.shift)))
        })
    }
}

impl OwnPart {
    /// Takes centre and moments from positions x.
    fn lay(&mut self, x: &[Vec3]) {
        let at = |&p: &u32| x[p as usize];
        self.centre = self.points.iter().map(at).sum::<Vec3>() / self.points.len().max(1) as f64;
        let moment = |r: Vec3| Mat3::identity() * r.norm_squared() - r * r.transpose();
        let moments: Mat3 = self.points.iter().map(|p| moment(at(p) - self.centre)).sum();
        let round = Mat3::identity() * (ROUND * moments.trace());
        self.lightness = (moments + round).try_inverse().unwrap_or_else(Mat3::zeros);
    }

    /// Makes a frame for paths from x to `x_end`.
    fn plan(&mut self, x: &[Vec3], x_end: &[Vec3], distance: &ContactDistance) {
        self.lay(x);
        self.room = distance.room(self.part);
        self.carried = self.carried(x, x_end);
        self.turns = self.mostly_turns(x, x_end);
    }

    /// The box and the reach of a point.
    fn room_of(&self, from: &Vec3, to: &Vec3) -> (Bounds, f64) {
        let reach = self.room + 1.25 * (to - self.follow(&self.carried, from)).norm();
        let to = to - self.carried.shift;
        let bounds = match self.turns {
            true => Bounds::of_path(from, from, reach),
            false => Bounds::of_path(from, &to, self.room + 0.25 * (to - from).norm()),
        };
        (bounds, reach)
    }

    /// The t and ω that leave the least squares of e.
    fn carried(&self, x: &[Vec3], y: &[Vec3]) -> Carried {
        let (mut shift, mut swing) = (Vec3::zeros(), Vec3::zeros());
        for &p in &self.points {
            let (x, moved) = (x[p as usize], y[p as usize] - x[p as usize]);
            shift += moved;
            swing += (x - self.centre).cross(&moved);
        }
        Carried { shift: shift / self.points.len().max(1) as f64, turn: self.lightness * swing }
    }

    /// Where a point goes when it is carried along \[m\].
    fn follow(&self, carried: &Carried, x: &Vec3) -> Vec3 {
        x + carried.shift + carried.turn.cross(&(x - self.centre))
    }

    /// Whether cubes around the reach are smaller than boxes around the paths, by the sums of their sides. Both have
    /// the same room beside.
    fn mostly_turns(&self, x: &[Vec3], x_end: &[Vec3]) -> bool {
        let carried = &self.carried;
        let (mut cubes, mut paths) = (0.0, 0.0);
        for &p in &self.points {
            let (from, to) = (&x[p as usize], &x_end[p as usize]);
            cubes += 6.0 * 1.25 * (to - self.follow(carried, from)).norm();
            let path = to - carried.shift - from;
            paths += path.lp_norm(1) + 6.0 * 0.25 * path.norm();
        }
        cubes < paths
    }
}
