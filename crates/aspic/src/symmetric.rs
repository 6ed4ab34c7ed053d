//! Symmetric 3×3 matrices on packs of eight: six numbers instead of nine.

use crate::lanes::{Lanes, Mat3x8};

/// Eight symmetric 3×3 matrices.
#[derive(Clone, Copy, Debug)]
pub struct Sym3x8 {
    /// Entries (0,0), (1,1), (2,2).
    pub diagonal: [Lanes; 3],
    /// Entries (1,2), (2,0), (0,1): number k lies in the plane across axis k.
    pub off: [Lanes; 3],
}

/// Σₖ Aₖᵢ Bₖⱼ.
#[inline(always)]
fn columns_dot(a: &Mat3x8, i: usize, b: &Mat3x8, j: usize) -> Lanes {
    a.0[0][i].mul_add(b.0[0][j], a.0[1][i].mul_add(b.0[1][j], a.0[2][i] * b.0[2][j]))
}

impl Sym3x8 {
    /// FᵀF: 18 operations.
    #[inline(always)]
    pub fn gram(f: &Mat3x8) -> Self {
        let entry = |i, j| columns_dot(f, i, f, j);
        Sym3x8 {
            diagonal: [entry(0, 0), entry(1, 1), entry(2, 2)],
            off: [entry(1, 2), entry(2, 0), entry(0, 1)],
        }
    }

    /// The entry in row i and column j.
    #[inline(always)]
    pub fn entry(&self, i: usize, j: usize) -> Lanes {
        if i == j { self.diagonal[i] } else { self.off[3 - i - j] }
    }

    /// tr A.
    #[inline(always)]
    pub fn trace(&self) -> Lanes {
        self.diagonal[0] + self.diagonal[1] + self.diagonal[2]
    }

    /// A : A.
    #[inline(always)]
    pub fn norm_squared(&self) -> Lanes {
        let (d, o) = (&self.diagonal, &self.off);
        let twice = o[0].mul_add(o[0], o[1].mul_add(o[1], o[2] * o[2]));
        d[0].mul_add(d[0], d[1].mul_add(d[1], d[2].mul_add(d[2], twice + twice)))
    }

    /// The sum of the principal 2×2 minors, ½((tr A)² − A : A).
    #[inline(always)]
    pub fn minors(&self) -> Lanes {
        let (d, o) = (&self.diagonal, &self.off);
        let products = d[0].mul_add(d[1], d[1].mul_add(d[2], d[2] * d[0]));
        o[0].mul_neg_add(o[0], o[1].mul_neg_add(o[1], o[2].mul_neg_add(o[2], products)))
    }

    /// det A.
    #[inline(always)]
    pub fn determinant(&self) -> Lanes {
        let (d, o) = (&self.diagonal, &self.off);
        let c0 = d[1].mul_sub(d[2], o[0] * o[0]);
        let c1 = o[0].mul_sub(o[1], o[2] * d[2]);
        let c2 = o[2].mul_sub(o[0], d[1] * o[1]);
        d[0].mul_add(c0, o[2].mul_add(c1, o[1] * c2))
    }

    /// s A.
    #[inline(always)]
    pub fn scale(&self, s: Lanes) -> Self {
        Sym3x8 { diagonal: self.diagonal.map(|x| s * x), off: self.off.map(|x| s * x) }
    }

    /// A + s I.
    #[inline(always)]
    pub fn plus_diagonal(&self, s: Lanes) -> Self {
        Sym3x8 { diagonal: self.diagonal.map(|x| x + s), off: self.off }
    }

    /// F A: 27 operations. The diagonal of A comes last: it is often what is known last.
    #[inline(always)]
    pub fn left_times(&self, f: &Mat3x8) -> Mat3x8 {
        Mat3x8::from_fn(|i, j| {
            let (f, next, last) = (&f.0[i], (j + 1) % 3, (j + 2) % 3);
            let off = f[next].mul_add(self.entry(next, j), f[last] * self.entry(last, j));
            f[j].mul_add(self.diagonal[j], off)
        })
    }

    /// A with all nine entries.
    #[inline(always)]
    pub fn full(&self) -> Mat3x8 {
        Mat3x8::from_fn(|i, j| self.entry(i, j))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mat3;
    use crate::lanes::splat;

    const F: Mat3 = Mat3::new(1.1, 0.2, -0.1, 0.05, 0.9, 0.15, 0.3, -0.1, 1.2);

    #[test]
    fn six_numbers_hold_the_same_matrix_as_nine() {
        let f = Mat3x8::splat(&F);
        let packed = Sym3x8::gram(&f).plus_diagonal(splat(-0.4)).scale(splat(1.5));
        let full = (F.transpose() * F - 0.4 * Mat3::identity()) * 1.5;
        assert!((packed.full().lane(5) - full).norm() < 1e-15);
        assert!((packed.left_times(&f).lane(2) - F * full).norm() < 1e-15);
    }

    #[test]
    fn invariants_match_the_full_matrix() {
        let packed = Sym3x8::gram(&Mat3x8::splat(&F));
        let full = F.transpose() * F;
        let close = |x: Lanes, y: f64| assert!((x.to_array()[3] - y).abs() < 1e-14, "{x:?} {y}");
        close(packed.trace(), full.trace());
        close(packed.norm_squared(), full.norm_squared());
        close(packed.minors(), (full.trace().powi(2) - full.norm_squared()) / 2.0);
        close(packed.determinant(), full.determinant());
    }
}
