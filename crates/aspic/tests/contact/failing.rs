//! Steps that must fail say where.

use aspic::body::ContactSettings;
use aspic::constraint::{Path, Trajectory};
use aspic::integrate::{ImplicitSettings, Spot, StepError, StepLimits};
use aspic::mesh::{Plane, generate};
use aspic::run::Method;
use aspic::{Settings, Simulation, Vec3, WorldBuilder};

use crate::judge;
use crate::overlap::add;

/// A flat box that starts at `from` and moves by `by` \[m\] within `time` \[s\].
fn press(builder: &mut WorldBuilder, name: &str, from: Vec3, by: Vec3, time: f64) {
    let mut surface = generate::box_surface(Vec3::new(0.4, 0.4, 0.02)).unwrap();
    surface.positions.iter_mut().for_each(|x| *x += from);
    let motion = Path::new(&[(0.0, Vec3::zeros()), (time, by)]);
    builder.add_obstacle(name, &surface, &Trajectory::new(motion, None)).unwrap();
}

fn start(mut builder: WorldBuilder) -> Simulation {
    builder.contact(ContactSettings::default());
    let (world, state) = builder.build().unwrap();
    let limits = StepLimits { min_step: 1e-3, ..Settings::default().limits };
    let method = Method::Implicit(ImplicitSettings::default());
    Simulation::new(world, state, Settings { duration: 1.0, method, limits, ..Settings::default() })
}

/// Runs until the error; no frame before it may cross.
fn failure(simulation: &mut Simulation) -> StepError {
    let triangles = simulation.world().topology.triangles.clone();
    loop {
        match simulation.next_frame() {
            Ok(Some(frame)) => {
                // Two presses never meet, but may pass each other: only crossings of bodies count.
                let bodies = simulation.world().topology.bodies[0].triangles.end;
                let crossed = judge::crossings(&frame.positions, &triangles);
                assert!(crossed.iter().all(|c| c.triangle >= bodies), "{crossed:?}");
            }
            Ok(None) => panic!("it ran to its end"),
            Err(error) => return error,
        }
    }
}

/// The bodies that a failure is about.
fn bodies(simulation: &Simulation, error: StepError) -> Vec<u32> {
    let (StepError::Locked { spot, .. }
    | StepError::NoMinimum { spot, .. }
    | StepError::Blocked { spot, .. }) = error
    else {
        panic!("{error:?}");
    };
    match spot {
        Spot::Pair { bodies, points, gap, fraction } => {
            // A plane has no points: the four are those of the body, once.
            let of_plane = bodies[1] as usize >= simulation.world().topology.bodies.len();
            assert!(gap > 0.0 && gap < 0.01 && fraction < 1.0, "{spot:?}");
            assert_eq!(points[0] == points[3], of_plane, "{spot:?}");
            bodies.to_vec()
        }
        Spot::Element { body, fraction, pressed_by, .. } => {
            assert!(fraction < 1.0);
            [Some(body)].into_iter().chain(pressed_by).flatten().collect()
        }
        Spot::Node { node, speed, pressed_by } => {
            assert!(speed > 0.0);
            let bodies = &simulation.world().topology.bodies;
            let body = bodies.iter().position(|b| b.nodes.contains(&(node as usize))).unwrap() as u32;
            [Some(body)].into_iter().chain(pressed_by).flatten().collect()
        }
    }
}

#[test]
fn a_ball_between_plates_driven_through_each_other_is_named() {
    let mut builder = WorldBuilder::new();
    add(&mut builder, "ball", &generate::ball(0.1, 3).unwrap(), 1000.0, Vec3::zeros());
    press(&mut builder, "upper", Vec3::z() * 0.115, Vec3::z() * -0.2, 0.5);
    press(&mut builder, "lower", Vec3::z() * -0.115, Vec3::z() * 0.2, 0.5);
    let mut simulation = start(builder);
    let error = failure(&mut simulation);
    let named = bodies(&simulation, error);
    assert!(named.contains(&0) && (named.contains(&1) || named.contains(&2)), "{error:?}");
}

/// The plane counts on behind the bodies.
#[test]
fn a_ball_that_is_pressed_through_a_plane_is_named_with_what_presses_it() {
    let mut builder = WorldBuilder::new();
    add(&mut builder, "ball", &generate::ball(0.1, 2).unwrap(), 1000.0, Vec3::z() * 0.11);
    press(&mut builder, "upper", Vec3::z() * 0.24, Vec3::z() * -0.4, 0.5);
    builder.add_plane("floor", Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
    let mut simulation = start(builder);
    let error = failure(&mut simulation);
    let named = bodies(&simulation, error);
    assert!(named.contains(&0) && (named.contains(&1) || named.contains(&2)), "{error:?}");
    let by_a_pair = |error| matches!(error, StepError::NoMinimum { spot, .. } | StepError::Locked { spot, .. } if matches!(spot, Spot::Pair { .. }));
    if !by_a_pair(error) {
        let text = error.to_string();
        assert!(text.contains("pressed by bod"), "{text}");
    }
}

#[test]
fn an_obstacle_dragged_through_a_held_body_is_blocked_by_it() {
    let mut builder = WorldBuilder::new();
    let block = generate::block(Vec3::repeat(0.1), [2; 3]).unwrap();
    add(&mut builder, "block", &block, 1000.0, Vec3::zeros());
    let nodes: Vec<u32> = (0..block.positions.len() as u32).collect();
    builder.hold("hand", &nodes);
    press(&mut builder, "press", Vec3::z() * 0.2, Vec3::z() * -0.5, 0.5);
    let mut simulation = start(builder);
    let error = failure(&mut simulation);
    assert!(matches!(error, StepError::Blocked { .. } | StepError::Locked { .. }), "{error:?}");
    assert_eq!(bodies(&simulation, error), [0, 1]);
    let text = error.to_string();
    assert!(text.contains("bodies 0 and 1 are") && text.contains("of the motion pass"), "{text}");
    // The state before the step is intact and shows the press at the block.
    let points = simulation.points_before();
    let press = &simulation.world().topology.bodies[1];
    let bottom = points[press.points.clone()].iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    let top = points[..press.points.start].iter().map(|x| x.z).fold(f64::NEG_INFINITY, f64::max);
    assert!(bottom > top && bottom - top < 0.06, "{top} {bottom}");
}

/// 100 m/s are ten plate thicknesses in a two-thousandth of a second: it carries the ball along, or says why not, and
/// never goes through.
#[test]
fn an_obstacle_faster_than_the_steps_never_goes_through() {
    let mut builder = WorldBuilder::new();
    add(&mut builder, "ball", &generate::ball(0.1, 2).unwrap(), 1000.0, Vec3::zeros());
    press(&mut builder, "bat", Vec3::z() * -0.3, Vec3::z() * 20.0, 0.2);
    let mut simulation = start(builder);
    let triangles = simulation.world().topology.triangles.clone();
    loop {
        match simulation.next_frame() {
            Ok(Some(frame)) => {
                assert!(judge::crossings(&frame.positions, &triangles).is_empty());
                let bat = simulation.world().topology.bodies[1].points.start;
                let mean = |x: &[Vec3]| x.iter().map(|x| x.z).sum::<f64>() / x.len() as f64;
                assert!(
                    mean(&frame.positions[..bat]) > mean(&frame.positions[bat..]),
                    "the ball is behind the bat"
                );
            }
            Ok(None) => break,
            Err(error) => {
                assert!(bodies(&simulation, error).contains(&0), "{error:?}");
                break;
            }
        }
    }
}

/// A held body far from a plane: its points have no stiffness that a push could be measured against.
#[test]
fn a_held_body_over_a_plane_and_an_obstacle_disturbs_nobody() {
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::z() * -9.81);
    let block = generate::block(Vec3::repeat(0.1), [1; 3]).unwrap();
    let held = add(&mut builder, "held", &block, 1000.0, Vec3::z() * 0.0501);
    let nodes: Vec<u32> = builder.nodes(held).map(|n| n as u32).collect();
    builder.hold("hand", &nodes);
    add(&mut builder, "free", &block, 1000.0, Vec3::new(1.0, 0.0, 0.5));
    press(&mut builder, "table", Vec3::z() * 0.1103, Vec3::zeros(), 0.5);
    builder.add_plane("floor", Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
    let mut simulation = start(builder);
    simulation.advance_to(0.1).unwrap();
    // Free fall by backward Euler, which is a little ahead of ½ g t².
    let fallen = 0.5 - (simulation.state().q[block.positions.len()].z - block.positions[0].z);
    assert!(fallen > 0.5 * 9.81 * 0.01 && fallen < 0.12, "{fallen}");
}

#[test]
fn forces_beyond_all_numbers_are_an_error_and_not_a_rest() {
    // The square of such a force is no number, so that no direction can be computed from it.
    let mesh = generate::block(Vec3::repeat(0.1), [1; 3]).unwrap();
    for force in [1e160, 1e200, 1e300] {
        let mut builder = crate::support::single(&mesh, &crate::support::jelly());
        builder.gravity(Vec3::new(force, 0.0, 0.0));
        let error = failure(&mut start(builder));
        assert!(matches!(error, StepError::NotFinite { .. }), "{force}: {error:?}");
    }
}
