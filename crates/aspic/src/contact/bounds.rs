//! Boxes along the axes.

use crate::Vec3;

/// An axis-aligned box; empty when `lo` is above `hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lowest corner \[m\].
    pub lo: Vec3,
    /// Highest corner \[m\].
    pub hi: Vec3,
}

impl Bounds {
    /// The box that holds nothing.
    pub const EMPTY: Bounds = Bounds {
        lo: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        hi: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// The box around a straight path, widened by `margin` \[m\] on all sides.
    pub fn of_path(from: &Vec3, to: &Vec3, margin: f64) -> Bounds {
        let margin = Vec3::repeat(margin);
        Bounds { lo: from.inf(to) - margin, hi: from.sup(to) + margin }
    }

    /// The box around both.
    pub fn union(&self, other: &Bounds) -> Bounds {
        Bounds { lo: self.lo.inf(&other.lo), hi: self.hi.sup(&other.hi) }
    }

    /// Whether a point lies in the box or on its border. A point that is not a number does not.
    pub fn holds(&self, point: &Vec3) -> bool {
        (0..3).all(|i| self.lo[i] <= point[i] && point[i] <= self.hi[i])
    }

    /// Square of the distance of two boxes \[m²\]; zero when they meet.
    #[inline]
    pub fn gap_squared(&self, other: &Bounds) -> f64 {
        // One comparison each, unlike f64::max. What is not a number gives no gap: nothing is lost.
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        let gap = |i: usize| larger(other.lo[i] - self.hi[i], larger(self.lo[i] - other.hi[i], 0.0));
        let (x, y, z) = (gap(0), gap(1), gap(2));
        x * x + y * y + z * z
    }

    /// Distance from a point to the corner that is farthest from it \[m\].
    pub fn farthest_corner(&self, point: &Vec3) -> f64 {
        (point - self.lo).abs().sup(&(self.hi - point).abs()).norm()
    }

    /// Sum of the three sides \[m\]: a cheap measure of size.
    #[inline]
    pub fn girth(&self) -> f64 {
        (self.hi - self.lo).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_of_boxes_is_the_distance_of_their_nearest_corners() {
        let unit = Bounds { lo: Vec3::zeros(), hi: Vec3::repeat(1.0) };
        let away = Bounds { lo: Vec3::new(2.0, 3.0, -4.0), hi: Vec3::new(5.0, 5.0, -2.0) };
        assert_eq!(unit.gap_squared(&away), 1.0 + 4.0 + 4.0);
        assert_eq!(away.gap_squared(&unit), 9.0);
        assert_eq!(unit.gap_squared(&Bounds { lo: Vec3::repeat(1.0), hi: Vec3::repeat(2.0) }), 0.0);
    }

    #[test]
    fn a_path_stays_in_its_box_and_no_number_is_not_in_it() {
        let (from, to) = (Vec3::new(1.0, 5.0, 0.0), Vec3::new(2.0, 3.0, 0.0));
        let path = Bounds::of_path(&from, &to, 0.5);
        assert_eq!(path, Bounds { lo: Vec3::new(0.5, 2.5, -0.5), hi: Vec3::new(2.5, 5.5, 0.5) });
        assert!(path.holds(&from) && path.holds(&to) && path.holds(&path.hi));
        assert!(!path.holds(&Vec3::new(f64::NAN, 4.0, 0.0)));
        assert_eq!(path.farthest_corner(&from), Vec3::new(1.5, 2.5, 0.5).norm());
    }
}
