//! `aspic export` into the formats of other programs.

use crate::support::Desk;

/// A ball, a rope and a still box, over six frames.
const SCENE: &str = r#"duration = "0.05 s"
[output]
frame_rate = 100
[materials.rubber]
preset = "soft rubber"
[bodies.ball]
material = "rubber"
shape = { ball = { radius = "4 cm", rings = 2 } }
[bodies.rope]
material = "rubber"
rope = { path = [[0, 0, 1], [1, 0, 1]], radius = "5 mm", segments = 5 }
[obstacles.stone]
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [3, 0, 0]
"#;

fn desk() -> Desk {
    let desk = Desk::with(SCENE);
    desk.well(&["run", "scene.toml", "--out", "run", "--quiet"]);
    desk
}

#[test]
fn every_format_is_written_twice_with_the_same_bytes() {
    let desk = desk();
    for (format, name) in [
        ("vtu", "run/vtu"),
        ("obj", "run/obj"),
        ("ply", "run/ply"),
        ("pc2", "run/pc2"),
        ("mdd", "run/mdd"),
        ("pov", "run/pov"),
        ("usda", "run/film.usda"),
        ("usdc", "run/film.usdc"),
        ("usdz", "run/film.usdz"),
        ("gltf", "run/film.gltf"),
        ("glb", "run/film.glb"),
        ("abc", "run/film.abc"),
        ("csv", "run/points.csv"),
        ("npz", "run/film.npz"),
    ] {
        let files = |desk: &Desk| match desk.path(name).is_dir() {
            true => desk.files(name).into_values().collect(),
            false => vec![std::fs::read(desk.path(name)).unwrap()],
        };
        let answer = desk.well(&["export", "run", "--to", format]);
        assert!(answer.stdout.contains("6 frames of 3 bodies"), "{format}: {}", answer.stdout);
        let first: Vec<Vec<u8>> = files(&desk);
        desk.well(&["export", "run", "--to", format, "--quiet"]);
        assert!(first == files(&desk) && !first.is_empty(), "{format}");
    }
}

#[test]
fn bodies_frames_axes_and_units_are_those_asked_for() {
    let desk = desk();
    let words = [
        "export", "run", "--out", "a.csv", "--bodies", "ball", "--frames", "2..4", "--scale", "100", "--up",
        "y",
    ];
    desk.well(&words);
    desk.well(&["export", "run", "--out", "b.csv", "--track", "ball", "--frames", "2..4"]);
    let rows = |name: &str| -> Vec<Vec<f64>> {
        let text = std::fs::read_to_string(desk.path(name)).unwrap();
        text.lines().skip(1).map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect()
    };
    let (turned, plain) = (rows("a.csv"), rows("b.csv"));
    assert_eq!((turned.len(), turned[0].len()), (2, 8), "{turned:?}");
    for (turned, plain) in turned.iter().zip(&plain) {
        assert_eq!(turned[..2], plain[..2]);
        // x, z and −y, in centimetres.
        for (got, meant) in turned[2..5].iter().zip([plain[2], plain[4], -plain[3]]) {
            assert!((got - 100.0 * meant).abs() < 1e-9, "{turned:?} {plain:?}");
        }
    }
    assert!(turned[1][3] < turned[0][3], "the ball falls");
}

#[test]
fn a_run_without_a_frame_that_can_be_read_makes_nothing() {
    let desk = desk();
    for frame in 0..6 {
        desk.write(&format!("run/frames/{frame:06}.vtu"), "damaged");
    }
    desk.aspic(&["export", "run", "--to", "csv"]).expect(2, &["no frame of run can be read"]);
    assert!(!desk.path("run/points.csv").exists());
}

#[test]
fn what_cannot_be_made_is_said_before_anything_is_written() {
    let desk = desk();
    desk.aspic(&["export", "run", "--to", "abc", "--bodies", "bal"])
        .expect(2, &["no body `bal`", "`ball`, `rope`"]);
    desk.aspic(&["export", "run", "--to", "abc", "--size", "80x80"]).expect(2, &["--size", "pictures"]);
    desk.aspic(&["export", "run", "--to", "abc", "--view", "0,0"]).expect(2, &["--view goes with pictures"]);
    desk.aspic(&["export", "run", "--to", "png", "--up", "y"]).expect(2, &["--up goes with caches"]);
    desk.aspic(&["export", "run", "--to", "abc", "--track", "ball"]).expect(2, &["--to csv"]);
    desk.aspic(&["export", "run", "--to", "abc", "--scale", "0"]).expect(2, &["no scale"]);
    desk.aspic(&["export", "run", "--to", "abc", "--out", "a.usdc"]).expect(2, &["do not agree"]);
    desk.aspic(&["export", "run", "--out", "a.usd"]).expect(2, &[".usdc"]);
    desk.aspic(&["export", "run", "--to", "csv", "--track", "rope:99"]).expect(2, &["rope", "99"]);
    desk.aspic(&["export", "run", "--to", "glb", "--frames", "90.."]).expect(2, &["0 to 5"]);
    for own in ["run", "run/frames", "run/frames/x"] {
        desk.aspic(&["export", "run", "--to", "vtu", "--out", own]).expect(2, &["belongs to the run"]);
    }
    desk.aspic(&["export", "run", "--to", "csv", "--out", "run/ledger.csv"])
        .expect(2, &["belongs to the run"]);
    desk.write("taken", "");
    desk.aspic(&["export", "run", "--to", "obj", "--out", "taken"]).expect(2, &["taken", "folder"]);
    assert!(!desk.path("run/film.abc").exists());
}
