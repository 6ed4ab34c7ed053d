//! Surfaces that scenes want filled with tetrahedra.

use super::*;
use crate::Vec3;
use crate::mesh::{TetMesh, TriangleSurface, generate};

const GOOD: &str = r#"
duration = "0.1 s"
[materials.rubber]
preset = "soft rubber"
[bodies.ball]
material = "rubber"
mesh = { file = "sphere.obj", scale = 0.1, up = "y", tetrahedralize = { cell = "2 cm" } }
"#;

/// Fills a sphere whose north pole is drawn out along the y axis with a ball; lattices carry the sphere.
struct Filler;

impl MeshSource for Filler {
    fn read(&self, file: &str) -> Result<TetMesh, String> {
        Err(format!("{file}: no tetrahedra"))
    }

    fn fill(&self, file: &MeshFile) -> Result<Filled, String> {
        let how = file.tetrahedralize.as_ref().ok_or("nothing to do")?;
        let place = |x: &mut Vec3| *x = file.up.turned(x) * file.scale.si();
        let mut mesh = generate::ball(1.0, 2).map_err(|error| error.to_string())?;
        let mut sphere = generate::sphere_surface(0.5, 1).map_err(|error| error.to_string())?;
        mesh.positions.iter_mut().for_each(|x| x.y *= 2.0);
        mesh.positions.iter_mut().chain(&mut sphere.positions).for_each(place);
        Ok(Filled { mesh, skin: (how.method == FillMethod::Lattice).then_some(sphere) })
    }

    fn read_surface(&self, _: &str) -> Result<TriangleSurface, String> {
        generate::sphere_surface(1.0, 1).map_err(|error| error.to_string())
    }
}

fn built(from: &str, to: &str) -> Result<crate::Simulation, SceneError> {
    assert!(GOOD.contains(from));
    Scene::parse(&GOOD.replace(from, to)).and_then(|scene| scene.build(&Filler))
}

#[test]
fn a_filled_surface_is_a_body_like_any_other_and_what_was_y_is_up() {
    let simulation = built("", "").unwrap();
    let highest = simulation.state().q.iter().map(|x| x.z).fold(0.0, f64::max);
    assert!((highest - 0.2).abs() < 1e-12, "{highest}");
    assert!(simulation.world().topology.bodies[0].skin.is_none());
}

#[test]
fn a_lattice_carries_the_surface_it_was_made_for() {
    let simulation = built("cell = \"2 cm\"", "count = 500, method = \"lattice\", contact = false").unwrap();
    let skin = simulation.world().topology.bodies[0].skin.as_ref().unwrap();
    assert!(!skin.touches && !skin.carriers.is_empty());
}

#[test]
fn what_is_written_out_says_the_same() {
    let scene = Scene::parse(GOOD).unwrap();
    let again = Scene::parse(&scene.written_out().unwrap().to_toml().unwrap()).unwrap();
    assert_eq!(again.bodies["ball"].mesh, scene.bodies["ball"].mesh);
}

#[test]
fn impossible_wishes_are_refused_with_a_cure() {
    for (from, to, message, help) in [
        ("cell = \"2 cm\"", "cell = 0", "greater than zero", "cell = \"2 cm\""),
        ("cell = \"2 cm\"", "count = 0", "between 1 and", "how many"),
        ("cell = \"2 cm\"", "cell = 1, count = 7", "cell", ""),
        ("cell = \"2 cm\"", "", "cell", ""),
        ("cell = \"2 cm\"", "cell = 1, contact = false", "goes with a lattice", "remove it"),
        ("sphere.obj", "sphere.GLB", "which way is up", "remove `up`"),
        (
            "cell = \"2 cm\" } }",
            "count = 9, method = \"lattice\" } }\nkind = \"boundary\"",
            "carry the surface",
            "method = \"cut\"",
        ),
        (
            "cell = \"2 cm\" } }",
            "count = 9, method = \"lattice\" } }\nskin = { file = \"a.obj\" }",
            "there is a skin too",
            "remove `skin`",
        ),
    ] {
        let Err(error) = built(from, to) else { panic!("accepted: {to}") };
        let told = error.help.clone().unwrap_or_default();
        assert!(error.message.contains(message) && told.contains(help), "{to}: {error:?}");
    }
}

#[test]
fn surfaces_of_obstacles_need_no_tetrahedra() {
    let obstacle = "\n[obstacles.wall]\nmesh = { file = \"a.obj\", tetrahedralize = { cell = 1 } }\n";
    let Err(error) = Scene::parse(&format!("{GOOD}{obstacle}")) else { panic!("accepted") };
    assert!(error.message.contains("no tetrahedra are needed"), "{error:?}");
}
