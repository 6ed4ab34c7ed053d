//! Skins in scene files.

use super::*;
use crate::Vec3;
use crate::mesh::{TetMesh, TriangleSurface, generate};

const GOOD: &str = r#"
duration = "0.1 s"
[materials.rubber]
preset = "soft rubber"
[bodies.ball]
material = "rubber"
shape = { ball = { radius = "10 cm", rings = 2 } }
skin = { shape = { sphere = { radius = "10 cm", divisions = 3 } } }
position = [1, 2, 3]
"#;

/// One file: a sphere of radius 1 at (5, 0, 0).
struct OneSphere;

impl MeshSource for OneSphere {
    fn read(&self, file: &str) -> Result<TetMesh, String> {
        Err(format!("{file}: no tetrahedra"))
    }

    fn read_surface(&self, file: &str) -> Result<TriangleSurface, String> {
        if file != "sphere.obj" {
            return Err(format!("{file}: not there"));
        }
        let mut sphere = generate::sphere_surface(1.0, 2).unwrap();
        sphere.positions.iter_mut().for_each(|x| x.x += 5.0);
        Ok(sphere)
    }
}

fn fails(from: &str, to: &str) -> SceneError {
    assert!(GOOD.contains(from));
    let text = GOOD.replace(from, to);
    match Scene::parse(&text).and_then(|scene| scene.build(&OneSphere).map(drop)) {
        Ok(()) => panic!("accepted: {text}"),
        Err(error) => error,
    }
}

#[test]
fn skin_is_placed_with_its_body() {
    let simulation = Scene::parse(GOOD).unwrap().build(&OneSphere).unwrap();
    let topology = &simulation.world().topology;
    let body = &topology.bodies[0];
    // 10·4³ + 2 vertices and 20·4³ triangles.
    assert_eq!((body.points.len() - body.own_points().len(), body.triangles.len()), (642, 1280));
    assert!(body.skin.as_ref().unwrap().touches);
    let mut points = vec![Vec3::zeros(); topology.points];
    simulation.world().embedding.positions(&simulation.state().q, &mut points);
    let center = Vec3::new(1.0, 2.0, 3.0);
    assert!(points[body.own_points().end..].iter().all(|x| ((x - center).norm() - 0.1).abs() < 1e-14));
}

#[test]
fn skin_from_a_file_is_scaled_turned_and_shifted_onto_the_body() {
    let skin = "skin = { file = \"sphere.obj\", scale = 0.1, rotation = { axis = [0, 0, 1], angle = \"90 deg\" }, \
                position = [0, \"-50 cm\", 0], contact = false }";
    let text = GOOD.replace("skin = { shape = { sphere = { radius = \"10 cm\", divisions = 3 } } }", skin);
    let scene = Scene::parse(&text).unwrap();
    let simulation = scene.build(&OneSphere).unwrap();
    assert!(!simulation.world().topology.bodies[0].skin.as_ref().unwrap().touches);
    // What is written out says the same.
    let again = Scene::parse(&scene.written_out().unwrap().to_toml().unwrap()).unwrap();
    assert_eq!(again.bodies["ball"].skin, scene.bodies["ball"].skin);
}

#[test]
fn selections_and_pressure_act_on_the_body_and_not_on_its_skin() {
    let extra = "[constraints.nail]\nhold = { body = \"ball\", part = \"all\" }\n\
                 [forces.press]\non = { body = \"ball\", part = \"surface\" }\npressure = \"1 kPa\"\n";
    let simulation = Scene::parse(&format!("{GOOD}{extra}")).unwrap().build(&OneSphere).unwrap();
    let world = simulation.world();
    assert_eq!(world.constraints[0].laws.len(), world.nodes());
    let all: Vec<u32> = (0..world.topology.points as u32).collect();
    assert_eq!(world.constrained_points(simulation.state()), [all], "the skin of a held body is held");
}

#[test]
fn mistakes_in_skins_are_explained() {
    let sphere = "{ shape = { sphere = { radius = \"10 cm\", divisions = 3 } } }";
    let cases = [
        ("{ }", "`file`", ""),
        ("{ file = \"sphere.obj\", shape = { box = { size = [1, 1, 1] } } }", "`file`", ""),
        ("{ file = \"\" }", "`file` is empty", "dragon.obj"),
        ("{ file = \"cat.obj\" }", "cat.obj: not there", ""),
        ("{ file = \"sphere.obj\" }", "away from the body", "before those of the body"),
        ("{ shape = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } } }", "a plane is no skin", "sphere"),
        ("{ shape = { sphere = { radius = 0 } } }", "`radius`", ""),
        ("{ shape = { sphere = { radius = 1, divisions = 9 } } }", "`divisions`", ""),
        ("{ shape = { sphere = { radius = 1 } }, scale = 0 }", "`scale`", ""),
        ("{ shape = { sphere = { radius = 1 } }, contcat = true }", "contcat", "contact"),
    ];
    for (skin, message, help) in cases {
        let error = fails(sphere, skin);
        assert!(error.message.contains(message), "{skin}: {}", error.message);
        assert!(error.help.as_deref().unwrap_or_default().contains(help), "{skin}: {:?}", error.help);
        assert!(error.span.is_some(), "{skin}");
    }
    let shell = "shell = { thickness = \"2 mm\" }\nskin =";
    assert!(fails("skin =", shell).message.contains("only solids, affine bodies and blocks"));
}
