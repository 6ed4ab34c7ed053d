//! Affine bodies, obstacles and turns in a scene: what is read, what is refused and in which words.

use super::*;
use crate::Vec3;
use crate::frame::BodyKind;

/// A scene of all that is not a plain solid.
const GOOD: &str = r#"duration = "1 s"
[materials.rubber]
preset = "soft rubber"
[bodies.brick]
kind = "affine"
material = "rubber"
shape = { box = { size = [0.2, 0.1, 0.1], cells = [2, 1, 1] } }
position = [0, 0, 1]
rotation = { axis = [0, 0, 1], angle = "90 deg" }
stretch = [1.5, 1, 1]
velocity = [0, 0, -1]
[bodies.bar]
material = "rubber"
shape = { beam = { length = 0.4, width = 0.1, height = 0.1, cells = [4, 1, 1] } }
[constraints.wrench]
drag = { body = "bar", name = "end" }
turn = { axis = [1, 0, 0], keys = [{ at = "4 s", angle = "1440 deg" }] }
[forces.breath]
on = { body = "bar", part = "surface" }
pressure = "1 kPa"
[obstacles.floor]
shape = { plane = { point = [0, 0, 0], normal = [0, 0, 2] } }
position = [0, 0, "-1 m"]
[obstacles.ram]
shape = { capsule = { radius = "2 cm", length = "10 cm" } }
motion = { path = [{ at = "1 s", by = [1, 0, 0] }], turn = { axis = [0, 0, 1], keys = [{ at = "1 s", angle = "1 turn" }] } }
[contact]
off = [["bar", "ram"]]
"#;

#[test]
fn every_kind_of_body_is_built_in_its_place() {
    let scene = Scene::parse(GOOD).unwrap();
    let simulation = scene.build(&NoFiles).unwrap();
    let world = simulation.world();
    let kinds: Vec<_> = world.topology.bodies.iter().map(|body| (body.name.as_str(), body.kind)).collect();
    let expected = [("brick", BodyKind::Affine), ("bar", BodyKind::Solid), ("ram", BodyKind::Obstacle)];
    assert_eq!(kinds, expected);
    assert_eq!(world.topology.constraints, ["wrench", "ram"]);
    assert_eq!((world.planes[0].point, world.planes[0].normal), (-Vec3::z(), Vec3::z()));
    // The brick's long edge, 0.2 m stretched to 0.3 m, was turned from x to y.
    let mut points = vec![Vec3::zeros(); world.topology.points];
    world.embedding.positions(&simulation.state().q, &mut points);
    let brick = &points[world.topology.bodies[0].points.clone()];
    let (low, high) = brick.iter().fold((brick[0], brick[0]), |(low, high), x| (low.inf(x), high.sup(x)));
    assert!((low - Vec3::new(-0.05, -0.15, 0.95)).norm() < 1e-14, "{low:?}");
    assert!((high - Vec3::new(0.05, 0.15, 1.05)).norm() < 1e-14, "{high:?}");
    assert_eq!(simulation.state().v[..4], [-Vec3::z(); 4]);
}

#[test]
fn a_turned_end_goes_round_its_axis() {
    // Slow enough to be cheap, and without the obstacles.
    let text = GOOD.split("[obstacles.floor]").next().unwrap_or_default();
    let text = text.replace("1440 deg", "9 deg").replace("\"4 s\"", "\"10 ms\"");
    let mut simulation = Scene::parse(&text).unwrap().build(&NoFiles).unwrap();
    let bar = simulation.world().topology.bodies[1].nodes.clone();
    let ends: Vec<usize> = bar.filter(|&i| (simulation.state().q[i].x - 0.4).abs() < 1e-12).collect();
    let before: Vec<Vec3> = ends.iter().map(|&i| simulation.state().q[i]).collect();
    simulation.advance_to(0.011).unwrap();
    assert_eq!(ends.len(), 4);
    let (sin, cos) = 9f64.to_radians().sin_cos();
    for (&i, x) in ends.iter().zip(&before) {
        let turned = Vec3::new(x.x, cos * x.y - sin * x.z, sin * x.y + cos * x.z);
        assert!((simulation.state().q[i] - turned).norm() < 1e-15);
    }
}

#[test]
fn a_scene_written_out_reads_the_same() {
    let written = Scene::parse(GOOD).unwrap().written_out().unwrap();
    let text = written.to_toml().unwrap();
    assert_eq!(Scene::parse(&text).unwrap(), written);
    assert!(text.contains("stiffness = 100000000.0") && !text.contains("\"solid\""), "{text}");
}

#[test]
fn what_makes_no_sense_is_refused_with_a_cure() {
    let rows = [
        ("kind = \"affine\"", "kind = \"afine\"", "unknown kind `afine`", "did you mean `affine`?"),
        (
            "kind = \"affine\"",
            "stiffness = 3",
            "`stiffness` goes only with kind = \"affine\"",
            "the material says",
        ),
        (
            "kind = \"affine\"",
            "kind = \"affine\"\nmass = \"lumped\"",
            "only solids have a choice of `mass`",
            "remove `mass`",
        ),
        (
            "turn = { axis = [1, 0, 0],",
            "turn = { axis = [0, 0, 0],",
            "`axis` has no direction",
            "axis = [0, 0, 1]",
        ),
        (
            "keys = [{ at = \"4 s\", angle = \"1440 deg\" }]",
            "keys = []",
            "`keys` of `turn` is empty",
            "360 deg",
        ),
        ("at = \"4 s\", angle = \"1440 deg\"", "at = 0, angle = 1", "`angle` must be 0 at 0 s", "`rotation`"),
        ("\"1440 deg\"", "\"3 m\"", "\"3 m\" is a length, an angle is needed", "rad, deg, °, turn"),
        (
            "drag = { body = \"bar\"",
            "hold = { body = \"bar\"",
            "`turn` goes only with `drag`",
            "remove `turn`",
        ),
        (
            "turn = { axis = [1, 0, 0], keys = [{ at = \"4 s\", angle = \"1440 deg\" }] }\n[f",
            "[f",
            "`drag` needs a `path` or a `turn`",
            "path = [",
        ),
        (
            "shape = { plane =",
            "motion = { path = [{ at = 1, by = [1, 0, 0] }] }\nshape = { plane =",
            "a plane does not move",
            "`plate`",
        ),
        ("[obstacles.ram]", "[obstacles.bar]", "a body has the same name", "rename"),
        ("[obstacles.ram]", "[obstacles.wrench]", "a constraint has the same name", "rename"),
        ("capsule = {", "capsul = {", "unknown shape `capsul` in [obstacles.ram]", "did you mean `capsule`?"),
        ("length = \"10 cm\"", "length = \"10 cm\", rings = 0", "`rings` must be 1 to 500", "larger"),
        (
            "motion = { path = [{ at = \"1 s\", by = [1, 0, 0] }], turn",
            "motion = { turns",
            "unknown key `turns`",
            "`turn`",
        ),
        ("normal = [0, 0, 2]", "normal = [0, 0, 0]", "`normal` has no direction", "normal = "),
    ];
    for (from, to, message, help) in rows {
        assert!(GOOD.contains(from), "{from}");
        let error = Scene::parse(&GOOD.replacen(from, to, 1)).expect_err(to);
        assert!(error.message.contains(message), "{to}: {}", error.message);
        assert!(error.help.as_deref().unwrap_or_default().contains(help), "{to}: {:?}", error.help);
    }
}

#[test]
fn parts_of_an_affine_body_are_refused_and_the_whole_is_held() {
    let build = |extra: &str| Scene::parse(&format!("{GOOD}{extra}")).unwrap().build(&NoFiles);
    let held = build("[constraints.nail]\nhold = { body = \"brick\" }\n").unwrap();
    assert_eq!(held.world().constraints[1].laws.len(), 4);
    let pulled = build("[forces.wind]\non = { body = \"brick\" }\nacceleration = [1, 0, 0]\n");
    assert!(pulled.is_ok());
    let refused = [
        ("[constraints.nail]\nhold = { body = \"brick\", name = \"left\" }\n", "only as a whole"),
        (
            "[constraints.rail]\nslide = { body = \"brick\" }\nline = { point = [0, 0, 0], direction = [0, 0, 1] }\n",
            "single vertices",
        ),
        ("[forces.push]\non = { body = \"brick\" }\ntotal = [1, 0, 0]\n", "single vertices"),
    ];
    for (extra, words) in refused {
        let error = build(extra).err().expect(extra);
        assert!(error.message.contains(words) && error.message.contains("`brick`"), "{}", error.message);
        assert!(error.help.is_some() && error.span.is_some());
    }
}

#[test]
fn mesh_obstacle_is_the_surface_of_the_file() {
    struct OneBlock;
    impl MeshSource for OneBlock {
        fn read(&self, file: &str) -> Result<crate::mesh::TetMesh, String> {
            match file {
                "block.msh" => Ok(crate::mesh::generate::block(Vec3::repeat(1.0), [2; 3]).unwrap()),
                _ => Err(format!("{file}: unknown extension")),
            }
        }
    }
    let text = GOOD.replace(
        "shape = { capsule = { radius = \"2 cm\", length = \"10 cm\" } }",
        "mesh = { file = \"block.msh\", scale = 0.1 }",
    );
    let simulation = Scene::parse(&text).unwrap().build(&OneBlock).unwrap();
    let ram = &simulation.world().topology.bodies[2];
    // A 3 × 3 × 3 lattice has 26 vertices outside, and 6 faces of 8 triangles.
    assert_eq!((ram.points.len(), ram.triangles.len()), (26, 48));
    assert!(simulation.state().q[ram.nodes.clone()].iter().all(|x| (x.amax() - 0.05).abs() < 1e-15));
    let error = Scene::parse(&text.replace("block.msh", "ram.obj")).unwrap().build(&OneBlock).err().unwrap();
    assert!(error.message.contains("ram.obj") && error.span.is_some());
}
