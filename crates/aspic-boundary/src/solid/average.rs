//! Boundary equations in the mean: each is averaged over the surface with the weight of one traction node.
//!
//! At a point P inside of a triangle ½ u(P) + ∫ T u dS = ∫ U t dS. Multiplied with the node functions ψ and integrated over
//! P this becomes (½ M + D) u = V t, M = ∫ ψ_a N_j dS. Sharp edges need no care, since tractions may jump there, and V is
//! symmetric but for the quadrature over P. The integrals over near triangles are exact, so that uniform strain with its
//! tractions satisfies the equations almost to rounding, whatever the points P.

use std::ops::{AddAssign, Mul};

use faer::Mat;
use rayon::prelude::*;

use crate::solid::creases::TractionNodes;
use crate::solid::panel::Panel;
use crate::solid::quadrature::Rule;
use crate::solid::{Surface, Vec3};

/// Triangles that are worked on before their rows are added up, in order: the bits do not depend on the threads.
const BATCH: usize = 64;

/// For one kernel and one triangle: what acts on tractions at its three corners and what acts on displacements.
pub type Pair<B> = [[B; 3]; 2];

/// Averaged matrices of one kernel, block by block.
#[derive(Clone)]
pub struct Averaged<B> {
    /// V  (nodes × nodes)
    pub of_nodes: Vec<Vec<B>>,
    /// D, without ½ M  (nodes × vertices)
    pub of_vertices: Vec<Vec<B>>,
}

impl<B: Copy> Averaged<B> {
    /// V as a matrix, and D, from blocks of `side` rows.
    pub fn dense(&self, side: usize, entry: impl Fn(&B, usize, usize) -> f64) -> [Mat<f64>; 2] {
        [&self.of_nodes, &self.of_vertices].map(|blocks| {
            let columns = blocks.first().map_or(0, Vec::len);
            Mat::from_fn(side * blocks.len(), side * columns, |i, j| {
                entry(&blocks[i / side][j / side], i % side, j % side)
            })
        })
    }
}

/// Averages `K` kernels at once. `kernels` integrates over a triangle as seen from a point.
pub fn average<B, const K: usize>(
    surface: &Surface,
    panels: &[Panel],
    nodes: &TractionNodes,
    zero: B,
    kernels: impl Fn(&Panel, &Vec3) -> [Pair<B>; K] + Sync,
) -> [Averaged<B>; K]
where
    B: Copy + Send + Sync + AddAssign + Mul<f64, Output = B>,
{
    let (rule, n) = (Rule::seven(), surface.vertices().len());
    let row = || Averaged { of_nodes: vec![vec![zero; nodes.count]], of_vertices: vec![vec![zero; n]] };
    // The rows of the three corners of one triangle.
    let rows = |face: usize| -> [[Averaged<B>; 3]; K] {
        let mut rows = std::array::from_fn(|_| std::array::from_fn(|_| row()));
        for (shape, weight) in &rule.points {
            let source = panels[face].point(shape);
            for (k, panel) in panels.iter().enumerate() {
                let pairs = kernels(panel, &source);
                for (rows, [single, double]) in rows.iter_mut().zip(pairs) {
                    for (row, share) in rows.iter_mut().zip(shape) {
                        let w = weight * panels[face].area * share;
                        for c in 0..3 {
                            row.of_nodes[0][nodes.corners[k][c] as usize] += single[c] * w;
                            row.of_vertices[0][surface.triangles()[k][c] as usize] += double[c] * w;
                        }
                    }
                }
            }
        }
        rows
    };
    let mut sums = std::array::from_fn(|_| Averaged {
        of_nodes: vec![vec![zero; nodes.count]; nodes.count],
        of_vertices: vec![vec![zero; n]; nodes.count],
    });
    for start in (0..panels.len()).step_by(BATCH) {
        let end = panels.len().min(start + BATCH);
        let batch: Vec<[[Averaged<B>; 3]; K]> = (start..end).into_par_iter().map(rows).collect();
        for (face, kernels) in (start..end).zip(batch) {
            for (sum, corners) in sums.iter_mut().zip(kernels) {
                for (row, &node) in corners.iter().zip(&nodes.corners[face]) {
                    add(&mut sum.of_nodes[node as usize], &row.of_nodes[0]);
                    add(&mut sum.of_vertices[node as usize], &row.of_vertices[0]);
                }
            }
        }
    }
    sums
}

fn add<B: Copy + AddAssign>(sum: &mut [B], part: &[B]) {
    sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += *part);
}
