use super::*;

fn medium() -> Medium {
    Medium::new(2.6, 0.3).unwrap()
}

#[test]
fn the_traction_kernel_is_the_stress_of_the_displacement_kernel() {
    let (medium, d, n) = (medium(), Vec3::new(0.7, -0.4, 0.5), Vec3::new(0.48, 0.6, 0.64));
    let h = 1e-4;
    for i in 0..3 {
        let u = |x: &Vec3| medium.displacement(x).row(i).transpose();
        let columns =
            [Vec3::x(), Vec3::y(), Vec3::z()].map(|e| (u(&(d + h * e)) - u(&(d - h * e))) / (2.0 * h));
        let t = medium.stress(&Mat3::from_columns(&columns)) * n;
        assert!((t.transpose() - medium.traction(&d, &n).row(i)).amax() < 1e-8);
    }
}

#[test]
fn the_force_on_a_ball_around_the_source_is_minus_one() {
    let medium = medium();
    let (mut sum, count) = (Mat3::zeros(), 400);
    for k in 0..count {
        let z = (2.0 * k as f64 + 1.0) / count as f64 - 1.0;
        for l in 0..4 {
            let a = 0.3 + l as f64 * PI / 2.0;
            let s = (1.0 - z * z).sqrt();
            let n = Vec3::new(s * a.cos(), s * a.sin(), z);
            sum += medium.traction(&(n * 2.0), &n) * (16.0 * PI / (4 * count) as f64);
        }
    }
    assert!((sum + Mat3::identity()).amax() < 1e-5, "{sum}");
}

#[test]
fn impossible_materials_are_refused_with_a_cure() {
    for young in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Medium::new(young, 0.3), Err(MediumError::Young { .. })));
    }
    for poisson in [-1.0, 0.5, 0.7, f64::NAN] {
        let error = Medium::new(1.0, poisson).unwrap_err();
        assert!(error.to_string().contains("0.499"), "{error}");
    }
    assert!(Medium::new(1.0, -0.99).is_ok() && Medium::new(1.0, 0.4999).is_ok());
}
