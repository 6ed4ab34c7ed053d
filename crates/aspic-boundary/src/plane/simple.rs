//! Whether an outline meets itself.

use super::{Polygon, Vec2, cross};

/// Where an outline meets itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crossing {
    /// The edges after two vertices have a point in common.
    Edges(usize, usize),
    /// Two vertices are at one place.
    Vertices(usize, usize),
}

/// The first place at which edges meet that are no neighbours, or at which neighbours fold back on each other.
///
/// Every edge is compared with those whose boxes overlap its own in x, found in the order of their left ends.
pub(super) fn first_crossing(polygon: &Polygon) -> Option<Crossing> {
    let mut order: Vec<usize> = (0..polygon.len()).collect();
    let low = |k: usize| polygon.edge(k)[0].x.min(polygon.edge(k)[1].x);
    let high = |k: usize| polygon.edge(k)[0].x.max(polygon.edge(k)[1].x);
    order.sort_by(|&a, &b| low(a).total_cmp(&low(b)));
    for (place, &a) in order.iter().enumerate() {
        for &b in order[place + 1..].iter().take_while(|&&b| low(b) <= high(a)) {
            if let Some(crossing) = meeting(polygon, a.min(b), a.max(b)) {
                return Some(crossing);
            }
        }
    }
    None
}

fn meeting(polygon: &Polygon, a: usize, b: usize) -> Option<Crossing> {
    let ([p, q], [r, s]) = (polygon.edge(a), polygon.edge(b));
    let ends =
        [(a, p), (polygon.next(a), q)].map(|(i, x)| [(b, r), (polygon.next(b), s)].map(|o| (i, x, o.0, o.1)));
    if let Some(&(i, _, j, _)) = ends.iter().flatten().find(|(i, x, j, y)| i != j && x == y) {
        return Some(Crossing::Vertices(i.min(j), i.max(j)));
    }
    let folded = |corner: Vec2, x: Vec2, y: Vec2| {
        cross(x - corner, y - corner) == 0.0 && (x - corner).dot(&(y - corner)) > 0.0
    };
    let meet = if polygon.next(a) == b {
        folded(q, p, s)
    } else if polygon.next(b) == a {
        folded(p, q, r)
    } else {
        segments_meet([p, q], [r, s])
    };
    meet.then_some(Crossing::Edges(a, b))
}

/// Whether two closed segments have a point in common.
fn segments_meet([p, q]: [Vec2; 2], [r, s]: [Vec2; 2]) -> bool {
    let side = |a: Vec2, b: Vec2, x: Vec2| cross(b - a, x - a);
    let (dr, ds, dp, dq) = (side(p, q, r), side(p, q, s), side(r, s, p), side(r, s, q));
    let between = |a: Vec2, b: Vec2, x: Vec2| a.inf(&b) <= x && x <= a.sup(&b);
    (dr * ds < 0.0 && dp * dq < 0.0)
        || (dr == 0.0 && between(p, q, r))
        || (ds == 0.0 && between(p, q, s))
        || (dp == 0.0 && between(r, s, p))
        || (dq == 0.0 && between(r, s, q))
}

/// Whether a loop runs around a place: a ray to the right crosses it an odd number of times.
pub(super) fn winds_around(outline: &[Vec2], place: Vec2) -> bool {
    let edges = outline.iter().zip(outline.iter().cycle().skip(1));
    let crossed = edges.filter(|(a, b)| {
        let spans = (a.y > place.y) != (b.y > place.y);
        let left = cross(**b - **a, place - **a) > 0.0;
        spans && left == (b.y > a.y)
    });
    crossed.count() % 2 == 1
}
