//! Runge–Kutta–Fehlberg 4(5) with error control, on the true system M q″ = F + C.
//!
//! A step is accepted if |error| ≤ tolerance · h: the tolerance is an error per second, positions measured by the
//! size L of the bodies and velocities by L/T, T the time a pressure wave needs to cross them. A stage with J ≤ 0
//! or NaN halves the step.
//!
//! An error per second is no bound for an orbit, which may last any number of them. Where bodies attract each other a step
//! is also at most a part of the time in which they fall together; an error of the fourth order is then below 10⁻⁸ for each
//! turn.

use super::stages::combine;
use super::tableau::{A, B4, C, ERROR, STAGES};
use super::{Integrator, Step, StepError, StepLimits, dense};
use crate::state::{Rates, State};
use crate::world::{ForceError, Workspace, World};

/// A force that jumps, as that of a hinge folded through, has an error per second that no shorter step lessens; what it
/// costs does fall with the step. So it is stepped over when the step is this near to the shortest, and the excess is still
/// this part of what it was with a step more than twice as long.
const NEAR_SHORTEST: f64 = 24.0;
const STAYS: f64 = 0.5;
/// Longest step, as a part of the time in which bodies fall together.
const OF_FALL: f64 = 0.03;
/// The step keeps this part of what the error estimate allows.
const SAFETY: f64 = 0.84;

/// The integrator of 1997.
pub struct Rkf45 {
    limits: StepLimits,
    work: Workspace,
    /// Rates of the stages; the first are those of the state at hand.
    stages: [Rates; STAGES],
    /// Rates at the end of the last step.
    end: Rates,
    trial: State,
    /// Time and phase for which `end` holds.
    end_at: Option<(f64, usize)>,
}

impl Rkf45 {
    /// For one world.
    pub fn new(world: &World, limits: StepLimits) -> Rkf45 {
        let rates = || Rates::zeros(world.nodes());
        Rkf45 {
            limits,
            work: world.workspace(),
            stages: std::array::from_fn(|_| rates()),
            end: rates(),
            trial: State::at_rest(vec![Default::default(); world.nodes()]),
            end_at: None,
        }
    }

    /// k₁: kept from the end of the step before, or computed.
    fn first_stage(&mut self, world: &World, now: &State, dt: f64) -> Result<(), StepError> {
        self.work.phase = world.phase_at(now.t);
        if self.end_at == Some((now.t, self.work.phase)) {
            std::mem::swap(&mut self.stages[0], &mut self.end);
            self.end_at = None;
            return Ok(());
        }
        world
            .rates(now, &mut self.stages[0], &mut self.work)
            .map_err(|error| StepError::from_force(error, now.t, dt))
    }

    /// Stages 2 to 6 of a step of length h, and the result in `next`; returns error / (tolerance · h).
    fn attempt(&mut self, world: &World, now: &State, h: f64, next: &mut State) -> Result<f64, ForceError> {
        for s in 1..STAGES {
            let (stages, weights) = (&self.stages, &A[s]);
            match s {
                1 => combine::<1>(now, stages, weights, h, &mut self.trial),
                2 => combine::<2>(now, stages, weights, h, &mut self.trial),
                3 => combine::<3>(now, stages, weights, h, &mut self.trial),
                4 => combine::<4>(now, stages, weights, h, &mut self.trial),
                _ => combine::<5>(now, stages, weights, h, &mut self.trial),
            }
            self.trial.t = now.t + C[s] * h;
            world.prescribe(&mut self.trial, &self.work);
            world.rates(&self.trial, &mut self.stages[s], &mut self.work)?;
        }
        combine::<STAGES>(now, &self.stages, &B4, h, next);
        Ok(self.error(world))
    }

    /// Largest estimated error of a coordinate or velocity, over what is allowed.
    fn error(&self, world: &World) -> f64 {
        let mut largest = 0.0f64;
        for i in 0..world.nodes() {
            if !world.phases[self.work.phase].free.mask[i] {
                continue;
            }
            let sum = |pick: fn(&Rates, usize) -> crate::Vec3| {
                (0..STAGES)
                    .fold(crate::Vec3::zeros(), |sum, s| sum + pick(&self.stages[s], i) * ERROR[s])
                    .amax()
            };
            let velocity = sum(|rates, i| rates.a[i]) * world.scale.time;
            largest = largest.max(sum(|rates, i| rates.v[i])).max(velocity);
        }
        // The h of the estimate and the h of the bound cancel.
        largest / (world.scale.length * self.limits.tolerance)
    }

    /// Rates at the end of an accepted step: k₁ of the next one, and half of the dense output.
    fn finish(&mut self, world: &World, next: &mut State) -> Result<(), ForceError> {
        world.settle(next, &mut self.work)?;
        world.rates(next, &mut self.end, &mut self.work)
    }
}

impl Integrator for Rkf45 {
    fn step(
        &mut self,
        world: &World,
        now: &State,
        dt: f64,
        limit: f64,
        next: &mut State,
    ) -> Result<Step, StepError> {
        let longest = self.limits.max_step.min(OF_FALL * world.fall_time(now));
        let mut step = Step { suggested: dt.min(longest), ..Step::default() };
        self.first_stage(world, now, dt)?;
        // length and excess of the try before
        let mut before: Option<(f64, f64)> = None;
        loop {
            // A remainder shorter than a thousandth of a step is not left over for a step of its own.
            let cut = now.t + step.suggested * 1.001 >= limit;
            let h = if cut { limit - now.t } else { step.suggested };
            let mut jumps = false;
            let result = self.attempt(world, now, h, next).and_then(|excess| {
                next.t = if cut { limit } else { now.t + h };
                let stays = |(longer, more): (f64, f64)| longer > 2.0 * h && excess > STAYS * more;
                jumps = excess > 1.0 && h < NEAR_SHORTEST * self.limits.min_step && before.is_some_and(stays);
                if excess <= 1.0 || jumps {
                    self.finish(world, next)?;
                }
                Ok(excess)
            });
            match result {
                Ok(excess) => {
                    let factor = (SAFETY * excess.max(1e-12).powf(-0.25)).clamp(0.1, 4.0);
                    if excess <= 1.0 || jumps {
                        // A step cut short says little about the next one: never suggest less than was asked.
                        let grown = if jumps { h } else { (h * factor).min(self.limits.max_step) };
                        step.suggested = if cut { grown.max(step.suggested) } else { grown };
                        step.taken = h;
                        self.end_at = Some((next.t, self.work.phase));
                        return Ok(step);
                    }
                    before = Some((h, excess));
                    step.suggested = h * factor.min(0.9);
                    if step.suggested < self.limits.min_step {
                        return Err(StepError::TooStiff { t: now.t, dt: h, excess });
                    }
                }
                Err(error) => {
                    step.suggested = 0.5 * h;
                    if step.suggested < self.limits.min_step {
                        return Err(StepError::from_force(error, now.t, h));
                    }
                }
            }
            step.rejected += 1;
        }
    }

    fn interpolate(&mut self, world: &World, now: &State, next: &State, t: f64, out: &mut State) {
        dense::interpolate((now, &self.stages[0]), (next, &self.end), t, out);
        // The ends satisfy the constraints, so the little that the interpolant misses them by always settles.
        let _ = world.settle(out, &mut self.work);
    }

    fn jolt(&mut self) {
        self.end_at = None;
    }

    fn evaluations(&self) -> u64 {
        self.work.evaluations
    }
}
