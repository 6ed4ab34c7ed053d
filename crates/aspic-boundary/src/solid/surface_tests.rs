use super::*;
use crate::solid::test_shapes::{brick, brick_mesh, hollow_ball, icosphere, torus};

#[test]
fn a_box_has_the_volume_centre_and_inertia_of_the_textbook() {
    let size = Vec3::new(1.0, 2.0, 3.0);
    let body = brick(size, [2, 3, 4]);
    assert!((body.volume() - 6.0).abs() < 1e-13);
    assert!((body.centroid() - size / 2.0).norm() < 1e-13);
    let exact = Mat3::from_diagonal(&(Vec3::new(13.0, 10.0, 5.0) * 0.5));
    assert!((body.inertia() - exact).amax() < 1e-12);
}

#[test]
fn a_cavity_takes_its_volume_away() {
    let (whole, shell) = (icosphere(2).volume(), hollow_ball(2, 0.5, 1.0).volume());
    assert!((shell - whole * 0.875).abs() < 1e-12);
}

#[test]
fn a_torus_has_twice_pi_squared_times_its_radii() {
    let exact = 2.0 * std::f64::consts::PI.powi(2) * 0.09;
    assert!((torus(80, 40, 1.0, 0.3).volume() / exact - 1.0).abs() < 0.01);
}

fn cube() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    brick_mesh(Vec3::repeat(1.0), [1, 1, 1])
}

fn refused(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> SurfaceError {
    Surface::new(vertices, triangles).unwrap_err()
}

#[test]
fn a_hole_is_named_by_its_edge() {
    let (vertices, mut triangles) = cube();
    triangles.pop();
    assert!(matches!(refused(vertices, triangles), SurfaceError::Open { .. }));
}

#[test]
fn a_turned_triangle_is_found() {
    let (vertices, mut triangles) = cube();
    triangles[3].swap(0, 1);
    assert!(matches!(refused(vertices, triangles), SurfaceError::Turned { .. }));
}

#[test]
fn a_body_inside_out_is_told_so() {
    let (vertices, mut triangles) = cube();
    triangles.iter_mut().for_each(|corners| corners.swap(0, 1));
    let error = refused(vertices, triangles);
    assert!(error.to_string().contains("inside out"), "{error}");
}

#[test]
fn bad_vertices_and_triangles_are_refused() {
    let (vertices, triangles) = cube();
    assert_eq!(refused(vertices.clone(), vec![]), SurfaceError::NoTriangles);
    let mut bad = vertices.clone();
    bad[2].y = f64::NAN;
    assert!(matches!(refused(bad, triangles.clone()), SurfaceError::NotFinite { vertex: 2, .. }));
    let mut bad = vertices.clone();
    bad.push(Vec3::new(5.0, 5.0, 5.0));
    assert_eq!(refused(bad.clone(), triangles.clone()), SurfaceError::Unused { vertex: 8 });
    bad[8] = bad[3];
    let (first, second) = (3, 8);
    let mut split = triangles.clone();
    *split.iter_mut().flatten().find(|v| **v == 3).unwrap() = 8;
    assert_eq!(refused(bad, split), SurfaceError::Duplicate { first, second });
    let mut bad = triangles.clone();
    bad[0][0] = 77;
    assert!(matches!(refused(vertices.clone(), bad), SurfaceError::BadIndex { vertex: 77, .. }));
    let mut bad = triangles.clone();
    bad[0][0] = bad[0][1];
    assert!(matches!(refused(vertices, bad), SurfaceError::Degenerate { triangle: 0, .. }));
}

#[test]
fn a_surface_that_crosses_itself_is_told_where() {
    let one = crate::solid::test_shapes::brick(Vec3::repeat(1.0), [2, 2, 2]);
    let count = one.vertices().len() as u32;
    let both = |shift: Vec3| {
        let second = one.vertices().iter().map(|x| x + shift);
        let vertices: Vec<Vec3> = one.vertices().iter().copied().chain(second).collect();
        let copy = one.triangles().iter().map(|t| t.map(|v| v + count));
        Surface::new(vertices, one.triangles().iter().copied().chain(copy).collect())
    };
    assert!(both(Vec3::new(1.5, 0.0, 0.0)).is_ok());
    let error = both(Vec3::new(0.31, 0.27, 0.23)).unwrap_err();
    assert!(matches!(error, SurfaceError::Crossing { .. }), "{error}");
    assert!(error.to_string().contains("crosses itself"), "{error}");
}
