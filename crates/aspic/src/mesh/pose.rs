//! Where a body is placed before anything moves: turned about the origin, then shifted.

use nalgebra::{Rotation3, Unit};

use crate::Vec3;

/// A rigid placement x ↦ R x + t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// R, about the origin.
    pub rotation: Rotation3<f64>,
    /// t, after the rotation \[m\].
    pub translation: Vec3,
}

/// Why a placement cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PoseError {
    /// An axis has no direction.
    #[error("rotation {which}: the axis {axis:?} has no direction: give a finite axis that is not zero")]
    BadAxis {
        /// Number of the rotation, from 0.
        which: usize,
        /// Its axis.
        axis: [f64; 3],
    },
    /// An angle is NaN or infinite.
    #[error("rotation {which}: the angle {angle} is not finite")]
    BadAngle {
        /// Number of the rotation, from 0.
        which: usize,
        /// Its angle \[rad\].
        angle: f64,
    },
    /// The shift is NaN or infinite.
    #[error("the translation {translation:?} is not finite")]
    BadTranslation {
        /// The shift.
        translation: [f64; 3],
    },
}

impl Default for Pose {
    /// Leaves everything where it is.
    fn default() -> Pose {
        Pose { rotation: Rotation3::identity(), translation: Vec3::zeros() }
    }
}

impl Pose {
    /// Rotations by an angle \[rad\] about an axis through the origin, the first one first, then a shift \[m\].
    /// An axis need not have length one; the angle turns by the right hand.
    pub fn new(rotations: &[(Vec3, f64)], translation: Vec3) -> Result<Pose, PoseError> {
        if !translation.iter().all(|c| c.is_finite()) {
            return Err(PoseError::BadTranslation { translation: translation.into() });
        }
        let mut rotation = Rotation3::identity();
        for (which, &(axis, angle)) in rotations.iter().enumerate() {
            if !angle.is_finite() {
                return Err(PoseError::BadAngle { which, angle });
            }
            let unit = direction(axis).ok_or(PoseError::BadAxis { which, axis: axis.into() })?;
            rotation = Rotation3::from_axis_angle(&unit, angle) * rotation;
        }
        Ok(Pose { rotation, translation })
    }

    /// Moves `points` into place.
    pub fn apply(&self, points: &mut [Vec3]) {
        points.iter_mut().for_each(|x| *x = self.rotation * *x + self.translation);
    }
}

/// Where a vector points, if it points anywhere. Dividing by the largest component first keeps tiny and
/// huge vectors from under- and overflow.
pub(super) fn direction(vector: Vec3) -> Option<Unit<Vec3>> {
    Unit::try_new(vector / vector.amax(), 0.0).filter(|unit| unit.iter().all(|c| c.is_finite()))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI};

    use super::*;
    use crate::mesh::generate::beam;

    fn assert_near(found: Vec3, expected: Vec3) {
        assert!((found - expected).norm() < 1e-14 * (1.0 + expected.norm()), "{found:?} is not {expected:?}");
    }

    fn moved(pose: &Pose, x: Vec3) -> Vec3 {
        let mut points = [x];
        pose.apply(&mut points);
        points[0]
    }

    #[test]
    fn quarter_turn_about_z_takes_x_to_y_before_the_shift() {
        let pose = Pose::new(&[(Vec3::z(), FRAC_PI_2)], Vec3::new(10.0, 0.0, 0.0)).unwrap();
        assert_near(moved(&pose, Vec3::x()), Vec3::new(10.0, 1.0, 0.0));
    }

    #[test]
    fn rotations_act_in_the_order_they_are_listed() {
        // x → y about z, then y → z about x. The other order would leave x on y.
        let pose = Pose::new(&[(Vec3::z(), FRAC_PI_2), (Vec3::x(), FRAC_PI_2)], Vec3::zeros()).unwrap();
        assert_near(moved(&pose, Vec3::x()), Vec3::z());
    }

    #[test]
    fn length_of_the_axis_does_not_matter() {
        let turned = |scale: f64| {
            let pose = Pose::new(&[(scale * Vec3::new(1.0, 2.0, -0.5), 0.7)], Vec3::zeros()).unwrap();
            moved(&pose, Vec3::new(0.3, -0.4, 2.0))
        };
        for scale in [1e-300, 1e-3, 5.0, 1e300] {
            assert_near(turned(scale), turned(1.0));
        }
    }

    #[test]
    fn turning_about_the_diagonal_by_a_third_cycles_the_axes() {
        let pose = Pose::new(&[(Vec3::repeat(1.0), 2.0 * PI / 3.0)], Vec3::zeros()).unwrap();
        assert_near(moved(&pose, Vec3::new(1.0, 2.0, 3.0)), Vec3::new(3.0, 1.0, 2.0));
    }

    #[test]
    fn placing_a_mesh_keeps_volumes_and_orientation() {
        let mut mesh = beam(2.0, 0.3, 0.5, [3, 1, 2]).unwrap();
        let before: Vec<f64> = (0..mesh.tets.len()).map(|t| mesh.volume_of(t)).collect();
        let turns = [(Vec3::new(1.0, 1.0, 0.2), 1.1), (Vec3::y(), -2.0)];
        Pose::new(&turns, Vec3::new(1.0, -2.0, 3.0)).unwrap().apply(&mut mesh.positions);
        for (tet, volume) in before.iter().enumerate() {
            assert!((mesh.volume_of(tet) - volume).abs() < 1e-13 * volume.abs().max(1.0));
        }
        assert_eq!(mesh.check(), Ok(()));
    }

    #[test]
    fn no_rotation_and_no_shift_change_nothing() {
        assert_eq!(Pose::new(&[], Vec3::zeros()), Ok(Pose::default()));
        assert_eq!(moved(&Pose::default(), Vec3::new(1.0, 2.0, 3.0)), Vec3::new(1.0, 2.0, 3.0));
    }

    #[test]
    fn axis_without_direction_and_infinite_numbers_are_refused() {
        let good = (Vec3::x(), 1.0);
        for axis in [Vec3::zeros(), Vec3::new(f64::NAN, 0.0, 1.0), Vec3::new(f64::INFINITY, 0.0, 0.0)] {
            let error = Pose::new(&[good, (axis, 1.0)], Vec3::zeros()).unwrap_err();
            assert!(matches!(error, PoseError::BadAxis { which: 1, .. }), "{error}");
        }
        let error = Pose::new(&[(Vec3::x(), f64::INFINITY)], Vec3::zeros()).unwrap_err();
        assert_eq!(error, PoseError::BadAngle { which: 0, angle: f64::INFINITY });
        let error = Pose::new(&[], Vec3::new(0.0, f64::NEG_INFINITY, 0.0)).unwrap_err();
        assert!(matches!(error, PoseError::BadTranslation { .. }));
    }
}
