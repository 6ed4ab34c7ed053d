//! Dense symmetric positive semidefinite systems: the multipliers' matrix N M⁻¹ Nᵀ.

/// A = P L Lᵀ Pᵀ with the largest remaining diagonal taken first; dependent rows are left out.
///
/// Redundant constraints make N M⁻¹ Nᵀ singular. Pivoting finds a largest independent set of rows; the others
/// get multiplier zero, which solves the system whenever it has a solution.
#[derive(Clone, Debug, Default)]
pub struct PivotedCholesky {
    n: usize,
    rank: usize,
    /// Row of A at each place.
    order: Vec<usize>,
    /// Rows of L, dense, in the pivoted order  (n × n)
    lower: Vec<f64>,
}

/// Pivots below this part of the largest diagonal count as zero.
const RANK_TOLERANCE: f64 = 1e-12;

impl PivotedCholesky {
    /// Factors the n × n matrix `a` (rows, symmetric) in place of what was held before.
    pub fn factor(&mut self, n: usize, a: &[f64]) {
        self.n = n;
        self.order.clear();
        self.order.extend(0..n);
        self.lower.clear();
        self.lower.extend_from_slice(&a[..n * n]);
        let largest = (0..n).map(|i| a[i * n + i]).fold(0.0, f64::max);
        self.rank = n;
        for k in 0..n {
            let pivot = (k..n).fold(k, |best, i| if self.at(i, i) > self.at(best, best) { i } else { best });
            if self.at(pivot, pivot) <= RANK_TOLERANCE * largest {
                self.rank = k;
                break;
            }
            self.exchange(k, pivot);
            self.eliminate(k);
        }
    }

    /// Number of independent rows.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The rows that depend on others.
    pub fn dependent(&self) -> &[usize] {
        &self.order[self.rank..]
    }

    /// Solves A x = b in place; dependent rows get zero. `work` must hold n numbers.
    pub fn solve(&self, x: &mut [f64], work: &mut [f64]) {
        for k in 0..self.rank {
            let sum: f64 = (0..k).map(|j| self.at(k, j) * work[j]).sum();
            work[k] = (x[self.order[k]] - sum) / self.at(k, k);
        }
        for k in (0..self.rank).rev() {
            let sum: f64 = (k + 1..self.rank).map(|j| self.at(j, k) * work[j]).sum();
            work[k] = (work[k] - sum) / self.at(k, k);
        }
        for k in 0..self.n {
            x[self.order[k]] = if k < self.rank { work[k] } else { 0.0 };
        }
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.lower[i * self.n + j]
    }

    fn exchange(&mut self, i: usize, j: usize) {
        let n = self.n;
        self.order.swap(i, j);
        (0..n).for_each(|k| self.lower.swap(i * n + k, j * n + k));
        (0..n).for_each(|k| self.lower.swap(k * n + i, k * n + j));
    }

    /// Column k of L, and its update of the block that remains (both halves, so that rows can be exchanged).
    fn eliminate(&mut self, k: usize) {
        let n = self.n;
        let root = self.at(k, k).sqrt();
        self.lower[k * n + k] = root;
        for i in k + 1..n {
            self.lower[i * n + k] /= root;
        }
        for i in k + 1..n {
            for j in k + 1..n {
                self.lower[i * n + j] -= self.lower[i * n + k] * self.lower[j * n + k];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redundant_rows_are_found_and_the_rest_is_solved() {
        // Rows 0 and 2 are the same constraint twice.
        let rows = [[1.0, 2.0, 0.5], [0.0, 1.0, -1.0], [1.0, 2.0, 0.5]];
        let a: Vec<f64> = (0..9).map(|k| (0..3).map(|c| rows[k / 3][c] * rows[k % 3][c]).sum()).collect();
        let mut factor = PivotedCholesky::default();
        factor.factor(3, &a);
        assert_eq!((factor.rank(), factor.dependent().len()), (2, 1));
        let b: Vec<f64> = (0..3).map(|i| a[i * 3] * 2.0 - a[i * 3 + 1]).collect();
        let mut x = b.clone();
        factor.solve(&mut x, &mut [0.0; 3]);
        for i in 0..3 {
            let found: f64 = (0..3).map(|j| a[i * 3 + j] * x[j]).sum();
            assert!((found - b[i]).abs() < 1e-12);
        }
    }
}
