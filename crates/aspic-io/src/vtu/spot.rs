//! The place where a simulation failed, as a grid of its own.

use std::path::Path;

use aspic::Vec3;
use aspic::frame::{BodyRange, Topology};

use super::file::{Array, Grid};
use super::owners;
use crate::{OutputError, atomic};

/// What a failure is about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Simulated time \[s\].
    pub time: f64,
    /// Bodies whose whole surfaces and edges are shown; numbers beyond the bodies (planes) show nothing.
    pub bodies: Vec<usize>,
    /// The points at fault, as numbers over all bodies.
    pub points: Vec<u32>,
    /// A tetrahedron at fault, as a number over all bodies.
    pub tet: Option<usize>,
}

/// Writes the surfaces and edges of some bodies at `positions` \[m\] with what is marked, whole or not at all.
///
/// | array | on | what |
/// |---|---|---|
/// | `body` | points, cells | number of the body, from 0 |
/// | `node` | points | number of the point among all |
/// | `marked` | points, cells | 1 for the points at fault and the cells around them, else 0 |
pub fn write_marks(
    path: &Path,
    topology: &Topology,
    positions: &[Vec3],
    marks: &Marks,
) -> Result<(), OutputError> {
    OutputError::expect_length(path, "positions", topology.points, positions.len())?;
    let text = grid(topology, positions, marks).to_text();
    atomic::write(path, |w| w.write_all(text.as_bytes()))
}

fn grid(topology: &Topology, positions: &[Vec3], marks: &Marks) -> Grid {
    let bodies: Vec<&BodyRange> = marks.bodies.iter().filter_map(|&body| topology.bodies.get(body)).collect();
    let triangles =
        bodies.iter().flat_map(|b| topology.triangles.get(b.triangles.clone()).unwrap_or_default());
    let edges = bodies.iter().flat_map(|b| topology.edges.get(b.edges.clone()).unwrap_or_default());
    let mut cells: Vec<&[u32]> = triangles.map(|t| &t[..]).chain(edges.map(|e| &e[..])).collect();
    cells.extend(marks.tet.and_then(|tet| topology.tets.get(tet)).map(|corners| &corners[..]));
    let corners = cells.iter().copied().flatten().chain(&marks.points);
    let mut shown: Vec<u32> = corners.copied().filter(|&p| (p as usize) < positions.len()).collect();
    shown.sort_unstable();
    shown.dedup();
    let place = |p: &u32| shown.binary_search(p).map_or(0, |place| place as i32);
    let bodies = owners(topology.points, topology.bodies.iter().map(|b| b.points.clone()));
    let body = |p: &u32| bodies.get(*p as usize).copied().unwrap_or(-1);
    let marked = |p: &u32| marks.points.contains(p);
    let cell_bodies: Vec<i32> = cells.iter().map(|cell| body(&cell[0])).collect();
    let cell_marks: Vec<i32> = cells.iter().map(|cell| i32::from(cell.iter().any(marked))).collect();
    let each = |value: &dyn Fn(&u32) -> i32| shown.iter().map(value).collect::<Vec<i32>>();
    Grid {
        time: marks.time,
        points: shown.iter().flat_map(|&p| <[f64; 3]>::from(positions[p as usize])).collect(),
        corners: cells.iter().copied().flatten().map(place).collect(),
        sizes: cells.iter().map(|cell| cell.len() as u8).collect(),
        point_data: vec![
            Array::integers("body", &each(&body)),
            Array::integers("node", &each(&|p| *p as i32)),
            Array::integers("marked", &each(&|p| i32::from(marked(p)))),
        ],
        cell_data: vec![Array::integers("body", &cell_bodies), Array::integers("marked", &cell_marks)],
    }
}
