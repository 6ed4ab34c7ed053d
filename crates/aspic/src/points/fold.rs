//! Hinges that answer together: P = Σ ½ |Σ m s|² over the triangles of a sheet, and ½ k (Δ² − s²) of every hinge. Δ = C − C₀ are
//! the changes of hinges, s what the triangles feel of them, m what that adds to three moments of a triangle, and
//! k = Σ m·m of a hinge over all triangles.
//!
//! Hinges that each keep themselves alone, ½ k Δ², cannot stand for a plate: bending one way would not be felt across, and in
//! each direction what the mesh makes of it. An angle jumps by a turn where a hinge folds through itself; so s = sin Δ, which
//! does not, and the rest of its energy is even. The sum is ½ |Σ m Δ|² for small angles and never negative.

use super::batch::{Batch, add_blocks};
use super::keeper::{Keeper, Vec3x8, squares, times};
use super::point_rows::PointRows;
use super::{Network, NetworkPlaces};
use crate::lanes::{LANES, Lanes};
use crate::{Mat3, Vec3};

/// A quantity of four points with a gradient of its own.
pub trait Quantity: Keeper<4> {
    /// ∇C.
    fn gradient(&self, x: &[Vec3x8; 4]) -> [Vec3x8; 4];

    /// s, which is Δ while that is small, and ds/dΔ.
    fn felt(change: f64) -> (f64, f64);
}

/// A triangle that bends by the changes of hinges.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    terms: Vec<Term>,
    /// The points of all of them.
    points: Vec<u32>,
}

/// A hinge in a fold.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Term {
    /// Its number in its batch.
    hinge: u32,
    /// What its change adds to the moments.
    moment: Vec3,
    /// Where its corners are in the points of the fold.
    corners: [u8; 4],
}

impl Fold {
    /// From numbers of hinges, moments and corners.
    pub fn new(hinges: &[(u32, Vec3, [u32; 4])]) -> Fold {
        let mut points: Vec<u32> = hinges.iter().flat_map(|(_, _, nodes)| *nodes).collect();
        points.sort_unstable();
        points.dedup();
        let place = |node: u32| points.partition_point(|&point| point < node) as u8;
        let term = |&(hinge, moment, nodes): &(u32, Vec3, [u32; 4])| Term {
            hinge,
            moment,
            corners: nodes.map(place),
        };
        Fold { terms: hinges.iter().map(term).collect(), points }
    }

    /// Σ m s.
    fn moments(&self, felt: &[(f64, f64)]) -> Vec3 {
        self.terms.iter().fold(Vec3::zeros(), |sum, term| sum + term.moment * felt[term.hinge as usize].0)
    }

    /// Its hinges, and the part of k that each has from it.
    pub fn stiffnesses(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.terms.iter().map(|term| (term.hinge, term.moment.norm_squared()))
    }

    /// Gradients of the three moments, point by point, from ∇s of the hinges.
    fn slopes(&self, gradients: &[[Vec3; 4]], out: &mut Vec<[Vec3; 3]>) {
        out.clear();
        out.resize(self.points.len(), [Vec3::zeros(); 3]);
        for term in &self.terms {
            for (corner, gradient) in term.corners.iter().zip(&gradients[term.hinge as usize]) {
                let slopes = &mut out[*corner as usize];
                slopes.iter_mut().zip(&term.moment).for_each(|(slope, m)| *slope += gradient * *m);
            }
        }
    }
}

/// Numbers of a body between one loop and the next.
#[derive(Clone, Debug, Default)]
pub struct FoldScratch {
    /// s and ds/dΔ.
    felt: Vec<(f64, f64)>,
    pulls: Vec<f64>,
    gradients: Vec<[Vec3; 4]>,
    slopes: Vec<[Vec3; 3]>,
}

impl<K: Quantity> Batch<4, K> {
    /// P \[J\]; s, and the pulls ∂P/∂C of all hinges, are left in `scratch`.
    fn fold_energy(
        &self,
        folds: &[Fold],
        rows: &PointRows,
        memory: &[f64],
        scratch: &mut FoldScratch,
    ) -> f64 {
        let mut energy = self.feel(rows, memory, scratch);
        let FoldScratch { felt, pulls, .. } = scratch;
        for fold in folds {
            let moments = fold.moments(felt);
            energy += 0.5 * moments.norm_squared();
            for Term { hinge, moment, .. } in &fold.terms {
                pulls[*hinge as usize] += moment.dot(&moments) * felt[*hinge as usize].1;
            }
        }
        energy
    }

    /// s of every hinge, and what each has alone: ½ k (Δ² − s²) and its pull.
    fn feel(&self, rows: &PointRows, memory: &[f64], scratch: &mut FoldScratch) -> f64 {
        let FoldScratch { felt, pulls, .. } = scratch;
        felt.clear();
        pulls.clear();
        let mut energy = 0.0;
        for (pack, nodes) in self.nodes.iter().enumerate() {
            let change = (self.law.value(&rows.gather(nodes)) - self.rest(pack, memory)).to_array();
            for (change, k) in change.into_iter().zip(self.stiffness[pack].to_array()) {
                let (s, slope) = K::felt(change);
                energy += 0.5 * k * (change * change - s * s);
                pulls.push(k * (change - s * slope));
                felt.push((s, slope));
            }
        }
        energy
    }

    /// Adds −∂P/∂q.
    fn add_fold_force(
        &self,
        folds: &[Fold],
        rows: &mut PointRows,
        memory: &[f64],
        scratch: &mut FoldScratch,
    ) {
        self.fold_energy(folds, rows, memory, scratch);
        for (nodes, pulls) in self.nodes.iter().zip(scratch.pulls.chunks_exact(LANES)) {
            let push = -Lanes::new(std::array::from_fn(|lane| pulls[lane]));
            for (i, gradient) in self.law.gradient(&rows.gather(nodes)).into_iter().enumerate() {
                rows.add(times(&gradient, push), |lane| nodes[lane][i]);
            }
        }
    }

    /// Calls `visit` with every fold, its number and the gradients of its moments: their squares are its curvature, but
    /// for what turns ∇s.
    fn each_fold(
        &self,
        folds: &[Fold],
        rows: &PointRows,
        memory: &[f64],
        scratch: &mut FoldScratch,
        mut visit: impl FnMut(usize, &Fold, &[[Vec3; 3]]),
    ) {
        self.feel(rows, memory, scratch);
        let FoldScratch { gradients, slopes, felt, .. } = scratch;
        gradients.clear();
        for (nodes, felt) in self.nodes.iter().zip(felt.chunks_exact(LANES)) {
            let pack = self.law.gradient(&rows.gather(nodes)).map(|g| g.map(|axis| axis.to_array()));
            let gradient = |lane: usize| pack.map(|g| Vec3::from(g.map(|axis| axis[lane])) * felt[lane].1);
            gradients.extend((0..LANES).map(gradient));
        }
        for (number, fold) in folds.iter().enumerate() {
            fold.slopes(gradients, slopes);
            visit(number, fold, slopes);
        }
    }

    /// Adds the curvature k (1 − (ds/dΔ)²) ∇C ∇Cᵀ that hinges have alone; [`Self::each_fold`] has found ds/dΔ.
    fn add_lone_curvature(
        &self,
        rows: &PointRows,
        felt: &[(f64, f64)],
        places: &[[[u32; 4]; 4]],
        matrix: &mut [Mat3],
    ) {
        for (pack, nodes) in self.nodes.iter().enumerate() {
            let lone = |lane: usize| (1.0 - felt[pack * LANES + lane].1.powi(2)).max(0.0);
            let lone: [f64; LANES] = std::array::from_fn(lone);
            if lone.iter().any(|&lone| lone > 0.0) {
                let blocks = squares(&self.law.gradient(&rows.gather(nodes)));
                let own = &places[pack * LANES..self.len().min((pack + 1) * LANES)];
                add_blocks(&blocks, self.stiffness[pack] * Lanes::new(lone), own, matrix);
            }
        }
    }
}

/// Σ ∇m ∇mᵀ between two points.
fn block(a: &[Vec3; 3], b: &[Vec3; 3]) -> Mat3 {
    a.iter().zip(b).fold(Mat3::zeros(), |sum, (a, b)| sum + a * b.transpose())
}

/// Where the blocks of folds are in a matrix.
pub(super) fn places(folds: &[Fold], place: &dyn Fn(u32, u32) -> Option<usize>) -> Vec<Vec<u32>> {
    let find = |i: u32, j: u32| place(i, j).map_or(u32::MAX, |place| place as u32);
    let of = |fold: &Fold| {
        fold.points.iter().flat_map(|&i| fold.points.iter().map(move |&j| find(i, j))).collect()
    };
    folds.iter().map(of).collect()
}

/// Calls a macro body for the hinges that fold.
macro_rules! hinges {
    ($network:expr, |$batch:ident| $body:expr) => {
        match $network.angles.is_empty() {
            false => {
                let $batch = &$network.angles;
                $body
            }
            true => {
                let $batch = &$network.hinge_volumes;
                $body
            }
        }
    };
}

/// What the folds of a body add.
impl Network {
    /// Where the blocks of the hinges are in a matrix.
    pub(super) fn hinge_places(&self, place: &dyn Fn(u32, u32) -> Option<usize>) -> Vec<[[u32; 4]; 4]> {
        hinges!(self, |batch| batch.places(place))
    }

    /// The points that each fold couples.
    pub(super) fn fold_cliques(&self) -> impl Iterator<Item = &[u32]> {
        self.folds.iter().map(|fold| &fold.points[..])
    }

    pub(super) fn folds_energy(&self, rows: &mut PointRows, memory: &[f64]) -> f64 {
        let mut scratch = std::mem::take(&mut rows.folds);
        let energy = hinges!(self, |batch| batch.fold_energy(&self.folds, rows, memory, &mut scratch));
        rows.folds = scratch;
        energy
    }

    pub(super) fn add_folds_force(&self, rows: &mut PointRows, memory: &[f64]) {
        let mut scratch = std::mem::take(&mut rows.folds);
        hinges!(self, |batch| batch.add_fold_force(&self.folds, rows, memory, &mut scratch));
        rows.folds = scratch;
    }

    pub(super) fn add_folds_curvature(
        &self,
        rows: &mut PointRows,
        memory: &[f64],
        places: &NetworkPlaces,
        matrix: &mut [Mat3],
    ) {
        let add = |number: usize, _: &Fold, slopes: &[[Vec3; 3]]| {
            let pairs = slopes.iter().flat_map(|a| slopes.iter().map(move |b| (a, b)));
            for ((a, b), &place) in pairs.zip(&places.folds[number]) {
                if let Some(out) = matrix.get_mut(place as usize) {
                    *out += block(a, b);
                }
            }
        };
        self.each_fold(rows, memory, add);
        let felt = &rows.folds.felt;
        hinges!(self, |batch| batch.add_lone_curvature(rows, felt, &places.hinges, matrix));
    }

    /// Adds to every point the sum of the norms of its row of blocks.
    pub(super) fn add_folds_row_sums(&self, rows: &mut PointRows, memory: &[f64], sums: &mut [f64]) {
        self.each_fold(rows, memory, |_, fold, slopes| {
            for (&point, own) in fold.points.iter().zip(slopes) {
                sums[point as usize] += slopes.iter().map(|other| block(own, other).norm()).sum::<f64>();
            }
        });
    }

    fn each_fold(&self, rows: &mut PointRows, memory: &[f64], visit: impl FnMut(usize, &Fold, &[[Vec3; 3]])) {
        let mut scratch = std::mem::take(&mut rows.folds);
        hinges!(self, |batch| batch.each_fold(&self.folds, rows, memory, &mut scratch, visit));
        rows.folds = scratch;
    }
}
