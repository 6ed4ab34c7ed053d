//! H or G of a large body in little memory: blocks of vertices that are far apart have low rank.
//!
//! Dense matrices grow with the square of the number of vertices and pay up to about a thousand of them. Beyond, blocks
//! between far clusters are kept as sums of crosses, which grows only a little faster than the number of vertices.
//! The diagonal of H follows from rigid translation as in the dense matrix, so translations stay exact.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::boundary::solid::cluster::{Cluster, Tree};
use crate::boundary::solid::cross::{Crosses, approximate};
use crate::boundary::solid::integrate::{Integrator, NEAR};
use crate::boundary::solid::panel::Panel;
use crate::boundary::solid::quadrature::Rule;
use crate::boundary::solid::{Mat3, Medium, Surface};

/// Which of the two matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// H, on displacements.
    OfDisplacement,
    /// G, on tractions  \[m/Pa\]
    OfTraction,
}

/// A matrix as blocks, dense or of low rank.
#[derive(Clone, Debug)]
pub struct Compressed {
    order: Vec<usize>,
    blocks: Vec<Block>,
    diagonal: Vec<Mat3>,
}

#[derive(Clone, Debug)]
struct Block {
    rows: [usize; 2],
    columns: [usize; 2],
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Row by row.
    Dense(Vec<f64>),
    Low(Crosses),
}

/// Entries of the matrix on demand.
struct Source<'a> {
    surface: &'a Surface,
    panels: &'a [Panel],
    medium: Medium,
    integrator: Integrator,
    part: Part,
    seven: Rule,
    /// Triangles around each vertex with the vertex's corner.
    fans: Vec<Vec<(usize, usize)>>,
}

impl Source<'_> {
    /// The block of vertices i and j of a far pair.
    fn block(&self, i: usize, j: usize) -> Mat3 {
        self.fans[j].iter().fold(Mat3::zeros(), |sum, &(k, corner)| sum + self.part_of(i, k, corner))
    }

    /// What the corner of a triangle that does not touch vertex i contributes: seven points do within a tolerance of 1e-5.
    fn part_of(&self, i: usize, k: usize, corner: usize) -> Mat3 {
        let (x, panel) = (self.surface.vertices()[i], &self.panels[k]);
        if (panel.centre - x).norm() < NEAR * panel.reach {
            return self.near(i, k)[corner];
        }
        let mut sum = Mat3::zeros();
        for (shape, weight) in &self.seven.points {
            let (d, w) = (panel.point(shape) - x, weight * panel.area * shape[corner]);
            sum += match self.part {
                Part::OfTraction => self.medium.displacement(&d),
                Part::OfDisplacement => self.medium.traction(&d, &panel.normal),
            } * w;
        }
        sum
    }

    /// All corners of a triangle, exactly.
    fn near(&self, i: usize, k: usize) -> [Mat3; 3] {
        let x = self.surface.vertices()[i];
        let own = self.surface.triangles()[k].iter().position(|&v| v as usize == i);
        match self.part {
            Part::OfTraction => self.integrator.of_traction(&self.panels[k], &x, own),
            Part::OfDisplacement => self.integrator.influence(&self.panels[k], &x, own).of_displacement,
        }
    }
}

impl Compressed {
    /// Compresses one matrix of a body; each far block is kept to the part `tolerance` of its norm, say 1e-5.
    pub fn new(surface: &Surface, medium: &Medium, part: Part, tolerance: f64) -> Compressed {
        let panels = Panel::all(surface);
        let mut fans = vec![vec![]; surface.vertices().len()];
        for (k, corners) in surface.triangles().iter().enumerate() {
            corners.iter().enumerate().for_each(|(corner, &v)| fans[v as usize].push((k, corner)));
        }
        let (integrator, seven) = (Integrator::new(*medium), Rule::seven());
        let source = Source { surface, panels: &panels, medium: *medium, integrator, part, seven, fans };
        let tree = Tree::new(surface);
        let make = |(left, right, far): (Cluster, Cluster, bool)| {
            let rows = &tree.order[left.start..left.end];
            let columns = &tree.order[right.start..right.end];
            let low = if far { low_rank(&source, rows, columns, tolerance) } else { None };
            let kind = low.map_or_else(|| Kind::Dense(dense(&source, rows, columns)), Kind::Low);
            Block { rows: [left.start, left.end], columns: [right.start, right.end], kind }
        };
        let blocks: Vec<Block> = tree.pairs().into_par_iter().map(make).collect();
        let diagonal = vec![Mat3::zeros(); surface.vertices().len()];
        let mut matrix = Compressed { order: tree.order, blocks, diagonal };
        if part == Part::OfDisplacement {
            matrix.hold_translations();
        }
        matrix
    }

    /// Sets the diagonal so that each translation gives nothing.
    fn hold_translations(&mut self) {
        let n = 3 * self.order.len();
        for axis in 0..3 {
            let x: Vec<f64> = (0..n).map(|i| if i % 3 == axis { 1.0 } else { 0.0 }).collect();
            let mut y = vec![0.0; n];
            self.apply(&x, &mut y);
            y.iter().enumerate().for_each(|(i, y)| self.diagonal[i / 3][(i % 3, axis)] = -y);
        }
    }

    /// Numbers that are kept; the dense matrix has 9 n².
    pub fn numbers(&self) -> usize {
        let count = |block: &Block| match &block.kind {
            Kind::Dense(entries) => entries.len(),
            Kind::Low(crosses) => crosses.pairs.iter().map(|(u, v)| u.len() + v.len()).sum(),
        };
        self.blocks.iter().map(count).sum::<usize>() + 9 * self.diagonal.len()
    }

    /// y = A x, with 3 numbers for each vertex. Longer arrays are cut off, shorter ones leave the rest out.
    pub fn apply(&self, x: &[f64], y: &mut [f64]) {
        let place = |k: usize| 3 * self.order[k / 3] + k % 3;
        let sorted: Vec<f64> =
            (0..3 * self.order.len()).map(|k| x.get(place(k)).copied().unwrap_or(0.0)).collect();
        let mut sums = vec![0.0; sorted.len()];
        for block in &self.blocks {
            let x = &sorted[3 * block.columns[0]..3 * block.columns[1]];
            let y = &mut sums[3 * block.rows[0]..3 * block.rows[1]];
            let dot = |a: &[f64]| a.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
            match &block.kind {
                Kind::Dense(entries) => {
                    y.iter_mut().zip(entries.chunks_exact(x.len())).for_each(|(y, row)| *y += dot(row));
                }
                Kind::Low(crosses) => {
                    for (u, v) in &crosses.pairs {
                        let factor = dot(v);
                        y.iter_mut().zip(u).for_each(|(y, u)| *y += factor * u);
                    }
                }
            }
        }
        for (k, sum) in sums.iter().enumerate() {
            let (vertex, axis) = (self.order[k / 3], k % 3);
            let own: f64 = (0..3).map(|a| self.diagonal[vertex][(axis, a)] * sorted[k - axis + a]).sum();
            if let Some(y) = y.get_mut(3 * vertex + axis) {
                *y = sum + own;
            }
        }
    }
}

/// A near block: each triangle is integrated once for all its corners among the columns.
fn dense(source: &Source, rows: &[usize], columns: &[usize]) -> Vec<f64> {
    let width = 3 * columns.len();
    let place: HashMap<usize, usize> = columns.iter().enumerate().map(|(c, &j)| (j, c)).collect();
    let mut triangles: Vec<usize> =
        columns.iter().flat_map(|&j| source.fans[j].iter().map(|fan| fan.0)).collect();
    triangles.sort_unstable();
    triangles.dedup();
    let mut entries = vec![0.0; 3 * rows.len() * width];
    for (r, &i) in rows.iter().enumerate() {
        for &k in &triangles {
            let blocks = source.near(i, k);
            for (block, &v) in blocks.iter().zip(&source.surface.triangles()[k]) {
                let Some(&c) = place.get(&(v as usize)) else { continue };
                for a in 0..3 {
                    (0..3).for_each(|b| entries[(3 * r + a) * width + 3 * c + b] += block[(a, b)]);
                }
            }
        }
    }
    // The diagonal of H is kept apart.
    if source.part == Part::OfDisplacement {
        for (r, c) in rows.iter().enumerate().filter_map(|(r, i)| place.get(i).map(|&c| (r, c))) {
            for a in 0..3 {
                (0..3).for_each(|b| entries[(3 * r + a) * width + 3 * c + b] = 0.0);
            }
        }
    }
    entries
}

/// Crosses of a far block. Blocks of a vertex's row or column are integrated once for its three axes.
fn low_rank(source: &Source, rows: &[usize], columns: &[usize], tolerance: f64) -> Option<Crosses> {
    let (mut seen_rows, mut seen_columns) = (HashMap::new(), HashMap::new());
    let row = |k: usize, out: &mut [f64]| {
        let blocks: &Vec<Mat3> = seen_rows
            .entry(k / 3)
            .or_insert_with(|| columns.iter().map(|&j| source.block(rows[k / 3], j)).collect());
        out.iter_mut().enumerate().for_each(|(c, out)| *out = blocks[c / 3][(k % 3, c % 3)]);
    };
    let column = |k: usize, out: &mut [f64]| {
        let blocks: &Vec<Mat3> = seen_columns
            .entry(k / 3)
            .or_insert_with(|| rows.iter().map(|&i| source.block(i, columns[k / 3])).collect());
        out.iter_mut().enumerate().for_each(|(r, out)| *out = blocks[r / 3][(r % 3, k % 3)]);
    };
    let crosses = approximate(3 * rows.len(), 3 * columns.len(), 0.5 * tolerance, row, column)?;
    let thin = crosses.thinned(0.5 * tolerance);
    let worth = thin.pairs.len() * (rows.len() + columns.len()) < 3 * rows.len() * columns.len();
    worth.then_some(thin)
}

#[cfg(test)]
#[path = "compress_tests.rs"]
mod tests;
