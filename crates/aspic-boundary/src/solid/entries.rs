//! Entries of H or G on demand, for matrices that are never written out whole.

use std::collections::HashMap;

use crate::solid::cross::{Crosses, approximate};
use crate::solid::integrate::{Integrator, NEAR};
use crate::solid::panel::Panel;
use crate::solid::quadrature::Rule;
use crate::solid::{Mat3, Surface};

/// Which of the two matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// H, on displacements.
    OfDisplacement,
    /// G, on tractions  \[m/Pa\]
    OfTraction,
}

/// Integrates what is asked for.
pub struct Entries<'a> {
    surface: &'a Surface,
    panels: &'a [Panel],
    integrator: &'a Integrator,
    /// Which matrix.
    pub part: Part,
    seven: Rule,
    /// Triangles around each vertex with the vertex's corner; of G only those that carry tractions.
    fans: Vec<Vec<(usize, usize)>>,
}

impl<'a> Entries<'a> {
    /// Of a body whose tractions act on the triangles that `carries` tells.
    pub fn new(
        surface: &'a Surface,
        panels: &'a [Panel],
        integrator: &'a Integrator,
        part: Part,
        carries: &[bool],
    ) -> Entries<'a> {
        let mut fans = vec![vec![]; surface.vertices().len()];
        let counts = |k: &usize| part == Part::OfDisplacement || carries[*k];
        for k in (0..panels.len()).filter(counts) {
            let corners = surface.triangles()[k].iter().enumerate();
            corners.for_each(|(corner, &v)| fans[v as usize].push((k, corner)));
        }
        Entries { surface, panels, integrator, part, seven: Rule::seven(), fans }
    }

    /// The block of vertices i and j of a far pair.
    fn far(&self, i: usize, j: usize) -> Mat3 {
        self.fans[j].iter().fold(Mat3::zeros(), |sum, &(k, corner)| sum + self.corner(i, k, corner))
    }

    /// What the corner of a triangle that does not touch vertex i contributes: seven points do within a tolerance of 1e-5.
    fn corner(&self, i: usize, k: usize, corner: usize) -> Mat3 {
        let (x, panel, medium) = (self.surface.vertices()[i], &self.panels[k], self.integrator.medium());
        if (panel.centre - x).norm() < NEAR * panel.reach {
            return self.near(i, k)[corner];
        }
        let mut sum = Mat3::zeros();
        for (shape, weight) in &self.seven.points {
            let (d, w) = (panel.point(shape) - x, weight * panel.area * shape[corner]);
            sum += match self.part {
                Part::OfTraction => medium.displacement(&d),
                Part::OfDisplacement => medium.traction(&d, &panel.normal),
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

    /// A block row by row: each triangle is integrated once for all its corners among the columns. The diagonal of H,
    /// which follows from the rest, is left zero.
    pub fn dense(&self, rows: &[usize], columns: &[usize]) -> Vec<f64> {
        let width = 3 * columns.len();
        let place: HashMap<usize, usize> = columns.iter().enumerate().map(|(c, &j)| (j, c)).collect();
        let mut triangles: Vec<usize> =
            columns.iter().flat_map(|&j| self.fans[j].iter().map(|fan| fan.0)).collect();
        triangles.sort_unstable();
        triangles.dedup();
        let mut entries = vec![0.0; 3 * rows.len() * width];
        for (r, &i) in rows.iter().enumerate() {
            for &k in &triangles {
                let blocks = self.near(i, k);
                for (block, &v) in blocks.iter().zip(&self.surface.triangles()[k]) {
                    let Some(&c) = place.get(&(v as usize)) else { continue };
                    if self.part == Part::OfDisplacement && v as usize == i {
                        continue;
                    }
                    for a in 0..3 {
                        (0..3).for_each(|b| entries[(3 * r + a) * width + 3 * c + b] += block[(a, b)]);
                    }
                }
            }
        }
        entries
    }

    /// Crosses of a far block, if that is worth it. Blocks of a vertex's row or column are integrated once for its three
    /// axes.
    pub fn low_rank(&self, rows: &[usize], columns: &[usize], tolerance: f64) -> Option<Crosses> {
        let (mut seen_rows, mut seen_columns) = (HashMap::new(), HashMap::new());
        let row = |k: usize, out: &mut [f64]| {
            let blocks: &Vec<Mat3> = seen_rows
                .entry(k / 3)
                .or_insert_with(|| columns.iter().map(|&j| self.far(rows[k / 3], j)).collect());
            out.iter_mut().enumerate().for_each(|(c, out)| *out = blocks[c / 3][(k % 3, c % 3)]);
        };
        let column = |k: usize, out: &mut [f64]| {
            let blocks: &Vec<Mat3> = seen_columns
                .entry(k / 3)
                .or_insert_with(|| rows.iter().map(|&i| self.far(i, columns[k / 3])).collect());
            out.iter_mut().enumerate().for_each(|(r, out)| *out = blocks[r / 3][(r % 3, k % 3)]);
        };
        let crosses = approximate(3 * rows.len(), 3 * columns.len(), 0.5 * tolerance, row, column)?;
        let thin = crosses.thinned(0.5 * tolerance);
        let worth = thin.pairs.len() * (rows.len() + columns.len()) < 3 * rows.len() * columns.len();
        worth.then_some(thin)
    }
}
