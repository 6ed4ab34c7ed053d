//! One frame of a run, read back, with every field on points.

use aspic::Vec3;
use aspic::frame::{Ledger, Topology};

use super::Fields;
use crate::ReadError;
use crate::vtu::{FrameFile, Section};

/// One frame of a run. Fields that its file does not hold are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilmFrame {
    /// The number of the frame in the run, from 0.
    pub number: usize,
    /// Simulated time  \[s\]
    pub t: f64,
    /// Positions  \[m\]  (points)
    pub positions: Vec<Vec3>,
    /// Velocities  \[m/s\]  (points)
    pub velocities: Vec<Vec3>,
    /// Force of the constraints  \[N\]  (points)
    pub reaction: Vec<Vec3>,
    /// Force of contact and friction  \[N\]  (points)
    pub contact: Vec<Vec3>,
    /// Von Mises stress: mean over the cells around a point, weighted by their size; 0 where there are none  \[Pa\]  (points)
    pub von_mises: Vec<f64>,
    /// Elastic energy per rest volume: the same mean  \[J/m³\]  (points)
    pub energy_density: Vec<f64>,
    /// The row of the ledger, if it is there yet.
    pub ledger: Option<Ledger>,
}

impl FilmFrame {
    /// Reads the wanted fields, as far as the file has them.
    pub(super) fn read(file: &FrameFile, topology: &Topology, want: Fields) -> Result<FilmFrame, ReadError> {
        let positions = vectors(file, Section::Points, "Points", topology.points)?;
        let on_points = |wanted: bool, name: &str| match wanted && file.has(Section::PointData, name) {
            true => vectors(file, Section::PointData, name, topology.points),
            false => Ok(vec![]),
        };
        let on_cells = |wanted: bool, name: &str| match wanted && file.has(Section::CellData, name) {
            true => cell_means(file, name, topology, &positions),
            false => Ok(vec![]),
        };
        Ok(FilmFrame {
            t: file.time()?,
            velocities: on_points(want.velocity, "velocity")?,
            reaction: on_points(want.reaction, "reaction")?,
            contact: on_points(want.contact, "contact")?,
            von_mises: on_cells(want.stress, "von_mises")?,
            energy_density: on_cells(want.energy, "energy_density")?,
            positions,
            ..FilmFrame::default()
        })
    }
}

fn vectors(file: &FrameFile, section: Section, name: &str, points: usize) -> Result<Vec<Vec3>, ReadError> {
    let vectors = file.vectors(section, name)?;
    match vectors.len() {
        length if length == points => Ok(vectors),
        length => Err(file.damaged(&format!("the array `{name}` has {length} points, not {points}"))),
    }
}

/// Values of cells as means Σ w c / Σ w on points, weighted by size; 0 where there are none.
fn cell_means(file: &FrameFile, name: &str, topology: &Topology, x: &[Vec3]) -> Result<Vec<f64>, ReadError> {
    let values = file.floats(Section::CellData, name)?;
    let at = |corner: u32| x[corner as usize];
    let volume =
        |&[a, b, c, d]: &[u32; 4]| (at(b) - at(a)).cross(&(at(c) - at(a))).dot(&(at(d) - at(a))).abs();
    let area = |&[a, b, c]: &[u32; 3]| (at(b) - at(a)).cross(&(at(c) - at(a))).norm();
    let wrong = || file.damaged(&format!("the array `{name}` has {} entries", values.len()));
    let (of_tets, behind) = values.split_at_checked(topology.tets.len()).ok_or_else(wrong)?;
    let mut sums = vec![[0.0; 2]; x.len()];
    add(&topology.tets, of_tets, volume, &mut sums);
    // Triangles are cells where they are no faces of tetrahedra: their corners are corners of none.
    let bare = |triangle: &&[u32; 3]| sums[triangle[0] as usize][1] == 0.0;
    let triangles: Vec<[u32; 3]> = topology.triangles.iter().filter(bare).copied().collect();
    let of_triangles = behind.get(..triangles.len()).ok_or_else(wrong)?;
    add(&triangles, of_triangles, area, &mut sums);
    Ok(sums.iter().map(|&[sum, weights]| if weights > 0.0 { sum / weights } else { 0.0 }).collect())
}

/// Adds Σ w c and Σ w over the cells around each point.
fn add<const N: usize>(
    cells: &[[u32; N]],
    values: &[f64],
    weight: impl Fn(&[u32; N]) -> f64,
    sums: &mut [[f64; 2]],
) {
    for (corners, value) in cells.iter().zip(values) {
        // Every cell counts a little, so that flat ones leave no hole.
        let weight = weight(corners).max(f64::MIN_POSITIVE);
        for &corner in corners {
            let [sum, weights] = &mut sums[corner as usize];
            *sum += weight * value;
            *weights += weight;
        }
    }
}
