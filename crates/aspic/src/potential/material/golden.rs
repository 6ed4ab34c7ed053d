//! Closed forms and reference numbers of the single laws.

use super::battery::{energy, parts, piola};
use super::hessian::{element_stiffness, hessian};
use super::{Corotated, Law, LiesenfeldStolfi, LsStable, Moduli, NeoHookean, StVenant, Walled};
use crate::{Mat3, Vec3};
use nalgebra::Matrix2;

const F: Mat3 = Mat3::new(1.1, 0.2, -0.1, 0.05, 0.9, 0.15, 0.0, -0.1, 1.2);
const LS: LiesenfeldStolfi = LiesenfeldStolfi { bulk: 2.0, shear: 0.5 };

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12 * expected.abs(), "found {found}, expected {expected}");
}

#[test]
fn ls_energy_and_stress_match_the_reference() {
    close(energy(&LS, &F), 0.07627142137544345);
    let p = piola(&LS, &F);
    let expected = Mat3::new(
        0.4001136760710584,
        0.09457139674496487,
        -0.07302182804903071,
        0.03849590974458747,
        0.2852626049441067,
        0.052313550412008886,
        -0.036226126823263025,
        -0.04149215366704406,
        0.489361630943352,
    );
    assert!((p - expected).norm() < 1e-12 * expected.norm(), "{p}");
}

#[test]
fn ls_hessian_eigenvalues_match_the_reference() {
    let mut found: Vec<f64> = hessian(&LS, &F, false).symmetric_eigenvalues().iter().copied().collect();
    found.sort_by(f64::total_cmp);
    let expected = [
        0.33253004254257545,
        0.37384079464129283,
        0.3902590712093368,
        0.4500130442406332,
        0.5055639579935752,
        0.6851182312145786,
        1.2576879023986418,
        1.280191979483286,
        6.657826716234596,
    ];
    for (found, expected) in found.into_iter().zip(expected) {
        close(found, expected);
    }
}

/// (rest volume, F, gradients) of a tetrahedron: edges are columns, F = Ds Dm⁻¹.
fn kinematics(rest: &[Vec3; 4], moved: &[Vec3; 4]) -> (f64, Mat3, [Vec3; 4]) {
    let edges = |x: &[Vec3; 4]| Mat3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]]);
    let inverse = edges(rest).try_inverse().unwrap();
    let [g1, g2, g3] = [0, 1, 2].map(|k| inverse.row(k).transpose());
    (edges(rest).determinant() / 6.0, edges(moved) * inverse, [-(g1 + g2 + g3), g1, g2, g3])
}

const SKEW: [Vec3; 4] =
    [Vec3::new(0.0, 0.0, 0.0), Vec3::new(1.0, 0.2, 0.1), Vec3::new(0.3, 0.9, -0.1), Vec3::new(0.2, 0.1, 1.1)];

#[test]
fn ls_skew_tetrahedron_has_the_reference_energy_and_forces() {
    let moved = SKEW.map(|x| F * x + Vec3::new(1.0, 2.0, 3.0));
    let (volume, f, gradients) = kinematics(&SKEW, &moved);
    close(volume, 0.1525);
    close(volume * energy(&LS, &f), 0.011631391759755184);
    let p = piola(&LS, &f);
    let expected = [
        Vec3::new(0.051234158209683404, 0.05074343260630291, 0.04133013485013924),
        Vec3::new(-0.06299449356961263, 0.011532172424608588, 0.015851352946883408),
        Vec3::new(-0.0037490910320969206, -0.04947677654475868, 0.01109428953068726),
        Vec3::new(0.01550942639202615, -0.01279882848615282, -0.06827577732770991),
    ];
    for (g, expected) in gradients.iter().zip(expected) {
        assert!((-volume * p * g - expected).norm() < 1e-12 * expected.norm());
    }
}

#[test]
fn ls_corner_tetrahedron_has_the_reference_forces() {
    let corner = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    let (volume, f, gradients) = kinematics(&corner, &corner.map(|x| F * x));
    let p = piola(&LS, &f);
    let f0 = Vec3::new(0.07027720746116542, 0.06267867751678384, 0.06860722507550748);
    let f1 = Vec3::new(-0.06668561267850973, -0.006415984957431245, 0.0060376878038771705);
    for (g, expected) in [(gradients[0], f0), (gradients[1], f1)] {
        assert!((-volume * p * g - expected).norm() < 1e-12);
    }
}

#[test]
fn skew_tetrahedron_is_at_rest_however_it_is_turned() {
    let turn = nalgebra::Rotation3::from_euler_angles(0.4, -1.9, 2.6).into_inner();
    let (volume, f, gradients) = kinematics(&SKEW, &SKEW.map(|x| turn * x + Vec3::new(5.0, -3.0, 1.0)));
    let law = LsStable::new(2.0, 0.5);
    assert!(energy(&law, &f).abs() < 1e-10 && energy(&LS, &f).abs() < 1e-10);
    for g in gradients {
        assert!(
            (volume * piola(&law, &f) * g).norm() < 1e-10 && (volume * piola(&LS, &f) * g).norm() < 1e-10
        );
    }
}

#[test]
fn element_stiffness_ignores_translations() {
    let (volume, f, gradients) = kinematics(&SKEW, &SKEW.map(|x| F * x));
    let stiffness = element_stiffness(&hessian(&LS, &f, false), &gradients, volume);
    assert!((stiffness - stiffness.transpose()).norm() < 1e-13 * stiffness.norm());
    for axis in 0..3 {
        let shift = nalgebra::SVector::<f64, 12>::from_fn(|place, _| f64::from(place % 3 == axis));
        assert!((stiffness * shift).norm() < 1e-13 * stiffness.norm());
    }
}

/// Cauchy pressure −tr(P Fᵀ)/(3J) of a uniform scaling to volume ratio J.
fn pressure<L: Law>(law: &L, volume_ratio: f64) -> f64 {
    let f = Mat3::from_diagonal_element(volume_ratio.cbrt());
    let cauchy = piola(law, &f) * f.transpose() / volume_ratio;
    assert!((cauchy - Mat3::from_diagonal_element(cauchy.trace() / 3.0)).norm() < 1e-12 * cauchy.norm());
    -cauchy.trace() / 3.0
}

#[test]
fn pressure_follows_the_volume() {
    for j in [0.05_f64, 0.3, 0.8, 1.3, 3.0] {
        let barrier = -2.0 / 8.0 * (j.powi(3) - j.powi(-5));
        close(pressure(&LS, j), barrier);
        close(pressure(&LsStable::new(2.0, 0.5), j), barrier);
        let s = j.cbrt();
        // ψ(s)/3s² with ψ = K/2 (J−1)² + G/2·3(s²−1) − G (J−1) + G/6 (J−1)²
        let neo_hookean = -(2.0 + 0.5 / 3.0) * (j - 1.0) + 0.5 - 0.5 / s;
        close(pressure(&NeoHookean::new(2.0, 0.5), j), neo_hookean);
        // K tr(S − I)/s² and K tr E/s
        let (corotated, st_venant) = (-2.0 * 3.0 * (s - 1.0) / (s * s), -2.0 * 1.5 * (s * s - 1.0) / s);
        close(pressure(&Corotated::new(2.0, 0.5), j), corotated);
        close(pressure(&StVenant::new(2.0, 0.5), j), st_venant);
        // K (1/x² − 3 + 2x) of the wall below x = J/0.1 = 1
        let x = (j / 0.1).min(1.0);
        let wall = 2.0 * (1.0 / (x * x) - 3.0 + 2.0 * x);
        close(pressure(&Walled::new(NeoHookean::new(2.0, 0.5), 2.0), j), wall + neo_hookean);
        close(pressure(&Walled::new(Corotated::new(2.0, 0.5), 2.0), j), wall + corotated);
        close(pressure(&Walled::new(StVenant::new(2.0, 0.5), 2.0), j), wall + st_venant);
    }
}

#[test]
fn simple_shear_stress_has_its_closed_form() {
    for shear in [0.1, 0.5, 1.5] {
        let f = Mat3::new(1.0, shear, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        let p12 = |p: Mat3| p[(0, 1)];
        close(p12(piola(&LS, &f)), 0.5 * (shear + 2.0 / 3.0 * shear.powi(3)));
        close(energy(&LS, &f), 0.5 * (shear.powi(2) / 2.0 + shear.powi(4) / 6.0));
        close(p12(piola(&LsStable::new(2.0, 0.5), &f)), 0.5 * shear);
        close(energy(&LsStable::new(2.0, 0.5), &f), 0.25 * shear * shear);
        close(p12(piola(&NeoHookean::new(2.0, 0.5), &f)), 0.5 * shear);
        // E = [[0, γ/2], [γ/2, γ²/2]]: P₁₂ = 2G E₁₂ + γ (λ γ²/2 + 2G γ²/2)
        let lambda = 2.0 - 1.0 / 3.0;
        let st_venant = 0.5 * shear + shear.powi(3) * (lambda / 2.0 + 0.5);
        close(p12(piola(&StVenant::new(2.0, 0.5), &f)), st_venant);
        // S has trace 1 + √(4 + γ²); R turns back by the angle atan(γ/2)
        let trace = (4.0 + shear * shear).sqrt() - 2.0;
        let sine = shear / (4.0 + shear * shear).sqrt();
        let corotated = 2.0 * 0.5 * (shear - sine) + lambda * trace * sine;
        close(p12(piola(&Corotated::new(2.0, 0.5), &f)), corotated);
    }
}

#[test]
fn ls_shear_pushes_the_sheared_faces_apart() {
    let p = piola(&LS, &Mat3::new(1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0));
    close(p[(0, 0)], 0.5 / 6.0);
    close(p[(1, 1)], 0.5 / 6.0);
    close(p[(2, 2)], -0.5 / 12.0);
}

#[test]
fn uniform_scaling_has_no_shear_energy() {
    for scale in [0.3, 0.9, 1.7] {
        let f = Mat3::from_diagonal_element(scale);
        assert!(parts(&LS, &f).1 < 1e-30 && parts(&LsStable::new(2.0, 0.5), &f).1.abs() < 1e-29);
    }
}

#[test]
fn ls_stable_shear_energy_equals_its_plain_formula() {
    let f = F * Mat3::new(2.1, 0.3, 0.0, -0.4, 0.7, 0.2, 0.1, 0.0, 1.5);
    let plain = 0.25 * (f.norm_squared() / f.determinant().cbrt().powi(2) - 3.0);
    close(parts(&LsStable::new(2.0, 0.5), &f).1, plain);
}

#[test]
fn small_energies_keep_their_digits() {
    // simple shear by 1e-6: energy 5e-13 G, where G/2 (d₂ − 3) would have lost all but four digits
    let f = Mat3::new(1.0, 1e-6, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    let f = nalgebra::Rotation3::from_euler_angles(0.0, 0.0, 0.7).into_inner() * f;
    for shear in [parts(&LsStable::new(2.0, 0.5), &f).1, parts(&NeoHookean::new(2.0, 0.5), &f).1] {
        assert!((shear / 2.5e-13 - 1.0).abs() < 1e-9, "{shear:e}");
    }
}

/// Lateral stretches of one element held at stretch 2 along x, its lateral faces free: the nearest
/// minimum of ψ from two slightly different stretches, by projected Newton steps.
fn lateral_stretches<L: Law>(law: &L) -> (f64, f64) {
    let f = |y: f64, z: f64| Mat3::from_diagonal(&Vec3::new(2.0, y, z));
    let (mut y, mut z) = (0.72 + 1e-3, 0.72 - 1e-3);
    for _ in 0..500 {
        let p = piola(law, &f(y, z));
        let map = hessian(law, &f(y, z), true);
        let block = Matrix2::new(map[(4, 4)], map[(4, 8)], map[(8, 4)], map[(8, 8)]);
        let step = (block + Matrix2::identity() * 1e-2).try_inverse().unwrap()
            * nalgebra::Vector2::new(p[(1, 1)], p[(2, 2)]);
        let mut share = (0.2 / step.amax()).min(1.0);
        while energy(law, &f(y - share * step.x, z - share * step.y)) > energy(law, &f(y, z)) && share > 1e-9
        {
            share /= 2.0;
        }
        (y, z) = (y - share * step.x, z - share * step.y);
    }
    assert!(piola(law, &f(y, z)).fixed_view::<2, 2>(1, 1).norm() < 1e-8, "still pulling at {y}, {z}");
    (y.min(z), y.max(z))
}

#[test]
fn a_bar_pulled_to_twice_its_length_is_a_ribbon_for_ls_and_round_for_ls_stable() {
    let rubber = Moduli::from_young_poisson(1.0, 0.45).unwrap();
    let (thin, wide) = lateral_stretches(&LiesenfeldStolfi::new(rubber.bulk, rubber.shear));
    assert!((thin / 0.377 - 1.0).abs() < 0.01 && (wide / 1.363 - 1.0).abs() < 0.01, "{thin} {wide}");
    let (thin, wide) = lateral_stretches(&LsStable::new(rubber.bulk, rubber.shear));
    assert!((wide - thin).abs() < 1e-6, "{thin} {wide}");
}
