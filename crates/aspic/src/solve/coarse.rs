//! The small system of the rigid motions of patches, contacts included.
//!
//! PᵀAP + Σ (Pᵀz)(Pᵀz)ᵀ. A contact between two patches couples them: two bodies that press on each other can move
//! together without a force, and the coarse system must know, or conjugate gradients would have to find out.

use super::patches::{NO_PATCH, Patches};
use super::{BlockMatrix, Direct, FactorError, RankOnes};
use crate::Vec3;

/// Stiffness given to rotations, as a part of that of translations: patches on a line or of one node have rotations
/// that move nothing.
const ROTATION_FLOOR: f64 = 1e-6;

/// The matrix and its factor. Places 2p and 2p + 1 are translation and rotation of patch p.
pub(super) struct Coarse {
    matrix: BlockMatrix,
    pub direct: Direct<f64>,
    /// Patches p ≤ q with neighbouring nodes, ascending.
    beside: Vec<(u32, u32)>,
    /// Other patches p < q that the pattern has places for because they touch, ascending.
    touching: Vec<(u32, u32)>,
    found: Vec<(u32, u32)>,
    /// Where each block of the matrix without contacts goes.
    places: Vec<u32>,
    /// Pᵀz of one contact: patch, translation, rotation.
    pieces: Vec<(u32, Vec3, Vec3)>,
    /// Whether the factor is for another pattern.
    is_old: bool,
}

impl Coarse {
    /// For patches `beside` each other, whose matrix has the pattern of `alone`.
    pub fn new(alone: &BlockMatrix, beside: Vec<(u32, u32)>) -> Result<Coarse, FactorError> {
        Ok(Coarse {
            direct: Direct::analyse(alone, &vec![true; alone.len()])?,
            places: (0..alone.blocks().len() as u32).collect(),
            matrix: alone.clone(),
            beside,
            touching: vec![],
            found: vec![],
            pieces: vec![],
            is_old: false,
        })
    }

    /// Lists the patches that touch; those known before remain, unless `anew`. Returns whether there are any.
    pub fn find_touching(&mut self, patches: &Patches, terms: &RankOnes, anew: bool) -> bool {
        let Coarse { beside, touching, found, .. } = self;
        found.clear();
        for nodes in terms.node_sets() {
            for (k, &i) in nodes.iter().enumerate() {
                let p = patches.of_node[i as usize];
                let others = nodes[..k].iter().map(|&j| patches.of_node[j as usize]);
                let others = others.filter(|&q| q != p && p != NO_PATCH && q != NO_PATCH);
                found.extend(others.map(|q| (p.min(q), p.max(q))));
            }
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|pair| beside.binary_search(pair).is_err());
        let touches = !found.is_empty();
        if !anew {
            found.extend_from_slice(touching);
            found.sort_unstable();
            found.dedup();
        }
        if found != touching {
            std::mem::swap(found, touching);
            self.is_old = true;
        }
        touches
    }

    /// Makes places for the patches that touch now.
    fn grow(&mut self, alone: &BlockMatrix) -> Result<(), FactorError> {
        let mut pairs = [&self.beside[..], &self.touching[..]].concat();
        pairs.sort_unstable();
        self.matrix = pattern_of(alone.len() / 2, &pairs);
        self.direct = Direct::analyse(&self.matrix, &vec![true; alone.len()])?;
        self.places.clear();
        for i in 0..alone.len() {
            let places = alone.row(i).map(|(j, _)| self.matrix.place(i, j).unwrap_or(0) as u32);
            self.places.extend(places);
        }
        self.is_old = false;
        Ok(())
    }

    /// Takes the matrix without contacts, adds the contacts, and factors.
    pub fn fill(
        &mut self,
        alone: &BlockMatrix,
        patches: &Patches,
        arms: &[Vec3],
        terms: &RankOnes,
    ) -> Result<(), FactorError> {
        if self.is_old {
            self.grow(alone)?;
        }
        self.matrix.clear();
        let blocks = self.matrix.blocks_mut();
        alone.blocks().iter().zip(&self.places).for_each(|(block, &place)| blocks[place as usize] = *block);
        for (nodes, z) in terms.terms() {
            self.add_term(patches, arms, nodes, z);
        }
        for p in (0..self.matrix.len()).step_by(2) {
            let floor = ROTATION_FLOOR * self.matrix.diagonal(p).trace();
            let place = self.matrix.diagonal_place(p + 1);
            (0..3).for_each(|a| self.matrix.blocks_mut()[place][(a, a)] += floor);
        }
        self.direct.refactor(&self.matrix)
    }

    /// Adds (Pᵀz)(Pᵀz)ᵀ.
    fn add_term(&mut self, patches: &Patches, arms: &[Vec3], nodes: &[u32], z: &[Vec3]) {
        self.pieces.clear();
        for (&i, z) in nodes.iter().zip(z) {
            let (patch, turn) = (patches.of_node[i as usize], arms[i as usize].cross(z));
            match self.pieces.iter_mut().find(|piece| piece.0 == patch) {
                _ if patch == NO_PATCH => (),
                Some(piece) => {
                    piece.1 += z;
                    piece.2 += turn;
                }
                None => self.pieces.push((patch, *z, turn)),
            }
        }
        for (p, shift_p, turn_p) in &self.pieces {
            let row = 2 * *p as usize;
            let length = self.matrix.row_places(row).len();
            for (q, shift_q, turn_q) in &self.pieces {
                let Some(place) = self.matrix.place(row, 2 * *q as usize) else { continue };
                let blocks = self.matrix.blocks_mut();
                blocks[place] += shift_p * shift_q.transpose();
                blocks[place + 1] += shift_p * turn_q.transpose();
                blocks[place + length] += turn_p * shift_q.transpose();
                blocks[place + length + 1] += turn_p * turn_q.transpose();
            }
        }
    }
}

/// Two places for each patch, coupled with those of the patches it is paired with.
pub(super) fn pattern_of(patches: usize, pairs: &[(u32, u32)]) -> BlockMatrix {
    let cliques: Vec<[u32; 4]> = pairs.iter().map(|&(p, q)| [2 * p, 2 * p + 1, 2 * q, 2 * q + 1]).collect();
    let cliques = cliques.iter().map(|c| if c[0] == c[2] { &c[..2] } else { &c[..] });
    BlockMatrix::with_pattern(2 * patches, cliques)
}
