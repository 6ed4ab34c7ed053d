use super::*;
use crate::event::random::Random;
use nalgebra::{Matrix2, Matrix3, Vector2};

#[path = "indicators_curved_tests.rs"]
mod curved;
#[path = "indicators_degenerate_tests.rs"]
mod degenerate;
#[path = "indicators_solid_tests.rs"]
mod solid;

fn straight(random: &mut Random, reach: f64) -> Path {
    let start = random.vector();
    Path::line(start, start + reach * random.vector())
}

fn shifted(path: &Path, by: Vec3) -> Path {
    Path(path.0.map(|p| p + by))
}

/// det[x₁−x₀, x₂−x₀, x₃−x₀] of the true motion, as the determinant of a matrix.
fn true_volume(paths: &[&Path; 4], u: f64) -> f64 {
    let x = paths.map(|path| path.at(u));
    Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]]).determinant()
}

/// All sign changes of the volume of the true motion, from samples, the extrema between them, and bisection.
fn true_passages(paths: &[&Path; 4]) -> Vec<(f64, bool)> {
    const SAMPLES: usize = 1000;
    let at = |k: usize| k as f64 / SAMPLES as f64;
    let volume = |u: f64| true_volume(paths, u);
    let values: Vec<f64> = (0..=SAMPLES).map(|k| volume(at(k))).collect();
    let mut knots = vec![(0.0, values[0])];
    for k in 1..=SAMPLES {
        let near = values[k].abs();
        if k < SAMPLES && near < values[k - 1].abs() && near < values[k + 1].abs() {
            let (mut low, mut high) = (at(k - 1), at(k + 1));
            let sign = values[k].signum();
            for _ in 0..60 {
                let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if sign * volume(a) < sign * volume(b) { high = b } else { low = a }
            }
            knots.push((low, volume(low)));
        }
        knots.push((at(k), values[k]));
    }
    knots.sort_by(|a, b| a.0.total_cmp(&b.0));
    let crossed = knots.windows(2).filter(|pair| (pair[0].1 < 0.0) != (pair[1].1 < 0.0));
    crossed
        .map(|pair| {
            let (mut low, mut high) = (pair[0].0, pair[1].0);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if (volume(middle) < 0.0) == (pair[0].1 < 0.0) { low = middle } else { high = middle }
            }
            (low, pair[1].1 < 0.0)
        })
        .collect()
}

/// u of a hit and how far its weights are from a bound: near zero the case is not generic.
#[derive(Debug)]
struct Reference {
    hit: Option<f64>,
    margin: f64,
}

fn reference(events: impl Iterator<Item = (f64, f64)>) -> Reference {
    let mut margin = f64::INFINITY;
    for (u, inside) in events {
        margin = margin.min(inside.abs());
        if inside > 0.0 {
            return Reference { hit: Some(u), margin };
        }
    }
    Reference { hit: None, margin }
}

/// The vertex is in the face when the solution of v − u₀ = w₁(u₁−u₀) + w₂(u₂−u₀) + h n says so.
fn vertex_face_reference(v: &Path, face: [&Path; 3]) -> Reference {
    let falling = true_passages(&[face[0], face[1], face[2], v]).into_iter().filter(|(_, falling)| *falling);
    reference(falling.map(|(u, _)| {
        let [a, b, c] = face.map(|path| path.at(u));
        let axes = Matrix3::from_columns(&[b - a, c - a, (b - a).cross(&(c - a))]);
        let w = axes.lu().solve(&(v.at(u) - a)).unwrap();
        (u, w.x.min(w.y).min(1.0 - w.x - w.y))
    }))
}

/// The edges cross, the tetrahedra lie on opposite sides of their plane, and the second moves to the side of the first.
fn edge_edge_reference(a: &Wedge, b: &Wedge) -> Reference {
    let [u0, u1, v0, v1] = [a.ends[0], a.ends[1], b.ends[0], b.ends[1]];
    let passages = true_passages(&[u0, u1, v0, v1]).into_iter();
    reference(passages.map(|(u, _)| {
        let at = |path: &Path| path.at(u);
        let (along, across) = (at(u1) - at(u0), at(v1) - at(v0));
        let normal = along.cross(&across);
        let gram =
            Matrix2::new(along.dot(&along), -along.dot(&across), -along.dot(&across), across.dot(&across));
        let arm = at(v0) - at(u0);
        let st = gram.lu().solve(&Vector2::new(along.dot(&arm), -across.dot(&arm))).unwrap();
        let [p, q] = [a, b].map(|wedge| 0.5 * (at(wedge.opposite[0]) + at(wedge.opposite[1])));
        let contact = at(u0) + st.x * along;
        let sides = [(p - contact).dot(&normal), (q - contact).dot(&normal)];
        let h = 1e-6;
        let gap = |u: f64| {
            let first = u0.at(u) + st.x * (u1.at(u) - u0.at(u));
            (v0.at(u) + st.y * (v1.at(u) - v0.at(u)) - first).dot(&normal)
        };
        let entering = (gap(u + h) - gap(u - h)) * sides[1] < 0.0;
        let crossing = st.x.min(1.0 - st.x).min(st.y.min(1.0 - st.y));
        let apart = sides[0] * sides[1] < 0.0 && entering;
        (u, if apart { crossing } else { -crossing.abs() })
    }))
}

/// Compares, and says whether there was a hit. Only a case within `margin` of a bound may differ.
fn agree(found: Option<Touch>, reference: &Reference, margin: f64, late: f64) -> Option<bool> {
    if reference.margin < margin {
        return None;
    }
    match (found, reference.hit) {
        (Some(touch), Some(u)) if (touch.u - u).abs() < late => Some(true),
        (None, None) => Some(false),
        _ => panic!("{found:?} against {reference:?}"),
    }
}

/// The gap Σ cᵢ xᵢ(u) of a touch.
fn gap(touch: &Touch, paths: &[&Path; 4]) -> f64 {
    (0..4).map(|k| touch.weights[k] * paths[k].at(touch.u)).sum::<Vec3>().norm()
}

#[test]
fn a_vertex_hits_a_face_exactly_when_it_passes_inside_its_rim() {
    let mut random = Random(11);
    let (mut hits, mut misses, mut skipped) = (0, 0, 0);
    for _ in 0..8000 {
        let [v, a, b, c] = [(); 4].map(|()| straight(&mut random, 2.0));
        // aimed at the plane of the face, inside or beside it
        let [u, s, t] = [random.unit(), 1.4 * random.unit() - 0.2, 1.4 * random.unit() - 0.2];
        let aim = a.at(u) + s * (b.at(u) - a.at(u)) + t * (c.at(u) - a.at(u));
        let v = shifted(&v, aim - v.at(u));
        let found = vertex_face(&v, [&a, &b, &c]);
        match agree(found, &vertex_face_reference(&v, [&a, &b, &c]), 1e-7, 1e-9) {
            Some(true) => hits += 1,
            Some(false) => misses += 1,
            None => skipped += 1,
        }
        if let Some(touch) = found {
            assert!(gap(&touch, &[&v, &a, &b, &c]) < 1e-9);
            assert!((touch.weights[1..].iter().sum::<f64>() + 1.0).abs() < 1e-14);
        }
    }
    println!("vertex-face: {hits} hits, {misses} passes beside, {skipped} not generic");
    assert!(hits > 800 && misses > 2000 && skipped < 8, "{hits} {misses} {skipped}");
}

#[test]
fn edges_hit_exactly_when_they_cross_from_outside_of_both_solids() {
    let mut random = Random(12);
    let (mut hits, mut misses, mut skipped) = (0, 0, 0);
    for k in 0..8000 {
        // tetrahedra that translate, and tetrahedra that deform
        let way = 2.0 * random.vector();
        let x = [(); 8].map(|()| straight(&mut random, 2.0));
        let moved = |path: &Path, way: Vec3| Path::line(path.0[0], path.0[0] + way);
        let x: [Path; 8] = if k % 2 == 0 {
            std::array::from_fn(|k| moved(&x[k], if k < 4 { Vec3::zeros() } else { way }))
        } else {
            x
        };
        // the lines of the edges meet, inside the edges or beside
        let [u, s, t] = [random.unit(), 1.4 * random.unit() - 0.2, 1.4 * random.unit() - 0.2];
        let point = |i: usize, s: f64| x[i].at(u) + s * (x[i + 1].at(u) - x[i].at(u));
        let aim = point(0, s) - point(4, t);
        let x: [Path; 8] = std::array::from_fn(|k| shifted(&x[k], if k < 4 { Vec3::zeros() } else { aim }));
        let a = Wedge { ends: [&x[0], &x[1]], opposite: [&x[2], &x[3]] };
        let b = Wedge { ends: [&x[4], &x[5]], opposite: [&x[6], &x[7]] };
        let found = edge_edge(&a, &b);
        match agree(found, &edge_edge_reference(&a, &b), 1e-7, 1e-9) {
            Some(true) => hits += 1,
            Some(false) => misses += 1,
            None => skipped += 1,
        }
        if let Some(touch) = found {
            assert!(gap(&touch, &[&x[0], &x[1], &x[4], &x[5]]) < 1e-7);
        }
        let swapped = edge_edge(&b, &a);
        assert_eq!(swapped.is_some(), found.is_some());
    }
    println!("edge-edge: {hits} hits, {misses} passes beside, {skipped} not generic");
    assert!(hits > 800 && misses > 4000 && skipped < 8, "{hits} {misses} {skipped}");
}
