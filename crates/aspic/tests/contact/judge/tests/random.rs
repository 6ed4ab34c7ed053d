//! Random triangles of whole numbers, and the answers of whole-number arithmetic.

use std::collections::BTreeSet;

use aspic::Vec3;

use super::super::whole_numbers::{self as whole, Int3};
use super::super::{Kind, crossings, exact, inside};

/// Random numbers that are the same in every run (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From −limit to limit.
    fn int(&mut self, limit: i128) -> i128 {
        i128::from(self.next()).rem_euclid(2 * limit + 1) - limit
    }

    fn point(&mut self, limit: i128) -> Int3 {
        [0; 3].map(|_: i128| self.int(limit))
    }
}

fn floats(points: &[Int3]) -> Vec<Vec3> {
    points.iter().map(|x| Vec3::from(x.map(|c| c as f64))).collect()
}

/// The whole numbers that the nearest floats are.
fn rounded(point: Int3) -> Int3 {
    point.map(|c| c as f64 as i128)
}

#[test]
fn sides_are_exact_where_rounding_hides_them() {
    let mut dice = Dice(1);
    let (mut kinds, mut misled) = ([0; 3], 0);
    for round in 0..60_000 {
        // Two coordinates beyond 53 bits, so that even differences of floats are inexact.
        let tame = round % 3;
        let limit = |i: usize| if i == tame { 1 << 6 } else { 1 << [20, 40, 54][round / 3 % 3] };
        let mut draw = |bound: fn(i128) -> i128| rounded([0, 1, 2].map(|i| dice.int(bound(limit(i)))));
        let (a, b, c) = (draw(|limit| limit), draw(|_| 8), draw(|limit| limit));
        // In the plane but for rounding and, sometimes, a nudge.
        let (s, t) = (dice.int(2), dice.int(2));
        let nudge = if round % 2 == 0 { dice.point(1) } else { [0; 3] };
        let d = rounded([0, 1, 2].map(|i| a[i] + s * (b[i] - a[i]) + t * (c[i] - a[i]) + nudge[i]));

        let truth = whole::det(whole::minus(b, a), whole::minus(c, a), whole::minus(d, a)).signum() as i32;
        let [p, q, r, x] = [a, b, c, d].map(|v| floats(&[v])[0]);
        assert_eq!(exact::side_of_plane([p, q, r], x), truth, "{a:?} {b:?} {c:?} {d:?}");
        kinds[(truth + 1) as usize] += 1;
        let naive = (q - p).cross(&(r - p)).dot(&(x - p));
        misled += usize::from((naive > 0.0, naive < 0.0) != (truth > 0, truth < 0));
    }
    assert!(kinds.iter().all(|&n| n > 1000), "all three answers must occur: {kinds:?}");
    assert!(misled > 1000, "plain arithmetic must fail often, or this proves nothing: {misled}");
}

#[test]
fn segments_meet_triangles_as_in_whole_numbers() {
    let mut dice = Dice(2);
    let mut seen = [0; 2];
    for round in 0..200_000 {
        // Coarse grids give every degenerate case, fine ones the general case.
        let limit = [1, 2, 5, 1000][round % 4];
        let [a, b, c, p, q] = [0; 5].map(|_| dice.point(limit));
        if !whole::has_area([a, b, c]) {
            continue;
        }
        let truth = whole::segment_meets([p, q], [a, b, c]);
        let x = floats(&[a, b, c, p, q]);
        let verdict = exact::meeting([x[3], x[4]], [x[0], x[1], x[2]]);
        assert_eq!(verdict != exact::Meeting::Apart, truth, "{p:?} {q:?} and {a:?} {b:?} {c:?}");
        seen[usize::from(truth)] += 1;
    }
    assert!(seen.iter().all(|&n| n > 10_000), "{seen:?}");
}

#[test]
fn segments_in_the_plane_of_a_triangle_meet_it_as_in_whole_numbers() {
    let mut dice = Dice(3);
    let mut seen = [0; 2];
    for round in 0..50_000 {
        let (a, e, f) = (dice.point(20), dice.point(4), dice.point(4));
        let mut step = |e: Int3, f: Int3| {
            let (s, t) = (dice.int(3), dice.int(3));
            [0, 1, 2].map(|i| a[i] + s * e[i] + t * f[i])
        };
        // Half of the triangles keep a side along e.
        let b = if round % 2 == 0 { step(e, [0; 3]) } else { step(e, f) };
        let (c, p, q) = (step(e, f), step(e, f), step(e, f));
        if !whole::has_area([a, b, c]) {
            continue;
        }
        let truth = whole::segment_meets([p, q], [a, b, c]);
        let x = floats(&[a, b, c, p, q]);
        let verdict = exact::meeting([x[3], x[4]], [x[0], x[1], x[2]]);
        let expected = if truth { exact::Meeting::Touch } else { exact::Meeting::Apart };
        assert_eq!(verdict, expected, "{p:?} {q:?} and {a:?} {b:?} {c:?}");
        assert_eq!(exact::holds([x[0], x[1], x[2]], x[3]), whole::segment_meets([p, p], [a, b, c]));
        seen[usize::from(truth)] += 1;
    }
    assert!(seen.iter().all(|&n| n > 5_000), "{seen:?}");
}

/// Whether two triangles have more in common than their shared vertices, by whole numbers.
fn pair_crosses(points: &[Int3], [first, second]: [[u32; 3]; 2]) -> bool {
    let at = |v: u32| points[v as usize];
    let shared: Vec<u32> = first.into_iter().filter(|v| second.contains(v)).collect();
    let others = |t: [u32; 3]| t.into_iter().filter(|v| !shared.contains(v)).map(at).collect::<Vec<_>>();
    let (x, y) = (others(first), others(second));
    match shared[..] {
        [] => whole::triangles_meet(first.map(at), second.map(at)),
        [tip] => {
            let arms = |x: &[Int3]| [whole::minus(x[0], at(tip)), whole::minus(x[1], at(tip))];
            whole::wedges_meet(arms(&x), arms(&y))
        }
        [a, b] => whole::hinge_is_shut([at(a), at(b)], [x[0], y[0]]),
        _ => true,
    }
}

#[test]
fn two_triangles_cross_when_they_share_more_than_their_vertices() {
    let mut dice = Dice(4);
    let mut seen = [[0; 2]; 4];
    for round in 0..200_000 {
        let limit = [1, 1, 2, 4][round / 4 % 4];
        let points: Vec<Int3> = (0..6).map(|_| dice.point(limit)).collect();
        let shared = round % 4;
        // The second triangle starts with the last vertices of the first, turned by some places.
        let mut second = [0, 1, 2].map(|i| 3 - shared as u32 + i);
        second.rotate_left(dice.int(3).unsigned_abs() as usize % 3);
        let triangles = [[0, 1, 2], second];
        if !triangles.iter().all(|t| whole::has_area(t.map(|v| points[v as usize]))) {
            continue;
        }
        let truth = pair_crosses(&points, triangles);
        let found = crossings(&floats(&points), &triangles);
        assert_eq!(!found.is_empty(), truth, "{points:?} {triangles:?} {found:?}");
        seen[shared][usize::from(truth)] += 1;
    }
    let enough = |n: &[i32; 2], least: i32| n.iter().all(|&n| n > least);
    assert!(seen[..2].iter().all(|n| enough(n, 2000)) && enough(&seen[2], 100), "{seen:?}");
}

/// Edges and triangles that meet without a common vertex, each pair tried.
fn all_meetings(points: &[Int3], triangles: &[[u32; 3]]) -> BTreeSet<([u32; 2], usize)> {
    let mut found = BTreeSet::new();
    for &[a, b, c] in triangles {
        for [v, w] in [[a, b], [b, c], [c, a]] {
            for (t, other) in triangles.iter().enumerate() {
                let apart = !other.contains(&v) && !other.contains(&w);
                let segment = [v, w].map(|v| points[v as usize]);
                if apart && whole::segment_meets(segment, other.map(|v| points[v as usize])) {
                    found.insert(([v.min(w), v.max(w)], t));
                }
            }
        }
    }
    found
}

/// 120 triangles on 150 points in a box that is long along one axis: small ones, and a few of any size.
fn soup(dice: &mut Dice, long_axis: usize) -> (Vec<Int3>, Vec<[u32; 3]>) {
    let mut points: Vec<Int3> = (0..150).map(|_| dice.point(30)).collect();
    points.iter_mut().for_each(|x| x[long_axis] *= 4);
    let mut triangles = vec![];
    while triangles.len() < 120 {
        let numbers = [0; 3].map(|_: u32| (dice.next() % 150) as u32);
        let corners = numbers.map(|v| points[v as usize]);
        let near = |x: &Int3| (0..3).all(|i| (x[i] - corners[0][i]).abs() < 40);
        let any_size = triangles.len() % 10 == 0;
        if (any_size || corners.iter().all(near)) && whole::has_area(corners) {
            triangles.push(numbers);
        }
    }
    (points, triangles)
}

#[test]
fn no_crossing_of_a_random_soup_is_missed_or_made_up() {
    for seed in 0..20 {
        let (points, triangles) = soup(&mut Dice(100 + seed), seed as usize % 3);
        let verdict = crossings(&floats(&points), &triangles);
        let met = verdict.iter().filter(|c| matches!(c.kind, Kind::Pierced | Kind::Touched));
        let met: BTreeSet<_> = met.map(|c| (c.edge, c.triangle)).collect();
        let truth = all_meetings(&points, &triangles);
        assert!(truth.len() > 100, "{}", truth.len());
        assert_eq!(met, truth);
    }
}

#[test]
fn a_point_is_inside_a_tetrahedron_when_no_face_has_it_outside() {
    const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mut dice = Dice(5);
    let mut seen = [0; 2];
    for round in 0..40_000 {
        let limit = [2, 4, 100][round % 3];
        let mut points: Vec<Int3> = (0..4).map(|_| dice.point(limit)).collect();
        let volume = |x: &[Int3], d: Int3| {
            whole::det(whole::minus(x[1], x[0]), whole::minus(x[2], x[0]), whole::minus(d, x[0]))
        };
        match volume(&points, points[3]).signum() {
            0 => continue,
            -1 => points.swap(0, 1),
            _ => (),
        }
        let point = dice.point(limit);
        let truth = FACES.iter().all(|face| volume(&face.map(|v| points[v as usize]), point) <= 0);
        let verdict = inside(floats(&[point])[0], &floats(&points), &FACES);
        assert_eq!(verdict, truth, "{point:?} in {points:?}");
        seen[usize::from(truth)] += 1;
    }
    assert!(seen.iter().all(|&n| n > 1000), "{seen:?}");
}
