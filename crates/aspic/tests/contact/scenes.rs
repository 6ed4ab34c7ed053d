//! Every scene of contact in the folder `scenes`: each frame goes before the judge, and each scene keeps its promise.

use std::f64::consts::TAU;
use std::path::PathBuf;

use aspic::frame::{BodyKind, BodyRange, Frame};
use aspic::scene::{NoFiles, Quantity, Scene};
use aspic::{Simulation, Vec3, World};

use crate::judge;

fn scene(name: &str) -> Scene {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let text = std::fs::read_to_string(folder.join(name).with_extension("toml")).unwrap();
    Scene::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Runs a scene to its end; every frame is judged, then shown to `visit`.
fn run(scene: &Scene, mut visit: impl FnMut(&World, &Frame)) -> Simulation {
    let mut simulation = scene.build(&NoFiles).unwrap_or_else(|error| panic!("{error}"));
    while let Some(frame) = simulation.next_frame().unwrap_or_else(|error| panic!("{error}")) {
        judge_frame(simulation.world(), &frame);
        visit(simulation.world(), &frame);
    }
    simulation
}

/// No surface crosses another or itself, no tetrahedron is inside out, nothing is inside anything.
fn judge_frame(world: &World, frame: &Frame) {
    let (topology, x, t) = (&world.topology, &frame.positions, frame.ledger.t);
    let owner =
        |point: u32| topology.bodies.iter().position(|b| b.points.contains(&(point as usize))).unwrap();
    let still = |point: u32| topology.bodies[owner(point)].kind == BodyKind::Obstacle;
    // Obstacles may stand in each other: nothing moves them.
    let crossings = judge::crossings(x, &topology.triangles);
    let crossing = crossings.iter().find(|c| !still(c.edge[0]) || !still(topology.triangles[c.triangle][0]));
    assert!(crossing.is_none(), "at {t} s: {crossing:?}");
    assert_eq!(judge::inverted(x, &topology.tets), None, "at {t} s");
    for body in topology.bodies.iter().filter(|body| body.kind != BodyKind::Obstacle) {
        // Nothing crosses, so that one vertex of a body tells for all of it.
        for other in topology.bodies.iter().filter(|other| other.name != body.name) {
            let triangles = &topology.triangles[other.triangles.clone()];
            let inside = judge::inside(x[body.points.start], x, triangles);
            assert!(!inside, "at {t} s `{}` is inside `{}`", body.name, other.name);
        }
        for plane in &world.planes {
            let lowest = points(body, &x[..]).iter().map(|x| plane.normal.dot(&(x - plane.point)));
            assert!(lowest.fold(f64::MAX, f64::min) > 0.0, "at {t} s `{}` is below the floor", body.name);
        }
    }
}

fn points<'a>(body: &BodyRange, of: &'a [Vec3]) -> &'a [Vec3] {
    &of[body.points.clone()]
}

fn body<'a>(world: &'a World, name: &str) -> &'a BodyRange {
    world.topology.bodies.iter().find(|body| body.name == name).unwrap()
}

/// Mean over the points of a body.
fn mean(world: &World, name: &str, of: &[Vec3]) -> Vec3 {
    let points = points(body(world, name), of);
    points.iter().sum::<Vec3>() / points.len() as f64
}

#[test]
fn two_balls_meet_flatten_and_fly_apart_without_touching_any_more() {
    let (mut pressed, mut flattest) = (0.0_f64, f64::MAX);
    let mut last = None;
    run(&scene("two-balls"), |world, frame| {
        let left = points(body(world, "left"), &frame.positions);
        let extent = |f: fn(f64, f64) -> f64, start: f64| left.iter().map(|x| x.x).fold(start, f);
        pressed = pressed.max(frame.ledger.contact);
        flattest = flattest.min(extent(f64::max, f64::MIN) - extent(f64::min, f64::MAX));
        let relative = mean(world, "right", &frame.velocities) - mean(world, "left", &frame.velocities);
        last = Some((frame.ledger, relative));
    });
    let (ledger, relative) = last.unwrap();
    assert!(pressed > 0.0 && flattest < 0.19, "{pressed} J, {flattest} m across");
    assert_eq!(ledger.contact, 0.0);
    assert!(relative.x > 0.5, "they part at {} m/s", relative.x);
    // What one gained the other lost: the momentum was zero.
    assert!(ledger.momentum.norm() < 1e-3 * 4.19, "{:?} kg m/s", ledger.momentum);
}

#[test]
fn five_cubes_stay_stacked() {
    let names = ["first", "second", "third", "fourth", "fifth"];
    let mut centres = vec![];
    run(&scene("cube-stack"), |world, frame| {
        centres = names.map(|name| mean(world, name, &frame.positions)).to_vec();
    });
    for pair in centres.windows(2) {
        let step = pair[1] - pair[0];
        assert!((0.09..0.102).contains(&step.z) && step.xy().norm() < 0.03, "{centres:?}");
    }
}

#[test]
fn ten_tori_fall_in_a_heap_and_never_gain_energy() {
    let mut ten = scene("ten-tori");
    ten.duration = Quantity::new(0.7);
    let mut start = None;
    let simulation = run(&ten, |_, frame| {
        let row = &frame.ledger;
        let energy = row.kinetic + row.elastic_bulk + row.elastic_shear + row.gravity + row.contact;
        let start = *start.get_or_insert(energy);
        assert!(energy <= start * (1.0 + 1e-3), "at {} s: {energy} J, {start} J at the start", row.t);
    });
    let topology = &simulation.world().topology;
    assert_eq!((topology.bodies.len(), topology.tets.len()), (10, 4800));
}

#[test]
fn twisted_bar_is_turned_four_times_and_stays_coiled() {
    let (mut angle, mut before): (f64, Option<f64>) = (0.0, None);
    let (mut after_one_turn, mut at_end) = (0.0, 0.0);
    run(&scene("twisted-bar"), |world, frame| {
        // The end's corner with the largest rest y and z; its angle about x, without jumps.
        let end = &world.constraints.iter().find(|c| c.name == "wrench").unwrap().laws;
        let (node, _) = end[0].prescribed(0.0).unwrap();
        let x = frame.positions[node as usize];
        let now = x.z.atan2(x.y);
        angle += before.map_or(0.0, |before| (now - before + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0);
        before = Some(now);
        at_end = frame.ledger.elastic_bulk + frame.ledger.elastic_shear;
        if angle < TAU {
            after_one_turn = at_end;
        }
    });
    assert!((angle / TAU - 4.0).abs() < 1e-9, "{} turns", angle / TAU);
    assert!(at_end > 2.0 * after_one_turn, "{at_end} J, {after_one_turn} J after one turn");
}

#[test]
fn soft_ball_passes_a_ring_that_is_narrower() {
    let (mut heights, mut floor) = (vec![], f64::MAX);
    run(&scene("ball-through-ring"), |world, frame| {
        heights.push(mean(world, "ball", &frame.positions).z);
        let ring = points(body(world, "ring"), &frame.positions);
        floor = ring.iter().map(|x| x.z).fold(f64::MAX, f64::min);
    });
    assert!(heights[0] > 0.6 && heights[heights.len() - 1] < floor - 0.1, "{heights:?}");
}

#[test]
fn squeezed_ball_is_shot_out() {
    let mut last = (Vec3::zeros(), Vec3::zeros());
    run(&scene("squeeze"), |world, frame| {
        last = (mean(world, "ball", &frame.positions), mean(world, "ball", &frame.velocities));
    });
    // The plates end at x = 29.6 cm, and closed at 6 cm/s each.
    assert!(last.0.x > 0.35 && last.1.x > 0.3, "{last:?}");
    assert!(last.0.y.abs() < 0.05 && last.0.z.abs() < 0.05, "{last:?}");
}

#[test]
fn block_slides_with_the_acceleration_of_coulomb_and_the_rougher_one_stays() {
    let mut rows = vec![];
    let downhill = Vec3::new(20_f64.to_radians().cos(), 0.0, -20_f64.to_radians().sin());
    run(&scene("slope"), |world, frame| {
        let along = |name: &str, of: &[Vec3]| mean(world, name, of).dot(&downhill);
        let speed = along("slides", &frame.velocities);
        rows.push((frame.ledger.t, speed, along("stays", &frame.positions)));
    });
    let (half, end) = (rows[rows.len() / 2], rows[rows.len() - 1]);
    let measured = (end.1 - half.1) / (end.0 - half.0);
    let (sin, cos) = 20_f64.to_radians().sin_cos();
    let expected = 9.81 * (sin - 0.2 * cos);
    assert!((measured / expected - 1.0).abs() < 0.01, "{measured} m/s², {expected} expected");
    // Friction that holds creeps at less than its slip speed, 1 mm/s.
    assert!((end.2 - rows[0].2).abs() < 1e-3, "{rows:?}");
}

#[test]
fn bullet_at_a_hundred_metres_per_second_is_thrown_back() {
    let mut last = (Vec3::zeros(), Vec3::zeros());
    run(&scene("bullet"), |world, frame| {
        last = (mean(world, "bullet", &frame.positions), mean(world, "bullet", &frame.velocities));
    });
    assert!(last.0.x < 0.0 && last.1.x < 0.0, "{last:?}");
}

/// How often a closed line winds through another one: signed passes through a fan of triangles across the first.
fn linking_number(one: &[Vec3], other: &[Vec3]) -> i32 {
    let centre = one.iter().sum::<Vec3>() / one.len() as f64;
    let next = |line: &[Vec3], i: usize| line[(i + 1) % line.len()];
    let side = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| (b - a).cross(&(c - a)).dot(&(d - a)) > 0.0;
    let mut number = 0;
    for (i, &a) in one.iter().enumerate() {
        let b = next(one, i);
        for (j, &p) in other.iter().enumerate() {
            let q = next(other, j);
            let (before, after) = (side(centre, a, b, p), side(centre, a, b, q));
            // The segment p q passes the triangle if it goes round all three edges the same way.
            let round = [side(p, q, centre, a), side(p, q, a, b), side(p, q, b, centre)];
            if before != after && round.iter().all(|&r| r == round[0]) {
                number += if after { 1 } else { -1 };
            }
        }
    }
    number
}

#[test]
fn five_rings_of_a_chain_stay_linked_and_hang() {
    let names = ["first", "second", "third", "fourth", "fifth"];
    let mut heights = [0.0; 5];
    run(&scene("chain"), |world, frame| {
        // Each section of the mesh is a centre and eight corners.
        let core = |name: &str| points(body(world, name), &frame.positions).iter().step_by(9).copied();
        let cores = names.map(|name| core(name).collect::<Vec<Vec3>>());
        for pair in cores.windows(2) {
            assert_eq!(linking_number(&pair[0], &pair[1]).abs(), 1, "at {} s", frame.ledger.t);
        }
        assert_eq!(linking_number(&cores[0], &cores[2]), 0);
        heights = names.map(|name| mean(world, name, &frame.positions).z);
    });
    assert!(heights.windows(2).all(|pair| pair[1] < pair[0] - 0.13), "{heights:?}");
}

#[test]
fn heavy_block_sinks_into_foam_as_far_as_springs_allow() {
    let (mut start, mut last, mut moving) = (None, 0.0, 0.0_f64);
    let simulation = run(&scene("heavy-on-soft"), |world, frame| {
        last = mean(world, "heavy", &frame.positions).z;
        start.get_or_insert(last);
        if frame.ledger.t > 1.5 {
            moving = moving.max(frame.ledger.kinetic);
        }
    });
    let sag = start.unwrap() - last;
    // 8 kg on 20 kPa, 20 cm high: the whole block of foam as one spring, or only the column under the load. Half a
    // centimetre of the way was air.
    let force = 8.0 * 9.81;
    let (whole, column) = (force * 0.2 / (20e3 * 0.04), force * 0.2 / (20e3 * 0.01));
    assert!((whole..column).contains(&(sag - 0.005)), "{sag} m, not between {whole} and {column} m");
    // It still rocks a little: with 2 mJ in searches thirty times as exact.
    let fallen = simulation.statistics().most_exchanged;
    assert!(moving < 1e-3 * fallen, "still moving with {moving} J of {fallen} J");
}

#[test]
fn putty_keeps_its_hollow_and_what_does_not_yield_springs_back() {
    let mut heights = vec![];
    let simulation = run(&scene("putty"), |world, frame| {
        let highest = |name: &str| {
            let near = points(body(world, name), &frame.positions).iter();
            near.map(|x| x.z).fold(f64::MIN, f64::max)
        };
        heights.push([highest("putty"), highest("rubber")]);
    });
    let last = heights.last().unwrap();
    assert!(last[0] < 0.075 && last[1] > 0.09, "{last:?} m");
    let audit = simulation.statistics().audit_relative();
    assert!(audit < 1e-4, "{audit:e}");
}

#[test]
fn ball_tumbles_down_the_stairs() {
    let mut last = Vec3::zeros();
    run(&scene("stairs"), |world, frame| last = mean(world, "ball", &frame.positions));
    assert!(last.x > 1.0 && last.z < 0.4, "{last:?}");
}
