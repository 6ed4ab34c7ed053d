//! Conditions that a step must not break: events of the scene that are still to come, and contacts that must push.

use super::Simulation;
use crate::event::{Condition, Extended, Pushes, first_event};
use crate::integrate::StepError;
use crate::state::{Rates, State};
use crate::world::NamedEvent;

/// A condition that has failed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Failed {
    /// The event of this number happens.
    Event(usize),
    /// The contact of this number would pull.
    Contact(usize),
}

/// Forces at both ends of a step, where something asks for them.
#[derive(Default)]
pub(super) struct Forces {
    start: Felt,
    end: Felt,
    /// Time for which those of the start hold  \[s\]
    pub known: Option<f64>,
    rates: Option<Rates>,
}

/// Forces at one instant  \[N\]
#[derive(Default)]
struct Felt {
    /// Of contacts that multipliers hold, along their normals.
    pushes: Vec<f64>,
    /// Of constraints.
    pulls: Vec<f64>,
}

impl Simulation {
    /// Whether an event is still to come, or a contact may let go.
    pub(super) fn is_watched(&self) -> bool {
        self.to_come().next().is_some() || self.world.grips(&self.now)
    }

    /// Events that have not happened, with their numbers.
    fn to_come(&self) -> impl Iterator<Item = (usize, &NamedEvent)> {
        let all = self.world.happened(&self.now.memory).enumerate();
        all.filter(|(_, (_, t))| t.is_infinite()).map(|(number, (event, _))| (number, event))
    }

    /// The first condition that fails in the step on trial, and when; at its start if that is nearer than `least` \[s\].
    pub(super) fn first_failure(&mut self, least: f64) -> Result<Option<(Failed, f64)>, StepError> {
        if !self.is_watched() {
            return Ok(None);
        }
        let implicit = self.integrator.is_implicit();
        if !implicit && self.asks_forces() {
            self.feel_start()?;
            self.feel(false)?;
        }
        let Simulation { trace, forces, .. } = &*self;
        let [start, end] = [(0, &forces.start), (1, &forces.end)].map(|(k, felt)| Extended {
            t: trace.t[k],
            q: &trace.x[k],
            v: &trace.v[k],
            pushes: &felt.pushes,
            pulls: &felt.pulls,
        });
        let (mut list, mut owners): (Vec<&dyn Condition>, Vec<Failed>) = (vec![], vec![]);
        // Implicit steps know forces only at their ends.
        for (number, event) in self.to_come().filter(|(_, event)| !implicit || !event.asks_forces) {
            list.extend(event.conditions.iter().map(AsRef::as_ref));
            owners.resize(list.len(), Failed::Event(number));
        }
        let grips = if self.world.grips(&self.now) { start.pushes.len() } else { 0 };
        let contacts: Vec<Pushes> = (0..grips).map(|contact| Pushes { contact }).collect();
        for contact in &contacts {
            list.push(contact);
            owners.push(Failed::Contact(contact.contact));
        }
        let event = first_event(list, &start, &end, least);
        Ok(event.map(|event| (owners[event.condition], event.t)))
    }

    /// The step on trial is taken.
    pub(super) fn accept(&mut self) -> Result<(), StepError> {
        let asks = self.asks_forces();
        if self.integrator.is_implicit() {
            if asks {
                self.happen_at_end();
            }
        } else if asks {
            let Forces { start, end, known, .. } = &mut self.forces;
            std::mem::swap(start, end);
            *known = Some(self.next.t);
        }
        Ok(())
    }

    /// Forces of constraints are too large at the end of an implicit step: what asks for that happens there.
    fn happen_at_end(&mut self) {
        let Some((_, each)) = self.integrator.reactions() else { return };
        let pulls: Vec<f64> = each.iter().map(|force| force.norm()).collect();
        let end = Extended { t: self.next.t, q: &[], v: &[], pushes: &[], pulls: &pulls };
        let fails = |event: &NamedEvent| event.conditions.iter().any(|c| c.value(&end) <= 0.0);
        let happen = self.to_come().filter(|(_, event)| event.asks_forces && fails(event));
        let happen: Vec<usize> = happen.map(|(number, _)| number).collect();
        happen.iter().for_each(|number| self.next.memory[self.world.event_memory + number] = self.next.t);
    }

    /// Whether anything depends on forces.
    fn asks_forces(&self) -> bool {
        self.world.grips(&self.now) || self.to_come().any(|(_, event)| event.asks_forces)
    }

    /// Contacts that pull at the start of a step let go before it.
    pub(super) fn loosen_at_once(&mut self) -> Result<(), StepError> {
        while self.world.grips(&self.now) {
            self.feel_start()?;
            let pushes = &self.forces.start.pushes;
            if pushes.iter().all(|push| *push > 0.0) {
                break;
            }
            self.world.loosen(&mut self.now, |contact| pushes[contact] <= 0.0);
            self.jolt();
        }
        Ok(())
    }

    /// Forces have changed at the end of the last step: nothing that is remembered of them holds.
    pub(super) fn jolt(&mut self) {
        self.forces.known = None;
        self.integrator.jolt();
    }

    fn feel_start(&mut self) -> Result<(), StepError> {
        if self.forces.known != Some(self.now.t) {
            self.feel(true)?;
            self.forces.known = Some(self.now.t);
        }
        Ok(())
    }

    /// Forces at the start or the end of the step on trial.
    fn feel(&mut self, at_start: bool) -> Result<(), StepError> {
        let Simulation { forces, world, work, now, next, dt, .. } = self;
        let Forces { start, end, rates, .. } = forces;
        let (state, felt): (&State, _) = if at_start { (now, start) } else { (next, end) };
        work.phase = world.phase_at(now.t);
        let rates = rates.get_or_insert_with(|| Rates::zeros(world.nodes()));
        let failed = |error| StepError::from_force(error, state.t, *dt);
        world.pushes(state, rates, work, &mut felt.pushes).map_err(failed)?;
        felt.pulls.clear();
        if world.events.iter().any(|event| event.asks_forces) {
            let (_, each) = world.reactions_of(state, rates, work);
            felt.pulls.extend(each.iter().map(|force| force.norm()));
        }
        Ok(())
    }
}
