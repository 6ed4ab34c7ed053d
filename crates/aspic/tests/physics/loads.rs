//! Loads do work, and the ledger sees all of it.

use aspic::external::{External, Field, PointForces, Pressure, Schedule};
use aspic::mesh::{TetMesh, generate};
use aspic::potential::material::LawName;
use aspic::{Vec3, WorldBuilder};

use crate::support::{damped_jelly, frames, irregular_cube, jelly, settings, single, stable, start};

fn ramp() -> Schedule {
    Schedule::new(vec![(0.1, 0.0), (0.33, 1.0), (0.6, 0.4), (0.7, 0.4)])
}

fn beam() -> (TetMesh, WorldBuilder) {
    let mesh = generate::beam(0.6, 0.2, 0.2, [3, 1, 1]).unwrap();
    let (mut builder, _) = single(&mesh, &damped_jelly(0.002));
    builder.hold("wall", &mesh.groups["start"]);
    (mesh, builder)
}

/// One second with the load, which ends at 0.8 s; its work must be what the body gained and lost.
fn balances(mut builder: WorldBuilder, load: Box<dyn External>) {
    builder.load(load, 0.8);
    let mut simulation = start(builder, settings(1.0, 0.05, 1e-7));
    let rows: Vec<_> = frames(&mut simulation).iter().map(|frame| frame.ledger).collect();
    for row in &rows {
        let gained = row.kinetic + row.elastic_bulk + row.elastic_shear + row.viscous_loss;
        assert!(
            (row.load_work - gained).abs() < 1e-6 * gained.max(1.0),
            "t = {}: {} J",
            row.t,
            row.load_work - gained
        );
    }
    assert!(rows[16].load_work > 0.05, "{} J", rows[16].load_work);
    assert_eq!(rows[20].load_work, rows[17].load_work, "an ended load does no work");
    assert_eq!(rows[2].load_work, 0.0, "a load that has not begun does no work");
}

#[test]
fn keyed_force_gives_the_energy_that_its_work_says() {
    let (mesh, builder) = beam();
    let nodes = mesh.groups["end"].clone();
    balances(builder, Box::new(PointForces { nodes, force: Vec3::new(5.0, 2.0, 10.0), schedule: ramp() }));
}

#[test]
fn keyed_pressure_gives_the_energy_that_its_work_says() {
    let (mesh, builder) = beam();
    let top = &mesh.groups["top"];
    let triangles = mesh.boundary().into_iter().filter(|f| f.iter().all(|v| top.contains(v))).collect();
    balances(builder, Box::new(Pressure { triangles, pressure: 500.0, schedule: ramp() }));
}

#[test]
fn keyed_acceleration_gives_the_energy_that_its_work_says() {
    let (_, builder) = beam();
    let masses = builder.masses().into_iter().enumerate().map(|(node, mass)| (node as u32, mass)).collect();
    balances(builder, Box::new(Field { masses, acceleration: Vec3::new(1.0, 2.0, 5.0), schedule: ramp() }));
}

#[test]
fn uniform_acceleration_against_gravity_leaves_a_body_floating() {
    let mesh = irregular_cube(2);
    let (mut builder, _) = single(&mesh, &jelly(LawName::LsStable));
    let gravity = Vec3::new(0.3, 0.0, -9.81);
    builder.gravity(gravity);
    let masses = builder.masses().into_iter().enumerate().map(|(node, mass)| (node as u32, mass)).collect();
    builder.load(
        Box::new(Field { masses, acceleration: -gravity, schedule: Schedule::default() }),
        f64::INFINITY,
    );
    let mut simulation = start(builder, stable(settings(2.0, 2.0, 1e-6), 5e-3));
    let last = frames(&mut simulation).pop().unwrap();
    assert!((0..mesh.positions.len()).all(|i| (last.positions[i] - mesh.positions[i]).norm() < 1e-11));
    assert!(last.ledger.kinetic < 1e-18);
}

#[test]
fn pressure_all_round_shrinks_a_block_by_pressure_over_bulk_modulus() {
    // p(J) = −K/8 (J³ − J⁻⁵) exactly, for any size of the pressure.
    let mesh = generate::block(Vec3::repeat(0.4), [2; 3]).unwrap();
    let material = damped_jelly(0.08);
    let pressure = 0.2 * material.moduli.bulk;
    let (mut builder, body) = single(&mesh, &material);
    let triangles = builder.triangles(body).to_vec();
    let schedule = Schedule::new(vec![(0.0, 0.0), (0.5, 1.0)]);
    builder.load(Box::new(Pressure { triangles, pressure, schedule }), f64::INFINITY);
    let mut simulation = start(builder, settings(5.0, 5.0, 1e-7));
    simulation.advance_to(5.0).unwrap();
    let now = TetMesh { positions: simulation.state().q.clone(), ..mesh.clone() };
    let j = now.volume() / mesh.volume();
    let expected = -material.moduli.bulk / 8.0 * (j.powi(3) - j.powi(-5));
    assert!((expected / pressure - 1.0).abs() < 1e-6, "J = {j}: {expected} Pa, not {pressure} Pa");
}
