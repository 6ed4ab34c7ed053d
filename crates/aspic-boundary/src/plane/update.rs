//! Changed boundary conditions without a new factor (James & Pai 1999), on plain matrices of any origin.
//!
//! Each column has two unknowns of which one is given: A x + Ā x̄ = B with the unknowns x and the given values x̄. To
//! exchange column j is to give x_j and to seek x̄_j. With the factor of a reference A₀ and Ξ = −A₀⁻¹ Ā₀,
//!
//! ```text
//! y = A₀⁻¹ B + Ξ (I − E Eᵀ) x̄ − E Eᵀ x̄,     C = −Eᵀ Ξ E,     x = y + (E + Ξ E) C⁻¹ Eᵀ y
//! ```
//!
//! where E has one unit column for each exchange and x̄ holds the new given values. The cost is s³ + n s instead of n³.
//! The columns of E may also be unit vectors across a few neighbouring columns: a surface that glides on a slanted plane
//! exchanges the direction of the normal.

use faer::{Mat, MatRef};

use super::dense_lu::DenseLu;
use super::direction::Direction;
use super::update_error::UpdateError;

/// Exchanges of more than this part of all columns become a new reference.
const REFRESH: f64 = 0.5;

/// Equations whose columns can be exchanged.
pub struct Exchange {
    unknown: Mat<f64>,
    given: Mat<f64>,
    loads: Mat<f64>,
    /// Which columns the reference has exchanged.
    reference: Vec<bool>,
    factor: DenseLu,
    /// Ξ
    influence: Mat<f64>,
    /// A₀⁻¹ of the loads
    settled: Mat<f64>,
    refreshes: usize,
    /// Whether the reference stays as it is.
    kept: bool,
    wanted: Vec<bool>,
    changes: Vec<Direction>,
    capacitance: DenseLu,
    amounts: Vec<f64>,
    values: Vec<f64>,
}

impl Exchange {
    /// A x + Ā x̄ = B with A = `unknown`, Ā = `given` and B any sum of the columns of `loads`.
    pub fn new(unknown: Mat<f64>, given: Mat<f64>, loads: Mat<f64>) -> Result<Exchange, UpdateError> {
        let n = unknown.nrows();
        let square = unknown.ncols() == n && given.nrows() == n && given.ncols() == n && loads.nrows() == n;
        if !square {
            return Err(UpdateError::Shape { what: "a matrix", given: given.ncols(), needed: n });
        }
        let mut made = Exchange {
            reference: vec![false; n],
            factor: DenseLu::with_capacity(n)?,
            influence: Mat::zeros(n, n),
            settled: Mat::zeros(n, loads.ncols()),
            refreshes: 0,
            kept: false,
            wanted: vec![false; n],
            changes: Vec::new(),
            capacitance: DenseLu::with_capacity(0)?,
            amounts: Vec::new(),
            values: vec![0.0; n],
            unknown,
            given,
            loads,
        };
        made.take_as_reference()?;
        Ok(made)
    }

    /// Number of columns.
    #[allow(clippy::len_without_is_empty)] // equations have columns
    pub fn len(&self) -> usize {
        self.reference.len()
    }

    /// Ξ of the reference: what each given value does to each unknown.
    pub fn influence(&self) -> MatRef<'_, f64> {
        self.influence.as_ref()
    }

    /// How often the reference was changed.
    pub fn refreshes(&self) -> usize {
        self.refreshes
    }

    /// From now on the reference stays as it is, however many columns are exchanged.
    ///
    /// A solution then depends on its own conditions alone, to the last bit, and not on those that were solved before.
    /// Only [`Exchange::refresh`] changes the reference, and a slanted direction across a column that it exchanged.
    pub fn keep_reference(&mut self) -> Result<(), UpdateError> {
        self.kept = true;
        self.capacitance = DenseLu::with_capacity(self.len())?;
        Ok(())
    }

    /// Replaces one column of the loads.
    pub fn set_load(&mut self, which: usize, column: &[f64]) -> Result<(), UpdateError> {
        let (n, loads) = (self.len(), self.loads.ncols());
        if column.len() != n || which >= loads {
            return Err(UpdateError::Shape { what: "a load", given: column.len(), needed: n });
        }
        (0..n).for_each(|row| self.loads[(row, which)] = column[row]);
        (0..n).for_each(|row| self.settled[(row, which)] = column[row]);
        self.factor.solve(self.settled.as_mut().submatrix_mut(0, which, n, 1));
        Ok(())
    }

    /// Solves with the directions of `exchanged`, which are orthogonal to each other, exchanged against the equations as
    /// they were first given.
    ///
    /// `x` gets the unknowns for the given values `given` and B = Σ `amounts`ₖ loadₖ. Along an exchanged direction
    /// `given` holds the x̄ that became given, and `x` the one that became unknown. Repeated calls with as many
    /// exchanges allocate nothing. Where more than half of all columns are exchanged against the reference, the present
    /// conditions become the reference first, but for slanted directions, which stay exchanges; see
    /// [`Exchange::keep_reference`].
    pub fn solve(
        &mut self,
        exchanged: &[Direction],
        given: &[f64],
        amounts: &[f64],
        x: &mut [f64],
    ) -> Result<(), UpdateError> {
        self.check(exchanged, given, amounts, x)?;
        let clash = self.find_changes(exchanged);
        let whole = self.changes.iter().filter(|d| d.as_column().is_some()).count();
        let many = !self.kept && whole > (REFRESH * self.len() as f64) as usize;
        if clash || many {
            self.refresh(exchanged)?;
            self.find_changes(exchanged);
        }
        self.start(given, amounts, x);
        let s = self.changes.len();
        if s == 0 {
            return Ok(());
        }
        let (changes, influence) = (&self.changes, &self.influence);
        let mut capacitance = self.capacitance.prepare(s)?;
        for (b, column) in changes.iter().enumerate() {
            for (a, row) in changes.iter().enumerate() {
                let pairs =
                    column.entries().flat_map(|(j, v)| row.entries().map(move |(i, w)| (i, j, v * w)));
                capacitance[(a, b)] = -pairs.map(|(i, j, weight)| weight * influence[(i, j)]).sum::<f64>();
            }
        }
        self.capacitance.factor()?;
        self.amounts.clear();
        self.amounts.extend(changes.iter().map(|change| change.of(x)));
        self.capacitance.solve_vector(&mut self.amounts);
        self.values.fill(0.0);
        changes.iter().zip(&self.amounts).for_each(|(change, c)| change.add(*c, &mut self.values));
        x.iter_mut().zip(&self.values).for_each(|(x, v)| *x += v);
        add_product(&self.influence, &self.values, x);
        Ok(())
    }

    /// Makes `exchanged` the reference, as far as it consists of whole columns. After an error the old one stays.
    pub fn refresh(&mut self, exchanged: &[Direction]) -> Result<(), UpdateError> {
        self.mark(exchanged);
        std::mem::swap(&mut self.reference, &mut self.wanted);
        self.refreshes += 1;
        let taken = self.take_as_reference();
        if taken.is_err() {
            std::mem::swap(&mut self.reference, &mut self.wanted);
            self.take_as_reference()?;
        }
        taken
    }

    fn check(
        &self,
        exchanged: &[Direction],
        given: &[f64],
        amounts: &[f64],
        x: &[f64],
    ) -> Result<(), UpdateError> {
        let n = self.len();
        let shape = |what, given, needed| Err(UpdateError::Shape { what, given, needed });
        match () {
            _ if given.len() != n => shape("the given values", given.len(), n),
            _ if x.len() != n => shape("the solution", x.len(), n),
            _ if amounts.len() != self.loads.ncols() => {
                shape("the amounts", amounts.len(), self.loads.ncols())
            }
            _ if exchanged.iter().any(|d| d.end() > n) => shape("an exchange", exchanged.len(), n),
            _ => Ok(()),
        }
    }

    fn mark(&mut self, exchanged: &[Direction]) {
        self.wanted.fill(false);
        exchanged.iter().filter_map(Direction::as_column).for_each(|j| self.wanted[j] = true);
    }

    /// What is to be exchanged against the reference; true where a slanted direction meets an exchanged column of it.
    fn find_changes(&mut self, exchanged: &[Direction]) -> bool {
        self.mark(exchanged);
        self.changes.clear();
        let whole = (0..self.len()).filter(|&j| self.wanted[j] != self.reference[j]);
        self.changes.extend(whole.map(Direction::column));
        let slanted = exchanged.iter().filter(|d| d.as_column().is_none());
        self.changes.extend(slanted.clone());
        slanted.flat_map(|d| d.entries()).any(|(j, _)| self.reference[j])
    }

    /// y of the formula above, in `x`.
    fn start(&mut self, given: &[f64], amounts: &[f64], x: &mut [f64]) {
        x.fill(0.0);
        add_product(&self.settled, amounts, x);
        self.values.copy_from_slice(given);
        for change in &self.changes {
            let value = change.of(given);
            change.add(-value, &mut self.values);
            change.add(-value, x);
        }
        add_product(&self.influence, &self.values, x);
    }

    /// Factors A₀ and finds Ξ and A₀⁻¹ B for the columns that `reference` names.
    fn take_as_reference(&mut self) -> Result<(), UpdateError> {
        let n = self.len();
        let mut matrix = self.factor.prepare(n)?;
        for j in 0..n {
            let (own, other) = (self.unknown.col(j), self.given.col(j));
            let (own, other) = if self.reference[j] { (other, own) } else { (own, other) };
            matrix.as_mut().col_mut(j).copy_from(own);
            (0..n).for_each(|row| self.influence[(row, j)] = -other[row]);
        }
        self.factor.factor()?;
        self.factor.solve(self.influence.as_mut());
        self.settled.copy_from(&self.loads);
        self.factor.solve(self.settled.as_mut());
        Ok(())
    }
}

/// y += A x, skipping zeros of x.
fn add_product(a: &Mat<f64>, x: &[f64], y: &mut [f64]) {
    for (j, factor) in x.iter().enumerate().filter(|(_, factor)| **factor != 0.0) {
        if let Some(column) = a.col(j).try_as_col_major() {
            y.iter_mut().zip(column.as_slice()).for_each(|(y, a)| *y += factor * a);
        }
    }
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
