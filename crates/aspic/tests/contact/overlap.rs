//! Starts that overlap: found, named, measured, and pushed apart on request.

use aspic::body::{BodyId, BuildError, Clash, ContactSettings};
use aspic::constraint::Trajectory;
use aspic::integrate::ImplicitSettings;
use aspic::kinetic::MassModel;
use aspic::mesh::{Plane, TetMesh, generate};
use aspic::potential::material::Moduli;
use aspic::run::Method;
use aspic::{Material, Settings, Simulation, State, Vec3, World, WorldBuilder};

use crate::judge;

pub fn jelly(density: f64) -> Material {
    Material::elastic(density, Moduli::new(40e3, 15e3).unwrap())
}

/// Adds a solid that is moved by `shift` \[m\].
pub fn add(builder: &mut WorldBuilder, name: &str, mesh: &TetMesh, density: f64, shift: Vec3) -> BodyId {
    let body = builder.solid(name, mesh, &jelly(density), MassModel::Lumped).unwrap();
    let nodes = builder.nodes(body);
    builder.positions()[nodes].iter_mut().for_each(|x| *x += shift);
    body
}

fn build(mut builder: WorldBuilder, separate: bool) -> Result<(World, State), BuildError> {
    builder.contact(ContactSettings { separate, ..ContactSettings::default() });
    builder.build()
}

/// What a start without leave to separate is refused for.
fn clashes(builder: WorldBuilder) -> Vec<Clash> {
    match build(builder, false).map(|_| ()) {
        Err(BuildError::Overlap { clashes, tried: false }) => clashes,
        other => panic!("{other:?}"),
    }
}

pub fn points(world: &World, state: &State) -> Vec<Vec3> {
    let mut points = vec![Vec3::zeros(); world.embedding.len()];
    world.embedding.positions(&state.q, &mut points);
    points
}

fn two_balls(distance: f64) -> WorldBuilder {
    let ball = generate::ball(0.1, 4).unwrap();
    let mut builder = WorldBuilder::new();
    add(&mut builder, "left", &ball, 1000.0, Vec3::zeros());
    // Askew, so that no edge meets another.
    add(&mut builder, "right", &ball, 3000.0, distance * Vec3::new(0.9, 0.3, 0.316).normalize());
    builder
}

#[test]
fn balls_overlap_by_what_their_centres_lack_and_cross_as_the_judge_says() {
    let (world, state) = two_balls(0.17).build().unwrap();
    let expected = judge::crossings(&points(&world, &state), &world.topology.triangles).len();
    let found = clashes(two_balls(0.17));
    assert_eq!((found.len(), &*found[0].first, &*found[0].second), (1, "left", "right"));
    assert_eq!(found[0].crossings, expected);
    assert!(expected > 10 && found[0].depth > 0.015 && found[0].depth < 0.03, "{found:?}");
    let text = build(two_balls(0.17), false).map(|_| ()).unwrap_err().to_string();
    assert!(text.starts_with("`left` and `right` overlap at the start by about 2"), "{text}");
    let end = format!(
        " mm ({expected} crossings); move them apart, set `separate = true` in [contact], or name the pair in its `off` if they are tied"
    );
    assert!(text.ends_with(&end), "{text}");
    assert!(build(two_balls(0.2001), false).is_ok());
}

fn block_above_plane(height: f64) -> WorldBuilder {
    let block = generate::block(Vec3::repeat(0.1), [2; 3]).unwrap();
    let lowest = block.positions.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    let mut builder = WorldBuilder::new();
    add(&mut builder, "block", &block, 1000.0, Vec3::z() * (height - lowest));
    builder.add_plane("ground", Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
    builder
}

#[test]
fn a_block_in_the_ground_is_as_deep_as_its_lowest_point() {
    let found = clashes(block_above_plane(-0.0032));
    let expected = ("block", "ground", 9);
    assert_eq!((&*found[0].first, &*found[0].second, found[0].crossings), expected);
    assert!((found[0].depth - 0.0032).abs() < 1e-12);
    assert_eq!(
        build(block_above_plane(-0.0032), false).map(|_| ()).unwrap_err().to_string(),
        "`block` and `ground` overlap at the start by about 3.2 mm (9 crossings); move them apart, set \
         `separate = true` in [contact], or name the pair in its `off` if they are tied"
    );
    // What was put exactly onto the ground is moved by a crack, so little that nobody sees it.
    let (world, _) = build(block_above_plane(0.0), false).unwrap();
    let range = world.contact.as_ref().unwrap().distance.of(0);
    assert!(world.shifts.len() == 1 && world.shifts[0].by.z < 0.03 * range, "{:?}", world.shifts);
    let (world, _) = build(block_above_plane(1e-5), false).unwrap();
    assert!(world.shifts.is_empty());
}

#[test]
fn a_block_in_the_ground_is_lifted_out_of_it_without_turning() {
    let (world, state) = build(block_above_plane(-0.03), true).unwrap();
    let lowest = state.q.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    let range = world.contact.as_ref().unwrap().distance.of(0);
    assert!(lowest > range && lowest < 1.2 * range, "{lowest} of {range}");
    let by = world.shifts[0].by;
    assert!((by - Vec3::z() * (lowest + 0.03)).norm() < 1e-15 && world.shifts.len() == 1);
}

#[test]
fn a_body_inside_another_is_found_and_one_in_a_container_is_welcome() {
    let small = generate::ball(0.02, 2).unwrap();
    let mut builder = WorldBuilder::new();
    add(&mut builder, "cube", &generate::block(Vec3::repeat(0.2), [2; 3]).unwrap(), 1000.0, Vec3::zeros());
    let middle = builder.positions().iter().sum::<Vec3>() / builder.positions().len() as f64;
    add(&mut builder, "seed", &small, 1000.0, middle + Vec3::new(0.0, 0.05, 0.0));
    let found = clashes(builder);
    assert_eq!((&*found[0].first, &*found[0].second, found[0].crossings), ("cube", "seed", 0));
    // Out through the nearest face: 0.05 to the face and the radius.
    assert!((found[0].depth - 0.07).abs() < 2e-3, "{found:?}");
    assert!(found[0].to_string().ends_with("by about 70 mm, one inside the other"), "{}", found[0]);

    let mut builder = WorldBuilder::new();
    add(&mut builder, "seed", &small, 1000.0, Vec3::zeros());
    let room = generate::box_surface(Vec3::repeat(0.2)).unwrap();
    builder.add_obstacle("room", &room, &Trajectory::still()).unwrap();
    assert!(build(builder, false).is_ok());
}

/// The ends of the bar and the rim of the plate are far from where they cross.
#[test]
fn a_bar_through_the_middle_of_a_plate_is_found() {
    let mut builder = WorldBuilder::new();
    let bar = generate::beam(1.0, 0.02, 0.02, [1, 1, 1]).unwrap();
    let body = add(&mut builder, "bar", &bar, 1000.0, Vec3::zeros());
    // From along x to along z.
    let nodes = builder.nodes(body);
    builder.positions()[nodes].iter_mut().for_each(|x| *x = Vec3::new(x.y + 0.3, x.z + 0.1, x.x - 0.4));
    let plate = generate::plate_surface(2.0, 2.0).unwrap();
    builder.add_obstacle("plate", &plate, &Trajectory::still()).unwrap();
    let found = clashes(builder);
    assert_eq!((found.len(), &*found[0].first, &*found[0].second), (1, "bar", "plate"));
    // The shorter way out is upwards.
    assert!((found[0].depth - 0.4).abs() < 1e-12 && found[0].crossings >= 4, "{found:?}");
}

#[test]
fn two_balls_part_nearly_along_their_centres_and_the_heavier_goes_less() {
    let (before, start) = two_balls(0.17).build().unwrap();
    let (world, state) = build(two_balls(0.17), true).unwrap();
    let [left, right] = [&world.shifts[0], &world.shifts[1]];
    assert_eq!((left.body, right.body), (0, 1));
    assert!((left.by + 3.0 * right.by).norm() < 1e-12, "the centre of mass stays");
    let along = Vec3::new(0.9, 0.3, 0.316).normalize();
    let apart = right.by - left.by;
    assert!(apart.dot(&along) > 0.98 * apart.norm() && apart.norm() < 0.034, "{apart}");
    for (shift, body) in world.shifts.iter().zip(&world.topology.bodies) {
        let moved = body.nodes.clone().map(|n| state.q[n] - start.q[n]);
        assert!(moved.into_iter().all(|d| (d - shift.by).norm() < 1e-15), "moved, not deformed");
    }
    assert!(judge::crossings(&points(&world, &state), &before.topology.triangles).is_empty());
}

/// A heap: tori, balls, a block, an affine body, an obstacle, a held ball and a floor, all in each other.
fn heap() -> WorldBuilder {
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::z() * -9.81);
    let ball = generate::ball(0.06, 2).unwrap();
    let torus = generate::torus(0.08, 0.03, 12, 6).unwrap();
    for k in 0..8 {
        let turn = 2.4 * f64::from(k);
        let at = Vec3::new(0.05 * turn.cos(), 0.05 * turn.sin(), 0.03 * f64::from(k));
        let mesh = if k % 2 == 0 { &ball } else { &torus };
        add(&mut builder, &format!("piece {k}"), mesh, 500.0 * f64::from(k + 1), at);
    }
    let held = add(&mut builder, "held", &ball, 1000.0, Vec3::new(0.02, 0.0, 0.1));
    let nodes: Vec<u32> = builder.nodes(held).map(|n| n as u32).collect();
    builder.hold("hand", &nodes);
    let stiff = Moduli::from_young_poisson(1e7, 0.3).unwrap();
    builder.add_affine("stone", &ball, 2000.0, stiff, &aspic::body::Start::default()).unwrap();
    let mut post = generate::box_surface(Vec3::new(0.05, 0.05, 0.3)).unwrap();
    post.positions.iter_mut().for_each(|x| x.x += 0.12);
    builder.add_obstacle("post", &post, &Trajectory::still()).unwrap();
    builder.add_plane("floor", Plane::new(Vec3::z() * -0.02, Vec3::z()).unwrap());
    builder
}

#[test]
fn a_heap_of_bodies_in_each_other_comes_apart_and_runs() {
    let found = clashes(heap());
    assert!(found.len() > 10, "{found:?}");
    let (world, state) = build(heap(), true).unwrap();
    let triangles = world.topology.triangles.clone();
    assert!(judge::crossings(&points(&world, &state), &triangles).is_empty());
    assert!(points(&world, &state).iter().take(world.topology.bodies[8].points.start).all(|x| x.z > -0.02));
    let still = ["held", "post"];
    for shift in &world.shifts {
        assert!(!still.contains(&&*world.topology.bodies[shift.body].name));
        assert!(shift.by.norm() < 0.6, "{shift:?}");
    }
    let method = Method::Implicit(ImplicitSettings::default());
    let settings = Settings { duration: 0.1, method, ..Settings::default() };
    let mut simulation = Simulation::new(world, state, settings);
    while let Some(frame) = simulation.next_frame().unwrap() {
        assert!(judge::crossings(&frame.positions, &triangles).is_empty());
    }
}

#[test]
fn two_bodies_in_the_same_place_part_too() {
    let ball = generate::ball(0.1, 2).unwrap();
    let mut builder = WorldBuilder::new();
    for name in ["one", "other"] {
        add(&mut builder, name, &ball, 1000.0, Vec3::zeros());
    }
    let (world, state) = build(builder, true).unwrap();
    assert!(judge::crossings(&points(&world, &state), &world.topology.triangles).is_empty());
    let apart = world.shifts[0].by - world.shifts[1].by;
    assert!(apart.norm() > 0.18 && apart.norm() < 0.22, "{apart}");
}

#[test]
fn what_cannot_move_is_refused_with_the_list() {
    let ball = generate::ball(0.1, 2).unwrap();
    let mut builder = WorldBuilder::new();
    for (name, at) in [("a", 0.0), ("b", 0.15)] {
        let body = add(&mut builder, name, &ball, 1000.0, Vec3::x() * at);
        let nodes: Vec<u32> = builder.nodes(body).map(|n| n as u32).collect();
        builder.hold(name, &nodes);
    }
    let text = build(builder, true).map(|_| ()).unwrap_err().to_string();
    assert!(text.starts_with("`a` and `b` overlap at the start by about"), "{text}");
    assert!(text.ends_with("; they could not be pushed apart: move them yourself, or name the pair in `off` of [contact] if they are tied"), "{text}");
}

#[test]
fn a_pair_that_is_switched_off_may_overlap() {
    let mut builder = two_balls(0.17);
    let off = vec![("right".to_owned(), "left".to_owned())];
    builder.contact(ContactSettings { off, ..ContactSettings::default() });
    assert!(builder.build().is_ok());
}
