//! H u = G t + B with u and t linear on each triangle and one equation at each vertex.
//!
//! Each vertex sums over the triangles in the order of the mesh, by one thread: the bits do not depend on how many
//! threads there are. The block of a vertex with itself contains C and the infinite integrals. It follows from rigid
//! translation, which needs no traction: H_ii = −Σ_{j≠i} H_ij, at edges and corners too. Since all other blocks are
//! exact for linear displacements, rotations and uniform strains come out exactly as well.

use faer::Mat;
use rayon::prelude::*;

use crate::solid::cluster::Tree;
use crate::solid::entries::{Entries, Part};
use crate::solid::integrate::Integrator;
use crate::solid::panel::Panel;
use crate::solid::{Compressed, Mat3, Matrix, Medium, Surface, Vec3};

/// Most vertices of a body whose matrices are dense unless told otherwise: H, G, the equations and their factor take
/// 0.65 GB each then. Above, far blocks are compressed and equations solved by iteration.
pub const DENSE_UP_TO: usize = 3000;
/// What compression may take from a far block, as a part of its norm, unless told otherwise.
const TOLERANCE: f64 = 1e-5;

/// The two matrices of a body. Entry 3 i + a belongs to axis a at vertex i.
#[derive(Clone, Debug)]
pub struct Operator {
    surface: Surface,
    medium: Medium,
    panels: Vec<Panel>,
    carries: Vec<bool>,
    integrator: Integrator,
    h: Matrix,
    g: Matrix,
}

/// Three rows of both matrices.
struct Rows {
    h: Vec<Mat3>,
    g: Vec<Mat3>,
}

impl Operator {
    /// With tractions that are continuous over the whole surface. Above [`DENSE_UP_TO`] vertices the matrices are compressed.
    pub fn new(surface: Surface, medium: Medium) -> Operator {
        Operator::with_support(surface, medium, |_| true)
    }

    /// With tractions at vertices that act on some triangles only, those of `support`.
    ///
    /// A body that is held on one face has a traction there that ends abruptly at the rim. When the face is the support,
    /// the unknown tractions of its rim do not leak to the free faces around.
    pub fn with_support(surface: Surface, medium: Medium, support: impl Fn(usize) -> bool) -> Operator {
        match surface.vertices().len() > DENSE_UP_TO {
            true => Operator::compressed(surface, medium, support, TOLERANCE),
            false => Operator::dense(surface, medium, support),
        }
    }

    /// The same with dense matrices, whatever the size.
    pub fn dense(surface: Surface, medium: Medium, support: impl Fn(usize) -> bool) -> Operator {
        let panels = Panel::all(&surface);
        let integrator = Integrator::new(medium);
        let n = surface.vertices().len();
        let carries: Vec<bool> = (0..panels.len()).map(support).collect();
        let rows: Vec<Rows> =
            (0..n).into_par_iter().map(|i| rows(&surface, &panels, &integrator, &carries, i)).collect();
        let dense = |of: fn(&Rows) -> &[Mat3]| {
            Mat::from_fn(3 * n, 3 * n, |i, j| of(&rows[i / 3])[j / 3][(i % 3, j % 3)])
        };
        let (h, g) = (Matrix::Dense(dense(|rows| &rows.h)), Matrix::Dense(dense(|rows| &rows.g)));
        Operator { surface, medium, panels, carries, integrator, h, g }
    }

    /// The same with compressed matrices, whatever the size: each far block is kept to the part `tolerance` of its norm.
    pub fn compressed(
        surface: Surface,
        medium: Medium,
        support: impl Fn(usize) -> bool,
        tolerance: f64,
    ) -> Operator {
        let (panels, integrator) = (Panel::all(&surface), Integrator::new(medium));
        let carries: Vec<bool> = (0..panels.len()).map(support).collect();
        let tree = Tree::new(&surface);
        let [h, g] = [Part::OfDisplacement, Part::OfTraction].map(|part| {
            let entries = Entries::new(&surface, &panels, &integrator, part, &carries);
            Matrix::Compressed(Compressed::new(&entries, &tree, tolerance))
        });
        Operator { surface, medium, panels, carries, integrator, h, g }
    }

    /// The body's surface.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// The body's material.
    pub fn medium(&self) -> &Medium {
        &self.medium
    }

    /// The triangles.
    pub fn panels(&self) -> &[Panel] {
        &self.panels
    }

    /// Integrates the kernels over one triangle.
    pub fn integrator(&self) -> &Integrator {
        &self.integrator
    }

    /// Whether the tractions at vertices act on a triangle.
    pub fn carries(&self, triangle: usize) -> bool {
        self.carries[triangle]
    }

    /// H, which acts on displacements at vertices  (3n × 3n)
    pub fn h(&self) -> &Matrix {
        &self.h
    }

    /// G, which acts on tractions at vertices  \[m/Pa\]  (3n × 3n)
    pub fn g(&self) -> &Matrix {
        &self.g
    }

    /// G t for tractions given at each corner of each triangle \[Pa\], which may jump from one triangle to the next  \[m\]
    ///
    /// The 9 m columns of such tractions are not kept: each call integrates over the loaded triangles again.
    pub fn load(&self, tractions: &[[Vec3; 3]]) -> Vec<f64> {
        let loaded: Vec<(usize, &[Vec3; 3])> = tractions
            .iter()
            .enumerate()
            .take(self.panels.len())
            .filter(|(_, corners)| corners.iter().any(|t| *t != Vec3::zeros()))
            .collect();
        let at = |i: usize| -> [f64; 3] {
            let source = self.surface.vertices()[i];
            let mut sum = Vec3::zeros();
            for &(k, corners) in &loaded {
                let own = self.surface.triangles()[k].iter().position(|&v| v as usize == i);
                let blocks = self.integrator.of_traction(&self.panels[k], &source, own);
                sum += blocks[0] * corners[0] + blocks[1] * corners[1] + blocks[2] * corners[2];
            }
            sum.into()
        };
        (0..self.surface.vertices().len()).into_par_iter().flat_map_iter(at).collect()
    }

    /// The same for a uniform traction on each triangle \[Pa\]  \[m\]
    pub fn load_faces(&self, tractions: &[Vec3]) -> Vec<f64> {
        self.load(&tractions.iter().map(|&t| [t; 3]).collect::<Vec<_>>())
    }
}

/// The rows of vertex i.
fn rows(surface: &Surface, panels: &[Panel], integrator: &Integrator, carries: &[bool], i: usize) -> Rows {
    let n = surface.vertices().len();
    let mut rows = Rows { h: vec![Mat3::zeros(); n], g: vec![Mat3::zeros(); n] };
    let source = surface.vertices()[i];
    for ((panel, corners), &carries) in panels.iter().zip(surface.triangles()).zip(carries) {
        let own = corners.iter().position(|&v| v as usize == i);
        let influence = integrator.influence(panel, &source, own);
        for (k, &v) in corners.iter().enumerate() {
            rows.h[v as usize] += influence.of_displacement[k];
            if carries {
                rows.g[v as usize] += influence.of_traction[k];
            }
        }
    }
    let others = (0..n).filter(|&j| j != i).fold(Mat3::zeros(), |sum, j| sum + rows.h[j]);
    rows.h[i] = -others;
    rows
}

#[cfg(test)]
#[path = "assemble_tests.rs"]
mod tests;
