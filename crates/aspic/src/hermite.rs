//! The quintic that matches position, velocity and acceleration at both ends of an interval.

use crate::Vec3;

/// Position, velocity and acceleration.
pub type Knot = [Vec3; 3];

/// The interpolant at part `u` of an interval of length `h` between two knots.
pub fn quintic([q0, v0, a0]: Knot, [q1, v1, a1]: Knot, h: f64, u: f64) -> Knot {
    // Powers of u, with velocities and accelerations in units of the interval.
    let (v0, v1, a0, a1) = (v0 * h, v1 * h, a0 * (h * h), a1 * (h * h));
    let rise = q1 - q0;
    let k3 = rise * 10.0 - v0 * 6.0 - v1 * 4.0 - a0 * 1.5 + a1 * 0.5;
    let k4 = rise * -15.0 + v0 * 8.0 + v1 * 7.0 + a0 * 1.5 - a1;
    let k5 = rise * 6.0 - (v0 + v1) * 3.0 + (a1 - a0) * 0.5;
    let position = q0 + (v0 + (a0 * 0.5 + (k3 + (k4 + k5 * u) * u) * u) * u) * u;
    let velocity = v0 + (a0 + (k3 * 3.0 + (k4 * 4.0 + k5 * (5.0 * u)) * u) * u) * u;
    let acceleration = a0 + (k3 * 6.0 + (k4 * 12.0 + k5 * (20.0 * u)) * u) * u;
    [position, velocity / h, acceleration / (h * h)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_of_degree_five_is_reproduced() {
        let c = [1.0, -2.0, 0.5, 3.0, -1.5, 0.7];
        let at = |t: f64| {
            let sum = |f: fn(i32) -> f64, d: i32| {
                (d..6).map(|k| c[k as usize] * f(k) * t.powi(k - d)).sum::<f64>() * Vec3::new(1.0, 2.0, -1.0)
            };
            [sum(|_| 1.0, 0), sum(f64::from, 1), sum(|k| f64::from(k * (k - 1)), 2)]
        };
        let (t0, h) = (0.3, 0.8);
        for u in [0.0, 0.2, 0.77, 1.0] {
            let found = quintic(at(t0), at(t0 + h), h, u);
            let expected = at(t0 + u * h);
            for d in 0..3 {
                assert!((found[d] - expected[d]).norm() < 1e-11, "derivative {d} at {u}");
            }
        }
    }
}
