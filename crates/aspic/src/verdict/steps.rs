//! What the steps themselves took or made, in one line, whether it matters, and what to change.

use super::words::{joules, percent};
use super::{Code, Facts, Verdict};
use crate::run::Statistics;

/// Less than this part of the energy exchanged is not worth a line.
const LITTLE: f64 = 1e-3;
/// Numerical damping is small beside other losses up to this part of them.
const SMALL: f64 = 0.1;

/// One line about numerical damping, or about the energy made by the steps; nothing if there is hardly any.
pub fn steps_in_words(statistics: &Statistics, facts: &Facts) -> Option<String> {
    let verdict = Verdict::of(statistics, facts);
    if let [note, ..] = &verdict.notes[..] {
        return Some(format!("{}: {}; {}", note.message, note.cause, note.cure));
    }
    let loss = statistics.numerical_loss;
    let part = statistics.of_exchanged(loss);
    let size = format!("{}, {} of the energy exchanged", joules(loss.abs()), percent(part.abs()));
    if loss.abs() <= LITTLE * statistics.most_exchanged + facts.rest {
        None
    } else if verdict.warnings.iter().any(|warning| warning.code == Code::Audit) {
        let what = if loss < 0.0 { "energy made by the steps" } else { "numerical damping" };
        Some(format!("{what}: {size}; not to be trusted, since the audit does not close"))
    } else if loss < 0.0 {
        Some(format!("energy made by the steps: {size}; a shorter `max_step` lessens it"))
    } else if loss <= SMALL * statistics.physical_loss {
        let others = joules(statistics.physical_loss);
        Some(format!("numerical damping: {size}; little beside the {others} that the bodies lost"))
    } else {
        let others = joules(statistics.physical_loss);
        Some(format!(
            "numerical damping: {size}, beside {others} that the bodies lost; if motion dies away too soon, write \
             `step_tolerance` or a shorter `max_step`"
        ))
    }
}
