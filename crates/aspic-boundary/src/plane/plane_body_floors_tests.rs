use super::tests::{GRAVITY, disc, jelly};
use super::*;

#[test]
fn a_disc_in_a_groove_is_held_by_both_walls() {
    let wall = |x: f64| Floor::through(Vec2::zeros(), Vec2::new(x, 1.0)).unwrap();
    let walls = [wall(1.0), wall(-1.0)];
    let mut body = disc(Substance { internal_friction: 0.02, ..jelly() }, 0.16);
    for _ in 0..400 {
        body.step(&walls, GRAVITY, 2e-3).unwrap();
        let deepest = body.vertices().map(|x| walls[0].depth(x).max(walls[1].depth(x))).fold(-1.0, f64::max);
        assert!(deepest < 1e-9, "{deepest}");
    }
    let (motion, weight) = (body.motion(), 9.81 * body.bouncer().mass);
    assert!(motion.velocity.norm() < 1e-3 && motion.position.x.abs() < 1e-3, "{motion:?}");
    assert!((body.reaction().force.norm() - weight).abs() < 0.01 * weight);
}

#[test]
fn without_a_floor_a_body_flies() {
    let mut body = disc(jelly(), 0.0);
    (0..10).for_each(|_| assert_eq!(body.step(&[], GRAVITY, 1e-2), Ok(0.0)));
    assert!((body.motion().position.y + 9.81 * 0.005).abs() < 1e-12);
    assert!(body.touching().is_empty());
}
