use aspic::frame::BodyRange;
use aspic::mesh::{TriangleSurface, generate};

use super::depth_map::{Beam, DepthMap};
use super::raster::{Facet, PATTERN, SAMPLES, TILE, Tile};
use super::*;

/// Surfaces side by side, each a body of its own.
fn scene(surfaces: &[(TriangleSurface, BodyKind)]) -> (Topology, FilmFrame) {
    let mut topology = Topology::default();
    let mut frame = FilmFrame::default();
    for (number, (surface, kind)) in surfaces.iter().enumerate() {
        let (first, triangles) = (frame.positions.len(), topology.triangles.len());
        frame.positions.extend(&surface.positions);
        topology.triangles.extend(surface.triangles.iter().map(|t| t.map(|p| p + first as u32)));
        topology.bodies.push(BodyRange {
            name: format!("body {number}"),
            kind: *kind,
            points: first..frame.positions.len(),
            triangles: triangles..topology.triangles.len(),
            ..BodyRange::default()
        });
    }
    topology.points = frame.positions.len();
    (topology, frame)
}

fn moved(mut surface: TriangleSurface, by: Vec3) -> TriangleSurface {
    surface.positions.iter_mut().for_each(|x| *x += by);
    surface
}

fn ball(radius: f64, center: Vec3) -> TriangleSurface {
    moved(generate::sphere_surface(radius, 5).unwrap(), center)
}

pub(super) fn renderer(look: &Look, topology: &Topology, frame: &FilmFrame, planes: &[Plane]) -> Renderer {
    let mut survey = Survey::new(look, &frame.positions);
    survey.see(topology, frame);
    Renderer::new(look, topology, planes, &survey)
}

fn small() -> Look {
    Look { width: 320, height: 180, ..Look::default() }
}

/// A sequence of numbers between 0 and 1 that looks random (a linear congruential generator).
fn numbers() -> impl FnMut() -> f64 {
    let mut state = 1u64;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 31) as f64
    }
}

/// Draws triangles of one depth into the first tile.
fn drawn(triangles: &[[[f64; 2]; 3]], depths: &[f64]) -> Tile {
    let mut tile = Tile::new();
    tile.seen.fill([u32::MAX; SAMPLES]);
    for (number, (triangle, &w)) in triangles.iter().zip(depths).enumerate() {
        let corners = triangle.map(|[x, y]| [x * w, y * w, w]);
        let mut pieces = vec![];
        raster::pieces(&corners, number as u32, [TILE as u32; 2], &mut pieces);
        let facet = Facet::new(0, &corners).unwrap();
        pieces.iter().for_each(|piece| tile.draw(piece, &facet, [0, 0]));
    }
    tile
}

/// Independent of edge functions that step: the sign of three areas at each sample.
#[test]
fn a_triangle_covers_the_samples_inside_it_and_no_others() {
    let mut next = numbers();
    for _ in 0..200 {
        // Corners on the grid of 1/256, so that snapping moves nothing; odd, so that no sample lies on an edge.
        let mut place = || ((next() * 12000.0 - 2000.0).round() * 2.0 + 1.0) / 512.0;
        let triangle: [[f64; 2]; 3] = std::array::from_fn(|_| [place(), place()]);
        let triangle = triangle.map(|p| p.map(|v| (v * 256.0).floor() / 256.0 + 0.0));
        let area = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        };
        let [a, b, c] = triangle;
        if area(a, b, c) == 0.0 {
            continue;
        }
        let tile = drawn(&[triangle], &[1.0]);
        for pixel in 0..TILE * TILE {
            for s in 0..SAMPLES {
                let [x, y] = [pixel % TILE, pixel / TILE].map(|v| v as f64 + 0.5);
                let p = [x + PATTERN[s][0] as f64 / 16.0, y + PATTERN[s][1] as f64 / 16.0];
                let signs = [area(a, b, p), area(b, c, p), area(c, a, p)].map(|v| v * area(a, b, c).signum());
                let least = signs.into_iter().fold(f64::INFINITY, f64::min);
                if least != 0.0 {
                    assert_eq!(tile.seen[pixel][s] == 0, least > 0.0, "{triangle:?} at {p:?}");
                }
            }
        }
    }
}

#[test]
fn triangles_around_a_point_cover_every_sample_exactly_once() {
    let middle = [16.0 + 1.0 / 16.0, 16.0 - 3.0 / 16.0];
    // Twelve corners far outside, some edges through samples: the middle itself is one.
    let around: Vec<[f64; 2]> = (0..12)
        .map(|k| {
            let angle = f64::from(k) * std::f64::consts::TAU / 12.0;
            [middle[0] + 60.0 * angle.cos(), middle[1] + 60.0 * angle.sin()]
        })
        .collect();
    let mut counts = vec![[0; SAMPLES]; TILE * TILE];
    for k in 0..12 {
        let tile = drawn(&[[middle, around[k], around[(k + 1) % 12]]], &[1.0]);
        for (count, seen) in counts.iter_mut().zip(&tile.seen) {
            (0..SAMPLES).for_each(|s| count[s] += u32::from(seen[s] == 0));
        }
    }
    assert!(counts.iter().flatten().all(|&count| count == 1));
}

#[test]
fn the_nearer_triangle_is_seen_whatever_the_order() {
    let wide = [[-40.0, -40.0], [150.0, -40.0], [-40.0, 150.0]];
    for (depths, nearest) in [([1.0, 2.0], 0), ([2.0, 1.0], 1), ([3.0, 2.999], 1)] {
        let tile = drawn(&[wide, wide], &depths);
        assert!(tile.seen.iter().flatten().all(|&seen| seen == nearest), "{depths:?}");
    }
}

/// Triangles that pass behind the eye are cut there: what is left covers what a ray test says.
#[test]
fn a_triangle_that_passes_behind_the_eye_is_cut_not_mirrored() {
    // In the plane y = 1 (down), from W = 2 in front to W = −2 behind the eye, all x from −9 to 9.
    let corners = [[-9.0, 1.0, 2.0], [9.0, 1.0, 2.0], [0.0, 1.0, -2.0]];
    let scaled = corners.map(|[x, y, w]| [x * 8.0 + 16.0 * w, y * 8.0 + 16.0 * w, w]);
    let mut pieces = vec![];
    raster::pieces(&scaled, 0, [TILE as u32; 2], &mut pieces);
    let facet = Facet::new(0, &scaled).unwrap();
    let mut tile = Tile::new();
    tile.seen.fill([u32::MAX; SAMPLES]);
    pieces.iter().for_each(|piece| tile.draw(piece, &facet, [0, 0]));
    for pixel in 0..TILE * TILE {
        // A ray through (x, y) of depth 1 meets the plane at W = 1/y, if y > 0; the triangle ends at W = 2.
        let [x, y] = [pixel % TILE, pixel / TILE].map(|v| (v as f64 + 0.5 - 16.0) / 8.0);
        let w = 1.0 / y;
        let half = 9.0 * (w + 2.0) / 4.0;
        let inside = y > 0.0 && w < 2.0 && (x * w).abs() < half;
        let near_edge = (w - 2.0).abs() < 0.5 || ((x * w).abs() - half).abs() < 0.5 || y.abs() < 0.07;
        if !near_edge {
            assert_eq!(tile.seen[pixel][0] == 0, inside, "{x} {y}");
        }
    }
}

/// A ball of radius r at the distance d is seen under the angle asin(r/d): a circle of f r/√(d² − r²) pixels.
#[test]
fn the_silhouette_of_a_ball_has_the_area_of_the_circle_that_geometry_predicts() {
    let (topology, frame) = scene(&[(ball(0.3, Vec3::new(1.0, 2.0, 3.0)), BodyKind::Solid)]);
    let look = Look { width: 640, height: 480, elevation: 0.3, ..Look::default() };
    let renderer = renderer(&look, &topology, &frame, &[]);
    let set = renderer.set(&frame);
    let center = renderer.stage.place(&Vec3::new(1.0, 2.0, 3.0));
    let edge = renderer.stage.place(&Vec3::new(1.3, 2.0, 3.0));
    let (radius, distance) = ((edge - center).norm(), (renderer.stage.camera.eye - center).norm());
    let focal = 0.5 * 480.0 / 0.231;
    let circle = f64::from(radius) / (f64::from(distance).powi(2) - f64::from(radius).powi(2)).sqrt() * focal;
    let expected = std::f64::consts::PI * circle * circle;
    let seen = tiles::covered(&set) as f64 / SAMPLES as f64;
    // The middle of the ball is in the middle of the picture, where a cone cuts it in a circle.
    assert!((seen / expected - 1.0).abs() < 0.01, "{seen} {expected}");
    assert!(expected > 50_000.0, "the ball fills the picture: {expected}");
}

#[test]
fn everything_is_in_the_picture_and_fills_it() {
    let surfaces = [
        (ball(0.2, Vec3::new(0.0, 0.0, 5.0)), BodyKind::Solid),
        (ball(0.4, Vec3::new(3.0, 1.0, 0.0)), BodyKind::Affine),
    ];
    let (topology, frame) = scene(&surfaces);
    for (width, height) in [(640, 360), (360, 640), (300, 300)] {
        for (azimuth, elevation) in [(0.0, 0.0), (1.0, 0.5), (-2.0, 1.5)] {
            let look = Look { width, height, azimuth, elevation, ..Look::default() };
            let camera = renderer(&look, &topology, &frame, &[]).stage;
            let mut most = [0f64; 2];
            for x in &frame.positions {
                let [x, y, w] = camera.camera.project(&camera.place(x));
                let share = [2.0 * x / w / f64::from(width) - 1.0, 2.0 * y / w / f64::from(height) - 1.0];
                most = [most[0].max(share[0].abs()), most[1].max(share[1].abs())];
            }
            assert!(most[0] < 0.87 && most[1] < 0.81, "{most:?}");
            assert!(most[0] > 0.85 || most[1] > 0.79, "{most:?}");
        }
    }
}

#[test]
fn points_that_no_triangle_has_change_neither_view_nor_colours() {
    let (mut topology, mut frame) = scene(&[(ball(0.2, Vec3::zeros()), BodyKind::Solid)]);
    let look = Look { color_by: ColorBy::Speed, ..small() };
    frame.velocities = vec![Vec3::x(); frame.positions.len()];
    let picture = |topology: &Topology, frame: &FilmFrame| renderer(&look, topology, frame, &[]).draw(frame);
    let alone = picture(&topology, &frame);
    // the cage of a skin, far wider than it
    frame.positions.extend([Vec3::new(3.0, 0.0, 0.0), Vec3::new(0.0, 0.0, -2.0)]);
    frame.velocities.extend([100.0 * Vec3::x(); 2]);
    topology.points += 2;
    topology.bodies[0].points.end += 2;
    assert!(alone == picture(&topology, &frame));
}

/// Without sky, a dull ball under a lamp is Lambert's: brightest where its normal points to the lamp.
#[test]
fn a_dull_ball_is_brightest_where_its_normal_faces_the_lamp() {
    let (topology, frame) = scene(&[(ball(1.0, Vec3::zeros()), BodyKind::Obstacle)]);
    let look = Look { width: 400, height: 400, ..Look::default() };
    let renderer = renderer(&look, &topology, &frame, &[]);
    let mut set = renderer.set(&frame);
    (set.air.sky, set.air.bounce, set.air.rim) = (V::zeros(), V::zeros(), V::zeros());
    set.air.key = V::repeat(0.9);
    let rgb = tiles::draw(&set);
    let (eye, lamp) = (renderer.stage.camera.eye, renderer.stage.lamp);
    let radius = renderer.stage.place(&Vec3::x()).norm();
    // Ray against ball, in closed form: the normal behind each pixel.
    let normal = |x: usize, y: usize| {
        let ray = renderer.stage.camera.ray(x as f32 + 0.5, y as f32 + 0.5).normalize();
        let along = -eye.dot(&ray);
        let inside = along * along - eye.norm_squared() + radius * radius;
        (inside > 0.0).then(|| (eye + ray * (along - inside.sqrt())) / radius)
    };
    let albedo = color::linear(palette::OBSTACLE).x;
    let (mut brightest, mut most) = (0, V::zeros());
    for (x, y) in (0..400).flat_map(|y| (0..400).map(move |x| (x, y))) {
        let byte = rgb[3 * (400 * y + x)];
        let Some(normal) = normal(x, y) else { continue };
        // Away from the outline, where pixels mix with the background; then also below the bend of the tone curve.
        if normal.dot(&(eye - normal * radius).normalize()) < 0.3 {
            continue;
        }
        let expected = 0.9 * albedo * normal.dot(&lamp);
        if (0.05..0.7).contains(&expected) {
            let light = color::linear([byte; 3]).x;
            assert!((light - expected).abs() < 0.02, "{normal:?}: {light} {expected}");
        }
        if byte > brightest {
            (brightest, most) = (byte, normal);
        }
    }
    assert!(most.angle(&lamp) < 0.2, "{most:?} {lamp:?}");
}

/// Rays of a cone from a point to the lamp, against a ball in closed form: the share that is blocked.
fn blocked(from: &V, lamp: &V, width: f32, (center, radius): &(V, f32)) -> f32 {
    let right = lamp.cross(&V::x()).normalize();
    let up = lamp.cross(&right);
    let hits = |k: &usize| {
        let (ring, turn) = ((k / 16) as f32 / 3.0, std::f32::consts::TAU * (k % 16) as f32 / 16.0);
        let ray = (lamp + (right * turn.cos() + up * turn.sin()) * (ring * width)).normalize();
        let along = (center - from).dot(&ray);
        along > 0.0 && (center - from - ray * along).norm() < *radius
    };
    (0..64).filter(hits).count() as f32 / 64.0
}

/// On the ground and on the lower of two balls, half of which lies in the shadow of the upper one. Where both are in
/// the way in part, one depth map cannot know, and nothing is claimed.
#[test]
fn shadow_is_where_every_ray_to_the_lamp_is_blocked_and_light_where_none_is() {
    let centers = [Vec3::new(0.0, 0.0, 1.2), Vec3::new(0.7, 0.0, 0.3)];
    let radii = [0.35, 0.3];
    let surfaces = [0, 1].map(|k| (ball(radii[k], centers[k]), BodyKind::Solid));
    let (topology, frame) = scene(&surfaces);
    let floor = Plane::new(Vec3::zeros(), Vec3::z()).unwrap();
    let renderer = renderer(&small(), &topology, &frame, &[floor]);
    let set = renderer.set(&frame);
    let place = |x: &Vec3| renderer.stage.place(x);
    let unit = (place(&Vec3::x()) - place(&Vec3::zeros())).norm();
    let balls = [0, 1].map(|k| (place(&centers[k]), radii[k] as f32 * unit));
    let lamp = renderer.stage.lamp;
    let at = |k: usize| [k % 200, k / 200].map(|v| v as f64 * 0.016 - 1.6);
    let ground = (0..40_000).map(|k| (place(&Vec3::new(at(k)[0], at(k)[1], 0.0)), None));
    let (center, radius) = balls[1];
    let upper = (0..1600).map(|k| {
        let (z, turn) = ((k / 40) as f32 / 40.0, (k % 40) as f32 * 0.157);
        let normal = V::new((1.0 - z * z).sqrt() * turn.cos(), (1.0 - z * z).sqrt() * turn.sin(), z);
        (center + normal * (radius * 1.002), Some(normal))
    });
    let mut counts = [0; 4];
    for (point, normal) in ground.chain(upper.filter(|(_, n)| n.is_some_and(|n| n.dot(&lamp) > 0.3))) {
        // A cone a little wider than the lamp, so that a texel more or less does not matter.
        let [high, low] = [0, 1].map(|k| blocked(&point, &lamp, 0.14, &balls[k]));
        let low = if normal.is_some() { 0.0 } else { low };
        let seen = set.lamp.seen_from(&point);
        let on_ball = 2 * usize::from(normal.is_some());
        if high + low == 0.0 {
            counts[on_ball] += 1;
            assert!(seen > 0.97, "{point:?}: {seen} in full light");
        } else if high.max(low) == 1.0 && high.min(low) == 0.0 {
            counts[on_ball + 1] += 1;
            assert!(seen < 0.03, "{point:?}: {seen} in the umbra");
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// A ball straight above a spot of the ground hides the share (r/h)² of what a Lambertian sky gives.
#[test]
fn a_ball_above_the_ground_takes_the_share_of_the_sky_that_geometry_predicts() {
    let (radius, height) = (0.5, 1.0);
    let (topology, frame) = scene(&[(ball(radius, Vec3::new(0.0, 0.0, height)), BodyKind::Solid)]);
    let floor = Plane::new(Vec3::zeros(), Vec3::z()).unwrap();
    let renderer = renderer(&small(), &topology, &frame, &[floor]);
    let set = renderer.set(&frame);
    let light = set.shades[0].at(&renderer.stage.place(&Vec3::zeros()));
    let expected = 1.0 - (radius / height).powi(2) as f32;
    assert!((light - expected).abs() < 0.05, "{light} {expected}");
    assert_eq!(set.shades[0].at(&V::new(50.0, 0.0, 0.0)), 1.0);
}

#[test]
fn a_free_surface_sees_all_the_sky_above_and_half_of_it_sideways() {
    let (topology, frame) = scene(&[(ball(1.0, Vec3::zeros()), BodyKind::Solid)]);
    let renderer = renderer(&small(), &topology, &frame, &[]);
    let set = renderer.set(&frame);
    for Corner { normal, sight, .. } in &set.corners {
        // Of a sky of even brightness a plane that is inclined by θ receives (1 + cos θ)/2.
        let expected = 0.5 * (1.0 + normal.z);
        assert!((sight.sky - expected).abs() < 0.06, "{normal:?} {} {expected}", sight.sky);
    }
}

#[test]
fn edges_of_a_box_are_sharp_and_a_ball_is_smooth() {
    let (topology, frame) = scene(&[(generate::box_surface(Vec3::repeat(1.0)).unwrap(), BodyKind::Obstacle)]);
    let positions: Vec<V> = frame.positions.iter().map(|x| x.cast()).collect();
    let skin = Skin::new(&topology, &positions, 10.0);
    assert_eq!(skin.points.len(), 24, "three corners at each of eight vertices");
    let pose = skin.pose(&positions, &[]);
    assert!(pose.normals.iter().all(|n| (n.amax() - 1.0).abs() < 1e-6), "along the axes: {:?}", pose.normals);
    let (topology, frame) = scene(&[(ball(1.0, Vec3::zeros()), BodyKind::Solid)]);
    let positions: Vec<V> = frame.positions.iter().map(|x| x.cast()).collect();
    let skin = Skin::new(&topology, &positions, 10.0);
    assert_eq!(skin.points.len(), frame.positions.len());
    let pose = skin.pose(&positions, &[]);
    assert!(pose.positions.iter().zip(&pose.normals).all(|(x, n)| x.angle(n) < 0.02));
}

/// Each edge of the cut surface, by the places of its ends, has a triangle on both sides.
#[test]
fn cutting_large_triangles_opens_no_gap() {
    let (topology, frame) =
        scene(&[(generate::box_surface(Vec3::new(1.0, 0.7, 0.2)).unwrap(), BodyKind::Obstacle)]);
    let positions: Vec<V> = frame.positions.iter().map(|x| x.cast()).collect();
    let skin = Skin::new(&topology, &positions, 0.13);
    let pose = skin.pose(&positions, &[]);
    let key = |corner: u32| {
        let p = pose.positions[corner as usize];
        [p.x.to_bits(), p.y.to_bits(), p.z.to_bits()]
    };
    let mut edges = std::collections::HashMap::new();
    for t in &skin.fine {
        for side in 0..3 {
            let (a, b) = (key(t[side]), key(t[(side + 1) % 3]));
            *edges.entry((a.min(b), a.max(b))).or_insert(0) += if a < b { 1 } else { -1 };
            let long = (pose.positions[t[side] as usize] - pose.positions[t[(side + 1) % 3] as usize]).norm();
            assert!(long <= 0.13 + 1e-6, "{long}");
        }
    }
    assert!(skin.fine.len() > 200 && edges.values().all(|&sum| sum == 0));
    assert!(skin.fine_open.iter().all(|open| !open));
}

/// A point just below a plate that does not close is dark from both sides; one above it is lit.
#[test]
fn a_plate_casts_a_shadow_by_either_side_and_not_on_itself() {
    let plate = moved(generate::plate_surface(1.0, 1.0).unwrap(), Vec3::z() * 0.5);
    let positions: Vec<V> = plate.positions.iter().map(|x| x.cast()).collect();
    for flip in [false, true] {
        let turn = |t: &[u32; 3]| if flip { [t[0], t[2], t[1]] } else { *t };
        let triangles: Vec<[u32; 3]> = plate.triangles.iter().map(turn).collect();
        let open = vec![true; triangles.len()];
        let casters = Casters { positions: &positions, triangles: &triangles, open: &open };
        let map = DepthMap::draw(Beam::new(V::z(), V::zeros(), 1.0, 128), &casters);
        assert_eq!(map.lit(&V::new(0.1, 0.2, 0.3)), 0.0);
        assert_eq!(map.lit(&V::new(0.1, 0.2, 0.5)), 1.0);
        assert_eq!(map.lit(&V::new(0.9, 0.2, 0.3)), 1.0);
    }
}

#[test]
fn any_number_of_threads_draws_the_same_bytes() {
    let floor = Plane::new(Vec3::zeros(), Vec3::z()).unwrap();
    let surfaces = [
        (ball(0.4, Vec3::new(0.0, 0.0, 0.6)), BodyKind::Solid),
        (
            moved(generate::box_surface(Vec3::repeat(0.5)).unwrap(), Vec3::new(0.7, 0.2, 0.25)),
            BodyKind::Obstacle,
        ),
    ];
    let (topology, frame) = scene(&surfaces);
    let drawn = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| renderer(&small(), &topology, &frame, &[floor]).draw(&frame))
    };
    let one = drawn(1);
    assert_eq!(one.rgb.len(), 3 * 320 * 180);
    assert!(drawn(2) == one && drawn(3) == one);
}

#[test]
fn broken_positions_no_bodies_and_odd_sizes_still_draw() {
    let (topology, mut frame) = scene(&[(ball(0.4, Vec3::zeros()), BodyKind::Solid)]);
    frame.positions[3].z = f64::NAN;
    frame.positions[4].x = f64::INFINITY;
    for (width, height) in [(17, 33), (33, 16), (320, 180)] {
        let look = Look { width, height, color_by: ColorBy::Speed, theme: Theme::Dark, ..Look::default() };
        let image = renderer(&look, &topology, &frame, &[]).draw(&frame);
        assert_eq!(image.rgb.len(), (3 * width * height) as usize);
    }
    let image =
        renderer(&small(), &Topology::default(), &FilmFrame::default(), &[]).draw(&FilmFrame::default());
    assert!(image.pixel(160, 20)[0] > 200, "a light background");
}

#[test]
fn bodies_have_the_hue_of_their_palette_and_fields_that_of_the_scale() {
    let (topology, mut frame) = scene(&[(ball(0.4, Vec3::zeros()), BodyKind::Solid)]);
    let hue =
        |[r, g, b]: [u8; 3]| [i32::from(r) - i32::from(g), i32::from(g) - i32::from(b)].map(i32::signum);
    let image = renderer(&small(), &topology, &frame, &[]).draw(&frame);
    assert_eq!(hue(image.pixel(160, 80)), hue(palette::of_body(0)));
    frame.velocities = vec![Vec3::x(); topology.points];
    let look = Look { color_by: ColorBy::Speed, ..small() };
    let image = renderer(&look, &topology, &frame, &[]).draw(&frame);
    // All points have the largest speed: the end of the scale.
    assert_eq!(hue(image.pixel(160, 80)), hue(palette::SCALE[16]));
}
