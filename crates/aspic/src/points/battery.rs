//! What every kept quantity must do: forces are gradients, momenta stay, curvatures are symmetric and positive.

use nalgebra::{DMatrix, Rotation3};

use super::*;
use crate::lanes::{LANES, splat};
use crate::{Mat3, Vec3};

/// A repeatable sequence of numbers between −1 and 1.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn points<const N: usize>(&mut self) -> [Vec3; N] {
        std::array::from_fn(|_| Vec3::new(self.next(), self.next(), self.next()))
    }
}

fn packed<const N: usize>(x: &[Vec3; N]) -> [Vec3x8; N] {
    x.map(|x| [splat(x.x), splat(x.y), splat(x.z)])
}

fn energy<const N: usize>(law: &impl Keeper<N>, x: &[Vec3; N], rest: f64) -> f64 {
    law.energy(&packed(x), splat(rest)).to_array()[LANES - 1]
}

fn force<const N: usize>(law: &impl Keeper<N>, x: &[Vec3; N], rest: f64) -> [Vec3; N] {
    law.force(&packed(x), splat(rest)).map(|f| Vec3::from(f.map(|x| x.to_array()[3])))
}

fn curvature<const N: usize>(law: &impl Keeper<N>, x: &[Vec3; N], rest: f64) -> DMatrix<f64> {
    let blocks = law.curvature(&packed(x), splat(rest));
    DMatrix::from_fn(3 * N, 3 * N, |r, c| blocks[r / 3][c / 3].lane(5)[(r % 3, c % 3)])
}

fn moved<const N: usize>(x: &[Vec3; N], k: usize, by: f64) -> [Vec3; N] {
    let mut x = *x;
    x[k / 3][k % 3] += by;
    x
}

/// The true Hessian, by differences of the force.
fn true_curvature<const N: usize>(law: &impl Keeper<N>, x: &[Vec3; N], rest: f64) -> DMatrix<f64> {
    let h = 1e-6;
    let columns: Vec<_> =
        (0..3 * N).map(|k| [force(law, &moved(x, k, -h), rest), force(law, &moved(x, k, h), rest)]).collect();
    DMatrix::from_fn(3 * N, 3 * N, |r, c| {
        let [low, high] = &columns[c];
        (low[r / 3][r % 3] - high[r / 3][r % 3]) / (2.0 * h)
    })
}

/// Everything that holds for any law at any points.
fn check<const N: usize>(law: &impl Keeper<N>, rest: f64) {
    let mut noise = Noise(N as u64 + 7);
    for _ in 0..50 {
        let x = noise.points::<N>();
        let forces = force(law, &x, rest);
        let size = forces.iter().map(Vec3::norm).fold(1e-3, f64::max);
        for k in 0..3 * N {
            let h = 1e-6;
            let slope =
                (energy(law, &moved(&x, k, h), rest) - energy(law, &moved(&x, k, -h), rest)) / (2.0 * h);
            assert!((slope + forces[k / 3][k % 3]).abs() < 2e-6 * size.max(1.0), "{slope} {forces:?}");
        }
        let sum: Vec3 = forces.iter().sum();
        let torque = x.iter().zip(&forces).fold(Vec3::zeros(), |sum, (x, f)| sum + x.cross(f));
        assert!(sum.norm() < 1e-12 * size && torque.norm() < 1e-12 * size, "{sum} {torque}");
        let turn = Rotation3::from_euler_angles(noise.next(), noise.next(), noise.next());
        let shift = Vec3::new(0.3, -0.2, 0.7);
        let turned = x.map(|x| turn * x + shift);
        assert!(
            (energy(law, &turned, rest) - energy(law, &x, rest)).abs()
                < 1e-12 * energy(law, &x, rest).max(1.0)
        );
        for (f, before) in force(law, &turned, rest).iter().zip(&forces) {
            assert!((f - turn * before).norm() < 1e-11 * size);
        }
        let matrix = curvature(law, &x, rest);
        assert!((&matrix - matrix.transpose()).amax() < 1e-12 * matrix.amax().max(1.0));
        let lowest = matrix.clone().symmetric_eigenvalues().min();
        assert!(lowest > -1e-11 * matrix.amax().max(1.0), "{lowest}");
    }
}

#[test]
fn forces_of_distances_are_gradients_and_keep_both_momenta() {
    check(&Distance::BOTH, 0.8);
    check(&Distance::TENSION, 1.1);
}

#[test]
fn forces_of_areas_are_gradients_and_keep_both_momenta() {
    check(&Area, 0.4);
    check(&Area, 0.0);
}

#[test]
fn forces_of_volumes_are_gradients_and_keep_both_momenta() {
    check(&Volume::KEPT, 0.2);
    // random corners are seldom as large as this at rest: most are at the wall or inside out
    check(&Volume::walled(true, 2.0), 0.7);
    check(&Volume::walled(false, 1.0), 0.3);
}

#[test]
fn a_wall_begins_smoothly_and_grows_without_bound() {
    let flat = |height: f64| [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z() * height];
    let law = Volume::walled(false, 1.0);
    let of = |height: f64| energy(&law, &flat(height), 1.0 / 6.0) * 36.0;
    assert_eq!([of(1.0), of(0.2), of(3.0)], [0.0; 3]);
    // third order in what is missing to a fifth of the volume: ε (1 − x)³/x with x = 0.95
    assert!((of(0.19) / (0.2 * 0.05f64.powi(3) / 0.95) - 1.0).abs() < 1e-9, "{}", of(0.19));
    assert!((of(1e-30) / 4e28 - 1.0).abs() < 1e-9, "{}", of(1e-30));
    // what is inside out is pushed back
    assert!(force(&law, &flat(-0.1), 1.0 / 6.0)[3].z > 0.0);
}

#[test]
fn forces_of_angles_are_gradients_and_keep_both_momenta() {
    // Angles of random hinges may be where the angle jumps by a turn; those would not have a gradient.
    let near_flat = |noise: &mut Noise| {
        let mut x = [Vec3::zeros(), Vec3::x(), Vec3::new(0.4, 0.8, 0.0), Vec3::new(0.6, -0.7, 0.0)];
        x.iter_mut().for_each(|x| *x += noise.points::<1>()[0] * 0.3);
        x
    };
    let mut noise = Noise(3);
    for _ in 0..50 {
        let x = near_flat(&mut noise);
        let forces = force(&Angle, &x, 0.2);
        for k in 0..12 {
            let h = 1e-6;
            let slope =
                (energy(&Angle, &moved(&x, k, h), 0.2) - energy(&Angle, &moved(&x, k, -h), 0.2)) / (2.0 * h);
            assert!((slope + forces[k / 3][k % 3]).abs() < 1e-6 * slope.abs().max(1.0));
        }
        let torque = x.iter().zip(&forces).fold(Vec3::zeros(), |sum, (x, f)| sum + x.cross(f));
        assert!(forces.iter().sum::<Vec3>().norm() < 1e-11 && torque.norm() < 1e-11);
        let matrix = curvature(&Angle, &x, 0.2);
        assert!(matrix.symmetric_eigenvalues().min() > -1e-9);
    }
}

#[test]
fn forces_of_bends_are_gradients_and_keep_both_momenta() {
    check(&Bend, 0.0);
}

#[test]
fn a_stretched_spring_has_the_jacobian_of_the_course() {
    let x = [Vec3::new(0.1, 0.2, -0.3), Vec3::new(0.9, -0.4, 0.5)];
    let (d, rest) = (x[1] - x[0], 0.6);
    let (n, l) = (d.normalize(), d.norm());
    let block = n * n.transpose() + (Mat3::identity() - n * n.transpose()) * (1.0 - rest / l);
    let matrix = curvature(&Distance::BOTH, &x, rest);
    for (r, c) in (0..6).flat_map(|r| (0..6).map(move |c| (r, c))) {
        let sign = if r / 3 == c / 3 { 1.0 } else { -1.0 };
        assert!((matrix[(r, c)] - sign * block[(r % 3, c % 3)]).abs() < 1e-14);
    }
    assert!((matrix - true_curvature(&Distance::BOTH, &x, rest)).amax() < 1e-8);
}

#[test]
fn at_rest_curvatures_are_the_true_second_derivatives() {
    let mut noise = Noise(11);
    for _ in 0..10 {
        let x = noise.points::<4>();
        let volume = (x[1] - x[0]).dot(&(x[2] - x[0]).cross(&(x[3] - x[0]))) / 6.0;
        assert!(
            (curvature(&Volume::KEPT, &x, volume) - true_curvature(&Volume::KEPT, &x, volume)).amax() < 1e-7
        );
        let y = noise.points::<3>();
        let area = 0.5 * (y[1] - y[0]).cross(&(y[2] - y[0])).norm();
        assert!((curvature(&Area, &y, area) - true_curvature(&Area, &y, area)).amax() < 1e-6);
    }
    let straight = [Vec3::zeros(), Vec3::new(0.5, 0.1, 0.0), Vec3::new(1.5, 0.3, 0.0)];
    assert!((curvature(&Bend, &straight, 0.0) - true_curvature(&Bend, &straight, 0.0)).amax() < 1e-7);
}

#[test]
fn area_and_volume_forces_are_those_of_the_course_with_the_factors_set_right() {
    let mut noise = Noise(5);
    let [x1, x2, x3, x4] = noise.points::<4>();
    let (e1, e2) = (x3 - x1, x3 - x2);
    let t = e1.cross(&e2);
    let s = (0.5 * t.norm() - 0.3) / (2.0 * t.norm());
    let expected = [s * e2.cross(&t), s * t.cross(&e1), s * t.cross(&(e2 - e1))];
    for (f, e) in force(&Area, &[x1, x2, x3], 0.3).iter().zip(&expected) {
        assert!((f - e).norm() < 1e-13);
    }
    let (e1, e2, e3) = (x2 - x1, x3 - x1, x4 - x1);
    let c = (e1.dot(&e2.cross(&e3)) / 6.0 - 0.05) / 6.0;
    let expected = [c * (e2 - e1).cross(&(e3 - e1)), c * e3.cross(&e2), c * e1.cross(&e3), c * e2.cross(&e1)];
    for (f, e) in force(&Volume::KEPT, &[x1, x2, x3, x4], 0.05).iter().zip(&expected) {
        assert!((f - e).norm() < 1e-13);
    }
}

#[test]
fn slack_threads_feel_nothing() {
    let x = [Vec3::zeros(), Vec3::new(0.3, 0.0, 0.0)];
    assert_eq!(energy(&Distance::TENSION, &x, 0.4), 0.0);
    assert_eq!(force(&Distance::TENSION, &x, 0.4), [Vec3::zeros(); 2]);
    assert_eq!(curvature(&Distance::TENSION, &x, 0.4).amax(), 0.0);
    assert!(force(&Distance::TENSION, &x, 0.2)[0].x > 0.0);
}

#[test]
fn points_on_the_same_place_feel_no_force_and_no_number_is_lost() {
    let force = force(&Distance::BOTH, &[Vec3::x(); 2], 0.5);
    assert_eq!(force, [Vec3::zeros(); 2]);
}

#[test]
fn the_angle_of_a_hinge_is_the_angle_that_it_was_folded_by() {
    for fold in [-1.2f64, -0.3, 0.0, 0.4, 2.5] {
        let tip = Vec3::new(0.5, -fold.cos(), fold.sin());
        let x = packed(&[Vec3::zeros(), Vec3::x(), Vec3::new(0.3, 1.0, 0.0), tip]);
        let angle = Angle.value(&x).to_array()[0];
        assert!((angle.abs() - fold.abs()).abs() < 1e-14, "{angle} {fold}");
    }
}

#[test]
fn creep_does_not_depend_on_the_step() {
    let law = Yield { strain: 0.1, creep: 3.0, max: 1.0, per_step: false };
    let whole = law.flow(0.5, 0.0, 0.4);
    let halves = law.flow(0.5, law.flow(0.5, 0.0, 0.2), 0.2);
    assert!((whole - halves).abs() < 1e-15 && whole > 0.2);
    // dεₚ/dt = c (εₑ − yield)
    assert!((whole - 0.4 * (1.0 - (-1.2f64).exp())).abs() < 1e-15);
}

#[test]
fn creep_has_the_sign_of_the_strain_and_stops_at_the_maximum() {
    let law = Yield { strain: 0.1, creep: 50.0, max: 0.2, per_step: false };
    assert_eq!(law.flow(0.05, 0.01, 1.0), 0.01);
    assert!(law.flow(-0.3, 0.0, 1.0) < -0.19);
    assert_eq!(law.flow(0.9, 0.0, 1.0), 0.2);
    let slide = Yield { per_step: true, creep: 0.5, ..law };
    assert!((slide.flow(0.3, 0.0, 1.0) - 0.15).abs() < 1e-15);
}

#[test]
fn growth_passes_straight_from_knot_to_knot() {
    let growth = Growth { knots: vec![(1.0, 1.0), (3.0, 0.5)] };
    assert_eq!([0.0, 1.0, 2.0, 3.0, 9.0].map(|t| growth.at(t)), [1.0, 1.0, 0.75, 0.5, 0.5]);
}

#[test]
fn a_limited_spring_keeps_both_momenta_and_stops_growing() {
    let limit = StrainLimit { stretch: 1.1, tolerance: 1e-3, sweeps: 10 };
    let mut noise = Noise(2);
    for _ in 0..50 {
        let ([mut x1, mut x2], [mut v1, mut v2]) = (noise.points::<2>(), noise.points::<2>());
        let (m1, m2) = (1.5 + noise.next(), 1.5 + noise.next());
        let rest = 0.5 * (x2 - x1).norm();
        let momenta = |x1: Vec3, x2: Vec3, v1: Vec3, v2: Vec3| {
            (v1 * m1 + v2 * m2, x1.cross(&v1) * m1 + x2.cross(&v2) * m2, x1 * m1 + x2 * m2)
        };
        let before = momenta(x1, x2, v1, v2);
        let excess = limit.pull_back([&mut x1, &mut x2], [&mut v1, &mut v2], [1.0 / m1, 1.0 / m2], rest);
        let after = momenta(x1, x2, v1, v2);
        assert!((excess - 0.9).abs() < 1e-12);
        assert!((before.0 - after.0).norm() < 1e-14 && (before.1 - after.1).norm() < 1e-14);
        assert!((before.2 - after.2).norm() < 1e-14);
        assert!(((x2 - x1).norm() / rest - 1.1).abs() < 1e-14);
        assert!((v2 - v1).dot(&(x2 - x1)) < 1e-14);
    }
}
