//! Frames as VTK unstructured grids (`.vtu`), and the series of them (`.pvd`).
//!
//! A frame file holds points \[m\] and, where asked for,
//!
//! | array | on | what |
//! |---|---|---|
//! | `velocity` | points | \[m/s\], 3 components |
//! | `reaction` | points | force of the constraints \[N\], 3 components |
//! | `contact` | points | force of contact and friction \[N\], 3 components |
//! | `body` | points, cells | number of the body in the scene, from 0 |
//! | `node` | points | number of the point among all, in surface files only |
//! | `energy_density` | cells | elastic energy per rest volume \[J/m³\] |
//! | `stress` | cells | elastic Cauchy stress \[Pa\], xx yy zz xy yz xz, as VTK orders symmetric tensors |
//! | `von_mises` | cells | von Mises' equivalent of `stress` \[Pa\] |
//!
//! Cells are all tetrahedra, then the triangles of skins and of bodies without any tetrahedra, then the edges of ropes as
//! lines. A triangle of a skin has the energy and stress of a tetrahedron that carries it; one without a tetrahedron and
//! an edge have zero. Beside the arrays stands the time as the field `TimeValue` \[s\]. The same frame always gives the
//! same bytes.

mod file;
mod read;
mod spot;

use std::collections::HashMap;
use std::path::Path;

use aspic::frame::{BodyRange, Frame, Topology};

use self::file::{Array, Grid};
pub(crate) use self::read::{FrameFile, Section, read_positions};
pub use self::spot::{Marks, write_marks};
use crate::{OutputError, atomic};

/// What a frame file holds beside points, cells, bodies and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// Velocities of the points.
    pub velocity: bool,
    /// Forces of the constraints on the points.
    pub reaction: bool,
    /// Forces of contact and friction on the points.
    pub contact: bool,
    /// Elastic energy density of the cells.
    pub energy: bool,
    /// Stress and von Mises stress of the cells.
    pub stress: bool,
    /// Triangles of the surface, edges and their points instead of all tetrahedra.
    /// A triangle then shows the energy and stress of its tetrahedron.
    pub surface_only: bool,
}

impl Fields {
    /// Points and cells only.
    pub const NONE: Fields = Fields {
        velocity: false,
        reaction: false,
        contact: false,
        energy: false,
        stress: false,
        surface_only: false,
    };
}

impl Default for Fields {
    /// Everything, on tetrahedra.
    fn default() -> Fields {
        Fields {
            velocity: true,
            reaction: true,
            contact: true,
            energy: true,
            stress: true,
            surface_only: false,
        }
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
    OutputError::expect_length(path, "positions", topology.points, frame.positions.len())?;
    let (points, tets) = (topology.points, topology.tets.len());
    let optional = [
        ("velocities", points, frame.velocities.len()),
        ("reaction", points, frame.reaction.len()),
        ("contact", points, frame.contact.len()),
        ("energy_density", tets, frame.energy_density.len()),
        ("stress", tets, frame.stress.len()),
    ];
    (optional.into_iter())
        .filter(|&(_, _, got)| got != 0)
        .try_for_each(|(name, expected, got)| OutputError::expect_length(path, name, expected, got))
}

/// Which points and cells go into the file.
struct Selection {
    /// Number of each point of the file among those of the frame.
    points: Vec<usize>,
    /// Corners of the cells, as numbers of points of the file, one cell after the other.
    corners: Vec<i32>,
    /// Corners of each cell: 4, 3 or 2.
    sizes: Vec<u8>,
    /// Number of each cell's tetrahedron; `None` where a triangle belongs to none, and for edges.
    tets: Vec<Option<usize>>,
    /// Number of each cell's body.
    bodies: Vec<i32>,
}

impl Selection {
    /// All tetrahedra, then the triangles of skins and of bodies that have none, then all edges.
    fn everything(topology: &Topology) -> Selection {
        let mut selection = Selection {
            points: (0..topology.points).collect(),
            corners: topology.tets.iter().flatten().map(|&v| v as i32).collect(),
            sizes: vec![4; topology.tets.len()],
            tets: (0..topology.tets.len()).map(Some).collect(),
            bodies: owners(topology.tets.len(), topology.bodies.iter().map(|b| b.tets.clone())),
        };
        let carriers = carriers(topology);
        let bare = |(_, body): &(usize, &BodyRange)| body.tets.is_empty() || body.skin.is_some();
        for (number, body) in topology.bodies.iter().enumerate().filter(bare) {
            let triangles = topology.triangles.get(body.triangles.clone()).unwrap_or_default();
            let first = selection.tets.len();
            selection.add(triangles, vec![number as i32; triangles.len()], |v| v as i32);
            for (tet, triangle) in selection.tets[first..].iter_mut().zip(triangles) {
                *tet = carriers.get(&triangle[0]).copied();
            }
        }
        selection.add(&topology.edges, edge_owners(topology), |v| v as i32);
        selection
    }

    /// All triangles, then all edges.
    fn surface(topology: &Topology) -> Selection {
        let mut place = vec![-1; topology.points];
        let mut points = Vec::new();
        for point in shown(topology) {
            if place[point as usize] < 0 {
                place[point as usize] = points.len() as i32;
                points.push(point as usize);
            }
        }
        let mut selection = Selection {
            points,
            corners: topology.triangles.iter().flatten().map(|&v| place[v as usize]).collect(),
            sizes: vec![3; topology.triangles.len()],
            tets: tets_of_triangles(topology),
            bodies: owners(topology.triangles.len(), topology.bodies.iter().map(|b| b.triangles.clone())),
        };
        selection.add(&topology.edges, edge_owners(topology), |v| place[v as usize]);
        selection
    }

    /// Appends cells without a tetrahedron: their points as `place` numbers them, and their bodies.
    fn add<const N: usize>(&mut self, cells: &[[u32; N]], bodies: Vec<i32>, place: impl Fn(u32) -> i32) {
        self.corners.extend(cells.iter().flatten().map(|&v| place(v)));
        self.bodies.extend(bodies);
        self.sizes.resize(self.bodies.len(), N as u8);
        self.tets.resize(self.bodies.len(), None);
    }
}

/// The points of triangles and edges, body by body: points of a body stay together in the file. Points may come twice.
fn shown(topology: &Topology) -> impl Iterator<Item = u32> + '_ {
    let of_bodies = topology.bodies.iter().flat_map(|body| {
        let triangles = topology.triangles.get(body.triangles.clone()).unwrap_or_default();
        let edges = topology.edges.get(body.edges.clone()).unwrap_or_default();
        triangles.as_flattened().iter().chain(edges.as_flattened())
    });
    let all = topology.triangles.as_flattened().iter().chain(topology.edges.as_flattened());
    of_bodies.chain(all).copied()
}

/// The body of each edge.
fn edge_owners(topology: &Topology) -> Vec<i32> {
    owners(topology.edges.len(), topology.bodies.iter().map(|b| b.edges.clone()))
}

/// The number of the range that each entry lies in.
fn owners(count: usize, ranges: impl Iterator<Item = std::ops::Range<usize>>) -> Vec<i32> {
    let mut owners = vec![-1; count];
    for (owner, range) in ranges.enumerate() {
        owners[range.start.min(count)..range.end.min(count)].fill(owner as i32);
    }
    owners
}

/// The tetrahedron that each point of a skin follows.
fn carriers(topology: &Topology) -> HashMap<u32, usize> {
    let skins = topology.bodies.iter().filter_map(|body| Some((body.own_points().end, body.skin.as_ref()?)));
    let points = skins.flat_map(|(first, skin)| (first as u32..).zip(&skin.carriers));
    points.map(|(point, &tet)| (point, tet as usize)).collect()
}

/// The tetrahedron behind each triangle: an exposed face belongs to exactly one, a triangle of a skin has that of its
/// first corner.
fn tets_of_triangles(topology: &Topology) -> Vec<Option<usize>> {
    let key = |mut corners: [u32; 3]| {
        corners.sort_unstable();
        corners
    };
    let place: HashMap<[u32; 3], usize> =
        topology.triangles.iter().enumerate().map(|(i, &corners)| (key(corners), i)).collect();
    let carriers = carriers(topology);
    let mut tets: Vec<Option<usize>> =
        topology.triangles.iter().map(|triangle| carriers.get(&triangle[0]).copied()).collect();
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
    let at_points = |values: &[aspic::Vec3]| -> Vec<f64> {
        selection.points.iter().flat_map(|&p| [values[p].x, values[p].y, values[p].z]).collect()
    };
    let point_bodies = owners(topology.points, topology.bodies.iter().map(|b| b.points.clone()));
    let mut point_data = Vec::new();
    let vectors = [
        ("velocity", what.velocity, &frame.velocities),
        ("reaction", what.reaction, &frame.reaction),
        ("contact", what.contact, &frame.contact),
    ];
    for (name, _, values) in vectors.into_iter().filter(|(_, wanted, values)| *wanted && !values.is_empty()) {
        point_data.push(Array::floats(name, &["x", "y", "z"], &at_points(values)));
    }
    let bodies: Vec<i32> = selection.points.iter().map(|&p| point_bodies[p]).collect();
    point_data.push(Array::integers("body", &bodies));
    if what.surface_only {
        let numbers: Vec<i32> = selection.points.iter().map(|&p| p as i32).collect();
        point_data.push(Array::integers("node", &numbers));
    }
    Grid {
        time: frame.ledger.t,
        points: at_points(&frame.positions),
        corners: selection.corners.clone(),
        sizes: selection.sizes.clone(),
        point_data,
        cell_data: cell_data(frame, what, selection),
    }
}

/// A triangle without a tetrahedron, as a pure surface body has it, shows zero, and so does an edge.
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
pub(crate) mod tests;
