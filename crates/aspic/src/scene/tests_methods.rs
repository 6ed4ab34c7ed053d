//! Explicit methods of fixed steps in a scene: what is read, what is refused and in which words.

use super::*;
use crate::integrate::ExplicitScheme;
use crate::run;

/// A ball under a method, with more keys of time.
fn ball(method: &str, keys: &str) -> String {
    format!(
        r#"duration = "1 s"
[time]
method = "{method}"
{keys}
[materials.rubber]
preset = "soft rubber"
[bodies.ball]
material = "rubber"
shape = {{ ball = {{ radius = 0.1, rings = 2 }} }}
"#
    )
}

const FIXED: [(&str, ExplicitScheme); 8] = [
    ("explicit-euler", ExplicitScheme::Euler),
    ("semi-implicit-euler", ExplicitScheme::SemiImplicitEuler),
    ("heun", ExplicitScheme::Heun),
    ("midpoint", ExplicitScheme::Midpoint),
    ("rk4", ExplicitScheme::RungeKutta4),
    ("position-verlet", ExplicitScheme::PositionVerlet),
    ("velocity-verlet", ExplicitScheme::VelocityVerlet),
    ("leapfrog", ExplicitScheme::Leapfrog),
];

#[test]
fn every_explicit_method_takes_steps_of_max_step() {
    for (word, scheme) in FIXED {
        let scene = Scene::parse(&ball(word, "max_step = \"2 us\"")).unwrap();
        let method = scene.method();
        assert_eq!((method.word(), Method::named(word).unwrap()), (word, method));
        assert!(method.has_fixed_step() && !method.is_implicit() && method.order() == scheme.order());
        assert_eq!(scene.settings().method, run::Method::Explicit(scheme));
        assert_eq!(scene.contact_settings(), None);
        let simulation = scene.build(&NoFiles).unwrap();
        let settings = simulation.settings();
        assert_eq!((settings.first_step, settings.limits.max_step), (Some(2e-6), 2e-6), "{word}");
    }
}

#[test]
fn a_step_that_nobody_wrote_follows_from_the_bodies() {
    for (word, _) in FIXED {
        let scene = Scene::parse(&ball(word, "")).unwrap();
        let simulation = scene.build(&NoFiles).unwrap();
        let (step, stable) = (simulation.settings().limits.max_step, simulation.world().scale.stable_step);
        assert!(step > 1e-6 * stable && step < stable, "{word}: {step} of {stable}");
        // It stays unwritten, so that the scene as run gives the same step again.
        let written = scene.written_out().unwrap().to_toml().unwrap();
        assert!(written.contains(&format!("method = \"{word}\"")), "{written}");
        assert!(
            !written.contains("max_step") && !written.contains("min_step") && !written.contains("solver")
        );
        let again = Scene::parse(&written).unwrap().build(&NoFiles).unwrap();
        assert_eq!(again.settings(), simulation.settings());
    }
}

#[track_caller]
fn refused(text: &str, line: usize, message: &str, help: &str) {
    let error = Scene::parse(text).expect_err(message);
    assert_eq!((error.message.as_str(), error.help.as_deref()), (message, Some(help)));
    assert_eq!(error.line_column(text).0, line);
}

#[test]
fn keys_of_other_methods_are_refused() {
    let only = |key: &str, whose: &str| {
        format!("[time]: `{key}` goes only with {whose}, and the method is \"leapfrog\"")
    };
    let length = |key: &str| format!("remove `{key}`: all steps have the length `max_step`");
    for (key, value) in [("tolerance", "1e-4"), ("first_step", "\"1 ms\"")] {
        let text = ball("leapfrog", &format!("{key} = {value}"));
        refused(&text, 4, &only(key, "\"rkf45\""), &length(key));
    }
    let text = ball("leapfrog", "min_step = \"1 us\"");
    refused(&text, 4, &only("min_step", "\"rkf45\" and implicit methods"), &length("min_step"));
    for (key, value) in [("solver", "\"factor\""), ("newton_tolerance", "1e-3"), ("step_tolerance", "1e-3")] {
        let help = format!("remove `{key}`, or write method = \"bdf2\"");
        let text = ball("leapfrog", &format!("{key} = {value}"));
        refused(&text, 4, &only(key, "implicit methods"), &help);
    }
}

#[test]
fn steps_that_lead_nowhere_and_contact_are_refused() {
    for step in ["0", "-1"] {
        let text = ball("rk4", &format!("max_step = {step}"));
        let error = Scene::parse(&text).unwrap_err();
        assert!(error.message.starts_with("[time]: `max_step` must be greater than 0"), "{error}");
    }
    let text = format!("{}[contact]\n", ball("rk4", ""));
    refused(
        &text,
        3,
        "[time]: contact needs an implicit method, and \"rk4\" is explicit",
        "write method = \"bdf2\", or [contact] with model = \"springs\" or \"impulse\", or with enabled = false to do without contact",
    );
    assert!(Scene::parse(&format!("{text}enabled = false\n")).is_ok());
}

#[test]
fn words_that_people_know_lead_to_the_method() {
    for (word, meant) in [
        ("verlet", "velocity-verlet"),
        ("symplectic-euler", "semi-implicit-euler"),
        ("forward-euler", "explicit-euler"),
        ("runge-kutta", "rk4"),
        ("leap-frog", "leapfrog"),
    ] {
        let error = Method::named(word).unwrap_err();
        assert_eq!(error.message, format!("there is no method \"{word}\""));
        let help = error.help.unwrap();
        assert!(help.starts_with(&format!("did you mean \"{meant}\"?")), "{help}");
        assert!(Method::ALL.iter().all(|method| help.contains(method.word())), "{help}");
        let error = Scene::parse(&ball(word, "")).unwrap_err();
        assert!(error.to_string().contains(meant), "{error}");
    }
}

#[test]
fn the_same_bodies_can_be_had_under_any_method_without_contact() {
    let text = ball("bdf2", "max_step = 0.01\nsolver = \"factor\"") + "[contact]\nfriction = 0.3\n";
    let scene = Scene::parse(&text).unwrap();
    for method in Method::ALL {
        let other = scene.with_method(method);
        assert_eq!((other.method(), other.contact_settings()), (method, None));
        other.validate().unwrap();
        assert_eq!(other.time.solver.is_some(), method.is_implicit());
        assert_eq!(other.time.max_step, None);
    }
}
