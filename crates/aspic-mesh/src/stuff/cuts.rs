//! Where the surface crosses the edges of the lattice.

use aspic::Vec3;
use rayon::prelude::*;

use crate::lattice::{Lattice, NEIGHBOURS, Point};
use crate::tree::Winding;

/// A point of the surface on an edge from an inner to an outer lattice point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    /// Numbers of the inner and the outer point.
    pub ends: [usize; 2],
    /// Part of the way from the inner to the outer point.
    pub part: f64,
    /// Where it is  \[m\]
    pub place: Vec3,
    /// Whether the edge is one of the long ones.
    pub long: bool,
}

/// Halvings of an edge where no triangle is met: 2⁻³⁰ of its length.
const HALVINGS: usize = 30;
/// Hits closer than this part of the edge are one.
const SAME: f64 = 1e-9;

/// All cut points, ascending by the numbers of their ends.
pub(crate) fn cuts(lattice: &Lattice, winding: &Winding, labels: &[i8]) -> Vec<Cut> {
    let around = |n: usize| {
        let at = lattice.point(n);
        let next = NEIGHBOURS.iter().enumerate().map(move |(way, step)| (way, sum(at, *step)));
        let outer = next.filter(|&(_, p)| lattice.has(p)).map(|(way, p)| (way, lattice.number(p)));
        let outer: Vec<(usize, usize)> = outer.filter(|&(_, m)| labels[m] < 0).collect();
        outer.into_iter().map(move |(way, m)| ([n, m], way < 6))
    };
    let inner = (0..labels.len()).into_par_iter().filter(|&n| labels[n] > 0);
    let mut edges: Vec<([usize; 2], bool)> = inner.flat_map_iter(around).collect();
    edges.par_sort_unstable();
    let cut = |&(ends, long): &([usize; 2], bool)| {
        let [a, b] = ends.map(|n| lattice.place(lattice.point(n)));
        let part = crossing(winding, &a, &b);
        Cut { ends, part, place: a + (b - a) * part, long }
    };
    edges.par_iter().map(cut).collect()
}

fn sum(a: Point, b: Point) -> Point {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

/// How far along the way from a, inside, to b, outside, the inside ends: at a triangle behind which it is outside, or
/// where the winding number falls below one half in a hole.
fn crossing(winding: &Winding, a: &Vec3, b: &Vec3) -> f64 {
    let mut hits = winding.tree().hits(a, b);
    hits.dedup_by(|next, before| *next - *before < SAME);
    let inside = |t: f64| winding.inside(&(a + (b - a) * t));
    match hits.as_slice() {
        [] => halved(inside),
        [only] => *only,
        [.., last] => {
            let leaves = |pair: &&[f64]| !inside((pair[0] + pair[1]) / 2.0);
            hits.windows(2).find(leaves).map_or(*last, |pair| pair[0])
        }
    }
}

/// The place between 0, inside, and 1, outside, where the inside ends.
fn halved(inside: impl Fn(f64) -> bool) -> f64 {
    let (mut from, mut to) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = (from + to) / 2.0;
        *(if inside(middle) { &mut from } else { &mut to }) = middle;
    }
    (from + to) / 2.0
}
