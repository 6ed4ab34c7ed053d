//! H or G, dense or in blocks.

use faer::Mat;

use crate::solid::Compressed;

/// H or G of a body. Entry 3 i + a belongs to axis a at vertex i.
#[derive(Clone, Debug)]
pub enum Matrix {
    /// All entries.
    Dense(Mat<f64>),
    /// Far blocks of low rank.
    Compressed(Compressed),
}

impl Matrix {
    /// Rows and columns.
    pub fn order(&self) -> usize {
        match self {
            Matrix::Dense(matrix) => matrix.nrows(),
            Matrix::Compressed(matrix) => matrix.order(),
        }
    }

    /// y = A x.
    pub fn apply(&self, x: &[f64], y: &mut [f64]) {
        match self {
            Matrix::Compressed(matrix) => matrix.apply(x, y),
            Matrix::Dense(matrix) => {
                y.fill(0.0);
                for (column, &x) in matrix.col_iter().zip(x).filter(|(_, x)| **x != 0.0) {
                    y.iter_mut().zip(column.iter()).for_each(|(y, entry)| *y += entry * x);
                }
            }
        }
    }

    /// All entries, if they are there.
    pub fn dense(&self) -> Option<&Mat<f64>> {
        match self {
            Matrix::Dense(matrix) => Some(matrix),
            Matrix::Compressed(_) => None,
        }
    }
}
