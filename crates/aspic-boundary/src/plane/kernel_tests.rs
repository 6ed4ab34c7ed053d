use super::*;

fn rubber() -> Medium {
    Medium::new(3.38, 0.3, Plane::Strain).unwrap()
}

/// Central differences of row `i` of U: the displacement that a force in direction `i` makes.
fn gradient(kernel: &Kelvin, i: usize, at: Vec2) -> Mat2 {
    let h = 1e-5;
    let column = |axis: Vec2| {
        let difference = kernel.displacement(at + h * axis) - kernel.displacement(at - h * axis);
        difference.row(i).transpose() / (2.0 * h)
    };
    Mat2::from_columns(&[column(Vec2::x()), column(Vec2::y())])
}

#[test]
fn the_traction_kernel_is_the_stress_of_the_displacement_kernel() {
    let (d, n) = (Vec2::new(0.7, -0.4), Vec2::new(0.6, 0.8));
    for plane in [Plane::Strain, Plane::Stress] {
        let medium = Medium::new(3.38, 0.3, plane).unwrap();
        let kernel = Kelvin::new(&medium, 2.0);
        let exact = kernel.traction(d, n);
        for i in 0..2 {
            let found = medium.traction(&gradient(&kernel, i, d), n);
            assert!((found - exact.row(i).transpose()).norm() < 1e-8, "{plane:?} {found}");
        }
    }
}

#[test]
fn the_force_at_the_source_is_carried_by_every_ring_around_it() {
    let kernel = Kelvin::new(&rubber(), 1.0);
    let count = 400;
    let sum: Mat2 = (0..count)
        .map(|k| {
            let n = Vec2::new(1.0, 0.0);
            let turn = nalgebra::Rotation2::new(2.0 * PI * k as f64 / count as f64);
            kernel.traction(0.3 * (turn * n), turn * n)
        })
        .sum();
    assert!((sum * (0.6 * PI / count as f64) + Mat2::identity()).norm() < 1e-12);
}

#[test]
fn a_plate_stretches_by_young_and_a_prism_by_more() {
    let plate = Medium::new(5.0, 0.3, Plane::Stress).unwrap();
    assert!((plate.unconfined() - 5.0).abs() < 1e-12);
    let prism = Medium::new(5.0, 0.3, Plane::Strain).unwrap();
    assert!((prism.unconfined() - 5.0 / 0.91).abs() < 1e-12);
}

#[test]
fn impossible_matter_is_refused() {
    assert_eq!(Medium::new(0.0, 0.3, Plane::Strain), Err(MediumError::Young(0.0)));
    assert!(Medium::new(f64::NAN, 0.3, Plane::Strain).is_err());
    assert_eq!(Medium::new(1.0, 0.5, Plane::Strain), Err(MediumError::Poisson(0.5)));
    assert_eq!(Medium::new(1.0, -1.0, Plane::Stress), Err(MediumError::Poisson(-1.0)));
    let said = Medium::new(1.0, 0.6, Plane::Strain).unwrap_err().to_string();
    assert!(said.contains("between −1 and 0.5"), "{said}");
}
