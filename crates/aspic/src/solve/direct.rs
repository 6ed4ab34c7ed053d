//! Sparse Cholesky factor of a block matrix, refactored many times on one pattern.
//!
//! Nodes are ordered, not unknowns: the graph is three times smaller and the three unknowns of a node stay together.
//! faer factors in dense panels; the triangular solves are in [`super::triangular`].

use faer::Side;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::amd;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::linalg::{SupernodalThreshold, SymbolicSupernodalParams};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};

use super::triangular::{self, Precision};
use super::{BlockMatrix, FactorError, Preconditioner};
use crate::Vec3;

/// Columns are joined to panels up to this number of columns with this share of zeros: wide panels cost some work on
/// zeros and save more in the sums between panels.
const RELAX: &[(usize, f64)] = &[(24, 1.0), (48, 0.8), (96, 0.5), (usize::MAX, 0.1)];

/// P A Pᵀ = L Lᵀ of the rows and columns of free nodes, in numbers of the type `T`.
///
/// In single precision the factor is a preconditioner of half the size.
pub struct Direct<T = f64> {
    /// Node at each place of the factor.
    order: Vec<u32>,
    /// Nodes that are held, which pass through unchanged.
    held: Vec<u32>,
    /// Lower triangle of P A Pᵀ, column by column.
    pattern: SymbolicSparseColMat<u32>,
    /// Where the first column of each node's columns finds its blocks: (block, whether on the diagonal).
    sources: Vec<(u32, bool)>,
    /// Where the blocks of each node of `order` begin in `sources`  (order + 1)
    source_starts: Vec<usize>,
    entries: Vec<T>,
    symbolic: SymbolicCholesky<u32>,
    factor: Vec<T>,
    memory: MemBuffer,
    work: Vec<T>,
    panel: Vec<T>,
}

impl<T: Precision> Direct<T> {
    /// Orders the free nodes and finds the pattern of the factor; [`Direct::refactor`] must follow.
    pub fn analyse(matrix: &BlockMatrix, free: &[bool]) -> Result<Self, FactorError> {
        let (kept, held) = (0..matrix.len() as u32).partition(|&i| free[i as usize]);
        let order = fill_reducing_order(matrix, kept)?;
        let mut rank = vec![u32::MAX; matrix.len()];
        order.iter().enumerate().for_each(|(new, &old)| rank[old as usize] = new as u32);
        let n = 3 * order.len();
        let upper = scalar_pattern(matrix, &order, &rank, Side::Upper)?;
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            supernodal_params: SymbolicSupernodalParams { relax: Some(RELAX) },
            ..Default::default()
        };
        let symbolic =
            factorize_symbolic_cholesky(upper.as_ref(), Side::Upper, SymmetricOrdering::Identity, params)
                .map_err(|_| FactorError::TooLarge)?;
        let pattern = scalar_pattern(matrix, &order, &rank, Side::Lower)?;
        let (sources, source_starts) = sources(matrix, &order, &rank);
        let need = symbolic.factorize_numeric_llt_scratch::<T>(faer::Par::Seq, Default::default());
        Ok(Direct {
            held,
            sources,
            source_starts,
            entries: zeros(pattern.row_idx().len())?,
            factor: zeros(symbolic.len_val())?,
            memory: MemBuffer::try_new(need).map_err(|_| FactorError::TooLarge)?,
            work: zeros(n)?,
            panel: zeros(n)?,
            order,
            pattern,
            symbolic,
        })
    }

    /// Factors the numbers that `matrix`, of the same pattern, has now. Nothing is allocated.
    ///
    /// After an error the factor is useless until the next success.
    pub fn refactor(&mut self, matrix: &BlockMatrix) -> Result<(), FactorError> {
        self.load(matrix);
        if self.order.is_empty() {
            return Ok(());
        }
        let lower = SparseColMatRef::new(self.pattern.as_ref(), &self.entries[..]);
        self.symbolic
            .factorize_numeric_llt(
                &mut self.factor,
                lower,
                Side::Lower,
                LltRegularization::default(),
                faer::Par::Seq,
                MemStack::new(&mut self.memory),
                Default::default(),
            )
            .map(|_| ())
            .map_err(|_| FactorError::NotPositive)
    }

    /// Copies the lower triangle. Entry (3i + a, 3j + b) is entry (b, a) of block (j, i), which is in row j.
    fn load(&mut self, matrix: &BlockMatrix) {
        let mut next = 0;
        for node in 0..self.order.len() {
            let sources = &self.sources[self.source_starts[node]..self.source_starts[node + 1]];
            for b in 0..3 {
                for &(place, diagonal) in sources {
                    let block = &matrix.blocks()[place as usize];
                    for a in if diagonal { b } else { 0 }..3 {
                        self.entries[next] = T::of(block[(b, a)]);
                        next += 1;
                    }
                }
            }
        }
    }

    /// Number of stored entries of L: a solve costs four flops for each.
    pub fn nonzeros(&self) -> usize {
        self.factor.len()
    }

    /// x = A⁻¹ b; on held nodes x = b.
    pub fn solve(&mut self, b: &[Vec3], x: &mut [Vec3]) {
        for (w, &i) in self.work.chunks_exact_mut(3).zip(&self.order) {
            (0..3).for_each(|a| w[a] = T::of(b[i as usize][a]));
        }
        if let SymbolicCholeskyRaw::Supernodal(panels) = self.symbolic.raw() {
            triangular::forward(panels, &self.factor, &mut self.work, &mut self.panel);
            triangular::backward(panels, &self.factor, &mut self.work, &mut self.panel);
        }
        for (w, &i) in self.work.chunks_exact(3).zip(&self.order) {
            x[i as usize] = Vec3::new(w[0].into(), w[1].into(), w[2].into());
        }
        self.held.iter().for_each(|&i| x[i as usize] = b[i as usize]);
    }
}

impl<T: Precision> Preconditioner for Direct<T> {
    fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]) {
        self.solve(r, z);
    }
}

/// A vector of zeros, or an error where memory ends.
fn zeros<T: Precision>(length: usize) -> Result<Vec<T>, FactorError> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(length).map_err(|_| FactorError::TooLarge)?;
    vector.resize(length, T::of(0.0));
    Ok(vector)
}

/// The kept nodes in an order that makes few new entries: approximate minimum degree.
fn fill_reducing_order(matrix: &BlockMatrix, kept: Vec<u32>) -> Result<Vec<u32>, FactorError> {
    if kept.is_empty() {
        return Ok(kept);
    }
    let mut rank = vec![u32::MAX; matrix.len()];
    kept.iter().enumerate().for_each(|(new, &old)| rank[old as usize] = new as u32);
    let (mut starts, mut rows) = (vec![0], vec![]);
    for (new, &old) in kept.iter().enumerate() {
        let neighbours = matrix.row(old as usize).map(|(j, _)| rank[j]);
        rows.extend(neighbours.filter(|&j| j != u32::MAX && j as usize <= new));
        starts.push(u32::try_from(rows.len()).map_err(|_| FactorError::TooLarge)?);
    }
    let (n, entries) = (kept.len(), rows.len());
    let graph = SymbolicSparseColMat::new_checked(n, n, starts, None, rows);
    let (mut forward, mut inverse) = (vec![0u32; n], vec![0u32; n]);
    let mut memory =
        MemBuffer::try_new(amd::order_scratch::<u32>(n, entries)).map_err(|_| FactorError::TooLarge)?;
    amd::order(&mut forward, &mut inverse, graph.as_ref(), Default::default(), MemStack::new(&mut memory))
        .map_err(|_| FactorError::TooLarge)?;
    Ok(forward.iter().map(|&i| kept[i as usize]).collect())
}

/// Places in the factor of the free neighbours of a node that stand on one side of it, itself included, ascending,
/// with the place of their block in its row.
fn neighbours(matrix: &BlockMatrix, rank: &[u32], node: u32, side: Side) -> Vec<(u32, u32)> {
    let own = rank[node as usize];
    let places = matrix.row_places(node as usize);
    let mut found: Vec<(u32, u32)> = places
        .map(|place| (rank[matrix.columns()[place] as usize], place as u32))
        .filter(|&(i, _)| i != u32::MAX && if side == Side::Lower { i >= own } else { i <= own })
        .collect();
    found.sort_unstable();
    found
}

/// One triangle of P A Pᵀ by columns, as faer wants it.
fn scalar_pattern(
    matrix: &BlockMatrix,
    order: &[u32],
    rank: &[u32],
    side: Side,
) -> Result<SymbolicSparseColMat<u32>, FactorError> {
    let (mut starts, mut rows) = (vec![0], vec![]);
    for (new, &node) in order.iter().enumerate() {
        let near = neighbours(matrix, rank, node, side);
        for column in 3 * new as u32..3 * new as u32 + 3 {
            let all = near.iter().flat_map(|&(i, _)| 3 * i..3 * i + 3);
            rows.extend(all.filter(|&row| if side == Side::Lower { row >= column } else { row <= column }));
            starts.push(u32::try_from(rows.len()).map_err(|_| FactorError::TooLarge)?);
        }
    }
    let n = 3 * order.len();
    Ok(SymbolicSparseColMat::new_checked(n, n, starts, None, rows))
}

/// Which blocks fill the columns of each node.
fn sources(matrix: &BlockMatrix, order: &[u32], rank: &[u32]) -> (Vec<(u32, bool)>, Vec<usize>) {
    let (mut sources, mut starts) = (vec![], vec![0]);
    for (new, &node) in order.iter().enumerate() {
        let near = neighbours(matrix, rank, node, Side::Lower);
        sources.extend(near.iter().map(|&(i, place)| (place, i as usize == new)));
        starts.push(sources.len());
    }
    (sources, starts)
}
