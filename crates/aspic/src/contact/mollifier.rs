//! Edges that become parallel let go.

use crate::Vec3;

/// Share of |eₐ|² |e_b|² at rest, the square of the sine at which edges begin to let go.
const SHARE: f64 = 1e-3;

/// The factor m from 0 (parallel) to 1 on the repulsion of two edges.
///
/// The force of two parallel edges has no definite place: it jumps from end to end when they turn. m takes it away
/// smoothly; the points of the edges against the triangles beside them carry the load instead.
///
/// ```text
/// c = |eₐ × e_b|²,  ε = 10⁻³ Lₐ² L_b²:   m = (2 − c/ε) c/ε  for c < ε, else 1
/// ```
///
/// `x` are the points of an edge-edge pair now, `rest_lengths` Lₐ, L_b the lengths of both edges at rest  \[m\].
#[inline]
pub fn mollifier(x: &[Vec3; 4], rest_lengths: [f64; 2]) -> f64 {
    let cross2 = (x[1] - x[0]).cross(&(x[3] - x[2])).norm_squared();
    let area = rest_lengths[0] * rest_lengths[1];
    let threshold = SHARE * area * area;
    if cross2 < threshold {
        let ratio = cross2 / threshold;
        (2.0 - ratio) * ratio
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edges of lengths 2 and 3, the second turned by an angle, at a distance.
    fn crossed(angle: f64) -> [Vec3; 4] {
        let direction = Vec3::new(angle.cos(), angle.sin(), 0.0);
        let middle = Vec3::new(0.3, -0.2, 0.7);
        [Vec3::zeros(), Vec3::new(2.0, 0.0, 0.0), middle - 1.5 * direction, middle + 1.5 * direction]
    }

    #[test]
    fn parallel_edges_let_go_and_crossed_edges_do_not() {
        assert_eq!(mollifier(&crossed(0.0), [2.0, 3.0]), 0.0);
        for angle in [0.04, 0.5, 1.57, 3.0] {
            assert_eq!(mollifier(&crossed(angle), [2.0, 3.0]), 1.0);
        }
    }

    #[test]
    fn the_factor_follows_the_square_of_the_sine() {
        // sin² = 5·10⁻⁴ is half of the threshold: m = (2 − ½)·½
        let angle = 5e-4_f64.sqrt().asin();
        assert!((mollifier(&crossed(angle), [2.0, 3.0]) - 0.75).abs() < 1e-12);
        // with rest lengths √2 times as large on one side the threshold doubles: m = (2 − ¼)·¼
        let longer = [2.0 * 2.0_f64.sqrt(), 3.0];
        assert!((mollifier(&crossed(angle), longer) - 0.4375).abs() < 1e-12);
    }

    #[test]
    fn the_factor_meets_one_without_a_kink() {
        let at = |ratio: f64| mollifier(&crossed((ratio * 1e-3).sqrt().asin()), [2.0, 3.0]);
        let h = 1e-4;
        assert!((1.0 - at(1.0 - h) - h * h).abs() < 1e-12);
    }

    #[test]
    fn edges_without_length_give_a_number() {
        let here = Vec3::new(1.0, 2.0, 3.0);
        assert_eq!(mollifier(&[here; 4], [1.0, 1.0]), 0.0);
        assert_eq!(mollifier(&[here; 4], [0.0, 1.0]), 1.0);
    }
}
