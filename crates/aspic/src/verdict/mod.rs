//! Whether the figures of a run can be trusted, and if not, why not and what to do.
//!
//! Exact mechanics keeps the books: energies, losses and work add up, steps make no energy, and bodies on which nothing
//! acts from outside keep their momenta. A run that departs from this by more than a limit gets a [`Finding`]. What it
//! says follows from the [`Statistics`] of the run and a few [`Facts`] about it, and from nothing else.

mod advice;
mod steps;
mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

pub use steps::steps_in_words;
pub use words::{joules, percent};

use crate::integrate::StepLimits;
use crate::run::{Method, Settings, Statistics};
use crate::state::State;
use crate::world::World;

/// Residual of the ledger, over the most energy exchanged, that is still taken for honest.
pub const AUDIT_LIMIT: f64 = 0.01;
/// Energy that the steps may make over any stretch of a run, over the most energy exchanged.
pub const MADE_LIMIT: f64 = 0.01;
/// Change of a momentum that nothing acts on, over its natural scale: √(2 m K) for the linear one, with the radius of
/// gyration as a factor for the angular one.
pub const MOMENTUM_LIMIT: f64 = 1e-3;
/// Numerical damping, over the most energy exchanged, that is worth a word.
pub const DAMPING_LIMIT: f64 = 0.25;

/// Speeds below this part of the speed of pressure waves are rounding, not motion.
const REST: f64 = 1e-9;

/// What is said about a run at its end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What makes the result doubtful.
    pub warnings: Vec<Finding>,
    /// What is good to know.
    pub notes: Vec<Finding>,
}

/// One thing that is said about a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What kind it is; programs can rely on it.
    pub code: Code,
    /// What has happened, with figures.
    pub message: String,
    /// Why, most likely.
    pub cause: String,
    /// What to change.
    pub cure: String,
    /// The figures by name: energies in J, momenta in SI units, parts and limits as plain numbers.
    pub figures: BTreeMap<String, f64>,
}

/// The kinds of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// The ledger does not add up.
    Audit,
    /// The steps made energy.
    MadeEnergy,
    /// Momenta change though nothing acts from outside.
    Momentum,
    /// The steps took much energy. This is how implicit steps are, and no fault.
    Damping,
}

/// What must be known of a run beside its statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// Whether nothing acts on the bodies from outside.
    pub closed: bool,
    /// Mass of all bodies  \[kg\]
    pub mass: f64,
    /// Energy of a motion that is not told from rest  \[J\]
    pub rest: f64,
    /// How steps are taken.
    pub method: Method,
    /// Limits on the step.
    pub limits: StepLimits,
    /// Whether contact is a matter of impulses between steps.
    pub impulses: bool,
    /// Whether anything touches, in whatever way.
    pub contact: bool,
}

impl Facts {
    /// Those of a run of these settings in a world. Any state of the run will do; a hand is known by the work it did.
    pub fn of(world: &World, state: &State, settings: &Settings) -> Facts {
        let mass: f64 = world.inertia.masses().iter().sum();
        let slow = REST * world.scale.length / world.scale.time;
        let rest = if slow.is_finite() { 0.5 * mass * slow * slow } else { 0.0 };
        let worked = state.accounts.drag_work != 0.0 || state.accounts.load_work != 0.0;
        let impulses = world.impulses.is_some();
        Facts {
            closed: !worked && world.is_closed(state),
            mass,
            rest,
            method: settings.method,
            limits: settings.limits,
            impulses,
            contact: impulses || world.contact.is_some() || world.springs.is_some(),
        }
    }
}

impl Verdict {
    /// The verdict on a run.
    pub fn of(statistics: &Statistics, facts: &Facts) -> Verdict {
        let warnings =
            [audit(statistics, facts), made_energy(statistics, facts), momentum(statistics, facts)];
        Verdict {
            warnings: warnings.into_iter().flatten().collect(),
            notes: damping(statistics, facts).into_iter().collect(),
        }
    }
}

/// Whether an energy \[J\] is more than a part of what was exchanged; also if it is not a number.
fn exceeds(energy: f64, limit: f64, statistics: &Statistics, facts: &Facts) -> bool {
    let most = limit * statistics.in_play() + facts.rest;
    !(energy <= most && most.is_finite())
}

fn audit(statistics: &Statistics, facts: &Facts) -> Option<Finding> {
    let (residual, exchanged) = (statistics.worst_residual, statistics.in_play());
    let part = statistics.audit_relative();
    exceeds(residual, AUDIT_LIMIT, statistics, facts).then(|| {
        let message = format!(
            "the energy audit does not close: the books are off by {}, {} of the energy exchanged ({})",
            joules(residual),
            percent(part),
            joules(exchanged)
        );
        let figures = [("residual_J", residual), ("exchanged_J", exchanged), ("relative", part)];
        finding(Code::Audit, message, &figures, AUDIT_LIMIT, facts)
    })
}

fn made_energy(statistics: &Statistics, facts: &Facts) -> Option<Finding> {
    let (made, exchanged) = (statistics.made_energy, statistics.in_play());
    let part = statistics.of_exchanged(made);
    exceeds(made, MADE_LIMIT, statistics, facts).then(|| {
        let message = format!(
            "energy made by the steps: {} out of nothing, {} of the energy exchanged ({})",
            joules(made),
            percent(part),
            joules(exchanged)
        );
        let figures = [("made_J", made), ("exchanged_J", exchanged), ("relative", part)];
        finding(Code::MadeEnergy, message, &figures, MADE_LIMIT, facts)
    })
}

fn momentum(statistics: &Statistics, facts: &Facts) -> Option<Finding> {
    if !facts.closed || statistics.most_kinetic <= facts.rest {
        return None;
    }
    let linear_scale = (2.0 * facts.mass * statistics.most_kinetic).sqrt();
    let angular_scale = linear_scale * statistics.gyration;
    let part = |drift: f64, scale: f64| if drift > 0.0 { drift / scale } else { 0.0 };
    let linear = part(statistics.linear_drift, linear_scale);
    let angular = part(statistics.angular_drift, angular_scale);
    let kept = linear <= MOMENTUM_LIMIT && angular <= MOMENTUM_LIMIT;
    (!kept).then(|| {
        let which = match (linear > MOMENTUM_LIMIT, angular > MOMENTUM_LIMIT) {
            (true, true) => format!("linear {}, angular {}", percent(linear), percent(angular)),
            (true, false) => format!("linear {}", percent(linear)),
            _ => format!("angular {}", percent(angular)),
        };
        let message = format!(
            "momentum is not kept, though nothing acts on the bodies from outside: {which} of what the motion could carry"
        );
        let figures = [
            ("linear_kg_m_per_s", statistics.linear_drift),
            ("angular_kg_m2_per_s", statistics.angular_drift),
            ("linear_relative", linear),
            ("angular_relative", angular),
        ];
        finding(Code::Momentum, message, &figures, MOMENTUM_LIMIT, facts)
    })
}

fn damping(statistics: &Statistics, facts: &Facts) -> Option<Finding> {
    let (lost, exchanged) = (statistics.numerical_loss, statistics.in_play());
    let part = statistics.of_exchanged(lost);
    // Books that do not balance do not know what was damped.
    let known = !exceeds(statistics.worst_residual, AUDIT_LIMIT, statistics, facts);
    (known && lost > DAMPING_LIMIT * exchanged + facts.rest).then(|| {
        let message = format!(
            "numerical damping took {}, {} of the energy exchanged ({}), beside {} that the bodies lost",
            joules(lost),
            percent(part),
            joules(exchanged),
            joules(statistics.physical_loss)
        );
        let figures = [
            ("lost_J", lost),
            ("physical_loss_J", statistics.physical_loss),
            ("exchanged_J", exchanged),
            ("relative", part),
        ];
        finding(Code::Damping, message, &figures, DAMPING_LIMIT, facts)
    })
}

fn finding(code: Code, message: String, figures: &[(&str, f64)], limit: f64, facts: &Facts) -> Finding {
    let (cause, cure) = advice::of(code, facts);
    // JSON has no infinite numbers.
    let finite = |x: f64| if x.is_nan() { f64::MAX } else { x.clamp(f64::MIN, f64::MAX) };
    let figures = figures.iter().copied().chain([("limit", limit)]);
    let figures = figures.map(|(name, figure)| (name.to_owned(), finite(figure))).collect();
    Finding { code, message, cause, cure, figures }
}

impl Code {
    /// The word for it, as in files.
    pub fn word(self) -> &'static str {
        match self {
            Code::Audit => "audit",
            Code::MadeEnergy => "made-energy",
            Code::Momentum => "momentum",
            Code::Damping => "damping",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  likely cause: {}\n  what to do: {}", self.message, self.cause, self.cure)
    }
}
