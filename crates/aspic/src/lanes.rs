//! Small vectors and matrices on packs of eight elements.
//!
//! A law is written once, here, on [`Lanes`]: eight tetrahedra side by side in one register.
//! A single element is a pack of eight equal ones.

use std::ops::{Add, AddAssign, Mul, Sub};

use crate::Mat3;

/// Eight numbers, one per element of a pack.
pub type Lanes = wide::f64x8;
/// How many elements a pack holds.
pub const LANES: usize = 8;

/// Eight 3×3 matrices, `m[row][column]`.
#[derive(Clone, Copy, Debug)]
pub struct Mat3x8(pub [[Lanes; 3]; 3]);

/// The same number in every lane.
#[inline(always)]
pub fn splat(x: f64) -> Lanes {
    Lanes::splat(x)
}

impl Mat3x8 {
    /// All entries from a function of row and column.
    #[inline(always)]
    pub fn from_fn(f: impl Fn(usize, usize) -> Lanes) -> Self {
        Mat3x8([[f(0, 0), f(0, 1), f(0, 2)], [f(1, 0), f(1, 1), f(1, 2)], [f(2, 0), f(2, 1), f(2, 2)]])
    }

    /// The same matrix in every lane.
    pub fn splat(m: &Mat3) -> Self {
        Self::from_fn(|i, j| splat(m[(i, j)]))
    }

    /// The matrix of one lane.
    pub fn lane(&self, lane: usize) -> Mat3 {
        Mat3::from_fn(|i, j| self.0[i][j].to_array()[lane])
    }

    /// A B.
    #[inline(always)]
    pub fn times(&self, b: &Mat3x8) -> Mat3x8 {
        let a = &self.0;
        let b = &b.0;
        Self::from_fn(|i, j| a[i][0].mul_add(b[0][j], a[i][1].mul_add(b[1][j], a[i][2] * b[2][j])))
    }

    /// A Bᵀ.
    #[inline(always)]
    pub fn times_transpose(&self, b: &Mat3x8) -> Mat3x8 {
        let a = &self.0;
        let b = &b.0;
        Self::from_fn(|i, j| a[i][0].mul_add(b[j][0], a[i][1].mul_add(b[j][1], a[i][2] * b[j][2])))
    }

    /// Aᵀ B.
    #[inline(always)]
    pub fn transpose_times(&self, b: &Mat3x8) -> Mat3x8 {
        let a = &self.0;
        let b = &b.0;
        Self::from_fn(|i, j| a[0][i].mul_add(b[0][j], a[1][i].mul_add(b[1][j], a[2][i] * b[2][j])))
    }

    /// A x.
    #[inline(always)]
    pub fn times_vector(&self, x: &[Lanes; 3]) -> [Lanes; 3] {
        self.0.map(|row| row[0].mul_add(x[0], row[1].mul_add(x[1], row[2] * x[2])))
    }

    /// A x + y.
    #[inline(always)]
    pub fn times_vector_plus(&self, x: &[Lanes; 3], y: &[Lanes; 3]) -> [Lanes; 3] {
        std::array::from_fn(|i| {
            let row = &self.0[i];
            row[0].mul_add(x[0], row[1].mul_add(x[1], row[2].mul_add(x[2], y[i])))
        })
    }

    /// a ⊗ b, entries aᵢ bⱼ.
    #[inline(always)]
    pub fn outer(a: &[Lanes; 3], b: &[Lanes; 3]) -> Mat3x8 {
        Self::from_fn(|i, j| a[i] * b[j])
    }

    /// A + a ⊗ b.
    #[inline(always)]
    pub fn plus_outer(&self, a: &[Lanes; 3], b: &[Lanes; 3]) -> Mat3x8 {
        Self::from_fn(|i, j| a[i].mul_add(b[j], self.0[i][j]))
    }

    /// Aᵀ.
    #[inline(always)]
    pub fn transpose(&self) -> Mat3x8 {
        Self::from_fn(|i, j| self.0[j][i])
    }

    /// A : B = Σ Aᵢⱼ Bᵢⱼ, column by column: matrices that share their first columns share most of the sum.
    #[inline(always)]
    pub fn dot(&self, b: &Mat3x8) -> Lanes {
        let (a, b) = (&self.0, &b.0);
        (1..9).fold(a[0][0] * b[0][0], |sum, k| a[k % 3][k / 3].mul_add(b[k % 3][k / 3], sum))
    }

    /// tr A.
    #[inline(always)]
    pub fn trace(&self) -> Lanes {
        self.0[0][0] + self.0[1][1] + self.0[2][2]
    }

    /// cof A = det(A) A⁻ᵀ.
    #[inline(always)]
    pub fn cofactor(&self) -> Mat3x8 {
        let a = &self.0;
        Self::from_fn(|i, j| {
            let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
            a[i1][j1].mul_sub(a[i2][j2], a[i1][j2] * a[i2][j1])
        })
    }

    /// s A.
    #[inline(always)]
    pub fn scale(&self, s: Lanes) -> Mat3x8 {
        Self::from_fn(|i, j| s * self.0[i][j])
    }

    /// A + s I.
    #[inline(always)]
    pub fn plus_diagonal(mut self, s: Lanes) -> Mat3x8 {
        for i in 0..3 {
            self.0[i][i] += s;
        }
        self
    }

    /// s A + B.
    #[inline(always)]
    pub fn scale_add(&self, s: Lanes, b: &Mat3x8) -> Mat3x8 {
        Self::from_fn(|i, j| s.mul_add(self.0[i][j], b.0[i][j]))
    }
}

impl Add for Mat3x8 {
    type Output = Mat3x8;
    #[inline(always)]
    fn add(self, b: Mat3x8) -> Mat3x8 {
        Self::from_fn(|i, j| self.0[i][j] + b.0[i][j])
    }
}

impl AddAssign for Mat3x8 {
    #[inline(always)]
    fn add_assign(&mut self, b: Mat3x8) {
        *self = *self + b;
    }
}

impl Sub for Mat3x8 {
    type Output = Mat3x8;
    #[inline(always)]
    fn sub(self, b: Mat3x8) -> Mat3x8 {
        Self::from_fn(|i, j| self.0[i][j] - b.0[i][j])
    }
}

impl Mul for Mat3x8 {
    type Output = Mat3x8;
    #[inline(always)]
    fn mul(self, b: Mat3x8) -> Mat3x8 {
        self.times(&b)
    }
}
