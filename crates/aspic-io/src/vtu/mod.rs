//! Frames as VTK unstructured grids (`.vtu`), and the series of them (`.pvd`).
//!
//! A frame file holds points \[m\] and, where asked for,
//!
//! | array | on | what |
//! |---|---|---|
//! | `velocity` | points | \[m/s\], 3 components |
//! | `reaction` | points | force of the constraints \[N\], 3 components |
//! | `body` | points, cells | number of the body in the scene, from 0 |
//! | `node` | points | number of the node, in surface files only |
//! | `energy_density` | cells | elastic energy per rest volume \[J/m³\] |
//! | `stress` | cells | elastic Cauchy stress \[Pa\], xx yy zz xy yz xz, as VTK orders symmetric tensors |
//! | `von_mises` | cells | von Mises' equivalent of `stress` \[Pa\] |
//!
//! and the time as the field `TimeValue` \[s\]. The same frame always gives the same bytes.

mod file;
mod read;

use std::collections::HashMap;
use std::path::Path;

use aspic::frame::{Frame, Topology};

use self::file::{Array, Grid};
pub(crate) use self::read::read_positions;
use crate::{OutputError, atomic};

/// What a frame file holds beside points, cells, bodies and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// Velocities of the nodes.
    pub velocity: bool,
    /// Forces of the constraints on the nodes.
    pub reaction: bool,
    /// Elastic energy density of the cells.
    pub energy: bool,
    /// Stress and von Mises stress of the cells.
    pub stress: bool,
    /// Triangles of the surface and their nodes instead of all tetrahedra.
    /// A triangle then shows the energy and stress of its tetrahedron.
    pub surface_only: bool,
}

impl Default for Fields {
    /// Everything, on tetrahedra.
    fn default() -> Fields {
        Fields { velocity: true, reaction: true, energy: true, stress: true, surface_only: false }
    }
}

/// Writes one frame file, whole or not at all. Arrays that the frame leaves empty are left out.
pub fn write_frame(path: &Path, topology: &Topology, frame: &Frame, what: Fields) -> Result<(), OutputError> {
    check_lengths(path, topology, frame)?;
    let selection =
        if what.surface_only { Selection::surface(topology) } else { Selection::everything(topology) };
    let text = grid(topology, frame, what, &selection).to_text();
    atomic::write(path, |w| w.write_all(text.as_bytes()))
}

fn check_lengths(path: &Path, topology: &Topology, frame: &Frame) -> Result<(), OutputError> {
    OutputError::expect_length(path, "positions", topology.nodes, frame.positions.len())?;
    let (nodes, tets) = (topology.nodes, topology.tets.len());
    let optional = [
        ("velocities", nodes, frame.velocities.len()),
        ("reaction", nodes, frame.reaction.len()),
        ("energy_density", tets, frame.energy_density.len()),
        ("stress", tets, frame.stress.len()),
    ];
    (optional.into_iter())
        .filter(|&(_, _, got)| got != 0)
        .try_for_each(|(name, expected, got)| OutputError::expect_length(path, name, expected, got))
}

/// Which nodes and cells go into the file.
struct Selection {
    /// Number of each point's node.
    nodes: Vec<usize>,
    /// Corners of the cells, as numbers of points, one cell after the other.
    corners: Vec<i32>,
    /// Corners of one cell: 3 or 4.
    corners_per_cell: usize,
    /// Number of each cell's tetrahedron; `None` where a triangle belongs to none.
    tets: Vec<Option<usize>>,
    /// Number of each cell's body.
    bodies: Vec<i32>,
}

impl Selection {
    fn everything(topology: &Topology) -> Selection {
        Selection {
            nodes: (0..topology.nodes).collect(),
            corners: topology.tets.iter().flatten().map(|&v| v as i32).collect(),
            corners_per_cell: 4,
            tets: (0..topology.tets.len()).map(Some).collect(),
            bodies: owners(topology.tets.len(), topology.bodies.iter().map(|b| b.tets.clone())),
        }
    }

    fn surface(topology: &Topology) -> Selection {
        let mut point_of = vec![-1; topology.nodes];
        let mut nodes = Vec::new();
        for &node in topology.triangles.iter().flatten() {
            if point_of[node as usize] < 0 {
                point_of[node as usize] = nodes.len() as i32;
                nodes.push(node as usize);
            }
        }
        Selection {
            nodes,
            corners: topology.triangles.iter().flatten().map(|&v| point_of[v as usize]).collect(),
            corners_per_cell: 3,
            tets: tets_of_triangles(topology),
            bodies: owners(topology.triangles.len(), topology.bodies.iter().map(|b| b.triangles.clone())),
        }
    }
}

/// The number of the range that each entry lies in.
fn owners(count: usize, ranges: impl Iterator<Item = std::ops::Range<usize>>) -> Vec<i32> {
    let mut owners = vec![-1; count];
    for (owner, range) in ranges.enumerate() {
        owners[range.start.min(count)..range.end.min(count)].fill(owner as i32);
    }
    owners
}

/// The tetrahedron behind each triangle: an exposed face belongs to exactly one.
fn tets_of_triangles(topology: &Topology) -> Vec<Option<usize>> {
    let key = |mut corners: [u32; 3]| {
        corners.sort_unstable();
        corners
    };
    let place: HashMap<[u32; 3], usize> =
        topology.triangles.iter().enumerate().map(|(i, &corners)| (key(corners), i)).collect();
    let mut tets = vec![None; topology.triangles.len()];
    for (tet, &[a, b, c, d]) in topology.tets.iter().enumerate() {
        for face in [[a, b, c], [a, b, d], [a, c, d], [b, c, d]] {
            if let Some(&triangle) = place.get(&key(face)) {
                tets[triangle] = Some(tet);
            }
        }
    }
    tets
}

fn grid(topology: &Topology, frame: &Frame, what: Fields, selection: &Selection) -> Grid {
    let at_nodes = |values: &[aspic::Vec3]| -> Vec<f64> {
        selection.nodes.iter().flat_map(|&n| [values[n].x, values[n].y, values[n].z]).collect()
    };
    let node_bodies = owners(topology.nodes, topology.bodies.iter().map(|b| b.nodes.clone()));
    let mut point_data = Vec::new();
    if what.velocity && !frame.velocities.is_empty() {
        point_data.push(Array::floats("velocity", &["x", "y", "z"], &at_nodes(&frame.velocities)));
    }
    if what.reaction && !frame.reaction.is_empty() {
        point_data.push(Array::floats("reaction", &["x", "y", "z"], &at_nodes(&frame.reaction)));
    }
    let bodies: Vec<i32> = selection.nodes.iter().map(|&n| node_bodies[n]).collect();
    point_data.push(Array::integers("body", &bodies));
    if what.surface_only {
        let nodes: Vec<i32> = selection.nodes.iter().map(|&n| n as i32).collect();
        point_data.push(Array::integers("node", &nodes));
    }
    Grid {
        time: frame.ledger.t,
        points: at_nodes(&frame.positions),
        corners: selection.corners.clone(),
        corners_per_cell: selection.corners_per_cell,
        point_data,
        cell_data: cell_data(frame, what, selection),
    }
}

/// A triangle without a tetrahedron, as a pure surface body has it, shows zero.
fn cell_data(frame: &Frame, what: Fields, selection: &Selection) -> Vec<Array> {
    let mut arrays = Vec::new();
    if what.energy && !frame.energy_density.is_empty() {
        let energy = selection.tets.iter().map(|t| t.map_or(0.0, |t| frame.energy_density[t]));
        arrays.push(Array::floats("energy_density", &[], &energy.collect::<Vec<_>>()));
    }
    if what.stress && !frame.stress.is_empty() {
        let stress: Vec<[f64; 6]> =
            selection.tets.iter().map(|t| t.map_or([0.0; 6], |t| frame.stress[t])).collect();
        arrays.push(Array::floats("stress", &["xx", "yy", "zz", "xy", "yz", "xz"], stress.as_flattened()));
        arrays.push(Array::floats("von_mises", &[], &stress.iter().map(von_mises).collect::<Vec<_>>()));
    }
    arrays.push(Array::integers("body", &selection.bodies));
    arrays
}

/// σᵥ = √(½ ((σxx−σyy)² + (σyy−σzz)² + (σzz−σxx)²) + 3 (σxy² + σyz² + σxz²))  \[Pa\]
fn von_mises(&[xx, yy, zz, xy, yz, xz]: &[f64; 6]) -> f64 {
    let sq = |x: f64| x * x;
    (0.5 * (sq(xx - yy) + sq(yy - zz) + sq(zz - xx)) + 3.0 * (sq(xy) + sq(yz) + sq(xz))).sqrt()
}

/// Writes the series that ParaView opens: times \[s\] and files, as paths relative to the series.
pub fn write_pvd(path: &Path, frames: &[(f64, String)]) -> Result<(), OutputError> {
    atomic::write(path, |w| {
        writeln!(w, "<?xml version=\"1.0\"?>")?;
        writeln!(w, "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">")?;
        writeln!(w, "  <Collection>")?;
        for (t, file) in frames {
            writeln!(w, "    <DataSet timestep=\"{t:?}\" part=\"0\" file=\"{}\"/>", file::escape(file))?;
        }
        writeln!(w, "  </Collection>\n</VTKFile>")
    })
}

#[cfg(test)]
mod tests;
