//! Models of contact in a scene: what is read, what is refused and in which words.

use super::*;
use crate::impulse::{Model, Rub};

/// A scene that says everything there is to say about contact by impulses.
const GOOD: &str = r#"duration = "1 s"
[contact]
model = "impulse"
restitution = 0.4
friction = 0.3
frictions = [{ between = ["ball", "floor"], friction = 0.9 }]
point_radius = "5 mm"
self_contact = true
off = [["ball", "cube"]]
[materials.rubber]
preset = "soft rubber"
[bodies.ball]
material = "rubber"
shape = { ball = { radius = 0.1, rings = 2 } }
position = [0, 0, 1]
[bodies.cube]
material = "rubber"
kind = "affine"
shape = { box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }
[obstacles.floor]
shape = { plane = { point = [0, 0, -1], normal = [0, 0, 1] } }
[obstacles.globe]
shape = { sphere = { radius = "20 cm" } }
position = [1, 0, 0]
"#;

/// The scene with another table of contact in place of its own, in front of everything.
fn with(contact: &str) -> String {
    format!("duration = 1\n{contact}\n{}", &GOOD[GOOD.find("[materials").unwrap()..])
}

#[track_caller]
fn refused(text: &str, message: &str, help: &str) {
    let error = Scene::parse(text).unwrap_err();
    assert_eq!((error.message.as_str(), error.help.as_deref().unwrap_or_default()), (message, help));
    assert!(error.span.is_some(), "{error:?}");
}

#[test]
fn everything_about_impulses_reaches_the_world() {
    let scene = Scene::parse(GOOD).unwrap();
    assert_eq!((scene.method(), scene.contact_settings()), (Method::Rkf45, None));
    let simulation = scene.build(&NoFiles).unwrap();
    let world = simulation.world();
    let impulses = world.impulses.as_ref().unwrap();
    assert!(world.contact.is_none() && world.amends());
    assert_eq!((impulses.model, impulses.rules.restitution, impulses.own), (Model::Points, 0.4, true));
    // Bodies 0 and 1, the globe 2, and behind them the plane 3.
    assert_eq!(impulses.rules.rub([3, 0]), Rub::Coulomb(0.9));
    assert_eq!(impulses.rules.rub([1, 3]), Rub::Coulomb(0.3));
    assert!(impulses.off.contains(&[0, 1]) && impulses.off.len() == 1);
    assert_eq!((impulses.shapes[0].radius, impulses.shapes[2].radius), (5e-3, 0.0));
    assert_eq!((impulses.shapes[2].ball, impulses.shapes[2].fixed), (Some(0.2), true));
    assert_eq!(impulses.walls.len(), 1);
}

#[test]
fn a_word_stands_for_a_table_with_that_model() {
    for (word, model) in
        [("impulse", Some(Model::Points)), ("flood", Some(Model::Flood)), ("guaranteed", None)]
    {
        let short = Scene::parse(&with(&format!("contact = \"{word}\""))).unwrap();
        let long = Scene::parse(&with(&format!("[contact]\nmodel = \"{word}\""))).unwrap();
        assert_eq!(short, long);
        assert_eq!(short.impulse_settings().map(|settings| settings.model), model);
        assert_eq!(short.contact_settings().is_some(), model.is_none());
        assert_eq!(short.method(), if model.is_some() { Method::Rkf45 } else { Method::Bdf2 });
        let written = short.to_toml().unwrap();
        assert!(written.contains(&format!("model = \"{word}\"")), "{written}");
        assert_eq!(Scene::parse(&written).unwrap(), short);
    }
    let schema: serde_json::Value = serde_json::from_str(&json_schema()).unwrap();
    let text = schema["properties"]["contact"].to_string();
    assert!(text.contains("anyOf") && schema["$defs"]["ContactModel"].is_object(), "{text}");
}

#[test]
fn impulses_go_with_every_method_and_can_be_switched_off() {
    for method in ["rkf45", "bdf2", "backward-euler"] {
        let text = with(&format!("contact = \"flood\"\n[time]\nmethod = \"{method}\""));
        let simulation = Scene::parse(&text).unwrap().build(&NoFiles).unwrap();
        assert!(simulation.world().impulses.is_some() && simulation.world().contact.is_none());
    }
    let off = Scene::parse(&with("[contact]\nmodel = \"impulse\"\nenabled = false")).unwrap();
    assert_eq!((off.contact_model(), off.impulse_settings(), off.contact_settings()), (None, None, None));
    assert!(!off.build(&NoFiles).unwrap().world().amends());
}

#[test]
fn keys_of_another_model_are_refused() {
    for (key, value) in [
        ("distance", "\"1 mm\""),
        ("stiffness_scale", "5"),
        ("slip_speed", "\"1 mm/s\""),
        ("separate", "false"),
    ] {
        for model in ["impulse", "flood"] {
            refused(
                &with(&format!("[contact]\nmodel = \"{model}\"\n{key} = {value}")),
                &format!(
                    "[contact]: `{key}` goes only with model \"guaranteed\", and the model is \"{model}\""
                ),
                &format!("remove `{key}`, or write model = \"guaranteed\""),
            );
        }
    }
    refused(
        &with("[contact]\nrestitution = 0.5"),
        "[contact]: `restitution` goes only with model \"impulse\" and \"flood\", and the model is \"guaranteed\"",
        "remove `restitution`, or write model = \"impulse\"",
    );
    refused(
        &with("[contact]\nmodel = \"flood\"\npoint_radius = \"1 mm\""),
        "[contact]: `point_radius` goes only with model \"impulse\", and the model is \"flood\"",
        "remove `point_radius`, or write model = \"impulse\"",
    );
}

#[test]
fn numbers_that_impulses_cannot_mean_are_refused() {
    let impulse = |line: &str| with(&format!("[contact]\nmodel = \"impulse\"\n{line}"));
    refused(
        &impulse("restitution = 1.5"),
        "[contact]: `restitution` must be at most 1, not 1.5",
        "write for example restitution = 0.5",
    );
    let error = Scene::parse(&impulse("friction_factor = -0.1")).unwrap_err();
    assert_eq!(error.message, "[contact]: `friction_factor` must not be negative, as -0.1 is");
    let error = Scene::parse(&impulse("point_radius = 0")).unwrap_err();
    assert_eq!(error.message, "[contact]: `point_radius` must be greater than 0, not 0 m");
    refused(
        &impulse("friction = 0.2\nfriction_factor = 0.1"),
        "[contact]: `friction_factor` stands instead of `friction` and `frictions`",
        "keep one of them",
    );
    refused(
        &with("contact = \"impulses\""),
        "unknown contact `impulses` in the scene",
        "did you mean `impulse`?",
    );
    let error = Scene::parse(&with("contact = 3")).unwrap_err().message;
    assert!(error.contains("a table that describes contact, or one of"), "{error}");
}

#[test]
fn obstacles_that_a_model_does_not_know_are_refused() {
    let bat = "[obstacles.bat]\nshape = { capsule = { radius = \"2 cm\", length = \"10 cm\" } }\nposition = [2, 0, 0]\n";
    refused(
        &format!("{}{bat}", with("contact = \"impulse\"")),
        "[obstacles.bat]: contact model \"impulse\" knows only planes and spheres as obstacles",
        "use one of those, or another model of contact",
    );
    let simulation =
        Scene::parse(&format!("{}{bat}", with("contact = \"flood\""))).unwrap().build(&NoFiles).unwrap();
    assert!(!simulation.world().impulses.as_ref().unwrap().shapes[3].skin.is_empty());
    let shelf = "[obstacles.shelf]\nshape = { plate = { size = [1, 1] } }\n";
    refused(
        &format!("{}{shelf}", with("contact = \"flood\"")),
        "[obstacles.shelf]: contact model \"flood\" knows only planes and closed surfaces as obstacles",
        "use one of those, or another model of contact",
    );
}
