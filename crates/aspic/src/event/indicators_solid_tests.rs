//! Tetrahedra as solids: the first touch of any two elements is the instant at which no plane separates them any more.

use super::*;

const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
const EDGES: [[usize; 4]; 6] =
    [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]];

type Tetrahedron = [Path; 4];

fn at(solid: &Tetrahedron, u: f64) -> [Vec3; 4] {
    [0, 1, 2, 3].map(|k| solid[k].at(u))
}

fn size(x: &[Vec3; 4]) -> f64 {
    Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]]).determinant()
}

/// The widest gap along any normal of a face and any product of two edges: positive exactly when the solids are apart.
fn separation(a: &[Vec3; 4], b: &[Vec3; 4]) -> f64 {
    let normals = |x: &[Vec3; 4]| FACES.map(|[i, j, k]| (x[j] - x[i]).cross(&(x[k] - x[i])));
    let along = |x: &[Vec3; 4]| EDGES.map(|[i, j, ..]| x[j] - x[i]);
    let ours = along(a);
    let crossed = along(b).into_iter().flat_map(|theirs| ours.map(|ours| ours.cross(&theirs)));
    let axes = normals(a).into_iter().chain(normals(b)).chain(crossed);
    let range = |x: &[Vec3; 4], axis: &Vec3| {
        x.iter().map(|p| p.dot(axis)).fold((f64::MAX, f64::MIN), |(lo, hi), d| (lo.min(d), hi.max(d)))
    };
    axes.filter(|axis| axis.norm() > 1e-9)
        .map(|axis| {
            let axis = axis.normalize();
            let ((a0, a1), (b0, b1)) = (range(a, &axis), range(b, &axis));
            (a0 - b1).max(b0 - a1)
        })
        .fold(f64::MIN, f64::max)
}

/// All touches of all elements, each with its true gap.
fn touches(a: &Tetrahedron, b: &Tetrahedron) -> Vec<(Touch, f64)> {
    let vertex_faces = |one: &Tetrahedron, other: &Tetrahedron, found: &mut Vec<(Touch, f64)>| {
        for v in one {
            for [i, j, k] in FACES {
                let face = [&other[i], &other[j], &other[k]];
                let touch = vertex_face(v, face);
                found.extend(touch.map(|touch| (touch, gap(&touch, &[v, face[0], face[1], face[2]]))));
            }
        }
    };
    let wedge = |x: &'static [usize; 4], of: &Tetrahedron| x.map(|k| of[k]);
    let mut found = vec![];
    vertex_faces(a, b, &mut found);
    vertex_faces(b, a, &mut found);
    for one in &EDGES {
        for other in &EDGES {
            let (x, y) = (wedge(one, a), wedge(other, b));
            let first = Wedge { ends: [&x[0], &x[1]], opposite: [&x[2], &x[3]] };
            let second = Wedge { ends: [&y[0], &y[1]], opposite: [&y[2], &y[3]] };
            let touch = edge_edge(&first, &second);
            found.extend(touch.map(|touch| (touch, gap(&touch, &[&x[0], &x[1], &y[0], &y[1]]))));
        }
    }
    found
}

fn solid(random: &mut Random, center: Vec3, way: Vec3, deformation: f64) -> Tetrahedron {
    let mut x = [(); 4].map(|()| center + random.vector());
    if size(&x) < 0.0 {
        x.swap(2, 3);
    }
    x.map(|x| Path::line(x, x + way + deformation * random.vector()))
}

fn first_touch_is_first_overlap(seed: u64, deformation: f64, bend: f64) -> [usize; 3] {
    const SAMPLES: usize = 200;
    let mut random = Random(seed);
    let (mut vertex, mut edge, mut apart) = (0, 0, 0);
    while vertex + edge + apart < 3000 {
        let away = 2.0 * random.vector();
        let way = 1.5 * random.vector() - away;
        let a = solid(&mut random, Vec3::zeros(), Vec3::zeros(), deformation);
        let b = solid(&mut random, away, way, deformation);
        let [a, b] = [a, b].map(|solid| {
            let arc = bend * random.vector();
            solid.map(|Path([p, q, r, s])| Path([p, q + arc, r + arc, s]))
        });
        let sound = |solid: &Tetrahedron| (0..=20).all(|k| size(&at(solid, k as f64 / 20.0)) > 1e-2);
        let apart_at = |u: f64| separation(&at(&a, u), &at(&b, u));
        if !sound(&a) || !sound(&b) || apart_at(0.0) < 1e-3 {
            continue;
        }
        let all = touches(&a, &b);
        if bend == 0.0 {
            assert!(all.iter().all(|(_, gap)| *gap < 1e-6), "a touch without contact");
        }
        let first = all.iter().map(|(touch, _)| *touch).reduce(|x, y| if y.u < x.u { y } else { x });
        let until = first.map_or(1.0, |touch| touch.u);
        let samples = (0..SAMPLES).map(|k| k as f64 / SAMPLES as f64).filter(|u| *u < until);
        let least = samples.map(apart_at).fold(f64::INFINITY, f64::min);
        assert!(least > -1e-9, "missed: {least} before {until}");
        match first {
            Some(touch) => {
                assert!(apart_at(touch.u).abs() < 1e-6, "false alarm: {}", apart_at(touch.u));
                if touch.kind == TouchKind::VertexFace { vertex += 1 } else { edge += 1 }
            }
            None => apart += 1,
        }
    }
    [vertex, edge, apart]
}

#[test]
fn translating_tetrahedra_touch_first_when_no_plane_separates_them() {
    let counts = first_touch_is_first_overlap(21, 0.0, 0.0);
    println!("vertex-face, edge-edge, apart: {counts:?}");
    assert!(counts.iter().all(|n| *n > 300), "{counts:?}");
}

#[test]
fn deforming_tetrahedra_touch_first_when_no_plane_separates_them() {
    let counts = first_touch_is_first_overlap(22, 0.5, 0.0);
    println!("vertex-face, edge-edge, apart: {counts:?}");
    assert!(counts.iter().all(|n| *n > 300), "{counts:?}");
}

/// Rigid bodies on arcs: the volume is linear in the relative arc, hence a cubic, hence exact.
#[test]
fn tetrahedra_on_arcs_touch_first_when_no_plane_separates_them() {
    let counts = first_touch_is_first_overlap(23, 0.0, 0.5);
    println!("vertex-face, edge-edge, apart: {counts:?}");
    assert!(counts.iter().all(|n| *n > 300), "{counts:?}");
}
