//! The inverse of a small dense matrix that grows and shrinks by one row and column, in memory taken at the beginning.

/// A pivot less than this part of what it was made of is none.
const NOTHING: f64 = 1e-12;

/// C⁻¹
#[derive(Clone, Debug)]
pub struct Capacitance {
    size: usize,
    most: usize,
    /// C⁻¹, row by row, each `most` long.
    inverse: Vec<f64>,
    /// C while it is inverted, in the same form.
    matrix: Vec<f64>,
    work: [Vec<f64>; 2],
}

impl Capacitance {
    /// An empty matrix with room for `most` rows.
    pub fn new(most: usize) -> Capacitance {
        let (inverse, matrix) = (vec![0.0; most * most], vec![0.0; most * most]);
        Capacitance { size: 0, most, inverse, matrix, work: std::array::from_fn(|_| vec![0.0; most]) }
    }

    /// Appends a row and a column that meet in `corner`. False, and nothing is done, if the matrix would be singular or
    /// there is no room.
    ///
    /// [[C, c], [r, d]]⁻¹ follows from q = C⁻¹ c, p = r C⁻¹ and σ = d − r q.
    pub fn grow(&mut self, row: &[f64], column: &[f64], corner: f64) -> bool {
        let (s, most) = (self.size, self.most);
        if s == most || row.len() != s || column.len() != s {
            return false;
        }
        let [q, p] = &mut self.work;
        p[..s].fill(0.0);
        let (mut sigma, mut magnitude) = (corner, corner.abs());
        for a in 0..s {
            let own = &self.inverse[a * most..a * most + s];
            q[a] = dot(own, column);
            axpy(row[a], own, &mut p[..s]);
            sigma -= row[a] * q[a];
            magnitude = magnitude.max((row[a] * q[a]).abs());
        }
        if sigma.is_nan() || sigma.abs() <= NOTHING * magnitude {
            return false;
        }
        for a in 0..s {
            axpy(q[a] / sigma, &p[..s], &mut self.inverse[a * most..a * most + s]);
            self.inverse[a * most + s] = -q[a] / sigma;
            self.inverse[s * most + a] = -p[a] / sigma;
        }
        self.inverse[s * most + s] = sigma.recip();
        self.size += 1;
        true
    }

    /// Takes a row and its column away; the last ones take their place. False, and nothing is done, if the rest is
    /// singular.
    ///
    /// With [[P, q], [p, π]] for C⁻¹ the rest has the inverse P − q p / π.
    pub fn shrink(&mut self, slot: usize) -> bool {
        let most = self.most;
        let Some(last) = self.size.checked_sub(1).filter(|&last| slot <= last) else {
            return false;
        };
        let row = &self.inverse[slot * most..slot * most + last + 1];
        let (pivot, magnitude) = (row[slot], row.iter().fold(0.0, |most: f64, x| most.max(x.abs())));
        if pivot.is_nan() || pivot.abs() <= NOTHING * magnitude {
            return false;
        }
        let from = |a: usize| if a == slot { last } else { a };
        let p = &mut self.work[0];
        (0..last).for_each(|b| p[b] = self.inverse[slot * most + from(b)]);
        for a in 0..last {
            let factor = self.inverse[from(a) * most + slot] / pivot;
            if a == slot {
                self.inverse.copy_within(last * most..last * most + last + 1, slot * most);
            }
            let row = &mut self.inverse[a * most..a * most + last + 1];
            if slot < last {
                row[slot] = row[last];
            }
            axpy(-factor, &p[..last], &mut row[..last]);
        }
        self.size = last;
        true
    }

    /// Inverts the matrix with these entries anew, by Gauss and Jordan with pivots from the column. False if it is
    /// singular; then the inverse is useless.
    pub fn refresh(&mut self, entry: impl Fn(usize, usize) -> f64) -> bool {
        let (s, most) = (self.size, self.most);
        for a in 0..s {
            for b in 0..s {
                self.matrix[a * most + b] = entry(a, b);
                self.inverse[a * most + b] = if a == b { 1.0 } else { 0.0 };
            }
        }
        for k in 0..s {
            let magnitude = |i: usize| self.matrix[i * most + k].abs();
            let pivot = (k..s).fold(k, |best, i| if magnitude(i) > magnitude(best) { i } else { best });
            for b in 0..s {
                self.matrix.swap(k * most + b, pivot * most + b);
                self.inverse.swap(k * most + b, pivot * most + b);
            }
            let value = self.matrix[k * most + k];
            if value == 0.0 || !value.is_finite() {
                return false;
            }
            let [own, other] = &mut self.work;
            for (matrix, copy) in [(&mut self.matrix, &mut *own), (&mut self.inverse, &mut *other)] {
                let row = &mut matrix[k * most..k * most + s];
                row.iter_mut().for_each(|x| *x /= value);
                copy[..s].copy_from_slice(row);
            }
            for i in (0..s).filter(|&i| i != k) {
                let factor = -self.matrix[i * most + k];
                axpy(factor, &own[..s], &mut self.matrix[i * most..i * most + s]);
                axpy(factor, &other[..s], &mut self.inverse[i * most..i * most + s]);
            }
        }
        true
    }

    /// y += C⁻¹ x
    pub fn add_product(&self, x: &[f64], y: &mut [f64]) {
        for (a, y) in y.iter_mut().enumerate() {
            *y += dot(&self.inverse[a * self.most..a * self.most + x.len()], x);
        }
    }
}

/// Eight sums side by side, so that they need not wait for each other.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (mut left, mut right) = (a.chunks_exact(8), b.chunks_exact(8));
    for (a, b) in (&mut left).zip(&mut right) {
        (0..8).for_each(|k| sums[k] += a[k] * b[k]);
    }
    let rest: f64 = left.remainder().iter().zip(right.remainder()).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// y += factor x
fn axpy(factor: f64, x: &[f64], y: &mut [f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += factor * x);
}
