use super::*;

fn spinning(momentum: Vec3) -> SpaceMotion {
    SpaceMotion {
        position: Vec3::zeros(),
        orientation: UnitQuaternion::from_euler_angles(0.3, -0.2, 0.9),
        velocity: Vec3::new(1.0, 2.0, 3.0),
        momentum,
    }
}

#[test]
fn a_free_body_keeps_its_angular_momentum_and_its_energy() {
    let inertia = Vec3::new(1.0, 2.0, 3.0);
    let energy = |m: &SpaceMotion| 0.5 * m.momentum.component_div(&inertia).dot(&m.momentum);
    let mut motion = spinning(Vec3::new(0.01, 4.0, 0.02));
    let (start, space) = (energy(&motion), motion.orientation * motion.momentum);
    let mut turned_over = false;
    for _ in 0..20_000 {
        motion.drift(inertia, 2e-3);
        turned_over |= motion.momentum.y < -3.0;
        assert!((motion.orientation * motion.momentum - space).norm() < 1e-10);
        assert!((energy(&motion) / start - 1.0).abs() < 1e-5, "{}", energy(&motion) / start);
    }
    // About its middle axis a body turns over again and again.
    assert!(turned_over && (motion.position - 40.0 * motion.velocity).norm() < 1e-8);
}

#[test]
fn a_round_body_turns_evenly() {
    let mut motion = spinning(Vec3::new(0.0, 0.0, 1.0));
    let start = motion.orientation;
    (0..100).for_each(|_| motion.drift(Vec3::new(2.0, 2.0, 2.0), 1e-2));
    let turn = UnitQuaternion::from_scaled_axis(Vec3::new(0.0, 0.0, 0.5));
    assert!((start * turn).angle_to(&motion.orientation) < 1e-7);
    assert_eq!(SpaceMotion::read(&motion.write()), motion);
}
