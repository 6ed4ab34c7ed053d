//! A binary tree of axis-aligned boxes over the triangles of a soup.
//!
//! The triangles are put in order by halving: at each step by the middle of their boxes along the longest axis of the
//! range of middles, ties by number, so the order does not depend on threads. Nodes lie in preorder: the left child of
//! node n is n + 1, `right` names the other, and a leaf has `right` = 0.

use std::cmp::Ordering;

use aspic::Vec3;

use crate::soup::Soup;

/// Most triangles in a leaf.
pub(crate) const LEAF: usize = 4;
/// Ranges shorter than this are ordered by one thread.
const ALONE: usize = 4096;

/// One box and the triangles in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub low: Vec3,
    pub high: Vec3,
    /// Range in the order of triangles.
    pub start: u32,
    pub end: u32,
    /// The second child, or 0 at a leaf.
    pub right: u32,
}

/// The tree.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// Numbers of the triangles in the order of the leaves.
    pub(crate) order: Vec<u32>,
    /// Corners of the triangles in that order.
    pub(crate) corners: Vec<[Vec3; 3]>,
}

impl Tree {
    /// For a soup that [`Soup::check`] accepts.
    pub fn new(soup: &Soup) -> Tree {
        let middle = |t: usize| {
            let [a, b, c] = soup.corners(t);
            a.inf(&b).inf(&c) + a.sup(&b).sup(&c)
        };
        let mut order: Vec<(Vec3, u32)> = (0..soup.triangles.len()).map(|t| (middle(t), t as u32)).collect();
        halve(&mut order);
        let order: Vec<u32> = order.into_iter().map(|(_, t)| t).collect();
        let corners: Vec<_> = order.iter().map(|&t| soup.corners(t as usize)).collect();
        let mut tree = Tree { nodes: Vec::with_capacity(order.len()), order, corners };
        if !tree.order.is_empty() {
            tree.add(0, tree.order.len());
        }
        tree
    }

    /// Adds the node of a range and all below; its number.
    fn add(&mut self, start: usize, end: usize) -> usize {
        let number = self.nodes.len();
        let node =
            Node { low: Vec3::zeros(), high: Vec3::zeros(), start: start as u32, end: end as u32, right: 0 };
        self.nodes.push(node);
        let (low, high) = if end - start <= LEAF {
            self.corners[start..end].iter().map(box_of).reduce(join).unwrap_or_default()
        } else {
            let middle = (start + end) / 2;
            let left = self.add(start, middle);
            let right = self.add(middle, end);
            self.nodes[number].right = right as u32;
            let of = |n: usize| (self.nodes[n].low, self.nodes[n].high);
            join(of(left), of(right))
        };
        (self.nodes[number].low, self.nodes[number].high) = (low, high);
        number
    }

    /// Calls `leaf` with the range of every leaf that lies in boxes for which `wanted` holds.
    pub(crate) fn visit(&self, wanted: impl Fn(&Node) -> bool, mut leaf: impl FnMut(std::ops::Range<usize>)) {
        let mut stack = [0u32; 64];
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let at = stack[depth];
            let node = &self.nodes[at as usize];
            if !wanted(node) {
                continue;
            }
            if node.right == 0 {
                leaf(node.start as usize..node.end as usize);
            } else {
                // Halving 2³² triangles gives at most 32 levels.
                stack[depth] = node.right;
                stack[depth + 1] = at + 1;
                depth += 2;
            }
        }
    }
}

/// Box around a triangle.
pub(crate) fn box_of([a, b, c]: &[Vec3; 3]) -> (Vec3, Vec3) {
    (a.inf(b).inf(c), a.sup(b).sup(c))
}

fn join(a: (Vec3, Vec3), b: (Vec3, Vec3)) -> (Vec3, Vec3) {
    (a.0.inf(&b.0), a.1.sup(&b.1))
}

/// Orders a range so that halves, quarters and so on are near each other.
fn halve(order: &mut [(Vec3, u32)]) {
    if order.len() <= LEAF {
        return;
    }
    let start = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    let (low, high) = order.iter().fold(start, |(low, high), (x, _)| (low.inf(x), high.sup(x)));
    let axis = (high - low).imax();
    let by = |a: &(Vec3, u32), b: &(Vec3, u32)| -> Ordering {
        a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1))
    };
    let middle = order.len() / 2;
    order.select_nth_unstable_by(middle, by);
    let (left, right) = order.split_at_mut(middle);
    if left.len() < ALONE {
        halve(left);
        halve(right);
    } else {
        rayon::join(|| halve(left), || halve(right));
    }
}
