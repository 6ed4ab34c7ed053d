//! The layers of the boundary equations, each triangle weighted evenly: tractions even on each triangle, displacements
//! linear and continuous.
//!
//! ```text
//! A = ∬ 1/r      V = ∬ U      L = ∬ ∂ₙ(1/4πr) N
//! ```

use faer::Mat;
use rayon::prelude::*;

use crate::solid::pair::{PairIntegrals, PairRule};
use crate::solid::panel::Panel;
use crate::solid::{Mat3, Medium, Surface};

/// Triangles that are worked on before their rows are put in place.
const BATCH: usize = 64;

/// The matrices of all pairs of triangles.
pub struct Layers {
    /// A  \[m³\]  (m × m)
    pub inverse: Mat<f64>,
    /// V, Kelvin's single layer  \[m³/Pa\]  (3m × 3m)
    pub single: Mat<f64>,
    /// L, the double layer of harmonic functions  \[m²\]  (m × n)
    pub double: Mat<f64>,
}

impl Layers {
    /// Of a body. Each pair of triangles is integrated by one thread and summed in the order of the mesh.
    pub fn new(surface: &Surface, panels: &[Panel], medium: &Medium) -> Layers {
        let (m, n, rule) = (panels.len(), surface.vertices().len(), PairRule::new());
        let mut layers =
            Layers { inverse: Mat::zeros(m, m), single: Mat::zeros(3 * m, 3 * m), double: Mat::zeros(m, n) };
        for start in (0..m).step_by(BATCH) {
            let row = |i: usize| -> Vec<PairIntegrals> {
                (i..m).map(|j| rule.integrals(&panels[i], &panels[j])).collect()
            };
            let rows: Vec<Vec<PairIntegrals>> =
                (start..m.min(start + BATCH)).into_par_iter().map(row).collect();
            for (i, row) in (start..).zip(rows) {
                for (j, pair) in (i..).zip(row) {
                    layers.put(surface, medium, [i, j], &pair);
                }
            }
        }
        layers
    }

    /// The block of two triangles in V.
    pub fn block(&self, i: usize, j: usize) -> Mat3 {
        Mat3::from_fn(|a, b| self.single[(3 * i + a, 3 * j + b)])
    }

    fn put(&mut self, surface: &Surface, medium: &Medium, [i, j]: [usize; 2], pair: &PairIntegrals) {
        let (stiff, factor) = (3.0 - 4.0 * medium.poisson(), medium.factor_u());
        (self.inverse[(i, j)], self.inverse[(j, i)]) = (pair.inverse, pair.inverse);
        for a in 0..3 {
            for b in 0..3 {
                // B is symmetric but for rounding.
                let even = if a == b { stiff * pair.inverse } else { 0.0 };
                let entry = factor * (even + 0.5 * (pair.dyad[(a, b)] + pair.dyad[(b, a)]));
                self.single[(3 * i + a, 3 * j + b)] = entry;
                self.single[(3 * j + b, 3 * i + a)] = entry;
            }
        }
        for k in 0..3 {
            self.double[(i, surface.triangles()[j][k] as usize)] += pair.from_first[k];
            if i != j {
                self.double[(j, surface.triangles()[i][k] as usize)] += pair.from_second[k];
            }
        }
    }
}
