//! Bodies that swing: the physical pendulum, and every exact constraint for ten seconds.

use std::f64::consts::PI;

use aspic::constraint::{Anchor, Constraint, Distance, OnLine, OnPlane, OnSphere, Tie};
use aspic::mesh::{Pose, TetMesh, generate};
use aspic::potential::material::{LawName, Moduli};
use aspic::{Material, Vec3, WorldBuilder};

use crate::support::{exact, frames, jelly, rising_zeros, settings, single, start};

/// A unit cube hung at its corner 0, which is the origin, the diagonal down and then turned by `angle`.
fn hung_cube(angle: f64) -> TetMesh {
    let mut mesh = generate::block(Vec3::repeat(1.0), [1; 3]).unwrap();
    mesh.positions.iter_mut().for_each(|x| *x += Vec3::repeat(0.5));
    let down = Vec3::repeat(1.0).cross(&-Vec3::z());
    let turn = (-1.0 / 3f64.sqrt()).acos();
    Pose::new(&[(down, turn), (Vec3::y(), angle)], Vec3::zeros()).unwrap().apply(&mut mesh.positions);
    mesh
}

#[test]
fn stiff_cube_on_a_corner_swings_as_a_physical_pendulum() {
    // A cube's inertia is m/6 about every axis through its centre, at d = √3/2 from the corner: I = 11/12 m.
    // An amplitude θ lengthens the period by θ²/16; the strain ρ g/E adds about 1e-4.
    let (gravity, theta) = (0.01, 0.02);
    let mesh = hung_cube(theta);
    let material = Material::elastic(1000.0, Moduli::from_young_poisson(2e5, 0.3).unwrap());
    let (mut builder, _) = single(&mesh, &material);
    builder.gravity(Vec3::new(0.0, 0.0, -gravity)).hold("corner", &[0]);
    let d = 0.75f64.sqrt();
    let period = 2.0 * PI * (11.0 / 12.0 / (gravity * d)).sqrt() * (1.0 + theta * theta / 16.0);
    let mut simulation = start(builder, settings(2.3 * period, period / 64.0, 1e-6));
    let frames = frames(&mut simulation);
    let side = |q: &[Vec3]| simulation.world().inertia.center(q, 0..q.len()).x;
    let (t, x): (Vec<f64>, Vec<f64>) = frames.iter().map(|f| (f.ledger.t, side(&f.positions))).unzip();
    let zeros = rising_zeros(&t, &x);
    let measured = (zeros[zeros.len() - 1] - zeros[0]) / (zeros.len() - 1) as f64;
    assert!((measured / period - 1.0).abs() < 2e-4, "{measured} s, expected {period} s");
    assert!(simulation.statistics().worst_violation == 0.0);
}

#[test]
fn heavy_body_on_a_rod_keeps_its_energy_and_its_distance() {
    let mesh = generate::block(Vec3::repeat(0.2), [1; 3]).unwrap();
    let (mut builder, _) = single(&mesh, &jelly(LawName::LsStable));
    let rod = Distance { node: 0, other: Anchor::Point(mesh.positions[0] + Vec3::x()), length: 1.0 };
    builder.gravity(Vec3::new(0.0, 0.0, -9.81)).constrain(exact("rod", vec![Box::new(rod)]));
    let mut simulation = start(builder, settings(10.0, 0.1, 1e-6));
    frames(&mut simulation);
    let statistics = simulation.statistics();
    assert!(statistics.audit_relative() < 1e-5, "{:e}", statistics.audit_relative());
    assert!(statistics.worst_violation < 1e-10, "{:e}", statistics.worst_violation);
}

/// Two small blocks, the second a little to the right, in gravity; both spin.
fn pair() -> (WorldBuilder, TetMesh) {
    let mesh = generate::block(Vec3::repeat(0.2), [1; 3]).unwrap();
    let (mut builder, _) = single(&mesh, &jelly(LawName::LsStable));
    let other = builder.solid("other", &mesh, &jelly(LawName::LsStable), Default::default()).unwrap();
    let nodes = builder.nodes(other);
    builder.positions()[nodes].iter_mut().for_each(|x| x.x += 0.2);
    let spins: Vec<Vec3> = builder.positions().iter().map(|x| Vec3::new(1.0, 2.0, -1.0).cross(x)).collect();
    builder.velocities().copy_from_slice(&spins);
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    (builder, mesh)
}

/// Ten seconds of both bodies under the given constraint.
fn keeps(name: &str, laws: Vec<Box<dyn Constraint>>) {
    let (mut builder, _) = pair();
    builder.constrain(exact(name, laws));
    let mut simulation = start(builder, settings(10.0, 0.5, 1e-6));
    let rows: Vec<_> = frames(&mut simulation).iter().map(|frame| frame.ledger).collect();
    let statistics = simulation.statistics();
    assert_eq!(rows.len(), 21);
    assert!(statistics.worst_violation < 1e-10, "{name}: {:e}", statistics.worst_violation);
    // Falling a metre gives each body 78 J; what slides far away exchanges far more, and would hide errors.
    assert!(statistics.worst_residual < 1e-4 * 78.0, "{name}: {} J", statistics.worst_residual);
}

#[test]
fn every_exact_constraint_is_kept_for_ten_seconds() {
    let (mut builder, mesh) = pair();
    let at: Vec<Vec3> = builder.positions().to_vec();
    let (a, b) = (mesh.groups["right"][0], mesh.groups["left"][0] + 8);
    let point = at[0] + Vec3::new(0.3, 0.4, 0.0);
    keeps("tie", vec![Box::new(Tie { nodes: [a, b] })]);
    keeps("rod to a point", vec![Box::new(Distance { node: 0, other: Anchor::Point(point), length: 0.5 })]);
    let length = (at[0] - at[8]).norm();
    keeps("rod between bodies", vec![Box::new(Distance { node: 0, other: Anchor::Node(8), length })]);
    keeps("plane", vec![Box::new(OnPlane::new(0, at[0], Vec3::new(1.0, 0.2, 3.0)))]);
    keeps("line", vec![Box::new(OnLine::new(0, at[0], Vec3::new(1.0, 2.0, 0.3)))]);
    keeps("sphere", vec![Box::new(OnSphere { node: 0, center: point, radius: 0.5 })]);
    keeps(
        "hinge and rail",
        vec![
            Box::new(Tie { nodes: [a, b] }),
            Box::new(OnLine::new(0, at[0], Vec3::x())),
            Box::new(Distance { node: 9, other: Anchor::Point(at[9] + Vec3::z()), length: 1.0 }),
        ],
    );
}
