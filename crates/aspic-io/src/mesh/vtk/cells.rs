//! Cells of VTK files by the number of their type.

use crate::mesh::Raw;
use crate::mesh::weld::{fan, strip};

const TRIANGLE: i64 = 5;
const STRIP: i64 = 6;
pub(in crate::mesh) const POLYGON: i64 = 7;
const QUAD: i64 = 9;
const TETRAHEDRON: i64 = 10;

/// Adds a cell whose corners count from `first`. Those too large are found when the mesh is put together.
pub(in crate::mesh) fn add(raw: &mut Raw, first: usize, kind: i64, corners: &[i64]) -> Result<(), String> {
    let shift = |&v: &i64| usize::try_from(v).unwrap_or(usize::MAX).saturating_add(first);
    let numbers: Vec<usize> = corners.iter().map(shift).collect();
    match (kind, &numbers[..]) {
        (TETRAHEDRON, &[a, b, c, d]) => raw.tets.push([a, b, c, d]),
        (TETRAHEDRON, _) => return Err(format!("a tetrahedron has {} corners", corners.len())),
        (TRIANGLE, &[a, b, c]) => raw.triangles.push([a, b, c]),
        (TRIANGLE, _) => return Err(format!("a triangle has {} corners", corners.len())),
        (POLYGON | QUAD, _) => raw.triangles.extend(fan(&numbers)),
        (STRIP, _) => raw.triangles.extend(strip(&numbers)),
        _ => {}
    }
    raw.other_cells += usize::from(kind != TETRAHEDRON);
    Ok(())
}

/// Adds cells of which each ends in the row of corners where `ends` says.
pub(in crate::mesh) fn add_all(
    raw: &mut Raw,
    first: usize,
    corners: &[i64],
    ends: &[i64],
    kind: impl Fn(usize) -> i64,
) -> Result<(), String> {
    let mut start = 0;
    for (cell, &end) in ends.iter().enumerate() {
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        let of_cell =
            corners.get(start..end).ok_or("the cells' offsets do not increase within the corners")?;
        add(raw, first, kind(cell), of_cell)?;
        start = end;
    }
    Ok(())
}
