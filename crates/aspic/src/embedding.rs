//! How points follow nodes.
//!
//! Nodes are degrees of freedom. Points are what is shown and what touches. Each point is a fixed weighted sum of at
//! most four nodes, x = B q: a vertex of a solid is its own node, a vertex of an affine body follows the four corners
//! of a control tetrahedron. Velocities follow in the same way, and a force f on points is the force Bᵀ f on nodes.

use std::ops::Range;

use nalgebra::{Matrix4, Matrix4x3, Vector4};

use crate::Vec3;

/// Most nodes that one point follows.
pub const MOST: usize = 4;

/// The weights B of all points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Embedding {
    /// Points in order, in runs of one kind.
    runs: Vec<Run>,
    /// Weights of the points that are not plain, in order.
    rows: Vec<Weights>,
}

/// Neighbouring points of one kind.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    points: Range<usize>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Point `points.start + k` is node `first + k`.
    Plain { first: usize },
    /// Point `points.start + k` follows row `first + k`.
    Weighted { first: usize },
}

/// One point's nodes and weights; unused places have weight zero and repeat a node.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Weights {
    nodes: [u32; MOST],
    weights: [f64; MOST],
}

impl Weights {
    fn iter(&self) -> impl Iterator<Item = (u32, f64)> + use<> {
        self.nodes.into_iter().zip(self.weights)
    }

    fn sum(&self, nodes: &[Vec3]) -> Vec3 {
        self.iter().fold(Vec3::zeros(), |sum, (node, weight)| sum + nodes[node as usize] * weight)
    }
}

impl Embedding {
    /// Appends points that are these nodes themselves.
    pub fn push_plain(&mut self, nodes: Range<usize>) {
        let start = self.len();
        if let Some(Run { points, kind: Kind::Plain { first } }) = self.runs.last_mut()
            && *first + points.len() == nodes.start
        {
            points.end += nodes.len();
            return;
        }
        if !nodes.is_empty() {
            let kind = Kind::Plain { first: nodes.start };
            self.runs.push(Run { points: start..start + nodes.len(), kind });
        }
    }

    /// Appends one point: up to four (node, weight), weights summing to one. More than four are not taken.
    pub fn push(&mut self, follows: &[(u32, f64)]) {
        let rest = follows.first().map_or(0, |&(node, _)| node);
        let place = |k: usize| follows.get(k).copied().unwrap_or((rest, 0.0));
        let start = self.len();
        match self.runs.last_mut() {
            Some(Run { points, kind: Kind::Weighted { .. } }) => points.end += 1,
            _ => {
                let kind = Kind::Weighted { first: self.rows.len() };
                self.runs.push(Run { points: start..start + 1, kind });
            }
        }
        let (nodes, weights) = (|k| place(k).0, |k| place(k).1);
        self.rows.push(Weights { nodes: std::array::from_fn(nodes), weights: std::array::from_fn(weights) });
    }

    /// Appends one point that is a weighted sum of earlier points, weights summing to one, which follow at most four
    /// nodes together: corners of a solid, or any points of an affine body.
    pub fn push_carried(&mut self, points: &[(usize, f64)]) {
        let mut follows: Vec<(u32, f64)> = Vec::with_capacity(MOST);
        for &(point, part) in points {
            let used = if self.node(point).is_some() { 1 } else { MOST };
            for (node, weight) in self.row(point).into_iter().flat_map(|row| row.iter()).take(used) {
                match follows.iter_mut().find(|(known, _)| *known == node) {
                    Some((_, sum)) => *sum += part * weight,
                    None => follows.push((node, part * weight)),
                }
            }
        }
        // In the order in which points of affine bodies name their nodes.
        follows.sort_unstable_by_key(|(node, _)| *node);
        self.push(&follows);
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.runs.last().map_or(0, |run| run.points.end)
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Whether every point is the node of the same number.
    pub fn is_plain(&self) -> bool {
        matches!(self.runs[..], [] | [Run { kind: Kind::Plain { first: 0 }, .. }])
    }

    /// The nodes that a point follows, with weights; none with weight zero.
    pub fn of(&self, point: usize) -> impl Iterator<Item = (u32, f64)> + use<> {
        let row = self.row(point);
        row.into_iter().flat_map(|row| row.iter()).filter(|&(_, weight)| weight != 0.0)
    }

    /// The node that a point is; `None` for a point with weights.
    pub fn node(&self, point: usize) -> Option<u32> {
        let run = self.run(point)?;
        match run.kind {
            Kind::Plain { first } => Some((first + point - run.points.start) as u32),
            Kind::Weighted { .. } => None,
        }
    }

    fn run(&self, point: usize) -> Option<&Run> {
        self.runs.get(self.runs.partition_point(|run| run.points.end <= point))
    }

    fn row(&self, point: usize) -> Option<Weights> {
        let run = self.run(point)?;
        Some(match run.kind {
            Kind::Plain { first } => Weights {
                nodes: [(first + point - run.points.start) as u32; MOST],
                weights: [1.0, 0.0, 0.0, 0.0],
            },
            Kind::Weighted { first } => self.rows[first + point - run.points.start],
        })
    }

    /// B: vectors of points from those of nodes (positions, velocities, displacements).
    pub fn positions(&self, nodes: &[Vec3], out: &mut [Vec3]) {
        for Run { points, kind } in &self.runs {
            let out = &mut out[points.clone()];
            match *kind {
                Kind::Plain { first } => out.copy_from_slice(&nodes[first..first + out.len()]),
                Kind::Weighted { first } => {
                    let rows = &self.rows[first..];
                    out.iter_mut().zip(rows).for_each(|(x, row)| *x = row.sum(nodes));
                }
            }
        }
    }

    /// Adds Bᵀ: forces on points become forces on nodes  \[N\]. One thread, in the order of the points.
    pub fn add_transposed(&self, points: &[Vec3], out_nodes: &mut [Vec3]) {
        for Run { points: range, kind } in &self.runs {
            let forces = &points[range.clone()];
            match *kind {
                Kind::Plain { first } => {
                    out_nodes[first..].iter_mut().zip(forces).for_each(|(out, force)| *out += force);
                }
                Kind::Weighted { first } => {
                    for (row, force) in self.rows[first..].iter().zip(forces) {
                        row.iter().for_each(|(node, weight)| out_nodes[node as usize] += force * weight);
                    }
                }
            }
        }
    }

    /// Forces on nodes as forces on points  \[N\]: of all f with Bᵀ f = F the smallest, so that net force and torque are
    /// the same. A plain point gets its node's, and points that follow nodes which are points get nothing. Neighbouring
    /// points that follow the same other nodes share what these get; points too few to tell it apart get nothing.
    pub fn share_out(&self, nodes: &[Vec3], out: &mut [Vec3]) {
        for Run { points, kind } in &self.runs {
            let out = &mut out[points.clone()];
            match *kind {
                Kind::Plain { first } => out.copy_from_slice(&nodes[first..first + out.len()]),
                Kind::Weighted { first } => {
                    let mut rest = out;
                    for group in self.rows[first..first + points.len()].chunk_by(|a, b| a.nodes == b.nodes) {
                        let (out, behind) = rest.split_at_mut(group.len());
                        match self.is_shown(group[0].nodes[0] as usize) {
                            true => out.fill(Vec3::zeros()),
                            false => share(group, nodes, out),
                        }
                        rest = behind;
                    }
                }
            }
        }
    }
}

impl Embedding {
    /// Whether a node is a point itself.
    fn is_shown(&self, node: usize) -> bool {
        self.runs.iter().any(|Run { points, kind }| match *kind {
            Kind::Plain { first } => (first..first + points.len()).contains(&node),
            Kind::Weighted { .. } => false,
        })
    }
}

/// Pivots below this part of the trace are rounding.
const SINGULAR: f64 = 1e-12;

/// f = B y with Bᵀ B y = F, for points that follow the same nodes.
fn share(rows: &[Weights], nodes: &[Vec3], out: &mut [Vec3]) {
    out.fill(Vec3::zeros());
    let forces = rows[0].nodes.map(|node| nodes[node as usize]);
    if forces.iter().all(|force| *force == Vec3::zeros()) {
        return;
    }
    let squares = rows.iter().map(|row| Vector4::from(row.weights)).map(|w| w * w.transpose());
    let square: Matrix4<f64> = squares.sum();
    let Some(factor) = square.cholesky() else { return };
    let pivots = factor.l_dirty().diagonal();
    if pivots.min().powi(2) < SINGULAR * square.trace() {
        return;
    }
    let y = factor.solve(&Matrix4x3::from_fn(|node, axis| forces[node][axis]));
    out.iter_mut().zip(rows).for_each(|(f, row)| *f = y.tr_mul(&Vector4::from(row.weights)));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two plain points, two embedded in nodes 2..6, one plain point behind them.
    fn mixed() -> Embedding {
        let mut embedding = Embedding::default();
        embedding.push_plain(0..1);
        embedding.push_plain(1..2);
        embedding.push(&[(2, 0.1), (3, 0.2), (4, 0.3), (5, 0.4)]);
        embedding.push(&[(3, 0.5), (4, 0.5)]);
        embedding.push_plain(6..7);
        embedding
    }

    fn numbers(count: usize, seed: f64) -> Vec<Vec3> {
        (0..count)
            .map(|i| Vec3::new(seed + i as f64, (seed * i as f64).sin(), 1.0 / (1.0 + i as f64)))
            .collect()
    }

    #[test]
    fn nodes_in_order_are_plain_points() {
        let mut embedding = Embedding::default();
        assert!(embedding.is_plain() && embedding.is_empty());
        embedding.push_plain(0..3);
        embedding.push_plain(3..5);
        assert!(embedding.is_plain());
        assert_eq!((embedding.len(), embedding.node(4)), (5, Some(4)));
        let (nodes, mut points) = (numbers(5, 0.3), vec![Vec3::zeros(); 5]);
        embedding.positions(&nodes, &mut points);
        assert_eq!(points, nodes);
        assert!(!mixed().is_plain());
    }

    #[test]
    fn points_are_the_weighted_sums_of_their_nodes() {
        let (embedding, nodes) = (mixed(), numbers(7, 0.7));
        let mut points = vec![Vec3::zeros(); embedding.len()];
        embedding.positions(&nodes, &mut points);
        assert_eq!((points[0], points[1], points[4]), (nodes[0], nodes[1], nodes[6]));
        assert_eq!(points[3], nodes[3] * 0.5 + nodes[4] * 0.5);
        for (k, point) in points.iter().enumerate() {
            let sum: Vec3 = embedding.of(k).map(|(node, weight)| nodes[node as usize] * weight).sum();
            assert!((point - sum).norm() < 1e-15);
        }
        assert_eq!(embedding.of(3).collect::<Vec<_>>(), [(3, 0.5), (4, 0.5)]);
        assert_eq!((embedding.node(4), embedding.node(2)), (Some(6), None));
    }

    #[test]
    fn forces_on_points_do_the_same_work_on_nodes() {
        let (embedding, v, f) = (mixed(), numbers(7, 0.2), numbers(5, 0.9));
        let (mut moved, mut force) = (vec![Vec3::zeros(); 5], vec![Vec3::zeros(); 7]);
        embedding.positions(&v, &mut moved);
        embedding.add_transposed(&f, &mut force);
        let power = |f: &[Vec3], v: &[Vec3]| f.iter().zip(v).map(|(f, v)| f.dot(v)).sum::<f64>();
        assert!((power(&f, &moved) - power(&force, &v)).abs() < 1e-12);
        // Weights sum to one, so the net force survives too.
        assert!((f.iter().sum::<Vec3>() - force.iter().sum::<Vec3>()).norm() < 1e-12);
    }

    #[test]
    fn carried_points_are_the_weighted_sums_of_their_points() {
        let mut embedding = two_bodies();
        let first = embedding.len();
        let corners = [(1, 0.3), (2, 0.5), (3, -0.2), (5, 0.4)];
        embedding.push_carried(&corners);
        embedding.push_plain(9..13);
        embedding.push_carried(&[(first + 4, 0.25), (first + 1, 0.75)]);
        let nodes = numbers(13, 0.8);
        let mut points = vec![Vec3::zeros(); embedding.len()];
        embedding.positions(&nodes, &mut points);
        let expected: Vec3 = corners.iter().map(|&(point, weight)| points[point] * weight).sum();
        assert!((points[first] - expected).norm() < 1e-14);
        assert_eq!(points[first + 5], nodes[9] * 0.75 + nodes[12] * 0.25);
        assert_eq!(embedding.of(first + 5).collect::<Vec<_>>(), [(9, 0.75), (12, 0.25)]);
    }

    #[test]
    fn forces_on_nodes_that_are_points_are_shared_with_nobody() {
        let mut embedding = Embedding::default();
        embedding.push_plain(0..4);
        for k in 0..8 {
            let s = 0.1 * k as f64;
            embedding.push_carried(&[(0, s), (1, 0.3 * s * s), (2, 0.5 - s), (3, 0.5 - 0.3 * s * s)]);
        }
        let (nodes, mut points) = (numbers(4, 0.5), vec![Vec3::repeat(9.0); 12]);
        embedding.share_out(&nodes, &mut points);
        assert_eq!(points[..4], nodes[..]);
        assert!(points[4..].iter().all(|f| *f == Vec3::zeros()));
    }

    #[test]
    fn what_cannot_be_told_apart_stays_on_plain_points() {
        let (embedding, nodes) = (mixed(), numbers(7, 0.4));
        let mut points = vec![Vec3::repeat(9.0); 5];
        embedding.share_out(&nodes, &mut points);
        assert_eq!(points, [nodes[0], nodes[1], Vec3::zeros(), Vec3::zeros(), nodes[6]]);
    }

    /// Six points around the nodes of each of two bodies, behind a plain point.
    fn two_bodies() -> Embedding {
        let mut embedding = Embedding::default();
        embedding.push_plain(0..1);
        for first in [1, 5] {
            for (a, b) in [(0.5, 0.2), (0.1, -0.3), (-0.4, 0.9), (0.25, 0.25), (0.0, 0.0), (1.2, 0.1)] {
                let weights = [a, b, 0.3 * a * b + 0.1, 0.9 - a - b - 0.3 * a * b];
                let nodes = [first, first + 1, first + 2, first + 3];
                embedding.push(&std::array::from_fn::<_, 4, _>(|k| (nodes[k], weights[k])));
            }
        }
        embedding
    }

    #[test]
    fn forces_shared_out_act_on_the_nodes_as_before() {
        let (embedding, nodes) = (two_bodies(), numbers(9, 0.6));
        let (mut points, mut back) = (vec![Vec3::zeros(); 13], vec![Vec3::zeros(); 9]);
        embedding.share_out(&nodes, &mut points);
        embedding.add_transposed(&points, &mut back);
        for (back, force) in back.iter().zip(&nodes) {
            assert!((back - force).norm() < 1e-12, "{back} {force}");
        }
    }

    #[test]
    fn the_force_that_equal_forces_on_points_make_is_shared_out_equally() {
        let (embedding, each) = (two_bodies(), Vec3::new(1.0, -2.0, 3.0));
        let mut nodes = vec![Vec3::zeros(); 9];
        embedding.add_transposed(&[each; 13], &mut nodes);
        let mut points = vec![Vec3::zeros(); 13];
        embedding.share_out(&nodes, &mut points);
        assert!(points.iter().all(|f| (f - each).norm() < 1e-12), "{points:?}");
    }
}
