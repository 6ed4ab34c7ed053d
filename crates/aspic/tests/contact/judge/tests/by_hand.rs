//! Cases that a person can decide.

use aspic::Vec3;

use super::super::exact::Meeting;
use super::super::{Crossing, Kind, crossings, inside, inverted, passes};

fn points<const N: usize>(coordinates: [[f64; 3]; N]) -> Vec<Vec3> {
    coordinates.map(Vec3::from).to_vec()
}

/// The triangle (0,0) (4,0) (0,4) in the plane z = 0, and another one of these corners.
fn against_the_corner(other: [[f64; 3]; 3]) -> Vec<Crossing> {
    let [a, b, c] = other;
    crossings(&points([[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], a, b, c]), &[[0, 1, 2], [3, 4, 5]])
}

fn kinds(found: &[Crossing]) -> Vec<Kind> {
    found.iter().map(|crossing| crossing.kind).collect()
}

#[test]
fn an_edge_through_the_inside_pierces() {
    let found = against_the_corner([[1., 1., -1.], [1., 1., 1.], [9., 9., 1.]]);
    assert_eq!(found[0], Crossing { triangle: 0, edge: [3, 4], kind: Kind::Pierced });
}

#[test]
fn a_vertex_on_a_face_touches() {
    let found = against_the_corner([[1., 1., 0.], [1., 2., 5.], [2., 1., 5.]]);
    assert_eq!(kinds(&found), [Kind::Touched; 2], "both edges at the vertex");
    assert_eq!(against_the_corner([[1., 1., f64::EPSILON], [1., 2., 5.], [2., 1., 5.]]), []);
}

#[test]
fn edges_that_cross_touch() {
    // The rim of the first triangle runs along x through (2, 0, 0).
    let found = against_the_corner([[2., 0., 1.], [2., 0., -1.], [2., -3., 0.]]);
    assert!(!found.is_empty() && kinds(&found).iter().all(|&kind| kind == Kind::Touched), "{found:?}");
    assert_eq!(against_the_corner([[2., -1e-60, 1.], [2., -1e-60, -1.], [2., -3., 0.]]), []);
}

#[test]
fn vertices_in_one_place_touch() {
    assert!(!against_the_corner([[4., 0., 0.], [9., 0., 1.], [9., 1., 1.]]).is_empty());
}

#[test]
fn triangles_in_one_plane_cross_only_where_they_meet() {
    let flat = |x: f64, y: f64, size: f64| [[x, y, 0.], [x + size, y, 0.], [x, y + size, 0.]];
    assert!(!against_the_corner(flat(1., 1., 4.)).is_empty(), "overlap");
    assert!(!against_the_corner(flat(1., 1., 0.5)).is_empty(), "one inside the other");
    assert!(!against_the_corner(flat(-1., -1., 20.)).is_empty(), "one round the other");
    assert!(!against_the_corner(flat(2., 2., 4.)).is_empty(), "a vertex on an edge");
    assert!(!against_the_corner(flat(0., -4., 4.)).is_empty(), "a vertex on a vertex");
    assert!(!against_the_corner([[1., 0., 0.], [3., 0., 0.], [1., -1., 0.]]).is_empty(), "edges on one line");
    assert_eq!(against_the_corner([[5., 0., 0.], [6., 0., 0.], [5., -1., 0.]]), [], "one line, but apart");
    assert_eq!(against_the_corner(flat(2., 2. + 4.0 * f64::EPSILON, 4.)), [], "apart by a rounding");
}

#[test]
fn triangles_in_parallel_planes_do_not_cross() {
    assert_eq!(against_the_corner([[0., 0., 1e-60], [4., 0., 1e-60], [0., 4., 1e-60]]), []);
}

/// Two triangles with the common vertex 0.
fn at_a_vertex(a: [f64; 3], b: [f64; 3]) -> Vec<Crossing> {
    let x = points([[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], a, b]);
    crossings(&x, &[[0, 1, 2], [0, 3, 4]])
}

#[test]
fn neighbours_at_a_vertex_may_share_that_vertex_only() {
    assert_eq!(at_a_vertex([-1., 0., 0.], [-1., -1., 0.]), [], "opposite in one plane");
    assert_eq!(at_a_vertex([1., 1., 1.], [1., -1., 1.]), [], "standing on the vertex");
    assert!(!at_a_vertex([1., 1., 1.], [1., 1., -1.]).is_empty(), "cut from the vertex on");
    assert!(!at_a_vertex([1., 1., 0.], [1., 2., 0.]).is_empty(), "a thin one inside the wide one");
    assert!(!at_a_vertex([9., 0., 0.], [9., 0., 3.]).is_empty(), "along the rim");
    assert!(!at_a_vertex([1., 0., 0.], [1., 0., 3.]).is_empty(), "along a part of the rim");
}

#[test]
fn a_hinge_crosses_only_when_it_is_shut() {
    let hinge = |x: [f64; 3]| {
        crossings(&points([[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], x]), &[[0, 1, 2], [1, 0, 3]])
    };
    assert_eq!(hinge([1., -2., 0.]), [], "open and flat");
    assert_eq!(hinge([1., 2., 1e-60]), [], "nearly shut");
    assert_eq!(hinge([1., 0., 7.]), [], "square");
    let shut = Crossing { triangle: 1, edge: [0, 1], kind: Kind::Folded };
    assert_eq!(hinge([1., 2., 0.]), [shut]);
    assert_eq!(hinge([50., 70., 0.]), [shut], "the other one covered");
}

#[test]
fn three_triangles_on_one_edge_are_compared_in_pairs() {
    let x = points([[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.], [1., 0., 1.]]);
    let found = crossings(&x, &[[0, 1, 2], [0, 1, 3], [0, 1, 4]]);
    assert_eq!(found, [Crossing { triangle: 2, edge: [0, 1], kind: Kind::Folded }]);
}

#[test]
fn a_triangle_twice_in_the_list_crosses() {
    let x = points([[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]]);
    assert_eq!(kinds(&crossings(&x, &[[0, 1, 2], [2, 1, 0]])), [Kind::Folded; 3]);
}

#[test]
fn a_triangle_without_area_crosses() {
    let collapsed = |x: [[f64; 3]; 3]| crossings(&points(x), &[[0, 1, 2]]);
    let expected = [Crossing { triangle: 0, edge: [0, 1], kind: Kind::Collapsed }];
    assert_eq!(collapsed([[0., 0., 0.], [1., 1., 1.], [3., 3., 3.]]), expected);
    assert_eq!(collapsed([[1., 2., 3.], [1., 2., 3.], [3., 3., 3.]]), expected);
    assert_eq!(collapsed([[0., 0., 0.], [1., 1., 1.], [3., 3., 3. + 4.0 * f64::EPSILON]]), []);
}

#[test]
#[should_panic(expected = "not finite")]
fn nonsense_is_not_called_free_of_crossings() {
    crossings(&points([[0., 0., 0.], [f64::NAN, 0., 0.], [0., 1., 0.]]), &[[0, 1, 2]]);
}

#[test]
fn a_tetrahedron_is_inverted_when_its_volume_is_not_positive() {
    let tet = |z: f64| points([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.3, 0.3, z]]);
    assert_eq!(inverted(&tet(1e-60), &[[0, 1, 2, 3]]), None);
    assert_eq!(inverted(&tet(0.0), &[[0, 1, 2, 3]]), Some(0));
    assert_eq!(inverted(&tet(-1e-60), &[[0, 1, 2, 3]]), Some(0));
    assert_eq!(inverted(&tet(1.0), &[[0, 1, 2, 3], [1, 2, 0, 3], [1, 0, 2, 3]]), Some(2));
}

/// An octahedron with the corners ±1 on the axes, outward.
fn octahedron() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let x = points([[1., 0., 0.], [-1., 0., 0.], [0., 1., 0.], [0., -1., 0.], [0., 0., 1.], [0., 0., -1.]]);
    (x, vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]])
}

#[test]
fn points_of_an_octahedron_are_inside_up_to_its_surface() {
    let (x, triangles) = octahedron();
    let verdict = |point: [f64; 3]| inside(Vec3::from(point), &x, &triangles);
    assert!(verdict([0., 0., 0.]) && verdict([0.5, 0., 0.]) && verdict([0.25, 0.25, 0.25]));
    assert!(verdict([1., 0., 0.]) && verdict([0.5, 0.5, 0.]) && verdict([0.5, 0.25, 0.25]), "on it");
    assert!(
        !verdict([0.5, 0.25, 0.25 + f64::EPSILON]) && !verdict([1. + f64::EPSILON, 0., 0.]),
        "just off it"
    );
    assert!(!verdict([0.9, 0.9, 0.9]) && !verdict([5., 0., 0.]));
    assert!(!verdict([1., 1., -1.]), "in the plane of a face");
}

#[test]
fn a_ray_through_a_vertex_or_an_edge_is_not_counted() {
    let (x, triangles) = octahedron();
    let surface: Vec<_> = triangles.iter().map(|t| t.map(|v| x[v as usize])).collect();
    let ray = |to: [f64; 3]| passes([Vec3::zeros(), Vec3::from(to)], &surface);
    assert_eq!(ray([9., 0., 0.]), None, "through a vertex");
    assert_eq!(ray([9., 9., 0.]), None, "through an edge");
    assert_eq!(ray([9., 8., 7.]), Some(1));
    let slit = [Vec3::new(1., 0., 0.), Vec3::new(0., 1., 0.)];
    assert_eq!(super::super::exact::meeting(slit, surface[0]), Meeting::Touch, "along an edge");
}
