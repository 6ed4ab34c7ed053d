//! Events that a scene asks for: when one happens, constraints and loads end.
//!
//! The time at which an event happened is a number in the memory of the state, infinite before. So a run that is taken up
//! again knows what has happened, and [`World::recall`] ends what has ended.

use super::{Phase, PhaseError, World};
use crate::event::Condition;

/// An event by the name of the scene.
pub struct NamedEvent {
    /// Its name.
    pub name: String,
    /// It happens when the first of these fails.
    pub conditions: Vec<Box<dyn Condition>>,
    /// What ends then.
    pub ends: Vec<Ending>,
    /// Whether a condition asks for forces of constraints.
    pub asks_forces: bool,
}

/// Something that an event ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending {
    /// What.
    pub what: Ends,
    /// When it ends if the event does not happen  \[s\]
    pub planned: f64,
}

/// A constraint or a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The constraint of this number.
    Constraint(usize),
    /// The load of this number.
    Load(usize),
}

impl World {
    /// When each event happened, in the memory of a state; infinite for those to come  \[s\]
    pub fn happened<'a>(&'a self, memory: &'a [f64]) -> impl Iterator<Item = (&'a NamedEvent, f64)> + 'a {
        let times = memory.iter().skip(self.event_memory).copied();
        self.events.iter().zip(times)
    }

    /// Ends what has ended by a memory, and goes on with what has not. Returns whether anything has changed.
    pub fn recall(&mut self, memory: &[f64]) -> Result<bool, PhaseError> {
        let mut changed = false;
        let mut set = |world: &mut World, what: Ends, until: f64| {
            let old = match what {
                Ends::Constraint(c) => &mut world.constraints[c].until,
                Ends::Load(l) => &mut world.loads[l].until,
            };
            changed |= *old != until;
            *old = until;
        };
        for what in self.events.iter().flat_map(|event| &event.ends).map(|end| end.what).collect::<Vec<_>>() {
            let ending = |(event, t): (&NamedEvent, f64)| -> Option<f64> {
                Some(event.ends.iter().find(|end| end.what == what)?.planned.min(t))
            };
            let until = self.happened(memory).filter_map(ending).fold(f64::INFINITY, f64::min);
            set(self, what, until);
        }
        if changed {
            self.phases = Phase::all(&self.inertia, &self.constraints, &self.loads, &self.phases)?;
            self.breaks = Phase::breaks(&self.constraints, &self.loads);
        }
        Ok(changed)
    }
}
