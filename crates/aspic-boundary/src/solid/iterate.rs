//! Mixed conditions on compressed matrices: GMRES (Saad & Schultz 1986) with the leaves of the tree as preconditioner.
//!
//! A M⁻¹ z = b with x = M⁻¹ z, where M keeps only the blocks between the vertices of each leaf. Right preconditioning
//! leaves the residual what it is, so the stop is an honest one.

use faer::Mat;
use faer::linalg::solvers::{PartialPivLu, Solve};

use crate::solid::SolveError;

/// Residual, as a part of the right-hand side, at which the answer is good.
pub const CONVERGED: f64 = 1e-11;
/// Most directions, which are all kept.
const MOST: usize = 400;

/// M⁻¹: a factor for each leaf; unknowns that belong to none are left as they are.
pub struct Leaves {
    leaves: Vec<(Vec<usize>, PartialPivLu<f64>)>,
}

impl Leaves {
    /// From the unknowns of each leaf and their matrix.
    pub fn new(leaves: impl Iterator<Item = (Vec<usize>, Mat<f64>)>) -> Leaves {
        Leaves { leaves: leaves.map(|(places, matrix)| (places, matrix.partial_piv_lu())).collect() }
    }

    fn apply(&self, x: &mut [f64]) {
        for (places, factor) in &self.leaves {
            let mut own = Mat::from_fn(places.len(), 1, |k, _| x[places[k]]);
            factor.solve_in_place(&mut own);
            places.iter().enumerate().for_each(|(k, &place)| x[place] = own[(k, 0)]);
        }
    }
}

/// Solves A x = right, with y = A x by `product`.
pub fn solve(
    product: impl Fn(&[f64], &mut [f64]),
    leaves: &Leaves,
    right: &[f64],
) -> Result<Vec<f64>, SolveError> {
    let size = norm(right);
    if size == 0.0 {
        return Ok(vec![0.0; right.len()]);
    }
    let mut basis = vec![right.iter().map(|r| r / size).collect::<Vec<f64>>()];
    let mut triangle = Triangle { columns: vec![], turns: vec![], right: vec![size] };
    loop {
        let residual = triangle.residual();
        if residual <= CONVERGED * size {
            break;
        }
        if basis.len() > MOST || !residual.is_finite() {
            return Err(SolveError::NotConverged {
                directions: triangle.columns.len(),
                residual: residual / size,
            });
        }
        let (mut direction, mut next) = (basis[basis.len() - 1].clone(), vec![0.0; right.len()]);
        leaves.apply(&mut direction);
        product(&direction, &mut next);
        let mut column = orthogonalise(&basis, &mut next);
        let length = norm(&next);
        column.push(length);
        triangle.add(column);
        if length > 0.0 {
            next.iter_mut().for_each(|x| *x /= length);
        }
        basis.push(next);
    }
    let mut x = vec![0.0; right.len()];
    for (factor, direction) in triangle.solve().iter().zip(&basis) {
        x.iter_mut().zip(direction).for_each(|(x, d)| *x += factor * d);
    }
    leaves.apply(&mut x);
    if x.iter().all(|x| x.is_finite()) { Ok(x) } else { Err(SolveError::Singular) }
}

/// Takes the parts along all directions out, twice: once is not enough in floating point. Returns them.
fn orthogonalise(basis: &[Vec<f64>], vector: &mut [f64]) -> Vec<f64> {
    let mut parts = vec![0.0; basis.len()];
    for _ in 0..2 {
        for (part, direction) in parts.iter_mut().zip(basis) {
            let along: f64 = direction.iter().zip(&*vector).map(|(a, b)| a * b).sum();
            *part += along;
            vector.iter_mut().zip(direction).for_each(|(x, d)| *x -= along * d);
        }
    }
    parts
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The Hessenberg matrix of the directions, turned into a triangle by rotations of neighbouring rows as it grows.
struct Triangle {
    columns: Vec<Vec<f64>>,
    /// Cosine and sine of each rotation.
    turns: Vec<[f64; 2]>,
    /// The turned right-hand side; its last entry is the residual.
    right: Vec<f64>,
}

impl Triangle {
    fn residual(&self) -> f64 {
        self.right[self.right.len() - 1].abs()
    }

    fn add(&mut self, mut column: Vec<f64>) {
        for (k, [c, s]) in self.turns.iter().enumerate() {
            let [a, b] = [column[k], column[k + 1]];
            (column[k], column[k + 1]) = (c * a + s * b, c * b - s * a);
        }
        let last = self.turns.len();
        let [a, b] = [column[last], column[last + 1]];
        let length = a.hypot(b);
        let [c, s] = if length == 0.0 { [1.0, 0.0] } else { [a / length, b / length] };
        column[last] = length;
        column.pop();
        let rest = self.right[last];
        self.right[last] = c * rest;
        self.right.push(-s * rest);
        self.turns.push([c, s]);
        self.columns.push(column);
    }

    /// How much of each direction.
    fn solve(&self) -> Vec<f64> {
        let n = self.columns.len();
        let mut y = self.right[..n].to_vec();
        for k in (0..n).rev() {
            y[k] /= self.columns[k][k];
            for i in 0..k {
                y[i] -= self.columns[k][i] * y[k];
            }
        }
        y
    }
}

#[cfg(test)]
#[path = "iterate_tests.rs"]
mod tests;
