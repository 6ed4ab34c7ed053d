//! Runs whose figures are not to be trusted, and that say so.

use serde_json::Value;

use crate::support::{BLOCK, Desk, assert_same};

/// A block that hangs and swings by explicit Euler steps, which let every motion grow.
fn growing() -> String {
    let time = "[time]\nmethod = \"explicit-euler\"\nmax_step = \"0.2 ms\"\n\n[materials.rubber]";
    BLOCK.replace("[materials.rubber]", time)
}

/// A rope that falls on the ground. Its points sink in during long steps and are lifted out again.
const LIFTED: &str = r#"duration = "0.6 s"
contact = "impulse"

[time]
method = "semi-implicit-euler"
max_step = "20 ms"

[materials.hemp]
density = "1000 kg/m³"
young = "1 kPa"
poisson = 0.3

[bodies.rope]
material = "hemp"
rope = { path = [[0, 0, "5 cm"], ["20 cm", 0, "5 cm"]], segments = 2, radius = "5 mm" }

[obstacles.ground]
shape = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } }
"#;

/// A free block that spins. Explicit Euler steps turn it faster and faster.
const SPINNING: &str = r#"duration = "0.12 s"
gravity = 0

[time]
method = "explicit-euler"
max_step = "0.2 ms"

[materials.rubber]
preset = "soft rubber"

[bodies.block]
material = "rubber"
shape = { box = { size = [0.2, 0.1, 0.1], cells = [2, 1, 1] } }
spin = [0, 0, 40]
"#;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn codes(object: &Value, list: &str) -> Vec<String> {
    let list = object[list].as_array().unwrap_or_else(|| panic!("no {list} in {object}"));
    list.iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn books_that_do_not_balance_are_warned_of_with_cause_and_cure_wherever_one_looks() {
    let desk = Desk::with(&growing());
    let answer = desk.well(&["run", "scene.toml"]);
    let words =
        ["Warning (audit): the energy audit does not close", "likely cause: `explicit-euler`", "what to do:"];
    answer.expect(0, &words);
    let info = desk.well(&["info", "out/scene"]).stdout;
    assert!(info.contains("Warning (audit)") && info.contains("`aspic stability SCENE`"), "{info}");
    let about = json(&std::fs::read_to_string(desk.path("out/scene/run.json")).unwrap());
    let known = json(&desk.well(&["info", "out/scene", "--json"]).stdout);
    let told = desk.well(&["run", "scene.toml", "--json", "--overwrite"]);
    assert_eq!(told.stderr, "");
    let told = json(&told.stdout);
    assert_eq!(codes(&told, "warnings"), ["audit"]);
    assert_eq!((&about["warnings"], &known["warnings"]), (&told["warnings"], &told["warnings"]));
    let warning = &told["warnings"][0];
    let figure = |name: &str| warning["figures"][name].as_f64().unwrap();
    assert_eq!((figure("relative"), figure("limit")), (told["audit_relative"].as_f64().unwrap(), 0.01));
    assert!((figure("residual_J") / figure("exchanged_J") - figure("relative")).abs() < 1e-9);
    assert!(["message", "cause", "cure"].iter().all(|key| warning[key].is_string()), "{warning}");
}

#[test]
fn strict_makes_a_failure_of_warnings_and_of_nothing_else() {
    let desk = Desk::with(&growing());
    let answer = desk.aspic(&["run", "scene.toml", "--strict", "--quiet"]);
    answer.expect(3, &["Warning (audit)", "that is a failure with --strict"]);
    assert_eq!(answer.stdout, "");
    assert!(desk.path("out/scene/film.svg").is_file());
    let again = desk.aspic(&["resume", "out/scene", "--strict", "--json"]);
    assert_eq!((again.code, codes(&json(&again.stdout), "warnings").len()), (Some(3), 1));
    desk.write("scene.toml", BLOCK);
    let sound = desk.well(&["run", "scene.toml", "--strict", "--overwrite", "--json"]);
    assert!(codes(&json(&sound.stdout), "warnings").is_empty(), "{sound:?}");
    let about = json(&std::fs::read_to_string(desk.path("out/scene/run.json")).unwrap());
    assert!(codes(&about, "warnings").is_empty() && codes(&about, "notes").is_empty());
}

#[test]
fn a_resumed_run_is_warned_of_in_the_same_words() {
    for scene in [growing().as_str(), LIFTED, SPINNING] {
        let desk = Desk::with(scene);
        desk.well(&["run", "scene.toml", "--out", "whole", "--quiet"]);
        desk.well(&["run", "scene.toml", "--out", "part", "--frames", "..2", "--quiet"]);
        desk.well(&["resume", "part", "--quiet"]);
        assert_same(&desk.files("whole"), &desk.files("part"));
    }
}

#[test]
fn energy_made_by_the_steps_is_warned_of() {
    let desk = Desk::with(LIFTED);
    desk.aspic(&["run", "scene.toml"]).expect(
        0,
        &["Warning (made-energy): energy made by the steps:", "lifted out again", "`model = \"guaranteed\"`"],
    );
    let told = json(&desk.well(&["info", "out/scene", "--json"]).stdout);
    assert!(codes(&told, "warnings").contains(&"made-energy".to_owned()), "{told}");
    assert!(told["made_energy_relative"].as_f64().unwrap() > 0.01, "{told}");
}

#[test]
fn momentum_that_nothing_took_is_warned_of_and_gravity_may_take_it() {
    let desk = Desk::with(SPINNING);
    desk.aspic(&["run", "scene.toml"]).expect(0, &["Warning (momentum): momentum is not kept", "angular"]);
    desk.write("scene.toml", SPINNING.replace("gravity = 0", "gravity = 9.81"));
    let answer = desk.well(&["run", "scene.toml", "--overwrite"]);
    assert!(!answer.stderr.contains("momentum"), "{answer:?}");
}

#[test]
fn numerical_damping_is_told_in_joules_and_parts_and_is_no_failure() {
    let scene = BLOCK.replace("0.08 s", "1 s");
    let time = "[time]\nmethod = \"backward-euler\"\nmax_step = \"20 ms\"\n\n[materials.rubber]";
    let desk = Desk::with(&scene.replace("[materials.rubber]", time));
    let answer = desk.well(&["run", "scene.toml", "--strict"]);
    let line = answer.stdout.lines().find(|line| line.starts_with("numerical damping took")).unwrap();
    for words in ["J, ", " % of the energy exchanged (", "`step_tolerance = 1e-4`", "`max_step`", "\"bdf2\""]
    {
        assert!(line.contains(words), "{words}: {line}");
    }
    let info = desk.well(&["info", "out/scene"]).stdout;
    assert!(info.contains(line), "{info}");
    let told = json(&desk.well(&["info", "out/scene", "--json"]).stdout);
    assert_eq!((codes(&told, "warnings").len(), codes(&told, "notes")), (0, vec!["damping".to_owned()]));
}

#[test]
fn bad_input_is_a_json_object_too() {
    let desk = Desk::with(&BLOCK.replace("soft rubber", "soft ruber"));
    for command in ["run", "check", "info"] {
        let answer = desk.aspic(&[command, "scene.toml", "--json"]);
        answer.expect(2, &["unknown preset `soft ruber`"]);
        let error = json(&answer.stdout)["error"].clone();
        assert!(error["message"].as_str().unwrap().contains("unknown preset"), "{error}");
        assert_eq!((error["file"].as_str(), error["line"].as_u64()), (Some("scene.toml"), Some(4)));
        assert!(error["help"].as_str().unwrap().contains("soft rubber"), "{error}");
    }
    for arguments in [
        &["run", "none.toml", "--json"][..],
        &["resume", "none", "--json"],
        &["info", "none", "--json"],
        &["mesh", "info", "none.obj", "--json"],
    ] {
        let answer = desk.aspic(arguments);
        answer.expect(2, &["none"]);
        let error = json(&answer.stdout)["error"].clone();
        assert!(error["file"].as_str().unwrap().starts_with("none"), "{error}");
    }
    let answer = desk.aspic(&["run", "scene.toml", "--json", "--frames", "all"]);
    answer.expect(2, &["write 0..48"]);
    assert!(json(&answer.stdout)["error"]["message"].as_str().unwrap().contains("--frames"), "{answer:?}");
}

#[test]
fn check_and_info_speak_json() {
    let desk = Desk::with(BLOCK);
    let check = json(&desk.well(&["check", "scene.toml", "--json"]).stdout);
    assert_eq!((check["valid"].as_bool(), check["nodes"].as_u64()), (Some(true), Some(27)));
    assert_eq!((check["method"].as_str(), check["warnings"].as_array().unwrap().len()), (Some("rkf45"), 0));
    let info = json(&desk.well(&["info", "scene.toml", "--json"]).stdout);
    assert_eq!(info["bodies"][0]["name"].as_str(), Some("block"));
    assert!((info["bodies"][0]["mass_kg"].as_f64().unwrap() - 1.1).abs() < 0.5, "{info}");
    assert_eq!(info["constraints"][0]["vertices"].as_u64(), Some(9));
    desk.well(&["run", "scene.toml", "--frames", "..2", "--quiet"]);
    let run = json(&desk.well(&["info", "out/scene", "--json"]).stdout);
    assert_eq!((run["frames"].as_u64(), run["frames_of_whole_run"].as_u64()), (Some(2), Some(3)));
    assert_eq!(run["resume"].as_str(), Some("aspic resume out/scene"));
}

#[test]
fn a_mesh_describes_itself_in_json() {
    let desk = Desk::new();
    desk.write("tent.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    let report = json(&desk.well(&["mesh", "info", "tent.obj", "--json"]).stdout);
    assert_eq!((report["kind"].as_str(), report["triangles"].as_u64()), (Some("surface"), Some(3)));
    assert_eq!((report["watertight"].as_bool(), report["border_loops"].as_u64()), (Some(false), Some(1)));
    assert_eq!(report["high"], serde_json::json!([1.0, 1.0, 1.0]));
}
