//! A tangent matrix as a list of 3×3 blocks, to be summed.

use super::SymmetricMatrix;
use crate::Mat3;

/// ∂f/∂x in blocks (row node, column node, block); equal places add up.
#[derive(Clone, Debug, Default)]
pub struct Tangent {
    /// The blocks, in the order they were added.
    pub blocks: Vec<(u32, u32, Mat3)>,
}

impl Tangent {
    /// Adds scale · the 3n × 3n `matrix` between `nodes` (n of them), given by a function of row and column.
    pub fn add_element(&mut self, nodes: &[u32], scale: f64, matrix: impl Fn(usize, usize) -> f64) {
        for (p, &i) in nodes.iter().enumerate() {
            for (r, &j) in nodes.iter().enumerate() {
                self.blocks.push((i, j, Mat3::from_fn(|a, b| scale * matrix(3 * p + a, 3 * r + b))));
            }
        }
    }

    /// The sum as a matrix of numbers: unknown 3 i + a is coordinate a of node i.
    pub fn assemble(&self, nodes: usize) -> SymmetricMatrix {
        let entries = self.blocks.iter().flat_map(|&(i, j, block)| {
            (0..9u32)
                .map(move |k| (3 * i + k / 3, 3 * j + k % 3, block[((k / 3) as usize, (k % 3) as usize)]))
        });
        SymmetricMatrix::from_entries(3 * nodes, entries.collect())
    }
}
