//! `aspic mesh`, and surfaces that scenes fill with tetrahedra.

use aspic_io::mesh;
use aspic_io::run_film::RunFilm;

use crate::support::Desk;

/// A cube of 10 cm as twelve triangles.
const CUBE: &str = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0.1 0.1 0\nv 0 0 0.1\nv 0.1 0 0.1\nv 0 0.1 0.1\nv 0.1 0.1 0.1\n\
                    f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("cube.obj", CUBE);
    desk
}

#[test]
fn a_surface_is_examined_and_its_faults_are_told_with_what_would_be_done() {
    let desk = desk();
    let answer = desk.well(&["mesh", "info", "cube.obj"]);
    assert!(answer.stdout.contains("12 triangles"), "{}", answer.stdout);
    // Without its lid it has a hole.
    desk.write("open.obj", CUBE.replace("f 5 6 8 7\n", ""));
    let answer = desk.well(&["mesh", "info", "open.obj"]);
    assert!(answer.stdout.contains("hole") && answer.stdout.contains("winding number"), "{}", answer.stdout);
    desk.aspic(&["mesh", "info", "nothing.obj"]).expect(2, &["nothing.obj", "check the name"]);
    desk.aspic(&["mesh", "info", "cube.xyz"]).expect(2, &["cube.xyz", ".obj"]);
}

#[test]
fn a_cube_is_filled_with_tetrahedra_in_every_format_and_its_volume_is_there() {
    let desk = desk();
    for (ending, more) in
        [("vtu", None), ("msh", None), ("mesh", None), ("node", None), ("vtk", Some("--lattice"))]
    {
        let out = format!("cube.{ending}");
        let mut words = vec!["mesh", "tet", "cube.obj", "--cell", "1cm", "--out", &out];
        words.extend(more);
        let answer = desk.well(&words);
        assert!(answer.stdout.contains("dihedral angles"), "{}", answer.stdout);
        let volume = mesh::read(&desk.path(&out)).unwrap().volume();
        let least = if more.is_some() { 1e-3 } else { 0.93e-3 };
        assert!((least..1.6e-3).contains(&volume), "{ending}: {volume}");
        desk.well(&["mesh", "info", &out]);
    }
    let answer =
        desk.well(&["mesh", "tet", "cube.obj", "--count", "5000", "--unit", "mm", "--out", "small.vtu"]);
    let small = mesh::read(&desk.path("small.vtu")).unwrap();
    assert!((4000..6000).contains(&small.tets.len()) && small.volume() < 1.1e-12, "{}", answer.stdout);
}

#[test]
fn wishes_that_cannot_be_met_are_refused_with_a_cure() {
    let desk = desk();
    desk.aspic(&["mesh", "tet", "cube.obj"]).expect(2, &["--cell", "--count"]);
    desk.aspic(&["mesh", "tet", "cube.obj", "--cell", "0"]).expect(2, &["greater than zero"]);
    desk.aspic(&["mesh", "tet", "cube.obj", "--cell", "3 kg"]).expect(2, &["kg"]);
    desk.aspic(&["mesh", "tet", "cube.obj", "--cell", "1um"]).expect(2, &["cube.obj", "use cells of"]);
    desk.aspic(&["mesh", "tet", "cube.obj", "--cell", "5m"]).expect(2, &["cube.obj", "use cells of"]);
    desk.aspic(&["mesh", "tet", "cube.obj", "--cell", "1cm", "--out", "a.obj"]).expect(2, &["a.obj", ".vtu"]);
    desk.aspic(&["mesh", "tet", "cube.obj", "--cell", "1cm", "--out", "no/a.vtu"])
        .expect(2, &["no folder no"]);
    desk.aspic(&["mesh", "convert", "cube.obj", "cube.vtu"]).expect(2, &["surfaces", ".ply"]);
    desk.well(&["mesh", "tet", "cube.obj", "--cell", "2cm", "--out", "t.ele"]);
    desk.aspic(&["mesh", "tet", "t.ele", "--cell", "2cm", "--out", "t.node"]).expect(2, &["written over"]);
    desk.aspic(&["mesh", "convert", "cube.obj", "cube.obj"]).expect(2, &["written over"]);
    desk.write("plate.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    desk.aspic(&["mesh", "tet", "plate.obj", "--cell", "1cm"]).expect(2, &["encloses nothing"]);
}

#[test]
fn a_surface_passes_through_every_format_unchanged() {
    let desk = desk();
    let before = mesh::read_surface(&desk.path("cube.obj")).unwrap();
    let mut from = "cube.obj".to_owned();
    for ending in ["stl", "ply", "off", "glb", "usda", "obj"] {
        let to = format!("next.{ending}");
        desk.well(&["mesh", "convert", &from, &to]);
        let after = mesh::read_surface(&desk.path(&to)).unwrap();
        assert_eq!(after.triangles.len(), 12, "{to}");
        // STL and glTF have single precision.
        assert!((after.volume() - before.volume()).abs() < 1e-9, "{to}: {}", after.volume());
        from = to;
    }
}

const SCENE: &str = r#"duration = "0.05 s"
[output]
frame_rate = 100
[materials.rubber]
preset = "soft rubber"
[bodies.cut]
material = "rubber"
mesh = { file = "cube.obj", tetrahedralize = { cell = "2 cm" } }
[bodies.carried]
material = "rubber"
mesh = { file = "cube.obj", tetrahedralize = { count = 500, method = "lattice" } }
position = [1, 0, 0]
"#;

#[test]
fn a_scene_fills_its_surfaces_and_a_stopped_run_goes_on_to_the_same_bits() {
    let desk = Desk::with(SCENE);
    desk.write("cube.obj", CUBE);
    desk.well(&["run", "scene.toml", "--out", "whole"]);
    desk.well(&["run", "scene.toml", "--out", "parts", "--frames", "..3"]);
    desk.well(&["resume", "parts"]);
    assert_eq!(desk.files("whole/frames"), desk.files("parts/frames"));
    let topology = RunFilm::open(&desk.path("whole")).unwrap().topology().clone();
    let [cut, carried] = &topology.bodies[..] else { panic!("{topology:?}") };
    assert!(cut.triangles.len() > 100 && carried.triangles.len() == 12, "{topology:?}");
    assert!(carried.tets.len() > 300, "{topology:?}");
    // Others see the fine surface, and the tetrahedra on request.
    let words = ["export", "whole", "--to", "npz", "--bodies", "carried"];
    let fine = desk.well(&words);
    assert!(fine.stdout.contains("with 8 points"), "{}", fine.stdout);
    let coarse = desk.well(&[&words[..], &["--simulation-mesh"]].concat());
    assert!(!coarse.stdout.contains("with 8 points"), "{}", coarse.stdout);
}

#[test]
fn a_surface_where_tetrahedra_are_needed_is_refused_with_both_cures() {
    let desk = Desk::with(&SCENE.replace(", tetrahedralize = { cell = \"2 cm\" }", ""));
    desk.write("cube.obj", CUBE);
    desk.aspic(&["check", "scene.toml"]).expect(2, &["cube.obj", "aspic mesh tet", "tetrahedralize"]);
}
