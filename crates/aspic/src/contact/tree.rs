//! A hierarchy of boxes over the primitives of a part.
//!
//! Its shape is decided once, at rest, by halving along the longest side. Later only the boxes move: children come
//! behind their parent in the list, so one sweep from the back refits all of them.

use super::bounds::Bounds;
use super::primitive::Primitive;
use crate::Vec3;

/// More primitives than this are divided, so that leaves hold 4 to 8.
const LEAF: usize = 8;

/// A node of a tree. Its left child is the next node.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The right child; unused in leaves.
    pub right: u32,
    /// First primitive of a leaf.
    start: u32,
    /// Number of primitives of a leaf; 0 in all other nodes.
    count: u32,
}

impl Node {
    /// Whether it has no children.
    pub fn is_leaf(&self) -> bool {
        self.count > 0
    }

    /// The primitives of a leaf.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}

/// The tree of one part.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Parents before children.
    pub nodes: Vec<Node>,
    /// The primitives, leaf by leaf.
    pub primitives: Vec<Primitive>,
    /// Boxes among the other parts.
    pub hulls: Hulls,
    /// Boxes for the search of a part in itself; only parts that may touch themselves need them.
    pub own_hulls: Hulls,
}

/// Boxes for one tree.
#[derive(Clone, Debug, Default)]
pub struct Hulls {
    /// The box of each node.
    pub nodes: Vec<Bounds>,
    /// The box of each primitive.
    pub primitives: Vec<Bounds>,
}

impl Tree {
    /// Divides the primitives by their places at rest. There are no boxes until [`Tree::refit`].
    pub fn new(primitives: &[Primitive], rest: &[Vec3]) -> Tree {
        let centre = |p: &Primitive| p.corners.iter().map(|&c| rest[c as usize]).sum::<Vec3>() / 3.0;
        let mut order: Vec<(Vec3, u32)> =
            primitives.iter().enumerate().map(|(k, p)| (centre(p), k as u32)).collect();
        let nodes = divide(&mut order);
        let primitives = order.iter().map(|&(_, k)| primitives[k as usize]).collect();
        Tree { nodes, primitives, hulls: Hulls::default(), own_hulls: Hulls::default() }
    }

    /// Fits the boxes to those of the surface points.
    pub fn refit(&mut self, point_boxes: &[Bounds]) {
        self.hulls.refit(&self.nodes, &self.primitives, point_boxes);
    }

    /// Fits the boxes for the search of the part in itself.
    pub fn refit_own(&mut self, point_boxes: &[Bounds]) {
        self.own_hulls.refit(&self.nodes, &self.primitives, point_boxes);
    }

    /// The box around everything; empty for a part without primitives.
    pub fn whole(&self) -> Bounds {
        self.hulls.nodes.first().copied().unwrap_or(Bounds::EMPTY)
    }
}

impl Hulls {
    fn refit(&mut self, nodes: &[Node], primitives: &[Primitive], point_boxes: &[Bounds]) {
        self.primitives.resize(primitives.len(), Bounds::EMPTY);
        self.nodes.resize(nodes.len(), Bounds::EMPTY);
        for (bounds, primitive) in self.primitives.iter_mut().zip(primitives) {
            let [a, b, c] = primitive.corners.map(|p| &point_boxes[p as usize]);
            *bounds = a.union(b).union(c);
        }
        for k in (0..nodes.len()).rev() {
            let node = nodes[k];
            self.nodes[k] = if node.is_leaf() {
                self.primitives[node.range()].iter().fold(Bounds::EMPTY, |all, one| all.union(one))
            } else {
                self.nodes[k + 1].union(&self.nodes[node.right as usize])
            };
        }
    }
}

/// Orders centres leaf by leaf, and gives the nodes in depth-first order.
fn divide(order: &mut [(Vec3, u32)]) -> Vec<Node> {
    let mut nodes: Vec<Node> = vec![];
    // Ranges to come, each with the parent whose right child it is.
    let mut open = vec![(0..order.len(), None)];
    while let Some((range, parent)) = open.pop() {
        let here = nodes.len();
        if let Some(parent) = parent {
            let parent: &mut Node = &mut nodes[parent as usize];
            parent.right = here as u32;
        }
        let leaf = range.len() <= LEAF;
        let count = if leaf { range.len() as u32 } else { 0 };
        if leaf && range.is_empty() {
            continue;
        }
        nodes.push(Node { right: 0, start: range.start as u32, count });
        if !leaf {
            let middle = range.start + halve(&mut order[range.clone()]);
            open.push((middle..range.end, Some(here as u32)));
            open.push((range.start..middle, None));
        }
    }
    nodes
}

/// Puts the lower half along the longest side first, and says how many that are.
fn halve(order: &mut [(Vec3, u32)]) -> usize {
    let at = |(x, _): &(Vec3, u32)| Bounds { lo: *x, hi: *x };
    let whole = order.iter().map(at).fold(Bounds::EMPTY, |all, one| all.union(&one));
    let axis = (whole.hi - whole.lo).imax();
    let middle = order.len() / 2;
    // Equal places are told apart by their numbers: the tree does not depend on the way of sorting.
    order.select_nth_unstable_by(middle, |(x, i), (y, j)| x[axis].total_cmp(&y[axis]).then(i.cmp(j)));
    middle
}

#[cfg(test)]
mod tests {
    use super::super::part::Part;
    use super::super::primitive::primitives;
    use super::*;

    fn points(count: u32) -> (Vec<Vec3>, Tree) {
        let at = |i: u32| Vec3::new((i * 37 % 101) as f64, (i * 53 % 89) as f64, (i % 7) as f64);
        let (rest, loose): (Vec<Vec3>, Vec<u32>) = (0..count).map(|i| (at(i), i)).unzip();
        let part = Part {
            body: 0,
            triangles: &[],
            loose_edges: &[],
            loose_points: &loose,
            radius: 0.0,
            fixed: false,
            self_contact: true,
        };
        let tree = Tree::new(&primitives(&part), &rest);
        (rest, tree)
    }

    #[test]
    fn leaves_hold_every_primitive_once_and_four_to_eight_of_them() {
        for count in [0, 1, 8, 9, 100, 1001] {
            let (_, tree) = points(count);
            let leaves = tree.nodes.iter().filter(|n| n.is_leaf());
            let mut held: Vec<usize> = leaves.clone().flat_map(Node::range).collect();
            held.sort_unstable();
            assert!(held.into_iter().eq(0..count as usize), "{count}");
            assert!(count < 9 || leaves.clone().all(|n| (4..=8).contains(&n.range().len())), "{count}");
            let mut numbers: Vec<u32> = tree.primitives.iter().map(|p| p.corners[0]).collect();
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..count), "{count}");
        }
    }

    #[test]
    fn a_refit_box_is_the_hull_of_what_lies_below() {
        let (rest, mut tree) = points(300);
        let at = |x: &Vec3| Bounds::of_path(x, &(-2.0 * x), 0.25);
        tree.refit(&rest.iter().map(at).collect::<Vec<_>>());
        let below = |k: usize| {
            let mut open = vec![k];
            let mut hull = Bounds::EMPTY;
            while let Some(k) = open.pop() {
                let node = tree.nodes[k];
                for p in node.range() {
                    hull = hull.union(&at(&rest[tree.primitives[p].corners[0] as usize]));
                }
                if !node.is_leaf() {
                    open.extend([k + 1, node.right as usize]);
                }
            }
            hull
        };
        for k in 0..tree.nodes.len() {
            assert_eq!(tree.hulls.nodes[k], below(k), "node {k}");
        }
        assert_eq!(tree.whole(), below(0));
    }
}
