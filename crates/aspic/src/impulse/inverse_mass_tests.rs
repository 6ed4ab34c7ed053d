//! The touch of bodies that turn, against its own laws and against the closed form of masses that only move.

use super::*;

/// W of a body of 2 kg that is struck at r.
fn turning(r: Vec3) -> Mat3 {
    let inverse = Mat3::from_diagonal(&Vec3::new(8.0, 20.0, 35.0));
    let arm = r.cross_matrix();
    Mat3::identity() * 0.5 - arm * inverse * arm
}

fn touches() -> impl Iterator<Item = (Vec3, Vec3, f64)> {
    (0..400).map(|k| {
        let s = k as f64;
        let r = Vec3::new((1.3 * s).sin(), (2.1 * s).cos(), (0.7 * s).sin()) * 0.3;
        let u = Vec3::new((0.9 * s).cos(), (1.7 * s).sin(), -1.0 - (0.4 * s).sin().abs());
        (r, u, [0.0, 0.1, 0.4, 1.0, 3.0][k % 5])
    })
}

#[test]
fn masses_that_only_move_get_the_closed_form() {
    for (_, u, mu) in touches() {
        for rub in [Rub::Coulomb(mu), Rub::Factor(0.3)] {
            let (mut scalar, mut matrix) = (Push::default(), Push::default());
            scalar.settle(&u, &Vec3::z(), &InverseMass::Scalar(0.5), 0.4, rub);
            matrix.settle(&u, &Vec3::z(), &InverseMass::Matrix(Mat3::identity() * 0.5), 0.4, rub);
            assert!((scalar.normal - matrix.normal).abs() < 1e-13);
            assert!((scalar.tangential - matrix.tangential).norm() < 1e-13, "{rub:?}");
        }
    }
}

#[test]
fn one_touch_parts_with_its_speed_and_rubs_as_coulomb_says_at_once() {
    let (mut stuck, mut slid) = (0, 0);
    for (r, u, mu) in touches() {
        let w = turning(r);
        let mut push = Push::default();
        push.settle(&u, &Vec3::z(), &InverseMass::Matrix(w), 0.6, Rub::Coulomb(mu));
        let left = u + w * (Vec3::z() * push.normal + push.tangential);
        assert!((left.z - 0.6).abs() < 1e-9, "{left}");
        let (slide, limit) = (left - Vec3::z() * left.z, mu * push.normal);
        assert!(push.tangential.norm() <= limit * (1.0 + 1e-12) && push.tangential.z.abs() < 1e-12);
        if slide.norm() < 1e-9 {
            stuck += 1;
        } else {
            slid += 1;
            assert!((push.tangential + slide.normalize() * limit).norm() < 1e-6 * limit.max(1e-9));
        }
    }
    assert!(stuck > 50 && slid > 50, "{stuck} {slid}");
}

#[test]
fn the_simplified_friction_leaves_its_part_of_the_sliding() {
    let mut all = 0;
    for (r, u, _) in touches() {
        let w = turning(r);
        let mut push = Push::default();
        push.settle(&u, &Vec3::z(), &InverseMass::Matrix(w), 0.6, Rub::Factor(0.25));
        let left = u + w * (Vec3::z() * push.normal + push.tangential);
        let expected = Vec3::new(0.75 * u.x, 0.75 * u.y, 0.6);
        assert!(push.normal > 0.0 && (left.z - 0.6).abs() < 1e-12, "bodies only push");
        all += usize::from((left - expected).norm() < 1e-12);
        assert!(push.tangential == Vec3::zeros() || (left - expected).norm() < 1e-12, "{left} {expected}");
    }
    assert!(all > 300, "{all}");
}

#[test]
fn ends_that_part_fast_enough_get_nothing() {
    let mut push = Push::default();
    let w = InverseMass::Matrix(turning(Vec3::new(0.1, 0.2, 0.0)));
    push.settle(&Vec3::new(1.0, 0.0, 0.7), &Vec3::z(), &w, 0.6, Rub::Coulomb(0.5));
    assert_eq!(push, Push::default());
}
