//! How many pairs of triangles pass through each other.

use std::cell::Cell;

use rayon::prelude::*;

use super::meeting::meet;
use crate::soup::Soup;
use crate::tree::{Tree, box_of};

/// Most partners that one triangle is tried with, so that heaps of equal triangles end too.
const MOST_PARTNERS: usize = 10_000;

/// The number of pairs of triangles without a common vertex that meet, and whether there may be more because some
/// triangle had too many partners. Vertices at one place must have one number, and triangles some area.
pub(crate) fn intersections(soup: &Soup) -> (usize, bool) {
    let tree = Tree::new(soup);
    let found: Vec<(usize, bool)> =
        (0..tree.order.len()).into_par_iter().map(|n| partners(soup, &tree, n)).collect();
    (found.iter().map(|f| f.0).sum(), found.iter().any(|f| f.1))
}

/// The partners of a triangle that come after it in the order of the tree.
fn partners(soup: &Soup, tree: &Tree, n: usize) -> (usize, bool) {
    let (low, high) = box_of(&tree.corners[n]);
    let corners = soup.triangles[tree.order[n] as usize];
    let (count, tried) = (Cell::new(0), Cell::new(0));
    tree.visit(
        |node| {
            let apart = (0..3).any(|axis| node.high[axis] < low[axis] || node.low[axis] > high[axis]);
            node.end as usize > n + 1 && !apart && tried.get() < MOST_PARTNERS
        },
        |leaf| {
            for m in leaf.filter(|&m| m > n) {
                let (from, to) = box_of(&tree.corners[m]);
                let apart = (0..3).any(|axis| to[axis] < low[axis] || from[axis] > high[axis]);
                let other = soup.triangles[tree.order[m] as usize];
                if apart || other.iter().any(|v| corners.contains(v)) {
                    continue;
                }
                tried.set(tried.get() + 1);
                count.set(count.get() + usize::from(meet(&tree.corners[n], &tree.corners[m])));
            }
        },
    );
    (count.get(), tried.get() >= MOST_PARTNERS)
}
