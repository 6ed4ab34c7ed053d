//! Tree against tree: from two near parts down to pairs of primitives.

use super::apart;
use super::bounds::Bounds;
use super::pair::{Kind, Pair};
use super::primitive::Primitive;
use super::sweep::PartPair;
use super::tree::Tree;
use crate::Vec3;

/// What a search looks at.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// The tree of each part.
    pub trees: &'a [Tree],
    /// Parts whose boxes are near.
    pub part_pairs: &'a [PartPair],
    /// Positions of the surface points \[m\].
    pub positions: &'a [Vec3],
    /// The box of each surface point.
    pub boxes: &'a [Bounds],
    /// How far each surface point may go in its box \[m\].
    pub reach: &'a [f64],
}

/// Two nodes whose primitives are still to be compared.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// Which pair of parts.
    pub pair: u32,
    /// A node of the tree of each part.
    pub nodes: [u32; 2],
}

/// What one worker fills; keeps its buffers.
#[derive(Clone, Debug, Default)]
pub struct Basket {
    stack: Vec<Item>,
    /// What was found, in the order of the search.
    pub pairs: Vec<Pair>,
}

impl Search<'_> {
    /// Fills a basket with all pairs below some items.
    pub fn run(&self, items: &[Item], basket: &mut Basket) {
        let Basket { stack, pairs } = basket;
        pairs.clear();
        for &item in items {
            stack.push(item);
            while let Some(next) = stack.pop() {
                if self.open(next, stack) {
                    self.compare_leaves(next, pairs);
                }
            }
        }
    }

    /// Replaces an item by its children, which go to `out`. Says whether it has none because both are leaves.
    /// Nodes that are too far apart have neither.
    pub fn open(&self, Item { pair, nodes: [m, n] }: Item, out: &mut Vec<Item>) -> bool {
        let PartPair { parts: [a, b], distance } = self.part_pairs[pair as usize];
        let (left, right) = (&self.trees[a as usize], &self.trees[b as usize]);
        let (mine, other) = (left.nodes[m as usize], right.nodes[n as usize]);
        if a == b && m == n {
            if !mine.is_leaf() {
                out.extend(
                    [[mine.right; 2], [m + 1, mine.right], [m + 1; 2]].map(|nodes| Item { pair, nodes }),
                );
            }
            return mine.is_leaf();
        }
        let (here, there) = (&left.node_boxes[m as usize], &right.node_boxes[n as usize]);
        if here.gap_squared(there) > distance * distance {
            return false;
        }
        match (mine.is_leaf(), other.is_leaf()) {
            (true, true) => return true,
            // The larger one is divided.
            (false, leaf) if leaf || here.girth() >= there.girth() => {
                out.extend([[mine.right, n], [m + 1, n]].map(|nodes| Item { pair, nodes }));
            }
            _ => out.extend([[m, other.right], [m, n + 1]].map(|nodes| Item { pair, nodes })),
        }
        false
    }

    fn compare_leaves(&self, Item { pair, nodes: [m, n] }: Item, out: &mut Vec<Pair>) {
        let PartPair { parts: [a, b], distance } = self.part_pairs[pair as usize];
        let (left, right) = (&self.trees[a as usize], &self.trees[b as usize]);
        let same = a == b && m == n;
        for i in left.nodes[m as usize].range() {
            let others = right.nodes[n as usize].range();
            let others = if same { i + 1..others.end } else { others };
            for j in others {
                let boxes = [&left.primitive_boxes[i], &right.primitive_boxes[j]];
                if boxes[0].gap_squared(boxes[1]) <= distance * distance {
                    self.compare([&left.primitives[i], &right.primitives[j]], boxes, distance, out);
                }
            }
        }
    }

    /// The rule of what meets what; each comparison is made by the owners.
    ///
    /// Points meet triangles; edges meet edges, loose or sides of triangles. That covers surfaces. A point on no
    /// triangle also meets loose edges: between two parallel ropes the edge pairs carry no force. Loose points meet
    /// loose points.
    fn compare(
        &self,
        [p, q]: [&Primitive; 2],
        [p_box, q_box]: [&Bounds; 2],
        distance: f64,
        out: &mut Vec<Pair>,
    ) {
        self.points_against(p, q, q_box, distance, out);
        if p.count + q.count > 2 {
            self.points_against(q, p, p_box, distance, out);
        }
        for first in p.owned_edges() {
            let first_box = self.edge_box(first);
            if first_box.gap_squared(q_box) <= distance * distance {
                q.owned_edges().for_each(|second| self.edges(first, &first_box, second, distance, out));
            }
        }
    }

    /// Points that p owns against q as a whole.
    fn points_against(
        &self,
        p: &Primitive,
        q: &Primitive,
        q_box: &Bounds,
        distance: f64,
        out: &mut Vec<Pair>,
    ) {
        let kind = match (p.count, q.count) {
            (_, 3) => Kind::PointTriangle,
            (1 | 2, 2) => Kind::PointEdge,
            (1, 1) => Kind::PointPoint,
            _ => return,
        };
        let most = q.corners.map(|c| self.reach[c as usize]).into_iter().fold(0.0, f64::max);
        for point in p.owned_points() {
            let gap = || self.boxes[point as usize].gap_squared(q_box);
            if q.corners.contains(&point) || gap() > distance * distance {
                continue;
            }
            let x = &self.positions[point as usize];
            let corners @ [a, b, _] = q.corners.map(|c| self.positions[c as usize]);
            let apart = match kind {
                Kind::PointTriangle => apart::point_triangle(x, &corners),
                Kind::PointEdge => apart::point_edge(x, &[a, b]),
                _ => (x - a).norm(),
            };
            if apart < distance + self.reach[point as usize] + most {
                out.push(ordered_points(kind, point, q.corners));
            }
        }
    }

    fn edge_box(&self, [a, b]: [u32; 2]) -> Bounds {
        self.boxes[a as usize].union(&self.boxes[b as usize])
    }

    fn edges(
        &self,
        first: [u32; 2],
        first_box: &Bounds,
        second: [u32; 2],
        distance: f64,
        out: &mut Vec<Pair>,
    ) {
        let common = first.iter().any(|p| second.contains(p));
        if common || first_box.gap_squared(&self.edge_box(second)) > distance * distance {
            return;
        }
        let reach = |[a, b]: [u32; 2]| self.reach[a as usize].max(self.reach[b as usize]);
        let ends = |edge: [u32; 2]| edge.map(|p| self.positions[p as usize]);
        if apart::edge_edge(&ends(first), &ends(second)) < distance + reach(first) + reach(second) {
            let ([a, b], [c, d]) = (first.min(second), first.max(second));
            out.push(Pair { kind: Kind::EdgeEdge, points: [a, b, c, d] });
        }
    }
}

/// Two points have no order of their own: the lower one comes first.
fn ordered_points(kind: Kind, point: u32, [a, b, c]: [u32; 3]) -> Pair {
    let points = match kind {
        Kind::PointPoint => [point.min(a), point.max(a), point.max(a), point.max(a)],
        _ => [point, a, b, c],
    };
    Pair { kind, points }
}
