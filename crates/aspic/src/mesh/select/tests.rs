//! Choices on a block of 4 × 4 × 4 cells of edge one, 125 vertices from −2 to 2.

use proptest::prelude::*;

use super::*;
use crate::mesh::Pose;
use crate::mesh::generate::{ball, block};

fn cube() -> TetMesh {
    block(Vec3::repeat(4.0), [4, 4, 4]).unwrap()
}

fn choose(selection: Selection) -> Result<Vec<u32>, SelectError> {
    let mesh = cube();
    selection.choose(&mesh, &mesh.positions)
}

fn in_box(low: [f64; 3], high: [f64; 3]) -> Selection {
    Selection { within_box: Some((low.into(), high.into())), ..Selection::default() }
}

fn in_sphere(centre: [f64; 3], radius: f64) -> Selection {
    Selection { sphere: Some((centre.into(), radius)), ..Selection::default() }
}

fn number(x: i64, y: i64, z: i64) -> u32 {
    ((x + 2) + 5 * ((y + 2) + 5 * (z + 2))) as u32
}

#[test]
fn no_criterion_chooses_everything() {
    assert_eq!(choose(Selection::default()).unwrap(), (0..125).collect::<Vec<u32>>());
    let all = Selection { part: Some(Part::All), ..Selection::default() };
    assert_eq!(choose(all).unwrap().len(), 125);
}

#[test]
fn surface_and_interior_share_the_vertices_between_them() {
    let part = |part| choose(Selection { part: Some(part), ..Selection::default() }).unwrap();
    let (surface, interior) = (part(Part::Surface), part(Part::Interior));
    assert_eq!((surface.len(), interior.len()), (125 - 27, 27));
    assert!(interior.iter().all(|v| surface.binary_search(v).is_err()));
}

#[test]
fn box_holds_its_faces_and_takes_corners_in_any_order() {
    let forward = choose(in_box([-1.0, -1.0, 2.0], [1.0, 0.0, 2.0])).unwrap();
    assert_eq!(forward, [-1, 0].map(|y| [-1, 0, 1].map(|x| number(x, y, 2))).concat());
    assert_eq!(choose(in_box([1.0, -1.0, 2.0], [-1.0, 0.0, 2.0])).unwrap(), forward);
}

#[test]
fn rounding_on_a_face_is_forgiven_and_a_real_gap_is_not() {
    // The mesh size is 4√3: the tolerance is 6.9e-9.
    let high = |z: f64| choose(in_box([-2.0, -2.0, z], [2.0, 2.0, 3.0])).unwrap().len();
    assert_eq!(high(2.0 + 6e-9), 25);
    assert!(choose(in_box([-2.0, -2.0, 2.0 + 8e-9], [2.0, 2.0, 3.0])).is_err());
}

#[test]
fn unit_sphere_on_a_lattice_holds_seven_points() {
    let found = choose(in_sphere([0.0; 3], 1.0)).unwrap();
    let mut cross = vec![number(0, 0, 0)];
    for d in [-1, 1] {
        cross.extend([number(d, 0, 0), number(0, d, 0), number(0, 0, d)]);
    }
    cross.sort_unstable();
    assert_eq!(found, cross);
    assert_eq!(choose(in_sphere([1.0, 1.0, 1.0], 0.0)).unwrap(), [number(1, 1, 1)]);
}

#[test]
fn plane_keeps_itself_and_the_side_of_its_normal() {
    let side = |normal| Selection { side: Some((Vec3::new(0.0, 0.0, 1.0), normal)), ..Selection::default() };
    assert_eq!(choose(side(Vec3::z())).unwrap(), (75..125).collect::<Vec<u32>>());
    assert_eq!(choose(side(-1e-200 * Vec3::z())).unwrap(), (0..100).collect::<Vec<u32>>());
}

#[test]
fn criteria_hold_together() {
    let found = choose(Selection {
        name: Some("top".into()),
        side: Some((Vec3::zeros(), Vec3::x())),
        part: Some(Part::Surface),
        ..in_sphere([0.0, 0.0, 2.0], 1.0)
    });
    let mut expected = [number(0, -1, 2), number(0, 0, 2), number(1, 0, 2), number(0, 1, 2)];
    expected.sort_unstable();
    assert_eq!(found.unwrap(), expected);
}

#[test]
fn nearest_is_one_vertex_among_those_left() {
    let near = |point: [f64; 3], name: Option<&str>| {
        let name = name.map(String::from);
        choose(Selection { nearest: Some(point.into()), name, ..Selection::default() }).unwrap()
    };
    assert_eq!(near([0.2, -0.3, 0.4], None), [number(0, 0, 0)]);
    assert_eq!(near([0.2, -0.3, 0.4], Some("top")), [number(0, 0, 2)]);
    assert_eq!(near([90.0, 90.0, 90.0], None), [124]);
}

#[test]
fn ties_go_to_the_lowest_number_even_after_a_turn() {
    let tie =
        Selection { nearest: Some(Vec3::zeros()), name: Some("corners".into()), ..Selection::default() };
    let mut mesh = cube();
    mesh.groups.insert("corners".into(), vec![124, 120, 4, 20]);
    for angle in [0.0, 0.1, 0.7, 2.3] {
        let mut posed = mesh.positions.clone();
        Pose::new(&[(Vec3::new(1.0, 2.0, 3.0), angle)], Vec3::zeros()).unwrap().apply(&mut posed);
        assert_eq!(tie.choose(&mesh, &posed).unwrap(), [4]);
    }
}

#[test]
fn numbers_are_sorted_and_unique() {
    let index = Selection { index: Some(vec![7, 3, 7, 124]), ..Selection::default() };
    assert_eq!(choose(index).unwrap(), [3, 7, 124]);
}

#[test]
fn places_are_those_of_the_posed_body() {
    let mesh = cube();
    let mut posed = mesh.positions.clone();
    // A half turn about x brings the bottom up; the lift puts it at z = 12.
    Pose::new(&[(Vec3::x(), std::f64::consts::PI)], 10.0 * Vec3::z()).unwrap().apply(&mut posed);
    let above = Selection { side: Some((12.0 * Vec3::z(), Vec3::z())), ..Selection::default() };
    assert_eq!(above.choose(&mesh, &posed).unwrap(), mesh.groups["bottom"]);
}

#[test]
fn unknown_name_is_answered_with_the_known_ones() {
    let error = choose(Selection { name: Some("tpo".into()), ..Selection::default() }).unwrap_err();
    let known = ["back", "bottom", "center", "front", "left", "right", "top"].map(String::from).to_vec();
    assert_eq!(error, SelectError::UnknownName { name: "tpo".into(), known });
    assert!(error.to_string().contains("\"tpo\"") && error.to_string().contains("right, top"));
}

#[test]
fn empty_choice_says_how_far_the_nearest_vertex_is() {
    let error = choose(in_box([2.0, 2.0, 5.0], [9.0, 9.0, 9.0])).unwrap_err().to_string();
    assert!(error.contains("box") && error.contains("is 3 m away"), "{error}");
    let error = choose(in_sphere([0.0, 0.0, 10.0], 1.5)).unwrap_err().to_string();
    assert!(error.contains("sphere") && error.contains("is 6.5 m away"), "{error}");
    let side = Selection { side: Some((Vec3::repeat(4.0), Vec3::repeat(2.0))), ..Selection::default() };
    // The corner (2, 2, 2) is 2√3 below the plane.
    let error = choose(side).unwrap_err().to_string();
    assert!(error.contains("plane") && error.contains("is 3.464 m away"), "{error}");
}

#[test]
fn empty_intersection_says_what_each_criterion_holds_alone() {
    let apart = Selection { name: Some("top".into()), part: Some(Part::Interior), ..Selection::default() };
    let Err(SelectError::Empty { criteria }) = choose(apart) else { panic!("top is on the surface") };
    assert_eq!(
        criteria,
        ["group \"top\" (which alone holds 25)", "the interior (which alone holds 27)"].map(String::from)
    );
    let none = Selection { index: Some(vec![]), ..Selection::default() };
    assert!(choose(none).unwrap_err().to_string().contains("holds none"));
    let nothing = Selection::default().choose(&TetMesh::default(), &[]).unwrap_err();
    assert!(nothing.to_string().contains("without vertices"), "{nothing}");
}

#[test]
fn vertex_number_beyond_the_last_is_refused() {
    let error = choose(Selection { index: Some(vec![0, 125]), ..Selection::default() }).unwrap_err();
    assert_eq!(error, SelectError::IndexOutOfRange { index: 125, vertices: 125 });
}

#[test]
fn impossible_numbers_are_refused() {
    let plane = |normal: Vec3| Selection { side: Some((Vec3::zeros(), normal)), ..Selection::default() };
    let far = Selection { nearest: Some(Vec3::repeat(f64::INFINITY)), ..Selection::default() };
    for bad in [
        in_sphere([0.0; 3], -1.0),
        in_sphere([0.0; 3], f64::NAN),
        in_box([0.0; 3], [f64::INFINITY; 3]),
        plane(Vec3::zeros()),
        plane(Vec3::new(f64::NAN, 0.0, 0.0)),
        far,
    ] {
        let error = choose(bad.clone());
        assert!(matches!(error, Err(SelectError::BadCriterion(_))), "{bad:?} gave {error:?}");
    }
}

#[test]
fn positions_of_another_mesh_are_refused() {
    let error = Selection::default().choose(&cube(), &[Vec3::zeros()]).unwrap_err();
    assert_eq!(error, SelectError::WrongLength { positions: 1, vertices: 125 });
}

proptest! {
    #[test]
    fn sphere_and_its_outside_share_a_ball_between_them(
        x in -1.0..1.0f64, y in -1.0..1.0f64, z in -1.0..1.0f64, radius in 0.3..1.5f64,
    ) {
        let mesh = ball(1.0, 3).unwrap();
        let centre = Vec3::new(x, y, z);
        let found = in_sphere(centre.into(), radius).choose(&mesh, &mesh.positions).unwrap_or_default();
        prop_assert!(found.is_sorted_by(|a, b| a < b));
        for (v, place) in mesh.positions.iter().enumerate() {
            let inside = (place - centre).norm() <= radius + 2e-9 * 3f64.sqrt();
            prop_assert_eq!(found.binary_search(&(v as u32)).is_ok(), inside);
        }
    }
}
