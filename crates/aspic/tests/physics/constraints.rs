//! Hands that drag and let go.

use aspic::constraint::{Anchor, Constraint, Distance, Path, Pin, Tie};
use aspic::mesh::{TetMesh, generate};
use aspic::world::NamedConstraint;
use aspic::{Settings, Simulation, Vec3};

use crate::support::{damped_jelly, exact, frames, settings, single, spin, start};

const GRAVITY: f64 = 9.81;

fn beam() -> TetMesh {
    generate::beam(0.6, 0.2, 0.2, [3, 1, 1]).unwrap()
}

fn path() -> Path {
    Path::new(&[
        (0.1, Vec3::zeros()),
        (0.4, Vec3::new(0.1, 0.05, 0.2)),
        (0.7, Vec3::new(-0.1, 0.1, 0.3)),
        (1.1, Vec3::new(0.0, 0.0, 0.1)),
    ])
}

/// A beam whose left end is dragged along the path until a time.
fn dragged(until: f64, settings: Settings) -> Simulation {
    let mesh = beam();
    let (mut builder, _) = single(&mesh, &damped_jelly(0.002));
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY)).drag("hand", &mesh.groups["start"], &path(), until);
    start(builder, settings)
}

#[test]
fn dragged_vertices_follow_their_path_exactly_and_the_hand_pays_for_everything() {
    let mesh = beam();
    let mut simulation = dragged(f64::INFINITY, settings(1.2, 0.05, 1e-7));
    for frame in frames(&mut simulation) {
        let motion = path().at(frame.ledger.t);
        for &node in &mesh.groups["start"] {
            assert_eq!(frame.positions[node as usize], mesh.positions[node as usize] + motion.position);
            assert_eq!(frame.velocities[node as usize], motion.velocity);
        }
        assert_eq!(frame.ledger.violation, 0.0);
    }
    let ledger = simulation.ledger();
    assert!(ledger.drag_work.abs() > 0.1 && ledger.viscous_loss > 0.1, "{ledger:?}");
    let statistics = simulation.statistics();
    assert!(statistics.audit_relative() < 1e-6, "{:e}", statistics.audit_relative());
}

#[test]
fn body_let_go_in_mid_motion_obeys_gravity_alone() {
    let release = 0.537;
    let mut simulation = dragged(release, settings(1.0, 1e-3, 1e-8));
    let mut ends = vec![];
    let mut flight = vec![];
    while let Some(frame) = simulation.next_frame().unwrap() {
        ends.push(simulation.progress().0);
        if frame.ledger.t > release {
            flight.push(frame);
        }
    }
    assert!(ends.contains(&release), "a step must end at the release");
    let mass: f64 = simulation.world().inertia.masses().iter().sum();
    let first = &flight[0];
    assert!(first.ledger.momentum.norm() > 1.0);
    for frame in &flight {
        let t = frame.ledger.t - first.ledger.t;
        let expected = first.ledger.momentum - Vec3::z() * (mass * GRAVITY * t);
        assert!((frame.ledger.momentum - expected).norm() < 1e-10 * mass, "t = {}", frame.ledger.t);
        let turned = spin(simulation.world(), frame) - spin(simulation.world(), first);
        assert!(turned.norm() < 1e-7 * mass, "t = {}: {turned:?}", frame.ledger.t);
        assert_eq!(frame.reactions[0], Vec3::zeros());
    }
    assert!(simulation.statistics().audit_relative() < 1e-6);
}

#[test]
fn dragging_by_springs_balances_the_ledger_before_and_after_they_let_go() {
    let mesh = beam();
    let (mut builder, _) = single(&mesh, &damped_jelly(0.002));
    let pin = |&node: &u32| -> Box<dyn Constraint> {
        Box::new(Pin::new(node, mesh.positions[node as usize], path()))
    };
    let laws = mesh.groups["start"].iter().map(pin).collect();
    let hand = NamedConstraint { name: "hand".into(), laws, until: 0.6, stiffness: Some(300.0) };
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY)).constrain(hand);
    let mut simulation = start(builder, settings(1.0, 0.05, 1e-7));
    let rows: Vec<_> = frames(&mut simulation).iter().map(|frame| frame.ledger).collect();
    assert!(rows[11].springs > 0.1, "the springs must hold energy when they let go: {} J", rows[11].springs);
    assert_eq!(rows[20].springs, 0.0);
    for row in &rows {
        assert!(row.residual.abs() < 1e-6 * row.exchanged.max(1.0), "t = {}: {} J", row.t, row.residual);
    }
}

#[test]
fn hand_pays_for_what_it_tows_through_rods_and_ties() {
    // The first beam is dragged by its left end; the second hangs on it by a rod to a dragged vertex and by a tie.
    let mesh = beam();
    let n = mesh.positions.len() as u32;
    let (mut builder, _) = single(&mesh, &damped_jelly(0.002));
    let other = builder.solid("towed", &mesh, &damped_jelly(0.002), Default::default()).unwrap();
    let nodes = builder.nodes(other);
    builder.positions()[nodes].iter_mut().for_each(|x| x.x += 0.6);
    let (dragged, tied) = (mesh.groups["start"][0], mesh.groups["end"][0]);
    let length = 0.6;
    let rod = Distance { node: mesh.groups["start"][0] + n, other: Anchor::Node(dragged), length };
    let tie = Tie { nodes: [tied, mesh.groups["start"][0] + n] };
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY)).drag(
        "hand",
        &mesh.groups["start"],
        &path(),
        f64::INFINITY,
    );
    builder.constrain(exact("rod", vec![Box::new(rod)])).constrain(exact("tie", vec![Box::new(tie)]));
    let mut simulation = start(builder, settings(1.2, 0.05, 1e-7));
    frames(&mut simulation);
    let statistics = *simulation.statistics();
    assert!(statistics.audit_relative() < 1e-6, "{:e}", statistics.audit_relative());
    assert!(statistics.worst_violation < 1e-10, "{:e}", statistics.worst_violation);
    assert!(simulation.ledger().drag_work.abs() > 0.1);
}

#[test]
fn rod_that_lets_go_neither_takes_nor_gives_energy() {
    let mesh = beam();
    let (mut builder, _) = single(&mesh, &damped_jelly(0.002));
    let rod = Distance { node: 0, other: Anchor::Point(mesh.positions[0] + Vec3::x()), length: 1.0 };
    let laws: Vec<Box<dyn Constraint>> = vec![Box::new(rod)];
    builder.constrain(NamedConstraint { name: "rod".into(), laws, until: 0.4, stiffness: None });
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let mut simulation = start(builder, settings(0.8, 0.01, 1e-7));
    let frames = frames(&mut simulation);
    let mass: f64 = simulation.world().inertia.masses().iter().sum();
    assert!(frames[39].reactions[0].norm() > 1.0 && frames[41].reactions[0] == Vec3::zeros());
    let (early, late) = (&frames[41].ledger, &frames[80].ledger);
    let fallen = late.momentum - early.momentum + Vec3::z() * (mass * GRAVITY * (late.t - early.t));
    assert!(fallen.norm() < 1e-10 * mass, "{fallen:?}");
    assert!(simulation.statistics().audit_relative() < 1e-6);
    assert!(simulation.statistics().worst_violation < 1e-10);
}
