use std::f64::consts::TAU;

use aspic::frame::BodyRange;

use super::*;

/// The skin of a torus, outward, as one body.
fn torus(around: u32, across: u32) -> (Topology, Vec<Vec3>) {
    let node = |i: u32, j: u32| (i % around) * across + j % across;
    let place = |n: u32| {
        let (p, q) = (
            TAU * f64::from(n / across) / f64::from(around),
            TAU * f64::from(n % across) / f64::from(across),
        );
        let r = 1.0 + 0.4 * q.cos();
        Vec3::new(r * p.cos(), r * p.sin(), 0.4 * q.sin())
    };
    let quads = (0..around).flat_map(|i| (0..across).map(move |j| (i, j)));
    let triangles: Vec<[u32; 3]> = quads
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    let nodes = (around * across) as usize;
    let body = BodyRange {
        name: "torus".into(),
        nodes: 0..nodes,
        points: 0..nodes,
        triangles: 0..triangles.len(),
        ..BodyRange::default()
    };
    let topology = Topology { bodies: vec![body], nodes, points: nodes, triangles, ..Topology::default() };
    (topology, (0..around * across).map(place).collect())
}

fn drawn(frames: &[(f64, &[Vec3])], topology: &Topology, options: &Options) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.svg");
    write_svg(&path, topology, frames, options).unwrap();
    std::fs::read_to_string(path).unwrap()
}

/// Each outline ends with a `z` behind a digit.
fn count_faces(text: &str) -> usize {
    text.as_bytes().windows(2).filter(|w| w[0].is_ascii_digit() && w[1] == b'z').count()
}

#[test]
fn about_half_of_a_closed_surface_is_seen() {
    let (topology, x) = torus(40, 20);
    let text = drawn(&[(0.0, &x)], &topology, &Options { shadow: false, ..Options::default() });
    let seen = count_faces(&text);
    let all = topology.triangles.len();
    assert!((4 * all / 10..6 * all / 10).contains(&seen), "{seen} of {all}");
}

/// A square sheet of two triangles, and a rope of three segments beside it.
fn sheet_and_rope() -> (Topology, Vec<Vec3>) {
    let x = [[0, 0, 0], [1, 0, 0], [1, 1, 1], [0, 1, 1], [2, 0, 0], [2, 0, 1], [2, 1, 1], [3, 1, 1]];
    let body = |points, triangles, edges, radius| BodyRange {
        points,
        triangles,
        edges,
        radius,
        ..BodyRange::default()
    };
    let topology = Topology {
        bodies: vec![body(0..4, 0..2, 0..0, 0.0), body(4..8, 2..2, 0..3, 0.05)],
        points: 8,
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        edges: vec![[4, 5], [5, 6], [6, 7]],
        ..Topology::default()
    };
    (topology, x.iter().map(|x| Vec3::from(x.map(f64::from))).collect())
}

#[test]
fn an_open_sheet_is_seen_from_both_sides_and_a_rope_as_strokes_of_its_width() {
    let (topology, mut x) = sheet_and_rope();
    let options = Options { shadow: false, ..Options::default() };
    let camera = camera::Camera::fit(options.eye, x.iter().copied(), options.width, options.height);
    let apart = |p: &Vec3| camera.project(p);
    let ((ax, ay), (bx, by)) =
        (apart(&Vec3::zeros()), apart(&(0.1 * Vec3::x().cross(&options.eye).normalize())));
    for eye in [options.eye, -options.eye] {
        let text = drawn(&[(0.0, &x)], &topology, &Options { eye, ..options });
        assert_eq!((count_faces(&text), text.matches("stroke-linecap").count()), (2, 3));
        // A vector of 0.1 m at right angles to the rays is as long on the paper as the rope is wide.
        let width = format!("stroke-width=\"{:.1}\"", (ax - bx).hypot(ay - by));
        assert!(text.contains(&width), "{width} {text}");
    }
    x[7].x = f64::NAN;
    let text = drawn(&[(0.0, &x)], &topology, &Options::default());
    assert!(!text.contains("NaN") && text.matches("stroke-linecap").count() == 2);
}

#[test]
fn every_picture_has_its_time_and_a_long_run_is_thinned() {
    let (topology, x) = torus(12, 8);
    let frames: Vec<(f64, &[Vec3])> = (0..100).map(|i| (f64::from(i), x.as_slice())).collect();
    let text = drawn(&frames, &topology, &Options::default());
    assert_eq!(text.matches("<text").count(), MOST);
    assert!(text.contains("t = 0.000 s") && text.contains("t = 99.000 s"));
}

#[test]
fn view_is_fitted_to_all_frames() {
    let (topology, x) = torus(12, 8);
    let far: Vec<Vec3> = x.iter().map(|p| p + Vec3::new(0.0, 0.0, -30.0)).collect();
    let options = Options::default();
    let points = || x.iter().chain(&far).copied();
    let camera = camera::Camera::fit(options.eye, points(), options.width, options.height);
    for (x, y) in points().map(|p| camera.project(&p)) {
        assert!((0.0..options.width).contains(&x) && (0.0..options.height).contains(&y), "{x} {y}");
    }
    // z up, and what is nearer to a person in front (smaller y) is nearer on paper.
    assert!(camera.project(&Vec3::z()).1 < camera.project(&Vec3::zeros()).1);
    assert!(camera.nearness(&-Vec3::y()) > camera.nearness(&Vec3::zeros()));
    assert!(camera.project(&Vec3::x()).0 > camera.project(&Vec3::zeros()).0);
    assert_eq!(text_of(&topology, &x, &far), text_of(&topology, &x, &far));
}

fn text_of(topology: &Topology, a: &[Vec3], b: &[Vec3]) -> String {
    drawn(&[(0.0, a), (1.0, b)], topology, &Options::default())
}

#[test]
fn broken_positions_and_no_frames_still_draw() {
    let (topology, mut x) = torus(12, 8);
    assert!(drawn(&[], &topology, &Options::default()).ends_with("</svg>\n"));
    x[3].z = f64::NAN;
    x[4].x = f64::INFINITY;
    let text = drawn(&[(0.0, &x)], &topology, &Options::default());
    assert!(!text.contains("NaN") && !text.contains("inf") && count_faces(&text) > 10);
    assert!(
        drawn(&[(0.0, &x)], &topology, &Options { eye: Vec3::z(), ..Options::default() }).contains("<path")
    );
    assert!(
        drawn(&[(0.0, &x)], &topology, &Options { eye: Vec3::zeros(), ..Options::default() })
            .contains("<path")
    );
    let error = write_svg(Path::new("x.svg"), &topology, &[(0.0, &x[1..])], &Options::default()).unwrap_err();
    assert!(error.to_string().contains("positions has 95 entries where 96"), "{error}");
}
