//! A smooth path through keys: position, velocity and acceleration are continuous everywhere.
//!
//! Between two keys the path is the quintic that matches position, velocity and acceleration at both. At inner
//! keys velocity and acceleration come from the parabola through the key and its neighbours; at the first and
//! last key both are zero, so a drag starts and ends at rest, and the motion is C² as Runge–Kutta–Fehlberg's
//! order asks. Where a coordinate would leave the range of its two keys, both are made smaller: see [`steady`].

use super::Motion;
use super::steady::{Key, steady};
use crate::Vec3;
use crate::hermite::quintic;

/// Displacement as a function of time, constant before the first and after the last key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    knots: Vec<(f64, Motion)>,
}

impl Path {
    /// Through (time, displacement) keys, in increasing time.
    pub fn new(keys: &[(f64, Vec3)]) -> Path {
        let axes = [0, 1, 2].map(|axis| {
            steady(&keys.iter().map(|(t, x)| Key { t: *t, x: x[axis], ..Key::default() }).collect::<Vec<_>>())
        });
        let vector = |k: usize, part: fn(&Key) -> f64| Vec3::from_fn(|axis, _| part(&axes[axis][k]));
        let knot = |(k, &(t, position)): (usize, &(f64, Vec3))| {
            let [velocity, acceleration] = [vector(k, |key| key.v), vector(k, |key| key.a)];
            (t, Motion { position, velocity, acceleration })
        };
        Path { knots: keys.iter().enumerate().map(knot).collect() }
    }

    /// No displacement at any time.
    pub fn still() -> Path {
        Path::default()
    }

    /// Whether there are no keys.
    pub fn is_still(&self) -> bool {
        self.knots.is_empty()
    }

    /// The times of its keys, where the third derivative jumps.
    pub fn breaks(&self) -> impl Iterator<Item = f64> + '_ {
        self.knots.iter().map(|(t, _)| *t)
    }

    /// Displacement, velocity and acceleration at time t.
    pub fn at(&self, t: f64) -> Motion {
        let after = self.knots.partition_point(|(time, _)| *time <= t);
        let rest = |k: usize| Motion { position: self.knots[k].1.position, ..Motion::default() };
        match after {
            _ if self.knots.is_empty() => Motion::default(),
            0 => rest(0),
            n if n == self.knots.len() => rest(n - 1),
            n => between(&self.knots[n - 1], &self.knots[n], t),
        }
    }
}

/// The motion between two keys.
fn between((t0, a): &(f64, Motion), (t1, b): &(f64, Motion), t: f64) -> Motion {
    let knot = |m: &Motion| [m.position, m.velocity, m.acceleration];
    let [position, velocity, acceleration] = quintic(knot(a), knot(b), t1 - t0, (t - t0) / (t1 - t0));
    Motion { position, velocity, acceleration }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Path {
        let z = |z: f64| Vec3::new(0.1 * z * z, -z, z);
        Path::new(&[(0.5, z(0.0)), (1.0, z(1.0)), (2.5, z(0.4)), (3.0, z(2.0))])
    }

    #[test]
    fn path_passes_through_its_keys_and_rests_at_both_ends() {
        let path = example();
        assert_eq!(path.at(1.0).position.z, 1.0);
        for (t, z) in [(-1.0, 0.0), (0.5, 0.0), (3.0, 2.0), (99.0, 2.0)] {
            let motion = path.at(t);
            assert_eq!(
                (motion.position.z, motion.velocity.norm(), motion.acceleration.norm()),
                (z, 0.0, 0.0)
            );
        }
    }

    #[test]
    fn what_waits_between_two_keys_does_not_move_while_the_rest_does() {
        // jaws close along x and then lift along z
        let path = Path::new(&[
            (0.0, Vec3::zeros()),
            (1.0, Vec3::new(0.1, 0.0, 0.0)),
            (2.0, Vec3::new(0.1, 0.0, 0.2)),
        ]);
        for k in 0..=100 {
            let t = 0.01 * k as f64;
            assert_eq!(path.at(t).position.z, 0.0);
            assert_eq!(path.at(1.0 + t).position.x, 0.1);
        }
    }

    #[test]
    fn velocity_and_acceleration_are_the_derivatives_and_have_no_jumps() {
        let path = example();
        let h = 1e-6;
        for k in 0..400 {
            let t = k as f64 * 0.01;
            let (before, now, after) = (path.at(t - h), path.at(t), path.at(t + h));
            assert!(
                ((after.position - before.position) / (2.0 * h) - now.velocity).norm() < 1e-4,
                "v at {t}"
            );
            assert!((after.acceleration - before.acceleration).norm() < 1e-2, "jump at {t}");
        }
    }
}
