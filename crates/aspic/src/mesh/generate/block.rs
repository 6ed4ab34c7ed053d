//! Boxes: a grid of cells, five tetrahedra each.
//!
//! A cell is a regular-shaped tetrahedron on four of its corners and a corner tetrahedron on each of the
//! other four. Neighbouring cells take opposite corners, so that the diagonals of shared faces agree.

use super::{MeshError, TetMesh, finish, need_count, need_length, need_room};
use crate::Vec3;

/// The five tetrahedra of an even cell. Bits of a corner: 1 is x, 2 is y, 4 is z.
const FIVE: [[usize; 4]; 5] = [[0, 3, 5, 6], [1, 0, 3, 5], [2, 0, 3, 6], [4, 0, 5, 6], [7, 3, 5, 6]];

/// An axis-aligned box of edges `size` \[m\] centred at the origin, cut into `cells` along x, y, z.
///
/// Groups: `left` `right` (lowest and highest x), `front` `back` (y), `bottom` `top` (z), and `center`, the
/// vertex nearest to the centre.
pub fn block(size: Vec3, cells: [usize; 3]) -> Result<TetMesh, MeshError> {
    check(["size along x", "size along y", "size along z"], size, cells)?;
    let grid = Grid { cells };
    let groups = [
        ("left", grid.side(0, 0)),
        ("right", grid.side(0, cells[0])),
        ("front", grid.side(1, 0)),
        ("back", grid.side(1, cells[1])),
        ("bottom", grid.side(2, 0)),
        ("top", grid.side(2, cells[2])),
        ("center", vec![grid.vertex(cells.map(|n| n / 2))]),
    ];
    finish(grid.positions(size, Vec3::repeat(0.5)), grid.tets(), groups)
}

/// A beam along x from 0 to `length`, its `width` along y and `height` along z centred \[m\], cut into
/// `cells` along x, y, z.
///
/// Groups: `start` (x = 0), `end` (x = length), `tip` (the vertex nearest to (length, 0, 0)), and the
/// sides `front` `back` (lowest and highest y), `bottom` `top` (z).
pub fn beam(length: f64, width: f64, height: f64, cells: [usize; 3]) -> Result<TetMesh, MeshError> {
    let size = Vec3::new(length, width, height);
    check(["length", "width", "height"], size, cells)?;
    let grid = Grid { cells };
    let [nx, ny, nz] = cells;
    let groups = [
        ("start", grid.side(0, 0)),
        ("end", grid.side(0, nx)),
        ("front", grid.side(1, 0)),
        ("back", grid.side(1, ny)),
        ("bottom", grid.side(2, 0)),
        ("top", grid.side(2, nz)),
        ("tip", vec![grid.vertex([nx, ny / 2, nz / 2])]),
    ];
    finish(grid.positions(size, Vec3::new(0.0, 0.5, 0.5)), grid.tets(), groups)
}

fn check(names: [&str; 3], size: Vec3, cells: [usize; 3]) -> Result<(), MeshError> {
    for (name, &metres) in names.iter().zip(&size) {
        need_length(name, metres)?;
    }
    for (axis, &n) in ["x", "y", "z"].iter().zip(&cells) {
        need_count(&format!("number of cells along {axis}"), n, 1)?;
    }
    need_room(FIVE.len() as u128, &cells).map(|_| ())
}

/// Vertices of a regular grid, x fastest.
struct Grid {
    cells: [usize; 3],
}

impl Grid {
    /// Number of the vertex at grid coordinates i, j, k.
    fn vertex(&self, [i, j, k]: [usize; 3]) -> u32 {
        let [nx, ny, _] = self.cells;
        (i + (nx + 1) * (j + (ny + 1) * k)) as u32
    }

    /// Every point of a box of grid coordinates below `ends`, x fastest.
    fn walk(ends: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
        let [ex, ey, ez] = ends;
        (0..ez).flat_map(move |k| (0..ey).flat_map(move |j| (0..ex).map(move |i| [i, j, k])))
    }

    /// Positions in a box of edges `size`; `origin` is the place of x = 0 as a fraction of it.
    fn positions(&self, size: Vec3, origin: Vec3) -> Vec<Vec3> {
        let place = |at: [usize; 3]| {
            Vec3::from_fn(|a, _| size[a] * (at[a] as f64 / self.cells[a] as f64 - origin[a]))
        };
        Self::walk(self.cells.map(|n| n + 1)).map(place).collect()
    }

    fn tets(&self) -> Vec<[u32; 4]> {
        Self::walk(self.cells).flat_map(|cell| self.split(cell)).collect()
    }

    /// An odd cell is an even one mirrored in x.
    fn split(&self, cell: [usize; 3]) -> [[u32; 4]; 5] {
        let mirror = cell.iter().sum::<usize>() % 2;
        let corner = |bits: usize| {
            let bits = bits ^ mirror;
            self.vertex([cell[0] + (bits & 1), cell[1] + (bits >> 1 & 1), cell[2] + (bits >> 2)])
        };
        FIVE.map(|tet| tet.map(corner))
    }

    /// Vertices whose grid coordinate along `axis` is `level`.
    fn side(&self, axis: usize, level: usize) -> Vec<u32> {
        let points = Self::walk(self.cells.map(|n| n + 1));
        points.filter(|at| at[axis] == level).map(|at| self.vertex(at)).collect()
    }
}
