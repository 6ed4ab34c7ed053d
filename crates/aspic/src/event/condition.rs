//! Conditions Γ(q, q′, λ, t) > 0 and the first instant at which one fails (Liesenfeld & Stolfi 1997, 6.1, 6.2).

use super::Cubic;
use crate::Vec3;

/// How finely a root is located, as a part of the step.
const RESOLUTION: f64 = 1e-12;
/// A step with an event is shortened by this part of it at least, so that repeating ends.
const SHORTER: f64 = 0.05;

/// The extended state (q, q′, λ) of the system at a time.
#[derive(Clone, Copy, Debug)]
pub struct Extended<'a> {
    /// Time  \[s\]
    pub t: f64,
    /// Positions q  \[m\]
    pub q: &'a [Vec3],
    /// Velocities q′  \[m/s\]
    pub v: &'a [Vec3],
    /// Multipliers λ of contacts  \[N\]
    pub pushes: &'a [f64],
    /// Forces of constraints  \[N\]
    pub pulls: &'a [f64],
}

/// A condition Γ > 0.
pub trait Condition: Send + Sync {
    /// Γ(q, q′, λ, t)
    fn value(&self, at: &Extended) -> f64;

    /// dΓ/dt = ∂Γ/∂q · q′ + ∂Γ/∂t (27)  \[1/s\]. Nothing when Γ depends on q′ or λ: then Γ is a straight line in time.
    fn rate(&self, at: &Extended) -> Option<f64>;
}

/// A condition that fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Its place in the list of conditions.
    pub condition: usize,
    /// t_e: the end of the step to repeat. It is t_a when the event is due before any step  \[s\]
    pub t: f64,
}

/// The first condition to fail between two states; the first in the list among those that fail together.
///
/// The event is due, t_e = t_a, when it is nearer than `least` \[s\]. Else the step is to be repeated up to t_e, which is
/// at most t_b − T/20, and tested again. A condition that is not positive at t_a fails only where it falls: one that
/// has just been dealt with and rises does not fail again.
pub fn first_event<'c>(
    conditions: impl IntoIterator<Item = &'c dyn Condition>,
    start: &Extended,
    end: &Extended,
    least: f64,
) -> Option<Event> {
    let found = conditions.into_iter().enumerate().filter_map(|(k, c)| Some((k, failure(c, start, end)?)));
    let (condition, u) = found.reduce(|first, next| if next.1 < first.1 { next } else { first })?;
    let length = end.t - start.t;
    let due = length * u < least;
    let t = if due { start.t } else { (start.t + length * u).min(end.t - SHORTER * length) };
    Some(Event { condition, t })
}

/// The part u of the step at which a condition fails.
fn failure(condition: &dyn Condition, start: &Extended, end: &Extended) -> Option<f64> {
    let (ga, gb) = (condition.value(start), condition.value(end));
    let cubic = match (condition.rate(start), condition.rate(end)) {
        (Some(dga), Some(dgb)) => Cubic::hermite(ga, dga, gb, dgb, end.t - start.t),
        _ => Cubic::line(ga, gb),
    };
    if ga <= 0.0 && cubic.0.iter().all(|p| !p.is_nan()) {
        cubic.first_fall()
    } else {
        cubic.first_not_positive(RESOLUTION)
    }
}

#[cfg(test)]
#[path = "condition_tests.rs"]
mod tests;
