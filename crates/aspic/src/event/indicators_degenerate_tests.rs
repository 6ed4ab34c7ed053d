//! Motions that no general position has, and what they must give.

use super::*;

fn still(x: f64, y: f64, z: f64) -> Path {
    Path::line(Vec3::new(x, y, z), Vec3::new(x, y, z))
}

fn moving(from: [f64; 3], to: [f64; 3]) -> Path {
    Path::line(Vec3::from(from), Vec3::from(to))
}

/// The face x, y ≥ 0, x + y ≤ 1 at z = 0, seen from above.
fn face() -> [Path; 3] {
    [still(0.0, 0.0, 0.0), still(1.0, 0.0, 0.0), still(0.0, 1.0, 0.0)]
}

fn hit(vertex: &Path) -> Option<Touch> {
    let [a, b, c] = face();
    vertex_face(vertex, [&a, &b, &c])
}

/// The edge along x with a solid below, and an edge along `across` with a solid above, from `low` to `end`.
fn edges(across: Vec3, start: Vec3, end: Vec3) -> Option<Touch> {
    let first = [still(-1.0, 0.0, 0.0), still(1.0, 0.0, 0.0), still(0.0, 1.0, -1.0), still(0.0, -1.0, -1.0)];
    let side = across.cross(&Vec3::z());
    let second =
        [-across, across, Vec3::z() + side, Vec3::z() - side].map(|x| Path::line(x + start, x + end));
    let a = Wedge { ends: [&first[0], &first[1]], opposite: [&first[2], &first[3]] };
    let b = Wedge { ends: [&second[0], &second[1]], opposite: [&second[2], &second[3]] };
    edge_edge(&a, &b)
}

#[test]
fn a_vertex_falling_on_a_face_touches_at_its_height() {
    let touch = hit(&moving([0.25, 0.5, 1.0], [0.25, 0.5, -3.0])).unwrap();
    assert!(touch.u <= 0.25 && touch.u > 0.25 - 1e-12);
    let expected = [1.0, -0.25, -0.25, -0.5];
    assert!(touch.weights.iter().zip(expected).all(|(w, e)| (w - e).abs() < 1e-12), "{touch:?}");
}

#[test]
fn a_vertex_from_inside_does_not_touch() {
    assert_eq!(hit(&moving([0.25, 0.5, -1.0], [0.25, 0.5, 3.0])), None);
}

#[test]
fn a_vertex_that_meets_the_rim_or_a_corner_touches() {
    for [x, y] in [[0.5, 0.5], [0.5, 0.0], [0.0, 0.3], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]] {
        let touch = hit(&moving([x, y, 1.0], [x, y, -1.0])).unwrap();
        assert!((touch.u - 0.5).abs() < 1e-12 && touch.weights[1..].iter().all(|w| *w <= 0.0));
    }
}

#[test]
fn a_vertex_on_the_common_edge_of_two_faces_never_slips_through() {
    let mut random = Random(31);
    for _ in 0..2000 {
        let [a, b, c, d] = [(); 4].map(|()| random.vector());
        let s = random.unit();
        let aim = a + s * (b - a);
        let ways = [c - a, d - a].map(|arm| (b - a).cross(&arm).normalize());
        let down = ways[0] - ways[1]; // below both faces (a, b, c) and (b, a, d)
        if (a - b).norm() < 0.1 || down.norm() < 0.1 {
            continue;
        }
        let vertex = Path::line(aim + down, aim - 1.7 * down);
        let still = [a, b, c, d].map(|x| Path::line(x, x));
        let touches = [[0, 1, 2], [1, 0, 3]].map(|face| vertex_face(&vertex, face.map(|k| &still[k])));
        assert!(touches.iter().any(Option::is_some), "{touches:?}");
    }
}

#[test]
fn motion_in_the_plane_of_the_face_is_no_touch() {
    assert_eq!(hit(&moving([-1.0, 0.25, 0.0], [2.0, 0.25, 0.0])), None);
}

#[test]
fn a_vertex_at_rest_is_no_touch() {
    for z in [-1.0, 0.0, 1.0] {
        assert_eq!(hit(&still(0.25, 0.25, z)), None);
    }
}

#[test]
fn a_vertex_that_grazes_the_face_is_no_touch() {
    let (v, x) = (Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.25, 0.25, 0.25));
    assert_eq!(hit(&Path::hermite(x, -v, x, v, 1.0)), None); // z = (u − 1/2)²
    let lower = x - Vec3::new(0.0, 0.0, 1e-9);
    assert!(hit(&Path::hermite(lower, -v, lower, v, 1.0)).is_some());
}

#[test]
fn a_vertex_that_starts_in_the_face_touches_only_if_it_goes_inside() {
    assert_eq!(hit(&moving([0.25, 0.25, 0.0], [0.25, 0.25, -1.0])).map(|touch| touch.u), Some(0.0));
    assert_eq!(hit(&moving([0.25, 0.25, 0.0], [0.25, 0.25, 1.0])), None);
    // one that ends in the face touches in the next step
    assert_eq!(hit(&moving([0.25, 0.25, 1.0], [0.25, 0.25, 0.0])), None);
}

#[test]
fn a_vertex_that_passes_beside_the_face_first_is_seen_when_it_comes_back() {
    // down beside the face, up beside it, down inside: z = −(u − 0.2)(u − 0.5)(u − 0.8), x from −0.5 to 0.5
    let z = |u: f64| -(u - 0.2) * (u - 0.5) * (u - 0.8);
    let rate = -(0.5 * 0.8 + 0.2 * 0.8 + 0.2 * 0.5);
    let [start, end] = [Vec3::new(-0.5, 0.25, z(0.0)), Vec3::new(0.5, 0.25, z(1.0))];
    let speed = Vec3::new(1.0, 0.0, rate);
    let touch = hit(&Path::hermite(start, speed, end, speed, 1.0)).unwrap();
    assert!((touch.u - 0.8).abs() < 1e-9, "{touch:?}");
}

#[test]
fn a_face_without_area_is_no_touch() {
    let line = [still(0.0, 0.0, 0.0), still(1.0, 0.0, 0.0), still(2.0, 0.0, 0.0)];
    let vertex = moving([0.5, 0.0, 1.0], [0.5, 0.0, -1.0]);
    assert_eq!(vertex_face(&vertex, [&line[0], &line[1], &line[2]]), None);
}

#[test]
fn crossed_edges_touch_and_give_the_place() {
    for across in [Vec3::y(), -Vec3::y(), Vec3::new(0.5, 1.0, 0.0)] {
        let touch = edges(across, 2.0 * Vec3::z(), -Vec3::z()).unwrap();
        assert!((touch.u - 2.0 / 3.0).abs() < 1e-12);
        assert!(touch.weights.iter().zip([0.5, 0.5, -0.5, -0.5]).all(|(w, e)| (w - e).abs() < 1e-12));
    }
    // back up again, from inside to outside, and past each other
    assert_eq!(edges(Vec3::y(), -Vec3::z(), 2.0 * Vec3::z()), None);
    assert_eq!(edges(Vec3::y(), Vec3::new(1.5, 0.0, 2.0), Vec3::new(1.5, 0.0, -1.0)), None);
}

#[test]
fn parallel_edges_are_no_touch() {
    assert_eq!(edges(Vec3::x(), 2.0 * Vec3::z(), -Vec3::z()), None);
    assert_eq!(edges(Vec3::x(), Vec3::new(0.3, 0.2, 2.0), Vec3::new(-0.1, 0.1, -1.0)), None);
}

#[test]
fn edges_that_meet_end_to_inside_touch() {
    let shift = Vec3::new(0.2, 1.0, 0.0); // an end of the second on the inside of the first
    assert!(edges(Vec3::y(), shift + Vec3::z(), shift - Vec3::z()).is_some());
}

#[test]
fn edges_at_rest_or_sliding_in_their_plane_are_no_touch() {
    assert_eq!(edges(Vec3::y(), Vec3::zeros(), Vec3::zeros()), None);
    assert_eq!(edges(Vec3::y(), Vec3::zeros(), 0.5 * Vec3::x()), None);
    assert_eq!(edges(Vec3::y(), Vec3::zeros(), -Vec3::z()).map(|touch| touch.u), Some(0.0));
    assert_eq!(edges(Vec3::y(), Vec3::zeros(), Vec3::z()), None);
}

#[test]
fn motions_that_are_no_numbers_are_no_touch() {
    let broken = Path([Vec3::repeat(f64::NAN); 4]);
    assert_eq!(hit(&broken), None);
    assert_eq!(edges(Vec3::y(), Vec3::repeat(f64::NAN), Vec3::zeros()), None);
}
