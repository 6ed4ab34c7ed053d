//! Where a segment passes through triangles.
//!
//! The segment a + t d, 0 ≤ t ≤ 1, and the triangle p + u e + v f meet where (Möller and Trumbore 1997)
//! D = (d × f)·e,  u = (d × f)·s / D,  v = (s × e)·d / D,  t = (s × e)·f / D,  s = a − p.
//! A small margin in u and v makes a segment through a shared edge hit at least one of the two triangles.

use aspic::Vec3;

use super::boxes::{Node, Tree};

/// Margin of the barycentric coordinates.
const MARGIN: f64 = 1e-10;

impl Tree {
    /// The parameters t from 0 to 1 at which the segment from `a` to `b` \[m\] meets triangles, ascending. A segment that
    /// lies in the plane of a triangle does not meet it.
    pub fn hits(&self, a: &Vec3, b: &Vec3) -> Vec<f64> {
        let way = b - a;
        let mut found = Vec::new();
        self.visit(
            |node| meets(node, a, &way),
            |leaf| found.extend(self.corners[leaf].iter().filter_map(|c| hit(c, a, &way))),
        );
        found.sort_unstable_by(f64::total_cmp);
        found
    }
}

/// Whether the segment enters the box, which is widened by a hair.
fn meets(node: &Node, a: &Vec3, way: &Vec3) -> bool {
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for axis in 0..3 {
        let room = 1e-12 * (node.low[axis].abs() + node.high[axis].abs() + a[axis].abs());
        let (low, high) = (node.low[axis] - room - a[axis], node.high[axis] + room - a[axis]);
        if way[axis] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
            continue;
        }
        let (s, t) = (low / way[axis], high / way[axis]);
        from = from.max(s.min(t));
        to = to.min(s.max(t));
    }
    from <= to + 1e-12
}

/// Where a segment meets one triangle.
fn hit(corners: &[Vec3; 3], a: &Vec3, way: &Vec3) -> Option<f64> {
    let (e, f) = (corners[1] - corners[0], corners[2] - corners[0]);
    let across = way.cross(&f);
    let divisor = across.dot(&e);
    if divisor.abs() <= 1e-14 * way.norm() * e.norm() * f.norm() {
        return None;
    }
    let s = a - corners[0];
    let u = across.dot(&s) / divisor;
    let other = s.cross(&e);
    let v = other.dot(way) / divisor;
    let t = other.dot(&f) / divisor;
    let within = u >= -MARGIN && v >= -MARGIN && u + v <= 1.0 + MARGIN;
    (within && (-MARGIN..=1.0 + MARGIN).contains(&t)).then(|| t.clamp(0.0, 1.0))
}
