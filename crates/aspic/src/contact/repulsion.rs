//! The potential that keeps a gap open.

/// The cubic-log potential φ(y) of a gap y, for unit stiffness.
///
/// ```text
/// y ≥ d̂:    φ = 0
/// y ≥ d̂/3:  φ = ⅔ (d̂ − y)³/d̂                    φ′ = −2 (d̂ − y)²/d̂    φ″ = 4 (d̂ − y)/d̂
/// y < d̂/3:  φ = d̂² (16/81 − 8/27 ln(3y/d̂))     φ′ = −8/27 d̂²/y       φ″ = 8/27 d̂²/y²
/// ```
///
/// φ, φ′ and φ″ are continuous. φ grows without bound as the gap closes, so finite energy means that nothing touches.
/// The normal force of a pair with stiffness k is −k φ′.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repulsion {
    /// d̂: the gap at which the push begins  \[m\]
    pub range: f64,
}

impl Repulsion {
    /// φ of a gap \[m\], in m². Infinite when the gap is closed.
    #[inline]
    pub fn energy(&self, gap: f64) -> f64 {
        let (y, range) = (gap, self.range);
        if y >= range {
            0.0
        } else if 3.0 * y >= range {
            let depth = range - y;
            2.0 / 3.0 * depth * depth * depth / range
        } else if y > 0.0 {
            range * range * (16.0 / 81.0 - 8.0 / 27.0 * (3.0 * y / range).ln())
        } else {
            f64::INFINITY
        }
    }

    /// φ′ \[m\] and φ″ \[1\] of a gap \[m\]. Infinite when the gap is closed.
    #[inline]
    pub fn slope_and_curvature(&self, gap: f64) -> (f64, f64) {
        let (y, range) = (gap, self.range);
        if y >= range {
            (0.0, 0.0)
        } else if 3.0 * y >= range {
            let depth = range - y;
            (-2.0 * depth * depth / range, 4.0 * depth / range)
        } else if y > 0.0 {
            let slope = -8.0 / 27.0 * range * range / y;
            (slope, -slope / y)
        } else {
            (f64::NEG_INFINITY, f64::INFINITY)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAW: Repulsion = Repulsion { range: 3.0 };

    fn assert_close(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-14 * b.abs(), "{a} {b}");
    }

    #[test]
    fn values_agree_with_those_found_by_hand() {
        let cases = [
            (2.5, 1.0 / 36.0, -1.0 / 6.0, 2.0 / 3.0),
            (2.0, 2.0 / 9.0, -2.0 / 3.0, 4.0 / 3.0),
            (1.0, 16.0 / 9.0, -8.0 / 3.0, 8.0 / 3.0),
            (0.5, 16.0 / 9.0 + 8.0 / 3.0 * std::f64::consts::LN_2, -16.0 / 3.0, 32.0 / 3.0),
        ];
        for (y, energy, slope, curvature) in cases {
            assert_close(LAW.energy(y), energy);
            assert_close(LAW.slope_and_curvature(y).0, slope);
            assert_close(LAW.slope_and_curvature(y).1, curvature);
        }
    }

    #[test]
    fn nothing_pushes_beyond_the_range_and_a_closed_gap_costs_infinitely_much() {
        for y in [3.0, 3.1, 1e9] {
            assert_eq!((LAW.energy(y), LAW.slope_and_curvature(y)), (0.0, (0.0, 0.0)));
        }
        for y in [0.0, -1e-9, -5.0] {
            assert_eq!(LAW.energy(y), f64::INFINITY);
            assert_eq!(LAW.slope_and_curvature(y), (f64::NEG_INFINITY, f64::INFINITY));
        }
    }

    #[test]
    fn slope_and_curvature_are_the_derivatives_of_the_energy() {
        for i in 1..60 {
            let (y, h) = (0.05 * f64::from(i) + 0.003, 1e-4);
            let at = |k: f64| (LAW.energy(y + k * h), LAW.slope_and_curvature(y + k * h).0);
            let difference = |f: fn((f64, f64)) -> f64| {
                (8.0 * (f(at(1.0)) - f(at(-1.0))) - (f(at(2.0)) - f(at(-2.0)))) / (12.0 * h)
            };
            let (slope, curvature) = LAW.slope_and_curvature(y);
            assert!((difference(|p| p.0) - slope).abs() < 1e-8 * (1.0 + slope.abs()), "{y}");
            assert!((difference(|p| p.1) - curvature).abs() < 1e-8 * (1.0 + curvature.abs()), "{y}");
        }
    }

    #[test]
    fn energy_slope_and_curvature_do_not_jump() {
        // at a distance h from the joint each may differ by its own rate of change times h, no more
        let h = 1e-9;
        for joint in [1.0, 3.0] {
            let (below, above) = (joint - h, joint + h);
            let (b, a) = (LAW.slope_and_curvature(below), LAW.slope_and_curvature(above));
            assert!((LAW.energy(below) - LAW.energy(above)).abs() < 6.0 * h);
            assert!((b.0 - a.0).abs() < 6.0 * h && (b.1 - a.1).abs() < 8.0 * h, "{joint}: {b:?} {a:?}");
        }
    }

    #[test]
    fn the_law_scales_with_its_range() {
        let small = Repulsion { range: 3e-3 };
        for y in [0.2, 0.9, 1.7, 2.8] {
            assert!((small.energy(1e-3 * y) - 1e-6 * LAW.energy(y)).abs() < 1e-19);
            let (slope, curvature) = small.slope_and_curvature(1e-3 * y);
            assert!((slope - 1e-3 * LAW.slope_and_curvature(y).0).abs() < 1e-15 * (1.0 / y));
            assert!((curvature - LAW.slope_and_curvature(y).1).abs() < 1e-13 / (y * y));
        }
    }
}
