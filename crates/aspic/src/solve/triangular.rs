//! Triangular solves with a Cholesky factor in panels.
//!
//! A panel holds neighbouring columns of L with one list of rows, dense and column by column: a square triangle on
//! top, the rest below. A solve reads L twice and does two flops per entry each time, so memory is its limit; four
//! columns at a time keep the right-hand side in registers.

use std::ops::{AddAssign, Mul, MulAssign, SubAssign};

use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;
use faer::traits::ComplexField;

/// The numbers a factor can be made of: `f64` or `f32`.
pub trait Precision:
    ComplexField + Copy + Into<f64> + Mul<Output = Self> + AddAssign + SubAssign + MulAssign + Default
{
    /// The nearest such number.
    fn of(number: f64) -> Self;
    /// self · a + b, rounded once.
    fn fused(self, a: Self, b: Self) -> Self;
    /// 1/self.
    fn inverse(self) -> Self;
}

impl Precision for f64 {
    fn of(number: f64) -> f64 {
        number
    }
    fn fused(self, a: f64, b: f64) -> f64 {
        self.mul_add(a, b)
    }
    fn inverse(self) -> f64 {
        1.0 / self
    }
}

impl Precision for f32 {
    fn of(number: f64) -> f32 {
        number as f32
    }
    fn fused(self, a: f32, b: f32) -> f32 {
        self.mul_add(a, b)
    }
    fn inverse(self) -> f32 {
        1.0 / self
    }
}

/// Columns taken together.
const WIDE: usize = 4;
/// Independent sums of a dot product.
const LANES: usize = 16;

/// A panel: its first unknown, its rows below the triangle, its columns.
struct Panel<'a, T> {
    start: usize,
    width: usize,
    rows: &'a [u32],
    values: &'a [T],
}

impl<T: Precision> Panel<'_, T> {
    /// Column k: `width` entries of the square on top, then one for each of the rows.
    #[inline(always)]
    fn column(&self, k: usize) -> &[T] {
        let height = self.width + self.rows.len();
        &self.values[k * height..(k + 1) * height]
    }
}

fn panel<'a, T>(symbolic: &'a SymbolicSupernodalCholesky<u32>, values: &'a [T], s: usize) -> Panel<'a, T> {
    let (rows, places) = (symbolic.col_ptr_for_row_idx(), symbolic.col_ptr_for_val());
    let (start, end) = (symbolic.supernode_begin()[s] as usize, symbolic.supernode_end()[s] as usize);
    Panel {
        start,
        width: end - start,
        rows: &symbolic.row_idx()[rows[s] as usize..rows[s + 1] as usize],
        values: &values[places[s] as usize..places[s + 1] as usize],
    }
}

/// Solves L y = b in place. `below` is scratch as long as `x`.
pub(super) fn forward<T: Precision>(
    symbolic: &SymbolicSupernodalCholesky<u32>,
    values: &[T],
    x: &mut [T],
    below: &mut [T],
) {
    for s in 0..symbolic.n_supernodes() {
        let p = panel(symbolic, values, s);
        let top = &mut x[p.start..p.start + p.width];
        let below = &mut below[..p.rows.len()];
        below.fill(T::of(0.0));
        let mut k = 0;
        while k < p.width {
            let wide = WIDE.min(p.width - k);
            for c in k..k + wide {
                let column = p.column(c);
                top[c] *= column[c].inverse();
                let y = top[c];
                (c + 1..k + wide).for_each(|i| top[i] -= column[i] * y);
            }
            let columns: [&[T]; WIDE] = std::array::from_fn(|c| p.column((k + c).min(k + wide - 1)));
            let y: [T; WIDE] = std::array::from_fn(|c| if c < wide { top[k + c] } else { T::of(0.0) });
            subtract(columns.map(|c| &c[k + wide..p.width]), y, &mut top[k + wide..]);
            subtract(columns.map(|c| &c[p.width..]), y, below);
            k += wide;
        }
        for (&i, &value) in p.rows.iter().zip(&*below) {
            x[i as usize] += value;
        }
    }
}

/// out −= Σ columns · y.
#[inline(always)]
fn subtract<T: Precision>(columns: [&[T]; WIDE], y: [T; WIDE], out: &mut [T]) {
    let [a, b, c, d] = columns.map(|column| &column[..out.len()]);
    let minus = T::of(-1.0);
    let y = y.map(|y| y * minus);
    for i in 0..out.len() {
        out[i] = a[i].fused(y[0], b[i].fused(y[1], c[i].fused(y[2], d[i].fused(y[3], out[i]))));
    }
}

/// Solves Lᵀ x = y in place. `below` is scratch as long as `x`.
pub(super) fn backward<T: Precision>(
    symbolic: &SymbolicSupernodalCholesky<u32>,
    values: &[T],
    x: &mut [T],
    below: &mut [T],
) {
    for s in (0..symbolic.n_supernodes()).rev() {
        let p = panel(symbolic, values, s);
        let below = &mut below[..p.rows.len()];
        for (value, &i) in below.iter_mut().zip(p.rows) {
            *value = x[i as usize];
        }
        let top = &mut x[p.start..p.start + p.width];
        let mut end = p.width;
        while end > 0 {
            let wide = WIDE.min(end);
            let first = end - wide;
            let columns: [&[T]; WIDE] = std::array::from_fn(|c| p.column(first + c.min(wide - 1)));
            let mut sums = dots(columns.map(|c| &c[p.width..]), below);
            let more = dots(columns.map(|c| &c[end..p.width]), &top[end..]);
            (0..WIDE).for_each(|c| sums[c] += more[c]);
            for c in (0..wide).rev() {
                let column = p.column(first + c);
                let mut value = top[first + c];
                value -= sums[c];
                (first + c + 1..end).for_each(|i| value -= column[i] * top[i]);
                top[first + c] = value * column[first + c].inverse();
            }
            end = first;
        }
    }
}

/// column · x for each of the columns, in independent sums that are always added in the same order.
#[inline(always)]
fn dots<T: Precision>(columns: [&[T]; WIDE], x: &[T]) -> [T; WIDE] {
    let whole = x.len() - x.len() % LANES;
    std::array::from_fn(|c| {
        let column = &columns[c][..x.len()];
        let mut sums = [T::of(0.0); LANES];
        for (a, x) in column[..whole].chunks_exact(LANES).zip(x[..whole].chunks_exact(LANES)) {
            (0..LANES).for_each(|k| sums[k] = a[k].fused(x[k], sums[k]));
        }
        for (k, (&a, &x)) in column[whole..].iter().zip(&x[whole..]).enumerate() {
            sums[k] = a.fused(x, sums[k]);
        }
        let mut half = LANES / 2;
        while half > 0 {
            (0..half).for_each(|k| sums[k] += sums[k + half]);
            half /= 2;
        }
        sums[0]
    })
}
