//! Mass points in scene files: what is accepted, and what is said about the rest.

use super::build::NoFiles;
use super::{Scene, SceneError};

const HEAD: &str =
    "duration = 1\n[materials.m]\nyoung = 1e6\npoisson = 0.3\ndensity = 1000\n[bodies.b]\nmaterial = \"m\"\n";

fn scene(body: &str) -> Result<Scene, SceneError> {
    Scene::parse(&format!("{HEAD}{body}"))
}

fn refused(body: &str) -> String {
    let error = match scene(body) {
        Err(error) => error,
        Ok(scene) => scene.build(&NoFiles).err().unwrap_or_else(|| panic!("{body} was accepted")),
    };
    format!("{error} {}", error.help.clone().unwrap_or_default())
}

const ROPE: &str = "rope = { path = [[0, 0, 0], [1, 0, 0]], segments = 4, radius = \"5 mm\" }\n";
const BOX: &str = "shape = { box = { size = [1, 1, 1], cells = [2, 2, 2] } }\n";

#[test]
fn every_kind_of_mass_points_is_built() {
    for body in [
        ROPE,
        "hair = { strands = 3, length = 0.2, segments = 4, radius = \"1 mm\", spread = 0.1 }\n",
        "cloth = { size = [1, 1], cells = [3, 3], thickness = \"1 mm\" }\n",
        &format!("shell = {{ thickness = \"2 mm\", bulk = \"1 kPa\" }}\n{BOX}"),
        &format!("block = {{}}\n{BOX}"),
    ] {
        let simulation =
            scene(body).unwrap().build(&NoFiles).unwrap_or_else(|error| panic!("{body}: {error}"));
        assert_eq!(simulation.world().networks.len(), 1, "{body}");
    }
}

#[test]
fn a_rope_has_the_mass_and_stiffness_of_its_material() {
    let simulation = scene(ROPE).unwrap().build(&NoFiles).unwrap();
    let world = simulation.world();
    let mass: f64 = world.inertia.masses().iter().sum();
    let section = std::f64::consts::PI * 25e-6;
    assert!((mass / (1000.0 * section) - 1.0).abs() < 1e-12);
    let mut stiffness = vec![];
    world.networks[0].1.distances.each(&[], |_, k, rest| stiffness.push(k * rest));
    assert!(stiffness.iter().all(|ea| (ea / (1e6 * section) - 1.0).abs() < 1e-12), "{stiffness:?}");
}

#[test]
fn kinds_exclude_each_other_and_shapes_go_where_they_belong() {
    assert!(refused(&format!("{ROPE}block = {{}}\n{BOX}")).contains("exclude each other"));
    assert!(refused(&format!("{ROPE}{BOX}")).contains("has its shape already"));
    assert!(refused(&format!("{ROPE}kind = \"affine\"\n")).contains("have no `kind`"));
    assert!(refused("block = {}\n").contains("shape"));
    assert!(refused("cloth = { size = [1, 1], thickness = \"1 mm\" }\n").contains("`size` and `cells`"));
    assert!(refused("rope = { path = [[0, 0, 0]], segments = 4, radius = 0.1 }\n").contains("at least 2"));
}

#[test]
fn what_only_mass_points_know_is_refused_on_solids() {
    assert!(refused(&format!("{BOX}damping = {{ point = 1 }}\n")).contains("only with mass points"));
    assert!(refused(&format!("{BOX}strain_limit = {{ stretch = 1.1 }}\n")).contains("only with mass points"));
    let distance = "plasticity = { distance = { yield = 0.1, creep = 1, max = 0.5 } }\n";
    assert!(refused(&format!("{BOX}{distance}")).contains("only with mass points"));
    assert!(
        refused(&format!("{ROPE}{}", distance.replace("distance", "shape"))).contains("only with solids")
    );
}

#[test]
fn numbers_without_sense_are_refused_where_they_stand() {
    let plastic = |text: &str| refused(&format!("{ROPE}plasticity = {{ distance = {{ {text} }} }}\n"));
    assert!(plastic("yield = 0.5, creep = 1, max = 0.2").contains("above `max`"));
    assert!(plastic("yield = 0.1, creep = -1, max = 0.2").contains("creep"));
    assert!(refused(&format!("{ROPE}strain_limit = {{ stretch = 0.9 }}\n")).contains("rest length"));
    assert!(refused(&format!("{ROPE}strain_limit = {{ stretch = 1.1 }}\n")).contains("guaranteed contact"));
    let knots = "growth = { distance = [{ at = 1, factor = 1 }, { at = 1, factor = 2 }] }\n";
    assert!(refused(&format!("{ROPE}{knots}")).contains("must grow"));
    assert!(refused(&ROPE.replace("5 mm", "5 kg")).contains("length"));
    assert!(
        refused(
            "cloth = { size = [1, 1], cells = [3, 3], thickness = 1e-3, stiffness = { bend = \"1 N\" } }\n"
        )
        .contains("flexural rigidity")
    );
}
