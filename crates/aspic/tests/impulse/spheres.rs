//! Spheres that stand, move and turn in the way of mass points.

use aspic::body::ImpulseSettings;
use aspic::constraint::{Path, Trajectory, Turn};
use aspic::impulse::{Hit, Impulses, Shape};
use aspic::kinetic::MassModel;
use aspic::mesh::generate;
use aspic::{Simulation, Vec3};

use crate::support::{frames, ground, solid, steps};

/// A point beside a sphere of radius 0.5 whose centre is at 1, 2, 3.
fn hit(offset: Vec3, velocity: Vec3, spin: Vec3) -> Vec<Hit> {
    let surface = generate::sphere_surface(0.5, 3).unwrap();
    let center = Vec3::new(1.0, 2.0, 3.0);
    let mut x: Vec<Vec3> = surface.positions.iter().map(|x| x + center).collect();
    let mut v: Vec<Vec3> = surface.positions.iter().map(|x| velocity + spin.cross(x)).collect();
    let points: Vec<u32> = (0..x.len() as u32).collect();
    let ball = Shape { points, fixed: true, ball: Some(0.5), ..Shape::default() };
    let dot = Shape { points: vec![x.len() as u32], radius: 0.01, ..Shape::default() };
    x.push(center + offset);
    v.push(Vec3::zeros());
    Impulses { shapes: vec![ball, dot], ..Impulses::default() }.find(&x, &v)
}

#[test]
fn the_surface_of_a_sphere_moves_and_turns_with_it() {
    let (velocity, spin) = (Vec3::new(0.3, -0.1, 0.2), Vec3::new(1.0, 2.0, -0.5));
    let direction = Vec3::new(0.3, 0.5, -0.8).normalize();
    let [hit] = hit(direction * 0.5, velocity, spin)[..] else { panic!("one hit") };
    assert!((hit.normal - direction).norm() < 1e-13 && (hit.depth - 0.01).abs() < 1e-13);
    let expected = velocity + spin.cross(&(direction * 0.5));
    assert!((hit.wall - expected).norm() < 1e-12, "{} {expected}", hit.wall);
    assert!(self::hit(direction * 0.5101, velocity, spin).is_empty());
}

/// A small light cube that falls beside or onto a sphere, or is pushed by one that moves.
fn beside_a_sphere(shift: Vec3, gravity: f64, motion: Trajectory, friction: f64) -> Simulation {
    let mut builder = ground(gravity, false);
    let cube = generate::block(Vec3::repeat(0.1), [1; 3]).unwrap();
    solid(&mut builder, "cube", &cube, MassModel::Lumped, shift, Vec3::zeros());
    let surface = generate::sphere_surface(0.3, 3).unwrap();
    let id = builder.add_obstacle("ball", &surface, &motion).unwrap();
    builder.round(id, 0.3);
    builder.impulses(ImpulseSettings { friction, restitution: 0.3, ..ImpulseSettings::default() });
    let (world, state) = builder.build().unwrap();
    Simulation::new(world, state, steps(1e-3, 0.8, 0.02))
}

#[test]
fn a_sphere_deflects_what_falls_on_it() {
    let mut simulation = beside_a_sphere(Vec3::new(0.1, 0.0, 0.5), 9.81, Trajectory::still(), 0.0);
    let all = frames(&mut simulation);
    let last = all.last().unwrap();
    let mean = |list: &[Vec3]| list[..8].iter().sum::<Vec3>() / 8.0;
    assert!(mean(&last.positions).x > 0.3 && mean(&last.velocities).x > 0.5, "{}", mean(&last.positions));
    assert!(last.ledger.impact_loss > 0.0);
    for frame in &all {
        assert!(frame.positions[..8].iter().all(|x| x.norm() > 0.3 - 1e-12), "{} s", frame.ledger.t);
        assert!(frame.ledger.residual.abs() < 1e-6 * frame.ledger.exchanged.max(1.0));
    }
}

#[test]
fn a_moving_sphere_pushes_and_a_turning_one_drags_along() {
    let path = Path::new(&[(0.0, Vec3::zeros()), (0.8, Vec3::x() * 0.8)]);
    let mut pushed = beside_a_sphere(Vec3::x() * 0.4, 0.0, Trajectory::new(path, None), 0.0);
    let all = frames(&mut pushed);
    let last = all.last().unwrap();
    assert!(last.ledger.momentum.x > 0.3 && last.ledger.drag_work > 0.0, "{:?}", last.ledger);
    assert!(all.iter().all(|f| f.ledger.residual.abs() < 1e-6 * f.ledger.exchanged.max(1e-3)));
    let turn = Turn::new(Vec3::y(), Vec3::zeros(), &[(0.0, 0.0), (0.8, 3.0)]);
    let turning = Trajectory::new(Path::new(&[]), Some(turn));
    let mut dragged = beside_a_sphere(Vec3::z() * 0.36, 9.81, turning, 0.5);
    let all = frames(&mut dragged);
    let last = all.last().unwrap();
    // The top of a sphere that turns about y goes along x.
    assert!(last.ledger.momentum.x > 0.1 && last.ledger.drag_work > 0.0, "{:?}", last.ledger);
    assert!(all.iter().all(|f| f.ledger.residual.abs() < 1e-6 * f.ledger.exchanged.max(1.0)));
}
