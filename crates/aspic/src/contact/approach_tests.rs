//! Tests of the safe fraction.

use super::*;
use crate::contact::tests_support::{KINDS, Random};

const SLACK: f64 = 0.2;

fn moved(x: &[Vec3; 4], dx: &[Vec3; 4], t: f64) -> [Vec3; 4] {
    std::array::from_fn(|i| x[i] + t * dx[i])
}

fn distance(kind: Kind, x: &[Vec3; 4]) -> f64 {
    closest(kind, x).distance()
}

/// The least distance at many places of the way up to t.
fn least_on_the_way(kind: Kind, x: &[Vec3; 4], dx: &[Vec3; 4], t: f64) -> f64 {
    (0..=400).map(|i| distance(kind, &moved(x, dx, t * f64::from(i) / 400.0))).fold(f64::INFINITY, f64::min)
}

/// Motions of all sorts: slow and fast, random, grazing, along an edge, turning, head-on, mostly common.
fn motion(random: &mut Random, kind: Kind, x: &[Vec3; 4]) -> [Vec3; 4] {
    let speed = random.decade(-2.0, 3.0);
    let common = random.decade(-2.0, 3.0) * random.vector();
    let n = closest(kind, x).normal();
    let slide = random.vector().cross(&n);
    let sink = random.decade(-6.0, 0.0) * n;
    let turn = 3.0 * random.vector();
    let along = x[3] - x[1];
    let sort = (random.unit() * 6.0) as usize;
    let mut dx: [Vec3; 4] = std::array::from_fn(|i| {
        let sign = if i == 0 || (kind == Kind::EdgeEdge && i == 1) { -1.0 } else { 1.0 };
        match sort {
            0 => speed * random.vector(),
            1 => sign * speed * (slide + sink),
            2 => sign * speed * along,
            3 => turn.cross(&x[i]) + sign * sink,
            4 => sign * speed * (n + 0.2 * random.vector()),
            _ => common + random.vector(),
        }
    });
    match kind {
        Kind::PointPoint => (dx[2], dx[3]) = (dx[1], dx[1]),
        Kind::PointEdge => dx[3] = dx[2],
        Kind::PointTriangle | Kind::EdgeEdge => (),
    }
    dx
}

#[test]
fn nothing_comes_closer_than_the_separation() {
    let mut random = Random(21);
    let (mut stopped, mut free) = (0, 0);
    for trial in 0..24_000 {
        let kind = KINDS[trial % 4];
        let x = if trial % 3 == 0 { random.degenerate(kind) } else { random.points(kind) };
        let d = distance(kind, &x);
        let separation = if trial % 5 == 0 { 0.0 } else { d * random.unit() };
        if d - separation < 1e-9 {
            continue;
        }
        let dx = motion(&mut random, kind, &x);
        let t = safe_fraction(kind, &x, &dx, separation, SLACK, 1.0);
        assert!((0.0..=1.0).contains(&t));
        let least = least_on_the_way(kind, &x, &dx, t);
        let kept = separation + SLACK * (d - separation);
        // positions far on a fast way are rounded by their own size
        let rounding = 1e-15 * dx.iter().map(Vec3::norm).sum::<f64>();
        assert!(least > separation && least > kept - 1e-14 - rounding, "{kind:?} {x:?} {dx:?} {t} {least}");
        if t < 1.0 { stopped += 1 } else { free += 1 }
    }
    assert!(stopped > 3000 && free > 3000, "{stopped} {free}");
}

#[test]
fn the_way_is_not_much_shorter_than_it_could_be() {
    let mut random = Random(22);
    let (mut tried, mut short) = (0, 0);
    for trial in 0..8000 {
        let kind = KINDS[trial % 4];
        let x = random.points(kind);
        let d = distance(kind, &x);
        if d < 0.01 {
            continue;
        }
        let dx = motion(&mut random, kind, &x);
        let t = safe_fraction(kind, &x, &dx, 0.0, SLACK, 1.0);
        // just beyond the answer the gap is nearly down to the share that must be kept
        tried += 1;
        short += usize::from(t < 1.0 && least_on_the_way(kind, &x, &dx, t) > 1.2 * SLACK * d);
    }
    assert!(tried > 5000 && short == 0, "{short} of {tried}");
}

#[test]
fn parting_pairs_go_the_whole_way() {
    let mut random = Random(23);
    for trial in 0..4000 {
        let kind = KINDS[trial % 4];
        let x = random.points(kind);
        let found = closest(kind, &x);
        let n = found.normal();
        // every point of the first moves along n, every point of the second against it, and all slide
        let slide = random.vector().cross(&n);
        let first = if kind == Kind::EdgeEdge { 2 } else { 1 };
        let dx: [Vec3; 4] = std::array::from_fn(|i| {
            (if i < first { 1.0 } else { -1.0 }) * (1e-3 + random.unit()) * n + 10.0 * slide
        });
        let half = 0.5 * found.distance();
        assert_eq!(safe_fraction(kind, &x, &dx, half, SLACK, 0.7), 0.7, "{kind:?} {x:?}");
        assert_eq!(safe_fraction(kind, &x, &[Vec3::zeros(); 4], half, SLACK, 1.0), 1.0);
    }
}

#[test]
fn a_head_on_approach_stops_at_the_slack() {
    let mut random = Random(24);
    for trial in 0..4000 {
        let kind = KINDS[trial % 4];
        let x = random.points(kind);
        let found = closest(kind, &x);
        let (d, n) = (found.distance(), found.normal());
        let (separation, speed) = (0.3 * d, d * random.decade(0.1, 3.0));
        let mut dx = [Vec3::zeros(); 4];
        dx[0] = -speed * n;
        if kind == Kind::EdgeEdge {
            dx[1] = dx[0];
        }
        let exact = (d - separation) / speed;
        let t = safe_fraction(kind, &x, &dx, separation, SLACK, 1.0);
        assert!(t >= 0.9 * (1.0 - SLACK) * exact && t <= exact, "{kind:?}: {t} of {exact}");
    }
}

#[test]
fn without_a_gap_nothing_moves() {
    let x = [Vec3::z(), Vec3::zeros(), Vec3::x(), Vec3::y()];
    let away = [Vec3::z(), Vec3::zeros(), Vec3::zeros(), Vec3::zeros()];
    for separation in [1.0, 1.5] {
        assert_eq!(safe_fraction(Kind::PointTriangle, &x, &away, separation, SLACK, 1.0), 0.0);
    }
    for kind in KINDS {
        assert_eq!(safe_fraction(kind, &[Vec3::y(); 4], &away, 0.0, SLACK, 1.0), 0.0);
    }
}

#[test]
fn a_bullet_does_not_pass_a_triangle() {
    let triangle = [Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];
    for speed in [1e1, 1e4, 1e8] {
        let x = [Vec3::new(0.1, 0.0, 1.0), triangle[0], triangle[1], triangle[2]];
        let dx = [Vec3::new(0.01, 0.02, -1.0) * speed, Vec3::zeros(), Vec3::zeros(), Vec3::zeros()];
        let t = safe_fraction(Kind::PointTriangle, &x, &dx, 1e-3, SLACK, 1.0);
        let exact = (1.0 - 1e-3) / speed;
        assert!((t / exact - (1.0 - SLACK)).abs() < 1e-9, "{t} {exact}");
    }
}

#[test]
fn the_least_fraction_does_not_depend_on_the_order_of_the_pairs() {
    let mut random = Random(25);
    let pairs: Vec<_> = (0..200)
        .map(|trial| {
            let kind = KINDS[trial % 4];
            let x = random.points(kind);
            let dx = motion(&mut random, kind, &x);
            (kind, x, dx)
        })
        .collect();
    let run = |limit: f64, (kind, x, dx): &(Kind, [Vec3; 4], [Vec3; 4])| {
        safe_fraction(*kind, x, dx, 0.0, SLACK, limit)
    };
    let forward = pairs.iter().fold(1.0, run);
    let backward = pairs.iter().rev().fold(1.0, run);
    let alone = pairs.iter().map(|pair| run(1.0, pair)).fold(1.0, f64::min);
    assert!(forward == backward && forward == alone && forward < 1.0 && forward > 0.0);
}

/// A triangle that tilts about the place below a point, with a gap far smaller than the way of its corners. The point rises
/// by more than the tilt takes from their distance. Rounding of the coordinates leaves some digits of the gap.
#[test]
fn a_tiny_gap_over_a_tilting_triangle_holds_up_nothing() {
    let mut random = Random(26);
    for trial in 0..1000 {
        let (separation, gap, tilt) = (random.decade(-3.0, -2.0), random.decade(-11.0, -9.0), 1e-3);
        let mut x = random.points(Kind::PointTriangle);
        let n = (x[2] - x[1]).cross(&(x[3] - x[1])).normalize();
        x[0] = (x[1] + x[2] + x[3]) / 3.0 + (separation + gap) * n;
        let dx = [separation * tilt * tilt * 100.0, 2.0 * tilt, -tilt, -tilt].map(|way| way * n);
        let upright = least_on_the_way(Kind::PointTriangle, &x, &dx, 1.0) - separation;
        // Slim triangles tilt by more.
        if distance(Kind::PointTriangle, &x) - separation < 0.9 * gap || upright < 0.9 * gap {
            continue;
        }
        let t = safe_fraction(Kind::PointTriangle, &x, &dx, separation, SLACK, 1.0);
        assert!(t == 1.0, "trial {trial}: {t} with a gap of {gap:e} over {separation:e}");
    }
}

/// The end of an upright edge just above a long edge below: the normal is known to few digits, and that across both edges
/// is another one.
#[test]
fn an_edge_that_stands_on_a_long_edge_is_not_held_by_rounding() {
    let mut random = Random(27);
    for trial in 0..1000 {
        let along = random.vector().normalize();
        let up = random.vector().cross(&along).normalize();
        let place = random.vector();
        let foot = place + 1e-8 * random.decade(0.0, 2.0) * up;
        let x = [foot, foot + up, place - 3.0 * along, place + 2.5 * along];
        for sign in [1.0, -1.0] {
            let dx = [sign * up, sign * up, Vec3::zeros(), Vec3::zeros()];
            let t = safe_fraction(Kind::EdgeEdge, &x, &dx, 1e-9, SLACK, 1.0);
            let room = if sign > 0.0 { 1.0 } else { 0.7 * (distance(Kind::EdgeEdge, &x) - 1e-9) };
            assert!(t >= room, "trial {trial}: {t} of {room}");
        }
    }
}

/// A point just beyond an edge of a triangle, whichever of the three it is: the normal is known to few digits, and that of the
/// face is another one.
#[test]
fn a_point_beside_any_edge_of_a_triangle_is_not_held_by_rounding() {
    let mut random = Random(28);
    for trial in 0..3000 {
        let corners: [Vec3; 3] = std::array::from_fn(|_| random.vector());
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        if normal.norm() < 0.1 {
            continue;
        }
        let [from, to] = [trial % 3, (trial + 1) % 3];
        let along = (corners[to] - corners[from]).normalize();
        let (up, out) = (normal.normalize(), along.cross(&normal.normalize()));
        let (separation, gap) = (1e-8, random.decade(-10.0, -9.0));
        let lean = 0.5 * std::f64::consts::PI * random.unit();
        let away = up * lean.cos() + out * lean.sin();
        let foot = corners[from].lerp(&corners[to], 0.1 + 0.8 * random.unit());
        let x = [foot + away * (separation + gap), corners[0], corners[1], corners[2]];
        let found = distance(Kind::PointTriangle, &x) - separation;
        for sign in [1.0, -1.0] {
            let dx = [sign * away, Vec3::zeros(), Vec3::zeros(), Vec3::zeros()];
            let t = safe_fraction(Kind::PointTriangle, &x, &dx, separation, SLACK, 1.0);
            let room = if sign > 0.0 { 1.0 } else { 0.7 * found };
            assert!(t >= room, "trial {trial}, lean {lean}: {t} of {room}");
        }
    }
}
