//! Kept quantities that answer together: P = Σ ½ Δᵀ S Δ, where Δ = C − C₀ are the changes of a few quantities of one
//! simplex and S is a symmetric matrix that is not negative.
//!
//! Quantities that each keep themselves alone, ½ k Δ², cannot stand for a material: stretch in one direction would not be
//! felt in another but by chance of the mesh. The angles of the three hinges of a triangle tell its curvature and the
//! lengths of the six edges of a tetrahedron its strain, so that a matrix S makes them a plate and a solid. The pull of a
//! quantity is (S Δ), summed over the simplices that have it, and the force on its points −(S Δ) ∇C.

use super::batch::Batch;
use super::keeper::{Keeper, Vec3x8, times};
use super::point_rows::PointRows;
use super::{Network, NetworkPlaces};
use crate::lanes::{LANES, Lanes, Mat3x8, splat};
use crate::{Mat3, Vec3};

/// A quantity with a gradient of its own.
pub trait Quantity<const N: usize>: Keeper<N> {
    /// ∇C.
    fn gradient(&self, x: &[Vec3x8; N]) -> [Vec3x8; N];
}

/// One simplex: M quantities of P points. What it has fewer of repeats another, with zeros in the matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Form<const M: usize, const P: usize> {
    /// The numbers of its quantities in their batch.
    pub quantities: [u32; M],
    /// Its points.
    pub points: [u32; P],
    /// S.
    pub matrix: [[f64; M]; M],
}

impl<const M: usize, const P: usize> Form<M, P> {
    /// Changes of its quantities, and their pulls S Δ.
    pub fn pulls(&self, changes: &[f64]) -> ([f64; M], [f64; M]) {
        let own = self.quantities.map(|quantity| changes[quantity as usize]);
        let pull = |row: &[f64; M]| row.iter().zip(&own).map(|(s, change)| s * change).sum();
        (own, self.matrix.each_ref().map(pull))
    }

    /// Σ S ∇C ∇Cᵀ between its points: the curvature without what turns ∇C. `slope` tells the points of a quantity and ∇C.
    fn blocks<const N: usize>(&self, slope: impl Fn(usize) -> ([u32; N], [Vec3; N])) -> [[Mat3; P]; P] {
        let mut slopes = [[Vec3::zeros(); M]; P];
        for (m, &quantity) in self.quantities.iter().enumerate() {
            let (nodes, gradient) = slope(quantity as usize);
            for (node, gradient) in nodes.iter().zip(&gradient) {
                if let Some(p) = self.points.iter().position(|point| point == node) {
                    slopes[p][m] += gradient;
                }
            }
        }
        let pulls = slopes.map(|slopes| {
            let pull = |row: &[f64; M]| row.iter().zip(&slopes).map(|(s, slope)| slope * *s).sum::<Vec3>();
            self.matrix.each_ref().map(pull)
        });
        let block = |p: usize, q: usize| {
            (0..M).fold(Mat3::zeros(), |sum, m| sum + pulls[p][m] * slopes[q][m].transpose())
        };
        std::array::from_fn(|p| std::array::from_fn(|q| block(p, q)))
    }
}

/// Numbers of a body between one loop and the next.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// C, then C − C₀.
    values: Vec<f64>,
    /// S Δ.
    pulls: Vec<f64>,
    /// ∇C, as many as a quantity has points.
    gradients: Vec<Vec3>,
}

impl<const N: usize, K: Quantity<N>> Batch<N, K> {
    /// C − C₀ of every quantity, padded as the packs are.
    fn changes(&self, rows: &PointRows, memory: &[f64], out: &mut Vec<f64>) {
        out.clear();
        for (pack, nodes) in self.nodes.iter().enumerate() {
            let value = self.law.value(&rows.gather(nodes));
            out.extend((value - self.rest(pack, memory)).to_array());
        }
    }

    /// The changes of every quantity, for whoever looks at single simplices.
    pub(super) fn changes_of(&self, rows: &PointRows, memory: &[f64]) -> Vec<f64> {
        let mut changes = vec![];
        self.changes(rows, memory, &mut changes);
        changes
    }

    /// Σ ½ Δᵀ S Δ \[J\]; the pulls of all quantities are left in `scratch`.
    pub fn energy_of<const M: usize, const P: usize>(
        &self,
        forms: &[Form<M, P>],
        rows: &PointRows,
        memory: &[f64],
        scratch: &mut Changes,
    ) -> f64 {
        self.changes(rows, memory, &mut scratch.values);
        scratch.pulls.clear();
        scratch.pulls.resize(scratch.values.len(), 0.0);
        let mut energy = 0.0;
        for form in forms {
            let (changes, pulls) = form.pulls(&scratch.values);
            for (m, &quantity) in form.quantities.iter().enumerate() {
                scratch.pulls[quantity as usize] += pulls[m];
                energy += 0.5 * pulls[m] * changes[m];
            }
        }
        energy
    }

    /// Adds −∂P/∂q.
    pub fn add_force_together<const M: usize, const P: usize>(
        &self,
        forms: &[Form<M, P>],
        rows: &mut PointRows,
        memory: &[f64],
        scratch: &mut Changes,
    ) {
        self.energy_of(forms, rows, memory, scratch);
        for (pack, nodes) in self.nodes.iter().enumerate() {
            let push = -self.pull(pack, scratch);
            for (i, gradient) in self.law.gradient(&rows.gather(nodes)).into_iter().enumerate() {
                rows.add(times(&gradient, push), |lane| nodes[lane][i]);
            }
        }
    }

    /// S Δ of a pack.
    fn pull(&self, pack: usize, scratch: &Changes) -> Lanes {
        let mut lanes = [0.0; LANES];
        lanes.copy_from_slice(&scratch.pulls[pack * LANES..(pack + 1) * LANES]);
        Lanes::new(lanes)
    }

    /// Calls `visit` with the number of every form and its curvature.
    pub fn each_block<const M: usize, const P: usize>(
        &self,
        forms: &[Form<M, P>],
        rows: &PointRows,
        scratch: &mut Changes,
        mut visit: impl FnMut(usize, [[Mat3; P]; P]),
    ) {
        scratch.gradients.clear();
        for nodes in &self.nodes {
            let pack = self.law.gradient(&rows.gather(nodes)).map(|g| g.map(|axis| axis.to_array()));
            let lanes =
                (0..LANES).flat_map(|lane| pack.map(|[x, y, z]| Vec3::new(x[lane], y[lane], z[lane])));
            scratch.gradients.extend(lanes);
        }
        let slope = |quantity: usize| {
            let gradient = std::array::from_fn(|i| scratch.gradients[N * quantity + i]);
            (self.nodes[quantity / LANES][quantity % LANES], gradient)
        };
        for (number, form) in forms.iter().enumerate() {
            visit(number, form.blocks(slope));
        }
    }
}

/// Adds blocks at their places in a matrix.
pub(super) fn add_at<const P: usize>(blocks: &[[Mat3; P]; P], places: &[[u32; P]; P], matrix: &mut [Mat3]) {
    for (block, &place) in blocks.iter().flatten().zip(places.iter().flatten()) {
        if let Some(out) = matrix.get_mut(place as usize) {
            *out += block;
        }
    }
}

/// Where the blocks of forms are in a matrix.
pub(super) fn places<const M: usize, const P: usize>(
    forms: &[Form<M, P>],
    place: &dyn Fn(u32, u32) -> Option<usize>,
) -> Vec<[[u32; P]; P]> {
    let find = |i: u32, j: u32| place(i, j).map_or(u32::MAX, |place| place as u32);
    forms.iter().map(|form| form.points.map(|i| form.points.map(|j| find(i, j)))).collect()
}

/// Adds to every point the sum of the norms of its row of blocks.
fn add_row_sums<const N: usize, const M: usize, const P: usize, K: Quantity<N>>(
    (batch, forms): (&Batch<N, K>, &[Form<M, P>]),
    rows: &PointRows,
    scratch: &mut Changes,
    sums: &mut [f64],
) {
    batch.each_block(forms, rows, scratch, |number, blocks| {
        for (row, &point) in blocks.iter().zip(&forms[number].points) {
            sums[point as usize] += row.iter().map(Mat3::norm).sum::<f64>();
        }
    });
}

/// What quantities that answer together add to their network.
impl Network {
    pub(super) fn energy_together(&self, rows: &mut PointRows, memory: &[f64]) -> f64 {
        let mut scratch = std::mem::take(&mut rows.changes);
        let mut energy = 0.0;
        if !self.tets.is_empty() {
            energy += self.distances.energy_of(&self.tets, rows, memory, &mut scratch);
        }
        if !self.angles.is_empty() {
            energy += self.angles.energy_of(&self.hinges, rows, memory, &mut scratch);
        }
        if !self.hinge_volumes.is_empty() {
            energy += self.hinge_volumes.energy_of(&self.hinges, rows, memory, &mut scratch);
        }
        rows.changes = scratch;
        energy
    }

    pub(super) fn add_force_together(&self, rows: &mut PointRows, memory: &[f64]) {
        let mut scratch = std::mem::take(&mut rows.changes);
        if !self.tets.is_empty() {
            self.distances.add_force_together(&self.tets, rows, memory, &mut scratch);
        }
        if !self.angles.is_empty() {
            self.angles.add_force_together(&self.hinges, rows, memory, &mut scratch);
        }
        if !self.hinge_volumes.is_empty() {
            self.hinge_volumes.add_force_together(&self.hinges, rows, memory, &mut scratch);
        }
        rows.changes = scratch;
    }

    /// `scale` is the square of the rate of the step  \[1/s²\]
    pub(super) fn add_curvature_together(
        &self,
        rows: &mut PointRows,
        memory: &[f64],
        scale: f64,
        places: &NetworkPlaces,
        matrix: &mut [Mat3],
    ) {
        let mut scratch = std::mem::take(&mut rows.changes);
        if !self.tets.is_empty() {
            let springs = &self.distances;
            springs.energy_of(&self.tets, rows, memory, &mut scratch);
            springs.add_turning(rows, &scratch, (&self.bearable, scale), &places.distances, matrix);
            springs.each_block(&self.tets, rows, &mut scratch, |k, blocks| {
                add_at(&blocks, &places.tets[k], matrix);
            });
        }
        let mut add = |k: usize, blocks: [[Mat3; 6]; 6]| add_at(&blocks, &places.hinges[k], matrix);
        if !self.angles.is_empty() {
            self.angles.each_block(&self.hinges, rows, &mut scratch, &mut add);
        }
        if !self.hinge_volumes.is_empty() {
            self.hinge_volumes.each_block(&self.hinges, rows, &mut scratch, &mut add);
        }
        rows.changes = scratch;
    }

    pub(super) fn add_row_sums_together(&self, rows: &mut PointRows, sums: &mut [f64]) {
        let mut scratch = std::mem::take(&mut rows.changes);
        if !self.tets.is_empty() {
            add_row_sums((&self.distances, &self.tets), rows, &mut scratch, sums);
        }
        if !self.angles.is_empty() {
            add_row_sums((&self.angles, &self.hinges), rows, &mut scratch, sums);
        }
        if !self.hinge_volumes.is_empty() {
            add_row_sums((&self.hinge_volumes, &self.hinges), rows, &mut scratch, sums);
        }
        rows.changes = scratch;
    }
}

impl Batch<2, super::Distance> {
    /// Adds what turns ∇C: T/l (I − n nᵀ) of every spring with the pull T. Under pressure that is negative, and as much of it
    /// is kept as the inertia of a step outweighs: `bearable` of each spring, times `scale`  \[N/m\]
    pub(super) fn add_turning(
        &self,
        rows: &PointRows,
        scratch: &Changes,
        (bearable, scale): (&[Lanes], f64),
        places: &[[[u32; 2]; 2]],
        matrix: &mut [Mat3],
    ) {
        for (pack, nodes) in self.nodes.iter().enumerate() {
            let least = bearable[pack] * splat(-scale);
            let x = rows.gather(nodes);
            let own = super::Distance::turning(&x, self.pull(pack, scratch), least);
            let other = own.scale(splat(-1.0));
            let blocks: [[Mat3x8; 2]; 2] = [[own, other], [other, own]];
            let own = &places[pack * LANES..self.len().min((pack + 1) * LANES)];
            super::batch::add_blocks(&blocks, splat(1.0), own, matrix);
        }
    }
}
