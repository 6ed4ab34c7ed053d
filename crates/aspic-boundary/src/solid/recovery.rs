//! How far the middle of an edge is from halfway between its ends, from the vertices around.
//!
//! u in the middle of the edge ab is ½ (u_a + u_b) + Σ w_i u_i. The weights w are those with the least Σ w²/ω that give what
//! polynomials q of degree 2 have there, ω falling with the distance:
//!
//! ```text
//! Σ w_i q(x_i) = q(½ (a + b)) − ½ (q(a) + q(b))        that is 0 for 1, x, y, z and −¼ e_j e_k for x_j x_k, e = b − a
//! ```
//!
//! The first four hold exactly, and so linear motions stay linear. Of the others vertices on a plane, a line or a round
//! surface know only some: the rest is left out gradually where their rows are small (Tikhonov).
//!
//! What is smooth ends at creases. So an edge inside a smooth part takes vertices of that part alone, and an edge on a crease
//! those along the crease.

use faer::Mat;
use nalgebra::{DMatrix, DVector, SymmetricEigen};

use crate::solid::creases::TractionNodes;
use crate::solid::panel::Panel;
use crate::solid::quarters::Quarters;
use crate::solid::{Mat3, Surface, Vec3};

/// Creases that turn by less than this cosine (40°) go on.
const STRAIGHT: f64 = 0.766;
/// How many rings of triangles around an edge are taken, and how many vertices on a crease each way.
const RINGS: usize = 2;
/// Directions in which vertices are spread less than this part of the widest are flat.
const FLAT: f64 = 1e-6;
/// Of what vertices tell of a polynomial, half is left out when it is this small a part of what they could. The part grows
/// where weights would be large.
const SMALL: f64 = 0.05;
/// The greatest sum of the sizes of the weights of an edge. Four vertices in a row need a half.
const LARGE: f64 = 0.8;

/// Motions of the vertices of quartered triangles from those of the vertices of the whole ones.
#[derive(Clone, Debug)]
pub struct Recovery {
    /// For each vertex of the finer surface the vertices of the body that it follows, with their weights.
    pub rows: Vec<Vec<(usize, f64)>>,
    /// How many vertices the body has.
    pub count: usize,
}

impl Recovery {
    /// For a body and its quarters.
    pub fn new(body: &Surface, panels: &[Panel], quarters: &Quarters) -> Recovery {
        let parts = Parts::new(body, panels, quarters);
        let count = body.vertices().len();
        let mut rows: Vec<Vec<(usize, f64)>> = (0..count).map(|v| vec![(v, 1.0)]).collect();
        for (e, ends) in quarters.edges.iter().enumerate() {
            let halves = ends.iter().map(|&v| (v, 0.5));
            rows.push(halves.chain(weights(body.vertices(), *ends, &parts.around(quarters, e))).collect());
        }
        Recovery { rows, count }
    }

    /// A R: what columns for the finer surface are for the body, three to each vertex.
    pub fn columns(&self, matrix: &Mat<f64>) -> Mat<f64> {
        let mut sum = Mat::zeros(matrix.nrows(), 3 * self.count);
        for (i, row) in self.rows.iter().enumerate() {
            for &(v, w) in row {
                for a in 0..3 {
                    let from = matrix.col(3 * i + a);
                    let mut to = sum.col_mut(3 * v + a);
                    to += faer::Scale(w) * from;
                }
            }
        }
        sum
    }

    /// Rᵀ A
    pub fn forces(&self, matrix: &Mat<f64>) -> Mat<f64> {
        self.columns(&matrix.transpose().to_owned()).transpose().to_owned()
    }
}

/// The smooth parts of a surface and the creases between them.
struct Parts<'a> {
    body: &'a Surface,
    /// The node of each corner of each triangle: one for each vertex and smooth fan there.
    nodes: TractionNodes,
    /// The triangles at each node.
    fans: Vec<Vec<usize>>,
    /// Up to two triangles at each edge.
    beside: Vec<Vec<usize>>,
    /// The other ends of creases at each vertex.
    creases: Vec<Vec<usize>>,
}

impl<'a> Parts<'a> {
    fn new(body: &'a Surface, panels: &[Panel], quarters: &Quarters) -> Parts<'a> {
        let nodes = TractionNodes::new(body, panels);
        let mut fans = vec![vec![]; nodes.count];
        let mut beside = vec![vec![]; quarters.edges.len()];
        for (k, (own, sides)) in nodes.corners.iter().zip(&quarters.sides).enumerate() {
            own.iter().for_each(|&node| fans[node as usize].push(k));
            sides.iter().for_each(|&e| beside[e].push(k));
        }
        let creases = vec![vec![]; body.vertices().len()];
        let mut parts = Parts { body, nodes, fans, beside, creases };
        for (e, &[a, b]) in quarters.edges.iter().enumerate() {
            if parts.is_crease(e, a) && parts.is_crease(e, b) {
                parts.creases[a].push(b);
                parts.creases[b].push(a);
            }
        }
        parts
    }

    /// Whether the triangles at an edge belong to different fans at one of its ends.
    fn is_crease(&self, e: usize, end: usize) -> bool {
        let node = |k: usize| {
            let corner = self.body.triangles()[k].iter().position(|&v| v as usize == end)?;
            Some(self.nodes.corners[k][corner])
        };
        self.beside[e].windows(2).any(|pair| node(pair[0]) != node(pair[1]))
    }

    /// The vertices that know about an edge.
    fn around(&self, quarters: &Quarters, e: usize) -> Vec<usize> {
        let [a, b] = quarters.edges[e];
        if self.is_crease(e, a) && self.is_crease(e, b) {
            return self.along([a, b]);
        }
        let mut nodes: Vec<u32> = self.beside[e].iter().flat_map(|&k| self.nodes.corners[k]).collect();
        for _ in 0..RINGS {
            let more = nodes.iter().flat_map(|&node| &self.fans[node as usize]);
            nodes = more.flat_map(|&k| self.nodes.corners[k]).collect();
            nodes.sort_unstable();
            nodes.dedup();
        }
        let mut vertices: Vec<usize> = vec![];
        for node in nodes {
            let fan = &self.fans[node as usize];
            let corner = self.nodes.corners[fan[0]].iter().position(|&other| other == node);
            vertices.extend(corner.map(|c| self.body.triangles()[fan[0]][c] as usize));
        }
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// The vertices along a crease, both ways.
    fn along(&self, [a, b]: [usize; 2]) -> Vec<usize> {
        let x = self.body.vertices();
        let mut found = vec![a, b];
        for [mut from, mut to] in [[a, b], [b, a]] {
            for _ in 0..RINGS {
                let turn = |next: usize| (x[to] - x[from]).normalize().dot(&(x[next] - x[to]).normalize());
                let next = self.creases[to].iter().copied().filter(|next| !found.contains(next));
                let best = next.max_by(|p, q| turn(*p).total_cmp(&turn(*q)));
                match best.filter(|next| turn(*next) > STRAIGHT) {
                    Some(next) => (from, to) = (to, next),
                    None => break,
                }
                found.push(to);
            }
        }
        found
    }
}

/// The weights of one edge.
fn weights(x: &[Vec3], [a, b]: [usize; 2], around: &[usize]) -> Vec<(usize, f64)> {
    let middle = (x[a] + x[b]) * 0.5;
    let frame = frame(&around.iter().map(|&v| x[v] - middle).collect::<Vec<_>>());
    let places: Vec<Vec3> = around.iter().map(|&v| frame * (x[v] - middle)).collect();
    let e = frame * (x[b] - x[a]);
    let root: Vec<f64> =
        places.iter().map(|p| 1.0 / (1.0 + p.norm_squared() / e.norm_squared()).sqrt()).collect();
    let n = around.len();
    let linear = DMatrix::from_fn(4, n, |r, i| root[i] * if r == 0 { 1.0 } else { places[i][r - 1] });
    let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];
    let square = DMatrix::from_fn(6, n, |r, i| root[i] * places[i][pairs[r].0] * places[i][pairs[r].1]);
    let right = DVector::from_fn(6, |r, _| -0.25 * e[pairs[r].0] * e[pairs[r].1]);
    // Only what linear functions do not see.
    let seen = SymmetricEigen::new(&linear * linear.transpose());
    let least = 1e-12 * seen.eigenvalues.amax();
    let invert =
        DVector::from_fn(4, |k, _| if seen.eigenvalues[k] > least { 1.0 / seen.eigenvalues[k] } else { 0.0 });
    let inverse = &seen.eigenvectors * DMatrix::from_diagonal(&invert) * seen.eigenvectors.transpose();
    let free = &square - (&square * linear.transpose()) * inverse * &linear;
    let gram = SymmetricEigen::new(&free * free.transpose());
    let shares = gram.eigenvectors.transpose() * right;
    let mut small = SMALL * SMALL * root.iter().map(|r| r * r).sum::<f64>();
    loop {
        let damped = gram.eigenvalues.map(|value| 1.0 / (value.max(0.0) + small));
        let w = free.transpose() * (&gram.eigenvectors * damped.component_mul(&shares));
        let found: Vec<(usize, f64)> = (0..n).map(|i| (around[i], w[i] * root[i])).collect();
        let sum: f64 = found.iter().map(|(_, w)| w.abs()).sum();
        if sum <= LARGE || sum.is_nan() {
            return found;
        }
        small *= 4.0;
    }
}

/// The frame in which places are spread by 1 along each axis, without the axes along which they are flat.
fn frame(places: &[Vec3]) -> Mat3 {
    let spread = places.iter().fold(Mat3::zeros(), |sum, d| sum + d * d.transpose()) / places.len() as f64;
    let eigen = spread.symmetric_eigen();
    let widths = eigen.eigenvalues.map(|value| value.max(0.0).sqrt());
    let least = FLAT * widths.max();
    let scale = widths.map(|width| if width > least { 1.0 / width } else { 0.0 });
    Mat3::from_diagonal(&scale) * eigen.eigenvectors.transpose()
}

#[cfg(test)]
#[path = "recovery_tests.rs"]
mod tests;
