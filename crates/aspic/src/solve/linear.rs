//! The linear systems of implicit steps.

use super::{BlockJacobi, BlockMatrix, Conjugate, Direct, Effort, Operator, RankOnes, Target};
use crate::Vec3;

/// How linear systems are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Whatever took the fewest products so far.
    #[default]
    Auto,
    /// Conjugate gradients on a Cholesky factor that is renewed when it is too old.
    Direct,
    /// Conjugate gradients on the diagonal blocks.
    Jacobi,
}

/// Iterations after which a factor is too old.
const STALE: usize = 15;
/// Most iterations of one solve.
const CAP: usize = 2000;

/// A solver and what it remembers.
pub struct LinearSolver {
    choice: Choice,
    conjugate: Conjugate,
    jacobi: BlockJacobi,
    direct: Option<Direct<f64>>,
    free: Vec<bool>,
    stale: bool,
}

struct Masked<'a> {
    matrix: &'a BlockMatrix,
    terms: &'a mut RankOnes,
    free: &'a [bool],
}

impl Operator for Masked<'_> {
    fn multiply(&mut self, x: &[Vec3], y: &mut [Vec3]) {
        self.matrix.multiply(x, y);
        self.terms.add_product(x, y);
        y.iter_mut().zip(self.free).filter(|(_, free)| !**free).for_each(|(y, _)| *y = Vec3::zeros());
    }
}

impl LinearSolver {
    /// Nothing solved yet.
    pub fn new(choice: Choice) -> LinearSolver {
        LinearSolver {
            choice,
            conjugate: Conjugate::default(),
            jacobi: BlockJacobi::default(),
            direct: None,
            free: vec![],
            stale: true,
        }
    }

    /// Solves (`matrix` + Σ z zᵀ) x = b on the free nodes; `b` must be zero on the others.
    pub fn solve(
        &mut self,
        matrix: &BlockMatrix,
        terms: &mut RankOnes,
        free: &[bool],
        b: &[Vec3],
        x: &mut [Vec3],
        tolerance: f64,
    ) -> Effort {
        let target = Target { tolerance, cap: CAP };
        if self.choice == Choice::Jacobi {
            self.jacobi.update(matrix, terms);
            let mut operator = Masked { matrix, terms, free };
            return self.conjugate.solve(&mut operator, &mut self.jacobi, b, x, target);
        }
        if self.free != free || self.direct.is_none() {
            self.free = free.to_vec();
            self.direct = Direct::analyse(matrix, free).ok();
            self.stale = true;
        }
        let Some(direct) = &mut self.direct else {
            self.choice = Choice::Jacobi;
            return self.solve(matrix, terms, free, b, x, tolerance);
        };
        if self.stale {
            let _ = direct.refactor(matrix);
        }
        let mut operator = Masked { matrix, terms, free };
        let effort = self.conjugate.solve(&mut operator, direct, b, x, target);
        self.stale = effort.iterations > STALE;
        effort
    }
}
