//! Signs of determinants without rounding, and what they say about a segment and a triangle.
//!
//! The determinants are Shewchuk's adaptive ones (1997), from the crate `robust`.

use robust::{Coord3D, orient3d};

use crate::Vec3;

/// How a segment passes a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// They do not meet.
    Apart,
    /// An end of the segment lies in the plane of the triangle: they may touch, but nothing passes.
    Touches,
    /// From one side to the other, exactly through the rim.
    OnRim,
    /// From one side to the other, through the inside.
    Through,
}

/// Sign of det[b−a, c−a, x−a]: 1 on the side from which a, b, c turn counter-clockwise, 0 in the plane.
fn side([a, b, c]: [&Vec3; 3], x: &Vec3) -> i32 {
    let point = |x: &Vec3| Coord3D { x: x.x, y: x.y, z: x.z };
    // Shewchuk counts the other side as positive.
    let determinant = orient3d(point(a), point(b), point(c), point(x));
    i32::from(determinant < 0.0) - i32::from(determinant > 0.0)
}

/// How the segment `pq` passes the triangle `abc`  \[m\].
pub(super) fn passage([p, q]: [&Vec3; 2], [a, b, c]: [&Vec3; 3]) -> Passage {
    let ends = [side([a, b, c], p), side([a, b, c], q)];
    if ends[0] * ends[1] > 0 {
        return Passage::Apart;
    }
    if ends == [0, 0] {
        return Passage::Touches;
    }
    // The line pq passes each side of the triangle on the left, on the right, or through it.
    let passing = [[a, b], [b, c], [c, a]].map(|[v, w]| side([p, q, v], w));
    if passing.contains(&1) && passing.contains(&-1) {
        Passage::Apart
    } else if ends.contains(&0) {
        Passage::Touches
    } else if passing.contains(&0) {
        Passage::OnRim
    } else {
        Passage::Through
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The triangle (0,0,0) (1,0,0) (0,1,0) and segments from z = `below` to z = `above` at (x, y).
    fn at(x: f64, y: f64, below: f64, above: f64) -> Passage {
        let corners = [Vec3::zeros(), Vec3::x(), Vec3::y()];
        passage([&Vec3::new(x, y, below), &Vec3::new(x, y, above)], corners.each_ref())
    }

    #[test]
    fn a_segment_passes_inside_on_the_rim_or_not_at_all() {
        assert_eq!(at(0.25, 0.25, -1.0, 1.0), Passage::Through);
        assert_eq!(at(0.25, 0.25, 1.0, -1.0), Passage::Through);
        assert_eq!(at(0.5, 0.5, -1.0, 1.0), Passage::OnRim);
        assert_eq!(at(0.0, 0.0, -1.0, 1.0), Passage::OnRim);
        assert_eq!(at(0.5, 0.5 + f64::EPSILON, -1.0, 1.0), Passage::Apart);
        assert_eq!(at(0.25, 0.25, 1e-300, 1.0), Passage::Apart);
        assert_eq!(at(0.25, 0.25, 0.0, 1.0), Passage::Touches);
    }
}
