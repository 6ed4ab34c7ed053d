//! A quantity of a few points that a body tries to keep, on packs of eight.

use super::batch::{Batch, Element};
use super::order::spread;
use super::point_rows::PointRows;
use crate::lanes::{Lanes, Mat3x8, splat};

/// Eight vectors, one per element of a pack.
pub type Vec3x8 = [Lanes; 3];

/// An energy of N points, per unit of stiffness: ½ (C − C₀)² for most.
pub trait Keeper<const N: usize>: Clone + Send + Sync {
    /// ½ (C − C₀)² at the points x, with C₀ = `rest`.
    fn energy(&self, x: &[Vec3x8; N], rest: Lanes) -> Lanes;

    /// −∂/∂x of the energy.
    fn force(&self, x: &[Vec3x8; N], rest: Lanes) -> [Vec3x8; N];

    /// ∂²/∂xᵢ∂xⱼ of the energy made positive semidefinite, blocks in rows.
    fn curvature(&self, x: &[Vec3x8; N], rest: Lanes) -> [[Mat3x8; N]; N];

    /// C itself.
    fn value(&self, x: &[Vec3x8; N]) -> Lanes;

    /// An order in which packs go fast, and how many of the first packs come in twos that share points.
    fn order(elements: &[Element<N>]) -> (Vec<Element<N>>, usize) {
        (spread(elements), 0)
    }

    /// Adds the forces of all elements of a batch.
    fn add_forces(batch: &Batch<N, Self>, rows: &mut PointRows, memory: &[f64]) {
        batch.add_force_of(0..batch.packs(), rows, memory);
    }
}

#[inline(always)]
pub(super) fn minus(a: &Vec3x8, b: &Vec3x8) -> Vec3x8 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(super) fn plus(a: &Vec3x8, b: &Vec3x8) -> Vec3x8 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(super) fn times(a: &Vec3x8, s: Lanes) -> Vec3x8 {
    [a[0] * s, a[1] * s, a[2] * s]
}

#[inline(always)]
pub(super) fn dot(a: &Vec3x8, b: &Vec3x8) -> Lanes {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

#[inline(always)]
pub(super) fn cross(a: &Vec3x8, b: &Vec3x8) -> Vec3x8 {
    [a[1].mul_sub(b[2], a[2] * b[1]), a[2].mul_sub(b[0], a[0] * b[2]), a[0].mul_sub(b[1], a[1] * b[0])]
}

/// A square of a length that may be divided by. Points on top of each other have no direction; their force is zero.
#[inline(always)]
pub(super) fn divisible(square: Lanes) -> Lanes {
    square.max(splat(1e-300))
}

/// Σ ∇Cᵢ ∇Cⱼᵀ: the curvature of ½ (C − C₀)² near C₀, and never negative (Gauss and Newton).
pub(super) fn squares<const N: usize>(gradient: &[Vec3x8; N]) -> [[Mat3x8; N]; N] {
    std::array::from_fn(|i| std::array::from_fn(|j| Mat3x8::outer(&gradient[i], &gradient[j])))
}
