//! A rigid motion keyed in time: a shift along a path, and a turn about an axis that is shifted along.
//!
//! x(t) = o(t) + c + R(n, θ(t)) (x₀ − c), with o and θ smooth through their keys. Velocity and acceleration are the
//! exact derivatives: with r = R (x₀ − c), x′ = o′ + θ′ n × r and x″ = o″ + θ″ n × r + θ′² n × (n × r).

use super::{Motion, Path};
use crate::Vec3;

/// A turn about an axis, keyed in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    axis: Vec3,
    through: Vec3,
    /// θ(t) as the x of a path  \[rad\]
    angle: Path,
}

/// A shift and a turn; nothing moves if there is neither.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    path: Path,
    turn: Option<Turn>,
}

impl Turn {
    /// About the line through the point `through` \[m\] along `axis` (any length but zero), right-handed, through
    /// (time \[s\], angle \[rad\]) keys in increasing time. Angles may go beyond a full turn.
    pub fn new(axis: Vec3, through: Vec3, keys: &[(f64, f64)]) -> Turn {
        let keys: Vec<_> = keys.iter().map(|&(t, angle)| (t, Vec3::new(angle, 0.0, 0.0))).collect();
        Turn { axis: axis.normalize(), through, angle: Path::new(&keys) }
    }

    /// R (x₀ − c) − (x₀ − c) and its two time derivatives. Zero to the bit where the angle is zero.
    fn displacement(&self, t: f64, start: Vec3) -> Motion {
        let theta = self.angle.at(t);
        let (rate, rise) = (theta.velocity.x, theta.acceleration.x);
        let (sin, cos) = theta.position.x.sin_cos();
        let arm = start - self.through;
        let across = arm - self.axis * self.axis.dot(&arm);
        let aside = self.axis.cross(&across);
        let turned = across * cos + aside * sin;
        let forward = aside * cos - across * sin;
        Motion {
            position: across * (cos - 1.0) + aside * sin,
            velocity: forward * rate,
            acceleration: forward * rise - turned * (rate * rate),
        }
    }
}

impl Trajectory {
    /// A shift along `path`, and a turn about an axis that is shifted along with it.
    pub fn new(path: Path, turn: Option<Turn>) -> Trajectory {
        Trajectory { path, turn }
    }

    /// No motion at any time.
    pub fn still() -> Trajectory {
        Trajectory::default()
    }

    /// Whether nothing ever moves.
    pub fn is_still(&self) -> bool {
        self.turn.is_none() && self.path.is_still()
    }

    /// Where the point that starts at `start` \[m\] is at time t \[s\], and how it moves.
    pub fn at(&self, t: f64, start: Vec3) -> Motion {
        if self.is_still() {
            return Motion { position: start, ..Motion::default() };
        }
        let shift = self.path.at(t);
        let turned = self.turn.as_ref().map_or(Motion::default(), |turn| turn.displacement(t, start));
        Motion {
            position: start + (shift.position + turned.position),
            velocity: shift.velocity + turned.velocity,
            acceleration: shift.acceleration + turned.acceleration,
        }
    }

    /// The times of its keys, where the third derivative jumps.
    pub fn breaks(&self) -> impl Iterator<Item = f64> + '_ {
        let turn = self.turn.iter().flat_map(|turn| turn.angle.breaks());
        self.path.breaks().chain(turn)
    }
}

impl From<Path> for Trajectory {
    fn from(path: Path) -> Trajectory {
        Trajectory::new(path, None)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    fn example() -> Trajectory {
        let path = Path::new(&[(0.0, Vec3::zeros()), (2.0, Vec3::new(0.3, -0.2, 0.5))]);
        let turn =
            Turn::new(Vec3::new(0.0, 0.0, 2.0), Vec3::new(1.0, 0.0, 0.0), &[(0.0, 0.0), (4.0, 4.0 * TAU)]);
        Trajectory::new(path, Some(turn))
    }

    #[test]
    fn four_full_turns_come_back_and_rest() {
        let start = Vec3::new(1.7, -0.4, 0.3);
        let end = example().at(9.0, start);
        assert!((end.position - start - Vec3::new(0.3, -0.2, 0.5)).norm() < 1e-14);
        assert_eq!((end.velocity.norm(), end.acceleration.norm()), (0.0, 0.0));
        assert_eq!(example().at(0.0, start).position, start);
    }

    #[test]
    fn a_quarter_turn_takes_x_to_y_about_the_shifted_axis() {
        let turn = Turn::new(Vec3::z(), Vec3::new(1.0, 0.0, 0.0), &[(0.0, 0.0), (1.0, TAU / 4.0)]);
        let moved = Trajectory::new(Path::still(), Some(turn)).at(1.0, Vec3::new(3.0, 0.0, 5.0));
        assert!((moved.position - Vec3::new(1.0, 2.0, 5.0)).norm() < 1e-15);
    }

    #[test]
    fn velocity_and_acceleration_are_the_derivatives_of_the_turn() {
        let (trajectory, start, h) = (example(), Vec3::new(1.7, -0.4, 0.3), 1e-5);
        for k in 0..90 {
            let t = 0.05 * k as f64 + 0.01;
            let [before, now, after] = [t - h, t, t + h].map(|t| trajectory.at(t, start));
            let first = (after.position - before.position) / (2.0 * h);
            let second = (after.velocity - before.velocity) / (2.0 * h);
            assert!((first - now.velocity).norm() < 1e-6 * (1.0 + first.norm()), "t = {t}");
            assert!((second - now.acceleration).norm() < 1e-5 * (1.0 + second.norm()), "t = {t}");
        }
    }
}
