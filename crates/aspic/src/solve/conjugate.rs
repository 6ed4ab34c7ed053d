//! Preconditioned conjugate gradients for A x = b with A symmetric positive definite.
//!
//! The residual is measured as √(rᵀM⁻¹r), M being the preconditioner: it costs nothing extra, does not care
//! how stiff or heavy a node is, and is the energy norm of the error when M is A.

use rayon::prelude::*;

use super::Triple;
use crate::Vec3;

/// Nodes whose products are summed together; the sums of the chunks are added in their order.
pub(super) const CHUNK: usize = 1024;
/// Below this number of nodes one thread is faster than many.
const PARALLEL_NODES: usize = 8192;

/// What conjugate gradients need of A.
pub trait Operator<V = Vec3> {
    /// y = A x.
    fn multiply(&mut self, x: &[V], y: &mut [V]);
}

/// Something like A⁻¹: symmetric, positive definite, cheap.
pub trait Preconditioner<V = Vec3> {
    /// z = M⁻¹ r.
    fn apply(&mut self, r: &[V], z: &mut [V]);
}

/// How the iterations ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The residual is small enough.
    Converged,
    /// The allowed number of iterations is spent; x is the best so far.
    Capped,
    /// A direction p with pᵀAp ≤ 0, or a residual with rᵀM⁻¹r ≤ 0, or a number that is not finite, was met. x is what
    /// was found before: if b is finite and M positive, xᵀb > 0 still holds.
    NotPositive,
}

/// What a solve took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Products with A.
    pub iterations: usize,
    /// √(rᵀM⁻¹r) at the end over its value at the start; zero if b is zero.
    pub residual: f64,
    /// Why it ended.
    pub ending: Ending,
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Wanted reduction of √(rᵀM⁻¹r), relative to x = 0.
    pub tolerance: f64,
    /// Most iterations.
    pub cap: usize,
}

/// The vectors of the method, kept between solves.
#[derive(Clone, Debug, Default)]
pub struct Conjugate<V = Vec3> {
    residual: Vec<V>,
    preconditioned: Vec<V>,
    direction: Vec<V>,
    product: Vec<V>,
    sums: Vec<f64>,
}

impl<V: Triple + PartialEq> Conjugate<V> {
    /// Solves A x = `b` from x = 0 until √(rᵀM⁻¹r) has fallen as wanted.
    pub fn solve(
        &mut self,
        a: &mut impl Operator<V>,
        m: &mut (impl Preconditioner<V> + ?Sized),
        b: &[V],
        x: &mut [V],
        target: Target,
    ) -> Effort {
        let first = self.start(m, b, x);
        let mut square = first;
        let effort = |iterations, square: f64, ending| {
            let residual = if first > 0.0 { (square / first).sqrt() } else { 0.0 };
            Effort { iterations, residual, ending }
        };
        if square == 0.0 && b.iter().all(|b| *b == V::ZERO) {
            return effort(0, 0.0, Ending::Converged);
        }
        for iteration in 0..target.cap {
            if !is_positive(square) {
                return effort(iteration, square, Ending::NotPositive);
            }
            a.multiply(&self.direction, &mut self.product);
            let curvature = dot(&self.direction, &self.product, &mut self.sums);
            if !is_positive(curvature) {
                if iteration == 0 {
                    x.copy_from_slice(&self.direction);
                }
                return effort(iteration + 1, square, Ending::NotPositive);
            }
            let next = self.advance(m, square / curvature);
            let converged = next <= target.tolerance * target.tolerance * first;
            self.turn(x, square / curvature, next / square);
            square = next;
            if converged && square >= 0.0 {
                return effort(iteration + 1, square, Ending::Converged);
            }
        }
        effort(target.cap, square, Ending::Capped)
    }

    /// x = 0, r = b, p = M⁻¹ r; returns rᵀM⁻¹r.
    fn start(&mut self, m: &mut (impl Preconditioner<V> + ?Sized), b: &[V], x: &mut [V]) -> f64 {
        for vector in [&mut self.preconditioned, &mut self.direction, &mut self.product] {
            vector.resize(b.len(), V::ZERO);
        }
        x.fill(V::ZERO);
        self.residual.clear();
        self.residual.extend_from_slice(b);
        m.apply(&self.residual, &mut self.direction);
        dot(&self.residual, &self.direction, &mut self.sums)
    }

    /// r −= α A p, z = M⁻¹ r; returns rᵀz.
    fn advance(&mut self, m: &mut (impl Preconditioner<V> + ?Sized), alpha: f64) -> f64 {
        let back = V::number(-alpha);
        each_chunk(&mut self.residual, &mut self.product, |r, product| {
            r.iter_mut().zip(product).for_each(|(r, product)| *r = r.plus(back, *product));
        });
        m.apply(&self.residual, &mut self.preconditioned);
        dot(&self.residual, &self.preconditioned, &mut self.sums)
    }

    /// x += α p and p = z + β p in one sweep, so that p is read once.
    fn turn(&mut self, x: &mut [V], alpha: f64, beta: f64) {
        let (z, alpha, beta) = (&self.preconditioned, V::number(alpha), V::number(beta));
        let sweep = |x: &mut [V], p: &mut [V], z: &[V]| {
            for ((x, p), z) in x.iter_mut().zip(p).zip(z) {
                *x = x.plus(alpha, *p);
                *p = z.plus(beta, *p);
            }
        };
        if is_small(z.len()) {
            sweep(x, &mut self.direction, z);
        } else {
            let chunks = x.par_chunks_mut(CHUNK).zip(self.direction.par_chunks_mut(CHUNK));
            chunks.zip(z.par_chunks(CHUNK)).for_each(|((x, p), z)| sweep(x, p, z));
        }
    }
}

fn is_positive(number: f64) -> bool {
    number > 0.0 && number.is_finite()
}

/// Whether one thread should work alone on vectors of this length.
pub(super) fn is_small(nodes: usize) -> bool {
    nodes < PARALLEL_NODES || rayon::current_num_threads() == 1
}

/// Calls `work` on matching chunks of two vectors.
fn each_chunk<V: Send>(a: &mut [V], b: &mut [V], work: impl Fn(&mut [V], &mut [V]) + Send + Sync) {
    if is_small(a.len()) {
        work(a, b);
    } else {
        a.par_chunks_mut(CHUNK).zip(b.par_chunks_mut(CHUNK)).for_each(|(a, b)| work(a, b));
    }
}

/// a·b, summed in chunks of fixed length. `sums` is scratch.
pub(super) fn dot<V: Triple>(a: &[V], b: &[V], sums: &mut Vec<f64>) -> f64 {
    let chunk_dot = |(a, b): (&[V], &[V])| V::many_products(a, b);
    if is_small(a.len()) {
        return a.chunks(CHUNK).zip(b.chunks(CHUNK)).map(chunk_dot).sum();
    }
    sums.resize(a.len().div_ceil(CHUNK), 0.0);
    let chunks = a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK)).map(chunk_dot);
    sums.par_iter_mut().zip(chunks).for_each(|(sum, value)| *sum = value);
    sums.iter().sum()
}
