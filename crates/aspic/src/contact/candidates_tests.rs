//! The list of candidates against looking at everything.

use std::collections::{BTreeMap, BTreeSet};

use super::candidates::Candidates;
use super::pair::{Kind, Pair};
use super::part::Part;
use super::reach::ContactDistance;
use super::surface::Surface;
use crate::Vec3;
use crate::mesh::{TetMesh, generate};

/// SplitMix64: numbers that look random and are the same everywhere.
pub(super) struct Dice(pub u64);

impl Dice {
    /// Between −1 and 1.
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.roll(), self.roll(), self.roll())
    }
}

/// A part that owns its lists.
#[derive(Clone, Default)]
pub(super) struct Piece {
    pub body: u32,
    pub triangles: Vec<[u32; 3]>,
    pub edges: Vec<[u32; 2]>,
    pub points: Vec<u32>,
    pub radius: f64,
    pub fixed: bool,
    pub self_contact: bool,
}

/// The box of a point and how far it may go.
type Room = ([Vec3; 2], f64);

/// Pieces with paths and contact distances.
#[derive(Clone, Default)]
pub(super) struct Scene {
    pieces: Vec<Piece>,
    pub x: Vec<Vec3>,
    pub x_end: Vec<Vec3>,
    pub distance: Vec<f64>,
    excluded: Vec<(u32, u32)>,
}

impl Scene {
    /// Adds points on their paths and a piece with numbers that count from the first of them.
    pub fn add(&mut self, piece: Piece, paths: impl Iterator<Item = (Vec3, Vec3)>, distance: f64) {
        let first = self.x.len() as u32;
        for (from, to) in paths {
            self.x.push(from);
            self.x_end.push(to);
        }
        let Piece { triangles, edges, points, .. } = &piece;
        let triangles = triangles.iter().map(|t| t.map(|p| p + first)).collect();
        let edges = edges.iter().map(|e| e.map(|p| p + first)).collect();
        let points = points.iter().map(|p| p + first).collect();
        self.pieces.push(Piece { triangles, edges, points, ..piece });
        self.distance.push(distance);
    }

    /// A solid, turned, shifted, moving and shaking.
    fn solid(&mut self, mesh: &TetMesh, place: Vec3, way: Vec3, dice: &mut Dice, distance: f64) {
        let turn = nalgebra::Rotation3::new(dice.vector() * 3.0);
        let paths = mesh.positions.iter().map(|p| {
            let x = turn * p + place;
            (x, x + way + dice.vector() * distance)
        });
        let paths: Vec<_> = paths.collect();
        let body = self.pieces.len() as u32;
        let piece = Piece { body, triangles: mesh.boundary(), self_contact: true, ..Piece::default() };
        self.add(piece, paths.into_iter(), distance);
    }

    pub fn surface(&self) -> Surface {
        let mut surface = Surface::new(self.x.clone());
        for p in &self.pieces {
            let part = Part {
                body: p.body,
                triangles: &p.triangles,
                loose_edges: &p.edges,
                loose_points: &p.points,
                radius: p.radius,
                fixed: p.fixed,
                self_contact: p.self_contact,
            };
            surface.add(&part).unwrap();
        }
        self.excluded.iter().for_each(|&(a, b)| surface.exclude(a, b));
        surface
    }

    pub fn candidates(&self) -> Candidates {
        let surface = self.surface();
        let mut candidates = Candidates::new(&surface);
        candidates.rebuild(&surface, &self.x, &self.x_end, &ContactDistance::new(self.distance.clone()));
        candidates
    }

    fn may_touch(&self, a: usize, b: usize) -> bool {
        let (p, q) = (&self.pieces[a], &self.pieces[b]);
        let excluded = |&(i, j): &(u32, u32)| (i, j) == (p.body, q.body) || (j, i) == (p.body, q.body);
        let own = p.body != q.body || p.self_contact && q.self_contact;
        own && !(p.fixed && q.fixed) && !self.excluded.iter().any(excluded)
    }

    /// Every pair that may touch at all, with the distance below which it is felt.
    fn everything(&self) -> BTreeSet<(Pair, u64)> {
        let mut all = BTreeSet::new();
        for a in 0..self.pieces.len() {
            for b in (0..self.pieces.len()).filter(|&b| self.may_touch(a, b)) {
                let (p, q) = (&self.pieces[a], &self.pieces[b]);
                let range = self.distance[a].min(self.distance[b]);
                let floor = 0.001 * range + p.radius + q.radius;
                // A body does not feel itself at rest, and here everything starts at rest.
                let felt = |pair: &Pair| match distance(pair, &self.x) {
                    rest if p.body == q.body => range.min(rest / 2.0) + floor.min(rest / 4.0),
                    _ => range + floor,
                };
                let pairs = one_way(p, q).into_iter().filter(|pair| !shares(pair));
                all.extend(pairs.map(|pair| (pair, felt(&pair).to_bits())));
            }
        }
        all
    }

    /// The box of a point and how far it may go in it, as the method says. Points inside solids are in no part.
    fn room(&self, point: u32) -> Room {
        let i = point as usize;
        let holds = |p: &Piece| points_of(p).contains(&point);
        let part = self.pieces.iter().position(holds).filter(|&part| !self.pieces[part].fixed);
        let room = part.map_or(0.0, |part| self.distance[part]);
        let wide = Vec3::repeat(room + (self.x_end[i] - self.x[i]).norm() / 4.0);
        let (lo, hi) = (self.x[i].inf(&self.x_end[i]) - wide, self.x[i].sup(&self.x_end[i]) + wide);
        ([lo, hi], (self.x[i] - lo).sup(&(hi - self.x[i])).norm())
    }

    /// The room of points in their own part: what is left of a path when the part's shift, or its best shift and turn
    /// by least squares, are taken off.
    fn own_rooms(&self) -> BTreeMap<u32, Room> {
        let own = (0..self.pieces.len()).filter(|&part| self.may_touch(part, part));
        own.flat_map(|part| self.rooms_in(part)).collect()
    }

    fn rooms_in(&self, part: usize) -> Vec<(u32, Room)> {
        let points: BTreeSet<u32> = points_of(&self.pieces[part]).into_iter().collect();
        let points: Vec<u32> = points.into_iter().collect();
        let (at, to): (Vec<Vec3>, Vec<Vec3>) =
            points.iter().map(|&p| (self.x[p as usize], self.x_end[p as usize])).unzip();
        let unit = |k: usize| Vec3::ith(k % 3, 1.0);
        let turn = |x: Vec3, k: usize| if k < 3 { unit(k) } else { unit(k).cross(&x) };
        let rigid = nalgebra::DMatrix::from_fn(3 * points.len(), 6, |row, k| turn(at[row / 3], k)[row % 3]);
        let moved =
            nalgebra::DVector::from_fn(3 * points.len(), |row, _| (to[row / 3] - at[row / 3])[row % 3]);
        let best = rigid.clone().svd(true, true).solve(&moved, 1e-12).unwrap();
        let left = &moved - rigid * best;
        let shift = (0..points.len()).map(|k| to[k] - at[k]).sum::<Vec3>() / points.len() as f64;
        let reach = |k: usize| 1.25 * Vec3::from_fn(|i, _| left[3 * k + i]).norm();
        let path = |k: usize| to[k] - at[k] - shift;
        let sides = |k: usize| path(k).abs().sum() + 6.0 * path(k).norm() / 4.0;
        let turns = (0..points.len()).map(|k| 6.0 * reach(k) - sides(k)).sum::<f64>() < 0.0;
        let room = |k: usize| {
            let (reach, end) = (self.distance[part] + reach(k), if turns { at[k] } else { at[k] + path(k) });
            let wide = if turns { reach } else { self.distance[part] + path(k).norm() / 4.0 };
            ([at[k].inf(&end).add_scalar(-wide), at[k].sup(&end).add_scalar(wide)], reach)
        };
        points.iter().enumerate().map(|(k, &p)| (p, room(k))).collect()
    }

    fn part_of(&self, point: u32) -> Option<usize> {
        self.pieces.iter().position(|p| points_of(p).contains(&point))
    }

    /// The list as the method defines it, by looking at every pair.
    fn expected(&self) -> Vec<Pair> {
        let rooms: Vec<_> = (0..self.x.len() as u32).map(|p| self.room(p)).collect();
        let own_rooms = self.own_rooms();
        let parts: Vec<_> = (0..self.x.len() as u32).map(|p| self.part_of(p)).collect();
        let side = |points: &[u32], own: bool| {
            let of = |p: &u32| if own { own_rooms[p] } else { rooms[*p as usize] };
            points
                .iter()
                .map(of)
                .reduce(|(a, r), (b, s)| ([a[0].inf(&b[0]), a[1].sup(&b[1])], r.max(s)))
                .unwrap()
        };
        let near = |(pair, felt): &(Pair, u64)| {
            let felt = f64::from_bits(*felt);
            let (first, second) = sides(pair);
            let own = parts[first[0] as usize] == parts[second[0] as usize];
            let ((a, r), (b, s)) = (side(first, own), side(second, own));
            let gap = (b[0] - a[1]).sup(&(a[0] - b[1])).sup(&Vec3::zeros()).norm();
            gap <= felt && distance(pair, &self.x) < felt + r + s
        };
        self.everything().into_iter().filter(near).map(|(pair, _)| pair).collect()
    }

    /// Every pair that is felt somewhere on the way to `x_end` must be listed. Says how many are.
    fn check_way(&self, candidates: &Candidates, x_end: &[Vec3]) -> usize {
        let all = self.everything();
        let mut felt_pairs = BTreeSet::new();
        for step in 0..=20 {
            let t = step as f64 / 20.0;
            let now: Vec<Vec3> = self.x.iter().zip(x_end).map(|(a, b)| a + (b - a) * t).collect();
            let felt = all.iter().filter(|(pair, felt)| distance(pair, &now) < f64::from_bits(*felt));
            felt_pairs.extend(felt.map(|(pair, _)| *pair));
        }
        for pair in &felt_pairs {
            assert!(candidates.sorted().binary_search(pair).is_ok(), "{pair:?} is missing");
        }
        felt_pairs.len()
    }

    /// Ends anywhere in the boxes of the points. Where a part may touch itself, all go a common share of their paths,
    /// not quite where they should.
    fn other_end(&self, dice: &mut Dice) -> Vec<Vec3> {
        let own = self.own_rooms();
        let common = 0.5 + 0.65 * dice.roll();
        let within = |p: u32| {
            if own.contains_key(&p) {
                let (i, part) = (p as usize, self.part_of(p).unwrap());
                return self.x[i]
                    + common * (self.x_end[i] - self.x[i])
                    + dice.vector() * (0.3 * self.distance[part]);
            }
            let [lo, hi] = self.room(p).0;
            let share = dice.vector().map(|c| c.clamp(-0.999, 0.999));
            (lo + hi) / 2.0 + (hi - lo).component_mul(&share) / 2.0
        };
        (0..self.x.len() as u32).map(within).collect()
    }

    /// All claims about one scene. Says how many pairs were felt.
    pub fn check(&self, dice: &mut Dice) -> usize {
        let candidates = self.candidates();
        assert_eq!(candidates.sorted(), self.expected());
        assert!(candidates.covers(&self.x) && candidates.covers(&self.x_end));
        let felt = self.check_way(&candidates, &self.x_end);
        let mut other_way = || {
            let other = self.other_end(dice);
            assert!(candidates.covers(&other));
            self.check_way(&candidates, &other)
        };
        felt + (0..3).map(|_| other_way()).sum::<usize>()
    }
}

fn points_of(piece: &Piece) -> Vec<u32> {
    [piece.triangles.concat(), piece.edges.concat(), piece.points.clone()].concat()
}

fn shares(pair: &Pair) -> bool {
    let (first, second) = sides(pair);
    first.iter().any(|p| second.contains(p))
}

fn sides(pair: &Pair) -> (&[u32], &[u32]) {
    match pair.kind {
        Kind::EdgeEdge => pair.points.split_at(2),
        _ => pair.points.split_at(1),
    }
}

/// Points of p against triangles, loose edges and loose points of q; edges of both.
fn one_way(p: &Piece, q: &Piece) -> BTreeSet<Pair> {
    let on_triangles = p.triangles.concat();
    let bare = |point: &&u32| !on_triangles.contains(point);
    let mut found = BTreeSet::new();
    for &v in &points_of(p) {
        found.extend(
            q.triangles.iter().map(|&[a, b, c]| Pair { kind: Kind::PointTriangle, points: [v, a, b, c] }),
        );
    }
    for &v in points_of(p).iter().filter(bare) {
        found.extend(q.edges.iter().map(|&[a, b]| Pair { kind: Kind::PointEdge, points: [v, a, b, b] }));
    }
    for &v in &p.points {
        let higher = q.points.iter().filter(|&&w| w > v);
        found.extend(higher.map(|&w| Pair { kind: Kind::PointPoint, points: [v, w, w, w] }));
    }
    for e in edges_of(p) {
        let higher = edges_of(q).into_iter().filter(|f| *f > e);
        found.extend(higher.map(|f| Pair { kind: Kind::EdgeEdge, points: [e[0], e[1], f[0], f[1]] }));
    }
    found
}

fn edges_of(piece: &Piece) -> BTreeSet<[u32; 2]> {
    let sides = piece.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    sides.chain(piece.edges.iter().copied()).map(|[a, b]| [a.min(b), a.max(b)]).collect()
}

/// The smallest of the distances to the borders, and of the straight way between the insides where there is one.
fn distance(pair: &Pair, x: &[Vec3]) -> f64 {
    let [p, a, b, c] = pair.points.map(|i| x[i as usize]);
    match pair.kind {
        Kind::PointPoint => (p - a).norm(),
        Kind::PointEdge => to_segment(p, a, b),
        Kind::PointTriangle => {
            let border = to_segment(p, a, b).min(to_segment(p, b, c)).min(to_segment(p, c, a));
            let n = (b - a).cross(&(c - a));
            let inside = [(a, b), (b, c), (c, a)].iter().all(|(s, e)| (e - s).cross(&(p - s)).dot(&n) > 0.0);
            if inside { border.min((p - a).dot(&n).abs() / n.norm()) } else { border }
        }
        Kind::EdgeEdge => {
            let ends = to_segment(p, b, c).min(to_segment(a, b, c));
            let ends = ends.min(to_segment(b, p, a)).min(to_segment(c, p, a));
            let (u, v) = (a - p, c - b);
            let n = u.cross(&v);
            let (s, t) = ((b - p).cross(&v).dot(&n), (b - p).cross(&u).dot(&n));
            let inside = |share: f64| share > 0.0 && share < n.norm_squared();
            if inside(s) && inside(t) { ends.min((b - p).dot(&n).abs() / n.norm()) } else { ends }
        }
    }
}

fn to_segment(p: Vec3, a: Vec3, b: Vec3) -> f64 {
    let t = (p - a).dot(&(b - a)) / (b - a).norm_squared();
    (p - a - (b - a) * t.clamp(0.0, 1.0)).norm()
}

/// Triangles, loose edges and points thrown into a box: three bodies, the last fixed.
fn soup(dice: &mut Dice, speed: f64) -> Scene {
    let mut scene = Scene::default();
    for body in 0..3 {
        let mut piece = Piece { body, self_contact: body != 1, fixed: body == 2, ..Piece::default() };
        piece.radius = 0.01 * body as f64;
        piece.triangles = (0..8).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        piece.triangles.extend([[0, 1, 3], [1, 2, 4]]);
        piece.edges = (0..8).map(|k| [24 + k, 25 + k]).chain([[0, 24]]).collect();
        piece.points = (33..40).collect();
        let paths: Vec<(Vec3, Vec3)> = (0..40).map(|_| (dice.vector(), dice.vector() * speed)).collect();
        scene.add(piece, paths.into_iter().map(|(x, d)| (x, x + d)), 0.02 + 0.03 * body as f64);
    }
    scene
}

#[test]
fn random_soups_give_the_list_that_looking_at_everything_gives() {
    let mut dice = Dice(1);
    let mut felt = 0;
    for round in 0..12 {
        felt += soup(&mut dice, [0.0, 0.05, 0.5][round % 3]).check(&mut dice);
    }
    assert!(felt > 5000, "only {felt} pairs came near");
}

#[test]
fn solids_at_random_poses_give_the_list_that_looking_at_everything_gives() {
    let mut dice = Dice(2);
    let block = generate::block(Vec3::new(0.8, 0.5, 0.6), [2, 1, 2]).unwrap();
    let ball = generate::ball(0.4, 1).unwrap();
    let torus = generate::torus(0.5, 0.15, 6, 4).unwrap();
    let mut felt = 0;
    for _ in 0..10 {
        let mut scene = Scene::default();
        for mesh in [&block, &ball, &torus] {
            let (place, way) = (dice.vector() * 0.6, dice.vector() * 0.3);
            scene.solid(mesh, place, way, &mut dice, 0.02);
        }
        felt += scene.check(&mut dice);
    }
    assert!(felt > 1000, "only {felt} pairs came near");
}

#[test]
fn small_balls_on_a_huge_floor_give_the_list_that_looking_at_everything_gives() {
    let mut dice = Dice(3);
    let ball = generate::ball(0.1, 2).unwrap();
    let mut scene = Scene::default();
    let corners = [[-50.0, -40.0, 0.0], [60.0, -50.0, 0.0], [0.0, 70.0, 0.0]].map(Vec3::from);
    let floor = Piece { body: 9, triangles: vec![[0, 1, 2]], fixed: true, ..Piece::default() };
    scene.add(floor, corners.into_iter().map(|x| (x, x)), 5.0);
    for k in 0..4 {
        let place = Vec3::new(0.15 * k as f64, 0.0, 0.12);
        scene.solid(&ball, place, Vec3::new(0.0, 0.0, -0.05), &mut dice, 2e-3);
    }
    assert!(scene.check(&mut dice) > 100);
    // The floor feels no more than the balls do: not every point of them.
    let on_floor = |pair: &&Pair| pair.kind == Kind::PointTriangle && pair.points[1..] == [0, 1, 2];
    let listed = scene.candidates().sorted().iter().filter(on_floor).count();
    assert!(listed > 0 && listed < 2 * ball.surface_vertices().len(), "{listed}");
}

/// Two unit squares of two triangles, one shifted against the other, both at rest.
fn two_squares(shift: Vec3) -> Scene {
    let square = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]].map(Vec3::from);
    let mut scene = Scene::default();
    for body in 0..2 {
        let piece = Piece { body, triangles: vec![[0, 1, 2], [2, 3, 0]], ..Piece::default() };
        scene.add(piece, square.map(|x| x + shift * body as f64).into_iter().map(|x| (x, x)), 0.01);
    }
    scene
}

#[test]
fn parallel_and_coplanar_squares_without_motion_miss_nothing() {
    let mut dice = Dice(4);
    // Face on face, side by side, corner on corner, in the same place, and one into the other's plane.
    let shifts = [[0., 0., 0.005], [1.005, 0., 0.], [1.004, 1.004, 0.], [0., 0., 0.], [0.5, 0.25, 0.]];
    for shift in shifts {
        assert!(two_squares(shift.into()).check(&mut dice) > 0, "{shift:?}");
    }
    assert_eq!(two_squares(Vec3::new(0.0, 0.0, 0.2)).candidates().sorted(), []);
}

#[test]
fn nearly_parallel_edges_are_not_lost_by_round_off() {
    // Edges that cross at an angle of 1e-9 far from the origin: solving for the closest points fails there.
    for tilt in [0.0, 1e-16, 1e-12, 1e-9, 1e-6] {
        let mut scene = Scene::default();
        let far = Vec3::new(100.0, -200.0, 300.0);
        for body in 0..2 {
            let slope = Vec3::new(0.0, tilt * body as f64, 0.009 * body as f64);
            let ends =
                [Vec3::new(-1.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0)].map(|e| e + far + slope * e.x.abs());
            let piece = Piece { body, edges: vec![[0, 1]], ..Piece::default() };
            scene.add(piece, ends.into_iter().map(|x| (x, x)), 0.01);
        }
        let candidates = scene.candidates();
        let kinds: Vec<Kind> = candidates.sorted().iter().map(|pair| pair.kind).collect();
        let points = [Kind::PointEdge; 4];
        assert_eq!(kinds, [&points[..], &[Kind::EdgeEdge]].concat(), "{tilt}");
    }
}

#[test]
fn excluded_bodies_give_no_pairs() {
    let mut scene = soup(&mut Dice(5), 0.3);
    let body = |scene: &Scene, p: u32| scene.pieces.iter().find(|q| points_of(q).contains(&p)).unwrap().body;
    scene.excluded = vec![(1, 0), (0, 0)];
    let candidates = scene.candidates();
    let mut seen = BTreeSet::new();
    for pair in candidates.sorted() {
        let (first, second) = sides(&pair);
        let bodies = [body(&scene, first[0]), body(&scene, second[0])];
        seen.insert([bodies[0].min(bodies[1]), bodies[0].max(bodies[1])]);
    }
    assert!(seen.into_iter().eq([[0, 2], [1, 2]]));
    assert_eq!(candidates.near_parts().collect::<Vec<_>>(), [[0, 2], [1, 2]]);
    assert_eq!(candidates.sorted(), scene.expected());
}

#[test]
fn a_list_covers_paths_until_a_point_leaves_its_box() {
    let scene = two_squares(Vec3::new(0.0, 0.0, 0.1));
    let surface = scene.surface();
    let mut candidates = Candidates::new(&surface);
    assert!(!candidates.covers(&scene.x), "there is no list yet");
    let distance = ContactDistance::new(vec![0.01, 0.01]);
    let mut x_end = scene.x.clone();
    x_end[0].x += 0.2;
    candidates.rebuild(&surface, &scene.x, &x_end, &distance);
    // Point 0 has its path, 0.01 m and a quarter of 0.2 m; point 1 stays and has 0.01 m.
    let moved = |point: usize, by: f64| {
        let mut x = scene.x.clone();
        x[point].x += by;
        candidates.covers(&x)
    };
    assert!(moved(0, 0.259) && !moved(0, 0.261) && moved(0, -0.059) && !moved(0, -0.061));
    assert!(moved(1, 0.009) && !moved(1, 0.011) && moved(1, -0.009) && !moved(1, -0.011));
    assert!(!moved(2, f64::NAN));
}

#[test]
fn the_list_is_the_same_with_any_number_of_threads() {
    let mut dice = Dice(6);
    let ball = generate::ball(0.5, 4).unwrap();
    let mut scene = Scene::default();
    for k in 0..3 {
        let place = Vec3::new(0.97 * k as f64, 0.0, 0.0);
        scene.solid(&ball, place, Vec3::new(0.01 * k as f64, 0.0, 0.0), &mut dice, 0.01);
    }
    let lists = [1, 2, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| scene.candidates().sorted())
    });
    assert!(lists[0].len() > 100);
    assert!(lists[0] == lists[1] && lists[0] == lists[2]);
    assert!(lists[0].windows(2).all(|two| two[0] < two[1]), "sorted, each once");
}

#[test]
fn a_list_that_is_rebuilt_is_as_good_as_new() {
    let mut dice = Dice(7);
    let (first, mut second) = (soup(&mut dice, 0.8), soup(&mut dice, 0.05));
    second.distance = vec![0.01; 3];
    let surface = first.surface();
    let mut candidates = Candidates::new(&surface);
    for scene in [&first, &second, &first] {
        let distance = ContactDistance::new(scene.distance.clone());
        candidates.rebuild(&surface, &scene.x, &scene.x_end, &distance);
        assert_eq!(candidates.sorted(), scene.expected());
    }
}
