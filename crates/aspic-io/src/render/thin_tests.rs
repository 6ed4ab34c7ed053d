//! Ropes and cloth: bodies without an inside.

use aspic::frame::BodyRange;

use super::raster::SAMPLES;
use super::tests::renderer;
use super::*;

/// A body of mass points along a line.
fn rope(points: &[[f64; 3]], radius: f64) -> (Topology, FilmFrame) {
    let positions: Vec<Vec3> = points.iter().map(|x| Vec3::from(*x)).collect();
    let edges: Vec<[u32; 2]> = (1..points.len() as u32).map(|i| [i - 1, i]).collect();
    let body = BodyRange {
        kind: BodyKind::Points,
        points: 0..points.len(),
        edges: 0..edges.len(),
        radius,
        ..BodyRange::default()
    };
    let topology = Topology { bodies: vec![body], points: points.len(), edges, ..Topology::default() };
    (topology, FilmFrame { positions, ..FilmFrame::default() })
}

/// A tilted sheet of `cells`² squares, and whether its triangles are turned round.
fn sheet(cells: u32, turned: bool) -> (Topology, FilmFrame) {
    let side = cells + 1;
    let place = |n: u32| {
        let [u, v] = [n % side, n / side].map(|i| f64::from(i) / f64::from(cells));
        Vec3::new(u, v, 0.5 * v + 0.1 * (6.0 * u).sin())
    };
    let quads = (0..cells).flat_map(|j| (0..cells).map(move |i| j * side + i));
    let halves = |a: u32| [[a, a + 1, a + side + 1], [a, a + side + 1, a + side]];
    let turn = |[a, b, c]: [u32; 3]| if turned { [a, c, b] } else { [a, b, c] };
    let triangles: Vec<[u32; 3]> = quads.flat_map(halves).map(turn).collect();
    let points = (side * side) as usize;
    let body = BodyRange { points: 0..points, triangles: 0..triangles.len(), ..BodyRange::default() };
    let topology = Topology { bodies: vec![body], points, triangles, ..Topology::default() };
    let positions = (0..side * side).map(place).collect();
    (topology, FilmFrame { positions, ..FilmFrame::default() })
}

fn look() -> Look {
    Look { width: 640, height: 480, azimuth: 0.0, elevation: 0.0, ..Look::default() }
}

/// Pixels of a meter at the middle of the film.
fn pixels_per_meter(renderer: &Renderer) -> f64 {
    let stage = &renderer.stage;
    f64::from(stage.length(1.0) / stage.camera.pixel(&V::zeros()))
}

/// Seen from the side, a straight rope is a rectangle with two half circles.
#[test]
fn a_straight_rope_covers_the_area_of_its_silhouette() {
    for (radius, bends) in [(0.05, 1), (0.02, 9), (0.2, 4)] {
        let points: Vec<[f64; 3]> =
            (0..=bends).map(|i| [f64::from(i) / f64::from(bends), 0.0, 0.0]).collect();
        let (topology, frame) = rope(&points, radius);
        let renderer = renderer(&look(), &topology, &frame, &[]);
        let scale = pixels_per_meter(&renderer);
        let area = (2.0 * radius + std::f64::consts::PI * radius * radius) * scale * scale;
        let seen = tiles::covered(&renderer.set(&frame)) as f64 / SAMPLES as f64;
        // What is nearer to the eye than the axis looks wider: by r²/D² at most.
        assert!((seen / area - 1.0).abs() < 0.03, "{radius}: {seen} {area}");
    }
}

#[test]
fn hair_is_never_narrower_than_a_pixel() {
    let (topology, frame) = rope(&[[0.0, 0.0, 0.0], [0.5, 0.0, 0.1], [1.0, 0.0, 0.0]], 1e-5);
    let renderer = renderer(&look(), &topology, &frame, &[]);
    let length = 2.0 * 0.26f64.sqrt() * pixels_per_meter(&renderer);
    let seen = tiles::covered(&renderer.set(&frame)) as f64 / SAMPLES as f64;
    assert!((seen / (1.2 * length) - 1.0).abs() < 0.05, "{seen} {length}");
}

/// Independent of rings: how far each corner is from the nearest segment.
#[test]
fn corners_of_a_tube_are_nowhere_farther_from_the_rope_than_its_radius() {
    // A gentle bend, a right angle, a fold back on itself, and a bend of nearly half a turn.
    let points = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [2.0, 0.3, 0.0],
        [1.7, 1.3, 0.0],
        [1.7, 1.3, 1.0],
        [1.7, 1.3, 0.2],
    ];
    let points = [&points[..], &[[1.7, 1.35, 1.5]]].concat();
    let (topology, frame) = rope(&points, 0.1);
    let renderer = renderer(&look(), &topology, &frame, &[]);
    let places: Vec<V> = frame.positions.iter().map(|x| renderer.stage.place(x)).collect();
    let radius = renderer.stage.length(0.1);
    let distance = |p: &V| {
        let to_segment = |pair: &[V]| {
            let way = pair[1] - pair[0];
            let share = ((p - pair[0]).dot(&way) / way.norm_squared()).clamp(0.0, 1.0);
            (p - pair[0] - way * share).norm()
        };
        places.windows(2).map(to_segment).fold(f32::INFINITY, f32::min)
    };
    let corners = renderer.set(&frame).corners;
    let mut outside = 0;
    for Corner { position, normal, .. } in &corners {
        assert!((normal.norm() - 1.0).abs() < 1e-4, "{normal:?}");
        let share = distance(position) / radius;
        assert!(share < 1.02, "{share} at {position:?}");
        outside += usize::from(share > 0.98);
    }
    assert!(2 * outside > corners.len(), "{outside} of {}", corners.len());
}

#[test]
fn a_rope_darkens_the_ground_below_it() {
    let (topology, frame) = rope(&[[-1.0, 0.0, 0.5], [0.0, 0.0, 0.5], [1.0, 0.0, 0.5]], 0.06);
    let floor = Plane::new(Vec3::zeros(), Vec3::z()).unwrap();
    let renderer = renderer(&look(), &topology, &frame, &[floor]);
    let set = renderer.set(&frame);
    let lamp: Vec3 = renderer.stage.lamp.cast();
    // From the middle of the rope along the light down to the ground, and a little beside it.
    let hit = Vec3::new(0.0, 0.0, 0.5) - lamp * (0.5 / lamp.z);
    let seen = |at: Vec3| set.lamp.seen_from(&renderer.stage.place(&at));
    assert!(seen(hit) < 0.5, "{}", seen(hit));
    assert_eq!(seen(hit + 0.5 * Vec3::y()), 1.0);
}

#[test]
fn a_sheet_looks_the_same_whichever_way_its_triangles_are_turned() {
    for elevation in [0.6, -0.6] {
        let look = Look { elevation, ..look() };
        let [front, back] = [false, true].map(|turned| {
            let (topology, frame) = sheet(12, turned);
            renderer(&look, &topology, &frame, &[]).draw(&frame)
        });
        let most = front.rgb.iter().zip(&back.rgb).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(most <= Some(2), "{most:?}");
        let middle = front.pixel(320, 240);
        assert!(middle[0] > 70, "it is not black from {elevation}: {middle:?}");
    }
}

#[test]
fn ropes_take_the_colours_of_fields_and_the_camera_holds_them() {
    let (topology, mut frame) = rope(&[[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]], 0.15);
    frame.velocities = vec![Vec3::x(); 3];
    let look = Look { color_by: ColorBy::Speed, ..look() };
    let drawing = renderer(&look, &topology, &frame, &[]);
    let [r, g, b] = drawing.draw(&frame).pixel(320, 240);
    assert!(r > b && g > b, "the yellow end of the scale: {:?}", [r, g, b]);
    for Corner { position, .. } in &drawing.set(&frame).corners {
        let [x, y, w] = drawing.stage.camera.project(position);
        assert!((0.0..640.0).contains(&(x / w)) && (0.0..480.0).contains(&(y / w)));
    }
    // A point that nothing is drawn at does not make the rest small.
    let (mut more, mut with) = (topology.clone(), frame.clone());
    more.points += 1;
    more.bodies.push(BodyRange { points: 3..4, ..BodyRange::default() });
    with.positions.push(Vec3::repeat(50.0));
    assert!(renderer(&look, &more, &with, &[]).draw(&with) == drawing.draw(&frame));
}

#[test]
fn broken_points_of_a_rope_still_draw() {
    let (topology, mut frame) = rope(&[[0.0; 3], [0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.5, 0.0]], 0.1);
    frame.positions[2].x = f64::NAN;
    let image = renderer(&look(), &topology, &frame, &[]).draw(&frame);
    assert_eq!(image.rgb.len(), 3 * 640 * 480);
}
