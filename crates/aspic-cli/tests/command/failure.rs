//! Simulations that cannot go on.

use crate::support::{Desk, rows};

/// A law that gives way under strong compression, and a pressure that grows until it does.
const CRUSHED: &str = r#"duration = "0.5 s"

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
            "use a law that resists (`ls-stable`, `ls`)",
            "out/scene",
            "out/scene/failure.vtu shows the place",
        ],
    );
    assert_eq!(answer.stdout, "");
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
    desk.write("scene.toml", CRUSHED.replace("st-venant", "ls-stable"));
    desk.well(&["run", "scene.toml", "--overwrite", "--quiet"]);
    assert!(!desk.files("out/scene").contains_key("failure.vtu"));
}

#[test]
fn steps_that_would_be_too_short_name_the_time_and_a_cure() {
    let desk = Desk::with(
        &CRUSHED.replace("[output]", "[time]\nmin_step = \"10 ms\"\nfirst_step = \"10 ms\"\n\n[output]"),
    );
    let answer = desk.aspic(&["run", "scene.toml"]);
    answer.expect(1, &["at t = 0.0", "tolerance", "help:"]);
}
