//! The flood against a test of every single point.

use super::super::{Graph, closed};
use super::*;
use crate::mesh::{Pose, TetMesh, generate};

/// A small generator of random numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }
}

/// Whether a point is inside, by the solid angle of all triangles: 4π inside, 0 outside (van Oosterom & Strackee).
fn surrounded(point: &Vec3, skin: &[[u32; 3]], x: &[Vec3]) -> bool {
    let angle: f64 = skin
        .iter()
        .map(|face| {
            let [a, b, c] = face.map(|p| x[p as usize] - point);
            let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
            let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
            2.0 * a.dot(&b.cross(&c)).atan2(below)
        })
        .sum();
    angle > std::f64::consts::TAU
}

/// A body whose points are appended to `x`.
fn shape(mesh: &TetMesh, pose: &Pose, x: &mut Vec<Vec3>) -> Shape {
    let first = x.len() as u32;
    let mut placed = mesh.positions.clone();
    pose.apply(&mut placed);
    x.extend(placed);
    let triangles: Vec<[u32; 3]> = mesh.boundary().iter().map(|t| t.map(|p| p + first)).collect();
    let mut points: Vec<u32> = triangles.iter().flatten().copied().collect();
    points.sort_unstable();
    points.dedup();
    let skin = closed(&triangles, x).unwrap();
    Shape { points, graph: Graph::new(&triangles, &[]), skin, ..Shape::default() }
}

#[test]
fn the_flood_finds_just_the_points_inside_of_random_bodies() {
    let meshes = [
        generate::ball(0.5, 3).unwrap(),
        generate::block(Vec3::new(1.0, 0.7, 0.5), [3, 2, 2]).unwrap(),
        generate::torus(0.5, 0.2, 14, 8).unwrap(),
        generate::block(Vec3::new(1.5, 0.2, 0.2), [6, 1, 1]).unwrap(),
    ];
    let mut random = Random(1);
    let (mut partly, mut points) = (0, 0);
    for round in 0..300 {
        let mut x = vec![];
        let [one, other] = [round % 4, (round / 4) % 4].map(|which| {
            let turn = (random.vector(), 3.0 * random.signed());
            let pose = Pose::new(&[turn], random.vector() * 0.45).unwrap();
            shape(&meshes[which], &pose, &mut x)
        });
        for (a, b) in [(&one, &other), (&other, &one)] {
            let found = a.enclosed_by(b, &x);
            let inside = |&p: &u32| surrounded(&x[p as usize], &b.skin, &x);
            let expected: Vec<u32> = a.points.iter().copied().filter(inside).collect();
            // A body that is inside as a whole has no edge that is cut.
            let whole = expected.len() == a.points.len();
            assert!(
                found == expected || (whole && found.is_empty()),
                "round {round}: {found:?} {expected:?}"
            );
            partly += usize::from(!whole && !found.is_empty());
            points += found.len();
        }
    }
    assert!(partly > 200 && points > 2000, "{partly} partly inside, {points} points");
}

#[test]
fn an_edge_through_the_rim_between_two_faces_is_cut_once() {
    // The diagonal of the top face of a box is such a rim.
    let mesh = generate::block(Vec3::repeat(2.0), [1, 1, 1]).unwrap();
    let mut x = vec![];
    let block = shape(&mesh, &Pose::default(), &mut x);
    let first = x.len() as u32;
    x.extend([Vec3::new(0.0, 0.0, 0.5), Vec3::new(0.0, 0.0, 1.5), Vec3::new(0.0, 0.0, 3.0)]);
    let lines = [[first, first + 1], [first + 1, first + 2]];
    let rope = Shape {
        points: vec![first, first + 1, first + 2],
        graph: Graph::new(&[], &lines),
        ..Shape::default()
    };
    assert_eq!(rope.enclosed_by(&block, &x), [first]);
}

#[test]
fn the_way_out_is_the_shortest_and_has_the_weights_of_its_face() {
    let mesh = generate::block(Vec3::repeat(2.0), [1, 1, 1]).unwrap();
    let mut x = vec![];
    let block = shape(&mesh, &Pose::default(), &mut x);
    let point = x.len() as u32;
    x.push(Vec3::new(0.2, -0.8, 0.1));
    let mut hits = vec![];
    push_out(&[point], &block, &x, [1, 0], &mut hits);
    let hit = hits[0];
    assert!((hit.normal + Vec3::y()).norm() < 1e-12 && (hit.depth - 0.2).abs() < 1e-12, "{hit:?}");
    let way: Vec3 = hit.ends().map(|(p, c)| x[p as usize] * c).sum();
    assert!((way - Vec3::y() * 0.2).norm() < 1e-12, "{way}");
}

#[test]
fn open_surfaces_have_no_inside_and_inward_ones_are_turned() {
    let mesh = generate::block(Vec3::repeat(1.0), [1, 1, 1]).unwrap();
    let outward = mesh.boundary();
    assert_eq!(closed(&outward, &mesh.positions).unwrap(), outward);
    let inward: Vec<[u32; 3]> = outward.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let turned = closed(&inward, &mesh.positions).unwrap();
    assert!(surrounded(&Vec3::zeros(), &turned, &mesh.positions));
    assert!(!surrounded(&Vec3::zeros(), &inward, &mesh.positions));
    assert_eq!(closed(&outward[1..], &mesh.positions), None);
    assert_eq!(closed(&[], &mesh.positions), None);
}

#[test]
fn segments_pass_through_triangles_where_signed_volumes_say_so() {
    let mut random = Random(9);
    let volume = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| (b - a).cross(&(c - a)).dot(&(d - a));
    let mut through = 0;
    for _ in 0..5000 {
        let [p, q, a, b, c] = std::array::from_fn(|_| random.vector());
        let sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
        let around = sides.iter().all(|v| *v > 0.0) || sides.iter().all(|v| *v < 0.0);
        let (below, above) = (volume(a, b, c, p), volume(a, b, c, q));
        let expected = around && below * above < 0.0;
        let found = pierce(&p, &q, [&a, &b, &c]);
        assert_eq!(found.is_some(), expected);
        if let Some((t, out)) = found {
            through += 1;
            assert!((t - below / (below - above)).abs() < 1e-9 && out == (above > 0.0));
        }
    }
    assert!(through > 100, "{through}");
}
