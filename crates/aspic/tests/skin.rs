//! Skins: fine surfaces that coarse bodies carry, show and touch with.

use aspic::body::{Block, BlockStiffness, BuildError, ContactSettings, Inner, SkinError, Start};
use aspic::frame::Frame;
use aspic::integrate::ImplicitSettings;
use aspic::kinetic::MassModel;
use aspic::mesh::{Plane, TetMesh, TriangleSurface, generate};
use aspic::potential::material::Moduli;
use aspic::run::Method;
use aspic::{Mat3, Material, Settings, Simulation, Vec3, World, WorldBuilder};

fn jelly() -> Material {
    Material::elastic(1000.0, Moduli::new(60e3, 20e3).unwrap())
}

/// The three kinds of bodies that carry skins.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Solid,
    Affine,
    Block,
}

const KINDS: [Kind; 3] = [Kind::Solid, Kind::Affine, Kind::Block];

/// Adds a body of that kind.
fn add(builder: &mut WorldBuilder, kind: Kind, name: &str, mesh: &TetMesh) -> usize {
    let material = jelly();
    let added = match kind {
        Kind::Solid => builder.solid(name, mesh, &material, MassModel::Lumped),
        Kind::Affine => {
            let stiff = Moduli::from_young_poisson(1e6, 0.3).unwrap();
            builder.add_affine(name, mesh, material.density, stiff, &Start::default())
        }
        Kind::Block => {
            let stiffness = BlockStiffness::of(material.moduli);
            builder.block(name, &Block { mesh, density: 1000.0, stiffness, inner: Inner::default() })
        }
    };
    added.unwrap()
}

/// A ball of 10 cm radius, coarse, and around it a fine sphere of that radius \[m\].
fn covered(builder: &mut WorldBuilder, kind: Kind, name: &str, radius: f64, touches: bool) -> usize {
    let ball = add(builder, kind, name, &generate::ball(0.1, 2).unwrap());
    builder.skin(ball, &generate::sphere_surface(radius, 2).unwrap(), touches).unwrap();
    ball
}

fn settings(duration: f64) -> Settings {
    let mut settings = Settings { duration, frame_interval: 0.02, ..Settings::default() };
    settings.limits.max_step = 0.01;
    let mut implicit = ImplicitSettings::default();
    implicit.newton.tolerance = Some(1e-9);
    settings.method = Method::Implicit(implicit);
    settings
}

fn points(world: &World, q: &[Vec3]) -> Vec<Vec3> {
    let mut points = vec![Vec3::zeros(); world.topology.points];
    world.embedding.positions(q, &mut points);
    points
}

#[test]
fn skin_lies_where_it_was_put_and_follows_affine_maps_of_its_body_exactly() {
    // Larger than the body, so that some points lie outside; the polyhedra cut through each other.
    let surface = generate::sphere_surface(0.104, 3).unwrap();
    for kind in KINDS {
        let mut builder = WorldBuilder::new();
        covered(&mut builder, kind, "other", 0.1, true);
        let mesh = generate::ball(0.1, 3).unwrap();
        let ball = add(&mut builder, kind, "ball", &mesh);
        builder.skin(ball, &surface, true).unwrap();
        let (world, state) = builder.build().unwrap();
        let body = &world.topology.bodies[ball];
        let skin = body.own_points().end..body.points.end;
        assert_eq!((body.own_points().len(), skin.len()), (mesh.positions.len(), surface.positions.len()));
        let start = points(&world, &state.q);
        for (x, expected) in start[skin.clone()].iter().zip(&surface.positions) {
            assert!((x - expected).norm() < 1e-15, "{kind:?}: {x} {expected}");
        }
        let map = Mat3::new(1.2, 0.3, -0.1, 0.0, 0.7, 0.4, 0.5, -0.2, 1.1);
        let shift = Vec3::new(3.0, -1.0, 2.0);
        let moved: Vec<Vec3> = state.q.iter().map(|x| map * x + shift).collect();
        for (x, from) in points(&world, &moved).iter().zip(&start) {
            assert!((x - (map * from + shift)).norm() < 2e-14, "{kind:?}");
        }
    }
}

#[test]
fn weights_of_a_skin_sum_to_one() {
    for kind in KINDS {
        let mut builder = WorldBuilder::new();
        let ball = covered(&mut builder, kind, "ball", 0.13, true);
        let (world, _) = builder.build().unwrap();
        let skin = world.topology.bodies[ball].skin.as_ref().unwrap();
        assert!(skin.weights.iter().any(|w| w.iter().any(|&w| w < -0.1)), "no point is outside");
        assert!(skin.weights.iter().all(|w| (w.iter().sum::<f64>() - 1.0).abs() < 1e-15));
        for point in world.topology.bodies[ball].points.clone() {
            let sum: f64 = world.embedding.of(point).map(|(_, weight)| weight).sum();
            assert!((sum - 1.0).abs() < 1e-14, "{kind:?}: {sum}");
        }
    }
}

/// A box that falls onto its corner.
fn falling(kind: Kind, friction: f64, skin: impl Fn(&TetMesh) -> Option<TriangleSurface>) -> Simulation {
    let mut mesh = generate::block(Vec3::repeat(0.1), [2; 3]).unwrap();
    let turn = aspic::mesh::Pose::new(&[(Vec3::new(1.0, 0.4, 0.0), 0.5)], Vec3::z() * 0.1).unwrap();
    turn.apply(&mut mesh.positions);
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    builder.add_plane("floor", Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
    let cube = add(&mut builder, kind, "cube", &mesh);
    if let Some(surface) = skin(&mesh) {
        builder.skin(cube, &surface, true).unwrap();
    }
    builder.contact(ContactSettings { friction, ..ContactSettings::default() });
    let (world, state) = builder.build().unwrap();
    Simulation::new(world, state, settings(0.3))
}

/// To rounding without friction; with it to the 1 % of μλ that a search leaves of it, which depends on its last directions.
#[test]
fn body_covered_by_its_own_surface_moves_as_without_a_skin() {
    for (friction, of_force, of_place) in [(0.0, 1e-6, 1e-9), (0.3, 0.01, 1e-5)] {
        for kind in KINDS {
            let mut bare = falling(kind, friction, |_| None);
            let mut covered = falling(kind, friction, |mesh| Some(TriangleSurface::of(mesh)));
            let (mut worst, mut touched) = (0.0f64, false);
            while let Some(frame) = bare.next_frame().unwrap() {
                let other = covered.next_frame().unwrap().unwrap();
                let own = covered.world().topology.bodies[0].own_points();
                let off = |(x, y): (&Vec3, &Vec3)| (x - y).norm();
                worst =
                    frame.positions.iter().zip(&other.positions[own.clone()]).map(off).fold(worst, f64::max);
                let (push, net) = (frame.contact.iter().sum::<Vec3>(), other.contact.iter().sum::<Vec3>());
                assert!((push - net).norm() <= of_force * push.norm(), "{kind:?} {friction}: {push} {net}");
                assert!(other.contact[own].iter().all(|f| *f == Vec3::zeros()), "the cage does not touch");
                touched |= push.norm() > 1.0;
            }
            assert!(touched && worst < of_place, "{kind:?} {friction}: {worst}");
        }
    }
}

/// Lowest own point and lowest point of the skin over a whole fall.
fn lowest(kind: Kind, touches: bool) -> (f64, f64) {
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    builder.add_plane("floor", Plane::new(Vec3::new(0.0, 0.0, -0.15), Vec3::z()).unwrap());
    covered(&mut builder, kind, "ball", 0.115, touches);
    builder.contact(ContactSettings::default());
    let (world, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(world, state, settings(0.4));
    let own = simulation.world().topology.bodies[0].own_points();
    let low = |points: &[Vec3]| points.iter().map(|x| x.z + 0.15).fold(f64::INFINITY, f64::min);
    let mut least = (f64::INFINITY, f64::INFINITY);
    while let Some(frame) = simulation.next_frame().unwrap() {
        least.0 = least.0.min(low(&frame.positions[own.clone()]));
        least.1 = least.1.min(low(&frame.positions[own.end..]));
    }
    least
}

#[test]
fn skin_that_touches_stays_above_the_ground_and_else_the_cage_does() {
    for kind in KINDS {
        let (cage, skin) = lowest(kind, true);
        assert!(skin > 0.0 && skin < 0.003, "{kind:?}: {skin}");
        assert!(cage > skin + 0.002, "{kind:?}: the cage is held up by the skin: {cage} {skin}");
        let (cage, skin) = lowest(kind, false);
        assert!(cage > 0.0 && cage < 0.003, "{kind:?}: {cage}");
        assert!(skin < -0.002, "{kind:?}: the skin only follows: {skin}");
    }
}

/// Two balls with skins fly at each other, off centre.
fn meeting(kinds: [Kind; 2]) -> Simulation {
    let mut builder = WorldBuilder::new();
    for (kind, (name, side)) in kinds.into_iter().zip([("left", -1.0), ("right", 1.0)]) {
        let ball = covered(&mut builder, kind, name, 0.11, true);
        for node in builder.nodes(ball) {
            builder.positions()[node] += Vec3::new(0.14 * side, 0.03 * side, 0.0);
            builder.velocities()[node] = Vec3::new(-1.5 * side, 0.0, 0.1);
        }
    }
    builder.contact(ContactSettings::default());
    let (world, state) = builder.build().unwrap();
    Simulation::new(world, state, settings(0.12))
}

#[test]
fn contact_of_skins_conserves_momentum_and_has_no_torque() {
    for kinds in [[Kind::Solid, Kind::Affine], [Kind::Block, Kind::Solid]] {
        let mut simulation = meeting(kinds);
        let first = simulation.next_frame().unwrap().unwrap().ledger;
        let (mut pushed, mut last) = (0.0f64, first);
        while let Some(frame) = simulation.next_frame().unwrap() {
            let right = simulation.world().topology.bodies[1].points.clone();
            let [all, half] = [&frame.contact[..], &frame.contact[right]].map(|f| f.iter().sum::<Vec3>());
            assert!(all.norm() <= 1e-9 * half.norm().max(1e-3), "{kinds:?}: {all}");
            pushed = pushed.max(half.norm());
            // Backward Euler slows turning bodies by itself; what skins do to each other has no torque.
            let pairs = frame.positions.iter().zip(&frame.contact);
            let torque = pairs.fold(Vec3::zeros(), |sum, (x, f)| sum + x.cross(f));
            assert!(torque.norm() <= 1e-9 * half.norm().max(1e-3), "{kinds:?}: {torque}");
            last = frame.ledger;
        }
        assert!(pushed > 10.0, "{kinds:?}: they never met");
        // Each has about 4 kg and 1.5 m/s; the solver stops within a part of 1e-6 of that.
        assert!((last.momentum - first.momentum).norm() < 1e-5 * 6.0, "{kinds:?}");
    }
}

#[test]
fn restored_run_with_skins_gives_the_same_bits() {
    let kinds = [Kind::Solid, Kind::Block];
    let frames = |simulation: &mut Simulation| -> Vec<Frame> {
        std::iter::from_fn(|| simulation.next_frame().unwrap()).collect()
    };
    let whole = frames(&mut meeting(kinds));
    for stop in [1, 3, 5] {
        let (mut first, mut second) = (meeting(kinds), meeting(kinds));
        (0..stop).for_each(|_| drop(first.next_frame().unwrap()));
        second.restore(first.checkpoint());
        assert!(frames(&mut second)[..] == whole[stop..], "after {stop} frames");
    }
}

#[test]
fn hand_on_a_skin_pulls_at_the_corners_that_carry_the_point() {
    for kind in KINDS {
        let mut builder = WorldBuilder::new();
        let ball = covered(&mut builder, kind, "ball", 0.11, true);
        let (world, state) = builder.build().unwrap();
        let mut simulation = Simulation::new(world, state, settings(0.2));
        let body = simulation.world().topology.bodies[ball].clone();
        let point = body.own_points().end + 7;
        let start = points(simulation.world(), &simulation.state().q)[point];
        let pull = Vec3::new(0.0, 0.3, 0.0);
        assert!(simulation.grab(point, start + pull));
        let hand = simulation.world().hand.clone().unwrap();
        assert!((hand.at(&simulation.state().q) - start).norm() < 1e-15);
        let mut force = vec![Vec3::zeros(); simulation.world().nodes()];
        simulation.world().add_hand(simulation.state(), &mut force);
        let net: Vec3 = force.iter().sum();
        assert!((net - pull * hand.stiffness).norm() < 1e-12 * net.norm(), "{kind:?}");
        let frames: Vec<Frame> = std::iter::from_fn(|| simulation.next_frame().unwrap()).collect();
        let way = frames[frames.len() - 1].positions[point] - start;
        assert!(way.y > 0.02, "{kind:?}: it follows the hand: {way}");
    }
}

#[test]
fn reactions_stand_on_vertices_and_pinned_points_of_a_skin_stay() {
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let ball = covered(&mut builder, Kind::Solid, "ball", 0.1, true);
    let nail = builder.points(ball).end as u32 + 3;
    let start = builder.positions().to_vec();
    builder.hold_at("nail", &[nail], &start);
    let (world, state) = builder.build().unwrap();
    let held = world.constrained_points(&state);
    assert!(held[0].contains(&nail));
    assert!(held[0].len() < 12, "only what its corners carry alone: {held:?}");
    let mut simulation = Simulation::new(world, state, settings(0.1));
    let first = simulation.next_frame().unwrap().unwrap();
    while let Some(frame) = simulation.next_frame().unwrap() {
        assert_eq!(frame.positions[nail as usize], first.positions[nail as usize]);
        let (sum, net) = (frame.reaction.iter().sum::<Vec3>(), frame.reactions[0]);
        assert!((sum - net).norm() < 1e-12 * net.norm() && net.z > 1.0, "{sum} {net}");
    }
}

#[test]
fn skin_far_from_its_body_is_refused_with_the_point_and_the_distance() {
    let mut builder = WorldBuilder::new();
    let cube = add(&mut builder, Kind::Solid, "cube", &generate::block(Vec3::repeat(0.1), [1; 3]).unwrap());
    let mut surface = generate::sphere_surface(0.05, 1).unwrap();
    surface.positions[5] = Vec3::new(0.0, 0.0, 0.25);
    let error = builder.skin(cube, &surface, true).unwrap_err();
    let BuildError::Skin { body, error: SkinError::Far { point, distance, size, .. } } = &error else {
        panic!("{error}");
    };
    assert_eq!((&body[..], *point), ("cube", 5));
    assert!((distance - 0.2).abs() < 1e-15 && (size - 0.03f64.sqrt()).abs() < 1e-15);
    let text = error.to_string();
    assert!(
        text.contains("point 5 at (0, 0, 0.25) m is 0.2 m away") && text.contains("scale or shift"),
        "{text}"
    );
}

#[test]
fn what_cannot_carry_a_skin_is_refused() {
    let surface = generate::sphere_surface(0.1, 1).unwrap();
    let mut builder = WorldBuilder::new();
    let first = covered(&mut builder, Kind::Solid, "first", 0.1, true);
    let error = |error: Result<(), BuildError>| match error.unwrap_err() {
        BuildError::Skin { error, .. } => error,
        other => panic!("{other}"),
    };
    assert_eq!(error(builder.skin(first, &surface, true)), SkinError::Late);
    let plate = generate::plate_surface(1.0, 1.0).unwrap();
    let still = aspic::constraint::Trajectory::still();
    let plate = builder.add_obstacle("plate", &plate, &still).unwrap();
    assert_eq!(error(builder.skin(first, &surface, true)), SkinError::Late);
    assert_eq!(error(builder.skin(plate, &surface, true)), SkinError::NoTetrahedra);
    let mut broken = surface.clone();
    broken.triangles[3] = [0, 0, 1];
    let ball = add(&mut builder, Kind::Block, "ball", &generate::ball(0.1, 1).unwrap());
    assert!(matches!(error(builder.skin(ball, &broken, true)), SkinError::Surface(_)));
}
