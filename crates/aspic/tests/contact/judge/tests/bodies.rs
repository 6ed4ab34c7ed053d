//! Whole bodies: balls and boxes, apart, touching, and one in the other.

use std::time::Instant;

use aspic::Vec3;
use aspic::mesh::generate::{ball, block, torus};
use aspic::mesh::{Pose, TetMesh};

use super::super::{Kind, crossings, inside, inverted};

/// Two bodies as one surface, the second one moved.
fn together(first: &TetMesh, second: &TetMesh, shift: Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut positions = first.positions.clone();
    positions.extend(second.positions.iter().map(|x| x + shift));
    let mut triangles = first.boundary();
    let count = first.positions.len() as u32;
    triangles.extend(second.boundary().iter().map(|t| t.map(|v| v + count)));
    (positions, triangles)
}

fn count(first: &TetMesh, second: &TetMesh, shift: Vec3) -> usize {
    let (positions, triangles) = together(first, second, shift);
    crossings(&positions, &triangles).len()
}

fn cube(edge: f64) -> TetMesh {
    block(Vec3::repeat(edge), [3; 3]).unwrap()
}

#[test]
fn a_body_at_rest_does_not_cross_itself() {
    let ring = torus(0.5, 0.2, 12, 3).unwrap();
    for mut mesh in [ball(1.0, 4).unwrap(), cube(1.0), ring] {
        for tilt in [0.0, 0.7] {
            Pose::new(&[(Vec3::new(1.0, 2.0, 3.0), tilt)], Vec3::repeat(tilt))
                .unwrap()
                .apply(&mut mesh.positions);
            assert_eq!(crossings(&mesh.positions, &mesh.boundary()), []);
            assert_eq!(inverted(&mesh.positions, &mesh.tets), None);
        }
    }
}

#[test]
fn a_mirrored_body_is_inside_out_everywhere() {
    let mut mesh = ball(1.0, 2).unwrap();
    mesh.positions.iter_mut().for_each(|x| x.z = -x.z);
    assert_eq!(inverted(&mesh.positions, &mesh.tets), Some(0));
    assert_eq!(inverted(&mesh.positions, &[mesh.tets.last().unwrap().to_owned()]), Some(0));
    assert_eq!(crossings(&mesh.positions, &mesh.boundary()), [], "its skin alone is sound");
}

#[test]
fn balls_cross_while_their_surfaces_overlap() {
    let (one, other) = (ball(1.0, 4).unwrap(), ball(0.7, 3).unwrap());
    let along = Vec3::new(1.0, 0.3, -0.2).normalize();
    assert!(count(&one, &other, along) > 0);
    assert!(count(&one, &other, 1.6 * along) > 0);
    assert_eq!(count(&one, &other, 1.7000001 * along), 0);
    assert_eq!(count(&one, &other, 5.0 * along), 0);
}

#[test]
fn balls_that_overlap_pierce_each_other_on_both_sides() {
    let (positions, triangles) =
        together(&ball(1.0, 4).unwrap(), &ball(1.0, 3).unwrap(), Vec3::new(0.9, 0.1, 0.2));
    let found = crossings(&positions, &triangles);
    let first = ball(1.0, 4).unwrap().boundary().len();
    assert!(found.iter().all(|c| c.kind == Kind::Pierced));
    assert!(found.iter().any(|c| c.triangle < first) && found.iter().any(|c| c.triangle >= first));
}

#[test]
fn boxes_a_trillionth_of_a_metre_apart_do_not_cross() {
    let (one, other) = (cube(1.0), block(Vec3::new(1.0, 0.7, 0.4), [2, 3, 1]).unwrap());
    for (gap, crosses) in [(1e-12, false), (f64::EPSILON, false), (0.0, true), (-1e-12, true)] {
        let shift = Vec3::new(1.0 + gap, 0.05, 0.01);
        assert_eq!(count(&one, &other, shift) > 0, crosses, "gap {gap}");
    }
}

#[test]
fn tilting_does_not_close_a_gap_or_open_an_overlap() {
    let (one, other) = (cube(1.0), block(Vec3::new(1.0, 0.7, 0.4), [2, 3, 1]).unwrap());
    let tilt = Pose::new(&[(Vec3::new(3.0, -1.0, 2.0), 1.1)], Vec3::new(0.3, 0.2, 0.1)).unwrap();
    for (gap, crosses) in [(1e-12, false), (-1e-12, true)] {
        let (mut positions, triangles) = together(&one, &other, Vec3::new(1.0 + gap, 0.05, 0.01));
        tilt.apply(&mut positions);
        assert_eq!(!crossings(&positions, &triangles).is_empty(), crosses, "gap {gap}");
    }
}

#[test]
fn a_ball_swallowed_whole_crosses_nothing_but_is_inside() {
    let (large, small) = (ball(1.0, 4).unwrap(), ball(0.3, 2).unwrap());
    let shift = Vec3::new(0.2, -0.3, 0.4);
    assert_eq!(count(&large, &small, shift), 0);
    let skin = large.boundary();
    assert!(small.positions.iter().all(|x| inside(x + shift, &large.positions, &skin)));
    assert!(small.positions.iter().all(|x| !inside(x + 2.5 * shift.normalize(), &large.positions, &skin)));
    let own = small.boundary();
    assert!(large.surface_vertices().iter().all(|&v| !inside(
        large.positions[v as usize] - shift,
        &small.positions,
        &own
    )));
}

#[test]
fn a_box_holds_its_lattice_points_whatever_faces_they_line_up_with() {
    let (mesh, skin) = (cube(2.0), cube(2.0).boundary());
    let steps = (-6..=6).map(|i| f64::from(i) / 4.0);
    for (x, y, z) in steps
        .clone()
        .flat_map(|x| steps.clone().map(move |y| (x, y)))
        .flat_map(|(x, y)| [-1.25, -1.0, -1.0 / 3.0, 0.0, 1.0, 1.0 + f64::EPSILON].map(|z| (x, y, z)))
    {
        let point = Vec3::new(x, y, z);
        assert_eq!(inside(point, &mesh.positions, &skin), point.amax() <= 1.0, "{point}");
    }
}

#[test]
fn the_hole_of_a_ring_is_outside_and_its_flesh_inside() {
    let ring = torus(0.5, 0.2, 12, 3).unwrap();
    let skin = ring.boundary();
    for tet in &ring.tets {
        let centre = tet.iter().map(|&v| ring.positions[v as usize]).sum::<Vec3>() / 4.0;
        assert!(inside(centre, &ring.positions, &skin));
        assert!(!inside(Vec3::new(0.1 * centre.x, 0.1 * centre.y, centre.z), &ring.positions, &skin));
    }
}

#[test]
fn ten_thousand_triangles_take_less_than_two_seconds() {
    let one = ball(1.0, 16).unwrap();
    for (shift, crosses) in [(Vec3::new(2.01, 0.0, 0.0), false), (Vec3::new(0.9, 0.1, 0.2), true)] {
        let (positions, triangles) = together(&one, &one, shift);
        assert!(triangles.len() > 10_000);
        let start = Instant::now();
        let found = crossings(&positions, &triangles);
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!(!found.is_empty(), crosses);
        assert!(seconds < 2.0, "{seconds} s");
    }
}
