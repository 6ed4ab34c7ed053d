//! A ball: an icosahedron fanned from its centre, refined, its shells drawn out to spheres.
//!
//! Each of the 20 nearly regular tetrahedra (centre + one face) becomes a lattice of `rings`³ small ones.
//! A lattice cell is a tetrahedron, an octahedron, and a tetrahedron upside down, as far as they fit.
//! An octahedron is cut in four along its shortest diagonal, which is its own affair: its faces stay whole.

use std::collections::HashMap;

use super::{MeshError, TetMesh, finish, need_count, need_length, need_room};
use crate::Vec3;

/// A ball of `radius` \[m\] centred at the origin, of `rings` shells: 20·`rings`³ tetrahedra.
///
/// Groups: `surface`, exactly on the sphere, and `center`, the one vertex at the origin.
pub fn ball(radius: f64, rings: usize) -> Result<TetMesh, MeshError> {
    need_length("radius", radius)?;
    need_count("number of rings", rings, 1)?;
    let room = need_room(20, &[rings, rings, rings])?;

    let corners = icosahedron();
    let mut shells = Shells { radius, rings, corners, numbers: HashMap::new(), positions: Vec::new() };
    let mut tets = Vec::with_capacity(room);
    for face in faces(&corners) {
        for lattice in lattice(rings) {
            shells.cell(face, lattice, &mut tets);
        }
    }
    let surface = shells.on_shell(rings);
    let center = shells.on_shell(0);
    finish(shells.positions, tets, [("surface", surface), ("center", center)])
}

/// The 12 corners (0, ±1, ±φ) and their cyclic permutations, on the unit sphere.
pub(super) fn icosahedron() -> [Vec3; 12] {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    std::array::from_fn(|n| {
        let sign = |bit: usize| if n >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let (short, long) = (sign(0), golden * sign(1));
        let corner = [[0.0, short, long], [short, long, 0.0], [long, 0.0, short]][n / 4];
        Vec3::from(corner).normalize()
    })
}

/// The 20 triples of corners that are neighbours of each other.
pub(super) fn faces(corners: &[Vec3; 12]) -> Vec<[usize; 3]> {
    // Neighbours lie 1.05 apart on the unit sphere, the next corners 1.70.
    let near = |a: usize, b: usize| (corners[a] - corners[b]).norm() < 1.3;
    let triples = (0..12).flat_map(|a| (a + 1..12).flat_map(move |b| (b + 1..12).map(move |c| [a, b, c])));
    triples.filter(|&[a, b, c]| near(a, b) && near(b, c) && near(a, c)).collect()
}

/// Lattice points (i, j, k) with i + j + k < rings.
fn lattice(rings: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..rings).flat_map(move |i| (0..rings - i).flat_map(move |j| (0..rings - i - j).map(move |k| [i, j, k])))
}

/// A corner and its weight, up to three of them.
type Key = [(usize, usize); 3];

/// Vertices shared between the lattices of neighbouring faces, numbered as they are met.
struct Shells {
    radius: f64,
    rings: usize,
    corners: [Vec3; 12],
    numbers: HashMap<Key, u32>,
    positions: Vec<Vec3>,
}

impl Shells {
    /// The tetrahedra of the lattice cell at `at`.
    fn cell(&mut self, face: [usize; 3], at: [usize; 3], tets: &mut Vec<[u32; 4]>) {
        let room = self.rings - at.iter().sum::<usize>();
        let mut vertex = |x: usize, y: usize, z: usize| self.vertex(face, [at[0] + x, at[1] + y, at[2] + z]);
        let (x, y, z) = (vertex(1, 0, 0), vertex(0, 1, 0), vertex(0, 0, 1));
        tets.push([vertex(0, 0, 0), x, y, z]);
        if room < 2 {
            return;
        }
        let (yz, xz, xy) = (vertex(0, 1, 1), vertex(1, 0, 1), vertex(1, 1, 0));
        if room > 2 {
            tets.push([yz, xz, xy, vertex(1, 1, 1)]);
        }
        tets.extend(self.octahedron([[x, yz], [y, xz], [z, xy]]));
    }

    /// Four tetrahedra round the shortest of three `diagonals`; the first of equals, whatever the rounding.
    fn octahedron(&self, diagonals: [[u32; 2]; 3]) -> [[u32; 4]; 4] {
        let length = |[a, b]: [u32; 2]| (self.positions[a as usize] - self.positions[b as usize]).norm();
        let shorter = |a: usize, b: usize| length(diagonals[b]) < (1.0 - 1e-9) * length(diagonals[a]);
        let best = (1..3).fold(0, |best, d| if shorter(best, d) { d } else { best });
        let [p, q] = diagonals[best];
        let ([a, c], [b, d]) = (diagonals[(best + 1) % 3], diagonals[(best + 2) % 3]);
        [[p, q, a, b], [p, q, b, c], [p, q, c, d], [p, q, d, a]]
    }

    /// Number of the vertex with these weights on the corners of `face`; the rest is on the centre.
    fn vertex(&mut self, face: [usize; 3], weights: [usize; 3]) -> u32 {
        let mut key: Key = [0, 1, 2].map(|c| if weights[c] > 0 { (face[c], weights[c]) } else { (0, 0) });
        key.sort_unstable();
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let number = self.positions.len() as u32;
        self.numbers.insert(key, number);
        self.positions.push(self.place(key));
        number
    }

    /// Shell s lies on the sphere of radius r s/n.
    fn place(&self, key: Key) -> Vec3 {
        let shell: usize = key.iter().map(|&(_, weight)| weight).sum();
        let toward: Vec3 = key.iter().map(|&(c, weight)| weight as f64 * self.corners[c]).sum();
        let r = self.radius * (shell as f64 / self.rings as f64);
        toward.try_normalize(0.0).map_or(Vec3::zeros(), |direction| r * direction)
    }

    /// Vertices whose weights sum to `shell`, ascending.
    fn on_shell(&self, shell: usize) -> Vec<u32> {
        let on = |key: &Key| key.iter().map(|&(_, weight)| weight).sum::<usize>() == shell;
        let mut found: Vec<u32> = self.numbers.iter().filter(|(key, _)| on(key)).map(|(_, &v)| v).collect();
        found.sort_unstable();
        found
    }
}
