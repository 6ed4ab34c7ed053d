//! Where the search for the end of a step begins.
//!
//! In flight the motion goes on as it did, which is almost the end of the step. In contact it does not: what the last
//! searches left over, a little in every velocity, is doubled in q + v h + ½ a h², and moves surfaces by more than the gaps
//! between them. There a step had better begin where it is. So bodies that touch may stay while the others go on, and the
//! potential itself tells which of three places is nearest to its minimum.

use super::Implicit;
use super::profile::Stage;
use super::turns::turn_ahead;
use crate::Vec3;
use crate::state::State;
use crate::world::World;

/// Nobody goes ahead by more than this many sizes of the smallest body in a step.
const FARTHEST: f64 = 1e4;
/// Part of the way to the first obstacle that is gone where not all is free.
const SHARE: f64 = 0.9;
/// Ways that are tried, each half of the one before.
const WAYS: usize = 4;

impl Implicit {
    /// Plans the end of the step: where the last acceleration would lead, or gravity alone if there is no past. Free
    /// bodies are turned by their spin.
    pub(super) fn plan(&mut self, world: &World, now: &State, h: f64) {
        let weights = &self.objective.weights;
        self.planned.clear();
        if self.past.step > 0.0 {
            let ahead = weights.base.iter().zip(&now.v).zip(&self.past.a);
            self.planned.extend(ahead.map(|((base, v), a)| base + (v + a * h) / weights.rate));
        } else {
            let fall = world.gravity.acceleration / weights.rate.powi(2);
            self.planned.extend(weights.aim.iter().map(|aim| aim + fall));
        }
        let acceleration = (self.past.step > 0.0).then_some(&self.past.a[..]);
        for nodes in &self.free_bodies {
            let center = world.inertia.center(&self.planned, nodes.clone());
            let motion = [&now.q[..], &now.v[..]];
            turn_ahead(&world.inertia, nodes.clone(), motion, acceleration, h, center, &mut self.planned);
        }
        self.aims.iter().for_each(|&(node, end)| self.planned[node] = end);
    }

    /// Moves q to where the search begins. Prescribed motions allow the planned end only, and only if nothing is in the way.
    pub(super) fn go_ahead(&mut self, world: &World, now: &State, q: &mut [Vec3]) {
        self.ahead = true;
        self.planned.iter_mut().zip(&*q).for_each(|(x, q)| *x -= q);
        if !self.planned.iter().all(|d| d.amax() < FARTHEST * world.scale.length) {
            return;
        }
        let moved = self.aims.iter().any(|&(node, end)| q[node] != end);
        let touches = self.objective.find_touches(world, q);
        let free = self.part_free(world, q) == 1.0;
        if touches && !moved {
            self.choose(world, &now.q, free, q);
        } else if free {
            q.iter_mut().zip(&self.planned).for_each(|(q, d)| *q += d);
            self.aims.iter().for_each(|&(node, end)| q[node] = end);
        }
    }

    /// Moves q to where the potential is least: all the way if that is `free`, or as far as goes without the bodies that touch,
    /// or not at all.
    fn choose(&mut self, world: &World, from: &[Vec3], free: bool, q: &mut [Vec3]) {
        self.ahead = false;
        let mut least = self.objective.energy(world, from);
        if free {
            self.consider(world, from, 1.0, q, &mut least);
        }
        for body in self.objective.touched_bodies(world) {
            self.planned[world.topology.bodies[body].nodes.clone()].fill(Vec3::zeros());
        }
        if self.planned.iter().all(|d| *d == Vec3::zeros()) {
            return;
        }
        let limit = self.part_free(world, from);
        let mut part = if limit == 1.0 { 1.0 } else { SHARE * limit };
        for _ in 0..WAYS {
            if self.consider(world, from, part, q, &mut least) {
                return;
            }
            part *= 0.5;
        }
    }

    /// Moves q to a part of the planned way if the potential is less there. Returns whether it is.
    fn consider(&mut self, world: &World, from: &[Vec3], part: f64, q: &mut [Vec3], least: &mut f64) -> bool {
        let Implicit { trial, planned, objective, profile, .. } = &mut *self;
        trial.clear();
        trial.extend(from.iter().zip(&*planned).map(|(q, d)| q + d * part));
        let energy = profile.time(Stage::LineSearch, || objective.energy(world, trial));
        let better = energy < *least;
        if better {
            *least = energy;
            q.copy_from_slice(trial);
        }
        self.ahead |= better && part == 1.0;
        better
    }

    /// The part of the planned way from q that crosses nothing.
    fn part_free(&mut self, world: &World, q: &[Vec3]) -> f64 {
        let Implicit { planned, objective, profile, .. } = self;
        profile.time(Stage::Detection, || objective.limit(world, q, planned))
    }
}
