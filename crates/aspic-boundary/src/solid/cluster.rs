//! A tree of vertices by place, and the pairs of its branches that see each other from afar.

use crate::solid::{Surface, Vec3};

/// Vertices of a leaf.
const LEAF: usize = 24;
/// Two clusters are far when the smaller is less than this many times as large as their distance.
const FAR: f64 = 2.0;

/// A range of the ordered vertices.
#[derive(Clone, Copy, Debug)]
pub struct Cluster {
    /// First place in the order.
    pub start: usize,
    /// One beyond the last.
    pub end: usize,
    low: Vec3,
    high: Vec3,
    /// The two halves, if there are any.
    children: Option<[usize; 2]>,
}

/// The tree.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Vertices in order.
    pub order: Vec<usize>,
    /// Clusters; the first holds all.
    pub clusters: Vec<Cluster>,
}

impl Tree {
    /// Halves the vertices along the longest side of their box again and again. The boxes hold the triangles around too.
    pub fn new(surface: &Surface) -> Tree {
        let n = surface.vertices().len();
        let mut boxes = vec![[Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)]; n];
        for (k, corners) in surface.triangles().iter().enumerate() {
            for x in surface.corners(k) {
                for &v in corners {
                    let [low, high] = &mut boxes[v as usize];
                    (*low, *high) = (low.inf(&x), high.sup(&x));
                }
            }
        }
        let mut tree = Tree { order: (0..n).collect(), clusters: vec![] };
        tree.grow(surface.vertices(), &boxes, 0, n);
        tree
    }

    fn grow(&mut self, x: &[Vec3], boxes: &[[Vec3; 2]], start: usize, end: usize) -> usize {
        let own = &mut self.order[start..end];
        let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for &v in own.iter() {
            (low, high) = (low.inf(&boxes[v][0]), high.sup(&boxes[v][1]));
        }
        let number = self.clusters.len();
        let axis = (high - low).imax();
        own.sort_by(|&a, &b| x[a][axis].total_cmp(&x[b][axis]).then(a.cmp(&b)));
        self.clusters.push(Cluster { start, end, low, high, children: None });
        if end - start > LEAF {
            let middle = (start + end) / 2;
            let children = [(start, middle), (middle, end)].map(|(s, e)| self.grow(x, boxes, s, e));
            self.clusters[number].children = Some(children);
        }
        number
    }

    /// Pairs of clusters that cover all pairs of vertices once, each with whether they are far apart.
    pub fn pairs(&self) -> Vec<(Cluster, Cluster, bool)> {
        let (mut pairs, mut open) = (vec![], vec![(0, 0)]);
        while let Some((a, b)) = open.pop() {
            let (left, right) = (self.clusters[a], self.clusters[b]);
            let size = (left.high - left.low).norm().min((right.high - right.low).norm());
            let gap = (left.low - right.high).sup(&(right.low - left.high)).sup(&Vec3::zeros()).norm();
            match (left.children, right.children) {
                _ if size < FAR * gap => pairs.push((left, right, true)),
                (Some(l), Some(r)) => open.extend(l.iter().flat_map(|&l| r.map(|r| (l, r)))),
                (Some(l), None) => open.extend(l.map(|l| (l, b))),
                (None, Some(r)) => open.extend(r.map(|r| (a, r))),
                (None, None) => pairs.push((left, right, false)),
            }
        }
        pairs
    }
}
