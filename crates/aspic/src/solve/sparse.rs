//! A symmetric sparse matrix of numbers that acts on three-vectors: A ⊗ I₃.

use crate::Vec3;

/// Symmetric sparse matrix, both halves stored by rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymmetricMatrix {
    /// Where each row begins in `columns` and `values`  (n + 1)
    starts: Vec<usize>,
    /// Column numbers, ascending in each row.
    columns: Vec<u32>,
    /// Entries.
    values: Vec<f64>,
}

impl SymmetricMatrix {
    /// Sums the given entries (row, column, value); each off-diagonal pair must come both ways round.
    pub fn from_entries(n: usize, mut entries: Vec<(u32, u32, f64)>) -> Self {
        // A stable sort keeps the order of summation, and so the bits.
        entries.sort_by_key(|&(i, j, _)| (i, j));
        let mut matrix = SymmetricMatrix { starts: vec![0; n + 1], ..Default::default() };
        let mut last = None;
        for (i, j, value) in entries {
            if last == Some((i, j)) {
                *matrix.values.last_mut().expect("an entry precedes its double") += value;
            } else {
                matrix.columns.push(j);
                matrix.values.push(value);
                matrix.starts[i as usize + 1] = matrix.columns.len();
                last = Some((i, j));
            }
        }
        for i in 0..n {
            matrix.starts[i + 1] = matrix.starts[i + 1].max(matrix.starts[i]);
        }
        matrix
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Entries (column, value) of one row.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[i]..self.starts[i + 1];
        self.columns[range.clone()].iter().zip(&self.values[range]).map(|(&j, &value)| (j as usize, value))
    }

    /// (A x)ᵢ for three-vectors x.
    pub fn row_times(&self, i: usize, x: &[Vec3]) -> Vec3 {
        self.row(i).fold(Vec3::zeros(), |sum, (j, value)| sum + value * x[j])
    }

    /// Number of stored entries.
    pub fn nonzeros(&self) -> usize {
        self.values.len()
    }
}
