//! Bodies that nothing holds: mass, momentum, free fall.

use aspic::kinetic::MassModel;
use aspic::mesh::{TetMesh, generate};
use aspic::potential::material::LawName;
use aspic::{Mat3, Material, Settings, Simulation, Vec3, WorldBuilder};

use crate::support::{damped_jelly, frames, irregular_cube, jelly, settings, single, stable, start};

#[test]
fn every_mesh_weighs_density_times_volume_and_carries_affine_motion_exactly() {
    // A block about its centre: ∫ ρ x xᵀ = m/12 diag(a², b², c²), so K = ½ tr(L ∫ρxxᵀ Lᵀ) + ½ m u².
    let size = Vec3::new(1.0, 0.7, 0.4);
    let l = Mat3::new(0.3, -0.2, 0.1, 0.4, 0.1, -0.3, 0.2, 0.5, -0.1);
    let u = Vec3::new(1.0, -2.0, 0.5);
    let (world, state) =
        single(&generate::block(size, [3, 2, 2]).unwrap(), &jelly(LawName::Ls)).0.build().unwrap();
    let mass = 1000.0 * size.product();
    assert!((world.inertia.masses().iter().sum::<f64>() / mass - 1.0).abs() < 1e-12);
    let v: Vec<Vec3> = state.q.iter().map(|x| l * x + u).collect();
    let second = Mat3::from_diagonal(&size.component_mul(&size)) * (mass / 12.0);
    let kinetic = 0.5 * (l * second * l.transpose()).trace() + 0.5 * mass * u.norm_squared();
    assert!((world.inertia.energy(&v) / kinetic - 1.0).abs() < 1e-12);
    let (linear, _) = world.inertia.momenta(&state.q, &v);
    assert!((linear - u * mass).norm() < 1e-12 * mass);
    for mesh in
        [generate::torus(0.1, 0.03, 20, 8).unwrap(), generate::ball(0.3, 3).unwrap(), irregular_cube(3)]
    {
        for model in [MassModel::Consistent, MassModel::Lumped] {
            let mut builder = WorldBuilder::new();
            builder.solid("body", &mesh, &jelly(LawName::Ls), model).unwrap();
            let total: f64 = builder.masses().iter().sum();
            assert!((total / (1000.0 * mesh.volume()) - 1.0).abs() < 1e-12);
        }
    }
}

/// Stretched by a tenth, spinning, drifting.
fn thrown(mesh: &TetMesh, material: &Material, settings: Settings) -> Simulation {
    let (mut builder, _) = single(mesh, material);
    let positions: Vec<Vec3> = mesh
        .positions
        .iter()
        .map(|x| Vec3::new(1.1 * x.x, x.y / 1.05, x.z / 1.05) + Vec3::new(0.4, 0.1, 0.2))
        .collect();
    builder.positions().copy_from_slice(&positions);
    for (v, x) in builder.velocities().iter_mut().zip(&positions) {
        *v = Vec3::new(0.3, -0.2, 0.1) + Vec3::new(0.5, 1.0, 2.0).cross(x);
    }
    start(builder, settings)
}

#[test]
fn spinning_wobbling_body_keeps_both_momenta() {
    let mesh = generate::block(Vec3::new(1.0, 0.8, 0.6), [1; 3]).unwrap();
    let mut simulation = thrown(&mesh, &jelly(LawName::LsStable), settings(10.0, 0.5, 1e-10));
    let rows: Vec<_> = frames(&mut simulation).iter().map(|frame| frame.ledger).collect();
    let (p, l) = (rows[0].momentum, rows[0].angular_momentum);
    let wobble = rows.iter().map(|row| row.elastic_bulk + row.elastic_shear);
    let (low, high) = wobble.fold((f64::INFINITY, 0.0f64), |(low, high), e| (low.min(e), high.max(e)));
    assert!(high > 1.5 * low, "the body must wobble: {low} to {high} J");
    for row in &rows {
        assert!((row.momentum - p).norm() < 1e-10 * p.norm(), "t = {}", row.t);
        let change = (row.angular_momentum - l).norm() / l.norm();
        assert!(change < 1e-10, "t = {}: {change:e}", row.t);
    }
}

#[test]
fn damper_loses_exactly_what_the_spinning_body_misses() {
    let mesh = generate::block(Vec3::new(1.0, 0.8, 0.6), [2, 1, 1]).unwrap();
    let mut simulation = thrown(&mesh, &damped_jelly(0.004), settings(2.0, 0.1, 1e-7));
    let rows: Vec<_> = frames(&mut simulation).iter().map(|frame| frame.ledger).collect();
    let last = rows[rows.len() - 1];
    assert!(last.viscous_loss > 1.0, "{} J", last.viscous_loss);
    assert!(rows.windows(2).all(|pair| pair[1].viscous_loss >= pair[0].viscous_loss));
    assert!(
        simulation.statistics().audit_relative() < 1e-6,
        "{:e}",
        simulation.statistics().audit_relative()
    );
}

#[test]
fn falling_body_is_galileos() {
    let mesh = irregular_cube(2);
    let (mut builder, _) = single(&mesh, &damped_jelly(0.001));
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    builder.velocities().fill(Vec3::new(1.0, 0.0, 3.0));
    let mut simulation = start(builder, stable(settings(2.0, 0.25, 1e-6), 5e-3));
    let center = simulation.world().inertia.center(&mesh.positions, 0..mesh.positions.len());
    for frame in frames(&mut simulation) {
        let t = frame.ledger.t;
        let fallen = Vec3::new(t, 0.0, 3.0 * t - 9.81 * t * t / 2.0);
        let now = simulation.world().inertia.center(&frame.positions, 0..mesh.positions.len());
        assert!((now - center - fallen).norm() < 1e-10, "t = {t}");
        let strain = |i: usize| (frame.positions[i] - mesh.positions[i] - fallen).norm();
        assert!((0..mesh.positions.len()).all(|i| strain(i) < 1e-10), "t = {t}");
        assert!(frame.ledger.elastic_bulk + frame.ledger.elastic_shear < 1e-10);
    }
}
