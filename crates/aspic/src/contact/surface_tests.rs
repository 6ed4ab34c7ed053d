//! What a surface knows about itself, and what it refuses.

use super::part::{Part, Skin, SurfaceError};
use super::reach::ContactDistance;
use super::surface::Surface;
use crate::Vec3;
use crate::mesh::generate;

const NOTHING: Part = Part {
    body: 0,
    triangles: &[],
    loose_edges: &[],
    loose_points: &[],
    radius: 0.0,
    fixed: false,
    self_contact: true,
};

/// The corners of a unit square, and one point above.
fn square() -> Surface {
    let points = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0., 0., 2.]];
    Surface::new(points.map(Vec3::from).to_vec())
}

fn refusal(part: Part) -> SurfaceError {
    let mut surface = square();
    let error = surface.add(&part).unwrap_err();
    assert!(surface.parts().is_empty() && (0..5).all(|p| surface.part_of(p).is_none()));
    error
}

#[test]
fn wrong_triangles_are_refused_with_the_culprit() {
    let with = |triangles| refusal(Part { triangles, ..NOTHING });
    let error = with(&[[0, 1, 2], [0, 2, 2]]);
    assert_eq!(error, SurfaceError::RepeatedPoint { triangle: 1, corners: [0, 2, 2] });
    let error = with(&[[0, 1, 2], [0, 2, 3], [2, 1, 0]]);
    assert_eq!(error, SurfaceError::DuplicateTriangle { corners: [0, 1, 2] });
    assert_eq!(with(&[[0, 1, 5]]), SurfaceError::BadIndex { point: 5, points: 5 });
    let mut line = Surface::new((0..3).map(|i| Vec3::repeat(i as f64)).collect());
    let error = line.add(&Part { triangles: &[[0, 1, 2]], ..NOTHING }).unwrap_err();
    assert!(matches!(error, SurfaceError::FlatTriangle { triangle: 0, .. }));
    let mut lost = Surface::new(vec![Vec3::repeat(f64::NAN)]);
    let error = lost.add(&Part { loose_points: &[0], ..NOTHING }).unwrap_err();
    assert_eq!(error, SurfaceError::NotFinite { point: 0 });
}

#[test]
fn wrong_loose_edges_and_points_are_refused_with_the_culprit() {
    let with = |loose_edges| refusal(Part { triangles: &[[0, 1, 2]], loose_edges, ..NOTHING });
    assert_eq!(with(&[[2, 3], [3, 3]]), SurfaceError::ShortEdge { edge: 1, ends: [3, 3] });
    assert_eq!(with(&[[2, 0]]), SurfaceError::DuplicateEdge { ends: [0, 2] });
    assert_eq!(with(&[[2, 3], [3, 2]]), SurfaceError::DuplicateEdge { ends: [2, 3] });
    let with = |loose_points| refusal(Part { loose_edges: &[[0, 1]], loose_points, ..NOTHING });
    assert_eq!(with(&[2, 1]), SurfaceError::DuplicatePoint { point: 1 });
    assert_eq!(with(&[2, 2]), SurfaceError::DuplicatePoint { point: 2 });
    for radius in [-1.0, f64::INFINITY] {
        assert_eq!(refusal(Part { radius, ..NOTHING }), SurfaceError::BadRadius { radius });
    }
}

#[test]
fn a_point_belongs_to_one_part() {
    let mut surface = square();
    assert_eq!(surface.add(&Part { body: 7, triangles: &[[0, 1, 2]], radius: 0.5, ..NOTHING }), Ok(0));
    let error = surface.add(&Part { loose_edges: &[[3, 2]], ..NOTHING }).unwrap_err();
    assert_eq!(error, SurfaceError::SharedPoint { point: 2 });
    assert_eq!((surface.part_of(3), surface.body_of(3)), (None, None));
    assert_eq!(surface.add(&Part { body: 8, loose_edges: &[[3, 4]], fixed: true, ..NOTHING }), Ok(1));
    assert_eq!((surface.body_of(2), surface.radius_at(2), surface.is_fixed(2)), (Some(7), 0.5, false));
    assert_eq!((surface.body_of(4), surface.radius_at(4), surface.is_fixed(4)), (Some(8), 0.0, true));
}

#[test]
fn edges_lengths_and_sizes_of_a_square_are_its_own() {
    let mut surface = square();
    surface.add(&Part { triangles: &[[0, 1, 2], [2, 3, 0]], ..NOTHING }).unwrap();
    let part = &surface.parts()[0];
    assert_eq!(part.edges, [[0, 1], [0, 2], [0, 3], [1, 2], [2, 3]]);
    assert_eq!(part.rest_lengths_squared, [1.0, 2.0, 1.0, 1.0, 1.0]);
    assert_eq!((part.median_edge, part.box_sides), (Some(1.0), Vec3::new(1.0, 1.0, 0.0)));
    assert_eq!(part.points, [0, 1, 2, 3]);
    assert_eq!(surface.rest_length_squared([0, 2]), 2.0);
    // Size 1.414 m: 1/500 of it is less than 1/100 of an edge; a large scene lifts both.
    let automatic = |scene_size: f64| ContactDistance::automatic(&surface, scene_size).of(0);
    assert!((automatic(1.0) - 0.002 * 2f64.sqrt()).abs() < 1e-17 && (automatic(1e4) - 0.02).abs() < 1e-16);
}

#[test]
fn contact_distance_of_what_deforms_follows_the_edges_near_by() {
    // A strip of squares of 1, 1 and 1/10: the edges of the narrow one are short in one direction only.
    let x = [0.0, 1.0, 2.0, 2.1];
    let points: Vec<Vec3> =
        x.iter().flat_map(|&x| [Vec3::new(x, 0.0, 0.0), Vec3::new(x, 1.0, 0.0)]).collect();
    let triangles: Vec<[u32; 3]> =
        (0..3).flat_map(|k| [[2 * k, 2 * k + 2, 2 * k + 1], [2 * k + 1, 2 * k + 2, 2 * k + 3]]).collect();
    let mut surface = Surface::new(points);
    surface.add(&Part { triangles: &triangles, self_contact: true, ..NOTHING }).unwrap();
    let distance = ContactDistance::automatic(&surface, 1.0);
    // 1/100 of the median edge of 1, but 1/500 of a size of √(2.1² + 1).
    let widest = 0.002 * 2.1_f64.hypot(1.0);
    assert!((distance.of(0) - widest).abs() < 1e-15 && (distance.between(0, 0) - widest).abs() < 1e-15);
    let at = |point: u32| distance.at_plane_from(0, 0, point);
    assert_eq!(at(0), widest);
    // The last corner has edges of 0.1 and 1.
    assert!((at(7) - widest * 0.55).abs() < 1e-15, "{}", at(7));
    assert_eq!(distance.between_points([0, 0], &[0, 7, 2, 3]), at(7));
}

#[test]
fn the_finer_part_decides_the_contact_distance() {
    let distance = ContactDistance::new(vec![0.3, 0.1]);
    assert_eq!((distance.between(0, 1), distance.between(0, 0)), (0.1, 0.3));
}

#[test]
fn a_solid_is_closed_a_sheet_is_open_and_a_book_is_no_manifold() {
    let ball = generate::ball(1.0, 3).unwrap();
    assert_eq!(Skin::of(&ball.boundary()), Skin::default());
    let torn = Skin::of(&ball.boundary()[1..]);
    assert!(!torn.closed() && torn.manifold());
    let sheet = Skin::of(&[[0, 1, 2], [2, 3, 0]]);
    assert_eq!((sheet.open_edge, sheet.closed(), sheet.manifold()), (Some([0, 1]), false, true));
    let book = Skin::of(&[[0, 1, 2], [1, 0, 3], [0, 1, 4]]);
    assert_eq!((book.crowded_edge, book.manifold()), (Some([0, 1]), false));
}

#[test]
fn every_point_and_every_edge_of_a_part_has_one_owner() {
    let torus = generate::torus(1.0, 0.3, 12, 4).unwrap();
    let count = torus.positions.len() as u32;
    let mut rest = torus.positions.clone();
    rest.extend((0..4).map(|i| Vec3::new(3.0, 0.0, i as f64)));
    let mut surface = Surface::new(rest);
    let rope = [[0, 1], [2, 1]].map(|edge| edge.map(|i| count + i));
    let part =
        Part { triangles: &torus.boundary(), loose_edges: &rope, loose_points: &[count + 3], ..NOTHING };
    surface.add(&part).unwrap();
    let part = &surface.parts()[0];
    let mut points: Vec<u32> = part.primitives.iter().flat_map(|p| p.owned_points()).collect();
    points.sort_unstable();
    assert_eq!(points, part.points);
    let mut edges: Vec<[u32; 2]> = part.primitives.iter().flat_map(|p| p.owned_edges()).collect();
    edges.sort_unstable();
    assert_eq!(edges, part.edges);
    // Euler's formula for a torus with a tail: V − E + F = 0, the rope adds 3 points and 2 edges, the last a point.
    let flat = part.points.len() + part.triangles.len();
    assert_eq!(flat - part.edges.len(), 2);
}

#[test]
fn bodies_touch_unless_both_are_fixed_or_they_are_excluded() {
    let mut surface = square();
    for (point, body, fixed) in [(0, 0, false), (1, 0, false), (2, 1, true), (3, 2, true)] {
        surface.add(&Part { body, loose_points: &[point], fixed, ..NOTHING }).unwrap();
    }
    let touching = |surface: &Surface| {
        let all = (0..4).flat_map(|a| (a..4).map(move |b| (a, b)));
        all.filter(|&(a, b)| surface.may_touch(a, b)).collect::<Vec<_>>()
    };
    let free = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)];
    assert_eq!(touching(&surface), free);
    surface.exclude(2, 0);
    assert_eq!(touching(&surface), [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)]);
    surface.exclude(0, 0);
    assert_eq!(touching(&surface), [(0, 2), (1, 2)]);
}
