//! Sparse Cholesky factor of a symmetric positive definite matrix, solved for three right-hand sides at once.
//!
//! faer orders and factors, once. The two triangular solves run in every stage of every step, so they are
//! written here on one register per row: x, y, z side by side.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Par, Side};
use wide::f64x4;

use super::SymmetricMatrix;
use crate::Vec3;

/// P A Pᵀ = L Lᵀ of the rows and columns of A that are free. A diagonal A is not taken apart.
#[derive(Clone, Debug)]
pub struct Factor {
    /// Row of A that stands at each place of the factor.
    order: Vec<u32>,
    /// Where the entries below the diagonal of each column begin  (n + 1)
    starts: Vec<u32>,
    /// Row numbers below the diagonal.
    rows: Vec<u32>,
    /// Entries below the diagonal.
    values: Vec<f64>,
    /// 1/Lⱼⱼ, or 1/Aⱼⱼ of a diagonal matrix
    inverse_diagonal: Vec<f64>,
    /// Whether A is diagonal, as lumped masses are.
    diagonal: bool,
}

/// Why a matrix could not be factored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FactorError {
    /// A pivot was not positive.
    #[error("the matrix is not positive definite")]
    NotPositive,
    /// The factor does not fit in memory, or an index overflows.
    #[error("the factor of this matrix is too large for memory")]
    TooLarge,
}

impl Factor {
    /// Factors the rows and columns of `matrix` for which `free` holds.
    pub fn new(matrix: &SymmetricMatrix, free: &[bool]) -> Result<Factor, FactorError> {
        let kept: Vec<u32> = (0..matrix.len()).filter(|&i| free[i]).map(|i| i as u32).collect();
        if let Some(diagonal) = Self::diagonal(matrix, &kept, free) {
            return diagonal;
        }
        let lower = lower_triangle(matrix, &kept)?;
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SIMPLICIAL,
            ..Default::default()
        };
        let symbolic =
            factorize_symbolic_cholesky(lower.symbolic(), Side::Lower, SymmetricOrdering::Amd, params)
                .map_err(|_| FactorError::TooLarge)?;
        let values = numeric(&symbolic, &lower)?;
        Self::unpack(&symbolic, &values, &kept)
    }

    /// The factor of a matrix that is diagonal on its free rows: a division by each, in their own order. `None` for
    /// any other matrix.
    fn diagonal(
        matrix: &SymmetricMatrix,
        kept: &[u32],
        free: &[bool],
    ) -> Option<Result<Factor, FactorError>> {
        let mut inverse_diagonal = Vec::with_capacity(kept.len());
        for &i in kept {
            let mut pivot = 0.0;
            for (j, value) in matrix.row(i as usize) {
                if j == i as usize {
                    pivot = value;
                } else if free[j] && value != 0.0 {
                    return None;
                }
            }
            if pivot.is_nan() || pivot <= 0.0 {
                return Some(Err(FactorError::NotPositive));
            }
            inverse_diagonal.push(1.0 / pivot);
        }
        let (order, starts) = (kept.to_vec(), vec![0; kept.len() + 1]);
        Some(Ok(Factor { order, starts, rows: vec![], values: vec![], inverse_diagonal, diagonal: true }))
    }

    /// Splits faer's columns into the diagonal and what lies below it.
    fn unpack(symbolic: &SymbolicCholesky<u32>, values: &[f64], kept: &[u32]) -> Result<Factor, FactorError> {
        let SymbolicCholeskyRaw::Simplicial(columns) = symbolic.raw() else {
            return Err(FactorError::TooLarge);
        };
        let n = kept.len();
        let order = match symbolic.perm() {
            Some(perm) => perm.arrays().0.iter().map(|&i| kept[i as usize]).collect(),
            None => kept.to_vec(),
        };
        let (col_ptr, row_idx) = (columns.col_ptr(), columns.row_idx());
        let mut factor = Factor {
            order,
            starts: vec![0],
            rows: vec![],
            values: vec![],
            inverse_diagonal: Vec::with_capacity(n),
            diagonal: false,
        };
        for j in 0..n {
            for k in col_ptr[j] as usize..col_ptr[j + 1] as usize {
                if row_idx[k] as usize == j {
                    factor.inverse_diagonal.push(1.0 / values[k]);
                } else {
                    factor.rows.push(row_idx[k]);
                    factor.values.push(values[k]);
                }
            }
            factor.starts.push(u32::try_from(factor.rows.len()).map_err(|_| FactorError::TooLarge)?);
        }
        Ok(factor)
    }

    /// Number of free rows.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether no row is free.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Number of entries below the diagonal: the solve costs 2 × 2 × 3 flops for each.
    pub fn nonzeros(&self) -> usize {
        self.values.len()
    }

    /// x = A⁻¹ b on the free rows; the others are left as they are. `work` must hold [`Factor::len`] rows.
    pub fn solve(&self, b: &[Vec3], x: &mut [Vec3], work: &mut [f64x4]) {
        if self.diagonal {
            let divide = |(&i, &inverse): (&u32, &f64)| x[i as usize] = b[i as usize] * inverse;
            return self.order.iter().zip(&self.inverse_diagonal).for_each(divide);
        }
        let work = &mut work[..self.len()];
        for (w, &i) in work.iter_mut().zip(&self.order) {
            let b = &b[i as usize];
            *w = f64x4::new([b.x, b.y, b.z, 0.0]);
        }
        self.forward(work);
        self.backward(work);
        for (w, &i) in work.iter().zip(&self.order) {
            let [a, b, c, _] = w.to_array();
            x[i as usize] = Vec3::new(a, b, c);
        }
    }

    /// The slice of entries of column j.
    #[inline(always)]
    fn column(&self, j: usize) -> (&[u32], &[f64]) {
        let range = self.starts[j] as usize..self.starts[j + 1] as usize;
        (&self.rows[range.clone()], &self.values[range])
    }

    /// L y = b, column by column: every update of a column is independent of the others.
    fn forward(&self, work: &mut [f64x4]) {
        for j in 0..work.len() {
            let y = work[j] * f64x4::splat(self.inverse_diagonal[j]);
            work[j] = y;
            let (rows, values) = self.column(j);
            for (&i, &value) in rows.iter().zip(values) {
                work[i as usize] = f64x4::splat(value).mul_neg_add(y, work[i as usize]);
            }
        }
    }

    /// Lᵀ x = y, dot products in four independent sums, always added in the same order.
    fn backward(&self, work: &mut [f64x4]) {
        for j in (0..work.len()).rev() {
            let (rows, values) = self.column(j);
            let mut sums = [f64x4::ZERO; 4];
            let (rows4, values4) = (rows.chunks_exact(4), values.chunks_exact(4));
            for (k, (&i, &value)) in rows4.remainder().iter().zip(values4.remainder()).enumerate() {
                sums[k] = f64x4::splat(value).mul_add(work[i as usize], sums[k]);
            }
            for (r, v) in rows4.zip(values4) {
                for k in 0..4 {
                    sums[k] = f64x4::splat(v[k]).mul_add(work[r[k] as usize], sums[k]);
                }
            }
            let sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
            work[j] = (work[j] - sum) * f64x4::splat(self.inverse_diagonal[j]);
        }
    }
}

/// The lower triangle of the kept rows and columns, as faer wants it.
fn lower_triangle(matrix: &SymmetricMatrix, kept: &[u32]) -> Result<SparseColMat<u32, f64>, FactorError> {
    let mut place = vec![u32::MAX; matrix.len()];
    kept.iter().enumerate().for_each(|(new, &old)| place[old as usize] = new as u32);
    let mut entries = Vec::with_capacity(matrix.nonzeros() / 2 + kept.len());
    for (new, &old) in kept.iter().enumerate() {
        for (j, value) in matrix.row(old as usize) {
            // Symmetric: row `new` of the upper half is column `new` of the lower half.
            if place[j] != u32::MAX && place[j] as usize >= new {
                entries.push(Triplet::new(place[j], new as u32, value));
            }
        }
    }
    SparseColMat::try_new_from_triplets(kept.len(), kept.len(), &entries).map_err(|_| FactorError::TooLarge)
}

/// The entries of L, in faer's order.
fn numeric(
    symbolic: &SymbolicCholesky<u32>,
    lower: &SparseColMat<u32, f64>,
) -> Result<Vec<f64>, FactorError> {
    let mut values = vec![0.0; symbolic.len_val()];
    let need = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
    let mut memory = MemBuffer::try_new(need).map_err(|_| FactorError::TooLarge)?;
    symbolic
        .factorize_numeric_llt(
            &mut values,
            lower.as_ref(),
            Side::Lower,
            LltRegularization::default(),
            Par::Seq,
            MemStack::new(&mut memory),
            Default::default(),
        )
        .map_err(|_| FactorError::NotPositive)?;
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path graph's Laplacian plus the identity, with a few long-range entries.
    fn example(n: usize) -> SymmetricMatrix {
        let mut entries: Vec<_> = (0..n as u32).map(|i| (i, i, 4.0 + f64::from(i) * 0.01)).collect();
        for i in 1..n as u32 {
            entries.extend([(i, i - 1, -1.0), (i - 1, i, -1.0)]);
            if i >= 7 {
                entries.extend([(i, i - 7, 0.5), (i - 7, i, 0.5)]);
            }
        }
        SymmetricMatrix::from_entries(n, entries)
    }

    #[test]
    fn solving_undoes_multiplying_on_the_free_rows() {
        let n = 60;
        let matrix = example(n);
        for free in [vec![true; n], (0..n).map(|i| i % 5 != 0).collect::<Vec<_>>()] {
            let x: Vec<Vec3> = (0..n)
                .map(|i| if free[i] { Vec3::new(i as f64, (i * i) as f64, -1.0) } else { Vec3::zeros() })
                .collect();
            let b: Vec<Vec3> = (0..n).map(|i| matrix.row_times(i, &x)).collect();
            let factor = Factor::new(&matrix, &free).unwrap();
            let mut found = vec![Vec3::zeros(); n];
            factor.solve(&b, &mut found, &mut vec![f64x4::ZERO; n]);
            for i in 0..n {
                assert!((found[i] - x[i]).norm() <= 1e-11 * (1.0 + x[i].norm()), "row {i}");
            }
        }
    }

    #[test]
    fn a_diagonal_matrix_divides_its_free_rows_and_leaves_the_others() {
        let matrix = SymmetricMatrix::from_entries(3, vec![(0, 0, 2.0), (1, 1, 3.0), (2, 2, 5.0)]);
        let factor = Factor::new(&matrix, &[true, false, true]).unwrap();
        let mut x = vec![Vec3::repeat(7.0); 3];
        factor.solve(&[Vec3::new(1.0, 2.0, 3.0); 3], &mut x, &mut []);
        let expected = [Vec3::new(0.5, 1.0, 1.5), Vec3::repeat(7.0), Vec3::new(1.0, 2.0, 3.0) * (1.0 / 5.0)];
        assert_eq!((&x[..], factor.len(), factor.nonzeros()), (&expected[..], 2, 0));
        for wrong in [0.0, -1.0, f64::NAN] {
            let matrix = SymmetricMatrix::from_entries(1, vec![(0, 0, wrong)]);
            assert_eq!(Factor::new(&matrix, &[true]).unwrap_err(), FactorError::NotPositive, "{wrong}");
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let matrix =
            SymmetricMatrix::from_entries(2, vec![(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 1.0)]);
        assert_eq!(Factor::new(&matrix, &[true, true]).unwrap_err(), FactorError::NotPositive);
    }
}
