//! Implicit steps at animation rate: each is the minimum of a potential, reached along a path that crosses nothing.

mod accounts;
mod accuracy;
mod ahead;
mod culprit;
mod momentum;
mod newton;
mod objective;
mod profile;
mod rigid;
mod scheme;
mod spin;
mod turns;

pub use newton::NewtonSettings;
pub use profile::{Profile, Stage};
use scheme::LARGEST_RATIO;
pub use scheme::{Past, Scheme};

use std::ops::Range;

use super::{Integrator, Step, StepError, StepLimits};
use crate::state::State;
use crate::world::{Multipliers, World};
use crate::{Mat3, Vec3};
use accounts::{Books, Made};
use accuracy::{MOST_LOST, Verdict, impact_loss, judge, resting_energy};
use momentum::{Known, keep_momenta, made_up_past};
use newton::{COULOMB, Newton, Task, Trouble};
use objective::Objective;
use spin::follow_spins;

/// What implicit steps can be told.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImplicitSettings {
    /// The scheme.
    pub scheme: Scheme,
    /// The search for the minimum.
    pub newton: NewtonSettings,
    /// Error that a step may make in any coordinate, relative to the size of the smallest body; `None` for steps that
    /// follow contacts only.
    pub step_tolerance: Option<f64>,
    /// Steps are of one length also while contacts come and go, and bounces what such steps leave of them.
    pub fixed: bool,
}

/// Default tolerance of the search: a speed \[m/s\], and the same in parts of gravity and of the bodies' size.
const TOLERANCE: f64 = 3e-3;
const TOLERANCE_OF_GRAVITY: f64 = 0.02;
const TOLERANCE_OF_SIZE: f64 = 0.03;
/// Friction remembers normal forces anew from when the search is so many usual tolerances from its end: those before belong to
/// gaps that are not settled. A tighter tolerance makes it no later.
const NEAR: f64 = 10.0;
/// Part of the longest step that counts at least in the second.
const SHORTEST_CREEP: f64 = 1.0 / 16.0;
/// Where steps have a tolerance, the way that the search leaves is at most this part of it.
const TOLERANCE_OF_STEP: f64 = 0.1;
/// A step is halved while a body would pass this part of the other's thickness in it.
const PASSAGE: f64 = 1.0;
/// But not more often than this.
const MOST_HALVINGS_FOR_SPEED: u32 = 6;
/// Times that differ by this part are the same but for rounding: nothing moves between them.
const INSTANT: f64 = 1e-14;
/// Nor in this part of the longest step: an event just before a frame leaves such a rest. The way moved in it, over its
/// length, would be a speed made of rounding errors.
const INSTANT_OF_STEP: f64 = 1e-8;
/// Rounding of a coordinate on its way through a step, in units of its last place: no search gets nearer to the minimum.
const ROUNDING: f64 = 8.0;

/// Part of the energy in play that a step may make out of nothing while something touches. What it makes it may lose again,
/// but more than this is the past of a scheme that is no longer true, or the beginning of an explosion; and an impact has
/// many steps.
const MOST_MADE: f64 = 0.003;
/// The same where nothing touches, if the whole run has made more than it lost: steps that damp may give back what they took.
const MOST_MADE_IN_FLIGHT: f64 = 0.05;
/// Part of the most energy that has been in play that steps may make one after another. From then on those that would make
/// more while something touches are taken by a scheme that damps more.
const MOST_MADE_IN_ALL: f64 = 0.004;
/// The trapezoid damps nothing: what its searches leave over is never lost again, so they leave less, by this factor.
const UNDAMPED: f64 = 0.01;
/// Steps are not made shorter than this part of the longest: an impact makes energy at any length. What makes energy then is
/// taken by a scheme that damps more.
const SHORT_ENOUGH: f64 = 1.0 / 1024.0;

/// Backward Euler, BDF2 or the trapezoid, with contact.
pub struct Implicit {
    settings: ImplicitSettings,
    limits: StepLimits,
    objective: Objective,
    newton: Newton,
    books: Books,
    past: Past,
    /// The scheme of this step: BDF2 in place of a trapezoid where something touches.
    scheme: Scheme,
    /// Where each prescribed vertex must end.
    aims: Vec<(usize, Vec3)>,
    planned: Vec<Vec3>,
    /// Where its search might begin.
    trial: Vec<Vec3>,
    /// Whether it begins at the planned end.
    ahead: bool,
    /// Accelerations at the end of the step  \[m/s²\]
    acceleration: Vec<Vec3>,
    /// Nodes of the bodies that move freely.
    free_bodies: Vec<Range<usize>>,
    /// Rotations that they make in the step.
    rotations: Vec<Mat3>,
    /// What the step has made out of nothing.
    made: Made,
    /// End of the last step that was too long. Steps end on frames, so this is never beyond the next one  \[s\]
    careful_until: f64,
    profile: Profile,
}

impl Implicit {
    /// For this world.
    pub fn new(world: &World, settings: ImplicitSettings, limits: StepLimits) -> Implicit {
        Implicit {
            settings,
            limits,
            objective: Objective::new(world),
            newton: Newton::new(world, &settings.newton),
            books: Books::default(),
            past: Past::default(),
            scheme: settings.scheme,
            aims: vec![],
            planned: vec![Vec3::zeros(); world.nodes()],
            trial: vec![],
            ahead: true,
            acceleration: vec![],
            free_bodies: vec![],
            rotations: vec![],
            made: Made::default(),
            careful_until: f64::NEG_INFINITY,
            profile: Profile::default(),
        }
    }

    /// Newton's tolerance where none is asked for, in steps of length h \[m/s\].
    fn usual_tolerance(&self, world: &World, h: f64) -> f64 {
        let gravity = world.gravity.acceleration.norm();
        // Steps that are shortened for a moment need not creep.
        let span = h.max(SHORTEST_CREEP * self.limits.max_step);
        let of_gravity = if gravity > 0.0 { TOLERANCE_OF_GRAVITY * gravity * span } else { TOLERANCE };
        let fixed = TOLERANCE.min(of_gravity).min(TOLERANCE_OF_SIZE * world.scale.length);
        let of_step = |part: f64| TOLERANCE_OF_STEP * part * world.scale.length / h;
        self.settings.step_tolerance.map_or(fixed, |part| fixed.min(of_step(part)))
    }

    /// The same from these positions, as asked for \[m/s\].
    fn tolerance(&self, world: &World, q: &[Vec3], h: f64) -> f64 {
        let farthest = q.iter().map(Vec3::amax).fold(0.0, f64::max);
        let wanted = self.settings.newton.tolerance.unwrap_or_else(|| self.usual_tolerance(world, h));
        let damped = self.settings.scheme != Scheme::Trapezoid;
        let wanted = wanted * if damped { 1.0 } else { UNDAMPED };
        wanted.max(ROUNDING * f64::EPSILON * farthest / h)
    }

    /// Whether there is no time to move in before `limit`.
    fn is_instant(&self, way: f64, limit: f64) -> bool {
        way <= (INSTANT * limit).max(self.instant())
    }

    /// Freezes what a step of length h to time `end` keeps, and moves q from `now.q` to where the search begins.
    fn prepare(&mut self, world: &World, now: &State, h: f64, end: f64, q: &mut [Vec3]) {
        let objective = &mut self.objective;
        // Steps that grow by their error double often, and must not lose their past by a rounding.
        let slack = if self.settings.step_tolerance.is_some() { 1e-9 } else { 0.0 };
        let phase = &world.phases[objective.work.phase];
        world.free_bodies(&phase.free.mask, &mut self.free_bodies);
        objective.weights.set(self.scheme, now, &self.past, h, LARGEST_RATIO + slack);
        let (free, from) = (&self.free_bodies, (now, &self.past));
        self.rotations.clear();
        follow_spins(&world.inertia, free, from, h, &mut objective.weights, &mut self.rotations);
        objective.begin(world, from, h, free, &self.rotations);
        objective.state.t = end;
        self.aims.clear();
        for (_, node, motion) in phase.motions(&world.constraints, end) {
            self.aims.push((node, motion.position));
            objective.weights.prescribe(node, [motion.position, motion.velocity, motion.acceleration]);
        }
        self.plan(world, now, h);
        let Implicit { objective, planned, profile, .. } = self;
        profile.time(Stage::Detection, || objective.detect(world, now, planned));
        let regular = self.settings.scheme.rate(self.limits.max_step);
        objective.harden(world, regular);
        self.go_ahead(world, now, q);
        let Implicit { objective, newton, .. } = self;
        self.profile.time(Stage::Assembly, || {
            objective.assemble(world, q, &mut newton.system);
            objective.stiffen(world, &newton.system, now);
        });
    }

    /// One step of length h, to time `end`.
    ///
    /// Schemes of second order need a past. Where there is none, at the start of a run and after every jump, a step of backward
    /// Euler on trial tells the acceleration, and a past that leads to it is made up, with which free fall is exact.
    fn attempt(
        &mut self,
        world: &World,
        now: &State,
        h: f64,
        end: f64,
        next: &mut State,
    ) -> Result<(), Trouble> {
        let fresh = self.is_fresh();
        self.search(world, now, h, end, next)?;
        if !fresh || self.objective.touches() {
            return Ok(());
        }
        self.books.weigh(world, &mut self.objective, &next.q).map_err(Trouble::Force)?;
        let mut acceleration = vec![];
        self.objective.weights.acceleration(&next.q, &mut acceleration);
        let trial = (&next.q[..], self.books.forces());
        self.past = made_up_past(&world.inertia, &self.free_bodies, now, trial, acceleration, h);
        let found = self.search(world, now, h, end, next);
        if found.is_err() {
            self.past = Past::default();
        }
        found
    }

    /// Whether a scheme of second order has no past. Checkpoints keep the past, so that a resumed run goes the same way.
    fn is_fresh(&self) -> bool {
        self.past.step == 0.0 && self.settings.scheme != Scheme::BackwardEuler
    }

    /// The minimum of a step of length h, to time `end`.
    fn search(
        &mut self,
        world: &World,
        now: &State,
        h: f64,
        end: f64,
        next: &mut State,
    ) -> Result<(), Trouble> {
        next.q.copy_from_slice(&now.q);
        self.prepare(world, now, h, end, &mut next.q);
        let tolerance = self.tolerance(world, &now.q, h);
        let near = NEAR * tolerance.max(self.usual_tolerance(world, h));
        let Implicit { objective, newton, aims, free_bodies, .. } = self;
        let undamped = self.settings.scheme == Scheme::Trapezoid;
        let loose = if undamped { UNDAMPED * UNDAMPED } else { 1.0 };
        let settings = &self.settings.newton;
        let task =
            Task { settings, tolerance, near, ahead: self.ahead, loose, from: &now.q, aims, free_bodies };
        newton.minimise(world, objective, task, &mut next.q, &mut self.profile)
    }

    /// Number of steps of at most `dt` in which a way \[s\] is covered.
    fn parts(&self, way: f64, dt: f64) -> f64 {
        (way / dt.min(self.limits.max_step) * (1.0 - 1e-9)).ceil().max(1.0)
    }

    /// Whether the step of length h that reached q was short enough, and how long the next may be; the last suggestion
    /// was `dt`.
    fn judge(&self, world: &World, h: f64, dt: f64, q: &[Vec3], misses: u32) -> Verdict {
        let longest = self.limits.max_step;
        let Some(tolerance) = self.settings.step_tolerance else {
            // Steps grow back one doubling at a time.
            return Verdict::Taken { suggested: (2.0 * h).min(longest).max(dt.min(2.0 * h)) };
        };
        let Objective { weights, work, .. } = &self.objective;
        let free = &world.phases[work.phase].free.mask;
        let excess = weights.local_error(q, &self.past, h, free) / (tolerance * world.scale.length);
        match judge(excess, weights.order, h, misses, self.limits.min_step) {
            Verdict::Taken { suggested } => Verdict::Taken { suggested: suggested.min(longest) },
            again => again,
        }
    }

    /// The same by the energy that the step itself destroys or makes in contacts, and makes anywhere.
    fn judge_energy(
        &mut self,
        world: &World,
        now: &State,
        next: &State,
        h: f64,
        verdict: Verdict,
    ) -> Verdict {
        let shortest = (SHORT_ENOUGH * self.limits.max_step).max(self.limits.min_step);
        let may_shrink = h > 2.0 * shortest;
        let forces = self.books.forces();
        let pull = |node: usize| forces.afar[node] + forces.load[node];
        let touched = now.accounts.contact > 0.0 || next.accounts.contact > 0.0;
        let made = self.books.made(now, next, resting_energy(world, pull));
        self.made = made;
        let owing = touched && made.in_all > MOST_MADE_IN_ALL && made.now > 0.0;
        let undamped = self.scheme == Scheme::Trapezoid;
        let too_much = match (touched, undamped) {
            (true, _) => made.now > MOST_MADE,
            (false, true) => made.now > MOST_MADE_IN_FLIGHT,
            (false, false) => made.now.min(made.on_the_whole) > MOST_MADE_IN_FLIGHT,
        };
        if undamped && touched {
            return Verdict::Undamped;
        }
        if too_much && !undamped && may_shrink || self.newton.coulomb_excess > COULOMB && may_shrink {
            return Verdict::TooLong { longest: 0.5 * h };
        }
        if (too_much || owing) && self.scheme != Scheme::BackwardEuler {
            return Verdict::Undamped;
        }
        let (Verdict::Taken { suggested }, true, false) = (verdict, touched, self.settings.fixed) else {
            return verdict;
        };
        let before = if self.past.step > 0.0 { &self.past.a[..] } else { &[] };
        let excess = impact_loss(world, (now, next), (before, &self.acceleration), pull, h) / MOST_LOST;
        let factor = (0.8 * excess.max(1e-12).powf(-0.5)).clamp(0.1, 2.0);
        if excess > 1.0 && may_shrink {
            return Verdict::TooLong { longest: (h * factor.min(0.7)).max(shortest) };
        }
        Verdict::Taken { suggested: suggested.min((h * factor).max(shortest)) }
    }

    /// Velocities, accounts and the past after a step of length h that reached `next.q`, if it is to be taken.
    fn finish(
        &mut self,
        world: &World,
        now: &State,
        h: f64,
        end: f64,
        next: &mut State,
        verdict: Verdict,
    ) -> Result<Verdict, Trouble> {
        if !matches!(verdict, Verdict::Taken { .. }) {
            return Ok(verdict);
        }
        next.t = end;
        next.memory.clone_from(&now.memory);
        let objective = &mut self.objective;
        objective.weights.velocity(&next.q, &mut next.v);
        world.prescribe(next, &objective.work);
        let pushes = self.books.weigh(world, objective, &next.q).map_err(Trouble::Force)?;
        objective.weights.acceleration(&next.q, &mut self.acceleration);
        let known = Known { weights: &objective.weights, now, past: &self.past };
        let (bodies, forces, acceleration) = (&self.free_bodies, self.books.forces(), &mut self.acceleration);
        keep_momenta(&world.inertia, bodies, world.is_closed(now), known, forces, next, acceleration);
        if self.settings.scheme == Scheme::Trapezoid {
            world.settle_velocities(next, &mut objective.work);
        }
        self.books.close(world, objective, now, next, &self.free_bodies, pushes, h);
        let verdict = self.judge_energy(world, now, next, h, verdict);
        if !matches!(verdict, Verdict::Taken { .. }) {
            return Ok(verdict);
        }
        if self.settings.scheme == Scheme::Trapezoid {
            self.renew_constraints(world, next);
        }
        std::mem::swap(&mut self.past.a, &mut self.acceleration);
        self.profile.coulomb_excess = self.profile.coulomb_excess.max(self.newton.coulomb_excess);
        self.profile.made_in_step = self.profile.made_in_step.max(self.made.now);
        self.profile.searches = self.objective.touching.as_ref().map_or(0, |touching| touching.rebuilds);
        self.past.step = h;
        self.past.q.clone_from(&now.q);
        self.past.v.clone_from(&now.v);
        Ok(verdict)
    }

    /// Gives the accelerations at the end the forces of exact constraints that follow from the state there.
    ///
    /// Of the multipliers of both ends of a step only the mean is determined by where it must end, so that those of the
    /// trapezoid would swing from one side to the other for ever. So each step of it begins with the multipliers of the
    /// accelerations, and velocities are projected onto the constraints.
    fn renew_constraints(&mut self, world: &World, next: &State) {
        let Implicit { objective, books, acceleration, planned, .. } = self;
        let pulls = &books.forces().constraint;
        if pulls.iter().all(|pull| *pull == Vec3::zeros()) {
            return;
        }
        let phase = &world.phases[objective.work.phase];
        planned.fill(Vec3::zeros());
        phase.free.factor.solve(pulls, planned, &mut objective.work.columns);
        let free = acceleration.iter_mut().zip(&*planned).zip(&phase.free.mask).filter(|(_, free)| **free);
        free.for_each(|((a, pulled), _)| *a -= pulled);
        Multipliers::constrain(world, next, acceleration, &mut objective.work);
    }

    fn explain(trouble: Trouble, t: f64, dt: f64) -> StepError {
        match trouble {
            Trouble::Force(error) => StepError::from_force(error, t, dt),
            Trouble::Locked { spot } => StepError::Locked { t, dt, spot },
            Trouble::Capped { spot } => StepError::NoMinimum { t, dt, spot },
            Trouble::Blocked { node, spot } => StepError::Blocked { t, dt, node, spot },
        }
    }
}

impl Integrator for Implicit {
    fn step(
        &mut self,
        world: &World,
        now: &State,
        dt: f64,
        limit: f64,
        next: &mut State,
    ) -> Result<Step, StepError> {
        self.objective.work.phase = world.phase_at(now.t);
        if self.objective.work.phase != world.phase_at(now.t - 0.5 * self.past.step) {
            // What lets go jumps; the past says nothing about it.
            self.past = Past::default();
        }
        let way = limit - now.t;
        if self.is_instant(way, limit) {
            next.clone_from(now);
            next.t = limit;
            return Ok(Step { taken: way, suggested: dt, rejected: 0 });
        }
        let fresh = self.is_fresh();
        let mut parts = self.parts(way, dt);
        let mut step = Step::default();
        let (mut halvings, mut misses) = (0, 0);
        self.scheme = self.settings.scheme;
        if self.scheme == Scheme::Trapezoid && now.accounts.contact > 0.0 {
            self.scheme = Scheme::Bdf2;
        }
        loop {
            let h = way / parts;
            let end = if parts == 1.0 { limit } else { now.t + h };
            let may_halve = halvings < MOST_HALVINGS_FOR_SPEED && 0.5 * h >= self.limits.min_step;
            let fast = may_halve && self.objective.passes(world, now, h, PASSAGE);
            if !fast {
                // Among the workers from here on: threads change once in a step, not at every parallel loop.
                let found = rayon::scope(|_| self.attempt(world, now, h, end, next));
                let verdict = found.map(|()| self.judge(world, h, dt, &next.q, misses));
                match verdict.and_then(|verdict| self.finish(world, now, h, end, next, verdict)) {
                    Ok(Verdict::Taken { suggested }) => {
                        // What was met by a longer step is still ahead.
                        let careful = end < self.careful_until;
                        (step.taken, step.suggested) =
                            (h, if careful { suggested.min(h) } else { suggested });
                        return Ok(step);
                    }
                    Ok(Verdict::TooLong { longest }) => {
                        (step.rejected, misses) = (step.rejected + 1, misses + 1);
                        parts = (way / longest).ceil().max(parts + 1.0);
                        if fresh {
                            self.past = Past::default();
                        }
                        self.careful_until = end;
                        continue;
                    }
                    Ok(Verdict::Undamped) => {
                        step.rejected += 1;
                        self.scheme = self.scheme.more_damped();
                        continue;
                    }
                    Err(trouble) if 0.5 * h < self.limits.min_step => {
                        return Err(Implicit::explain(trouble, now.t, h));
                    }
                    Err(_) => step.rejected += 1,
                }
            }
            parts *= 2.0;
            halvings += 1;
        }
    }

    /// Bodies that start within the contact distance hold energy, with the stiffness that the first step will give
    /// their contacts.
    fn open(&mut self, world: &World, start: &mut State, dt: f64, limit: f64) {
        let way = limit - start.t;
        if world.contact.is_none() || self.is_instant(way, limit) {
            return;
        }
        self.objective.work.phase = world.phase_at(start.t);
        self.scheme = self.settings.scheme;
        let parts = self.parts(way, dt);
        let end = if parts == 1.0 { limit } else { start.t + way / parts };
        let mut q = start.q.clone();
        self.prepare(world, start, way / parts, end, &mut q);
        start.accounts.contact = self.objective.push_at(world, &start.q, self.books.contact_mut());
    }

    fn interpolate(&mut self, _: &World, now: &State, next: &State, t: f64, out: &mut State) {
        // Steps end on frames, so this is only asked for by those who look between them.
        let s = (t - now.t) / (next.t - now.t);
        out.clone_from(next);
        out.t = t;
        out.q.iter_mut().zip(&now.q).for_each(|(x, before)| *x = before.lerp(x, s));
        out.v.iter_mut().zip(&now.v).for_each(|(v, before)| *v = before.lerp(v, s));
    }

    fn evaluations(&self) -> u64 {
        self.objective.work.evaluations
    }

    fn ends_on_frames(&self) -> bool {
        true
    }

    fn reactions(&self) -> Option<(&[Vec3], &[Vec3])> {
        self.books.reactions()
    }

    fn contact(&self) -> &[Vec3] {
        self.books.contact()
    }

    fn profile(&self) -> Option<&Profile> {
        Some(&self.profile)
    }

    fn past(&self) -> Option<&Past> {
        Some(&self.past)
    }

    fn recall(&mut self, past: Past) {
        self.past = past;
    }

    fn is_implicit(&self) -> bool {
        true
    }

    fn instant(&self) -> f64 {
        if self.limits.max_step.is_finite() { INSTANT_OF_STEP * self.limits.max_step } else { 0.0 }
    }

    fn amended(&mut self) {
        self.past.step = 0.0;
    }

    /// Only the trapezoid steps from the acceleration of the past; it begins anew.
    fn jolt(&mut self) {
        if self.settings.scheme == Scheme::Trapezoid {
            self.past = Past::default();
        }
    }
}
