//! Dense LU factors in memory that is kept from one factor to the next.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::{factor, solve};
use faer::perm::PermRef;
use faer::{Mat, MatMut, MatRef, Par};

/// Pivots smaller than this part of the largest mean that the matrix is singular.
const SINGULAR: f64 = 1e-14;

/// P A = L U of a square matrix.
pub struct DenseLu {
    n: usize,
    packed: Mat<f64>,
    /// One right side, at a place in memory that suits the processor.
    column: Mat<f64>,
    forward: Vec<usize>,
    inverse: Vec<usize>,
    memory: MemBuffer,
}

/// Why there is no factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LuError {
    /// The matrix has no inverse.
    #[error("a matrix of {0} rows is singular to working precision")]
    Singular(usize),
    /// Memory ends.
    #[error("no memory for a factor of {0} rows")]
    TooLarge(usize),
}

impl DenseLu {
    /// Room for matrices of up to `capacity` rows; more is taken when it is needed.
    pub fn with_capacity(capacity: usize) -> Result<DenseLu, LuError> {
        let sort =
            factor::lu_in_place_scratch::<usize, f64>(capacity, capacity, Par::Seq, Default::default());
        let apply = solve::solve_in_place_scratch::<usize, f64>(capacity, 1, Par::Seq);
        Ok(DenseLu {
            n: 0,
            packed: Mat::zeros(capacity, capacity),
            column: Mat::zeros(capacity, 1),
            forward: vec![0; capacity],
            inverse: vec![0; capacity],
            memory: MemBuffer::try_new(sort.or(apply)).map_err(|_| LuError::TooLarge(capacity))?,
        })
    }

    /// The factor of `matrix`.
    pub fn of(matrix: MatRef<f64>) -> Result<DenseLu, LuError> {
        let mut lu = DenseLu::with_capacity(matrix.nrows())?;
        lu.prepare(matrix.nrows())?.copy_from(matrix);
        lu.factor()?;
        Ok(lu)
    }

    /// A place for a matrix of `n` rows, to be filled before [`DenseLu::factor`].
    pub fn prepare(&mut self, n: usize) -> Result<MatMut<'_, f64>, LuError> {
        if n > self.forward.len() {
            *self = DenseLu::with_capacity(n.max(2 * self.forward.len()))?;
        }
        self.n = n;
        Ok(self.packed.as_mut().submatrix_mut(0, 0, n, n))
    }

    /// Factors what was put into the place that [`DenseLu::prepare`] gave.
    pub fn factor(&mut self) -> Result<(), LuError> {
        let n = self.n;
        factor::lu_in_place(
            self.packed.as_mut().submatrix_mut(0, 0, n, n),
            &mut self.forward[..n],
            &mut self.inverse[..n],
            Par::Seq,
            MemStack::new(&mut self.memory),
            Default::default(),
        );
        let pivots = (0..n).map(|k| self.packed[(k, k)].abs());
        let (least, most) = pivots.fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), p| (a.min(p), b.max(p)));
        let finite = (0..n).all(|k| self.packed[(k, k)].is_finite());
        if n > 0 && !(finite && least > SINGULAR * most) { Err(LuError::Singular(n)) } else { Ok(()) }
    }

    /// x ← A⁻¹ x for each column of `x`. Nothing is allocated for one column.
    pub fn solve(&mut self, mut x: MatMut<'_, f64>) {
        let n = self.n;
        if n == 0 {
            return;
        }
        let packed = self.packed.as_ref().submatrix(0, 0, n, n);
        for k in 0..x.ncols() {
            let rows = PermRef::new_checked(&self.forward[..n], &self.inverse[..n], n);
            let column = x.as_mut().submatrix_mut(0, k, n, 1);
            solve::solve_in_place(packed, packed, rows, column, Par::Seq, MemStack::new(&mut self.memory));
        }
    }

    /// x ← A⁻¹ x. Nothing is allocated, and the bits do not depend on where `x` lies in memory.
    pub fn solve_vector(&mut self, x: &mut [f64]) {
        let n = self.n;
        let mut column = std::mem::replace(&mut self.column, Mat::new());
        (0..n).for_each(|k| column[(k, 0)] = x[k]);
        self.solve(column.as_mut().submatrix_mut(0, 0, n, 1));
        (0..n).for_each(|k| x[k] = column[(k, 0)]);
        self.column = column;
    }
}
