//! Boundary-element bodies among other bodies.

use aspic::mesh::generate;
use aspic::scene::{NoFiles, Scene};
use aspic::{Simulation, Vec3};

fn build(text: &str) -> Simulation {
    Scene::parse(text).unwrap().build(&NoFiles).unwrap()
}

const MATERIALS: &str = r#"
[materials.jelly]
young = "100 kPa"
poisson = 0.3
density = 1000
[materials.soft]
young = "20 kPa"
poisson = 0.4
density = 1000
shear_viscosity = "30 Pa s"
"#;

#[test]
fn a_thrown_body_keeps_energy_momentum_and_spin() {
    let text = format!(
        "duration = \"0.2 s\"\ngravity = 0\ntime = {{ method = \"rkf45\", tolerance = 1e-7 }}\ncontact = {{ enabled = false }}\n{MATERIALS}\n\
         [bodies.brick]\nmaterial = \"jelly\"\nkind = \"boundary\"\nvelocity = [1, 0, 0]\nspin = [10, 4, -3]\n\
         stretch = [1.02, 1, 1]\nshape = {{ box = {{ size = [0.2, 0.1, 0.05], cells = [4, 2, 1] }} }}\n"
    );
    let mut simulation = build(&text);
    let before = simulation.ledger();
    while simulation.next_frame().unwrap().is_some() {}
    let after = simulation.ledger();
    assert!(simulation.statistics().audit_relative() < 1e-5, "{:?}", simulation.statistics());
    assert!((after.momentum - before.momentum).norm() < 1e-9 * before.momentum.norm());
    let off = (after.angular_momentum - before.angular_momentum).norm();
    assert!(off < 1e-6 * before.angular_momentum.norm(), "{off}");
}

/// How far the free end of a bar sinks under its own weight, once it has come to rest  \[m\]
fn sag(kind: &str, cells: [u32; 3]) -> f64 {
    let text = format!(
        "duration = \"20 s\"\ntime = {{ method = \"backward-euler\", max_step = \"1 s\" }}\ncontact = {{ enabled = false }}\n\
         output = {{ frame_interval = \"20 s\" }}\n{MATERIALS}\n\
         [bodies.bar]\nmaterial = \"jelly\"\n{kind}\nshape = {{ box = {{ size = [0.1, 0.1, 0.2], cells = {cells:?} }} }}\n\
         [constraints.ceiling]\nhold = {{ body = \"bar\", name = \"top\" }}\n"
    );
    let mut simulation = build(&text);
    let low = |simulation: &Simulation| {
        let q = &simulation.present().q;
        q.iter().map(|x| x.z).fold(f64::INFINITY, f64::min)
    };
    let start = low(&simulation);
    while simulation.next_frame().unwrap().is_some() {}
    start - low(&simulation)
}

#[test]
fn a_hanging_bar_sags_as_a_fine_solid_does() {
    let (boundary, solid) = (sag("kind = \"boundary\"", [4, 4, 8]), sag("", [10, 10, 20]));
    assert!((boundary / solid - 1.0).abs() < 0.02, "boundary elements {boundary} m, tetrahedra {solid} m");
}

#[test]
fn a_boundary_element_ring_lands_on_a_soft_solid_and_a_floor() {
    let text = format!(
        "duration = \"1 s\"\n{MATERIALS}\n[contact]\nfriction = 0.3\n\
         [bodies.ring]\nmaterial = \"soft\"\nkind = \"boundary\"\nposition = [0, 0, \"22 cm\"]\n\
         shape = {{ torus = {{ ring_radius = \"8 cm\", tube_radius = \"3 cm\", sections = 12, sides = 6 }} }}\n\
         [bodies.mattress]\nmaterial = \"soft\"\nposition = [0, 0, \"5.5 cm\"]\n\
         shape = {{ box = {{ size = [0.3, 0.3, 0.1], cells = [5, 5, 2] }} }}\n\
         [obstacles.floor]\nshape = {{ plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }} }}\n"
    );
    let mut simulation = build(&text);
    let mut lowest = f64::INFINITY;
    let mut push = Vec3::zeros();
    let ring = simulation.world().topology.bodies[0].points.clone();
    while let Some(frame) = simulation.next_frame().unwrap() {
        lowest = frame.positions[ring.clone()].iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        push = frame.contact[ring.clone()].iter().sum();
    }
    let weight = simulation.world().inertia.masses()[ring].iter().sum::<f64>() * 9.81;
    assert!(lowest > 0.05 && lowest < 0.11, "the ring lies at {lowest} m");
    assert!((push.z / weight - 1.0).abs() < 0.2, "{} N carry {weight} N", push.z);
    assert!(simulation.statistics().audit_relative() < 1e-2, "{:?}", simulation.statistics());
}

#[test]
fn weight_and_inertia_are_those_of_the_solid() {
    let mesh = generate::torus(0.08, 0.03, 12, 6).unwrap();
    let text = format!(
        "duration = 1\ncontact = {{ enabled = false }}\n{MATERIALS}\n[bodies.ring]\nmaterial = \"jelly\"\nkind = \"boundary\"\n\
         spin = [0, 0, 5]\nshape = {{ torus = {{ ring_radius = 0.08, tube_radius = 0.03, sections = 12, sides = 6 }} }}\n"
    );
    let [boundary, solid] = ["kind = \"boundary\"\n", ""].map(|kind| {
        let mut simulation = build(&text.replace("kind = \"boundary\"\n", kind));
        let mass: f64 = simulation.world().inertia.masses().iter().sum();
        (mass, simulation.ledger().angular_momentum.z)
    });
    assert!((boundary.0 / (1000.0 * mesh.volume()) - 1.0).abs() < 1e-9, "{boundary:?}");
    assert!((boundary.1 / solid.1 - 1.0).abs() < 1e-9, "{boundary:?} {solid:?}");
}

#[test]
fn what_boundary_elements_cannot_be_is_refused_by_name() {
    let base = |more: &str| {
        format!(
            "duration = 1\n{MATERIALS}\n[bodies.b]\nmaterial = \"jelly\"\nkind = \"boundary\"\n{more}\n\
             shape = {{ box = {{ size = [1, 1, 1], cells = [1, 1, 1] }} }}\n"
        )
    };
    let cases = [
        ("stiffness = 1e6", "`stiffness` goes only with kind = \"affine\""),
        ("mass = \"lumped\"", "only solids have a choice of `mass`"),
        (
            "plasticity = { shape = { yield = 0.1, creep = 1, max = 0.3 } }",
            "only solids and mass points yield",
        ),
    ];
    for (more, message) in cases {
        let error = Scene::parse(&base(more)).expect_err(more);
        assert!(error.to_string().contains(message), "{more}: {error}");
    }
    let fine = base("").replace("cells = [1, 1, 1]", "cells = [20, 20, 20]");
    let error = Scene::parse(&fine).unwrap().build(&NoFiles).err().unwrap();
    assert!(error.to_string().contains("needs too much memory: take at most 1500"), "{error}");
}

/// Runs a scene of the folder and shows every frame.
fn run_scene(name: &str, mut visit: impl FnMut(&aspic::frame::Frame)) -> Simulation {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    let mut simulation = build(&std::fs::read_to_string(path.with_extension("toml")).unwrap());
    while let Some(frame) = simulation.next_frame().unwrap() {
        visit(&frame);
    }
    simulation
}

#[test]
fn puppets_never_sink_into_the_floor_come_to_rest_and_keep_their_books() {
    for name in ["bem-circle", "bem-poisson", "bem-ellipsoid", "bem-jelly", "bem-jelly-tilted"] {
        let mut speed = 0.0;
        let simulation = run_scene(name, |frame| {
            let lowest = frame.positions.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
            assert!(lowest > -1e-9, "{name}: a vertex is at {lowest} in frame {}", frame.index);
            speed = frame.velocities.iter().map(|v| v.norm()).fold(0.0, f64::max);
        });
        // An ellipsoid rocks on its tip for long.
        assert!(speed < 0.5 || name == "bem-ellipsoid", "{name}: something still moves at {speed} m/s");
        let audit = simulation.statistics().audit_relative();
        assert!(audit < 5e-3, "{name}: audit {audit}");
    }
}

/// Discs of three sizes and a jelly in flight: p = p₀ + m g t, and the spin about the centroid stays.
#[test]
fn the_ledger_has_the_momenta_of_puppets() {
    let disc = |radius: f64| (format!("outline = {{ circle = {radius}, depth = 0.2 }}"), radius);
    let ball = "sections = {}\nshape = { ball = { radius = 0.1, rings = 3 } }".to_owned();
    for ((shape, radius), part) in [(disc(0.05), 0.5), (disc(0.1), 0.5), (disc(1.0), 0.5), ((ball, 0.1), 0.4)]
    {
        let text = format!(
            "duration = 0.1\n{MATERIALS}\n[bodies.b]\nmaterial = \"soft\"\n{shape}\n\
             position = [0.3, 0, 9]\nvelocity = [2, 0, 1]\nspin = [0, 3, 0]\n"
        );
        let mut simulation = build(&text);
        let before = simulation.ledger();
        while simulation.next_frame().unwrap().is_some() {}
        let (after, t) = (simulation.ledger(), 0.1);
        let mass = before.momentum.x / 2.0;
        let fallen = before.momentum - Vec3::z() * (mass * 9.81 * t);
        assert!(mass > 0.0 && (after.momentum - fallen).norm() < 1e-6 * fallen.norm(), "{shape}");
        let at = |t: f64| Vec3::new(0.3 + 2.0 * t, 0.0, 9.0 + t - 0.5 * 9.81 * t * t);
        let spin =
            [(&before, 0.0), (&after, t)].map(|(row, t)| row.angular_momentum - at(t).cross(&row.momentum));
        let expected = Vec3::y() * (3.0 * part * mass * radius * radius);
        // The circle is a polygon, the ball a polyhedron.
        assert!((spin[0] - expected).norm() < 0.1 * expected.norm(), "{shape}: {} {expected}", spin[0]);
        assert!((spin[1] - spin[0]).norm() < 2e-2 * expected.norm(), "{shape}: {} {}", spin[0], spin[1]);
    }
}

#[test]
fn rubber_bulges_where_sponge_does_not() {
    let mut most = [0.0f64; 2];
    let mut bodies = vec![];
    let simulation = run_scene("bem-poisson", |frame| bodies.push(frame.positions.clone()));
    for (k, body) in simulation.world().topology.bodies.iter().take(2).enumerate() {
        for positions in &bodies {
            let x = positions[body.points.clone()].iter().map(|x| x.x);
            let (low, high) = x.fold((f64::INFINITY, -f64::INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            most[k] = most[k].max(high - low);
        }
    }
    let [rubber, sponge] = most.map(|width| width / 0.2 - 1.0);
    assert!(rubber > 0.02 && sponge < 0.5 * rubber, "rubber grew by {rubber}, sponge by {sponge}");
}

#[test]
fn a_run_of_puppets_that_is_taken_up_again_gives_the_same_bits() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/bem-jelly-tilted.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let frames = |simulation: &mut Simulation| {
        let all = std::iter::from_fn(|| simulation.next_frame().unwrap());
        all.take(60).map(|frame| frame.positions).collect::<Vec<_>>()
    };
    let whole = frames(&mut build(&text));
    let mut first = build(&text);
    (0..25).for_each(|_| drop(first.next_frame().unwrap()));
    let mut second = build(&text);
    second.restore(first.checkpoint());
    assert!(frames(&mut second)[..35] == whole[25..60]);
}

#[test]
fn nobody_holds_a_puppet_and_outlines_stay_in_their_plane() {
    let base = "duration = 1\n[materials.m]\nyoung = 1e4\npoisson = 0.3\ndensity = 1000\n[bodies.b]\nmaterial = \"m\"\n";
    let held = format!(
        "{base}outline = {{ circle = 0.1, depth = 0.1 }}\n[constraints.c]\nhold = {{ body = \"b\" }}\n"
    );
    let error = Scene::parse(&held).unwrap().build(&NoFiles).err().unwrap();
    assert!(error.to_string().contains("moves by rules of its own"), "{error}");
    let turned = format!(
        "{base}outline = {{ circle = 0.1, depth = 0.1 }}\nrotation = {{ axis = [1, 0, 0], angle = 1 }}\n"
    );
    let error = Scene::parse(&turned).unwrap_err();
    assert!(error.to_string().contains("turns only about the y axis"), "{error}");
    for (outline, message) in [
        ("circle = -0.1, depth = 0.1", "`circle` must be"),
        ("circle = 0.1, depth = 0", "`depth` must be"),
        ("circle = 0.1, depth = 0.1, vertices = 400000", "an outline of 400000 vertices"),
    ] {
        let error = Scene::parse(&format!("{base}outline = {{ {outline} }}\n")).unwrap_err();
        assert!(error.to_string().contains(message), "{outline}: {error}");
    }
    let floor = "[obstacles.floor]\nshape = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } }\n";
    let sunk = format!("{base}outline = {{ circle = 0.1, depth = 0.1 }}\nposition = [0, 0, -3]\n{floor}");
    let error = Scene::parse(&sunk).unwrap().build(&NoFiles).err().unwrap();
    assert!(error.to_string().contains("`b` starts 3.1"), "{error}");
    let sprung = format!("contact = \"springs\"\n{base}outline = {{ circle = 0.1, depth = 0.1 }}\n");
    let error = Scene::parse(&sprung).unwrap_err();
    assert!(error.to_string().contains("does not go with contact model \"springs\""), "{error}");
    let crossed = format!("{base}outline = {{ points = [[0, 0], [2, 0], [0, 1], [1, 1]], depth = 0.1 }}\n");
    let error = Scene::parse(&crossed).unwrap().build(&NoFiles).err().unwrap();
    assert!(error.to_string().contains("cross"), "{error}");
}
