//! VTK: XML as frames are written, and the legacy format, binary with big endian numbers.

use std::io::{self, Write};
use std::path::Path;

use aspic::frame::{Frame, Topology};
use aspic::mesh::TetMesh;

use super::too_large;
use crate::OutputError;
use crate::vtu::{Fields, write_frame};

pub(super) fn vtu(path: &Path, mesh: &TetMesh) -> Result<(), OutputError> {
    let topology = Topology { points: mesh.positions.len(), tets: mesh.tets.clone(), ..Topology::default() };
    let frame = Frame { positions: mesh.positions.clone(), ..Frame::default() };
    write_frame(path, &topology, &frame, Fields::NONE)
}

pub(super) fn legacy(out: &mut dyn Write, mesh: &TetMesh) -> io::Result<()> {
    writeln!(out, "# vtk DataFile Version 3.0\ntetrahedra\nBINARY\nDATASET UNSTRUCTURED_GRID")?;
    writeln!(out, "POINTS {} double", mesh.positions.len())?;
    mesh.positions.iter().flatten().try_for_each(|x| out.write_all(&x.to_be_bytes()))?;
    let cells = mesh.tets.len();
    writeln!(out, "\nCELLS {cells} {}", 5 * cells)?;
    for tet in &mesh.tets {
        out.write_all(&4i32.to_be_bytes())?;
        for &vertex in tet {
            let vertex = i32::try_from(vertex).map_err(|_| too_large("vertices"))?;
            out.write_all(&vertex.to_be_bytes())?;
        }
    }
    // VTK_TETRA is 10.
    writeln!(out, "\nCELL_TYPES {cells}")?;
    (0..cells).try_for_each(|_| out.write_all(&10i32.to_be_bytes()))?;
    writeln!(out)
}
