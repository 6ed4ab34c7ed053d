//! Medit and TetGen, as text.

use std::io::{self, Write};

use aspic::mesh::TetMesh;

use super::references;

pub(super) fn medit(out: &mut dyn Write, mesh: &TetMesh) -> io::Result<()> {
    let references = references::of(mesh);
    writeln!(out, "MeshVersionFormatted 2\nDimension\n3")?;
    names(out, &references.names)?;
    writeln!(out, "Vertices\n{}", mesh.positions.len())?;
    for (x, reference) in mesh.positions.iter().zip(&references.vertices) {
        writeln!(out, "{:?} {:?} {:?} {reference}", x.x, x.y, x.z)?;
    }
    writeln!(out, "Tetrahedra\n{}", mesh.tets.len())?;
    for (tet, reference) in mesh.tets.iter().zip(&references.tets) {
        let [a, b, c, d] = tet.map(|v| u64::from(v) + 1);
        writeln!(out, "{a} {b} {c} {d} {reference}")?;
    }
    writeln!(out, "End")
}

/// A comment for each number that stands for a named group.
fn names(out: &mut dyn Write, names: &[(i64, String)]) -> io::Result<()> {
    names
        .iter()
        .try_for_each(|(number, name)| writeln!(out, "# ref {number}: {}", name.replace(['\n', '\r'], " ")))
}

pub(super) fn tetgen_vertices(out: &mut dyn Write, mesh: &TetMesh) -> io::Result<()> {
    let references = references::of(mesh);
    names(out, &references.names)?;
    let has_markers = references.vertices.iter().any(|&marker| marker != 0);
    writeln!(out, "{} 3 0 {}", mesh.positions.len(), i32::from(has_markers))?;
    for (number, (x, marker)) in mesh.positions.iter().zip(&references.vertices).enumerate() {
        write!(out, "{number} {:?} {:?} {:?}", x.x, x.y, x.z)?;
        match has_markers {
            true => writeln!(out, " {marker}")?,
            false => writeln!(out)?,
        }
    }
    Ok(())
}

pub(super) fn tetgen_tetrahedra(out: &mut dyn Write, mesh: &TetMesh) -> io::Result<()> {
    let references = references::of(mesh);
    let has_attributes = references.tets.iter().any(|&attribute| attribute != 0);
    writeln!(out, "{} 4 {}", mesh.tets.len(), i32::from(has_attributes))?;
    for (number, (tet, attribute)) in mesh.tets.iter().zip(&references.tets).enumerate() {
        let [a, b, c, d] = tet;
        write!(out, "{number} {a} {b} {c} {d}")?;
        match has_attributes {
            true => writeln!(out, " {attribute}")?,
            false => writeln!(out)?,
        }
    }
    Ok(())
}
