//! Simulations that cannot go on.

use crate::support::{Desk, rows};

/// Steps of a fixed length.
const FIXED: &str = "method = \"velocity-verlet\"\nmax_step = \"0.2 ms\"";

/// A pressure that grows until such steps turn the body inside out.
const CRUSHED: &str = r#"duration = "0.5 s"

[time]
method = "velocity-verlet"
max_step = "0.2 ms"

[materials.rubber]
preset = "soft rubber"
law = "st-venant"

[bodies.cushion]
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] } }

[constraints.floor]
hold = { body = "cushion", name = "bottom" }

[forces.press]
on = { body = "cushion", name = "top" }
pressure = "150 kPa"
keys = [{ at = "0 s", scale = 0 }, { at = "0.3 s", scale = 1 }]

[output]
frame_rate = 100
"#;

#[test]
fn a_body_that_turns_inside_out_ends_the_run_and_keeps_its_frames() {
    let desk = Desk::with(CRUSHED);
    let answer = desk.aspic(&["run", "scene.toml", "--json"]);
    answer.expect(
        1,
        &[
            "at t = 0.",
            "body `cushion`",
            "inside out",
            "write a shorter `max_step`",
            "out/scene",
            "out/scene/failure.vtu shows the place",
        ],
    );
    let summary: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(summary["completed"], false);
    assert!(summary["error"]["message"].as_str().unwrap().contains("inside out"), "{summary}");
    let files = desk.files("out/scene");
    let frames = files.keys().filter(|name| name.starts_with("frames/")).count();
    assert!(frames > 2, "{frames} frames");
    assert_eq!(rows(&files["ledger.csv"]), frames);
    assert_eq!(String::from_utf8_lossy(&files["frames.pvd"]).matches("<DataSet").count(), frames);
    let place = String::from_utf8_lossy(&files["failure.vtu"]);
    assert!(place.contains("Name=\"marked\"") && place.trim_end().ends_with("</VTKFile>"));
    assert!(files.contains_key("film.svg") && files.contains_key("ledger.svg"));
    let again = desk.aspic(&["resume", "out/scene"]);
    assert_eq!((again.code, again.words()), (Some(1), answer.words()));
    crate::support::assert_same(&files, &desk.files("out/scene"));
    // Steps that follow their error find the wall that keeps tetrahedra from going flat.
    desk.write("scene.toml", CRUSHED.replace(FIXED, ""));
    desk.well(&["run", "scene.toml", "--overwrite", "--quiet"]);
    assert!(!desk.files("out/scene").contains_key("failure.vtu"));
}

/// A hammer that is driven through a cushion and the anvil behind it.
const HAMMERED: &str = r#"duration = "0.5 s"

[time]
min_step = "1 ms"

[materials.rubber]
preset = "soft rubber"

[bodies.cushion]
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }
position = [0, 0, "6 cm"]

[obstacles.anvil]
shape = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } }

[obstacles.hammer]
shape = { box = { size = ["30 cm", "30 cm", "2 cm"] } }
position = [0, 0, "13 cm"]
motion = { path = [{ at = "0.4 s", by = [0, 0, "-20 cm"] }] }

[output]
frame_rate = 100
"#;

/// Fails unless the run of this scene ends in these words, with frames and a file that shows the place.
#[track_caller]
fn ends_in_contact(scene: &str, words: &[&str]) -> String {
    let desk = Desk::with(scene);
    let answer = desk.aspic(&["run", "scene.toml"]);
    answer.expect(1, words);
    answer.expect(1, &["at t = 0.", "help:", "out/scene/failure.vtu shows the place"]);
    let files = desk.files("out/scene");
    let frames = files.keys().filter(|name| name.starts_with("frames/")).count();
    assert!(frames > 5 && rows(&files["ledger.csv"]) == frames, "{frames} frames");
    let place = String::from_utf8_lossy(&files["failure.vtu"]);
    assert!(place.contains("Name=\"marked\"") && place.trim_end().ends_with("</VTKFile>"));
    let again = desk.aspic(&["resume", "out/scene"]);
    assert_eq!((again.code, again.words()), (Some(1), answer.words()));
    crate::support::assert_same(&files, &desk.files("out/scene"));
    answer.words()
}

#[test]
fn a_body_that_is_crushed_between_obstacles_is_named_and_shown_with_them() {
    let words = ends_in_contact(HAMMERED, &["`cushion`"]);
    assert!(words.contains("`hammer`") || words.contains("`anvil`"), "{words}");
}

#[test]
fn an_obstacle_that_is_driven_through_a_held_body_is_named_with_it() {
    let held = format!("{HAMMERED}\n[constraints.hand]\nhold = {{ body = \"cushion\" }}\n");
    ends_in_contact(&held, &["`cushion` (point", "and `hammer` (point", "m of room left between them"]);
}

#[test]
fn steps_that_would_be_too_short_name_the_time_and_a_cure() {
    let desk = Desk::with(&CRUSHED.replace(FIXED, "min_step = \"10 ms\"\nfirst_step = \"10 ms\""));
    let answer = desk.aspic(&["run", "scene.toml"]);
    answer.expect(1, &["at t = 0.0", "tolerance", "help:"]);
}
