//! Steps that end where something happens: bodies meet, a contact lets go, or an event of the scene.
//!
//! A step is taken on trial. If something would happen within it, it is taken again to the time when it does, rounded
//! down; there the world changes, and the motion goes on. What would happen at the very start of a step changes the world
//! before the step. Every new try is shorter than the one before by a fixed part, so that they end.

use std::time::Instant;

use super::Simulation;
use super::conditions::Failed;
use crate::event::First;
use crate::integrate::{Past, Step, StepError};

/// What happens within this part of a step happens at its start.
const AT_ONCE: f64 = 0.01;
/// A new try ends at least this part of a step earlier.
const SHORTER: f64 = 0.05;
/// Tries of one step, and changes at one instant, before they count as a fault.
pub(super) const MOST_TRIES: usize = 200;

impl Simulation {
    /// A step of at most the present length that ends on `limit` \[s\] or before, and where something happens.
    pub(super) fn eventful_step(&mut self, limit: f64) -> Result<Step, StepError> {
        let meets = self.world.springs.is_some() && !self.integrator.is_implicit();
        if !meets && !self.is_watched() {
            return self.integrator.step(&self.world, &self.now, self.dt, limit, &mut self.next);
        }
        let mut past: Option<Past> = self.integrator.past().cloned();
        let (mut end, mut due) = (limit, vec![]);
        let mut bodies = [0, 0];
        for attempt in 0..self.most_tries {
            self.forget_trial(past.as_ref().filter(|_| attempt > 0));
            self.loosen_at_once()?;
            let step = self.integrator.step(&self.world, &self.now, self.dt, end, &mut self.next)?;
            self.world.trace(&self.now, &self.next, &mut self.trace);
            let (start, length) = (self.now.t, self.next.t - self.now.t);
            let meeting = if meets { self.first_meeting() } else { None };
            let at_once = (AT_ONCE * length).max(self.integrator.instant());
            let failure = self.first_failure(at_once)?;
            let times = [meeting.map(|meeting| meeting.t), failure.map(|(_, t)| t)];
            let Some(first) = times.into_iter().flatten().reduce(f64::min) else {
                self.accept()?;
                self.tie(&due, At::End)?;
                return Ok(step);
            };
            bodies = meeting.map_or(bodies, |meeting| meeting.spring.bodies);
            let among_first = |t: f64| move |meeting: &&First| meeting.t <= t + at_once;
            if first <= start + at_once {
                self.forget_trial(past.as_ref());
                match failure.filter(|(_, t)| *t <= first) {
                    Some((failed, _)) => self.change_at_once(failed)?,
                    None => {
                        let soon = self.watch.found().iter().take_while(among_first(start));
                        self.tie(&soon.copied().collect::<Vec<_>>(), At::Start)?;
                    }
                }
                // An impact leaves no past.
                past = self.integrator.past().cloned();
                (end, due) = (limit, vec![]);
                continue;
            }
            let latest = self.next.t - SHORTER * length;
            due.clear();
            if first <= latest && meeting.is_some_and(|meeting| meeting.t <= first) {
                due.extend(self.watch.found().iter().take_while(among_first(first)));
            }
            end = first.min(latest);
        }
        Err(StepError::Chatter { t: self.now.t, bodies })
    }

    /// The last step was a trial: what was remembered before it holds.
    fn forget_trial(&mut self, past: Option<&Past>) {
        if let Some(past) = past {
            self.integrator.recall(past.clone());
        }
    }

    /// How many changes at one instant are allowed before [`StepError::Chatter`] ends the run. Default: 200.
    pub fn allow_changes(&mut self, most: usize) {
        self.most_tries = most;
    }

    fn first_meeting(&mut self) -> Option<First> {
        let contact = self.world.springs.as_ref()?;
        let clock = Instant::now();
        let first = self.watch.meetings(contact, &self.trace, &self.now.memory).first().copied();
        self.looking_s += clock.elapsed().as_secs_f64();
        first
    }

    /// What has failed at the start of a step changes the world there.
    fn change_at_once(&mut self, failed: Failed) -> Result<(), StepError> {
        match failed {
            Failed::Event(number) => {
                self.now.memory[self.world.event_memory + number] = self.now.t;
                self.let_go()?;
            }
            Failed::Contact(number) => self.world.loosen(&mut self.now, |contact| contact == number),
        }
        self.jolt();
        Ok(())
    }

    /// Ties those who meet, at the start or the end of the step.
    fn tie(&mut self, meetings: &[First], at: At) -> Result<(), StepError> {
        let Some(contact) = self.world.springs.as_ref().filter(|_| !meetings.is_empty()) else {
            return Ok(());
        };
        let state = if at == At::Start { &mut self.now } else { &mut self.next };
        meetings.iter().for_each(|meeting| self.world.attach(contact, state, meeting.spring));
        if contact.rigid {
            self.work.phase = self.world.phase_at(self.trace.t[0]);
            let struck = self.world.strike(state, &mut self.work);
            struck.map_err(|error| StepError::from_force(error, state.t, self.dt))?;
            self.integrator.amended();
        }
        self.jolt();
        Ok(())
    }
}

/// One end of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Start,
    End,
}
