//! Springs of a tetrahedron that pull together: P = Σ ½ Δ·SΔ, where Δ = l − l₀ are the changes of its six edges.
//!
//! Springs that each pull for themselves, ½ k Δ², cannot stand for a material: stretch in one direction would be felt in
//! another by chance of the mesh only. Six lengths tell the strain of a tetrahedron, so that a matrix S makes them a solid.
//! The pull of a spring is SΔ, summed over the tetrahedra around it.
//!
//! Under pressure springs push each other aside, and so do volumes: ∂²P/∂q² has negative eigenvalues. For implicit steps
//! those of every tetrahedron, its springs, its volume and its wall taken together, are raised to what the inertia of the
//! step outweighs. That is done on the nine motions of its corners that do not shift it, y = Wᵀx with WᵀW = 1, in which all
//! have the same mass.

use nalgebra::{SMatrix, SVector, SymmetricEigen};

use super::batch::Batch;
use super::keeper::times;
use super::point_rows::PointRows;
use super::{Distance, Network, Volume};
use crate::lanes::{LANES, Lanes};
use crate::{Mat3, Vec3};

/// Corners that share an edge.
pub(crate) const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// Part of the inertia that negative stiffness may use up.
const BORNE: f64 = 0.9;

type Vector9 = SVector<f64, 9>;
type Matrix9 = SMatrix<f64, 9, 9>;

/// A tetrahedron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tet {
    /// Its corners.
    pub points: [u32; 4],
    /// Numbers of the springs along its edges.
    pub springs: [u32; 6],
    /// Number of the element that keeps its volume.
    pub volume: u32,
    /// S  \[N/m\]
    pub matrix: [[f64; 6]; 6],
    /// Mass at each corner  \[kg\]
    pub mass: f64,
}

impl Tet {
    /// Changes of its springs, and their pulls S Δ.
    pub(super) fn pulls(&self, changes: &[f64]) -> ([f64; 6], [f64; 6]) {
        let own = self.springs.map(|spring| changes[spring as usize]);
        let pull = |row: &[f64; 6]| row.iter().zip(&own).map(|(s, change)| s * change).sum();
        (own, self.matrix.each_ref().map(pull))
    }

    /// ∂²P/∂y² of the springs at the corners x, with their pulls.
    fn stiffness(&self, x: &[Vec3; 4], pulls: &[f64; 6]) -> Matrix9 {
        let edges = EDGES.map(|[i, j]| {
            let d = x[j] - x[i];
            let length = d.norm().max(f64::MIN_POSITIVE);
            (std::array::from_fn(|k| W[j][k] - W[i][k]), d / length, length)
        });
        let slopes = edges.map(|(a, n, _): ([f64; 3], Vec3, f64)| spread(a, n));
        let mut sum = Matrix9::zeros();
        for (m, (a, n, length)) in edges.iter().enumerate() {
            let row = (0..6).fold(Vector9::zeros(), |row, other| row + slopes[other] * self.matrix[m][other]);
            sum += slopes[m] * row.transpose();
            let turning = (Mat3::identity() - n * n.transpose()) * (pulls[m] / length);
            for (k, l) in (0..3).flat_map(|k| (0..3).map(move |l| (k, l))) {
                let mut block = sum.fixed_view_mut::<3, 3>(3 * k, 3 * l);
                block += turning * (a[k] * a[l]);
            }
        }
        sum
    }
}

/// W: four corners, three motions that do not shift them (Helmert).
const W: [[f64; 3]; 4] = [[R2, R6, R12], [-R2, R6, R12], [0.0, -2.0 * R6, R12], [0.0, 0.0, -3.0 * R12]];
const R2: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// 1/√6
const R6: f64 = 0.408_248_290_463_863;
/// 1/√12
const R12: f64 = 0.288_675_134_594_812_9;

/// a⊗n.
fn spread(a: [f64; 3], n: Vec3) -> Vector9 {
    Vector9::from_fn(|row, _| a[row / 3] * n[row % 3])
}

/// P′ ∂²V/∂y² + P″ ∇V ∇Vᵀ of a volume V at the corners x.
///
/// With the edges eᵢ from the first corner, 6 V = e₁·(e₂ × e₃), and ∂²(6 V)/∂e₁∂e₂ = −[e₃]×, and so on round.
pub(super) fn volume_stiffness(x: &[Vec3; 4], slope: f64, curvature: f64) -> Matrix9 {
    let e = [1, 2, 3].map(|corner| x[corner] - x[0]);
    let a: [[f64; 3]; 3] = [1, 2, 3].map(|corner: usize| std::array::from_fn(|k| W[corner][k] - W[0][k]));
    let mut gradient = Vector9::zeros();
    let mut sum = Matrix9::zeros();
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        gradient += spread(a[i], e[j].cross(&e[k]) / 6.0);
        let block = e[k].cross_matrix() * (-slope / 6.0);
        for (p, q) in (0..3).flat_map(|p| (0..3).map(move |q| (p, q))) {
            let mut to = sum.fixed_view_mut::<3, 3>(3 * p, 3 * q);
            to += block * (a[i][p] * a[j][q]) + block.transpose() * (a[j][p] * a[i][q]);
        }
    }
    sum + gradient * gradient.transpose() * curvature
}

/// The matrix with eigenvalues of at least −`borne`.
pub(super) fn raised(matrix: Matrix9, borne: f64) -> Matrix9 {
    if (matrix + Matrix9::identity() * borne).cholesky().is_some() {
        return matrix;
    }
    let SymmetricEigen { eigenvalues, eigenvectors } = SymmetricEigen::new(matrix);
    let diagonal = Matrix9::from_diagonal(&eigenvalues.map(|value| value.max(-borne)));
    eigenvectors * diagonal * eigenvectors.transpose()
}

/// Blocks between the corners.
pub(super) fn between_corners(matrix: &Matrix9) -> [[Mat3; 4]; 4] {
    let entry = |p: usize, row: usize, column: usize| -> f64 {
        (0..3).map(|k| W[p][k] * matrix[(3 * k + row, column)]).sum()
    };
    let half: [[Mat3; 3]; 4] =
        std::array::from_fn(|p| std::array::from_fn(|l| Mat3::from_fn(|i, j| entry(p, i, 3 * l + j))));
    let block = |p: usize, q: usize| (0..3).fold(Mat3::zeros(), |sum, l| sum + half[p][l] * W[q][l]);
    std::array::from_fn(|p| std::array::from_fn(|q| block(p, q)))
}

/// Numbers of a body between one loop and the next.
#[derive(Clone, Debug, Default)]
pub struct SolidScratch {
    changes: Vec<f64>,
    pulls: Vec<f64>,
}

impl Batch<2, Distance> {
    /// l − l₀ of every spring, padded as the packs are.
    pub(super) fn changes(&self, rows: &PointRows, memory: &[f64], out: &mut Vec<f64>) {
        out.clear();
        for (pack, nodes) in self.nodes.iter().enumerate() {
            let value = super::Keeper::value(&self.law, &rows.gather(nodes));
            out.extend((value - self.rest(pack, memory)).to_array());
        }
    }
}

/// What the springs of tetrahedra add that pull together.
impl Network {
    /// P \[J\]; the pulls of all springs are left in the scratch of the rows.
    pub(super) fn tets_energy(&self, rows: &mut PointRows, memory: &[f64]) -> f64 {
        if self.tets.is_empty() {
            return 0.0;
        }
        let SolidScratch { mut changes, mut pulls } = std::mem::take(&mut rows.solid);
        self.distances.changes(rows, memory, &mut changes);
        pulls.clear();
        pulls.resize(changes.len(), 0.0);
        let mut energy = 0.0;
        for tet in &self.tets {
            let (own, pull) = tet.pulls(&changes);
            for (m, &spring) in tet.springs.iter().enumerate() {
                pulls[spring as usize] += pull[m];
                energy += 0.5 * pull[m] * own[m];
            }
        }
        rows.solid = SolidScratch { changes, pulls };
        energy
    }

    /// Adds −∂P/∂q.
    pub(super) fn add_tets_force(&self, rows: &mut PointRows, memory: &[f64]) {
        if self.tets.is_empty() {
            return;
        }
        self.tets_energy(rows, memory);
        for (pack, nodes) in self.distances.nodes.iter().enumerate() {
            let pulls = &rows.solid.pulls[pack * LANES..(pack + 1) * LANES];
            let pull = Lanes::new(std::array::from_fn(|lane| pulls[lane]));
            let d = rows.edges(|lane| nodes[lane][1], |lane| nodes[lane][0]);
            rows.add_opposite(times(&d, pull * Distance::inverse_length(&d)), nodes);
        }
    }

    /// Calls `visit` with the number of every tetrahedron and the curvature of its springs, its volume and its wall. With
    /// c² \[1/s²\] the square of the rate of the step.
    fn each_tet_block(
        &self,
        rows: &mut PointRows,
        memory: &[f64],
        rate_squared: f64,
        mut visit: impl FnMut(usize, [[Mat3; 4]; 4]),
    ) {
        let mut changes = std::mem::take(&mut rows.solid.changes);
        if !self.tets.is_empty() {
            self.distances.changes(rows, memory, &mut changes);
        }
        for (number, tet) in self.tets.iter().enumerate() {
            let x = tet.points.map(|point| rows.position(point));
            let (_, pulls) = tet.pulls(&changes);
            let [slope, curvature] = self.volumes.derivatives(tet.volume, Volume::of(x), memory);
            let all = tet.stiffness(&x, &pulls) + volume_stiffness(&x, slope, curvature);
            let borne = BORNE * rate_squared * tet.mass;
            visit(number, between_corners(&raised(all, borne)));
        }
        rows.solid.changes = changes;
    }

    pub(super) fn add_tets_curvature(
        &self,
        rows: &mut PointRows,
        memory: &[f64],
        rate_squared: f64,
        places: &[[[u32; 4]; 4]],
        matrix: &mut [Mat3],
    ) {
        self.each_tet_block(rows, memory, rate_squared, |number, blocks| {
            for (block, &place) in blocks.iter().flatten().zip(places[number].iter().flatten()) {
                if let Some(out) = matrix.get_mut(place as usize) {
                    *out += block;
                }
            }
        });
    }

    /// Adds to every point the sum of the norms of its row of blocks.
    pub(super) fn add_tets_row_sums(&self, rows: &mut PointRows, memory: &[f64], sums: &mut [f64]) {
        self.each_tet_block(rows, memory, 0.0, |number, blocks| {
            for (row, &point) in blocks.iter().zip(&self.tets[number].points) {
                sums[point as usize] += row.iter().map(Mat3::norm).sum::<f64>();
            }
        });
    }
}

#[cfg(test)]
#[path = "solid_tests.rs"]
mod tests;
