//! A preconditioner for bodies that are stiff against their inertia: block Jacobi plus rigid motions of patches.
//!
//! Conjugate gradients with block Jacobi carry information one element per iteration, so that a long stiff body
//! takes hundreds. Here every patch of neighbouring nodes may also move as a rigid piece: M⁻¹ = D⁻¹ + P (PᵀAP)⁻¹ Pᵀ,
//! with the six rigid motions of each patch as the columns of P. The sum needs no product with A, and is symmetric
//! and positive definite by itself.

use rayon::prelude::*;

use super::conjugate::{CHUNK, is_small};
use super::patches::{NO_PATCH, Patches};
use super::{BlockJacobi, BlockMatrix, Direct, FactorError, Preconditioner, RankOnes};
use crate::{Mat3, Vec3};

/// Stiffness given to rotations, as a part of that of translations: patches on a line or of one node have rotations
/// that move nothing.
const ROTATION_FLOOR: f64 = 1e-6;

/// Block Jacobi and the rigid motions of patches.
pub struct TwoLevel {
    jacobi: BlockJacobi,
    patches: Patches,
    /// From the centre of the patch to each node, in units of the patch's radius  (nodes)
    arms: Vec<Vec3>,
    /// Where each block of A goes in `coarse`; `u32::MAX` for blocks of held nodes.
    targets: Vec<u32>,
    /// PᵀAP: places 2p and 2p + 1 are translation and rotation of patch p.
    coarse: BlockMatrix,
    direct: Direct<f64>,
    /// Sums of one row of A for each patch it meets: target, Σ A, Σ A \[a\]×.
    row: Vec<(u32, Mat3, Mat3)>,
    /// Right-hand side and solution of the coarse system.
    right: Vec<Vec3>,
    motion: Vec<Vec3>,
    /// Pᵀz of one contact: patch, translation, rotation.
    pieces: Vec<(u32, Vec3, Vec3)>,
}

impl TwoLevel {
    /// Cuts the free nodes into patches of about `size` nodes; [`TwoLevel::update`] must follow.
    pub fn new(matrix: &BlockMatrix, free: &[bool], size: usize) -> Result<TwoLevel, FactorError> {
        let patches = Patches::grow(matrix, free, size);
        let coarse = coarse_pattern(matrix, &patches);
        let targets = targets(matrix, &patches, &coarse);
        let direct = Direct::analyse(&coarse, &vec![true; coarse.len()])?;
        let zeros = |n: usize| vec![Vec3::zeros(); n];
        Ok(TwoLevel {
            jacobi: BlockJacobi::default(),
            arms: zeros(matrix.len()),
            right: zeros(coarse.len()),
            motion: zeros(coarse.len()),
            row: vec![],
            pieces: vec![],
            patches,
            targets,
            coarse,
            direct,
        })
    }

    /// Number of patches.
    pub fn patches(&self) -> usize {
        self.patches.sizes.len()
    }

    /// Entries of the factor of the coarse matrix.
    pub fn nonzeros(&self) -> usize {
        self.direct.nonzeros()
    }

    /// Takes the numbers of `matrix` and of the contacts, with the nodes at `positions` \[m\].
    pub fn update(
        &mut self,
        matrix: &BlockMatrix,
        terms: &RankOnes,
        positions: &[Vec3],
    ) -> Result<(), FactorError> {
        self.jacobi.update(matrix, terms);
        self.measure_arms(positions);
        self.project(matrix);
        self.add_terms(terms);
        for p in 0..self.patches() {
            let floor = ROTATION_FLOOR * self.coarse.diagonal(2 * p).trace();
            let place = self.coarse.diagonal_place(2 * p + 1);
            (0..3).for_each(|a| self.coarse.blocks_mut()[place][(a, a)] += floor);
        }
        self.direct.refactor(&self.coarse)
    }

    /// Takes the diagonal of a matrix near the one of the last [`TwoLevel::update`]; the rigid motions stay as they were.
    pub fn refresh(&mut self, matrix: &BlockMatrix, terms: &RankOnes) {
        self.jacobi.update(matrix, terms);
    }

    fn measure_arms(&mut self, positions: &[Vec3]) {
        let Self { patches, arms, motion, .. } = self;
        motion.fill(Vec3::zeros());
        for (x, &p) in positions.iter().zip(&patches.of_node).filter(|(_, p)| **p != NO_PATCH) {
            motion[2 * p as usize] += x / f64::from(patches.sizes[p as usize]);
        }
        for ((arm, x), &p) in arms.iter_mut().zip(positions).zip(&patches.of_node) {
            if p != NO_PATCH {
                *arm = x - motion[2 * p as usize];
                let radius = &mut motion[2 * p as usize + 1].x;
                *radius = radius.max(arm.norm());
            }
        }
        for (arm, &p) in arms.iter_mut().zip(&patches.of_node).filter(|(_, p)| **p != NO_PATCH) {
            let radius = motion[2 * p as usize + 1].x;
            *arm /= if radius > 0.0 { radius } else { 1.0 };
        }
    }

    /// PᵀAP. A rigid motion moves node i by t + ω × aᵢ = t − \[aᵢ\]× ω.
    fn project(&mut self, matrix: &BlockMatrix) {
        self.coarse.clear();
        for i in 0..matrix.len() {
            let patch = self.patches.of_node[i];
            if patch == NO_PATCH {
                continue;
            }
            self.row.clear();
            for k in matrix.row_places(i) {
                let (target, block) = (self.targets[k], &matrix.blocks()[k]);
                if target == u32::MAX {
                    continue;
                }
                let turned = times_cross(block, &self.arms[matrix.columns()[k] as usize]);
                match self.row.iter_mut().find(|sum| sum.0 == target) {
                    Some(sum) => {
                        sum.1 += block;
                        sum.2 += turned;
                    }
                    None => self.row.push((target, *block, turned)),
                }
            }
            let cross = self.arms[i].cross_matrix();
            let length = self.coarse.row_places(2 * patch as usize).len();
            let blocks = self.coarse.blocks_mut();
            for (target, sum, turned) in &self.row {
                let t = *target as usize;
                blocks[t] += sum;
                blocks[t + 1] -= turned;
                blocks[t + length] += cross * sum;
                blocks[t + length + 1] -= cross * turned;
            }
        }
    }

    /// Contacts stay inside each patch: (Σ zₚ)(Σ zₚ)ᵀ ≤ m Σ zₚ zₚᵀ for m patches. So the coarse matrix is never too
    /// soft, and its pattern never changes.
    fn add_terms(&mut self, terms: &RankOnes) {
        for (nodes, vectors) in terms.terms() {
            self.pieces.clear();
            for (&i, z) in nodes.iter().zip(vectors) {
                let (patch, turn) = (self.patches.of_node[i as usize], self.arms[i as usize].cross(z));
                match self.pieces.iter_mut().find(|piece| piece.0 == patch) {
                    _ if patch == NO_PATCH => (),
                    Some(piece) => {
                        piece.1 += z;
                        piece.2 += turn;
                    }
                    None => self.pieces.push((patch, *z, turn)),
                }
            }
            let many = self.pieces.len() as f64;
            for (patch, shift, turn) in &self.pieces {
                let p = 2 * *patch as usize;
                let (t, r) = (self.coarse.diagonal_place(p), self.coarse.diagonal_place(p + 1));
                let blocks = self.coarse.blocks_mut();
                blocks[t] += many * shift * shift.transpose();
                blocks[t + 1] += many * shift * turn.transpose();
                blocks[r - 1] += many * turn * shift.transpose();
                blocks[r] += many * turn * turn.transpose();
            }
        }
    }
}

impl Preconditioner for TwoLevel {
    fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]) {
        self.jacobi.apply(r, z);
        self.gather(r);
        self.direct.solve(&self.right, &mut self.motion);
        let sweep = |z: &mut [Vec3], arms: &[Vec3], patches: &[u32]| {
            for ((z, arm), &p) in z.iter_mut().zip(arms).zip(patches).filter(|(_, p)| **p != NO_PATCH) {
                *z += self.motion[2 * p as usize] + self.motion[2 * p as usize + 1].cross(arm);
            }
        };
        if is_small(z.len()) {
            sweep(z, &self.arms, &self.patches.of_node);
        } else {
            let chunks = z.par_chunks_mut(CHUNK).zip(self.arms.par_chunks(CHUNK));
            let chunks = chunks.zip(self.patches.of_node.par_chunks(CHUNK));
            chunks.for_each(|((z, arms), patches)| sweep(z, arms, patches));
        }
    }
}

impl TwoLevel {
    /// Pᵀ r: force and torque on each patch.
    fn gather(&mut self, r: &[Vec3]) {
        let Self { patches, arms, right, .. } = self;
        let gather = |(p, out): (usize, &mut [Vec3])| {
            let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
            for &i in &patches.nodes[patches.starts[p]..patches.starts[p + 1]] {
                force += r[i as usize];
                torque += arms[i as usize].cross(&r[i as usize]);
            }
            out.copy_from_slice(&[force, torque]);
        };
        if is_small(r.len()) {
            right.chunks_mut(2).enumerate().for_each(gather);
        } else {
            right.par_chunks_mut(2).with_min_len(16).enumerate().for_each(gather);
        }
    }
}

/// A \[a\]×: its rows are those of A, crossed with a.
#[inline(always)]
fn times_cross(block: &Mat3, a: &Vec3) -> Mat3 {
    let (x, y, z) = (block.column(0), block.column(1), block.column(2));
    Mat3::from_columns(&[y * a.z - z * a.y, z * a.x - x * a.z, x * a.y - y * a.x])
}

/// Two places for each patch, coupled with those of all patches beside it.
fn coarse_pattern(matrix: &BlockMatrix, patches: &Patches) -> BlockMatrix {
    let mut pairs = vec![];
    for i in 0..matrix.len() {
        let p = patches.of_node[i];
        let others = matrix.row(i).map(|(j, _)| patches.of_node[j]);
        pairs.extend(others.filter(|&q| p != NO_PATCH && q != NO_PATCH && p <= q).map(|q| (p, q)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    let cliques: Vec<[u32; 4]> = pairs.iter().map(|&(p, q)| [2 * p, 2 * p + 1, 2 * q, 2 * q + 1]).collect();
    let cliques = cliques.iter().map(|c| if c[0] == c[2] { &c[..2] } else { &c[..] });
    BlockMatrix::with_pattern(2 * patches.sizes.len(), cliques)
}

/// Where each block of the matrix goes: the block of both translations.
fn targets(matrix: &BlockMatrix, patches: &Patches, coarse: &BlockMatrix) -> Vec<u32> {
    let mut targets = Vec::with_capacity(matrix.blocks().len());
    for i in 0..matrix.len() {
        let p = patches.of_node[i];
        targets.extend(matrix.row(i).map(|(j, _)| {
            let q = patches.of_node[j];
            let place = if p == NO_PATCH || q == NO_PATCH {
                None
            } else {
                coarse.place(2 * p as usize, 2 * q as usize)
            };
            place.map_or(u32::MAX, |place| place as u32)
        }));
    }
    targets
}
