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
