//! The uncut lattice: every lattice tetrahedron that meets the inside or the surface, and the surface embedded in them.
//!
//! A vertex of the surface moves with the tetrahedron it lies in: x = Σ w_k x_k with its barycentric weights. Where the
//! boundary of the chosen tetrahedra is not a manifold, all tetrahedra around the bad edge or vertex are added, which
//! hides it inside; so the surface stays covered.

use std::sync::atomic::{AtomicU16, Ordering};

use aspic::mesh::TetMesh;
use aspic::{Mat3, Vec3};
use rayon::prelude::*;

use super::bcc::{Lattice, Point, tet};
use super::labels::labels;
use super::near::cubes_of;
use super::overlap::meets;
use super::shares::shares;
use crate::error::FillError;
use crate::manifold::faults;
use crate::report::{Filling, finish};
use crate::size::{Body, Cell, Keep};
use crate::soup::Soup;

/// Lattice tetrahedra on the surface for each h² of it, beyond 12/h³ inside; measured.
const LAYER: f64 = 11.0;

/// Tetrahedra that cover a surface, and the surface in them.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedded {
    /// Whole lattice tetrahedra, dihedral angles 60° and 90°, with a boundary that is a closed 2-manifold, and how much of
    /// each lies inside the surface.
    pub mesh: TetMesh,
    /// The tetrahedron of each vertex of the surface  (n)
    pub carriers: Vec<u32>,
    /// Barycentric weights of each vertex in it: not below −1e-9, sum 1  (n)
    ///
    /// A vertex that no triangle uses rides on the first corner of the first tetrahedron.
    pub weights: Vec<[f64; 4]>,
    /// What was done.
    pub report: Filling,
}

/// Covers the inside of a surface and the surface itself with whole lattice tetrahedra. All bodies are kept.
pub fn lattice(surface: &Soup, cell: Cell) -> Result<Embedded, FillError> {
    let body = Body::new(surface)?;
    body.build(cell, LAYER, |size| cover(&body, surface, size), |made| made.mesh.tets.len())
}

/// Covers with cells of one size.
fn cover(body: &Body, surface: &Soup, size: f64) -> Result<Embedded, FillError> {
    let lattice = Lattice::around(&body.low, &body.high, size);
    let chosen =
        Chosen { masks: (0..lattice.cubes.iter().product()).map(|_| AtomicU16::new(0)).collect(), lattice };
    (0..surface.triangles.len()).into_par_iter().for_each(|t| chosen.take_meeting(&surface.corners(t)));
    let met: Vec<u16> = chosen.masks.iter().map(|mask| mask.load(Ordering::Relaxed)).collect();
    let labels = labels(&chosen.lattice, &body.winding, body.balanced);
    chosen.take_inside(&labels);
    let mut used = vec![false; surface.positions.len()];
    surface.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
    let carriers: Vec<Option<Slot>> = (0..used.len())
        .into_par_iter()
        .map(|v| used[v].then(|| chosen.slot_of(&chosen.lattice.tet_at(&surface.positions[v]))))
        .collect();
    carriers.iter().flatten().for_each(|slot| chosen.take(*slot));
    let before = chosen.slots().len();
    let (positions, tets, slots) = chosen.mended();
    let (mut mesh, report) = finish(body, size, Keep::All, positions, tets)?;
    let corners: Vec<[Vec3; 4]> = mesh.tets.iter().map(|t| t.map(|v| mesh.positions[v as usize])).collect();
    mesh.shares = shares(&body.winding, &corners, |t| {
        let (cube, slot) = slots[t];
        let inside = |p: &Point| labels[chosen.lattice.number(*p)] > 0;
        met[cube] >> slot & 1 == 0 && tet(chosen.middle(cube), slot as usize).iter().all(inside)
    });
    let at = |slot: &Option<Slot>| slot.map_or(0, |slot| slots.partition_point(|s| *s < slot) as u32);
    let carriers: Vec<u32> = carriers.iter().map(at).collect();
    let weigh = |v: usize| match used[v] {
        true => weights(&mesh, carriers[v], &surface.positions[v]),
        false => [1.0, 0.0, 0.0, 0.0],
    };
    let weights = (0..used.len()).into_par_iter().map(weigh).collect();
    let added = slots.len() - before;
    Ok(Embedded { carriers, weights, mesh, report: Filling { added, ..report } })
}

/// Barycentric weights of x in a tetrahedron.
fn weights(mesh: &TetMesh, tet: u32, x: &Vec3) -> [f64; 4] {
    let [a, b, c, d] = mesh.tets[tet as usize].map(|v| mesh.positions[v as usize]);
    // Rows of the inverse of the edge matrix are the gradients of the weights.
    let inverse = Mat3::from_columns(&[b - a, c - a, d - a]).try_inverse().unwrap_or_default();
    let w = inverse * (x - a);
    [1.0 - w.x - w.y - w.z, w.x, w.y, w.z]
}

/// A cube and one of its twelve tetrahedra.
type Slot = (usize, u8);

/// The chosen tetrahedra: twelve bits for each cube.
struct Chosen {
    lattice: Lattice,
    masks: Vec<AtomicU16>,
}

impl Chosen {
    fn cube(&self, middle: Point) -> usize {
        let [i, j, k] = middle.map(|c| (c >> 1) as usize);
        (k * self.lattice.cubes[1] + j) * self.lattice.cubes[0] + i
    }

    fn middle(&self, cube: usize) -> Point {
        let [x, y, _] = self.lattice.cubes;
        [cube % x, cube / x % y, cube / x / y].map(|c| 2 * c as i32 + 1)
    }

    /// Bits are only ever set, so the order of threads does not matter.
    fn take(&self, (cube, slot): Slot) {
        self.masks[cube].fetch_or(1 << slot, Ordering::Relaxed);
    }

    fn has(&self, (cube, slot): Slot) -> bool {
        self.masks[cube].load(Ordering::Relaxed) >> slot & 1 == 1
    }

    /// All tetrahedra with a corner inside.
    fn take_inside(&self, labels: &[i8]) {
        (0..self.masks.len()).into_par_iter().for_each(|cube| {
            let middle = self.middle(cube);
            for slot in (0..12).filter(|&slot| self.lattice.has_tet(middle, slot)) {
                if tet(middle, slot).iter().any(|&p| labels[self.lattice.number(p)] > 0) {
                    self.take((cube, slot as u8));
                }
            }
        });
    }

    /// All tetrahedra that a triangle meets.
    fn take_meeting(&self, corners: &[Vec3; 3]) {
        cubes_of(&self.lattice, corners, &mut |cube| {
            let middle = cube.map(|c| 2 * c as i32 + 1);
            for (owner, slot) in around_cube(middle).filter(|&(m, slot)| self.lattice.has_tet(m, slot)) {
                let at = (self.cube(owner), slot as u8);
                if !self.has(at) && meets(corners, &tet(owner, slot).map(|p| self.lattice.place(p))) {
                    self.take(at);
                }
            }
        });
    }

    /// The cube and slot of a tetrahedron of the lattice.
    fn slot_of(&self, corners: &[Point; 4]) -> Slot {
        let middle = corners.iter().filter(|p| p[0] & 1 == 1).min().copied().unwrap_or([1; 3]);
        let slot = (0..12).find(|&slot| tet(middle, slot) == *corners).unwrap_or(0);
        (self.cube(middle), slot as u8)
    }

    /// The chosen ones in order.
    fn slots(&self) -> Vec<Slot> {
        let of = |cube: usize| (0..12).map(move |slot| (cube, slot)).filter(|&slot| self.has(slot));
        (0..self.masks.len()).into_par_iter().flat_map_iter(of).collect()
    }

    /// Positions, tetrahedra and their slots once the boundary is a manifold.
    fn mended(&self) -> (Vec<Vec3>, Vec<[u32; 4]>, Vec<Slot>) {
        loop {
            let slots = self.slots();
            let named =
                |&(cube, slot): &Slot| tet(self.middle(cube), slot as usize).map(|p| self.lattice.number(p));
            let tets: Vec<[usize; 4]> = slots.par_iter().map(named).collect();
            let mut names: Vec<usize> = tets.concat();
            names.par_sort_unstable();
            names.dedup();
            let number = |name: usize| names.partition_point(|&n| n < name) as u32;
            let tets: Vec<[u32; 4]> = tets.par_iter().map(|t| t.map(number)).collect();
            let faults = faults(&tets);
            let point = |v: u32| self.lattice.point(names[v as usize]);
            faults.edges.iter().for_each(|e| self.take_around(&e.map(point)));
            faults.vertices.iter().for_each(|&v| self.take_around(&[point(v)]));
            if self.slots().len() == slots.len() {
                let positions = names.iter().map(|&n| self.lattice.place(self.lattice.point(n))).collect();
                return (positions, tets, slots);
            }
        }
    }

    /// Takes all tetrahedra around an edge or a vertex.
    fn take_around(&self, place: &[Point]) {
        let first = place[0];
        // Cubes whose tetrahedra can have the point as a corner.
        for n in 0..125i32 {
            let shift = [n % 5 - 2, n / 5 % 5 - 2, n / 25 - 2];
            let middle: Point = std::array::from_fn(|axis| first[axis] + shift[axis]);
            if middle.iter().any(|c| c & 1 == 0) {
                continue;
            }
            for slot in (0..12).filter(|&slot| self.lattice.has_tet(middle, slot)) {
                if place.iter().all(|p| tet(middle, slot).contains(p)) {
                    self.take((self.cube(middle), slot as u8));
                }
            }
        }
    }
}

/// The twenty-four tetrahedra that reach into a cube: its own and those of the cubes below that cross the shared face.
fn around_cube(middle: Point) -> impl Iterator<Item = (Point, usize)> {
    let below = move |slot: usize| {
        let mut owner = middle;
        owner[slot / 4] -= 2;
        (owner, slot)
    };
    (0..12).map(move |slot| (middle, slot)).chain((0..12).map(below))
}
