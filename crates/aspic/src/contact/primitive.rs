//! What a leaf of a tree holds: a triangle, a loose edge, or a loose point, each with what it owns.
//!
//! Every point and every edge of a part is owned by exactly one primitive. Each two primitives then test what they
//! own against each other, and no pair is found twice.

use super::part::Part;

/// A triangle, a loose edge `[a, b, b]`, or a loose point `[p, p, p]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Primitive {
    /// Its corners.
    pub corners: [u32; 3],
    /// How many of them are different: 3, 2 or 1.
    pub count: u8,
    /// Bit i: it owns corner i.
    points: u8,
    /// Bit i: it owns the edge from corner i to the next.
    edges: u8,
}

impl Primitive {
    /// The points it owns.
    #[inline]
    pub fn owned_points(&self) -> impl Iterator<Item = u32> {
        let Primitive { corners, points, .. } = *self;
        (0..3).filter(move |i| points >> i & 1 == 1).map(move |i| corners[i])
    }

    /// The edges it owns, lower point first.
    #[inline]
    pub fn owned_edges(&self) -> impl Iterator<Item = [u32; 2]> {
        let Primitive { corners, edges, .. } = *self;
        (0..3).filter(move |i| edges >> i & 1 == 1).map(move |i| side(&corners, i))
    }
}

/// Edge i of a triangle, lower point first.
pub fn side(corners: &[u32; 3], i: usize) -> [u32; 2] {
    let (a, b) = (corners[i], corners[(i + 1) % 3]);
    [a.min(b), a.max(b)]
}

/// The primitives of a part: triangles, then loose edges, then loose points. The first primitive that has a point
/// or an edge owns it.
pub fn primitives(part: &Part) -> Vec<Primitive> {
    let triangle = |&corners: &[u32; 3]| Primitive { corners, count: 3, points: 0, edges: 0 };
    let edge = |&[a, b]: &[u32; 2]| Primitive { corners: [a, b, b], count: 2, points: 0, edges: 1 };
    let point = |&p: &u32| Primitive { corners: [p; 3], count: 1, points: 1, edges: 0 };
    let mut all: Vec<Primitive> = (part.triangles.iter().map(triangle))
        .chain(part.loose_edges.iter().map(edge))
        .chain(part.loose_points.iter().map(point))
        .collect();
    own_points(&mut all);
    own_sides(&mut all[..part.triangles.len()]);
    all
}

fn own_points(all: &mut [Primitive]) {
    let of = |(k, p): (usize, &Primitive)| (0..p.count as usize).map(move |i| (p.corners[i], k, i)).collect();
    let mut uses: Vec<(u32, usize, usize)> = all.iter().enumerate().flat_map::<Vec<_>, _>(of).collect();
    uses.sort_unstable();
    uses.dedup_by_key(|&mut (point, ..)| point);
    for (_, k, i) in uses {
        all[k].points |= 1 << i;
    }
}

fn own_sides(triangles: &mut [Primitive]) {
    let of = |(k, p): (usize, &Primitive)| [0, 1, 2].map(|i| (side(&p.corners, i), k, i));
    let mut uses: Vec<([u32; 2], usize, usize)> = triangles.iter().enumerate().flat_map(of).collect();
    uses.sort_unstable();
    uses.dedup_by_key(|&mut (edge, ..)| edge);
    for (_, k, i) in uses {
        triangles[k].edges |= 1 << i;
    }
}
