//! Surfaces from files, and files of meshes with velocities, as users meet them.

use aspic::Vec3;
use aspic_io::run_film::RunFilm;

use crate::support::Desk;

/// A tetrahedron with edges of 10 cm along the axes, one corner at the origin.
const CORNER: &str =
    "o corner\nv 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// A cloth, a shell, a skin and an obstacle, all of the same file.
const SCENE: &str = r#"duration = "0.02 s"
[contact]
[output]
frame_rate = 100
[materials.rubber]
preset = "soft rubber"
[bodies.cloth]
material = "rubber"
cloth = { surface = { file = "corner.obj" }, thickness = "1 mm" }
position = [1, 0, 0]
[bodies.shell]
material = "rubber"
shell = { surface = { file = "corner.obj", scale = 2 }, thickness = "1 mm" }
position = [2, 0, 0]
[bodies.solid]
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }
skin = { file = "corner.obj", position = [-0.05, -0.05, -0.05] }
[obstacles.stone]
mesh = { file = "corner.obj" }
position = [3, 0, 0]
"#;

const BOXES: &str = include_str!("../../../../scenes/two-boxes.meshes");

#[test]
fn bodies_and_obstacles_take_their_surfaces_from_files() {
    let desk = Desk::with(SCENE);
    desk.write("corner.obj", CORNER);
    desk.well(&["check", "scene.toml"]);
    desk.well(&["run", "scene.toml", "--out", "run", "--frames", "0..1"]);
    let topology = RunFilm::open(&desk.path("run")).unwrap().topology().clone();
    assert!(topology.bodies.iter().all(|body| body.triangles.len() == 4), "{topology:?}");
    // The run knows its files by their full names.
    desk.well(&["resume", "run"]);
    // Another file is another run.
    desk.write("corner.obj", CORNER.replace("v 0 0 0.1", "v 0 0 0.11"));
    desk.aspic(&["resume", "run"]).expect(2, &["scene"]);
}

#[test]
fn surface_that_cannot_be_read_is_named_with_its_line_and_the_line_of_the_scene() {
    let desk = Desk::with(SCENE);
    desk.write("corner.obj", CORNER.replace("f 1 2 4", "f 1 2 9"));
    let words = ["[scene.toml:9:", "corner.obj, line 7", "does not exist", "mend that line"];
    desk.aspic(&["run", "scene.toml"]).expect(2, &words);
    let desk = Desk::with(SCENE);
    desk.aspic(&["check", "scene.toml"]).expect(2, &["cannot read corner.obj", "check the name"]);
}

#[test]
fn skin_far_from_its_body_is_refused_where_the_scene_asks_for_it() {
    let desk = Desk::with(&SCENE.replace("position = [-0.05, -0.05, -0.05] }", "scale = 10 }"));
    desk.write("corner.obj", CORNER);
    let words = ["[scene.toml:18:", "skin of body `solid`", "away from the body", "`scale`"];
    desk.aspic(&["check", "scene.toml"]).expect(2, &words);
}

#[test]
fn meshes_start_with_their_velocities() {
    let desk = Desk::new();
    desk.write("two-boxes.meshes", BOXES);
    let checked = desk.well(&["check", "two-boxes.meshes"]).stdout;
    assert!(checked.contains("2 bodies, 16 nodes"), "{checked}");
    let told = desk.well(&["info", "two-boxes.meshes"]).stdout;
    assert!(["body `left`", "body `right`", "`the ground`"].iter().all(|part| told.contains(part)), "{told}");
    desk.well(&["run", "two-boxes.meshes", "--frames", "0..2"]);
    let film = RunFilm::open(&desk.path("out/two-boxes")).unwrap();
    let (topology, frame) = (film.topology(), film.frame(0).unwrap());
    let names: Vec<&str> = topology.bodies.iter().map(|body| &body.name[..]).collect();
    assert_eq!(names, ["left", "right"]);
    let velocities = [Vec3::new(1.2, 0.0, 0.5), Vec3::new(-1.2, 0.0, 0.5)];
    for (body, velocity) in topology.bodies.iter().zip(velocities) {
        assert_eq!((body.points.len(), body.triangles.len()), (8, 12));
        assert!(frame.velocities[body.points.clone()].iter().all(|v| *v == velocity));
    }
    // Walls of 2 % of the diagonal, 20 cm √3, of 1000 kg/m³ on six sides of 20 cm; both rise with 0.5 m/s.
    let mass = 1000.0 * 0.24 * 0.02 * 0.2 * 3f64.sqrt();
    let momentum = frame.ledger.unwrap().momentum;
    assert!((momentum - Vec3::z() * mass).norm() < 1e-3 * mass, "{momentum}");
    // In flight nothing but gravity acts.
    let later = film.frame(1).unwrap();
    let fallen = later.ledger.unwrap().momentum - momentum + Vec3::z() * (2.0 * mass * 9.81 * later.t);
    assert!(fallen.norm() < 1e-3 * mass, "{fallen}");
}

#[test]
fn the_example_of_the_documentation_runs_to_its_end_above_the_ground() {
    let documented = include_str!("../../../../docs/old-format.md");
    assert!(documented.contains(BOXES), "docs/old-format.md shows another file");
    let desk = Desk::new();
    desk.write("two-boxes.meshes", BOXES);
    desk.well(&["run", "two-boxes.meshes"]);
    let film = RunFilm::open(&desk.path("out/two-boxes")).unwrap();
    assert!(film.complete());
    let mut touched = false;
    for place in 0..film.len() {
        let frame = film.frame(place).unwrap();
        assert!(frame.positions.iter().all(|x| x.z > 0.0));
        touched |= frame.contact.iter().any(|f| f.z > 1.0);
    }
    assert!(touched, "they fell nowhere");
    // The scene that the run folder holds is a scene like any other.
    let scene = std::fs::read(desk.path("out/two-boxes/scene.toml")).unwrap();
    desk.write("copy.toml", scene);
    desk.well(&["check", "copy.toml"]);
}

#[test]
fn mistakes_in_meshes_are_shown_with_their_line() {
    let desk = Desk::new();
    desk.write("boxes.meshes", BOXES.replacen("f 1 4 2", "f 1 4 20", 1));
    for command in ["check", "run", "info"] {
        let words = ["boxes.meshes, line 15", "no vertex 20", "count from 1"];
        desk.aspic(&[command, "boxes.meshes"]).expect(2, &words);
    }
    desk.write("open.meshes", BOXES.replacen("f 2 8 6\n", "", 1));
    desk.aspic(&["check", "open.meshes"]).expect(2, &["left", "a shell must be closed"]);
    desk.aspic(&["check", "none.meshes"]).expect(2, &["cannot read none.meshes", "check the name"]);
}
