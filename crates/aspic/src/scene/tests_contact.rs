//! Methods and contact in a scene: what is read, what is refused and in which words.

use super::*;
use crate::integrate::{Choice, ImplicitSettings, Scheme};
use crate::run;

/// A scene that says everything there is to say about contact.
const GOOD: &str = r#"duration = "1 s"
[time]
method = "bdf2"
max_step = "10 ms"
newton_tolerance = "1 mm/s"
solver = "factor"
[contact]
friction = 0.3
frictions = [
  { between = ["ball", "floor"], friction = 0.9 },
  { between = ["rubber", "rubber"], friction = 0.5 },
  { between = ["rubber", "floor"], friction = 0.6 },
]
distance = "1 mm"
stiffness_scale = 20
slip_speed = "2 mm/s"
off = [["cube", "cube"], ["ball", "stick"]]
separate = true
[materials.rubber]
preset = "soft rubber"
[bodies.ball]
material = "rubber"
shape = { ball = { radius = 0.1, rings = 2 } }
position = [0, 0, 1]
[bodies.cube]
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }
[obstacles.floor]
shape = { plane = { point = [0, 0, -1], normal = [0, 0, 1] } }
[obstacles.stick]
shape = { capsule = { radius = "2 cm", length = "10 cm" } }
position = [1, 0, 0]
"#;

/// The good scene without its tables of time and contact.
fn bare() -> String {
    format!("duration = 1\n{}", &GOOD[GOOD.find("[materials").unwrap()..])
}

/// A single ball.
fn ball() -> String {
    let text = bare();
    text[..text.find("[bodies.cube").unwrap()].to_owned()
}

#[test]
fn everything_about_contact_reaches_the_world() {
    let scene = Scene::parse(GOOD).unwrap();
    let settings = scene.contact_settings().unwrap();
    assert_eq!((settings.distance, settings.slip_speed), (Some(1e-3), Some(2e-3)));
    assert_eq!((settings.stiffness_scale, settings.friction, settings.separate), (20.0, 0.3, true));
    let name = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(settings.off, [name("cube", "cube"), name("ball", "stick")]);
    let time = scene.settings();
    let run::Method::Implicit(ImplicitSettings { scheme, newton, step_tolerance, fixed }) = time.method
    else {
        panic!()
    };
    assert_eq!((scheme, newton.tolerance, newton.solver), (Scheme::Bdf2, Some(1e-3), Choice::Factor));
    assert_eq!((time.limits.max_step, time.first_step, step_tolerance, fixed), (0.01, None, None, false));
    let simulation = scene.build(&NoFiles).unwrap();
    let contact = simulation.world().contact.as_ref().unwrap();
    // Bodies 0 and 1, the stick 2, and behind them the plane 3: bodies win over materials, wherever they stand.
    let frictions =
        [([0, 3], 0.9), ([1, 3], 0.6), ([0, 1], 0.5), ([0, 0], 0.5), ([0, 2], 0.3), ([1, 2], 0.3)];
    for ([a, b], friction) in frictions {
        assert_eq!(contact.friction.between(a, b), friction, "{a} {b}");
    }
}

/// Whatever the order of the rows: pairs win over bodies, bodies over their material, and of two the finer one.
#[test]
fn distances_of_bodies_and_pairs_reach_the_world() {
    let rows = "distance = \"1 mm\"\ndistances = [\n  { between = [\"ball\", \"floor\"], distance = 5e-3 },\n  \
                { of = \"ball\", distance = 2e-3 },\n  { of = \"rubber\", distance = 4e-4 },\n  \
                { of = \"floor\", distance = 3e-4 },\n]";
    let scene = Scene::parse(&GOOD.replacen("distance = \"1 mm\"", rows, 1)).unwrap();
    let simulation = scene.build(&NoFiles).unwrap();
    let contact = simulation.world().contact.as_ref().unwrap();
    let part = |body: u32| contact.surface.parts().iter().position(|part| part.body == body).unwrap();
    let [ball, cube, stick] = [0, 1, 2].map(part);
    let between = |a: usize, b: usize| contact.distance.between(a, b);
    assert_eq!([between(ball, ball), between(cube, cube)], [2e-3, 4e-4]);
    assert_eq!([between(ball, cube), between(ball, stick), between(cube, stick)], [4e-4, 1e-3, 4e-4]);
    assert_eq!([contact.distance.at_plane(ball, 0), contact.distance.at_plane(cube, 0)], [5e-3, 3e-4]);
    assert_eq!(Scene::parse(&scene.to_toml().unwrap()).unwrap(), scene);
}

#[test]
fn distances_that_say_too_little_or_too_much_are_refused() {
    let row = |row: &str| format!("distances = [{{ {row} }}]\ndistance = \"1 mm\"");
    let kinds = "[contact]: a row of `distances` needs `of` or `between`, and not both";
    let cure = "write { of = \"rubber\", distance = \"1 mm\" } for a body, an obstacle or a material, and \
                { between = [\"rubber\", \"floor\"], distance = \"1 mm\" } for a pair";
    refused("distance = \"1 mm\"", &row("distance = 1e-3"), (14, 27), kinds, cure);
    let both = row("of = \"ball\", between = [\"ball\", \"floor\"], distance = 1e-3");
    refused("distance = \"1 mm\"", &both, (14, 21), kinds, cure);
    let unknown = "[contact]: `bal` is no body, obstacle or material";
    let misspelt = row("of = \"bal\", distance = 1e-3");
    refused("distance = \"1 mm\"", &misspelt, (14, 21), unknown, "did you mean `ball`?");
    let twice = row("of = \"ball\", distance = 1e-3 }, { of = \"ball\", distance = 2e-3");
    refused(
        "distance = \"1 mm\"",
        &twice,
        (14, 55),
        "[contact]: the distance of `ball` is given twice",
        "keep one of them",
    );
}

#[test]
fn the_tolerance_of_a_step_reaches_the_run_and_the_file() {
    let text = GOOD.replacen("solver = \"factor\"", "step_tolerance = \"0.2 %\"", 1);
    let scene = Scene::parse(&text).unwrap();
    let run::Method::Implicit(settings) = scene.settings().method else { panic!() };
    assert_eq!(settings.step_tolerance, Some(2e-3));
    let written = scene.to_toml().unwrap();
    assert!(written.contains("step_tolerance = 0.002"), "{written}");
    assert_eq!(Scene::parse(&written).unwrap().settings(), scene.settings());
}

#[test]
fn tolerances_of_a_step_that_say_nothing_are_refused() {
    refused(
        "solver = \"factor\"",
        "step_tolerance = 0.5",
        (6, 18),
        "[time]: `step_tolerance` must be at most 0.1, not 0.5",
        "1e-3 is coarse, 1e-6 is fine",
    );
    refused(
        "solver = \"factor\"",
        "step_tolerance = 0",
        (6, 18),
        "[time]: `step_tolerance` must be greater than 0, not 0",
        "write for example step_tolerance = 1e-3",
    );
    let text = GOOD.replacen("solver = \"factor\"", "step_tolerance = true", 1);
    let error = Scene::parse(&text).unwrap_err().to_string();
    assert!(error.contains("a plain number such as 1e-3"), "{error}");
    let text = format!("{}[time]\nmethod = \"rkf45\"\nstep_tolerance = 1e-3\n", ball());
    let error = Scene::parse(&text).unwrap_err();
    let message = "[time]: `step_tolerance` goes only with implicit methods, and the method is \"rkf45\"";
    let help = "remove `step_tolerance`, or write method = \"bdf2\"";
    assert_eq!((error.message.as_str(), error.help.as_deref()), (message, Some(help)));
}

#[test]
fn implicit_methods_have_contact_unless_it_is_switched_off() {
    let scene = Scene::parse(&format!("{}[time]\nmethod = \"backward-euler\"\n", ball())).unwrap();
    assert_eq!(scene.contact_settings(), Some(crate::body::ContactSettings::default()));
    assert_eq!(scene.settings().limits.max_step, 1.0 / 60.0);
    assert!(scene.build(&NoFiles).unwrap().world().contact.is_some());
    let off = format!("{}[time]\nmethod = \"trapezoid\"\n[contact]\nenabled = false\n", ball());
    let scene = Scene::parse(&off).unwrap();
    assert_eq!(scene.contact_settings(), None);
    assert!(scene.build(&NoFiles).unwrap().world().contact.is_none());
}

#[test]
fn the_trapezoid_with_contact_is_warned_of_and_nothing_else_is() {
    let with = |method: &str, contact: &str| {
        let text = format!("{}[time]\nmethod = \"{method}\"\n[contact]\n{contact}\n", ball());
        Scene::parse(&text).unwrap().warnings()
    };
    let warnings = with("trapezoid", "");
    assert!(warnings.len() == 1 && warnings[0].contains("method = \"bdf2\""), "{warnings:?}");
    for quiet in [with("bdf2", ""), with("backward-euler", ""), with("trapezoid", "enabled = false")] {
        assert_eq!(quiet, Vec::<String>::new());
    }
    assert!(Scene::parse(&ball()).unwrap().warnings().is_empty());
}

#[test]
fn the_method_follows_from_what_is_in_the_scene() {
    let method = |text: &str| Scene::parse(text).unwrap().method();
    assert_eq!(method(&ball()), Method::Rkf45);
    assert_eq!(method(&bare()), Method::Bdf2, "obstacles");
    assert_eq!(method(&ball().replace("position", "kind = \"affine\"\nposition")), Method::Bdf2);
    assert_eq!(method(&format!("{}[contact]\n", ball())), Method::Bdf2);
    assert_eq!(method(&format!("{}[contact]\nenabled = false\n", ball())), Method::Rkf45);
    assert_eq!(
        method(&format!("{}[contact]\nenabled = false\n[time]\nmethod = \"rkf45\"\n", bare())),
        Method::Rkf45
    );
}

#[test]
fn a_scene_written_out_reads_the_same_and_says_its_method() {
    for text in [GOOD.to_owned(), bare(), ball()] {
        let scene = Scene::parse(&text).unwrap();
        let written = scene.to_toml().unwrap();
        assert_eq!(Scene::parse(&written).unwrap(), scene, "{written}");
        assert!(written.contains("method = "), "{written}");
    }
    let written = Scene::parse(&bare()).unwrap().to_toml().unwrap();
    for default in
        ["enabled = true", "friction = 0.0", "stiffness_scale = 10.0", "solver = \"auto\"", "\"bdf2\""]
    {
        assert!(written.contains(default), "{default} is missing in\n{written}");
    }
    assert!(!written.contains("tolerance"), "{written}");
}

/// Replaces a piece of the good scene and expects an error at line and column, in these words.
#[track_caller]
fn refused(from: &str, to: &str, at: (usize, usize), message: &str, help: &str) {
    assert!(GOOD.contains(from), "{from}");
    let text = GOOD.replacen(from, to, 1);
    let error = Scene::parse(&text).expect_err(to);
    let found = (error.line_column(&text), error.message.as_str(), error.help.as_deref().unwrap_or_default());
    assert_eq!(found, (at, message, help), "{to}");
}

#[test]
fn numbers_that_contact_cannot_have_are_refused() {
    refused(
        "friction = 0.3",
        "friction = -0.3",
        (8, 12),
        "[contact]: `friction` must not be negative, as -0.3 is",
        "write 0, or for example friction = 0.3",
    );
    refused("friction = 0.3", "friction = nan", (8, 12), "`NaN` is not a number", "write a finite number");
    refused(
        "friction = 0.9",
        "friction = -1",
        (10, 45),
        "[contact]: `friction` must not be negative, as -1 is",
        "write 0, or for example friction = 0.3",
    );
    let positive = |key: &str, found: &str| format!("[contact]: `{key}` must be greater than 0, not {found}");
    refused("\"1 mm\"", "0", (14, 12), &positive("distance", "0 m"), "write for example distance = \"1 mm\"");
    refused(
        "scale = 20",
        "scale = 0",
        (15, 19),
        &positive("stiffness_scale", "0"),
        "write for example stiffness_scale = 10",
    );
    refused(
        "\"2 mm/s\"",
        "-1",
        (16, 14),
        &positive("slip_speed", "-1 m/s"),
        "write for example slip_speed = \"1 mm/s\"",
    );
    refused(
        "\"1 mm/s\"",
        "0",
        (5, 20),
        "[time]: `newton_tolerance` must be greater than 0, not 0 m/s",
        "write for example newton_tolerance = \"1 mm/s\"",
    );
    let friction = Scene::parse(&GOOD.replacen("friction = 0.3", "friction = 0", 1)).unwrap();
    assert_eq!(friction.contact_settings().unwrap().friction, 0.0);
}

#[test]
fn names_that_contact_does_not_know_are_refused() {
    let unknown = |name: &str| format!("[contact]: `{name}` is no body, obstacle or material");
    refused(
        "[\"ball\", \"floor\"]",
        "[\"bal\", \"floor\"]",
        (10, 16),
        &unknown("bal"),
        "did you mean `ball`?",
    );
    refused("\"stick\"]]", "\"stik\"]]", (17, 35), &unknown("stik"), "did you mean `stick`?");
    refused("\"stick\"]]", "\"wall\"]]", (17, 35), &unknown("wall"), "did you mean `ball`?");
    refused(
        "[\"rubber\", \"floor\"]",
        "[\"floor\", \"ball\"]",
        (12, 16),
        "[contact]: the friction between `floor` and `ball` is given twice",
        "keep one of them",
    );
    refused(
        "[\"cube\", \"cube\"]",
        "[\"cube\"]",
        (17, 8),
        "`off[1]` in [contact] needs an array of 2 values, not 1",
        "",
    );
    refused(
        "separate",
        "seperate",
        (18, 1),
        "unknown key `seperate` in [contact]",
        "did you mean `separate`?",
    );
    refused("\nfriction", "\nmu", (8, 1), "unknown key `mu` in [contact]", "did you mean `friction`?");
    refused(
        "between = [\"ball\", \"floor\"], ",
        "",
        (10, 3),
        "`frictions[1]` of [contact] has no `between`",
        "add between = [\"rubber\", \"floor\"]",
    );
    refused(
        "separate = true",
        "separate = 1",
        (18, 12),
        "`separate` in [contact] needs true or false, not 1",
        "",
    );
}

#[test]
fn contact_with_an_explicit_method_is_refused() {
    let help = "write method = \"bdf2\", or [contact] with model = \"springs\" or \"impulse\", or with enabled = false to do \
                without contact";
    let text = format!("{}[contact]\n[time]\nmethod = \"rkf45\"\n", ball());
    let error = Scene::parse(&text).unwrap_err();
    assert_eq!(error.message, "[time]: contact needs an implicit method, and \"rkf45\" is explicit");
    assert_eq!((error.line_column(&text), error.help.as_deref()), ((10, 10), Some(help)));
    let text = format!("{}[time]\nmethod = \"rkf45\"\n", bare());
    let error = Scene::parse(&text).unwrap_err();
    let message =
        "[time]: obstacles act by contact, which needs an implicit method, and \"rkf45\" is explicit";
    assert_eq!((error.message.as_str(), error.help.as_deref()), (message, Some(help)));
}

#[test]
fn keys_of_the_other_kind_of_method_are_refused() {
    refused(
        "max_step = \"10 ms\"",
        "tolerance = 1e-5",
        (4, 13),
        "[time]: `tolerance` goes only with \"rkf45\", and the method is \"bdf2\"",
        "remove `tolerance`: implicit methods take steps of `max_step`, or as long as `step_tolerance` lets them",
    );
    refused(
        "max_step",
        "first_step",
        (4, 14),
        "[time]: `first_step` goes only with \"rkf45\", and the method is \"bdf2\"",
        "remove `first_step`: implicit methods take steps of `max_step`, or as long as `step_tolerance` lets them",
    );
    refused(
        "method = \"bdf2\"",
        "method = \"rkf45\"",
        (5, 20),
        "[time]: `newton_tolerance` goes only with implicit methods, and the method is \"rkf45\"",
        "remove `newton_tolerance`, or write method = \"bdf2\"",
    );
    refused(
        "\"bdf2\"",
        "\"euler\"",
        (3, 10),
        "unknown method `euler` in [time]",
        "did you mean `backward-euler`?",
    );
    refused(
        "\"factor\"",
        "\"magic\"",
        (6, 10),
        "unknown solver `magic` in [time]",
        "the choices are `auto`, `jacobi`, `patches` and `factor`",
    );
    refused(
        "\"10 ms\"",
        "\"1 ns\"",
        (4, 12),
        "[time]: `min_step` (0.000001 s) is longer than `max_step` (0.000000001 s)",
        "lower `min_step`, or raise `max_step`",
    );
}
