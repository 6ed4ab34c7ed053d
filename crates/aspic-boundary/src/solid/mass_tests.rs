use super::*;
use crate::solid::test_shapes::{brick, hollow_ball, icosphere, torus};

const DENSITY: f64 = 3.0;

fn quadratic(mass: &SurfaceMass, f: &[f64]) -> f64 {
    let column = Mat::from_fn(f.len(), 1, |i, _| f[i]);
    (column.transpose() * &mass.matrix * &column)[(0, 0)]
}

#[test]
fn mass_centre_and_inertia_are_exact_and_m_is_positive_on_any_shape() {
    let shapes = [
        ("sphere", icosphere(2)),
        ("brick", brick(Vec3::new(1.0, 2.0, 3.0), [3, 4, 5])),
        ("plate", brick(Vec3::new(1.0, 1.0, 0.1), [5, 5, 1])),
        ("torus", torus(16, 8, 1.0, 0.3)),
        ("hollow ball", hollow_ball(1, 0.5, 1.0)),
    ];
    for (name, body) in shapes {
        let mass = SurfaceMass::new(&body, DENSITY).unwrap();
        println!("{name}: asymmetry {:.2e}, {} eigenvalues raised", mass.asymmetry, mass.raised);
        assert!(mass.matrix.llt(Side::Lower).is_ok(), "{name}");
        let total = body.volume() * DENSITY;
        let p = mass.momentum(&vec![Vec3::x(); body.vertices().len()]);
        assert!((p.iter().sum::<Vec3>() - Vec3::x() * total).norm() < 1e-11 * total, "{name}");
        let middle: Vec3 = p.iter().zip(body.vertices()).map(|(p, x)| x * p.x).sum::<Vec3>() / total;
        assert!((middle - body.centroid()).norm() < 1e-10, "{name}");
        let omega = Vec3::new(0.3, -0.5, 0.8);
        let v: Vec<Vec3> = body.vertices().iter().map(|x| omega.cross(&(x - body.centroid()))).collect();
        let exact = 0.5 * DENSITY * omega.dot(&(body.inertia() * omega));
        assert!((mass.kinetic_energy(&v) / exact - 1.0).abs() < 1e-11, "{name}");
    }
}

#[test]
fn a_ball_has_four_thirds_pi_and_two_fifths() {
    let body = icosphere(3);
    let ball = 4.0 / 3.0 * std::f64::consts::PI;
    assert!((body.volume() / ball - 1.0).abs() < 0.02);
    let inertia = body.inertia()[(2, 2)] / body.volume();
    assert!((inertia / 0.4 - 1.0).abs() < 0.02, "{inertia}");
}

/// A harmonic polynomial is its own harmonic continuation.
#[test]
fn the_energy_of_harmonic_polynomials_converges() {
    let errors = [1, 2].map(|depth| {
        let body = icosphere(depth);
        let mass = SurfaceMass::new(&body, 1.0).unwrap();
        let scale = (body.volume() / (4.0 / 3.0 * std::f64::consts::PI)).powf(7.0 / 3.0);
        let f: Vec<f64> = body.vertices().iter().map(|x| x.x * x.y).collect();
        let exact = 4.0 * std::f64::consts::PI / 105.0 * scale;
        let g: Vec<f64> = body.vertices().iter().map(|x| x.x * (x.x * x.x - 3.0 * x.y * x.y)).collect();
        let third = 32.0 * std::f64::consts::PI / 315.0 * scale.powf(9.0 / 7.0);
        [quadratic(&mass, &f) / exact - 1.0, quadratic(&mass, &g) / third - 1.0]
    });
    println!("ball, harmonics of degree 2 and 3: {errors:?}");
    let boxes = [2, 4].map(|k| {
        let body = brick(Vec3::new(1.0, 1.0, 1.0), [k, k, k]);
        let mass = SurfaceMass::new(&body, 1.0).unwrap();
        let f: Vec<f64> = body.vertices().iter().map(|x| (x.x - 0.5) * (x.y - 0.5)).collect();
        let g: Vec<f64> = body.vertices().iter().map(|x| (x.x - 0.5).powi(2) - (x.z - 0.5).powi(2)).collect();
        [quadratic(&mass, &f) * 144.0 - 1.0, quadratic(&mass, &g) / (2.0 / 80.0 - 2.0 / 144.0) - 1.0]
    });
    println!("cube, xy and x² − z²: {boxes:?}");
    for [coarse, fine] in [errors, boxes] {
        (0..2).for_each(|k| assert!(fine[k].abs() < 0.5 * coarse[k].abs() && fine[k].abs() < 0.1));
    }
}

#[test]
fn a_density_that_is_not_positive_is_refused() {
    for density in [0.0, -1.0, f64::NAN] {
        assert!(matches!(SurfaceMass::new(&icosphere(0), density), Err(MassError::Density { .. })));
    }
}

/// In a twist the harmonic continuation is the static one, and the tone is that of Rayleigh: ω R/c = √7 with c² = μ/ρ.
/// Uniform strain rings at √10. Lamb's exact tones, with inertia inside, are 2.501 and 2.65.
#[test]
fn a_free_ball_rings_at_rayleighs_tones() {
    let body = icosphere(2);
    let medium = crate::solid::Medium::new(2.6, 0.3).unwrap();
    let spring = crate::solid::stiffness::Stiffness::new(&body, &medium).unwrap();
    let mass = SurfaceMass::new(&body, 1.0).unwrap();
    let n = spring.matrix.nrows();
    let heavy = Mat::from_fn(n, n, |i, j| if i % 3 == j % 3 { mass.matrix[(i / 3, j / 3)] } else { 0.0 });
    let radius = (body.volume() / (4.0 / 3.0 * std::f64::consts::PI)).cbrt();
    let tones: Vec<f64> = tones(&spring.matrix, &heavy).iter().map(|tone| tone * radius).collect();
    println!("ball, harmonic mass: lowest tones {:.3?}", &tones[6..18]);
    assert!(tones[5] < 1e-5 * tones[6]);
    assert!(tones[6..11].iter().all(|tone| (tone / 7f64.sqrt() - 1.0).abs() < 0.01));
    assert!(tones[11..16].iter().all(|tone| (tone / 10f64.sqrt() - 1.0).abs() < 0.01));
}

/// √ of the eigenvalues of K u = ω² M u, ascending.
pub fn tones(spring: &Mat<f64>, mass: &Mat<f64>) -> Vec<f64> {
    let eigen = mass.self_adjoint_eigen(Side::Lower).unwrap();
    let root: Vec<f64> = eigen.S().column_vector().iter().map(|s| s.sqrt()).collect();
    let basis = Mat::from_fn(mass.nrows(), mass.nrows(), |i, k| eigen.U()[(i, k)] / root[k]);
    let squares = (basis.transpose() * spring * &basis).self_adjoint_eigenvalues(Side::Lower).unwrap();
    squares.iter().map(|square| square.max(0.0).sqrt()).collect()
}
