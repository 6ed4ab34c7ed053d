use nalgebra::UnitQuaternion;

use super::super::solids::{cylinder, floor};
use super::*;

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

fn body() -> (ClosedMesh, SpaceBouncer) {
    let (vertices, triangles) = cylinder(0.1, 0.15, 24);
    let mesh = ClosedMesh::new(&vertices, &triangles).unwrap();
    let moments = mesh.moments();
    let inertia = 1000.0 * (moments.second.trace() * Mat3::identity() - moments.second);
    let bouncer = SpaceBouncer {
        mass: 1000.0 * moments.volume,
        inertia: inertia.diagonal(),
        stiffness: 3e5,
        internal_friction: 0.0,
        adhesion: 0.0,
        reach: 0.0,
        sticks: false,
        diameter: 0.25,
    };
    (mesh, bouncer)
}

fn at(height: f64, tilt: f64) -> SpaceMotion {
    SpaceMotion {
        position: Vec3::new(0.0, 0.0, height),
        orientation: UnitQuaternion::from_euler_angles(0.3 * tilt, tilt, 0.0),
        velocity: Vec3::zeros(),
        momentum: Vec3::zeros(),
    }
}

#[test]
fn the_push_and_the_pull_are_the_slope_of_their_energy() {
    let (mesh, dry) = body();
    let wet = SpaceBouncer { adhesion: 500.0, reach: 0.01, ..dry };
    for (bouncer, height) in [(dry, 0.09), (wet, 0.09), (wet, 0.1165)] {
        let energy = |m: &SpaceMotion| bouncer.energies(&mesh, m, &[floor(0.0)], Vec3::zeros())[2];
        let motion = at(height, 0.4);
        let [found, _] = bouncer.reaction(&mesh, &motion, &[floor(0.0)], 0.0);
        let h = 1e-6;
        let slope = |f: &dyn Fn(f64) -> SpaceMotion| -(energy(&f(h)) - energy(&f(-h))) / (2.0 * h);
        let lift = slope(&|d| at(height + d, 0.4));
        let pushed = (motion.orientation * force(&found)).z;
        assert!((pushed - lift).abs() < 1e-5 * lift.abs(), "{pushed} {lift}");
        let turn = slope(&|d| {
            let turn = UnitQuaternion::from_scaled_axis(Vec3::new(0.0, d, 0.0));
            SpaceMotion { orientation: motion.orientation * turn, ..motion }
        });
        assert!((torque(&found).y - turn).abs() < 1e-5 * turn.abs(), "{} {turn}", torque(&found).y);
    }
}

#[test]
fn kinetic_weight_ground_and_lost_energy_have_a_constant_sum() {
    let (mesh, dry) = body();
    for (friction, adhesion) in [(0.0, 0.0), (2e-3, 0.0), (0.0, 500.0), (5e-3, 500.0)] {
        let bouncer = SpaceBouncer { internal_friction: friction, adhesion, reach: 0.01, ..dry };
        let drift = |finer: f64| {
            let (mut motion, h) = (at(0.3, 0.5), 0.01 / (finer * bouncer.parts(0.01)));
            let total =
                |m: &SpaceMotion| bouncer.energies(&mesh, m, &[floor(0.0)], GRAVITY).iter().sum::<f64>();
            let (start, mut lost, mut worst) = (total(&motion), 0.0, 0.0f64);
            for _ in 0..(0.5 / h) as usize {
                lost += bouncer.advance(&mesh, &mut motion, &[floor(0.0)], GRAVITY, h, 1);
                worst = worst.max(((total(&motion) + lost) / start - 1.0).abs());
            }
            (worst, lost / start)
        };
        let [(coarse, lost), (fine, _)] = [drift(1.0), drift(3.0)];
        println!(
            "friction {friction}, adhesion {adhesion}: lost {lost:.3}, unaccounted {coarse:e}, {fine:e}"
        );
        assert!(coarse < 5e-3 && fine < 0.5 * coarse, "{coarse} {fine}");
        assert!((lost > 0.1) == (friction > 0.0), "{lost}");
    }
}

#[test]
fn friction_brakes_rocking_and_grip_brakes_gliding() {
    let (mesh, dry) = body();
    let bouncer = SpaceBouncer { internal_friction: 1e-2, sticks: true, ..dry };
    let mut motion = SpaceMotion { momentum: Vec3::new(1e-3, 0.0, 0.0), ..at(0.07, 0.0) };
    motion.velocity.x = 0.1;
    let [rocking, _] = bouncer.reaction(&mesh, &motion, &[floor(0.0)], 0.0);
    assert!(torque(&rocking).x < 0.0 && force(&rocking).x < 0.0);
    let smooth = SpaceBouncer { sticks: false, ..bouncer };
    let [rocking, _] = smooth.reaction(&mesh, &motion, &[floor(0.0)], 0.0);
    assert!(torque(&rocking).x < 0.0 && force(&rocking).x == 0.0);
}
