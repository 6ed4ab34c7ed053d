//! Steps that end where bodies meet.
//!
//! A step is taken on trial. If two surfaces would meet within it, it is taken again to the time when they do, rounded
//! down; there a spring is put between them, and the motion goes on. What would meet at the very start of a step gets its
//! spring before the step. Every new try is shorter than the one before by a fixed part, so that they end.

use std::time::Instant;

use super::Simulation;
use crate::event::First;
use crate::integrate::{Step, StepError};

/// Meetings within this part of a step happen at its start.
const AT_ONCE: f64 = 0.01;
/// A new try ends at least this part of a step earlier.
const SHORTER: f64 = 0.05;
/// Tries of one step, and springs at one instant, before they count as a fault.
const MOST_TRIES: usize = 200;

impl Simulation {
    /// A step of at most the present length that ends on `limit` \[s\] or before, and where bodies meet.
    pub(super) fn eventful_step(&mut self, limit: f64) -> Result<Step, StepError> {
        let mut end = limit;
        let mut due: Vec<First> = vec![];
        let mut bodies = [0, 0];
        for _ in 0..MOST_TRIES {
            let step = self.integrator.step(&self.world, &self.now, self.dt, end, &mut self.next)?;
            let Some(contact) = self.world.springs.as_ref().filter(|_| !self.integrator.is_implicit()) else {
                return Ok(step);
            };
            let clock = Instant::now();
            self.world.trace(&self.now, &self.next, &mut self.trace);
            let found = self.watch.meetings(contact, &self.trace, &self.now.memory);
            self.looking_s += clock.elapsed().as_secs_f64();
            let Some(first) = found.first() else {
                due.iter().for_each(|meeting| self.world.attach(contact, &mut self.next, meeting.spring));
                if !due.is_empty() {
                    self.integrator.jolt();
                }
                return Ok(step);
            };
            bodies = first.spring.bodies;
            let (start, length) = (self.now.t, self.next.t - self.now.t);
            let until = |t: f64| found.iter().take_while(move |meeting| meeting.t <= t);
            if first.t <= start + AT_ONCE * length {
                until(start + AT_ONCE * length)
                    .for_each(|meeting| self.world.attach(contact, &mut self.now, meeting.spring));
                self.integrator.jolt();
                (end, due) = (limit, vec![]);
                continue;
            }
            let latest = self.next.t - SHORTER * length;
            due.clear();
            if first.t <= latest {
                due.extend(until(first.t + AT_ONCE * length));
            }
            end = first.t.min(latest);
        }
        Err(StepError::Chatter { t: self.now.t, bodies })
    }
}
