//! Tests of the viscous law.

use super::*;
use crate::Vec3;
use crate::element_map::{PAIRS, apply, element_stiffness};
use nalgebra::Rotation3;
use proptest::prelude::*;

const F: Mat3 = Mat3::new(1.1, 0.2, -0.1, 0.05, 0.9, 0.15, 0.0, -0.1, 1.2);
const FDOT: Mat3 = Mat3::new(0.3, -0.2, 0.1, 0.4, 0.1, -0.3, 0.2, 0.5, -0.1);
const VISCOSITY: Viscosity = Viscosity { bulk: 0.7, shear: 0.2 };
const MODELS: [ViscousModel; 3] =
    [ViscousModel::Material, ViscousModel::MaterialCurrentVolume, ViscousModel::Spatial];

fn law(model: ViscousModel) -> ViscousLaw {
    ViscousLaw::new(VISCOSITY, model)
}

fn stress(law: &ViscousLaw, f: &Mat3, fdot: &Mat3) -> (Mat3, f64) {
    let (p, power) = law.stress(&Mat3x8::splat(f), &Mat3x8::splat(fdot));
    (p.lane(6), power.to_array()[6])
}

fn assert_close(found: &Mat3, expected: &Mat3) {
    assert!((found - expected).norm() < 1e-12 * expected.norm(), "found {found}expected {expected}");
}

fn matrices() -> impl Strategy<Value = Mat3> {
    proptest::array::uniform9(-0.6..0.6).prop_map(|a: [f64; 9]| Mat3::from_row_slice(&a))
}

fn deformations() -> impl Strategy<Value = Mat3> {
    matrices().prop_map(|a| Mat3::identity() + a).prop_filter("J > 0.2", |f| f.determinant() > 0.2)
}

#[test]
fn material_stress_and_power_match_the_reference() {
    let (p, power) = stress(&law(ViscousModel::Material), &F, &FDOT);
    let expected = Mat3::new(
        0.2631833333333334,
        0.05263333333333333,
        0.09318333333333335,
        0.05620833333333333,
        0.10295000000000001,
        0.07912500000000001,
        0.0839,
        0.08488333333333334,
        0.027100000000000023,
    );
    assert_close(&p, &expected);
    assert!((power / 0.1432991666666667 - 1.0).abs() < 1e-12);
    // as printed: the same, weighted by J = 1.193
    let (p, power) = stress(&law(ViscousModel::MaterialCurrentVolume), &F, &FDOT);
    assert_close(&p, &(expected * 1.193));
    assert!((power / (1.193 * 0.1432991666666667) - 1.0).abs() < 1e-12);
}

#[test]
fn spatial_stress_matches_the_reference() {
    let expected = Mat3::new(
        0.22550293378038563,
        0.002287510477787093,
        0.05977395920648226,
        0.0062295333892148684,
        0.11016093880972339,
        0.06584674490081026,
        0.05683528918692374,
        0.06552500698519136,
        0.041238195026543724,
    );
    assert_close(&stress(&law(ViscousModel::Spatial), &F, &FDOT).0, &expected);
}

#[test]
fn nodal_forces_match_the_reference() {
    // unit corner tetrahedron: f_p = −V P g_p with V = 1/6, g_0 = −(1, 1, 1), g_1 = e_x
    let (p, _) = stress(&law(ViscousModel::Material), &F, &FDOT);
    let f0 = Vec3::new(0.06816666666666668, 0.039713888888888896, 0.03264722222222222);
    let f1 = Vec3::new(-0.0438638888888889, -0.009368055555555555, -0.013983333333333334);
    assert!((p * Vec3::new(1.0, 1.0, 1.0) / 6.0 - f0).norm() < 1e-13);
    assert!((-p * Vec3::x() / 6.0 - f1).norm() < 1e-13);
}

#[test]
fn small_strain_loses_what_a_newtonian_fluid_loses() {
    let rate = (FDOT + FDOT.transpose()) / 2.0;
    let deviator = rate - Mat3::identity() * (rate.trace() / 3.0);
    let newton = 0.7 * rate.trace().powi(2) + 2.0 * 0.2 * deviator.norm_squared();
    for model in MODELS {
        assert!((stress(&law(model), &Mat3::identity(), &FDOT).1 / newton - 1.0).abs() < 1e-14);
    }
}

#[test]
fn damping_fades_with_the_fourth_power_of_a_uniform_scale_as_printed() {
    let scale = 0.5;
    let f = Mat3::from_diagonal_element(scale);
    let fdot = FDOT * scale;
    let printed = stress(&law(ViscousModel::MaterialCurrentVolume), &f, &fdot).1;
    let spatial = stress(&law(ViscousModel::Spatial), &f, &fdot).1;
    assert!((printed / spatial - scale.powi(4)).abs() < 1e-13);
}

#[test]
fn coefficients_of_the_report_convert() {
    assert_eq!(Viscosity::from_ls_17(3.0, 5.0), Viscosity::new(6.0, 5.0));
    assert_eq!(Viscosity::from_ls_23(3.0, 5.0), Viscosity::new(6.0, 10.0));
    // (17) as printed: ω = η₁ d₂'²/2 + η₂ (d₂'² − 3 d₁')/3 of D' is what the converted law loses
    let rate = FDOT.transpose() * F + F.transpose() * FDOT;
    let d2 = rate.trace();
    let d1 = (d2 * d2 - (rate * rate).trace()) / 2.0;
    let converted = ViscousLaw::new(Viscosity::from_ls_17(3.0, 5.0).unwrap(), ViscousModel::Material);
    let printed = 3.0 / 2.0 * d2 * d2 + 5.0 / 3.0 * (d2 * d2 - 3.0 * d1);
    assert!((stress(&converted, &F, &FDOT).1 / printed - 1.0).abs() < 1e-12);
}

#[test]
fn impossible_viscosities_are_refused_with_the_number() {
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(Viscosity::new(bad, 1.0).is_err() && Viscosity::new(1.0, bad).is_err());
    }
    assert!(Viscosity::new(0.0, 0.0).is_ok());
    let message = Viscosity::new(1.0, -2.0).unwrap_err().to_string();
    assert!(message.contains("shear viscosity is -2 Pa s"), "{message}");
}

/// How many eigenvalues are zero; panics if one is below.
fn zero_modes(map: &Mat9) -> usize {
    let values = map.symmetric_eigenvalues();
    assert!(values.min() > -1e-13 * values.max(), "{values}");
    values.iter().filter(|x| x.abs() < 1e-12 * values.max()).count()
}

proptest! {
    #[test]
    fn rigid_motion_loses_nothing(f in deformations(), spin in proptest::array::uniform3(-2.0..2.0)) {
        let fdot = Vec3::from(spin).cross_matrix() * f;
        for model in MODELS {
            let (p, power) = stress(&law(model), &f, &fdot);
            let scale = fdot.norm() * f.norm_squared() / f.determinant();
            prop_assert!(p.norm() < 1e-12 * scale.max(1e-3), "{} {p}", scale);
            prop_assert!(power.abs() < 1e-12 * scale.max(1e-3));
        }
    }

    #[test]
    fn forces_take_exactly_the_power_that_is_lost(f in deformations(), v in proptest::array::uniform12(-1.0..1.0)) {
        // a skew tetrahedron with rest gradients g, at positions F X, moving with velocities v
        let rest = Mat3::new(1.0, 0.3, 0.2, 0.2, 0.9, 0.1, 0.1, -0.1, 1.1);
        let inverse = rest.try_inverse().unwrap();
        let v: Vec<Vec3> = v.chunks(3).map(Vec3::from_column_slice).collect();
        let fdot = Mat3::from_columns(&[v[1] - v[0], v[2] - v[0], v[3] - v[0]]) * inverse;
        for model in MODELS {
            let (p, power) = stress(&law(model), &f, &fdot);
            prop_assert!(power >= 0.0);
            let pull = -p * inverse.transpose();
            let force = [-pull.column_sum(), pull.column(0).into(), pull.column(1).into(), pull.column(2).into()];
            let work: f64 = force.iter().zip(&v).map(|(f, v)| f.dot(v)).sum();
            prop_assert!((work + power).abs() < 1e-12 * (p.norm() * fdot.norm()));
            let x = f * rest;
            let torque: Vec3 = (0..3).map(|k| x.column(k).cross(&force[k + 1])).sum();
            prop_assert!(torque.norm() < 1e-12 * (x.norm() * pull.norm()));
        }
    }

    #[test]
    fn rate_tangent_gives_the_stress_and_only_spins_are_free(f in deformations(), fdot in matrices()) {
        for model in MODELS {
            let map = law(model).rate_tangent(&f);
            let (p, _) = stress(&law(model), &f, &fdot);
            prop_assert!((apply(&map, &fdot) - p).norm() < 1e-12 * (p.norm() + 1e-3));
            prop_assert!((map - map.transpose()).norm() < 1e-13 * map.norm());
            prop_assert_eq!(zero_modes(&map), 3);
        }
    }

    #[test]
    fn position_tangent_is_the_gradient_of_the_stress(f in deformations(), fdot in matrices()) {
        for model in MODELS {
            let map = law(model).position_tangent(&f, &fdot);
            for place in 0..9 {
                let mut y = Mat3::zeros();
                y[place] = 1e-5;
                let change = (stress(&law(model), &(f + y), &fdot).0 - stress(&law(model), &(f - y), &fdot).0) / 2e-5;
                y[place] = 1.0;
                prop_assert!((change - apply(&map, &y)).norm() < 1e-6 * map.norm());
            }
        }
    }
}

#[test]
fn damping_matrix_of_an_element_leaves_the_six_rigid_motions_alone() {
    let gradients = [Vec3::new(-1.0, -1.0, -1.0), Vec3::x(), Vec3::y(), Vec3::z()];
    let matrix = element_stiffness(&law(ViscousModel::Material).rate_tangent(&F), &gradients, 1.0 / 6.0);
    let values = matrix.symmetric_eigenvalues();
    assert_eq!(values.iter().filter(|x| x.abs() < 1e-13 * values.max()).count(), 6);
}

#[test]
fn rotations_turn_the_stress_with_them() {
    let turn = Rotation3::from_euler_angles(0.4, -1.0, 2.0).into_inner();
    for model in MODELS {
        let (p, power) = stress(&law(model), &F, &FDOT);
        let (turned, same) = stress(&law(model), &(turn * F), &(turn * FDOT));
        assert_close(&turned, &(turn * p));
        assert!((same / power - 1.0).abs() < 1e-13);
    }
}

#[test]
fn packs_have_the_damping_of_single_elements_in_every_model() {
    let rows = Mat3::new(1.0, 0.2, -0.1, -0.3, 1.1, 0.2, 0.1, 0.0, 0.9);
    let gradients = [0, 1, 2].map(|k| rows.row(k).transpose());
    for model in MODELS {
        let corners = [Vec3::zeros(), gradients[0], gradients[1], gradients[2]];
        let expected = element_stiffness(&law(model).rate_tangent(&F), &corners, 0.25);
        let blocks = law(model).pair_blocks(&Mat3x8::splat(&F), &Mat3x8::splat(&rows).0, splat(0.25));
        for (block, [a, b]) in blocks.iter().zip(PAIRS) {
            assert_close(&block.lane(3), &expected.fixed_view::<3, 3>(3 * a + 3, 3 * b + 3).into());
        }
    }
}
