//! Which cubes the surface passes through.
//!
//! A triangle is taken through ever smaller blocks of cubes: a block is left when it misses the box of the triangle or
//! lies on one side of its plane. What remains is a superset of the cubes that the triangle meets.

use aspic::Vec3;

use super::bcc::Lattice;
use crate::tree::Tree;

/// A hair of room for rounding, in cubes.
const ROOM: f64 = 1e-7;

/// One triangle in units of cubes.
struct Cut {
    low: Vec3,
    high: Vec3,
    normal: Vec3,
    /// normal · corner
    height: f64,
}

/// For every cube, by its number i + nx (j + ny k), whether a triangle may pass through it.
pub(crate) fn cubes_near(lattice: &Lattice, tree: &Tree) -> Vec<bool> {
    let mut near = vec![false; lattice.cubes.iter().product()];
    for corners in &tree.corners {
        cubes_of(lattice, corners, &mut |[i, j, k]| {
            near[(k * lattice.cubes[1] + j) * lattice.cubes[0] + i] = true;
        });
    }
    near
}

/// Calls `mark` with the cubes that a triangle may pass through.
pub(crate) fn cubes_of(lattice: &Lattice, corners: &[Vec3; 3], mark: &mut impl FnMut([usize; 3])) {
    let [a, b, c] = corners.map(|x| (x - lattice.origin) / lattice.cell);
    let room = Vec3::repeat(ROOM);
    let normal = (b - a).cross(&(c - a));
    let (low, high) = (a.inf(&b).inf(&c) - room, a.sup(&b).sup(&c) + room);
    let cut = Cut { low, high, normal, height: normal.dot(&a) };
    let index = |x: &Vec3| std::array::from_fn(|n| x[n].clamp(0.0, lattice.cubes[n] as f64 - 1.0) as usize);
    let (from, to): ([usize; 3], [usize; 3]) = (index(&low), index(&high));
    walk(&cut, from, to.map(|n| n + 1), mark);
}

/// Marks the cubes of a block, `to` exclusive, that the triangle may meet.
fn walk(cut: &Cut, from: [usize; 3], to: [usize; 3], mark: &mut impl FnMut([usize; 3])) {
    let low = Vec3::from_fn(|axis, _| from[axis] as f64);
    let high = Vec3::from_fn(|axis, _| to[axis] as f64);
    let outside = (0..3).any(|axis| cut.high[axis] < low[axis] || cut.low[axis] > high[axis]);
    let half = (high - low) / 2.0 + Vec3::repeat(ROOM);
    let away = (cut.normal.dot(&((low + high) / 2.0)) - cut.height).abs();
    if outside || away > cut.normal.abs().dot(&half) {
        return;
    }
    let longest = (0..3).max_by_key(|&axis| to[axis] - from[axis]).unwrap_or(0);
    let length = to[longest] - from[longest];
    if length == 1 {
        return mark(from);
    }
    let (mut end, mut start) = (to, from);
    end[longest] = from[longest] + length / 2;
    start[longest] = end[longest];
    walk(cut, from, end, mark);
    walk(cut, start, to, mark);
}
