//! Eight tetrahedra side by side, and how they come from a mesh.

use super::twins::Cell;
use crate::Vec3;
use crate::lanes::{LANES, Lanes, Mat3x8, splat};
use crate::mesh::TetMesh;
use crate::rows::columns;

/// Nodes in a block: what one byte can name.
pub(super) const BLOCK_NODES: usize = 256;

/// Eight tetrahedra side by side.
///
/// Each has its rest shape turned so that edge 1 lies along x and edge 2 in the plane of x and y. Then
///
/// ```text
///        p q r
/// Dm⁻¹ = · s t
///        · · u
/// ```
///
/// and twins, which share the edges 1 and 2, share p, q, s and the first two columns of F. An isotropic law does not
/// notice: of F Q it makes P Q, a gradient g became Qᵀg, and P Q Qᵀg is the same force.
#[derive(Clone, Debug)]
pub(super) struct Pack {
    /// Local node of each corner in each lane.
    pub(super) corners: [[u8; LANES]; 4],
    /// p, q, s of Dm⁻¹  \[1/m\]
    face: [Lanes; 3],
    /// r, t, u of Dm⁻¹  \[1/m\]
    apex: [Lanes; 3],
    /// Rest volume of the matter, zero in lanes that only fill up  \[m³\]
    pub(super) volume: Lanes,
}

/// Eight twins: two packs that have corners 0, 1 and 2 in common, lane by lane.
#[derive(Clone, Debug)]
pub(super) struct Twins {
    /// Local nodes: the common ones, then the apex of each.
    pub(super) corners: [[u8; LANES]; 5],
    /// p, q, s of Dm⁻¹, the same for both  \[1/m\]
    pub(super) face: [Lanes; 3],
    /// r, t, u of Dm⁻¹ of each  \[1/m\]
    pub(super) apexes: [[Lanes; 3]; 2],
    /// Rest volumes, zero in lanes that only fill up  \[m³\]
    pub(super) volumes: [Lanes; 2],
}

impl Twins {
    /// Of two packs whose first three corners are the same.
    pub(super) fn new([a, b]: [Pack; 2]) -> Twins {
        let [c0, c1, c2, c3] = a.corners;
        Twins {
            corners: [c0, c1, c2, c3, b.corners[3]],
            face: a.face,
            apexes: [a.apex, b.apex],
            volumes: [a.volume, b.volume],
        }
    }

    /// One of the two.
    #[inline(always)]
    pub(super) fn pack(&self, side: usize) -> Pack {
        let [c0, c1, c2, ..] = self.corners;
        Pack {
            corners: [c0, c1, c2, self.corners[3 + side]],
            face: self.face,
            apex: self.apexes[side],
            volume: self.volumes[side],
        }
    }
}

/// Copies positions and, if asked, a second vector of each node of a block.
#[inline(always)]
pub(super) fn gather(
    rows: &mut [Lanes; BLOCK_NODES],
    nodes: &[u32],
    q: &[Vec3],
    second: &[Vec3],
    uses_second: bool,
) {
    for (row, &node) in rows.iter_mut().zip(nodes) {
        let x = &q[node as usize];
        let v = if uses_second { second[node as usize] } else { Vec3::zeros() };
        let row = row.as_mut_array();
        row[..3].copy_from_slice(x.as_slice());
        row[4..7].copy_from_slice(v.as_slice());
    }
}

/// p, q, s, r, t, u of the inverse of the turned edges of one tetrahedron  \[1/m\]
fn turned_inverse([a, b, c, d]: [Vec3; 4]) -> [f64; 6] {
    let (e1, e2, e3) = (b - a, c - a, d - a);
    let (x, z) = (e1.normalize(), e1.cross(&e2).normalize());
    let y = z.cross(&x);
    let (p, s, u) = (1.0 / e1.norm(), 1.0 / e2.dot(&y), 1.0 / e3.dot(&z));
    let q = -p * e2.dot(&x) * s;
    let t = -s * e3.dot(&y) * u;
    let r = -(p * e3.dot(&x) + q * e3.dot(&y)) * u;
    [p, q, s, r, t, u]
}

impl Pack {
    /// Eight tetrahedra of a mesh, in a block of these nodes.
    pub(super) fn new(mesh: &TetMesh, cells: &[Cell; LANES], nodes: &[u32]) -> Pack {
        let local = |v: u32| {
            nodes.iter().position(|&n| n == v).expect("the block lists every node of its tetrahedra") as u8
        };
        // the first three in rising order: between them the stiffness is then always that above the diagonal of the block
        let corners: [[u8; 4]; LANES] = cells.map(|cell| {
            let mut corners = cell.corners.map(local);
            corners[..3].sort_unstable();
            corners
        });
        let inverses = corners.map(|corners| {
            turned_inverse(corners.map(|corner| mesh.positions[nodes[corner as usize] as usize]))
        });
        let entry = |k: usize| Lanes::new(inverses.map(|inverse| inverse[k]));
        let volume = |cell: Cell| if cell.real { mesh.matter_of(cell.tet as usize) } else { 0.0 };
        Pack {
            corners: std::array::from_fn(|c| corners.map(|corners| corners[c])),
            face: [entry(0), entry(1), entry(2)],
            apex: [entry(3), entry(4), entry(5)],
            volume: Lanes::new(cells.map(volume)),
        }
    }

    /// The gradients of the barycentric functions of corners 1, 2, 3: the rows of Dm⁻¹  \[1/m\]
    #[inline(always)]
    pub(super) fn gradients(&self) -> [[Lanes; 3]; 3] {
        let ([p, q, s], [r, t, u], zero) = (self.face, self.apex, splat(0.0));
        [[p, q, r], [zero, s, t], [zero, zero, u]]
    }

    /// F = Ds Dm⁻¹, and Ḟ, the same of the velocities, if asked.
    #[inline(always)]
    pub(super) fn motion(&self, rows: &[Lanes; BLOCK_NODES], uses_rate: bool) -> [Mat3x8; 2] {
        let row = |corner: usize, lane: usize| rows[self.corners[corner][lane] as usize];
        let edge = |corner: usize| columns(std::array::from_fn(|lane| row(corner, lane) - row(0, lane)));
        let (edge1, edge2, edge3) = (edge(1), edge(2), edge(3));
        let f = self.times_inverse(&edge1[0], &edge2[0], &edge3[0]);
        [f, if uses_rate { self.times_inverse(&edge1[1], &edge2[1], &edge3[1]) } else { f }]
    }

    /// The matrix of these columns times Dm⁻¹.
    #[inline(always)]
    fn times_inverse(&self, e1: &[Lanes; 3], e2: &[Lanes; 3], e3: &[Lanes; 3]) -> Mat3x8 {
        matrix(&first(&self.face, e1), &second(&self.face, e1, e2), &third(&self.apex, e1, e2, e3))
    }
}

/// First column of Ds Dm⁻¹.
#[inline(always)]
pub(super) fn first([p, _, _]: &[Lanes; 3], e1: &[Lanes; 3]) -> [Lanes; 3] {
    e1.map(|x| *p * x)
}

/// Second column of Ds Dm⁻¹.
#[inline(always)]
pub(super) fn second([_, q, s]: &[Lanes; 3], e1: &[Lanes; 3], e2: &[Lanes; 3]) -> [Lanes; 3] {
    let entry = |i: usize| e2[i].mul_add(*s, *q * e1[i]);
    [entry(0), entry(1), entry(2)]
}

/// Third column of Ds Dm⁻¹.
#[inline(always)]
pub(super) fn third([r, t, u]: &[Lanes; 3], e1: &[Lanes; 3], e2: &[Lanes; 3], e3: &[Lanes; 3]) -> [Lanes; 3] {
    let entry = |i: usize| e3[i].mul_add(*u, e2[i].mul_add(*t, *r * e1[i]));
    [entry(0), entry(1), entry(2)]
}

/// The matrix of three columns.
#[inline(always)]
pub(super) fn matrix(a: &[Lanes; 3], b: &[Lanes; 3], c: &[Lanes; 3]) -> Mat3x8 {
    Mat3x8([[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mat3;

    #[test]
    fn turned_gradients_have_the_lengths_angles_and_handedness_of_the_straight_ones() {
        let apexes = [Vec3::new(0.3, 0.2, 0.9), Vec3::new(-0.2, 0.4, -0.7)];
        let [a, b, c] = [Vec3::new(0.1, 0.2, 0.3), Vec3::new(1.1, 0.4, 0.2), Vec3::new(0.5, -0.9, 0.6)];
        for d in apexes {
            let straight = Mat3::from_columns(&[b - a, c - a, d - a]).try_inverse().unwrap();
            let [p, q, s, r, t, u] = turned_inverse([a, b, c, d]);
            let turned = Mat3::new(p, q, r, 0.0, s, t, 0.0, 0.0, u);
            let metric = |m: &Mat3| m * m.transpose();
            assert!((metric(&turned) - metric(&straight)).norm() < 1e-14);
            assert!((turned.determinant() / straight.determinant() - 1.0).abs() < 1e-14);
        }
    }
}
