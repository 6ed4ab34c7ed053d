//! What every elastic law must pass.

use super::hessian::{Principal, RotationSvd, apply, hessian};
use super::{Corotated, Law, LiesenfeldStolfi, LsStable, Moduli, NeoHookean, StVenant, Walled};
use crate::lanes::Mat3x8;
use crate::{Mat3, Vec3};
use nalgebra::{Rotation3, SMatrix};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

const BULK: f64 = 2.3;
const SHEAR: f64 = 0.7;
const LANE: usize = 3;

/// (bulk, shear) energy of one element.
pub fn parts<L: Law>(law: &L, f: &Mat3) -> (f64, f64) {
    let (bulk, shear) = law.energy(&Mat3x8::splat(f));
    (bulk.to_array()[LANE], shear.to_array()[LANE])
}

/// ψ of one element.
pub fn energy<L: Law>(law: &L, f: &Mat3) -> f64 {
    let (bulk, shear) = parts(law, f);
    bulk + shear
}

/// P of one element.
pub fn piola<L: Law>(law: &L, f: &Mat3) -> Mat3 {
    law.piola(&Mat3x8::splat(f)).0.lane(LANE)
}

fn turn(angles: [f64; 3]) -> Mat3 {
    Rotation3::from_euler_angles(angles[0], angles[1], angles[2]).into_inner()
}

/// Random F with J > 0.2, turned by random rotations.
fn deformations() -> impl Strategy<Value = Mat3> {
    let angles = proptest::array::uniform3(-3.0..3.0);
    (proptest::array::uniform9(-0.6..0.6), angles)
        .prop_map(|(a, angles): ([f64; 9], [f64; 3])| {
            turn(angles) * (Mat3::identity() + Mat3::from_row_slice(&a))
        })
        .prop_filter("J > 0.2", |f| f.determinant() > 0.2)
}

/// The same pressed flat: J from 0.01 to 0.3, across the beginning of a wall against flatness.
fn crushed() -> impl Strategy<Value = Mat3> {
    (deformations(), proptest::array::uniform3(-3.0..3.0), 0.01..0.3).prop_map(
        |(f, angles, j): (Mat3, _, f64)| {
            let press = Vec3::new(1.0, 1.0, j / f.determinant());
            f * turn(angles) * Mat3::from_diagonal(&press)
        },
    )
}

fn for_random<S: Strategy>(strategy: S, claim: impl Fn(S::Value)) {
    let config = Config { cases: 200, failure_persistence: None, ..Config::default() };
    let check = |value| {
        claim(value);
        Ok(())
    };
    if let Err(error) = TestRunner::new(config).run(&strategy, check) {
        panic!("{error}");
    }
}

fn unit(place: usize) -> Mat3 {
    let mut unit = Mat3::zeros();
    unit[place] = 1.0;
    unit
}

/// The step of a central difference: small against the smallest stretch.
fn step(f: &Mat3) -> f64 {
    1e-5 * RotationSvd::new(f).stretches[2]
}

fn rest_is_free_of_energy_and_stress<L: Law>(law: L) {
    for_random(proptest::array::uniform3(-3.0..3.0), |angles| {
        let f = turn(angles);
        let (bulk, shear) = parts(&law, &f);
        assert!(bulk.abs() < 1e-28 && shear.abs() < 1e-28, "{bulk:e} {shear:e}");
        assert!(piola(&law, &f).norm() < 2e-14);
    });
    assert_eq!(energy(&law, &Mat3::identity()), 0.0);
}

fn stress_is_the_gradient_of_the_energy<L: Law>(law: L) {
    for_random(prop_oneof![deformations(), crushed()], |f| {
        let h = step(&f);
        let p = piola(&law, &f);
        for place in 0..9 {
            let x = unit(place) * h;
            let slope = (energy(&law, &(f + x)) - energy(&law, &(f - x))) / (2.0 * h);
            assert!((slope - p[place]).abs() < 1e-6 * (p.norm() + SHEAR), "{slope} {p}");
        }
    });
}

fn hessian_is_the_gradient_of_the_stress<L: Law>(law: L) {
    for_random(prop_oneof![deformations(), crushed()], |f| {
        let h = step(&f);
        let map = hessian(&law, &f, false);
        for place in 0..9 {
            let x = unit(place);
            let slope = (piola(&law, &(f + x * h)) - piola(&law, &(f - x * h))) / (2.0 * h);
            assert!((slope - apply(&map, &x)).norm() < 1e-6 * map.norm(), "{slope}");
        }
        assert!((map - map.transpose()).norm() < 1e-13 * map.norm());
    });
}

/// The principal form gives the eigenvalues of the 9×9 matrix, and clamping them one by one is the same
/// as clamping those of the whole.
fn eigensystem_is_exact<L: Law>(law: L) {
    for_random(deformations(), |f| {
        let map = hessian(&law, &f, false);
        let eigen = map.symmetric_eigen();
        let clamped = eigen.eigenvalues.map(|x| x.max(0.0));
        let nearest = eigen.eigenvectors
            * SMatrix::<f64, 9, 9>::from_diagonal(&clamped)
            * eigen.eigenvectors.transpose();
        assert!((hessian(&law, &f, true) - nearest).norm() < 1e-10 * map.norm());
        let principal = Principal::new(&law, &RotationSvd::new(&f).stretches);
        let mut values: Vec<f64> = principal.scaling.symmetric_eigen().eigenvalues.iter().copied().collect();
        values.extend(principal.flip.iter().chain(&principal.twist));
        values.sort_by(f64::total_cmp);
        let mut expected: Vec<f64> = eigen.eigenvalues.iter().copied().collect();
        expected.sort_by(f64::total_cmp);
        for (a, b) in values.iter().zip(expected) {
            assert!((a - b).abs() < 1e-10 * map.norm(), "{a} {b}");
        }
    });
}

fn rotations_change_nothing<L: Law>(law: L) {
    let angles = || proptest::array::uniform3(-3.0..3.0);
    for_random((deformations(), angles(), angles()), |(f, a, b)| {
        let (left, right) = (turn(a), turn(b));
        let (psi, p) = (energy(&law, &f), piola(&law, &f));
        let turned = left * f * right;
        assert!((energy(&law, &turned) - psi).abs() < 1e-12 * (psi + SHEAR));
        assert!((piola(&law, &turned) - left * p * right).norm() < 1e-11 * (p.norm() + SHEAR));
        // no torque: the Cauchy stress P Fᵀ/J is symmetric
        let cauchy = p * f.transpose();
        assert!((cauchy - cauchy.transpose()).norm() < 1e-12 * (cauchy.norm() + SHEAR));
    });
}

fn small_strain_has_the_moduli_it_was_given<L: Law>(law: L) {
    let moduli = Moduli::new(BULK, SHEAR).unwrap();
    let e = 1e-5;
    let lateral = 1.0 - moduli.poisson() * e;
    let pull = piola(&law, &Mat3::from_diagonal(&Vec3::new(1.0 + e, lateral, lateral)));
    let stress = moduli.young() * e;
    assert!((pull[(0, 0)] / stress - 1.0).abs() < 1e-4 && (pull[(1, 1)] / stress).abs() < 1e-4, "{pull}");
    let confined = piola(&law, &Mat3::from_diagonal(&Vec3::new(1.0 + e, 1.0, 1.0)));
    assert!((confined[(0, 0)] / (moduli.p_wave() * e) - 1.0).abs() < 1e-4);
}

fn small_strain_energy_splits_into_bulk_and_shear<L: Law>(law: L) {
    let g = Mat3::new(0.3, -0.2, 0.1, 0.4, 0.1, -0.3, 0.2, 0.5, -0.1) * 1e-5;
    let strain = (g + g.transpose()) / 2.0;
    let deviator = strain - Mat3::identity() * (strain.trace() / 3.0);
    for f in [Mat3::identity() + g, turn([0.3, 1.0, -2.0]) * (Mat3::identity() + g)] {
        let (bulk, shear) = parts(&law, &f);
        assert!((bulk / (BULK / 2.0 * strain.trace().powi(2)) - 1.0).abs() < 1e-4, "{bulk:e}");
        assert!((shear / (SHEAR * deviator.norm_squared()) - 1.0).abs() < 1e-4, "{shear:e}");
    }
}

/// The pack holds eight different elements, and J comes with the stress.
fn lanes_do_not_mix<L: Law>(law: L) {
    let fs: [Mat3; 8] = std::array::from_fn(|k| {
        let x = 0.1 * k as f64;
        turn([x, -x, 3.0 * x]) * Mat3::new(1.0 + x, 0.1, 0.0, 0.2, 1.0 - x / 2.0, 0.1, x, 0.0, 1.0)
    });
    let pack = Mat3x8::from_fn(|i, j| fs.map(|f| f[(i, j)]).into());
    let (p, j) = law.piola(&pack);
    for (lane, f) in fs.iter().enumerate() {
        assert_eq!(p.lane(lane), piola(&law, f));
        assert!((j.to_array()[lane] - f.determinant()).abs() < 1e-15);
    }
}

fn mirror_images_are_infinitely_far_or_plainly_a_state<L: Law>(law: L) {
    for last in [-1.0, -0.3, 0.0] {
        let psi = energy(&law, &Mat3::from_diagonal(&Vec3::new(1.0, 1.0, last)));
        assert_eq!(psi.is_finite(), L::INVERTIBLE, "{psi}");
        assert!(psi > SHEAR / 3.0, "{psi}");
    }
}

macro_rules! battery {
    ($module:ident, $law:ident: $($claim:ident),+ $(,)?) => {
        mod $module {
            $(#[test] fn $claim() { super::$claim(super::$law::new(super::BULK, super::SHEAR)); })+
        }
    };
    ($($module:ident: $law:ident),+ $(,)?) => {
        $(battery!($module, $law:
            rest_is_free_of_energy_and_stress, stress_is_the_gradient_of_the_energy,
            hessian_is_the_gradient_of_the_stress, eigensystem_is_exact, rotations_change_nothing,
            small_strain_has_the_moduli_it_was_given, small_strain_energy_splits_into_bulk_and_shear,
            lanes_do_not_mix, mirror_images_are_infinitely_far_or_plainly_a_state,
        );)+
    };
}

battery! {
    ls: LiesenfeldStolfi, ls_stable: LsStable, neo_hookean: NeoHookean, corotated: Corotated, st_venant: StVenant,
    neo_hookean_with_a_wall: WalledNeoHookean, corotated_with_a_wall: WalledCorotated,
    st_venant_with_a_wall: WalledStVenant,
}

/// The names of laws that scenes use where elements stay upright.
macro_rules! walled {
    ($($name:ident: $law:ident),+ $(,)?) => {
        $(struct $name;
        #[allow(clippy::new_ret_no_self)] // it stands in for the constructor of a law
        impl $name {
            fn new(bulk: f64, shear: f64) -> Walled<$law> {
                Walled::new($law::new(bulk, shear), bulk)
            }
        })+
    };
}

walled! { WalledNeoHookean: NeoHookean, WalledCorotated: Corotated, WalledStVenant: StVenant }

/// Inversion is a state of this law only, so its derivatives must hold there too.
#[test]
fn stable_neo_hookean_is_smooth_through_inversion() {
    let law = NeoHookean::new(BULK, SHEAR);
    let turned = turn([0.4, -1.0, 2.0]);
    for last in [0.3, 1e-3, 0.0, -0.4, -1.2] {
        let f = turned * Mat3::from_diagonal(&Vec3::new(1.3, 0.8, last)) * turn([1.0, 0.2, 0.3]);
        let map = hessian(&law, &f, false);
        for place in 0..9 {
            let x = unit(place) * 1e-5;
            let slope = (energy(&law, &(f + x)) - energy(&law, &(f - x))) / 2e-5;
            assert!((slope - piola(&law, &f)[place]).abs() < 1e-9);
            let change = (piola(&law, &(f + x)) - piola(&law, &(f - x))) / 2e-5;
            assert!((change - apply(&map, &unit(place))).norm() < 1e-9);
        }
    }
}
