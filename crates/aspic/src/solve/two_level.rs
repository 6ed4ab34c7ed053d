//! A preconditioner for bodies that are stiff against their inertia: block Jacobi plus rigid motions of patches.
//!
//! Conjugate gradients with block Jacobi carry information one element per iteration, so that a long stiff body
//! takes hundreds. Here every patch of neighbouring nodes may also move as a rigid piece: M⁻¹ = D⁻¹ + P (PᵀAP)⁻¹ Pᵀ,
//! with the six rigid motions of each patch as the columns of P. The sum needs no product with A, and is symmetric
//! and positive definite by itself.

use rayon::prelude::*;
use wide::f32x4;

use super::coarse::{Coarse, pattern_of};
use super::conjugate::{CHUNK, is_small};
use super::patches::{NO_PATCH, Patches};
use super::{BlockJacobi, BlockMatrix, FactorError, Preconditioner, RankOnes, Triple};
use crate::{Mat3, Vec3};

/// Block Jacobi and the rigid motions of patches.
pub struct TwoLevel {
    jacobi: BlockJacobi,
    patches: Patches,
    /// From the centre of the patch to each node, in units of the patch's radius  (nodes)
    arms: Vec<Vec3>,
    /// The same, rounded.
    single_arms: Vec<f32x4>,
    /// Where each block of A goes in `alone`; `u32::MAX` for blocks of held nodes.
    targets: Vec<u32>,
    /// PᵀAP without contacts: places 2p and 2p + 1 are translation and rotation of patch p.
    alone: BlockMatrix,
    coarse: Coarse,
    /// Sums of one row of A for each patch it meets: target, Σ A, Σ A \[a\]×.
    row: Vec<(u32, Mat3, Mat3)>,
    /// Right-hand side and solution of the coarse system.
    right: Vec<Vec3>,
    motion: Vec<Vec3>,
}

impl TwoLevel {
    /// Cuts the free nodes into patches of about `size` nodes; [`TwoLevel::update`] must follow.
    pub fn new(matrix: &BlockMatrix, free: &[bool], size: usize) -> Result<TwoLevel, FactorError> {
        let patches = Patches::grow(matrix, free, size);
        let beside = patches_beside(matrix, &patches);
        let alone = pattern_of(patches.sizes.len(), &beside);
        let targets = targets(matrix, &patches, &alone);
        let zeros = |n: usize| vec![Vec3::zeros(); n];
        Ok(TwoLevel {
            jacobi: BlockJacobi::default(),
            arms: zeros(matrix.len()),
            single_arms: vec![],
            right: zeros(alone.len()),
            motion: zeros(alone.len()),
            row: vec![],
            coarse: Coarse::new(&alone, beside)?,
            patches,
            targets,
            alone,
        })
    }

    /// Number of patches.
    pub fn patches(&self) -> usize {
        self.patches.sizes.len()
    }

    /// Entries of the factor of the coarse matrix.
    pub fn nonzeros(&self) -> usize {
        self.coarse.direct.nonzeros()
    }

    /// Takes the numbers of `matrix` and of the contacts, with the nodes at `positions` \[m\]. What touched before is
    /// forgotten if `anew`.
    pub fn update(
        &mut self,
        matrix: &BlockMatrix,
        terms: &RankOnes,
        positions: &[Vec3],
        anew: bool,
    ) -> Result<(), FactorError> {
        self.jacobi.update(matrix, terms);
        self.measure_arms(positions);
        self.project(matrix);
        self.coarse.find_touching(&self.patches, terms, anew);
        self.coarse.fill(&self.alone, &self.patches, &self.arms, terms)
    }

    /// Takes a matrix near the one of the last [`TwoLevel::update`], and other contacts: of the matrix the rigid motions
    /// stay as they were. Contacts with what does not move are not worth another factor.
    pub fn refresh(&mut self, matrix: &BlockMatrix, terms: &RankOnes) -> Result<(), FactorError> {
        self.jacobi.update(matrix, terms);
        match self.coarse.find_touching(&self.patches, terms, false) {
            true => self.coarse.fill(&self.alone, &self.patches, &self.arms, terms),
            false => Ok(()),
        }
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
        self.single_arms.clear();
        self.single_arms.extend(self.arms.iter().map(f32x4::of));
    }

    /// PᵀAP. A rigid motion moves node i by t + ω × aᵢ = t − \[aᵢ\]× ω.
    fn project(&mut self, matrix: &BlockMatrix) {
        self.alone.clear();
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
            let length = self.alone.row_places(2 * patch as usize).len();
            let blocks = self.alone.blocks_mut();
            for (target, sum, turned) in &self.row {
                let t = *target as usize;
                blocks[t] += sum;
                blocks[t + 1] -= turned;
                blocks[t + length] += cross * sum;
                blocks[t + length + 1] -= cross * turned;
            }
        }
    }
}

impl Preconditioner for TwoLevel {
    fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]) {
        self.jacobi.apply(r, z);
        gather(&self.patches, &self.arms, r, &mut self.right);
        self.coarse.direct.solve(&self.right, &mut self.motion);
        spread(&self.patches, &self.arms, &self.motion, z);
    }
}

impl Preconditioner<f32x4> for TwoLevel {
    fn apply(&mut self, r: &[f32x4], z: &mut [f32x4]) {
        self.jacobi.apply(r, z);
        gather(&self.patches, &self.single_arms, r, &mut self.right);
        self.coarse.direct.solve(&self.right, &mut self.motion);
        spread(&self.patches, &self.single_arms, &self.motion, z);
    }
}

/// Pᵀ r: force Σ r and torque Σ a × r on each patch. The torque is the skew part of Σ a rᵀ, which is quicker to sum.
fn gather<V: Triple>(patches: &Patches, arms: &[V], r: &[V], right: &mut [Vec3]) {
    let gather = |(p, out): (usize, &mut [Vec3])| {
        let (mut force, mut rows) = (V::ZERO, [V::ZERO; 3]);
        for &i in &patches.nodes[patches.starts[p]..patches.starts[p + 1]] {
            let (arm, r) = (&arms[i as usize], r[i as usize]);
            force += r;
            (0..3).for_each(|a| rows[a] = rows[a].plus(arm.at(a), r));
        }
        let [x, y, z] = rows.map(V::exact);
        out.copy_from_slice(&[force.exact(), Vec3::new(y.z - z.y, z.x - x.z, x.y - y.x)]);
    };
    if is_small(r.len()) {
        right.chunks_mut(2).enumerate().for_each(gather);
    } else {
        right.par_chunks_mut(2).with_min_len(16).enumerate().for_each(gather);
    }
}

/// Adds P m: node i of a patch moves by t + ω × aᵢ.
fn spread<V: Triple>(patches: &Patches, arms: &[V], motion: &[Vec3], z: &mut [V]) {
    let sweep = |z: &mut [V], arms: &[V], patches: &[u32]| {
        for ((z, arm), &p) in z.iter_mut().zip(arms).zip(patches).filter(|(_, p)| **p != NO_PATCH) {
            let (shift, w) = (&motion[2 * p as usize], &motion[2 * p as usize + 1]);
            let columns = [Vec3::new(0.0, w.z, -w.y), Vec3::new(-w.z, 0.0, w.x), Vec3::new(w.y, -w.x, 0.0)];
            let start = *z + V::of(shift);
            *z = (0..3).fold(start, |sum, a| sum.plus(arm.at(a), V::of(&columns[a])));
        }
    };
    if is_small(z.len()) {
        sweep(z, arms, &patches.of_node);
    } else {
        let chunks = z.par_chunks_mut(CHUNK).zip(arms.par_chunks(CHUNK));
        let chunks = chunks.zip(patches.of_node.par_chunks(CHUNK));
        chunks.for_each(|((z, arms), patches)| sweep(z, arms, patches));
    }
}

/// A \[a\]×: its rows are those of A, crossed with a.
#[inline(always)]
fn times_cross(block: &Mat3, a: &Vec3) -> Mat3 {
    let (x, y, z) = (block.column(0), block.column(1), block.column(2));
    Mat3::from_columns(&[y * a.z - z * a.y, z * a.x - x * a.z, x * a.y - y * a.x])
}

/// Patches p ≤ q with neighbouring nodes.
fn patches_beside(matrix: &BlockMatrix, patches: &Patches) -> Vec<(u32, u32)> {
    let mut pairs = vec![];
    for i in 0..matrix.len() {
        let p = patches.of_node[i];
        let others = matrix.row(i).map(|(j, _)| patches.of_node[j]);
        pairs.extend(others.filter(|&q| p != NO_PATCH && q != NO_PATCH && p <= q).map(|q| (p, q)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
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
