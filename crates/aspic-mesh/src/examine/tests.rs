//! Examinations of surfaces and meshes whose faults are known.

use aspic::Vec3;
use aspic::mesh::{TetMesh, generate};
use proptest::prelude::*;

use super::meeting::meet;
use super::{examine, examine_tets};
use crate::shapes;
use crate::soup::Soup;

#[test]
fn a_cube_is_watertight_and_nothing_is_wrong_with_it() {
    let report = examine(&shapes::cube(2.0));
    assert!(report.watertight && report.advice().is_empty(), "{report}");
    assert_eq!((report.vertices, report.triangles, report.shells, report.closed_shells), (8, 12, 1, 1));
    assert!((report.volume - 8.0).abs() < 1e-12 && (report.area - 24.0).abs() < 1e-12);
    assert_eq!((report.shortest_edge, report.longest_edge), (2.0, 8f64.sqrt()));
    assert!(
        (report.smallest_angle_deg - 45.0).abs() < 1e-9 && (report.largest_angle_deg - 90.0).abs() < 1e-9
    );
    assert_eq!((report.low, report.high), (Vec3::repeat(-1.0), Vec3::repeat(1.0)));
}

#[test]
fn holes_are_counted_and_measured() {
    let mut soup = shapes::cube(1.0);
    // Without the whole of one side, and one triangle of the opposite one.
    soup.triangles.drain(0..3);
    let report = examine(&soup);
    assert_eq!((report.border_loops, report.watertight), (2, false));
    assert!((report.longest_loop - 4.0).abs() < 1e-12, "{}", report.longest_loop);
    assert!((report.border_length - (6.0 + 2f64.sqrt())).abs() < 1e-12);
    assert!(report.to_string().contains("2 holes: closed by the winding number"), "{report}");
}

#[test]
fn loose_corners_are_seen_through() {
    let report = examine(&shapes::torn(&shapes::ball(1.0, 2)));
    assert!(report.watertight);
    assert_eq!(report.coincident, 3 * 320 - 162);
    assert_eq!(report.shells, 1);
    assert!(report.advice().iter().any(|line| line.ends_with("coincident vertices: merged")));
}

#[test]
fn inverted_shells_are_told_from_hollows() {
    let (outer, inner) = (shapes::ball(1.0, 2), shapes::ball(0.4, 2));
    let hollow = examine(&shapes::joined(outer.clone(), &shapes::inverted(inner.clone())));
    assert_eq!((hollow.shells, hollow.closed_shells, hollow.inverted_shells), (2, 2, 0));
    let aside = shapes::moved(shapes::inverted(inner), Vec3::new(3.0, 0.0, 0.0));
    let mixed = examine(&shapes::joined(outer.clone(), &aside));
    assert_eq!((mixed.shells, mixed.inverted_shells), (2, 1));
    assert_eq!(examine(&shapes::inverted(outer)).inverted_shells, 1);
}

#[test]
fn faults_of_edges_vertices_and_triangles_are_counted() {
    let cube = shapes::cube(1.0);
    let mut turned = cube.clone();
    turned.triangles[4].swap(0, 1);
    assert_eq!(examine(&turned).clashing_edges, 3);

    let mut messy = cube.clone();
    messy.triangles.push([messy.triangles[2][1], messy.triangles[2][2], messy.triangles[2][0]]);
    messy.triangles.push([1, 1, 2]);
    messy.triangles.push([0, 1, 99]);
    messy.positions.push(Vec3::repeat(7.0));
    messy.positions.push(Vec3::repeat(f64::NAN));
    messy.triangles.push([0, 1, 9]);
    let report = examine(&messy);
    assert_eq!((report.duplicates, report.degenerate, report.broken, report.unused), (1, 1, 2, 1));
    assert!(report.watertight);

    // A fin of two triangles back to back on an edge of the cube is as good as nothing.
    let mut fin = cube.clone();
    fin.positions.push(Vec3::repeat(2.0));
    let [a, b, _] = fin.triangles[0];
    fin.triangles.extend([[a, b, 8], [b, a, 8]]);
    let report = examine(&fin);
    assert_eq!((report.duplicates, report.watertight, report.border_loops), (1, true, 0));

    // Two cubes on a common edge, and two on a common vertex.
    let on_edge =
        examine(&shapes::joined(cube.clone(), &shapes::moved(cube.clone(), Vec3::new(1.0, 1.0, 0.0))));
    assert_eq!((on_edge.crowded_edges, on_edge.pinched_vertices), (1, 0));
    let on_vertex = examine(&shapes::joined(cube.clone(), &shapes::moved(cube, Vec3::repeat(1.0))));
    assert_eq!((on_vertex.crowded_edges, on_vertex.pinched_vertices), (0, 1));
}

#[test]
fn an_empty_and_a_nonsense_surface_are_examined_without_harm() {
    assert_eq!(examine(&Soup::default()).triangles, 0);
    let nonsense =
        Soup { positions: vec![Vec3::repeat(f64::INFINITY); 2], triangles: vec![[0, 1, 7], [0, 0, 0]] };
    assert_eq!(examine(&nonsense).broken, 2);
}

#[test]
fn intersections_agree_with_trying_all_pairs_by_another_test() {
    for seed in 20..26 {
        let soup = shapes::pile(seed);
        let mut expected = 0;
        for (n, s) in soup.triangles.iter().enumerate() {
            for (m, t) in soup.triangles.iter().enumerate().skip(n + 1) {
                let shared = s.iter().any(|v| t.contains(v));
                expected += usize::from(!shared && cross(&soup.corners(n), &soup.corners(m)));
            }
        }
        assert_eq!(examine(&soup).intersections, expected);
    }
}

/// Whether an edge of one triangle passes through the other, in plain floating point.
fn cross(s: &[Vec3; 3], t: &[Vec3; 3]) -> bool {
    let through = |s: &[Vec3; 3], t: &[Vec3; 3]| {
        [[0, 1], [1, 2], [2, 0]].iter().any(|&[m, n]| {
            let (a, way, normal) = (s[m], s[n] - s[m], (t[1] - t[0]).cross(&(t[2] - t[0])));
            let along = normal.dot(&(t[0] - a)) / normal.dot(&way);
            let x = a + way * along;
            let left = |p: Vec3, q: Vec3| (q - p).cross(&(x - p)).dot(&normal) >= 0.0;
            (0.0..=1.0).contains(&along) && left(t[0], t[1]) && left(t[1], t[2]) && left(t[2], t[0])
        })
    };
    through(s, t) || through(t, s)
}

#[test]
fn triangles_of_one_plane_meet_when_they_overlap() {
    let triangle = |x: f64, y: f64| [[x, y], [x + 1.0, y], [x, y + 1.0]].map(|[x, y]| Vec3::new(x, y, x));
    let first = triangle(0.0, 0.0);
    for (x, y, expected) in
        [(0.25, 0.25, true), (0.0, 0.0, true), (1.0, 0.0, true), (0.75, 0.75, false), (2.0, 0.0, false)]
    {
        assert_eq!(meet(&first, &triangle(x, y)), expected, "{x} {y}");
    }
    // One inside the other.
    let small = first.map(|p| p * 0.1 + Vec3::new(0.2, 0.2, 0.2));
    assert!(meet(&first, &small) && meet(&small, &first));
    // Not in the plane by the least bit.
    let lifted = small.map(|p| p + Vec3::new(0.0, 0.0, 1e-15));
    assert!(!meet(&first, &lifted));
}

proptest! {
    #[test]
    fn meeting_does_not_depend_on_the_order(
        s in [[0..5i8, 0..5, 0..5], [0..5i8, 0..5, 0..5], [0..5i8, 0..5, 0..5]],
        t in [[0..5i8, 0..5, 0..5], [0..5i8, 0..5, 0..5], [0..5i8, 0..5, 0..5]],
    ) {
        let [s, t] = [s, t].map(|c| c.map(|p| Vec3::from(p.map(f64::from))));
        let has_area = |t: &[Vec3; 3]| (t[1] - t[0]).cross(&(t[2] - t[0])).norm() > 0.0;
        prop_assume!(has_area(&s) && has_area(&t));
        let found = meet(&s, &t);
        for [i, j, k] in [[0, 1, 2], [1, 2, 0], [2, 1, 0]] {
            prop_assert_eq!(meet(&[t[i], t[j], t[k]], &s), found);
            prop_assert_eq!(meet(&s, &[t[i], t[j], t[k]]), found);
        }
    }
}

#[test]
fn a_block_of_tetrahedra_is_measured() {
    let block = generate::block(Vec3::new(2.0, 1.0, 1.0), [4, 2, 2]).unwrap();
    let report = examine_tets(&block);
    assert!(report.advice().is_empty(), "{report}");
    assert_eq!((report.components, report.boundary), (1, block.boundary().len()));
    assert!((report.volume - 2.0).abs() < 1e-12);
    assert_eq!(report.shortest_edge, 0.5);
}

#[test]
fn a_regular_tetrahedron_has_the_ratio_one() {
    let points = [[1., 1., 1.], [-1., 1., -1.], [1., -1., -1.], [-1., -1., 1.]].map(Vec3::from).to_vec();
    let mut mesh = TetMesh::new(points, vec![[0, 1, 2, 3]]).unwrap();
    assert!((examine_tets(&mesh).worst_radius_ratio - 1.0).abs() < 1e-12);
    mesh.tets[0].swap(0, 1);
    mesh.tets.push([0, 1, 2, 9]);
    mesh.positions.push(Vec3::zeros());
    let report = examine_tets(&mesh);
    assert_eq!((report.inverted, report.broken, report.unused, report.flat), (1, 1, 1, 0));
    assert_eq!(report.advice().len(), 3);
    assert_eq!(examine_tets(&TetMesh::default()).tets, 0);
}
