//! Whole scenes: what is read, what is refused and in which words.

use super::quantity::{Length, Quantity};
use super::*;
use crate::Vec3;

/// A scene that uses every table. The tests below break it one line at a time.
const GOOD: &str = r#"title = "Falling torus"
duration = "10 s"
gravity = [0, 0, -9.81]

[time]
method = "rkf45"
tolerance = 1e-6

[output]
frame_rate = 24
stress = true

[materials.rubber]
law = "ls-stable"
bulk = "100 kPa"
shear = "30 kPa"
density = 1000

[bodies.ring]
material = "rubber"
shape = { torus = { ring_radius = "10 cm", tube_radius = "3 cm", sections = 20, sides = 8 } }
position = ["0 m", 0, "50 cm"]
rotation = { axis = [1, 0, 0], angle = "80 deg" }

[bodies.block]
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] } }

[constraints.nail]
hold = { body = "ring", name = "nail" }
until = "5 s"

[constraints.hand]
drag = { body = "block", side = { point = [0, 0, 0], normal = [0, 0, 1] } }
path = [{ at = "1 s", by = [0, 0, 0] }, { at = "2 s", by = [0, 0, "30 cm"] }]

[constraints.rail]
slide = { body = "ring", nearest = [0, 0, 1] }
plane = { point = [0, 0, 0], normal = [0, 1, 0] }

[forces.pull]
on = { body = "ring", nearest = [0, 0, 1] }
force = [0, 0, "-2 N"]
keys = [{ at = "0 s", scale = 0 }, { at = "1 s", scale = 1 }]
"#;

/// What to replace in [`GOOD`] by what, and the error that must follow.
pub(super) struct Bad {
    pub from: &'static str,
    pub to: &'static str,
    pub at: (usize, usize),
    pub message: &'static str,
    pub help: &'static str,
}

pub(super) fn check(rows: &[Bad]) {
    let mut wrong = String::new();
    for Bad { from, to, at, message, help } in rows {
        assert_eq!(GOOD.matches(from).count(), 1, "`{from}` must occur once");
        let text = GOOD.replace(from, to);
        let Err(error) = Scene::parse(&text) else {
            wrong += &format!("accepted: {to}\n");
            continue;
        };
        let expected = (*at, *message, Some(*help).filter(|help| !help.is_empty()));
        let found = (error.line_column(&text), error.message.as_str(), error.help.as_deref());
        if found != expected {
            wrong += &format!("{to}\n  expected {expected:?}\n  found    {found:?}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn a_scene_without_bodies_is_refused() {
    let error = Scene::parse("duration = 1").unwrap_err();
    assert_eq!(error.message, "the scene has no bodies");
    assert_eq!(error.line_column("duration = 1"), (1, 1));
}

#[test]
fn columns_count_characters() {
    let text = "title = \"Gelée\" \nduration = 1\ntitel = 'é'";
    let error = Scene::parse(text).unwrap_err();
    assert_eq!((error.line_column(text), error.help.as_deref()), ((3, 1), Some("did you mean `title`?")));
    let text = GOOD.replace("\"ring\", name = \"nail\"", "\"é\", nane = \"nail\"");
    let error = Scene::parse(&text).unwrap_err();
    assert_eq!(error.line_column(&text), (30, 22));
}

#[test]
fn a_scene_written_back_reads_as_the_same_scene() {
    let scene = Scene::parse(GOOD).unwrap();
    let written = scene.to_toml().unwrap();
    assert_eq!(Scene::parse(&written).unwrap(), scene, "{written}");
    for default in
        ["max_step = 0.02", "first_step = 0.001", "viscosity_model = \"material\"", "mass = \"consistent\""]
    {
        assert!(written.contains(default), "{default} is missing in\n{written}");
    }
}

#[test]
fn every_kind_of_constraint_and_force_survives_writing() {
    let more = r#"
[bodies.part]
material = "rubber"
mesh = { file = "part.msh", scale = 0.001 }
mass = "lumped"
rotation = [{ axis = [1, 0, 0], angle = "90 deg" }, { axis = [0, 0, 1], angle = 1 }]
velocity = ["3.6 km/h", 0, 0]
spin = [0, 0, "60 rpm"]
stretch = ["110 %", 1, 1]
[constraints.tie]
tie = [{ body = "ring", index = [0, 5] }, { body = "part", part = "surface" }]
stiffness = "2 kN/m"
[constraints.rope]
distance = [{ body = "ring", box = [[0, 0, 0], [1, 1, 1]] }, { point = [0, 0, "1 m"] }]
length = "30 cm"
[constraints.ball]
slide = { body = "part", sphere = { center = [0, 0, 0], radius = 1 } }
sphere = { center = [0, 0, 0], radius = 1 }
[forces.squeeze]
on = { body = "part" }
pressure = "1 kPa"
until = "3 s"
[forces.wind]
on = { body = "part" }
acceleration = [0, "1 g", 0]
[forces.share]
on = { body = "part" }
total = [0, 0, 1]
"#;
    let scene = Scene::parse(&(GOOD.to_owned() + more)).unwrap();
    assert_eq!(Scene::parse(&scene.to_toml().unwrap()).unwrap(), scene);
    let part = &scene.bodies["part"];
    assert_eq!((part.rotation.0.len(), part.velocity.si()), (2, Vec3::new(1.0, 0.0, 0.0)));
    assert!((part.spin.si().z - std::f64::consts::TAU).abs() < 1e-15);
    assert_eq!(part.stretch.si(), Vec3::new(1.1, 1.0, 1.0));
    let Ok(ConstraintKind::Distance { ends, length }) = scene.constraints["rope"].kind() else { panic!() };
    assert_eq!((&ends[1], length), (&Anchor::Point(Vec3::new(0.0, 0.0, 1.0)), Some(0.3)));
    assert_eq!(scene.forces["squeeze"].kind(), Ok(ForceKind::Pressure(1000.0)));
    assert_eq!(scene.forces["wind"].kind(), Ok(ForceKind::Acceleration(Vec3::new(0.0, 9.80665, 0.0))));
}

#[test]
fn names_keep_their_order() {
    let scene = Scene::parse(GOOD).unwrap();
    assert!(scene.bodies.keys().eq(["ring", "block"]));
    assert!(scene.constraints.keys().eq(["nail", "hand", "rail"]));
}

#[test]
fn a_path_starts_at_rest_even_when_its_first_key_is_later() {
    let scene = Scene::parse(GOOD).unwrap();
    let Ok(ConstraintKind::Drag { path, .. }) = scene.constraints["hand"].kind() else { panic!() };
    let zero = Vec3::zeros();
    assert_eq!(path, [(0.0, zero), (1.0, zero), (2.0, Vec3::new(0.0, 0.0, 0.3))]);
}

#[test]
fn gravity_as_one_number_points_down() {
    let scene = Scene::parse(&GOOD.replace("[0, 0, -9.81]", "\"1 g\"")).unwrap();
    assert_eq!(scene.gravity.0.si(), Vec3::new(0.0, 0.0, -9.80665));
    let scene = Scene::parse(&GOOD.replace("gravity = [0, 0, -9.81]\n", "")).unwrap();
    assert_eq!(scene.gravity.0.si(), Vec3::new(0.0, 0.0, -9.81));
}

#[test]
fn frame_interval_and_frame_rate_say_the_same() {
    let scene = Scene::parse(&GOOD.replace("frame_rate = 24", "frame_interval = \"10 ms\"")).unwrap();
    assert_eq!(scene.output.interval(), 0.01);
    let scene = Scene::parse(&GOOD.replace("frame_rate = 24", "frame_rate = \"50 Hz\"")).unwrap();
    assert_eq!(scene.output.interval(), 0.02);
}

#[test]
fn a_short_longest_step_shortens_the_first() {
    let scene = Scene::parse(&GOOD.replace("tolerance = 1e-6", "max_step = \"0.1 ms\"")).unwrap();
    assert_eq!(scene.time.first_step.map(|step| step.si()), Some(1e-4));
}

#[test]
fn a_scene_built_in_code_is_checked_without_text() {
    let mut scene = Scene::parse(GOOD).unwrap();
    scene.bodies["ring"].material = "nothing".to_owned().into();
    let error = scene.validate().unwrap_err();
    assert_eq!((error.message.as_str(), error.span), ("[bodies.ring]: unknown material `nothing`", None));
}

#[test]
fn the_json_schema_describes_every_table_and_unit() {
    let schema: serde_json::Value = serde_json::from_str(&json_schema()).unwrap();
    let keys = [
        "title",
        "duration",
        "gravity",
        "time",
        "contact",
        "output",
        "materials",
        "bodies",
        "constraints",
        "forces",
    ];
    for key in keys {
        let description = &schema["properties"][key]["description"];
        assert!(description.is_string(), "{key} has no description");
    }
    assert_eq!(schema["required"], serde_json::json!(["duration"]));
    assert_eq!(schema["additionalProperties"], serde_json::json!(false));
    let length = schema["$defs"]["Length"]["description"].as_str().unwrap();
    assert!(length.contains("in m,") && length.contains("cm"), "{length}");
    let torus = &schema["$defs"]["TorusShape"]["properties"];
    assert_eq!(torus["ring_radius"]["$ref"], "#/$defs/Length");
}

proptest::proptest! {
    #[test]
    fn any_length_written_back_is_the_same_number(value in proptest::num::f64::NORMAL) {
        let mut scene = Scene::parse(GOOD).unwrap();
        scene.constraints["nail"].length = Some(Quantity::<Length>::new(value));
        let text = toml::to_string(&scene).unwrap();
        let read: Scene = toml::from_str(&text).unwrap();
        proptest::prop_assert_eq!(read.constraints["nail"].length.unwrap().si(), value);
    }

    #[test]
    fn a_damaged_scene_never_panics(cut in 0..GOOD.len(), junk in "[\\[\\]{}=\"a-z0-9.,é ]{0,6}") {
        let mut text = GOOD.to_owned();
        if text.is_char_boundary(cut) {
            text.replace_range(cut..(cut + 3).min(GOOD.len()), &junk);
        }
        if let Err(error) = Scene::parse(&text) {
            let (line, column) = error.line_column(&text);
            proptest::prop_assert!(line >= 1 && column >= 1);
        }
    }
}
