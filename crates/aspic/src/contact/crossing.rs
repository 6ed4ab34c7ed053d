//! Edges that pass through triangles, now: not along a path.
//!
//! An edge may pass through the middle of a large triangle with both ends and the rim far away, so the pairs of
//! [`super::Candidates`], which are near at their closest points, are not enough. The trees are the same.

use rayon::prelude::*;

use super::bounds::Bounds;
use super::exact::{Passage, passage};
use super::law::Contact;
use super::primitive::Primitive;
use super::search::{Item, Room, Search};
use super::sweep::{PartPair, near_parts};
use super::tree::Tree;
use crate::Vec3;

/// An edge that passes through a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Crossing {
    /// The edge, lower point first.
    pub edge: [u32; 2],
    /// The triangle.
    pub triangle: [u32; 3],
}

impl Crossing {
    /// Twice the area of the triangle times its unit normal  \[m²\]
    pub fn normal(&self, x: &[Vec3]) -> Vec3 {
        let [a, b, c] = self.triangle.map(|p| x[p as usize]);
        (b - a).cross(&(c - a))
    }

    /// Heights of the edge's ends over the plane of the triangle  \[m\]
    pub fn heights(&self, x: &[Vec3]) -> [f64; 2] {
        let (normal, corner) = (self.normal(x).normalize(), x[self.triangle[0] as usize]);
        self.edge.map(|p| normal.dot(&(x[p as usize] - corner)))
    }
}

/// The parts at some positions, each under a tree of boxes without margins.
#[derive(Debug)]
pub(super) struct Shapes {
    pub trees: Vec<Tree>,
    boxes: Vec<Bounds>,
    part_boxes: Vec<Bounds>,
    order: Vec<u32>,
    part_pairs: Vec<PartPair>,
}

impl Shapes {
    pub fn new(contact: &Contact) -> Shapes {
        let surface = &contact.surface;
        let tree = |part: &super::SurfacePart| Tree::new(&part.primitives, surface.rest());
        Shapes {
            trees: surface.parts().iter().map(tree).collect(),
            boxes: vec![],
            part_boxes: vec![],
            order: vec![],
            part_pairs: vec![],
        }
    }

    /// Fits all boxes to the surface points at `x`  \[m\].
    pub fn fit(&mut self, contact: &Contact, x: &[Vec3]) {
        self.boxes.clear();
        self.boxes.extend(x.iter().map(|x| Bounds { lo: *x, hi: *x }));
        let boxes = &self.boxes;
        self.trees.par_iter_mut().for_each(|tree| {
            tree.refit(boxes);
            tree.refit_own(boxes);
        });
        self.part_boxes.clear();
        self.part_boxes.extend(self.trees.iter().map(Tree::whole));
        let Shapes { part_boxes, order, part_pairs, .. } = self;
        near_parts(&contact.surface, &contact.distance, part_boxes, order, part_pairs);
    }

    /// Parts whose boxes meet or are near; a part with itself where it may touch itself.
    pub fn near_parts(&self) -> impl Iterator<Item = [usize; 2]> {
        self.part_pairs.iter().map(|pair| pair.parts.map(|part| part as usize))
    }

    /// Every edge that passes through a triangle of a part it may touch, ascending.
    pub fn crossings(&self, x: &[Vec3]) -> Vec<Crossing> {
        let of = |pair: u32| self.crossings_of(pair, x);
        let lists: Vec<Vec<Crossing>> = (0..self.part_pairs.len() as u32).into_par_iter().map(of).collect();
        let mut all = lists.concat();
        all.sort_unstable();
        all
    }

    fn crossings_of(&self, pair: u32, x: &[Vec3]) -> Vec<Crossing> {
        let Shapes { trees, part_pairs, boxes, .. } = self;
        let room = Room { boxes, reach: &[] };
        let search = Search { trees, part_pairs, rest: x, positions: x, room, own_room: room };
        let [left, right] = part_pairs[pair as usize].parts.map(|part| &trees[part as usize]);
        let mut found = vec![];
        let mut open = vec![Item { pair, nodes: [0, 0] }];
        while let Some(item) = open.pop() {
            if !search.open(item, &mut open) {
                continue;
            }
            let [m, n] = item.nodes.map(|node| node as usize);
            let same = std::ptr::eq(left, right) && m == n;
            for i in left.nodes[m].range() {
                let others = right.nodes[n].range();
                for j in if same { i + 1..others.end } else { others } {
                    let meet = left.hulls.primitives[i].gap_squared(&right.hulls.primitives[j]) == 0.0;
                    if meet {
                        compare(x, &left.primitives[i], &right.primitives[j], &mut found);
                        compare(x, &right.primitives[j], &left.primitives[i], &mut found);
                    }
                }
            }
        }
        found
    }
}

/// The edges that one primitive owns against the triangle that the other is.
fn compare(x: &[Vec3], owner: &Primitive, other: &Primitive, found: &mut Vec<Crossing>) {
    if other.count != 3 {
        return;
    }
    let corners = other.corners.each_ref().map(|&p| &x[p as usize]);
    for edge in owner.owned_edges().filter(|edge| edge.iter().all(|p| !other.corners.contains(p))) {
        let ends = edge.map(|p| &x[p as usize]);
        if matches!(passage(ends, corners), Passage::Through | Passage::OnRim) {
            found.push(Crossing { edge, triangle: other.corners });
        }
    }
}
