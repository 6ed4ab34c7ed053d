//! The three numbers of a node in a vector, in double or in single precision.

use std::ops::{Add, AddAssign};

use wide::f32x4;

use crate::Vec3;

/// Three numbers of a node.
pub trait Triple: Copy + Send + Sync + Add<Output = Self> + AddAssign {
    /// One of its numbers.
    type Number: Copy + Send + Sync + Into<f64>;
    /// Nothing.
    const ZERO: Self;

    /// A number, rounded.
    fn number(value: f64) -> Self::Number;
    /// The vector, rounded.
    fn of(vector: &Vec3) -> Self;
    /// The same in double precision.
    fn exact(self) -> Vec3;
    /// Number 0, 1 or 2.
    fn at(&self, axis: usize) -> Self::Number;
    /// self + scale · other.
    fn plus(self, scale: Self::Number, other: Self) -> Self;
    /// Σ aₖ · bₖ of a few.
    fn few_products(a: &[Self], b: &[Self]) -> Self::Number;
    /// Σ aₖ · bₖ of many, in several independent sums, because one sum would wait for itself.
    fn many_products(a: &[Self], b: &[Self]) -> f64;
}

impl Triple for Vec3 {
    type Number = f64;
    const ZERO: Vec3 = Vec3::new(0.0, 0.0, 0.0);

    #[inline(always)]
    fn number(value: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn of(vector: &Vec3) -> Vec3 {
        *vector
    }

    #[inline(always)]
    fn exact(self) -> Vec3 {
        self
    }

    #[inline(always)]
    fn at(&self, axis: usize) -> f64 {
        self[axis]
    }

    #[inline(always)]
    fn plus(self, scale: f64, other: Vec3) -> Vec3 {
        self + scale * other
    }

    #[inline(always)]
    fn few_products(a: &[Vec3], b: &[Vec3]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
    }

    fn many_products(a: &[Vec3], b: &[Vec3]) -> f64 {
        let mut sums = [Vec3::zeros(); 4];
        let (fours_a, fours_b) = (a.chunks_exact(4), b.chunks_exact(4));
        for (k, (a, b)) in fours_a.remainder().iter().zip(fours_b.remainder()).enumerate() {
            sums[k] += a.component_mul(b);
        }
        for (a, b) in fours_a.zip(fours_b) {
            (0..4).for_each(|k| sums[k] += a[k].component_mul(&b[k]));
        }
        ((sums[0] + sums[1]) + (sums[2] + sums[3])).sum()
    }
}

/// Three numbers and a zero.
impl Triple for f32x4 {
    type Number = f32;
    const ZERO: f32x4 = f32x4::ZERO;

    #[inline(always)]
    fn number(value: f64) -> f32 {
        value as f32
    }

    #[inline(always)]
    fn of(vector: &Vec3) -> f32x4 {
        f32x4::new([vector.x as f32, vector.y as f32, vector.z as f32, 0.0])
    }

    #[inline(always)]
    fn exact(self) -> Vec3 {
        let [x, y, z, _] = self.to_array();
        Vec3::new(x.into(), y.into(), z.into())
    }

    #[inline(always)]
    fn at(&self, axis: usize) -> f32 {
        self.as_array()[axis]
    }

    #[inline(always)]
    fn plus(self, scale: f32, other: f32x4) -> f32x4 {
        f32x4::splat(scale).mul_add(other, self)
    }

    #[inline(always)]
    fn few_products(a: &[f32x4], b: &[f32x4]) -> f32 {
        a.iter().zip(b).fold(f32x4::ZERO, |sum, (a, b)| a.mul_add(*b, sum)).reduce_add()
    }

    fn many_products(a: &[f32x4], b: &[f32x4]) -> f64 {
        let mut sums = [f32x4::ZERO; 8];
        let (eights_a, eights_b) = (a.chunks_exact(8), b.chunks_exact(8));
        for (k, (a, b)) in eights_a.remainder().iter().zip(eights_b.remainder()).enumerate() {
            sums[k] = a.mul_add(*b, sums[k]);
        }
        for (a, b) in eights_a.zip(eights_b) {
            (0..8).for_each(|k| sums[k] = a[k].mul_add(b[k], sums[k]));
        }
        sums.iter().map(|sum| f64::from(sum.reduce_add())).sum()
    }
}
