//! What exact signs of determinants say about segments and triangles.
//!
//! The determinants are Shewchuk's adaptive ones (1997), from the crate `robust`. Dropping a coordinate is
//! exact, so questions within a plane are asked of its shadow on a coordinate plane where the triangle still
//! has an area.

use aspic::Vec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// How a segment and a triangle meet, both with their ends and rims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// They have no point in common.
    Apart,
    /// They have a point in common, but the segment does not pass from side to side through the inside.
    Touch,
    /// The segment passes from one side to the other through the inside.
    Pierce,
}

/// Sign of det[b−a, c−a, x−a]: 1 on the side from which a, b, c turn counter-clockwise, 0 in the plane.
pub fn side_of_plane([a, b, c]: [Vec3; 3], x: Vec3) -> i32 {
    let point = |x: Vec3| Coord3D { x: x.x, y: x.y, z: x.z };
    // Shewchuk counts the other side as positive.
    -sign(orient3d(point(a), point(b), point(c), point(x)))
}

/// Sign of the area of the triangle's shadow along a coordinate axis.
fn turn([a, b, c]: [Vec3; 3], axis: usize) -> i32 {
    let shadow = |x: Vec3| Coord { x: x[(axis + 1) % 3], y: x[(axis + 2) % 3] };
    sign(orient2d(shadow(a), shadow(b), shadow(c)))
}

fn sign(number: f64) -> i32 {
    i32::from(number > 0.0) - i32::from(number < 0.0)
}

/// An axis along which the triangle's shadow has an area; none if the triangle itself has none.
fn shadow_axis(triangle: [Vec3; 3]) -> Option<usize> {
    (0..3).find(|&axis| turn(triangle, axis) != 0)
}

/// Whether a triangle has no area.
pub fn is_collapsed(triangle: [Vec3; 3]) -> bool {
    shadow_axis(triangle).is_none()
}

/// No two signs oppose each other.
fn agree(signs: [i32; 3]) -> bool {
    !(signs.contains(&1) && signs.contains(&-1))
}

fn sides([a, b, c]: [Vec3; 3]) -> [[Vec3; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// How a segment meets a triangle that has an area.
pub fn meeting([p, q]: [Vec3; 2], triangle: [Vec3; 3]) -> Meeting {
    let ends = [p, q].map(|x| side_of_plane(triangle, x));
    if ends == [0, 0] {
        return if coplanar_meet([p, q], triangle) { Meeting::Touch } else { Meeting::Apart };
    }
    if ends[0] == ends[1] {
        return Meeting::Apart;
    }
    // The line pq meets the plane in one point; the line passes each side of the triangle on the left, on the
    // right, or through it. Not all three through, or the triangle would have no area.
    let passing = sides(triangle).map(|[a, b]| side_of_plane([p, q, a], b));
    match agree(passing) {
        false => Meeting::Apart,
        true if ends.contains(&0) || passing.contains(&0) => Meeting::Touch,
        true => Meeting::Pierce,
    }
}

/// Whether a point lies on a triangle that has an area.
pub fn holds(triangle: [Vec3; 3], point: Vec3) -> bool {
    side_of_plane(triangle, point) == 0
        && shadow_axis(triangle).is_some_and(|axis| shadow_holds(triangle, point, axis))
}

fn shadow_holds(triangle: [Vec3; 3], point: Vec3, axis: usize) -> bool {
    agree(sides(triangle).map(|[a, b]| turn([a, b, point], axis)))
}

/// Whether a segment in the plane of a triangle meets it: it starts there, or it meets a side.
fn coplanar_meet(segment: [Vec3; 2], triangle: [Vec3; 3]) -> bool {
    shadow_axis(triangle).is_some_and(|axis| {
        shadow_holds(triangle, segment[0], axis)
            || sides(triangle).into_iter().any(|side| shadows_meet(segment, side, axis))
    })
}

/// Whether two segments of one plane meet: neither lies beside the line of the other, and their boxes meet.
fn shadows_meet([p, q]: [Vec3; 2], [a, b]: [Vec3; 2], axis: usize) -> bool {
    let straddle = |[a, b]: [Vec3; 2], [p, q]: [Vec3; 2]| turn([a, b, p], axis) * turn([a, b, q], axis) <= 0;
    // Only for segments on one line do the boxes say something new.
    let boxes = (0..3).all(|i| p[i].min(q[i]) <= a[i].max(b[i]) && a[i].min(b[i]) <= p[i].max(q[i]));
    boxes && straddle([p, q], [a, b]) && straddle([a, b], [p, q])
}

/// Whether two triangles with a common edge lie on each other; `thirds` are their other vertices.
pub fn is_folded([a, b]: [Vec3; 2], thirds: [Vec3; 2]) -> bool {
    let same_side = |axis| turn([a, b, thirds[0]], axis) == turn([a, b, thirds[1]], axis);
    side_of_plane([a, b, thirds[0]], thirds[1]) == 0 && shadow_axis([a, b, thirds[0]]).is_some_and(same_side)
}
