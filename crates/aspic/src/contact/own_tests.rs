//! Parts that move as a whole do not come nearer to themselves.

use nalgebra::Rotation3;

use super::candidates::Candidates;
use super::candidates_tests::{Dice, Piece, Scene};
use super::closest;
use super::law::{Contact, Friction};
use super::near::Near;
use super::pair::Pair;
use super::reach::ContactDistance;
use super::sweep::near_parts;
use crate::Vec3;
use crate::mesh::generate;

/// A sheet folded to a U: two legs of 5 by 2 squares with sides 0.1, joined at x = 0.
fn fold(gap: f64) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let place = |k: i32| Vec3::new(0.1 * (k.abs() - 1).max(0) as f64, 0.0, 0.5 * gap * k.signum() as f64);
    let rows = (-5..=5).filter(|k| *k != 0);
    let points = rows.flat_map(|k| (0..3).map(move |j| place(k) + Vec3::new(0.0, 0.1 * j as f64, 0.0)));
    let square = |i: u32, j: u32| {
        let [a, b] = [3 * i + j, 3 * i + j + 3];
        [[a, b, a + 1], [b, b + 1, a + 1]]
    };
    let triangles = (0..9).flat_map(|i| (0..2).flat_map(move |j| square(i, j)));
    (points.collect(), triangles.collect())
}

/// A fold that closes while it flies by `flight` and turns by `turn`, along chords.
fn closing_fold(dice: &mut Dice, flight: f64, turn: f64) -> Scene {
    let (points, triangles) = fold(0.04);
    let pose = Rotation3::new(dice.vector() * 3.0);
    let (way, axis) = (dice.vector().normalize() * flight, dice.vector().normalize());
    // The legs also slide along each other. A turn along chords widens the gap, which must close all the more.
    let shut = |p: &Vec3| Vec3::new(p.x + 0.1 * p.z, p.y, p.z * (1.0 - 2.45 * p.x));
    let paths = points.iter().map(|p| {
        let (x, closed) = (pose * p, pose * shut(p));
        (x, closed + axis.cross(&closed) * turn + way)
    });
    let mut scene = Scene::default();
    scene.add(Piece { triangles, self_contact: true, ..Piece::default() }, paths, 0.01);
    scene
}

#[test]
fn a_fold_that_closes_in_flight_lists_every_pair_that_it_feels() {
    let mut dice = Dice(11);
    for (flight, turn) in [(0.0, 0.0), (1.0, 0.0), (20.0, 0.0), (0.0, 0.5), (0.0, 5.0), (20.0, 5.0)] {
        let felt: usize = (0..3).map(|_| closing_fold(&mut dice, flight, turn).check(&mut dice)).sum();
        assert!(felt > 0, "{flight} {turn}");
    }
}

#[test]
fn shells_of_one_body_list_every_pair_that_they_feel() {
    let mut dice = Dice(12);
    let (points, triangles) = fold(0.04);
    let mut scene = Scene::default();
    for k in 0..2 {
        let piece =
            Piece { triangles: triangles.clone(), self_contact: true, radius: 0.002, ..Piece::default() };
        let up = Vec3::new(0.0, 0.0, 0.065 * k as f64);
        let way = Vec3::new(0.3, 0.0, -0.03 * k as f64);
        scene.add(piece, points.iter().map(|p| (p + up, p + up + way)), 0.01);
    }
    assert!(scene.check(&mut dice) > 0);
}

/// A ball with its own contact distance so wide that neighbours are listed, and a way for each point.
fn ball(way: impl Fn(&Vec3) -> Vec3) -> Scene {
    let mesh = generate::ball(0.5, 4).unwrap();
    let piece = Piece { triangles: mesh.boundary(), self_contact: true, ..Piece::default() };
    let mut scene = Scene::default();
    scene.add(piece, mesh.positions.iter().map(|x| (*x, x + way(x))), 0.05);
    scene
}

#[test]
fn a_ball_lists_as_many_pairs_in_flight_and_in_a_spin_as_at_rest() {
    let still = ball(|_| Vec3::zeros()).candidates().sorted();
    assert!(still.len() > 100, "{}", still.len());
    let axis = Vec3::new(0.3, -0.5, 0.8);
    for speed in [0.1, 1.0, 10.0] {
        assert_eq!(ball(|_| axis * speed).candidates().sorted(), still, "flight {speed}");
        assert_eq!(ball(|x| axis.cross(x) * speed).candidates().sorted(), still, "spin {speed}");
        let both = ball(|x| axis * speed + axis.cross(x) * speed);
        assert_eq!(both.candidates().sorted(), still, "both {speed}");
    }
}

#[test]
fn a_list_covers_a_common_motion_but_no_point_that_leaves_its_part() {
    let axis = Vec3::new(0.0, 0.0, 1.0);
    let scene = ball(|x| Vec3::new(5.0, 0.0, 0.0) + 2.0 * axis.cross(x));
    let candidates = scene.candidates();
    let at = |share: f64, point: usize, by: f64| {
        let mut x: Vec<Vec3> = scene.x.iter().zip(&scene.x_end).map(|(a, b)| a + (b - a) * share).collect();
        x[point].x += by;
        candidates.covers(&x)
    };
    let point = scene.surface().parts()[0].points[7] as usize;
    for share in [0.0, 0.3, 1.0, 1.1] {
        // The contact distance is 0.05 m; one of many points takes the whole part along a little.
        assert!(at(share, point, 0.049) && at(share, point, -0.049), "{share}");
        assert!(!at(share, point, 0.053) && !at(share, point, -0.053), "{share}");
    }
    assert!(!at(0.5, point, f64::NAN));
    // On its way, but 1.2 times as large.
    let other: Vec<Vec3> = scene.x.iter().map(|x| x + Vec3::new(2.5, 0.0, 0.0) + x * 0.2).collect();
    assert!(!candidates.covers(&other), "it swells");
}

#[test]
fn pairs_of_one_body_are_felt_where_they_push() {
    let scene = closing_fold(&mut Dice(13), 0.0, 0.0);
    let (surface, distance) = (scene.surface(), ContactDistance::new(scene.distance.clone()));
    let mut candidates = Candidates::new(&surface);
    candidates.rebuild(&surface, &scene.x, &scene.x_end, &distance);
    let whole = super::bounds::Bounds { lo: Vec3::zeros(), hi: Vec3::zeros() };
    let mut meetings = vec![];
    near_parts(&surface, &distance, &[whole], &mut vec![], &mut meetings);
    let contact = Contact {
        surface,
        half_spaces: vec![],
        first_plane_body: 1,
        distance,
        stiffness_scale: 1.0,
        friction: Friction::default(),
        backing: vec![],
    };
    assert!(!candidates.sorted().is_empty());
    for pair in candidates.sorted() {
        let near = Near::new(&contact, pair);
        let felt = meetings[0].felt(|| rest(&scene, &pair));
        assert!((felt / (near.range + near.floor) - 1.0).abs() < 1e-12, "{pair:?}");
    }
}

fn rest(scene: &Scene, pair: &Pair) -> f64 {
    closest(pair.kind, &pair.points.map(|p| scene.x[p as usize])).distance()
}

#[test]
fn pairs_of_a_part_are_kept_while_its_shape_is_and_found_anew_when_it_changes() {
    let scene = ball(|_| Vec3::zeros());
    let (surface, distance) = (scene.surface(), ContactDistance::new(scene.distance.clone()));
    let paths = |to: &dyn Fn(&Vec3) -> Vec3| scene.x.iter().map(to).collect::<Vec<Vec3>>();
    let mut candidates = Candidates::new(&surface);
    candidates.rebuild(&surface, &scene.x, &scene.x, &distance);
    let still = candidates.sorted();
    candidates.rebuild(&surface, &scene.x, &paths(&|x| x + Vec3::new(3.0, 0.0, 0.0)), &distance);
    assert_eq!(candidates.sorted(), still);
    let squashed = |by: f64| paths(&|x| Vec3::new(x.x, x.y, x.z * (1.0 - by)));
    let fresh = |to: &[Vec3]| {
        let mut fresh = Candidates::new(&surface);
        fresh.rebuild(&surface, &scene.x, to, &distance);
        fresh.sorted()
    };
    candidates.rebuild(&surface, &scene.x, &squashed(0.9), &distance);
    let flat = candidates.sorted();
    assert!(flat.len() > still.len() && flat == fresh(&squashed(0.9)));
    // Half of that way has room in the list of the whole way.
    candidates.rebuild(&surface, &scene.x, &squashed(0.45), &distance);
    assert_eq!(candidates.sorted(), flat);
    let needed = fresh(&squashed(0.45));
    assert!(needed.len() < flat.len() && needed.iter().all(|pair| flat.binary_search(pair).is_ok()));
    candidates.forget();
    candidates.rebuild(&surface, &scene.x, &squashed(0.45), &distance);
    assert_eq!(candidates.sorted(), needed);
}
