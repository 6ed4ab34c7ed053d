//! Tests of the closest points.

use super::*;
use crate::contact::tests_support::{KINDS, Random, firsts};

/// The greatest distance between two points  \[m\].
fn size(x: &[Vec3; 4]) -> f64 {
    let mut size = 0.0_f64;
    for a in x {
        for b in x {
            size = size.max((a - b).norm());
        }
    }
    size
}

/// A lower bound on the distance of two convex sets: their gap along a unit vector.
fn gap_along(kind: Kind, x: &[Vec3; 4], n: &Vec3) -> f64 {
    let (first, second) = x.split_at(firsts(kind));
    let low = first.iter().map(|p| n.dot(p)).fold(f64::INFINITY, f64::min);
    let high = second.iter().map(|p| n.dot(p)).fold(f64::NEG_INFINITY, f64::max);
    low - high
}

fn assert_weights(kind: Kind, x: &[Vec3; 4], found: &Closest) {
    let (first, second) = found.weights.split_at(firsts(kind));
    assert!(first.iter().all(|w| (0.0..=1.0).contains(w)), "{found:?}");
    assert!(second.iter().all(|w| (-1.0..=0.0).contains(w)), "{found:?}");
    assert!((first.iter().sum::<f64>() - 1.0).abs() < 1e-15);
    assert!((second.iter().sum::<f64>() + 1.0).abs() < 1e-15);
    let sum: Vec3 = (0..4).map(|i| found.weights[i] * x[i]).sum();
    assert!((sum - found.delta).norm() < 1e-14, "{x:?} {found:?}");
}

/// The directions in which two primitives can be closest: between points, square to an edge, square to two edges.
fn directions(x: &[Vec3; 4]) -> Vec<Vec3> {
    let edges: Vec<Vec3> =
        (0..4).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| x[i] - x[j]).collect();
    let mut found = edges.clone();
    for a in &edges {
        for b in &edges {
            if let Some(unit) = b.try_normalize(0.0) {
                let square = a - a.dot(&unit) * unit;
                found.push(square - square.dot(&unit) * unit);
            }
            found.push(a.cross(b));
        }
    }
    found
}

/// The distance of true points bounds from above, the gap along any direction from below. Where they agree there is
/// no doubt. Nearly degenerate shapes are closest in several directions at once, so all are tried.
fn assert_optimal(kind: Kind, x: &[Vec3; 4], found: &Closest) {
    let tolerance = 1e-14 * (1.0 + size(x));
    let d = found.distance();
    let mut lower = gap_along(kind, x, &found.normal()).max(0.0);
    if d - lower > tolerance {
        for n in directions(x).iter().filter_map(|n| n.try_normalize(0.0)) {
            lower = lower.max(gap_along(kind, x, &n)).max(gap_along(kind, x, &-n));
        }
    }
    assert!(d - lower <= tolerance, "{kind:?} {x:?}: {d:e} but the gap is {lower:e}");
}

fn assert_free(x: &[Vec3; 4], found: &Closest) {
    let check = |parameter: &Parameter| {
        let sum: Vec3 = (0..4).map(|i| parameter.rates[i] * x[i]).sum();
        assert!((sum - parameter.tangent).norm() < 1e-15 * (1.0 + size(x)));
    };
    let inside = found.weights.iter().filter(|w| w.abs() > 0.0).count();
    match &found.free {
        Free::None => assert_eq!(inside, 2),
        Free::One(only) => {
            assert_eq!(inside, 3);
            check(only);
        }
        Free::Two(both) => {
            assert_eq!(inside, 4);
            both.iter().for_each(check);
        }
    }
}

#[test]
fn a_separating_plane_proves_every_distance() {
    let mut random = Random(1);
    for kind in KINDS {
        for _ in 0..20_000 {
            let x = random.points(kind);
            let found = closest(kind, &x);
            assert_weights(kind, &x, &found);
            assert_optimal(kind, &x, &found);
            assert_free(&x, &found);
        }
    }
}

#[test]
fn degenerate_shapes_have_their_true_distance() {
    let mut random = Random(2);
    for kind in KINDS {
        for _ in 0..40_000 {
            let x = random.degenerate(kind);
            let found = closest(kind, &x);
            assert_weights(kind, &x, &found);
            assert_optimal(kind, &x, &found);
        }
    }
}

/// Distances of points sampled over both primitives, least first.
fn least_sampled(kind: Kind, x: &[Vec3; 4], steps: usize) -> f64 {
    let mut least = f64::INFINITY;
    for i in 0..=steps {
        for j in 0..=steps {
            let (s, t) = (i as f64 / steps as f64, j as f64 / steps as f64);
            let delta = match kind {
                Kind::EdgeEdge => x[0] + s * (x[1] - x[0]) - x[2] - t * (x[3] - x[2]),
                _ => x[0] - x[1] - s * (x[2] - x[1]) - (1.0 - s) * t * (x[3] - x[1]),
            };
            least = least.min(delta.norm());
        }
    }
    least
}

#[test]
fn no_sampled_point_is_closer_and_one_is_as_close_as_the_grid_allows() {
    let mut random = Random(3);
    for trial in 0..1200 {
        let kind = KINDS[trial % 4];
        let x = if trial % 3 == 0 { random.degenerate(kind) } else { random.points(kind) };
        let (d, steps) = (closest(kind, &x).distance(), 100);
        let least = least_sampled(kind, &x, steps);
        assert!(d <= least + 1e-14 * size(&x), "{kind:?} {x:?} {d} {least}");
        assert!(least - d <= 2.0 * size(&x) / steps as f64, "{kind:?} {x:?} {d} {least}");
    }
}

#[test]
fn every_region_is_met_and_continuous_with_its_neighbours() {
    let mut random = Random(4);
    for kind in KINDS {
        let mut seen = [0; 16];
        for _ in 0..20_000 {
            let x = random.points(kind);
            let found = closest(kind, &x);
            let region = (0..4).filter(|i| found.weights[*i] != 0.0).map(|i| 1 << i).sum::<usize>();
            seen[region] += 1;
            let shift = 1e-9 * random.vector();
            let mut near = x;
            near[0] += shift;
            let change = (closest(kind, &near).distance() - found.distance()).abs();
            assert!(change <= shift.norm() + 1e-14);
        }
        let regions = seen.iter().filter(|n| **n > 0).count();
        let expected = match kind {
            Kind::PointPoint => 1,
            Kind::PointEdge => 3,
            Kind::PointTriangle => 7,
            Kind::EdgeEdge => 9,
        };
        assert_eq!(regions, expected, "{kind:?}: {seen:?}");
    }
}

#[test]
fn known_places_have_known_weights() {
    let at = |x, y, z| Vec3::new(x, y, z);
    let triangle = |p| [p, at(0.0, 0.0, 0.0), at(4.0, 0.0, 0.0), at(0.0, 4.0, 0.0)];
    let above = closest(Kind::PointTriangle, &triangle(at(1.0, 2.0, 3.0)));
    assert_eq!(above.weights, [1.0, -0.25, -0.25, -0.5]);
    assert_eq!(above.delta, at(0.0, 0.0, 3.0));
    let beside = closest(Kind::PointTriangle, &triangle(at(1.0, -2.0, 0.0)));
    assert_eq!((beside.weights, beside.delta), ([1.0, -0.75, -0.25, 0.0], at(0.0, -2.0, 0.0)));
    let edges = [at(-1.0, 0.0, 1.0), at(3.0, 0.0, 1.0), at(0.0, -1.0, 0.0), at(0.0, 1.0, 0.0)];
    let crossed = closest(Kind::EdgeEdge, &edges);
    assert_eq!((crossed.weights, crossed.delta), ([0.75, 0.25, -0.5, -0.5], at(0.0, 0.0, 1.0)));
    // parallel edges that overlap on one half
    let edges = [at(0.0, 0.0, 0.0), at(2.0, 0.0, 0.0), at(1.0, 3.0, 0.0), at(3.0, 3.0, 0.0)];
    assert_eq!(closest(Kind::EdgeEdge, &edges).distance(), 3.0);
}

#[test]
fn no_finite_position_gives_a_weight_that_is_not_a_number() {
    let mut random = Random(5);
    for trial in 0..40_000 {
        let kind = KINDS[trial % 4];
        let scale = random.decade(-200.0, 200.0);
        let x = random.degenerate(kind).map(|p| scale * p);
        let found = closest(kind, &x);
        assert!(found.weights.iter().all(|w| w.is_finite()), "{kind:?} {x:?}");
        assert!(found.delta.iter().all(|w| w.is_finite()) && !found.normal().x.is_nan(), "{kind:?} {x:?}");
    }
    for kind in KINDS {
        let here = closest(kind, &[Vec3::new(1.0, 2.0, 3.0); 4]);
        assert_eq!((here.distance(), here.normal()), (0.0, Vec3::zeros()));
    }
}
