//! Nothing turns inside out.

use aspic::constraint::{Constraint, OnLine};
use aspic::external::{PointForces, Schedule};
use aspic::mesh::generate;
use aspic::potential::material::LawName;
use aspic::scene::{NoFiles, Scene};
use aspic::{Material, Vec3};

use crate::support::{damped_jelly, exact, settings, single, smallest_jacobian, start};

#[test]
fn crushed_block_never_turns_inside_out() {
    for law in [LawName::Ls, LawName::LsStable] {
        let mesh = generate::block(Vec3::new(0.4, 0.4, 0.2), [2; 3]).unwrap();
        let material = Material { law, ..damped_jelly(0.01) };
        let (mut builder, _) = single(&mesh, &material);
        let nodes = mesh.groups["top"].clone();
        // In the end ten times what would flatten a block of constant stiffness.
        let force = -Vec3::z() * (10.0 * material.moduli.bulk * 0.16 / nodes.len() as f64);
        let schedule = Schedule::new(vec![(0.0, 0.0), (0.5, 1.0)]);
        builder.hold("floor", &mesh.groups["bottom"]);
        let rail = |&node: &u32| -> Box<dyn Constraint> {
            Box::new(OnLine::new(node, mesh.positions[node as usize], Vec3::z()))
        };
        builder.constrain(exact("press", nodes.iter().map(rail).collect()));
        builder.load(Box::new(PointForces { nodes, force, schedule }), f64::INFINITY);
        let mut simulation = start(builder, settings(0.6, 0.01, 1e-4));
        let mut least = f64::INFINITY;
        while let Some(frame) = simulation.next_frame().unwrap() {
            least = least.min(smallest_jacobian(&mesh, &frame.positions));
        }
        assert!(least > 0.0 && least < 0.6, "{law:?}: J = {least}");
        assert!(simulation.statistics().audit_relative() < 1e-3, "{law:?}");
    }
}

const SOFT_TORUS: &str = r#"
duration = "1 s"
gravity = [0, 0, -9.81]

[time]
method = "rkf45"
tolerance = 1e-4

[output]
frame_rate = 24

[materials.soft]
law = "ls-stable"
bulk = "1 kPa"
shear = "300 Pa"
density = 1000
bulk_viscosity = "1 Pa s"
shear_viscosity = "1 Pa s"

[bodies.ring]
material = "soft"
shape = { torus = { ring_radius = "10 cm", tube_radius = "3 cm", sections = 20, sides = 8 } }
rotation = { axis = [1, 0, 0], angle = "80 deg" }

[constraints.nail]
hold = { body = "ring", name = "nail" }
"#;

#[test]
fn torus_a_hundred_times_softer_hangs_on_its_nail_without_turning_inside_out() {
    let mut simulation = Scene::parse(SOFT_TORUS).unwrap().build(&NoFiles).unwrap();
    let mesh = generate::torus(0.1, 0.03, 20, 8).unwrap();
    let mut least = f64::INFINITY;
    while let Some(frame) = simulation.next_frame().unwrap() {
        least = least.min(smallest_jacobian(&mesh, &frame.positions));
    }
    assert!(least > 0.0, "J = {least}");
    let statistics = simulation.statistics();
    assert!(statistics.audit_relative() < 1e-4, "{:e}", statistics.audit_relative());
    assert_eq!(statistics.worst_violation, 0.0);
}
