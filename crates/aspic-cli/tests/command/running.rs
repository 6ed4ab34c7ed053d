//! Runs that go well.

use serde_json::Value;

use crate::support::{BLOCK, BUSY, Desk, TOUCHING, assert_same, rows};

#[test]
fn a_run_leaves_a_complete_folder_named_after_its_scene() {
    let desk = Desk::new();
    desk.write("hanging block.toml", BLOCK);
    let answer = desk.well(&["run", "hanging block.toml"]);
    assert!(answer.stdout.contains("3 frames of 27 nodes, 40 tetrahedra"), "{}", answer.stdout);
    assert!(desk.path("out/hanging block/checkpoint").is_file());
    let files = desk.files("out/hanging block");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let frames = ["frames/000000.vtu", "frames/000001.vtu", "frames/000002.vtu"];
    let tables = ["ledger.csv", "ledger.svg", "reactions.csv"];
    let rest = ["film.svg", "frames.pvd", "lock", "run.json", "scene.toml"].into_iter().chain(tables);
    let mut expected: Vec<&str> = frames.into_iter().chain(rest).collect();
    expected.sort_unstable();
    assert_eq!(names, expected);
    let series = String::from_utf8(files["frames.pvd"].clone()).unwrap();
    assert_eq!(series.matches("<DataSet").count(), 3);
    assert!(frames.iter().all(|frame| series.contains(&format!("file=\"{frame}\""))), "{series}");
    assert_eq!((rows(&files["ledger.csv"]), rows(&files["reactions.csv"])), (3, 3));
}

#[test]
fn the_scene_as_run_gives_the_same_frames_again() {
    let desk = Desk::with(BUSY);
    desk.well(&["run", "scene.toml", "--out", "first"]);
    desk.well(&["run", "first/scene.toml", "--out", "second"]);
    assert_same(&desk.files("first"), &desk.files("second"));
}

#[test]
fn json_is_one_object_on_standard_output_and_nothing_else() {
    let desk = Desk::with(BLOCK);
    let answer = desk.well(&["run", "scene.toml", "--json"]);
    assert_eq!((answer.stdout.lines().count(), answer.stderr.as_str()), (1, ""));
    let summary: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert!((summary["simulated_s"].as_f64().unwrap() - 0.08).abs() < 1e-12);
    assert!(summary["wall_s"].as_f64().unwrap() > 0.0);
    assert!(summary["steps"].as_u64().unwrap() > 0);
    assert!(summary["rejected"].is_u64());
    // Each step of Fehlberg's method takes six evaluations.
    assert!(summary["force_evaluations"].as_u64() >= summary["steps"].as_u64().map(|steps| 5 * steps));
    assert_eq!(
        (summary["newton_iterations"].as_u64(), summary["linear_iterations"].as_u64()),
        (Some(0), Some(0))
    );
    assert!((0.0..1e-2).contains(&summary["audit_relative"].as_f64().unwrap()));
    assert_eq!(summary["max_constraint_violation"].as_f64(), Some(0.0));
    assert_eq!(summary["frames"].as_u64(), Some(3));
    assert_eq!(summary["completed"].as_bool(), Some(true));
}

#[test]
fn implicit_steps_count_their_iterations() {
    let desk = Desk::with(TOUCHING);
    let answer = desk.well(&["run", "scene.toml", "--json"]);
    let summary: Value = serde_json::from_str(&answer.stdout).unwrap();
    let number = |key: &str| summary[key].as_u64().unwrap();
    assert!(number("steps") >= 30 && number("newton_iterations") >= number("steps"), "{summary}");
    assert!(number("linear_iterations") >= number("newton_iterations"), "{summary}");
    let words = desk.well(&["resume", "out/scene"]).stdout;
    assert!(words.contains(&format!("{} Newton and", number("newton_iterations"))), "{words}");
}

#[test]
fn contact_does_not_depend_on_the_number_of_threads() {
    let desk = Desk::with(TOUCHING);
    desk.well(&["run", "scene.toml", "--out", "one", "--threads", "1", "--quiet"]);
    desk.well(&["run", "scene.toml", "--out", "two", "--threads", "2", "--quiet"]);
    assert_same(&desk.files("one"), &desk.files("two"));
}

#[test]
fn check_and_info_name_the_method_and_the_contact() {
    let desk = Desk::with(TOUCHING);
    for command in ["check", "info"] {
        let words = desk.well(&[command, "scene.toml"]).stdout;
        assert!(words.contains("method bdf2, steps of 16.67 ms, contact with friction 0.3"), "{words}");
    }
    desk.write("scene.toml", BLOCK);
    for command in ["check", "info"] {
        let words = desk.well(&[command, "scene.toml"]).stdout;
        assert!(words.contains("method rkf45, tolerance 1e-4, no contact"), "{words}");
    }
}

#[test]
fn the_trapezoid_with_contact_is_warned_of_with_a_cure() {
    let desk = Desk::with(TOUCHING);
    assert_eq!(desk.well(&["check", "scene.toml"]).stderr, "");
    desk.write("scene.toml", TOUCHING.replace("[contact]", "[time]\nmethod = \"trapezoid\"\n\n[contact]"));
    for arguments in
        [&["check", "scene.toml"][..], &["info", "scene.toml"], &["run", "scene.toml", "--frames", "..3"]]
    {
        desk.aspic(arguments).expect(0, &["Warning: the trapezoid", "gains energy", "method = \"bdf2\""]);
    }
    let quiet = desk.well(&["run", "scene.toml", "--frames", "..3", "--quiet", "--overwrite"]);
    assert_eq!(quiet.stderr, "");
}

#[test]
fn check_and_info_name_the_tolerance_of_a_step() {
    let desk = Desk::with(&TOUCHING.replace("[contact]", "[time]\nstep_tolerance = 1e-3\n\n[contact]"));
    for command in ["check", "info"] {
        let words = desk.well(&[command, "scene.toml"]).stdout;
        assert!(words.contains("method bdf2, steps of up to 16.67 ms, step tolerance 1e-3"), "{words}");
    }
}

#[test]
fn a_resumed_run_with_a_step_tolerance_holds_the_same_bytes() {
    let desk = Desk::with(&TOUCHING.replace("[contact]", "[time]\nstep_tolerance = 1e-3\n\n[contact]"));
    desk.well(&["run", "scene.toml", "--out", "whole", "--quiet"]);
    for frames in ["..1", "..12", "..20"] {
        desk.well(&["run", "scene.toml", "--out", "part", "--frames", frames, "--quiet", "--overwrite"]);
        desk.well(&["resume", "part", "--quiet"]);
        assert_same(&desk.files("whole"), &desk.files("part"));
    }
}

#[test]
fn quiet_says_nothing() {
    let desk = Desk::with(BLOCK);
    let answer = desk.well(&["run", "scene.toml", "--quiet"]);
    assert_eq!((answer.stdout.as_str(), answer.stderr.as_str()), ("", ""));
    let again = desk.well(&["resume", "out/scene", "--quiet"]);
    assert_eq!((again.stdout.as_str(), again.stderr.as_str()), ("", ""));
}

#[test]
fn a_range_of_frames_holds_the_same_bytes_as_the_whole_run() {
    let desk = Desk::with(BUSY);
    desk.well(&["run", "scene.toml", "--out", "whole", "--quiet"]);
    desk.well(&["run", "scene.toml", "--out", "part", "--frames", "2..5", "--quiet"]);
    let (whole, part) = (desk.files("whole"), desk.files("part"));
    let frames: Vec<&str> = part.keys().map(String::as_str).filter(|name| name.ends_with(".vtu")).collect();
    assert_eq!(frames, ["frames/000002.vtu", "frames/000003.vtu", "frames/000004.vtu"]);
    assert!(frames.iter().all(|frame| part[*frame] == whole[*frame]));
    assert_eq!(rows(&part["ledger.csv"]), 5);
    assert_eq!(String::from_utf8_lossy(&part["film.svg"]).matches("<text").count(), 3);
    desk.well(&["resume", "part", "--frames", "2..", "--quiet"]);
    assert!(desk.files("part")["ledger.csv"] == whole["ledger.csv"]);
}

#[test]
fn a_range_without_frames_is_refused_before_anything_is_written() {
    let desk = Desk::with(BLOCK);
    desk.aspic(&["run", "scene.toml", "--frames", "3..9"]).expect(2, &["--frames 3..9", "0 to 2"]);
    desk.aspic(&["run", "scene.toml", "--frames", "9..3"]).expect(2, &["9..3 is empty"]);
    desk.aspic(&["run", "scene.toml", "--frames", "all"]).expect(2, &["write 0..48, 48.. or ..48"]);
    assert!(!desk.path("out").exists());
}

/// 5000 tetrahedra are ten blocks of 512, so that two threads share the work.
#[test]
fn the_number_of_threads_changes_no_byte() {
    let desk = Desk::with(
        &BLOCK
            .replace("[2, 2, 2]", "[10, 10, 10]")
            .replace("0.08 s", "0.02 s")
            .replace("[materials.rubber]", "[output]\nframe_rate = 200\n\n[materials.rubber]"),
    );
    for threads in ["1", "2", "5"] {
        desk.well(&["run", "scene.toml", "--out", threads, "--threads", threads, "--quiet"]);
    }
    assert_eq!(rows(&desk.files("1")["ledger.csv"]), 5);
    assert_same(&desk.files("1"), &desk.files("2"));
    assert_same(&desk.files("1"), &desk.files("5"));
}

#[test]
fn a_film_shows_twelve_moments_from_first_to_last() {
    let desk = Desk::with(BUSY);
    desk.well(&["run", "scene.toml", "--quiet"]);
    let film = String::from_utf8(desk.files("out/scene")["film.svg"].clone()).unwrap();
    let times: Vec<f64> =
        film.split("t = ").skip(1).map(|rest| rest.split(' ').next().unwrap().parse().unwrap()).collect();
    assert_eq!((times.len(), times[0], times[11]), (12, 0.0, 0.4));
    // 40 intervals of 10 ms over 11 gaps: three or four each.
    assert!(times.windows(2).all(|pair| (0.029..0.041).contains(&(pair[1] - pair[0]))), "{times:?}");
}

#[test]
fn scenes_and_folders_describe_themselves() {
    let desk = Desk::with(BUSY);
    let check = desk.well(&["check", "scene.toml"]).stdout;
    assert!(check.contains("scene.toml is valid: 2 bodies") && check.contains("41 frames"), "{check}");
    assert!(!desk.path("out").exists());
    let info = desk.well(&["info", "scene.toml"]).stdout;
    for words in ["body `swing`", "body `ball`", "constraint `leash`: 1 vertex", "1 force besides gravity"] {
        assert!(info.contains(words), "{words}: {info}");
    }
    desk.well(&["run", "scene.toml", "--frames", "..7"]);
    let info = desk.well(&["info", "out/scene"]).stdout;
    assert!(info.contains("7 of 41 frames") && info.contains("aspic resume out/scene"), "{info}");
    desk.well(&["resume", "out/scene"]);
    let info = desk.well(&["info", "out/scene"]).stdout;
    assert!(info.contains("41 of 41 frames") && !info.contains("resume"), "{info}");
}

#[test]
fn schema_is_json_and_materials_name_their_sources() {
    let desk = Desk::new();
    let schema: Value = serde_json::from_str(&desk.well(&["schema"]).stdout).unwrap();
    assert!(schema["properties"]["bodies"].is_object());
    let all = desk.well(&["materials"]).stdout;
    assert!(all.matches("source:").count() >= 5 && all.contains("soft rubber"), "{all}");
    assert!(desk.well(&["materials", "cork"]).stdout.starts_with("cork\n"));
    desk.aspic(&["materials", "corck"]).expect(2, &["unknown preset `corck`", "did you mean `cork`?"]);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let answer = Desk::new().shell("aspic schema | head -c 1 > /dev/null; aspic materials | true");
    answer.expect(0, &[]);
    assert_eq!(answer.stderr, "");
}
