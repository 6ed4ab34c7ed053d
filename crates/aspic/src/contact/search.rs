//! Tree against tree: from two near parts down to pairs of primitives.

use super::bounds::Bounds;
use super::pair::{Kind, Pair};
use super::primitive::Primitive;
use super::sweep::PartPair;
use super::tree::{Hulls, Tree};
use super::{apart, closest};
use crate::Vec3;

/// What a search looks at.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// The tree of each part.
    pub trees: &'a [Tree],
    /// Parts whose boxes are near.
    pub part_pairs: &'a [PartPair],
    /// Positions of the surface points at rest \[m\].
    pub rest: &'a [Vec3],
    /// Positions of the surface points \[m\].
    pub positions: &'a [Vec3],
    /// The room of the surface points among other parts.
    pub room: Room<'a>,
    /// The room of the surface points in their own part.
    pub own_room: Room<'a>,
}

/// Where surface points may go.
#[derive(Clone, Copy)]
pub struct Room<'a> {
    /// The box of each surface point.
    pub boxes: &'a [Bounds],
    /// How far each surface point may go in its box \[m\].
    pub reach: &'a [f64],
}

impl Room<'_> {
    fn edge_box(&self, [a, b]: [u32; 2]) -> Bounds {
        self.boxes[a as usize].union(&self.boxes[b as usize])
    }

    /// The farthest that one of some points may go.
    fn reach_of<const N: usize>(&self, points: [u32; N]) -> f64 {
        points.map(|p| self.reach[p as usize]).into_iter().fold(0.0, f64::max)
    }
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
        let meeting = &self.part_pairs[pair as usize];
        let [left, right] = self.trees_of(meeting);
        let (mine, other) = (left.nodes[m as usize], right.nodes[n as usize]);
        if meeting.is_own() && m == n {
            if !mine.is_leaf() {
                out.extend(
                    [[mine.right; 2], [m + 1, mine.right], [m + 1; 2]].map(|nodes| Item { pair, nodes }),
                );
            }
            return mine.is_leaf();
        }
        let [lefts, rights] = hulls_of(meeting, [left, right]);
        let (here, there) = (&lefts.nodes[m as usize], &rights.nodes[n as usize]);
        if here.gap_squared(there) > meeting.distance * meeting.distance {
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

    fn trees_of(&self, meeting: &PartPair) -> [&Tree; 2] {
        meeting.parts.map(|part| &self.trees[part as usize])
    }

    fn compare_leaves(&self, Item { pair, nodes: [m, n] }: Item, out: &mut Vec<Pair>) {
        let meeting = &self.part_pairs[pair as usize];
        let [left, right] = self.trees_of(meeting);
        let [lefts, rights] = hulls_of(meeting, [left, right]);
        let same = meeting.is_own() && m == n;
        for i in left.nodes[m as usize].range() {
            let others = right.nodes[n as usize].range();
            let others = if same { i + 1..others.end } else { others };
            for j in others {
                let boxes = [&lefts.primitives[i], &rights.primitives[j]];
                if boxes[0].gap_squared(boxes[1]) <= meeting.distance * meeting.distance {
                    self.compare([&left.primitives[i], &right.primitives[j]], boxes, meeting, out);
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
        meeting: &PartPair,
        out: &mut Vec<Pair>,
    ) {
        self.points_against(p, q, q_box, meeting, out);
        if p.count + q.count > 2 {
            self.points_against(q, p, p_box, meeting, out);
        }
        for first in p.owned_edges() {
            let first_box = self.room_in(meeting).edge_box(first);
            if first_box.gap_squared(q_box) <= meeting.distance * meeting.distance {
                q.owned_edges().for_each(|second| self.edges(first, &first_box, second, meeting, out));
            }
        }
    }

    fn room_in(&self, meeting: &PartPair) -> &Room<'_> {
        if meeting.is_own() { &self.own_room } else { &self.room }
    }

    /// Points that p owns against q as a whole.
    fn points_against(
        &self,
        p: &Primitive,
        q: &Primitive,
        q_box: &Bounds,
        meeting: &PartPair,
        out: &mut Vec<Pair>,
    ) {
        let kind = match (p.count, q.count) {
            (_, 3) => Kind::PointTriangle,
            (1 | 2, 2) => Kind::PointEdge,
            (1, 1) => Kind::PointPoint,
            _ => return,
        };
        let room = self.room_in(meeting);
        let most = room.reach_of(q.corners);
        for point in p.owned_points() {
            let gap = || room.boxes[point as usize].gap_squared(q_box);
            if q.corners.contains(&point) || gap() > meeting.distance * meeting.distance {
                continue;
            }
            let x = &self.positions[point as usize];
            let corners @ [a, b, _] = q.corners.map(|c| self.positions[c as usize]);
            let apart = match kind {
                Kind::PointTriangle => apart::point_triangle(x, &corners),
                Kind::PointEdge => apart::point_edge(x, &[a, b]),
                _ => (x - a).norm(),
            };
            let pair = ordered_points(kind, point, q.corners);
            self.keep_near(pair, apart, room.reach[point as usize] + most, meeting, out);
        }
    }

    fn edges(
        &self,
        first: [u32; 2],
        first_box: &Bounds,
        second: [u32; 2],
        meeting: &PartPair,
        out: &mut Vec<Pair>,
    ) {
        let room = self.room_in(meeting);
        let common = first.iter().any(|p| second.contains(p));
        let gap = || first_box.gap_squared(&room.edge_box(second));
        if common || gap() > meeting.distance * meeting.distance {
            return;
        }
        let ends = |edge: [u32; 2]| edge.map(|p| self.positions[p as usize]);
        let apart = apart::edge_edge(&ends(first), &ends(second));
        let ([a, b], [c, d]) = (first.min(second), first.max(second));
        let pair = Pair { kind: Kind::EdgeEdge, points: [a, b, c, d] };
        self.keep_near(pair, apart, room.reach_of(first) + room.reach_of(second), meeting, out);
    }

    /// Keeps a pair that may come near enough to be felt. Its distance at rest is looked at only where it decides.
    fn keep_near(&self, pair: Pair, apart: f64, reach: f64, meeting: &PartPair, out: &mut Vec<Pair>) {
        let rest = || closest(pair.kind, &pair.points.map(|p| self.rest[p as usize])).distance();
        let near = |distance: f64| apart < distance + reach;
        if near(0.0) || near(meeting.distance) && near(meeting.felt(rest)) {
            out.push(pair);
        }
    }
}

/// Which boxes count: those of the motion against the part where it meets itself.
fn hulls_of<'a>(meeting: &PartPair, trees: [&'a Tree; 2]) -> [&'a Hulls; 2] {
    trees.map(|tree| if meeting.is_own() { &tree.own_hulls } else { &tree.hulls })
}

/// Two points have no order of their own: the lower one comes first.
fn ordered_points(kind: Kind, point: u32, [a, b, c]: [u32; 3]) -> Pair {
    let points = match kind {
        Kind::PointPoint => [point.min(a), point.max(a), point.max(a), point.max(a)],
        _ => [point, a, b, c],
    };
    Pair { kind, points }
}
