//! The positive part of the Hessian of a repulsion, as a sum of at most three squares.
//!
//! The exact Hessian of φ(d) is φ″ g gᵀ + φ′ ∇²d with g = ∇d = c ⊗ n. Since φ′ ≤ 0 the second part pushes towards
//! indefinite. With T = ∂δ/∂u and D = ∂c/∂u of the free parameters u, G = (TᵀT)⁻¹, A = c ⊗ T and N = D ⊗ n,
//!
//! ```text
//! φ′ ∇²d = |φ′| (N G Aᵀ + A G Nᵀ + d N G Nᵀ) + a negative rest
//! ```
//!
//! A and N are orthogonal, so after T is made orthonormal and turned until the columns of N are orthogonal, it splits
//! into 2 × 2 blocks ((0, a v), (a v, d v²)), each with one positive eigenvalue λ = (d v² + √(d²v⁴ + 4a²v²))/2.
//! Keeping those gives H⁺, the exact eigenvalue clamp of φ′ ∇²d, and H⁺ minus the exact Hessian is positive.

use super::{Closest, Free, Parameter};
use crate::Vec3;

/// Below this sine between two tangents the second one is left out.
const PARALLEL: f64 = 1e-8;

/// H⁺ = Σ z zᵀ: the sum of a few squares of vectors with four places of three.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankOnes {
    /// How many vectors count.
    pub count: usize,
    /// z, with the scale folded in  \[√(N/m)\]
    pub vectors: [[Vec3; 4]; 3],
}

impl RankOnes {
    /// The sum of no squares.
    #[inline]
    pub fn none() -> Self {
        RankOnes { count: 0, vectors: [[Vec3::zeros(); 4]; 3] }
    }

    /// The vectors that count  \[√(N/m)\].
    #[inline]
    pub fn active(&self) -> &[[Vec3; 4]] {
        &self.vectors[..self.count]
    }

    /// Adds a vector; there is place for three.
    #[inline]
    pub(super) fn push(&mut self, vector: [Vec3; 4]) {
        self.vectors[self.count] = vector;
        self.count += 1;
    }
}

/// H⁺ of a repulsion with `slope` k m φ′ ≤ 0 \[N\] and `curvature` k m φ″ ≥ 0 \[N/m\] at the closest points.
#[inline]
pub fn hessian(closest: &Closest, slope: f64, curvature: f64) -> RankOnes {
    let (c, d, n) = (&closest.weights, closest.distance(), closest.normal());
    let mut squares = RankOnes::none();
    let radial = curvature.max(0.0).sqrt();
    squares.push(c.map(|weight| radial * weight * n));
    let force = (-slope).max(0.0);
    for column in columns(&closest.free).into_iter().flatten() {
        squares.push(bend(c, d, &n, &column, force));
    }
    squares
}

/// √(force λ) z of one 2 × 2 block: z = p c ⊗ t + q e ⊗ n with t = `column.tangent` of length 1, e = `column.rates`.
#[inline]
fn bend(c: &[f64; 4], d: f64, n: &Vec3, column: &Parameter, force: f64) -> [Vec3; 4] {
    let square = |w: &[f64; 4]| w.iter().map(|w| w * w).sum::<f64>();
    let (a2, v2) = (square(c), square(&column.rates));
    let lambda = 0.5 * (d * v2 + (d * d * v2 * v2 + 4.0 * a2 * v2).sqrt());
    // the eigenvector (a v, λ)/length in the basis (c ⊗ t/a, e ⊗ n/v), times the root of its weight
    let scale = (force * lambda / (a2 * v2 + lambda * lambda)).sqrt();
    let v = v2.sqrt();
    let (p, q) = (scale * v, scale * lambda / v);
    std::array::from_fn(|i| p * c[i] * column.tangent + q * column.rates[i] * n)
}

/// T made orthonormal, with the same column operations on D, turned until the columns of D are orthogonal too.
#[inline]
fn columns(free: &Free) -> [Option<Parameter>; 2] {
    match free {
        Free::None => [None, None],
        Free::One(only) => [unit(only), None],
        Free::Two([first, second]) => match (unit(first), unit(second)) {
            (Some(t0), Some(t1)) => orthogonal(&t0, &t1),
            (t0, t1) => [t0.or(t1), None],
        },
    }
}

/// s₀ a + s₁ b, tangent and rates alike.
#[inline]
fn combine(s0: f64, a: &Parameter, s1: f64, b: &Parameter) -> Parameter {
    Parameter {
        tangent: s0 * a.tangent + s1 * b.tangent,
        rates: std::array::from_fn(|i| s0 * a.rates[i] + s1 * b.rates[i]),
    }
}

#[inline]
fn unit(column: &Parameter) -> Option<Parameter> {
    let length = column.tangent.norm();
    (length > 0.0).then(|| combine(1.0 / length, column, 0.0, column))
}

/// `t0` and `t1` have length 1.
#[inline]
fn orthogonal(t0: &Parameter, t1: &Parameter) -> [Option<Parameter>; 2] {
    let across = combine(1.0, t1, -t1.tangent.dot(&t0.tangent), t0);
    if across.tangent.norm() < PARALLEL {
        return [Some(*t0), None];
    }
    let Some(t1) = unit(&across) else { return [Some(*t0), None] };
    let dot = |a: &Parameter, b: &Parameter| -> f64 { (0..4).map(|i| a.rates[i] * b.rates[i]).sum() };
    let twice = (2.0 * dot(t0, &t1)).atan2(dot(t0, t0) - dot(&t1, &t1));
    let (sin, cos) = (0.5 * twice).sin_cos();
    [Some(combine(cos, t0, sin, &t1)), Some(combine(-sin, t0, cos, &t1))]
}

#[cfg(test)]
#[path = "hessian_tests.rs"]
mod tests;
