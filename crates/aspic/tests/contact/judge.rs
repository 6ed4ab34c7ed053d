//! The judge of contact: do surfaces cross, is a tetrahedron inside out, is a point inside a body?
//!
//! It shares nothing with the library's contact. Every answer follows from exact signs of determinants, so
//! there is no tolerance: a gap of one rounding is a gap, and touching is crossing.
//!
//! A surface is a list of triangles on numbered vertices. It passes when two triangles have nothing in common
//! but the vertices and the edge they share by number. Which tests decide that depends on what is shared:
//!
//! - Nothing. Two triangles meet exactly when an edge of one meets the other: the ends of a common segment lie
//!   on edges, and of two triangles in one plane, one inside the other has its edges there.
//! - One vertex. From it both triangles go on along a common ray, or not at all. The first to end does so on
//!   its edge opposite to the vertex, and that edge then meets the other triangle. So the two opposite edges
//!   decide, and these are the only edges that share no vertex with the other triangle.
//! - An edge. Out of plane the triangles have only the edge in common. In one plane they overlap exactly when
//!   their third vertices lie on the same side of it: a fold that is shut.
//! - All three vertices. They overlap; this counts as a shut fold too.
//!
//! A triangle without area counts as a crossing by itself. It is then left out as a target: whatever meets it
//! meets one of its edges, and these are tested like all others.
//!
//! The signs are exact while the products of three coordinates, down to their last bits, neither overflow nor
//! underflow: for coordinates that are 0 or between 1e-70 and 1e100 \[m\] in size.

mod exact;
mod sweep;
mod tests;
mod whole_numbers;

use aspic::Vec3;
use exact::Meeting;
use sweep::Bounds;

/// How an edge and a triangle cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The edge passes through the inside of the triangle.
    Pierced,
    /// They touch: an end on the triangle, the edge through its rim, or both in one plane.
    Touched,
    /// The edge is a hinge folded shut: the triangle lies on another triangle of the same edge.
    Folded,
    /// The triangle has no area; the edge is one of its own.
    Collapsed,
}

/// An edge, by its vertices in ascending order, that crosses a triangle, by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crossing {
    /// The triangle.
    pub triangle: usize,
    /// The vertices of the edge.
    pub edge: [u32; 2],
    /// How they cross.
    pub kind: Kind,
}

/// Every crossing of a surface with itself, in ascending order; several bodies are one list of triangles.
///
/// # Panics
/// If a position \[m\] is not finite.
pub fn crossings(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Crossing> {
    need_finite(positions);
    let borders = borders(triangles);
    let mut found = collapsed(positions, triangles);
    let whole = whole(triangles.len(), &found);
    found.extend(folded(positions, triangles, &borders, &whole));
    found.extend(met(positions, triangles, &borders, &whole));
    found.sort_unstable();
    found
}

/// The first tetrahedron that is inside out or flat, if any: det[x₁−x₀, x₂−x₀, x₃−x₀] ≤ 0.
///
/// # Panics
/// If a position \[m\] is not finite.
pub fn inverted(positions: &[Vec3], tets: &[[u32; 4]]) -> Option<usize> {
    need_finite(positions);
    tets.iter().position(|tet| {
        let [a, b, c, d] = tet.map(|v| positions[v as usize]);
        exact::side_of_plane([a, b, c], d) <= 0
    })
}

/// Whether a point \[m\] is inside a closed surface or on it: a ray from it leaves an odd number of times.
///
/// # Panics
/// If a position is not finite; if every one of many rays meets an edge, which closed surfaces do not do.
pub fn inside(point: Vec3, positions: &[Vec3], triangles: &[[u32; 3]]) -> bool {
    need_finite(positions);
    need_finite(&[point]);
    let corners = triangles.iter().map(|t| t.map(|v| positions[v as usize]));
    // What has no area has no inside to pass through; its neighbours close the surface without it.
    let surface: Vec<[Vec3; 3]> = corners.filter(|&t| !exact::is_collapsed(t)).collect();
    let Some(bounds) = Bounds::of(surface.as_flattened()) else { return false };
    if !bounds.meets(&Bounds { low: point, high: point }) {
        return false;
    }
    if surface.iter().any(|&t| exact::holds(t, point)) {
        return true;
    }
    let leaves = (1..100).find_map(|attempt| passes([point, far_end(&bounds, attempt)], &surface));
    leaves.expect("every ray from the point met an edge") % 2 == 1
}

/// How often a segment passes through a surface; nothing if it meets an edge or lies in a triangle.
fn passes(segment: [Vec3; 2], surface: &[[Vec3; 3]]) -> Option<usize> {
    let mut count = 0;
    for &triangle in surface {
        match exact::meeting(segment, triangle) {
            Meeting::Apart => (),
            Meeting::Pierce => count += 1,
            Meeting::Touch => return None,
        }
    }
    Some(count)
}

/// A point outside the bounds; attempts go round the sphere by the golden angle, in no rational direction.
fn far_end(bounds: &Bounds, attempt: usize) -> Vec3 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let turn = attempt as f64 * GOLDEN;
    let height = 1.0 - 2.0 * (turn * 0.7).fract();
    let (sin, cos) = (std::f64::consts::TAU * turn).sin_cos();
    let radius = (1.0 - height * height).sqrt();
    let diagonal = (bounds.high - bounds.low).norm();
    (bounds.low + bounds.high) / 2.0 + 2.0 * diagonal * Vec3::new(radius * cos, radius * sin, height)
}

/// A judge who is asked about nonsense must not find it faultless.
fn need_finite(positions: &[Vec3]) {
    let wrong = positions.iter().position(|x| !x.iter().all(|c| c.is_finite()));
    assert!(wrong.is_none(), "position {wrong:?} is not finite");
}

/// Edges of all triangles with the triangle each belongs to, ascending.
fn borders(triangles: &[[u32; 3]]) -> Vec<([u32; 2], usize)> {
    let edges = |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]].map(|[v, w]| [v.min(w), v.max(w)]);
    let mut borders: Vec<_> =
        triangles.iter().enumerate().flat_map(|(t, &corners)| edges(corners).map(|e| (e, t))).collect();
    borders.sort_unstable();
    borders
}

/// Triangles without area.
fn collapsed(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Crossing> {
    let mut found = vec![];
    for (triangle, &[a, b, c]) in triangles.iter().enumerate() {
        if exact::is_collapsed([a, b, c].map(|v| positions[v as usize])) {
            found.push(Crossing { triangle, edge: [a.min(b), a.max(b)], kind: Kind::Collapsed });
        }
    }
    found
}

/// For every triangle whether it has an area.
fn whole(count: usize, collapsed: &[Crossing]) -> Vec<bool> {
    let mut whole = vec![true; count];
    for crossing in collapsed {
        whole[crossing.triangle] = false;
    }
    whole
}

/// Pairs of triangles with a common edge that lie on each other; the crossing names the later one.
fn folded(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    borders: &[([u32; 2], usize)],
    whole: &[bool],
) -> Vec<Crossing> {
    let at = |v: u32| positions[v as usize];
    let mut found = vec![];
    for hinge in borders.chunk_by(|(e, _), (f, _)| e == f) {
        let edge = hinge[0].0;
        // A triangle with an area has one vertex off the edge.
        let third = |t: usize| triangles[t].into_iter().find(|v| whole[t] && !edge.contains(v));
        let wings: Vec<_> = hinge.iter().filter_map(|&(_, t)| Some((t, third(t)?))).collect();
        for (i, &(triangle, late)) in wings.iter().enumerate() {
            let shut = |early| exact::is_folded(edge.map(at), [early, late].map(at));
            if wings[..i].iter().any(|&(_, early)| shut(early)) {
                found.push(Crossing { triangle, edge, kind: Kind::Folded });
            }
        }
    }
    found
}

/// Edges that meet a triangle with which they share no vertex.
fn met(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    borders: &[([u32; 2], usize)],
    whole: &[bool],
) -> Vec<Crossing> {
    let at = |v: u32| positions[v as usize];
    let edges: Vec<[u32; 2]> = borders.chunk_by(|(e, _), (f, _)| e == f).map(|same| same[0].0).collect();
    let bounds = |vertices: &[u32]| Bounds::of(vertices.iter().map(|&v| &positions[v as usize]));
    let of_edges: Vec<Bounds> = edges.iter().filter_map(|e| bounds(e)).collect();
    let of_triangles: Vec<Bounds> = triangles.iter().filter_map(|t| bounds(t)).collect();
    let mut found = vec![];
    sweep::pairs(&of_edges, &of_triangles, |e, triangle| {
        let (edge, corners) = (edges[e], triangles[triangle]);
        if !whole[triangle] || edge.iter().any(|v| corners.contains(v)) {
            return;
        }
        let kind = match exact::meeting(edge.map(at), corners.map(at)) {
            Meeting::Apart => return,
            Meeting::Pierce => Kind::Pierced,
            Meeting::Touch => Kind::Touched,
        };
        found.push(Crossing { triangle, edge, kind });
    });
    found
}
