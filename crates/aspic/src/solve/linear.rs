//! The linear system of an implicit step, and who solves it.
//!
//! All methods are conjugate gradients and differ in the preconditioner. Measured on cantilevers and cubes of 1e3 to
//! 1e5 tetrahedra (`benches/linear.rs`), patches beat block Jacobi and the factor at every size, soft or stiff; so
//! they are what `Auto` takes. The factor remains for the odd body that patches serve badly.
//!
//! Decisions depend on counts inside the present step only: a run that is resumed at a step takes the same ones.

use super::{
    BlockJacobi, BlockMatrix, Conjugate, Direct, Effort, Ending, FactorError, Operator, RankOnes, Rough,
    Target, TwoLevel,
};
use crate::Vec3;

/// `Auto` goes from patches to the factor when a solve took more iterations than this.
const PATCH_PATIENCE: usize = 150;
/// The factor is made anew when a solve with the old one took more iterations than this.
const FACTOR_PATIENCE: usize = 15;

/// The rigid motions of patches are made anew when a solve took so many times the iterations of fresh ones.
const PATCHES_AGE: f64 = 1.5;

/// Solutions to this relative accuracy or less need single precision only.
const ROUGH: f64 = 1e-4;
/// Forces from here on are not for single precision, nor are those that are not finite  \[N\]
const LARGEST: f64 = 1e30;

/// How to solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Patches, and the factor if they fail to help.
    #[default]
    Auto,
    /// Every node alone.
    Jacobi,
    /// Every node alone, plus rigid motions of patches of nodes.
    Patches,
    /// A Cholesky factor of the matrix, without the contacts, in single precision; used until it is too old.
    Factor,
}

/// A = matrix + Σ z zᵀ.
pub struct System<'a> {
    /// Mass and elasticity  \[N/m\]
    pub matrix: &'a BlockMatrix,
    /// Contact and friction.
    pub terms: &'a mut RankOnes,
}

impl Operator for System<'_> {
    fn multiply(&mut self, x: &[Vec3], y: &mut [Vec3]) {
        self.matrix.multiply(x, y);
        self.terms.add_product(x, y);
    }
}

/// Solves the systems of one world; what can be kept between solves is kept.
pub struct LinearSolver {
    choice: Choice,
    /// What is in use, never `Auto`.
    using: Choice,
    /// What the next matrix will be prepared for.
    next: Choice,
    /// Nodes that are not held, as the methods below were made for.
    free: Vec<bool>,
    /// Number of blocks of the matrix they were made for.
    blocks: usize,
    /// What solves roughly, and whether it may stand for the present matrix; none before that is known.
    rough: Rough,
    rounded: Option<bool>,
    jacobi: BlockJacobi,
    patches: Option<TwoLevel>,
    factor: Option<Direct<f32>>,
    /// Iterations that the factor of this step took last; none before it is made.
    factor_took: Option<usize>,
    /// Iterations per digit that the rigid motions of patches took when they were fresh; none before this step's.
    patches_took: Option<f64>,
    /// Whether they were made for the present matrix, and whether they have become too old.
    patches_fresh: bool,
    patches_stale: bool,
    conjugate: Conjugate,
}

impl LinearSolver {
    /// A solver for systems of one pattern; take a new one when the pattern changes.
    pub fn new(choice: Choice) -> LinearSolver {
        let mut solver = LinearSolver {
            choice,
            using: Choice::Jacobi,
            next: Choice::Jacobi,
            free: vec![],
            blocks: 0,
            rough: Rough::default(),
            rounded: None,
            jacobi: BlockJacobi::default(),
            patches: None,
            factor: None,
            factor_took: None,
            patches_took: None,
            patches_fresh: false,
            patches_stale: false,
            conjugate: Conjugate::default(),
        };
        solver.begin_step();
        solver
    }

    /// What solves: the choice, or what `Auto` or the lack of a positive matrix made of it.
    pub fn using(&self) -> Choice {
        self.using
    }

    /// Forgets what was learnt in the steps before, so that a resumed run goes the same way.
    pub fn begin_step(&mut self) {
        self.next = if self.choice == Choice::Auto { Choice::Patches } else { self.choice };
        self.factor_took = None;
        self.patches_took = None;
    }

    /// Takes a matrix, constrained to the `free` nodes, with the nodes at `positions` \[m\]; `is_new` says whether it
    /// has other numbers than the last time.
    ///
    /// A matrix that the method cannot take, because it is not positive definite, is left to block Jacobi.
    pub fn prepare(
        &mut self,
        matrix: &BlockMatrix,
        terms: &RankOnes,
        free: &[bool],
        positions: &[Vec3],
        is_new: bool,
    ) {
        if is_new {
            self.rounded = None;
        }
        if self.free != free || self.blocks != matrix.blocks().len() {
            self.free.clear();
            self.free.extend_from_slice(free);
            self.blocks = matrix.blocks().len();
            (self.patches, self.factor, self.factor_took) = (None, None, None);
            self.patches_took = None;
        }
        self.using = self.next;
        let ready = match self.using {
            Choice::Patches => self.prepare_patches(matrix, terms, positions).is_ok(),
            Choice::Factor => self.prepare_factor(matrix).is_ok(),
            Choice::Auto | Choice::Jacobi => false,
        };
        if !ready {
            self.use_jacobi(matrix, terms);
        }
    }

    fn prepare_patches(
        &mut self,
        matrix: &BlockMatrix,
        terms: &RankOnes,
        positions: &[Vec3],
    ) -> Result<(), FactorError> {
        if self.patches.is_none() {
            self.patches = Some(TwoLevel::new(matrix, &self.free, patch_size(matrix.len()))?);
        }
        let Some(patches) = &mut self.patches else { return Ok(()) };
        self.patches_fresh = self.patches_took.is_none() || self.patches_stale;
        if self.patches_fresh {
            patches.update(matrix, terms, positions, self.patches_took.is_none())
        } else {
            patches.refresh(matrix, terms)
        }
    }

    fn prepare_factor(&mut self, matrix: &BlockMatrix) -> Result<(), FactorError> {
        if self.factor_took.is_some_and(|took| took <= FACTOR_PATIENCE) {
            return Ok(());
        }
        if self.factor.is_none() {
            self.factor = Some(Direct::analyse(matrix, &self.free)?);
        }
        self.factor_took = None;
        self.factor.as_mut().map_or(Ok(()), |factor| factor.refactor(matrix))
    }

    fn use_jacobi(&mut self, matrix: &BlockMatrix, terms: &RankOnes) {
        self.using = Choice::Jacobi;
        self.jacobi.update(matrix, terms);
    }

    /// Solves (matrix + Σ z zᵀ) x = b from x = 0, with the matrix and the terms that were prepared. Held nodes must
    /// have b = 0.
    pub fn solve(
        &mut self,
        matrix: &BlockMatrix,
        terms: &mut RankOnes,
        b: &[Vec3],
        x: &mut [Vec3],
        target: Target,
    ) -> Effort {
        let effort = self.attempt(matrix, terms, b, x, target);
        if effort.ending == Ending::NotPositive && self.using != Choice::Jacobi {
            self.use_jacobi(matrix, terms);
            self.rounded = Some(false);
            let second = self.attempt(matrix, terms, b, x, target);
            return Effort { iterations: effort.iterations + second.iterations, ..second };
        }
        if self.using == Choice::Patches {
            let rate = effort.iterations as f64 / -target.tolerance.log10().min(-0.1);
            if self.patches_fresh {
                self.patches_took = Some(rate);
            }
            self.patches_stale = self.patches_took.is_some_and(|fresh| rate > PATCHES_AGE * fresh);
        }
        if self.using == Choice::Factor {
            self.factor_took = Some(effort.iterations);
        }
        // Without the contacts, the factor needs an iteration for each of them.
        let patience = PATCH_PATIENCE.max(terms.len());
        if self.choice == Choice::Auto && effort.iterations > patience {
            self.next = Choice::Factor;
        }
        effort
    }

    /// Rounds the matrix, unless it is done or must not be; returns whether there is a rounded one.
    fn take(&mut self, matrix: &BlockMatrix) -> bool {
        *self.rounded.get_or_insert_with(|| self.rough.take(matrix))
    }

    fn attempt(
        &mut self,
        matrix: &BlockMatrix,
        terms: &mut RankOnes,
        b: &[Vec3],
        x: &mut [Vec3],
        target: Target,
    ) -> Effort {
        let finite = || b.iter().all(|b| b.amax() < LARGEST);
        if target.tolerance >= ROUGH && self.using != Choice::Factor && finite() && self.take(matrix) {
            return match (self.using, &mut self.patches) {
                (Choice::Patches, Some(patches)) => self.rough.solve(terms, patches, b, x, target),
                _ => self.rough.solve(terms, &mut self.jacobi, b, x, target),
            };
        }
        let a = &mut System { matrix, terms };
        match (self.using, &mut self.patches, &mut self.factor) {
            (Choice::Patches, Some(patches), _) => self.conjugate.solve(a, patches, b, x, target),
            (Choice::Factor, _, Some(factor)) => self.conjugate.solve(a, factor, b, x, target),
            _ => self.conjugate.solve(a, &mut self.jacobi, b, x, target),
        }
    }
}

/// Nodes in a patch: few where the coarse solve is cheap, more in larger bodies, and never more than 400 patches, which
/// would make the coarse solve as dear as the product.
fn patch_size(nodes: usize) -> usize {
    (nodes / 100).clamp(32, 64).max(nodes / 400)
}
