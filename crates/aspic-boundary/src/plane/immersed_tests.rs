use std::f64::consts::PI;

use super::super::MeshError;
use super::super::solids::{cylinder, ellipsoid};
use super::*;

#[test]
fn a_ball_in_the_ground_has_the_volume_of_a_cap() {
    let (vertices, triangles) = ellipsoid(Vec3::new(1.0, 1.0, 1.0), 60, 90);
    let ball = ClosedMesh::new(&vertices, &triangles).unwrap();
    let (d, normal) = (0.3f64, Vec3::new(0.3, -0.4, 0.7).normalize());
    let found = Ground { normal, offset: -1.0 + d }.immersed(&ball);
    let (volume, radius) = (PI * d * d * (3.0 - d) / 3.0, d * (2.0 - d));
    let centre = -0.75 * (2.0 - d) * (2.0 - d) / (3.0 - d) * normal;
    assert!((found.volume / volume - 1.0).abs() < 1e-2 && (found.area / (PI * radius) - 1.0).abs() < 1e-2);
    assert!((found.centre - centre).norm() < 2e-3 && (found.middle + 0.7 * normal).norm() < 1e-3);
    let turned = PI * radius * radius / 4.0 * (Mat3::identity() - normal * normal.transpose());
    assert!((found.spread - turned).norm() < 0.02 * turned.norm());
}

#[test]
fn all_of_a_sunken_body_and_nothing_of_a_flying_one_is_in_the_ground() {
    let (vertices, triangles) = cylinder(0.5, 2.0, 40);
    let body = ClosedMesh::new(&vertices, &triangles).unwrap();
    let moments = body.moments();
    let found = Ground { normal: Vec3::z(), offset: 0.4 }.immersed(&body);
    assert!((found.volume - 0.7 * moments.volume).abs() < 1e-12);
    assert!((found.middle - Vec3::new(0.0, 0.0, 0.4)).norm() < 1e-12);
    assert_eq!(Ground { normal: Vec3::z(), offset: -1.1 }.immersed(&body).volume, 0.0);
}

#[test]
fn surfaces_without_sense_are_refused() {
    let (vertices, triangles) = ellipsoid(Vec3::new(1.0, 1.0, 1.0), 3, 6);
    let error = |v: &[Vec3], t: &[[u32; 3]]| ClosedMesh::new(v, t).unwrap_err();
    assert!(matches!(error(&vertices, &triangles[1..]), MeshError::Open(..)));
    let inward: Vec<[u32; 3]> = triangles.iter().map(|t| [t[0], t[2], t[1]]).collect();
    assert!(matches!(error(&vertices, &inward), MeshError::InsideOut(v) if v < 0.0));
    assert!(matches!(error(&vertices[1..], &triangles), MeshError::Index { .. }));
    let mut bad = vertices.clone();
    bad[2].y = f64::NAN;
    assert_eq!(error(&bad, &triangles), MeshError::NotFinite(2));
    assert!(matches!(error(&[], &[]), MeshError::InsideOut(_)));
    // A pole pushed in beyond the centroid hides a part of the surface.
    bad = vertices.clone();
    bad[0].z = 0.5;
    let dented = ClosedMesh::new(&bad, &triangles).unwrap();
    assert!(matches!(dented.check_star_shaped(dented.moments().centroid), Err(MeshError::NotStarShaped(_))));
}
