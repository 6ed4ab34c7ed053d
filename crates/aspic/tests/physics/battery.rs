//! Forces and tangents of a whole irregular mesh against differences of its energy and forces.

use aspic::continuum::TangentWeights;
use aspic::dissipation::viscous_law::{Viscosity, ViscousModel};
use aspic::mesh::TetMesh;
use aspic::potential::material::LawName;
use aspic::{Material, State, Vec3};

use crate::support::{Noise, dense, energy, forces, irregular_cube, jelly, stiffness, tangent};

const MODELS: [ViscousModel; 3] =
    [ViscousModel::Material, ViscousModel::MaterialCurrentVolume, ViscousModel::Spatial];

/// Somewhere far from rest, in motion.
fn thrown(mesh: &TetMesh) -> State {
    let mut noise = Noise::new(23);
    let n = mesh.positions.len();
    let shake = noise.field(n, 0.025);
    let q = mesh
        .positions
        .iter()
        .zip(shake)
        .map(|(x, s)| x * 1.05 + s + Vec3::new(0.1 * x.y, 0.0, 0.0))
        .collect();
    State { v: noise.field(n, 1.0), ..State::at_rest(q) }
}

fn viscous(law: LawName, viscous_model: ViscousModel) -> Material {
    Material { viscosity: Viscosity::new(900.0, 400.0).unwrap(), viscous_model, ..jelly(law) }
}

/// Each coordinate of each node, moved by ±h.
fn nudged(x: &[Vec3], h: f64) -> impl Iterator<Item = (usize, [Vec<Vec3>; 2])> + '_ {
    (0..3 * x.len()).map(move |k| {
        let moved = |s: f64| {
            let mut moved = x.to_vec();
            moved[k / 3][k % 3] += s;
            moved
        };
        (k, [moved(h), moved(-h)])
    })
}

#[test]
fn force_is_minus_the_gradient_of_the_energy_in_every_law() {
    let mesh = irregular_cube(2);
    let State { q, .. } = thrown(&mesh);
    let still = vec![Vec3::zeros(); q.len()];
    for law in LawName::ALL {
        let solid = jelly(law).solid(&mesh, 0);
        let force = forces(solid.as_ref(), &q, &still).0;
        let largest = force.iter().map(|f| f.norm()).fold(0.0, f64::max);
        let h = 1e-5;
        for (k, [up, down]) in nudged(&q, h) {
            let slope = (energy(solid.as_ref(), &up) - energy(solid.as_ref(), &down)) / (2.0 * h);
            assert!((force[k / 3][k % 3] + slope).abs() < 1e-6 * largest, "{law:?}, coordinate {k}");
        }
    }
}

#[test]
fn stiffness_is_minus_the_gradient_of_the_force_in_every_law() {
    let mesh = irregular_cube(2);
    let State { q, .. } = thrown(&mesh);
    let still = vec![Vec3::zeros(); q.len()];
    for law in LawName::ALL {
        let solid = jelly(law).solid(&mesh, 0);
        let stiffness = dense(&stiffness(solid.as_ref(), &q, false), q.len());
        assert!(
            (&stiffness - stiffness.transpose()).amax() < 1e-11 * stiffness.amax(),
            "{law:?}: not symmetric"
        );
        let h = 1e-5;
        for (k, [up, down]) in nudged(&q, h) {
            let (up, down) = (forces(solid.as_ref(), &up, &still).0, forces(solid.as_ref(), &down, &still).0);
            for r in 0..stiffness.nrows() {
                let slope = (up[r / 3][r % 3] - down[r / 3][r % 3]) / (2.0 * h);
                assert!((stiffness[(r, k)] + slope).abs() < 1e-6 * stiffness.amax(), "{law:?}: ({r}, {k})");
            }
        }
    }
}

#[test]
fn projected_stiffness_has_no_negative_direction_and_is_exact_at_rest() {
    let mesh = irregular_cube(2);
    for law in LawName::ALL {
        let solid = jelly(law).solid(&mesh, 0);
        let matrix = |q: &[Vec3], project: bool| dense(&stiffness(solid.as_ref(), q, project), q.len());
        let projected = matrix(&thrown(&mesh).q, true);
        let lowest = projected.symmetric_eigenvalues().min();
        assert!(lowest > -1e-10 * projected.amax(), "{law:?}: {lowest}");
        let (exact, at_rest) = (matrix(&mesh.positions, false), matrix(&mesh.positions, true));
        assert!((&exact - at_rest).amax() < 1e-9 * exact.amax(), "{law:?}");
    }
}

#[test]
fn damping_is_minus_the_gradient_of_the_viscous_force_in_the_velocities() {
    let mesh = irregular_cube(2);
    let state = thrown(&mesh);
    let weights = TangentWeights { stiffness: 0.0, damping: 1.0 };
    for model in MODELS {
        let solid = viscous(LawName::LsStable, model).solid(&mesh, 0);
        let damping = dense(&tangent(solid.as_ref(), &state.q, &state.q, weights, false), state.q.len());
        let h = 1e-5;
        for (k, [up, down]) in nudged(&state.v, h) {
            let (up, down) =
                (forces(solid.as_ref(), &state.q, &up).0, forces(solid.as_ref(), &state.q, &down).0);
            for r in 0..damping.nrows() {
                let slope = (up[r / 3][r % 3] - down[r / 3][r % 3]) / (2.0 * h);
                assert!((damping[(r, k)] + slope).abs() < 1e-6 * damping.amax(), "{model:?}: ({r}, {k})");
            }
        }
    }
}

#[test]
fn internal_forces_change_neither_momentum() {
    let mesh = irregular_cube(3);
    let State { q, v, .. } = thrown(&mesh);
    for law in LawName::ALL {
        for model in MODELS {
            let solid = viscous(law, model).solid(&mesh, 0);
            let force = forces(solid.as_ref(), &q, &v).0;
            let size: f64 = force.iter().map(|f| f.norm()).sum();
            let net: Vec3 = force.iter().sum();
            let torque: Vec3 = q.iter().zip(&force).map(|(x, f)| x.cross(f)).sum();
            assert!(net.norm() < 1e-13 * size && torque.norm() < 1e-13 * size, "{law:?}, {model:?}");
        }
    }
}

#[test]
fn viscous_force_takes_exactly_the_dissipated_power_and_spares_rigid_motion() {
    let mesh = irregular_cube(3);
    let State { q, v, .. } = thrown(&mesh);
    let still = vec![Vec3::zeros(); q.len()];
    for model in MODELS {
        let solid = viscous(LawName::LsStable, model).solid(&mesh, 0);
        let answer = |v: &[Vec3]| {
            let ((all, power), elastic) =
                (forces(solid.as_ref(), &q, v), forces(solid.as_ref(), &q, &still).0);
            let drag: Vec<Vec3> = all.iter().zip(elastic).map(|(a, e)| a - e).collect();
            (drag, power)
        };
        let (drag, power) = answer(&v);
        let taken: f64 = drag.iter().zip(&v).map(|(f, v)| f.dot(v)).sum();
        assert!(power > 0.0 && (taken + power).abs() < 1e-11 * power, "{model:?}: {taken} against {power} W");
        let rigid: Vec<Vec3> =
            q.iter().map(|x| Vec3::new(1.0, 2.0, -0.5).cross(x) + Vec3::new(3.0, 0.0, 1.0)).collect();
        let (drag, loss) = answer(&rigid);
        assert!(loss.abs() < 1e-12 * power, "{model:?}: rigid motion loses {loss} W");
        assert!(drag.iter().all(|f| f.norm() < 1e-9), "{model:?}");
    }
}
