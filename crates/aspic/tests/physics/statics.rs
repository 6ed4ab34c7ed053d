//! Bodies that have come to rest: supports carry the weight.

use aspic::constraint::{Constraint, Path, Pin};
use aspic::mesh::{TetMesh, generate};
use aspic::world::NamedConstraint;
use aspic::{Simulation, Vec3};

use crate::support::{damped_jelly, settings, single, start};

const GRAVITY: f64 = 1.0;

/// A block of 80 kg, 0.5 m high; its own weight strains it by about a percent.
fn block() -> TetMesh {
    generate::block(Vec3::new(0.4, 0.4, 0.5), [2, 2, 2]).unwrap()
}

fn weight() -> f64 {
    1000.0 * 0.4 * 0.4 * 0.5 * GRAVITY
}

/// Lets twenty wave times pass, critically damped or nearly.
fn settle(mut simulation: Simulation) -> Simulation {
    let end = simulation.settings().duration;
    simulation.advance_to(end).unwrap();
    simulation
}

#[test]
fn support_of_a_hanging_block_carries_its_weight() {
    let mesh = block();
    let (mut builder, _) = single(&mesh, &damped_jelly(0.08));
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY)).hold("ceiling", &mesh.groups["top"]);
    let mut simulation = settle(start(builder, settings(5.0, 5.0, 1e-7)));
    let total: Vec3 = simulation.reactions().unwrap().iter().sum();
    assert!((total - Vec3::z() * weight()).norm() < 1e-6 * weight(), "{total:?} N");
    let (_, by_name) =
        simulation.world().reactions(simulation.state(), &mut simulation.world().workspace()).unwrap();
    assert!((by_name[0] - total).norm() < 1e-12 * weight());
    let net = simulation.ledger().momentum;
    assert!(net.norm() < 1e-6, "still moving: {net:?} kg m/s");
}

#[test]
fn springs_that_carry_a_block_are_longer_by_its_weight_over_their_stiffness() {
    let mesh = block();
    let stiffness = 2000.0;
    let (mut builder, _) = single(&mesh, &damped_jelly(0.08));
    let top = &mesh.groups["top"];
    let pin = |&node: &u32| -> Box<dyn Constraint> {
        Box::new(Pin::new(node, mesh.positions[node as usize], Path::still()))
    };
    let laws = top.iter().map(pin).collect();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY)).constrain(NamedConstraint {
        name: "springs".into(),
        laws,
        until: f64::INFINITY,
        stiffness: Some(stiffness),
    });
    // Nine springs in parallel.
    let expected = weight() / (9.0 * stiffness);
    builder.positions().iter_mut().for_each(|x| x.z -= expected);
    let mut simulation = settle(start(builder, settings(10.0, 10.0, 1e-7)));
    let stretch = |&node: &u32| mesh.positions[node as usize].z - simulation.state().q[node as usize].z;
    let mean = top.iter().map(stretch).sum::<f64>() / 9.0;
    assert!((mean / expected - 1.0).abs() < 1e-6, "{mean} m, expected {expected} m");
    let total: Vec3 = simulation.reactions().unwrap().iter().sum();
    assert!((total.z / weight() - 1.0).abs() < 1e-6, "{total:?} N");
}
