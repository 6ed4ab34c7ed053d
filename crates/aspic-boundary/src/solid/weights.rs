//! Integrals of node functions over the surface.

use std::collections::BTreeMap;

use faer::Mat;

use crate::solid::creases::TractionNodes;
use crate::solid::panel::Panel;
use crate::solid::{Surface, Vec3};

/// M = ∫ ψ_a N_j dS of traction nodes and vertices, row by row as lists of (vertex, entry)  \[m²\]
pub struct NodeMass {
    rows: Vec<Vec<(usize, f64)>>,
    vertices: usize,
}

impl NodeMass {
    /// For a surface with its traction nodes.
    pub fn new(surface: &Surface, panels: &[Panel], nodes: &TractionNodes) -> NodeMass {
        let mut rows = vec![BTreeMap::new(); nodes.count];
        for ((corners, own), panel) in surface.triangles().iter().zip(&nodes.corners).zip(panels) {
            for (i, &node) in own.iter().enumerate() {
                for (j, &vertex) in corners.iter().enumerate() {
                    let share = if i == j { panel.area / 6.0 } else { panel.area / 12.0 };
                    *rows[node as usize].entry(vertex as usize).or_insert(0.0) += share;
                }
            }
        }
        let rows = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        NodeMass { rows, vertices: surface.vertices().len() }
    }

    /// Mᵀ x: the forces of tractions, for columns in blocks of `side` rows.
    pub fn forces(&self, side: usize, x: &Mat<f64>) -> Mat<f64> {
        let mut sum = Mat::zeros(side * self.vertices, x.ncols());
        for column in 0..x.ncols() {
            for (node, row) in self.rows.iter().enumerate() {
                for &(vertex, share) in row {
                    for a in 0..side {
                        sum[(side * vertex + a, column)] += share * x[(side * node + a, column)];
                    }
                }
            }
        }
        sum
    }

    /// Adds ½ M to a matrix.
    pub fn add_half(&self, side: usize, matrix: &mut Mat<f64>) {
        for (node, row) in self.rows.iter().enumerate() {
            for &(vertex, share) in row {
                (0..side).for_each(|a| matrix[(side * node + a, side * vertex + a)] += 0.5 * share);
            }
        }
    }
}

/// ∫ N_i n dS at each vertex  \[m²\]
pub fn vertex_normals(surface: &Surface, panels: &[Panel]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::zeros(); surface.vertices().len()];
    for (corners, panel) in surface.triangles().iter().zip(panels) {
        corners.iter().for_each(|&v| sums[v as usize] += panel.normal * (panel.area / 3.0));
    }
    sums
}

/// ∫ N_i dS over the area of the surface.
pub fn vertex_shares(surface: &Surface, panels: &[Panel]) -> Vec<f64> {
    let mut shares = vec![0.0; surface.vertices().len()];
    for (corners, panel) in surface.triangles().iter().zip(panels) {
        corners.iter().for_each(|&v| shares[v as usize] += panel.area / 3.0);
    }
    let area: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= area);
    shares
}

/// (A + Aᵀ)/2
pub fn symmetric(matrix: &Mat<f64>) -> Mat<f64> {
    Mat::from_fn(matrix.nrows(), matrix.ncols(), |i, j| 0.5 * (matrix[(i, j)] + matrix[(j, i)]))
}

/// |A − Aᵀ| / |A| in the norm of all entries.
pub fn asymmetry(matrix: &Mat<f64>) -> f64 {
    (matrix - matrix.transpose()).norm_l2() / matrix.norm_l2()
}
