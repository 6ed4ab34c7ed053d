//! The bordered equations of mixed conditions, made ready for right-hand sides: factored where the matrices are dense,
//! with a preconditioner for iterations where they are compressed.

use faer::Mat;
use faer::linalg::solvers::{PartialPivLu, Solve};

use crate::solid::equations::{Equations, Role};
use crate::solid::iterate::{self, Leaves};
use crate::solid::{Compressed, Matrix, SolveError};

/// Least over greatest pivot of a matrix that is not singular.
const SINGULAR: f64 = 1e-14;

/// Makes right-hand sides into unknowns.
pub enum Solver {
    /// Dense: once for all.
    Factor(Factor),
    /// Compressed: by products.
    Iterate(Leaves),
}

/// A dense factor.
pub struct Factor(PartialPivLu<f64>);

impl Factor {
    /// Columns A⁻¹ b in place of columns b; the body must be held.
    pub fn solve(&self, columns: &mut Mat<f64>) {
        self.0.solve_in_place(columns);
    }

    fn new(equations: &Equations) -> Result<Factor, SolveError> {
        let (n, modes) = (equations.order(), equations.free_modes.len());
        let mut matrix = Mat::zeros(n + modes, n + modes);
        let mut column = vec![0.0; n];
        for j in 0..n {
            equations.column(j, Role::Unknown, &mut column);
            column.iter().enumerate().for_each(|(i, entry)| matrix[(i, j)] = *entry);
        }
        for k in 0..modes {
            for i in 0..n / 3 {
                let [motion, unknown] = equations.free_motion(k, i);
                for a in 0..3 {
                    (matrix[(3 * i + a, n + k)], matrix[(n + k, 3 * i + a)]) = (motion[a], unknown[a]);
                }
            }
        }
        let factor = matrix.partial_piv_lu();
        let pivots: Vec<f64> = (0..n + modes).map(|i| factor.U()[(i, i)].abs()).collect();
        let most = pivots.iter().fold(0.0, |most: f64, p| most.max(*p));
        match pivots.iter().all(|p| p.is_finite() && *p > SINGULAR * most) {
            true => Ok(Factor(factor)),
            false => Err(SolveError::Singular),
        }
    }
}

impl Solver {
    /// Makes the equations ready.
    pub fn new(equations: &Equations) -> Result<Solver, SolveError> {
        match (equations.operator.h(), equations.operator.g()) {
            (Matrix::Compressed(h), Matrix::Compressed(g)) => Ok(Solver::Iterate(leaves(equations, h, g))),
            _ => Ok(Solver::Factor(Factor::new(equations)?)),
        }
    }

    /// The unknowns, without the multipliers of rigid motions.
    pub fn solve(&self, equations: &Equations, right: &[f64]) -> Result<Vec<f64>, SolveError> {
        let (n, modes) = (equations.order(), equations.free_modes.len());
        let mut bordered = right.to_vec();
        bordered.resize(n + modes, 0.0);
        match self {
            Solver::Factor(factor) => {
                let mut x = Mat::from_fn(n + modes, 1, |i, _| bordered[i]);
                factor.solve(&mut x);
                Ok((0..n).map(|i| x[(i, 0)]).collect())
            }
            Solver::Iterate(leaves) => {
                let mut x = iterate::solve(|x, y| product(equations, x, y), leaves, &bordered)?;
                x.truncate(n);
                Ok(x)
            }
        }
    }
}

/// The bordered matrix times x.
fn product(equations: &Equations, x: &[f64], y: &mut [f64]) {
    let ((x, multipliers), (y, works)) = (x.split_at(equations.order()), y.split_at_mut(equations.order()));
    equations.apply(x, Role::Unknown, y);
    for (k, (multiplier, work)) in multipliers.iter().zip(works).enumerate() {
        *work = 0.0;
        for i in 0..x.len() / 3 {
            let [motion, unknown] = equations.free_motion(k, i);
            for a in 0..3 {
                y[3 * i + a] += motion[a] * multiplier;
                *work += unknown[a] * x[3 * i + a];
            }
        }
    }
}

/// The blocks between the unknowns of each leaf.
fn leaves(equations: &Equations, h: &Compressed, g: &Compressed) -> Leaves {
    Leaves::new(h.leaves().zip(g.leaves()).map(|((vertices, h), (_, g))| {
        let places: Vec<usize> = vertices.iter().flat_map(|&v| [3 * v, 3 * v + 1, 3 * v + 2]).collect();
        let width = places.len();
        let entry = |r: usize, c: usize| {
            let (block, factor) = match equations.moves(places[c], Role::Unknown) {
                true => (&h, 1.0),
                false => (&g, -equations.scale),
            };
            let axis = equations.conditions[places[c] / 3].frame.column(c % 3);
            factor * (0..3).map(|b| block[r * width + c - c % 3 + b] * axis[b]).sum::<f64>()
        };
        (places.clone(), Mat::from_fn(width, width, entry))
    }))
}
