use super::*;

fn moved(outline: &Polygon, field: impl Fn(Vec2) -> Vec2) -> Vec<Vec2> {
    outline.vertices().iter().map(|x| field(*x)).collect()
}

#[test]
fn a_linear_field_is_kept_with_exponent_one() {
    let outline = Polygon::circle(Vec2::new(0.2, 0.1), 1.0, 17).unwrap();
    let field = |x: Vec2| Vec2::new(0.3 + 0.2 * x.x - 0.7 * x.y, 0.1 - 0.4 * x.x + 0.5 * x.y);
    let displacements = moved(&outline, field);
    let section = Section::new(&outline, &displacements, 1.0).unwrap();
    for k in 0..40 {
        let (radius, angle) = (0.9 * (k as f64 / 40.0), 2.4 * k as f64);
        let place = Vec2::new(0.2, 0.1) + radius * Vec2::new(angle.cos(), angle.sin());
        assert!((section.displacement(place) - field(place)).norm() < 1e-14, "{place}");
    }
    for k in 0..outline.len() {
        let [a, b] = outline.edge(k);
        assert!((section.displacement(0.3 * a + 0.7 * b) - field(0.3 * a + 0.7 * b)).norm() < 1e-14);
        assert!((section.displacement(a) - field(a)).norm() < 1e-14);
    }
}

#[test]
fn the_exponent_goes_from_the_mean_to_the_nearer_end() {
    let at = |exponent: f64| blend(0.1, 0.9, 1.0, -1.0, exponent);
    assert!(at(1e-9).abs() < 1e-8 && (at(1.0) - 0.8).abs() < 1e-15 && at(10.0) > 0.999);
    assert_eq!(blend(0.0, 0.0, 3.0, 4.0, 1.0), 3.0);
    assert!((blend(1e-300, 9e-300, 1.0, -1.0, 3.0) - at(3.0)).abs() < 1e-12);
}

#[test]
fn two_sections_carry_a_squeeze_into_space() {
    let outline = Polygon::circle(Vec2::zeros(), 1.0, 24).unwrap();
    let (a, b, c) = (0.1, 0.07, -0.2);
    let [u, v] = [a, b].map(|widening| moved(&outline, |x| Vec2::new(widening * x.x + 0.03 * x.y, c * x.y)));
    let [first, second] = [&u, &v].map(|d| Section::new(&outline, d, 1.0).unwrap());
    let (origin, axis) = (Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.0, 0.0, 2.0));
    let planes = TwoSections::new(origin, axis, Vector3::new(1.0, 1.0, 5.0)).unwrap();
    let (s, t) = (Vector3::new(1.0, 1.0, 0.0).normalize(), Vector3::new(-1.0, 1.0, 0.0).normalize());
    for (x, y, z) in [(0.1, 0.2, 0.3), (-0.4, 0.1, -0.6), (0.0, 0.0, 0.0), (0.5, -0.5, 0.2)] {
        let found = planes.displacement([&first, &second], origin + x * s + y * t + z * Vector3::z());
        let exact = (a * x + 0.03 * z) * s + (b * y + 0.03 * z) * t + c * z * Vector3::z();
        assert!((found - exact).norm() < 1e-14, "{found} {exact}");
    }
}

#[test]
fn sections_without_sense_are_refused() {
    let outline = Polygon::circle(Vec2::zeros(), 1.0, 5).unwrap();
    let u = vec![Vec2::zeros(); 5];
    assert_eq!(Section::new(&outline, &u[1..], 1.0), Err(SectionError::Mismatch { given: 4, needed: 5 }));
    assert_eq!(Section::new(&outline, &u, 0.0), Err(SectionError::Exponent(0.0)));
    let (o, z) = (Vector3::zeros(), Vector3::z());
    assert_eq!(TwoSections::new(o, z, 2.0 * z), Err(SectionError::Directions));
    assert_eq!(TwoSections::new(o, o, z), Err(SectionError::Directions));
}
