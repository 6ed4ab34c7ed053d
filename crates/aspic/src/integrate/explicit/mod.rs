//! Explicit steps of fixed length.
//!
//! Every scheme needs the rates at the start of its step and leaves those at its end, which are the first of the next
//! step and half of the dense output. Nothing controls the error: a step that is too long lets motions grow until a
//! tetrahedron is inside out or a number overflows, and only then fails.

mod fastest;
mod runge_kutta;
mod scheme;
mod semi_implicit;
mod verlet;

pub use scheme::ExplicitScheme;

use super::{Integrator, Past, Step, StepError, dense};
use crate::Vec3;
use crate::state::{Rates, State};
use crate::world::{ForceError, Workspace, World};

/// An explicit scheme at work.
pub struct Explicit {
    scheme: ExplicitScheme,
    /// Length of a step  \[s\]
    step: f64,
    work: Workspace,
    /// Rates of the stages; the first are those at the start of the last step.
    stages: Vec<Rates>,
    /// Rates at its end.
    end: Rates,
    /// Time and phase for which `end` holds.
    end_at: Option<(f64, usize)>,
    trial: State,
    /// What is remembered at the end of the last step, and at its start.
    past: Past,
    before: Past,
    /// Whether `past` came from outside, and holds for the state that comes next.
    recalled: bool,
}

impl Explicit {
    /// For one world and steps of one length \[s\].
    pub fn new(world: &World, scheme: ExplicitScheme, step: f64) -> Explicit {
        let n = world.nodes();
        let stages = runge_kutta::table(scheme).map_or(1, |table| table.stages);
        let list = || vec![Vec3::zeros(); if scheme.has_past() { n } else { 0 }];
        let past = || Past { step: 0.0, q: list(), v: list(), a: list(), foreseen: list() };
        Explicit {
            scheme,
            step,
            work: world.workspace(),
            stages: (0..stages).map(|_| Rates::zeros(n)).collect(),
            end: Rates::zeros(n),
            end_at: None,
            trial: State::at_rest(vec![Vec3::zeros(); n]),
            past: past(),
            before: past(),
            recalled: false,
        }
    }

    /// Rates at the start: kept from the end of the step before, or computed. What is remembered of another state is
    /// forgotten.
    fn begin(&mut self, world: &World, now: &State) -> Result<(), ForceError> {
        self.work.phase = world.phase_at(now.t);
        if self.end_at == Some((now.t, self.work.phase)) {
            std::mem::swap(&mut self.stages[0], &mut self.end);
            return Ok(());
        }
        if !self.recalled {
            self.past.step = 0.0;
        }
        if self.past.step == 0.0 {
            return world.rates(now, &mut self.stages[0], &mut self.work);
        }
        // The same velocities as then, so that the same forces come out.
        self.trial.clone_from(now);
        self.trial.v.copy_from_slice(&self.past.foreseen);
        world.rates(&self.trial, &mut self.stages[0], &mut self.work)
    }

    fn advance(
        &mut self,
        world: &World,
        now: &State,
        h: f64,
        end: f64,
        next: &mut State,
    ) -> Result<(), ForceError> {
        self.begin(world, now)?;
        self.end_at = None;
        match (runge_kutta::table(self.scheme), self.scheme) {
            (Some(table), _) => self.runge_kutta(table, world, now, h, end, next),
            (None, ExplicitScheme::SemiImplicitEuler) => self.semi_implicit(world, now, h, end, next),
            (None, _) => self.verlet(world, now, h, end, next),
        }
    }

    /// Accounts of a step by the trapezoid.
    fn book(&self, now: &State, h: f64, next: &mut State) {
        next.accounts = now.accounts;
        next.accounts.advance(0.5 * h, &self.stages[0].accounts);
        next.accounts.advance(0.5 * h, &self.end.accounts);
    }

    /// Keeps what holds at time t, the end of a step. Where other constraints come into force nothing does.
    fn keep(&mut self, world: &World, t: f64) {
        std::mem::swap(&mut self.past, &mut self.before);
        self.recalled = false;
        if world.phase_at(t) == self.work.phase {
            self.end_at = Some((t, self.work.phase));
        } else {
            self.past.step = 0.0;
        }
    }
}

impl Integrator for Explicit {
    fn step(
        &mut self,
        world: &World,
        now: &State,
        dt: f64,
        limit: f64,
        next: &mut State,
    ) -> Result<Step, StepError> {
        let length = dt.min(self.step);
        // A remainder shorter than a thousandth of a step is not left over for a step of its own.
        let cut = now.t + length * 1.001 >= limit;
        let h = if cut { limit - now.t } else { length };
        let end = if cut { limit } else { now.t + h };
        match self.advance(world, now, h, end, next) {
            Ok(()) => self.keep(world, end),
            Err(error) => {
                (self.end_at, self.recalled) = (None, true);
                return Err(StepError::of_fixed_step(error, now.t, h));
            }
        }
        Ok(Step { taken: h, suggested: length, rejected: 0 })
    }

    fn interpolate(&mut self, world: &World, now: &State, next: &State, t: f64, out: &mut State) {
        dense::interpolate((now, &self.stages[0]), (next, &self.end), t, out);
        // The ends satisfy the constraints, so the little that the interpolant misses them by always settles.
        let _ = world.settle(out, &mut self.work);
    }

    fn evaluations(&self) -> u64 {
        self.work.evaluations
    }

    fn past(&self) -> Option<&Past> {
        self.scheme.has_past().then_some(&self.past)
    }

    fn past_before(&self) -> Option<&Past> {
        self.scheme.has_past().then_some(&self.before)
    }

    fn recall(&mut self, past: Past) {
        if self.scheme.has_past() && past.foreseen.len() == self.past.foreseen.len() {
            (self.past, self.recalled) = (past, true);
        }
    }

    fn jolt(&mut self) {
        (self.end_at, self.recalled, self.past.step) = (None, false, 0.0);
    }
}
