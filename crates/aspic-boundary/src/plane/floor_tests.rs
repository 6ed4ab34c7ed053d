use super::*;

#[test]
fn a_disc_pierces_with_a_segment_of_a_circle() {
    let body = Polygon::circle(Vec2::zeros(), 1.0, 4000).unwrap();
    let half = 0.7f64;
    for angle in [0.0, 0.3, 2.0] {
        let normal = nalgebra::Rotation2::new(angle) * Vec2::y();
        let floor = Floor::through(-half.cos() * normal, normal).unwrap();
        let found = floor.pierced(&body);
        let area = half - half.sin() * half.cos();
        assert!((found.area - area).abs() < 1e-5);
        assert!((found.width - 2.0 * half.sin()).abs() < 1e-5);
        assert!((found.middle + half.cos() * normal).norm() < 1e-3);
        let depth = 2.0 / 3.0 * half.sin().powi(3) / area;
        assert!((found.centre + depth * normal).norm() < 1e-3);
    }
}

#[test]
fn two_feet_are_pierced_together() {
    // A table on a floor that cuts both of its legs.
    let corners =
        [(0.0, 0.0), (1.0, 0.0), (1.0, 2.0), (3.0, 2.0), (3.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0)];
    let table = Polygon::new(&corners.map(|(x, y)| Vec2::new(x, y))).unwrap();
    let found = Floor::through(Vec2::new(9.0, 0.5), Vec2::y()).unwrap().pierced(&table);
    assert!((found.area - 1.0).abs() < 1e-14 && (found.width - 2.0).abs() < 1e-14);
    assert!((found.centre - Vec2::new(2.0, 0.25)).norm() < 1e-14);
    assert!((found.middle - Vec2::new(2.0, 0.5)).norm() < 1e-14);
    let above = Floor::through(Vec2::new(0.0, -0.1), Vec2::y()).unwrap().pierced(&table);
    assert_eq!((above.area, above.width), (0.0, 0.0));
}

#[test]
fn the_floor_is_as_deep_from_the_body_as_from_outside() {
    let floor = Floor::through(Vec2::new(0.3, -0.2), Vec2::new(0.4, 1.0)).unwrap();
    let (position, angle, x) = (Vec2::new(1.0, 0.5), 0.8, Vec2::new(-0.3, 0.1));
    let outside = position + nalgebra::Rotation2::new(angle) * x;
    assert!((floor.depth(outside) - floor.seen_from(position, angle).depth(x)).abs() < 1e-15);
}

#[test]
fn floors_without_sense_are_refused() {
    assert!(Floor::through(Vec2::zeros(), Vec2::zeros()).is_err());
    assert!(Floor::through(Vec2::new(0.0, f64::NAN), Vec2::y()).is_err());
    let dry = Floor::through(Vec2::zeros(), Vec2::y()).unwrap();
    assert_eq!(dry.with_adhesion(-1.0), Err(FloorError::Adhesion(-1.0)));
}
