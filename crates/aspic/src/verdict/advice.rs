//! The likely cause of a finding, and the cure, by the way in which steps were taken.

use super::words::span;
use super::{Code, Facts};
use crate::integrate::{ExplicitScheme, ImplicitSettings, Scheme};
use crate::run::Method;

/// A tolerance of implicit steps to begin with.
const STEP_TOLERANCE: f64 = 1e-4;
/// How much smaller the errors of steps should be.
const CLOSER: f64 = 0.01;
/// How much closer the search for a balance of forces should come: most of what it leaves adds up.
const CLOSER_SEARCH: f64 = 1e-3;

/// Cause and cure.
pub(super) fn of(code: Code, facts: &Facts) -> (String, String) {
    match code {
        Code::Audit => audit(facts),
        Code::MadeEnergy => made_energy(facts),
        Code::Momentum => momentum(facts),
        Code::Damping => damping(facts),
    }
}

fn audit(facts: &Facts) -> (String, String) {
    match facts.method {
        Method::Rkf45 => adaptive(facts),
        Method::Explicit(scheme) => fixed(scheme, facts),
        Method::Implicit(settings) => (
            "each step stopped short of the balance of forces, and the forces that were left did work".into(),
            format!("under [time] write {}, or a shorter `max_step`", newton_tolerance(&settings)),
        ),
    }
}

/// The error control of rkf45 was too lax.
fn adaptive(facts: &Facts) -> (String, String) {
    let tolerance = facts.limits.tolerance;
    let cause = format!("the errors that `tolerance = {tolerance:e}` allows are too large for this motion");
    (cause, format!("under [time] write `tolerance = {:.0e}`", CLOSER * tolerance))
}

fn fixed(scheme: ExplicitScheme, facts: &Facts) -> (String, String) {
    let step = span(facts.limits.max_step);
    let cause = match scheme {
        ExplicitScheme::Euler => {
            format!(
                "`explicit-euler` lets every oscillation grow, and its fixed steps of {step} are too long"
            )
        }
        _ => format!("nothing checks the error of fixed steps, and {step} is too long for these bodies"),
    };
    let cure = "under [time] write a shorter `max_step` (`aspic stability SCENE` finds the longest stable one), or \
                `method = \"rkf45\"`, which watches its error";
    (cause, cure.into())
}

fn made_energy(facts: &Facts) -> (String, String) {
    let step = span(facts.limits.max_step);
    match facts.method {
        _ if facts.impulses => (
            format!(
                "bodies sink into what they touch during steps of up to {step}, and are lifted out again"
            ),
            "write a shorter `max_step` under [time], or `model = \"guaranteed\"` under [contact]".into(),
        ),
        Method::Implicit(ImplicitSettings { scheme: Scheme::Trapezoid, .. }) => (
            "`trapezoid` damps nothing: contact, and stiff bodies that turn, feed its vibrations".into(),
            "under [time] write `method = \"bdf2\"`, or a shorter `max_step`".into(),
        ),
        Method::Implicit(settings) => (
            format!(
                "steps of up to {step} are too long for how fast the bodies turn, vibrate or hit each other"
            ),
            format!(
                "under [time] write {}, or a shorter `max_step`, or `method = \"backward-euler\"`, which damps more",
                step_tolerance(&settings)
            ),
        ),
        _ => between_steps(facts),
    }
}

fn momentum(facts: &Facts) -> (String, String) {
    match facts.method {
        Method::Rkf45 => adaptive(facts),
        Method::Explicit(scheme) => fixed(scheme, facts),
        Method::Implicit(settings) => (
            format!(
                "steps of up to {} are too long for how fast the bodies turn, or stopped short of the balance of forces",
                span(facts.limits.max_step)
            ),
            format!(
                "under [time] write {} and {}, or a shorter `max_step`",
                step_tolerance(&settings),
                newton_tolerance(&settings)
            ),
        ),
    }
}

fn damping(facts: &Facts) -> (String, String) {
    let Method::Implicit(settings) = facts.method else { return between_steps(facts) };
    let cause =
        format!("implicit steps of up to {} make fast motion die away too soon", span(facts.limits.max_step));
    let other = match settings.scheme {
        Scheme::BackwardEuler => ", or `method = \"bdf2\"`, which damps less",
        Scheme::Bdf2 if !facts.contact => ", or `method = \"rkf45\"`, which damps nothing",
        _ => "",
    };
    let tolerance = step_tolerance(&settings);
    (cause, format!("to keep it, under [time] write {tolerance}, or a shorter `max_step`{other}"))
}

/// Steps that are sound themselves.
fn between_steps(facts: &Facts) -> (String, String) {
    let cause = "what is put right between the steps (strain limits, places after a touch) moves bodies too far at once";
    let cure = format!("under [time] write a `max_step` below {}", span(facts.limits.max_step));
    (cause.into(), cure)
}

/// A tolerance of the steps that is worth a try.
fn step_tolerance(settings: &ImplicitSettings) -> String {
    let tolerance = settings.step_tolerance.map_or(STEP_TOLERANCE, |present| 0.1 * present);
    format!("`step_tolerance = {tolerance:.0e}`")
}

/// A tolerance of the search that is worth a try.
fn newton_tolerance(settings: &ImplicitSettings) -> String {
    format!("`newton_tolerance = {:.0e}`", CLOSER_SEARCH * settings.newton.remainder())
}
