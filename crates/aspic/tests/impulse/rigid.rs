//! Free affine bodies are struck as rigid ones: closed forms from masses and inertias of the mesh alone.

use aspic::body::{ImpulseSettings, Start};
use aspic::mesh::{Pose, TetMesh, generate};
use aspic::potential::material::Moduli;
use aspic::{Mat3, State, Vec3, World, WorldBuilder};

use crate::support::{amend, flood, ground, miss};

pub const DENSITY: f64 = 800.0;
/// How deep the bodies are in each other  \[m\]
pub const DEPTH: f64 = 1e-5;

/// A ball, a box and an ellipsoid.
pub fn shapes() -> [TetMesh; 3] {
    let ball = generate::ball(0.1, 3).unwrap();
    let mut ellipsoid = ball.clone();
    ellipsoid.positions.iter_mut().for_each(|x| *x = x.component_mul(&Vec3::new(1.5, 1.0, 0.6)));
    [ball, generate::block(Vec3::new(0.2, 0.15, 0.1), [2, 2, 1]).unwrap(), ellipsoid]
}

/// A rigid body as textbooks have it.
#[derive(Clone, Copy, Debug)]
pub struct Rigid {
    pub mass: f64,
    pub inertia: Mat3,
    pub centre: Vec3,
    pub velocity: Vec3,
    pub spin: Vec3,
}

impl Rigid {
    /// Mass, centre and inertia of placed tetrahedra. Four nodes, 1/√5 of the way from the centroid to the corners, are exact
    /// for polynomials of degree two.
    pub fn of(mesh: &TetMesh, at: &[Vec3], velocity: Vec3, spin: Vec3) -> Rigid {
        let parts: Vec<(f64, Vec3)> = (mesh.tets.iter())
            .flat_map(|tet| {
                let x = tet.map(|v| at[v as usize]);
                let volume = (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0])).abs() / 6.0;
                let middle = x.iter().sum::<Vec3>() / 4.0;
                x.map(|x| (DENSITY * volume / 4.0, middle + (x - middle) / 5f64.sqrt()))
            })
            .collect();
        let mass = parts.iter().map(|(m, _)| m).sum::<f64>();
        let centre = parts.iter().map(|(m, x)| x * *m).sum::<Vec3>() / mass;
        let second: Mat3 = parts.iter().map(|(m, x)| (x - centre) * (x - centre).transpose() * *m).sum();
        Rigid { mass, inertia: Mat3::identity() * second.trace() - second, centre, velocity, spin }
    }

    pub fn velocity_at(&self, x: &Vec3) -> Vec3 {
        self.velocity + self.spin.cross(&(x - self.centre))
    }

    /// n·(1/m + (I⁻¹ (r × n)) × r)
    pub fn inverse_mass(&self, x: &Vec3, n: &Vec3) -> f64 {
        let arm = (x - self.centre).cross(n);
        1.0 / self.mass + arm.dot(&(self.inertia.try_inverse().unwrap() * arm))
    }

    /// Newton's and Euler's laws for an impulse at x.
    pub fn struck(&self, x: &Vec3, impulse: &Vec3) -> Rigid {
        let spin = self.inertia.try_inverse().unwrap() * (x - self.centre).cross(impulse);
        Rigid { velocity: self.velocity + impulse / self.mass, spin: self.spin + spin, ..*self }
    }

    pub fn energy(&self) -> f64 {
        0.5 * (self.mass * self.velocity.norm_squared() + self.spin.dot(&(self.inertia * self.spin)))
    }
}

pub fn points(world: &World, nodes: &[Vec3]) -> Vec<Vec3> {
    let mut points = vec![Vec3::zeros(); world.embedding.len()];
    world.embedding.positions(nodes, &mut points);
    points
}

pub fn add(builder: &mut WorldBuilder, name: &str, mesh: &TetMesh, young: f64, start: &Start) {
    let moduli = Moduli::from_young_poisson(young, 0.3).unwrap();
    builder.add_affine(name, mesh, DENSITY, moduli, start).unwrap();
}

/// A body that has just met the ground with its lowest point: the world, the body and that point.
pub fn landing(
    mesh: &TetMesh,
    young: f64,
    start: &Start,
    settings: &ImpulseSettings,
) -> (World, State, Rigid, Vec3) {
    let build = |lift: f64| {
        let mut builder = ground(9.81, true);
        let pose = Pose { translation: start.pose.translation + Vec3::z() * lift, ..start.pose };
        add(&mut builder, "body", mesh, young, &Start { pose, ..*start });
        builder.impulses(settings.clone());
        builder.build().unwrap()
    };
    let (world, state) = build(0.0);
    let lowest = points(&world, &state.q).iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    let (world, state) = build(-lowest - DEPTH);
    let at = points(&world, &state.q);
    let below: Vec<&Vec3> = at.iter().filter(|x| x.z < 0.0).collect();
    assert_eq!(below.len(), 1, "one point touches");
    let (body, point) = (Rigid::of(mesh, &at, start.velocity, start.spin), *below[0]);
    (world, state, body, point)
}

/// A generic pose, and a motion of about this speed downwards.
pub fn falling(speed: f64, turn: f64) -> Start {
    let pose = Pose::new(&[(Vec3::new(1.0, 2.0 * turn, 0.5), 0.7 + turn)], Vec3::zeros()).unwrap();
    let velocity = Vec3::new(0.3, -0.2 * turn, -1.0) * speed;
    Start { pose, velocity, spin: Vec3::new(turn, -0.5, 0.8 - turn) * speed }
}

/// All points of a world move as those of the rigid body do.
pub fn moves_as(world: &World, q: &[Vec3], v: &[Vec3], body: &Rigid) -> f64 {
    let (at, moves) = (points(world, q), points(world, v));
    at.iter().zip(&moves).map(|(x, v)| (v - body.velocity_at(x)).norm()).fold(0.0, f64::max)
}

/// P = −(1 + e) uₙ / (1/m + (r × n)·I⁻¹ (r × n)), and the energy ½ (1 − e²) uₙ² over the same.
#[test]
fn a_body_of_any_shape_stiffness_and_speed_leaves_the_ground_as_a_rigid_one() {
    let n = Vec3::z();
    for (shape, mesh) in shapes().iter().enumerate() {
        for young in [1e5, 1e6, 1e7, 1e8, 1e9, 1e10] {
            for restitution in [0.0, 0.3, 0.7, 1.0] {
                for (speed, turn) in [(0.1, 0.3), (1.0, -0.4), (5.0, 0.9), (20.0, 0.6)] {
                    let settings = ImpulseSettings { restitution, ..ImpulseSettings::default() };
                    let start = falling(speed, turn);
                    let (world, mut state, body, point) = landing(mesh, young, &start, &settings);
                    let old = amend(&world, &mut state);
                    let approach = -body.velocity_at(&point).z;
                    assert!(approach > 0.0);
                    let inverse = body.inverse_mass(&point, &n);
                    let after = body.struck(&point, &(n * ((1.0 + restitution) * approach / inverse)));
                    let off = moves_as(&world, &old.q, &state.v, &after) / speed;
                    let what = format!("shape {shape}, {young} Pa, e = {restitution}, {speed} m/s");
                    assert!(off < 1e-11, "{what}: {off:e}");
                    let lost = 0.5 * (1.0 - restitution * restitution) * approach * approach / inverse;
                    let wrong = (state.accounts.impact_loss - lost).abs() / body.energy();
                    assert!(wrong < 1e-12 && state.accounts.friction_loss == 0.0, "{what}: {wrong:e}");
                    assert!(miss(&world, &old, &state) < 1e-13, "{what}");
                }
            }
        }
    }
}

/// Coulomb's law with the state after the touch: it sticks with |P_T| ≤ μ Pₙ, or slides against P_T with |P_T| = μ Pₙ.
#[test]
fn friction_at_a_struck_point_is_coulombs_with_the_rigid_effective_mass() {
    let (mut stuck, mut slid) = (0, 0);
    for mesh in &shapes() {
        for (friction, restitution) in [(0.05, 0.0), (0.2, 0.7), (0.5, 0.3), (1.0, 0.0), (2.0, 0.5)] {
            for turn in [0.3, -0.4, 0.9, 0.6, 1.4, -1.1] {
                let settings = ImpulseSettings { restitution, friction, ..ImpulseSettings::default() };
                let (world, mut state, body, point) = landing(mesh, 1e8, &falling(2.0, turn), &settings);
                let old = amend(&world, &mut state);
                let [before, now] = [&old.v, &state.v].map(|v| world.inertia.momenta(&old.q, v).0);
                let impulse = now - before;
                let after = body.struck(&point, &impulse);
                assert!(moves_as(&world, &old.q, &state.v, &after) < 1e-10, "it acts at the point");
                let (came, left) = (body.velocity_at(&point), after.velocity_at(&point));
                assert!((left.z + restitution * came.z).abs() < 1e-11, "{left} {came}");
                let (across, slide) = (impulse.xy(), left.xy());
                let limit = friction * impulse.z;
                assert!(across.norm() <= limit * (1.0 + 1e-12));
                if slide.norm() < 1e-10 {
                    stuck += 1;
                } else {
                    slid += 1;
                    assert!((across.norm() / limit - 1.0).abs() < 1e-10, "{across} {limit}");
                    assert!((across / limit + slide.normalize()).norm() < 1e-8, "against the sliding");
                }
                let lost = body.energy() - after.energy();
                let booked = state.accounts.impact_loss + state.accounts.friction_loss;
                assert!(lost > 0.0 && (lost - booked).abs() < 1e-11 * body.energy(), "{lost} {booked}");
                assert!(state.accounts.friction_loss >= 0.0 && miss(&world, &old, &state) < 1e-13);
            }
        }
    }
    assert!(stuck > 20 && slid > 20, "{stuck} {slid}");
}

/// P_T = −min(μ Pₙ, |u_T| / (1/m + r²/I)), the ball of the textbooks: two sevenths of m |u_T| for a sphere.
#[test]
fn a_spinning_ball_takes_two_sevenths_of_its_sliding_into_turning() {
    let mesh = generate::ball(0.1, 6).unwrap();
    let lowest = mesh.positions.iter().copied().max_by(|a, b| a.norm().total_cmp(&b.norm())).unwrap();
    let axis = lowest.cross(&-Vec3::z());
    let angle = axis.norm().atan2(-lowest.z);
    for (friction, sticks) in [(0.05, false), (0.3, false), (3.0, true)] {
        let pose = Pose::new(&[(axis.normalize(), angle)], Vec3::zeros()).unwrap();
        let start = Start { pose, velocity: Vec3::new(2.0, 0.0, -1.0), spin: Vec3::y() * -30.0 };
        let settings = ImpulseSettings { restitution: 0.7, friction, ..ImpulseSettings::default() };
        let (world, mut state, body, _) = landing(&mesh, 1e9, &start, &settings);
        let old = amend(&world, &mut state);
        let moment = body.inertia[(1, 1)];
        assert!((moment / (0.4 * body.mass * 0.01) - 1.0).abs() < 0.05, "nearly a sphere");
        let sliding = 2.0 + 30.0 * 0.1;
        let stop = sliding / (1.0 / body.mass + 0.01 / moment);
        let expected = stop.min(friction * 1.7 * body.mass);
        assert_eq!(sticks, expected == stop);
        let got = world.inertia.momenta(&old.q, &old.v).0 - world.inertia.momenta(&old.q, &state.v).0;
        assert!((got.x / expected - 1.0).abs() < 1e-5 && got.y.abs() < 1e-6 * expected, "{got} {expected}");
    }
}

/// Two bodies: 1/m is the sum of both, for a corner that meets a face far from its centre.
#[test]
fn two_affine_bodies_part_as_rigid_ones_and_keep_momentum_and_angular_momentum() {
    let slab = generate::block(Vec3::new(0.5, 0.4, 0.1), [1; 3]).unwrap();
    let n = Vec3::z();
    for (mesh, turn) in shapes().iter().zip([0.3, 0.9, 0.6]) {
        for (young, restitution, speed) in
            [(1e5, 0.7, 1.0), (1e6, 0.0, 20.0), (1e7, 0.3, 0.1), (1e8, 1.0, 5.0), (1e10, 0.7, 2.0)]
        {
            for off_centre in [0.0, 0.13] {
                let mut start = falling(speed, turn);
                let settings = ImpulseSettings { restitution, ..flood() };
                let (_, _, body, point) = landing(mesh, young, &start, &settings);
                let mut builder = ground(0.0, false);
                let lift = body.centre + Vec3::new(off_centre, 0.5 * off_centre, 0.0);
                // The pose turns about the origin, where the centres of all shapes are.
                start.pose.translation = lift;
                add(&mut builder, "body", mesh, young, &start);
                let below = Start { velocity: Vec3::new(0.1, 0.0, 0.2) * speed, ..Start::default() };
                let below = Start { pose: Pose::new(&[], Vec3::z() * -0.05).unwrap(), ..below };
                add(&mut builder, "slab", &slab, young, &below);
                builder.impulses(settings);
                let (world, mut state) = builder.build().unwrap();
                let at = points(&world, &state.q);
                let count = mesh.positions.len();
                let upper = Rigid::of(mesh, &at[..count], start.velocity, start.spin);
                let lower = Rigid::of(&slab, &at[count..], below.velocity, Vec3::zeros());
                let corner = point + upper.centre - body.centre;
                let face = Vec3::new(corner.x, corner.y, 0.0);
                let old = amend(&world, &mut state);
                let came = (upper.velocity_at(&corner) - lower.velocity_at(&face)).z;
                assert!(came < 0.0);
                let inverse = upper.inverse_mass(&corner, &n) + lower.inverse_mass(&face, &n);
                let impulse = n * (-(1.0 + restitution) * came / inverse);
                let after = [upper.struck(&corner, &impulse), lower.struck(&face, &-impulse)];
                let moves = points(&world, &state.v);
                for (k, (x, v)) in at.iter().zip(&moves).enumerate() {
                    let off = (v - after[usize::from(k >= count)].velocity_at(x)).norm() / speed;
                    assert!(off < 1e-9, "{young} Pa, e = {restitution}: {off:e}");
                }
                let lost = 0.5 * (1.0 - restitution * restitution) * came * came / inverse;
                let energy = upper.energy() + lower.energy();
                assert!((state.accounts.impact_loss - lost).abs() < 1e-9 * energy);
                let [before, now] = [&old.v, &state.v].map(|v| world.inertia.momenta(&old.q, v));
                let scale = upper.mass * speed;
                assert!(
                    (now.0 - before.0).norm() < 1e-13 * scale && (now.1 - before.1).norm() < 1e-13 * scale
                );
                assert!(miss(&world, &old, &state) < 1e-13);
            }
        }
    }
}
