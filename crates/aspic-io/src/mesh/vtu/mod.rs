//! VTK unstructured grids in XML: text or base64, inline or appended (raw too), compressed or not.
//!
//! ```text
//! <VTKFile type="UnstructuredGrid" byte_order="LittleEndian" header_type="UInt64" compressor="vtkZLibDataCompressor">
//! <UnstructuredGrid><Piece NumberOfPoints="5" NumberOfCells="2">
//! <Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">…</DataArray></Points>
//! <Cells> DataArrays `connectivity`, `offsets` (where each cell ends) and `types` </Cells>
//! </Piece></UnstructuredGrid>
//! <AppendedData encoding="raw">_…</AppendedData></VTKFile>
//! ```

mod arrays;
mod xml;

use std::path::Path;

use self::arrays::Coding;
use self::xml::{Array, Grid, Piece};
use super::vtk::cells;
use super::weld::MOST;
use super::{Raw, check_count};
use crate::{Place, ReadError};

const SAVE_AGAIN: &str = "save it again as VTU (ParaView: any Data Mode; meshio: any)";

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let fail = |(at, cause): (usize, String)| {
        let cause = format!("the file is cut off or damaged ({cause})");
        ReadError::format(path, Place::Byte(at), cause, SAVE_AGAIN)
    };
    let grid = xml::scan(bytes).map_err(fail)?;
    let mut raw = Raw::default();
    for piece in &grid.pieces {
        append(&mut raw, &grid, piece).map_err(fail)?;
    }
    check_count(raw.tets.len() as u64).map_err(|e| ReadError::mesh(path, e))?;
    Ok(raw)
}

/// A cause and the byte it is about.
type Fault = (usize, String);

/// Adds a piece behind those before it.
fn append(raw: &mut Raw, grid: &Grid, piece: &Piece) -> Result<(), Fault> {
    let coding = Coding::of(grid);
    let first = raw.positions.len();
    let find = |name: &str| {
        let found = piece.arrays.iter().find(|array| array.name == name);
        found.ok_or_else(|| (piece.at, format!("a piece has no array `{name}`")))
    };
    let compare = |array: &Array, what: &str, announced: u64, found: usize| match announced == found as u64 {
        true => Ok(()),
        false => Err((array.at, format!("{announced} {what} are announced, but {found} are there"))),
    };
    let (points, count) = (piece.points as usize, piece.cells as usize);
    if first.saturating_add(points) > MOST
        || raw.other_cells.saturating_add(raw.tets.len()).saturating_add(count) > 2 * MOST
    {
        return Err((piece.at, format!("{points} points and {count} cells are too many")));
    }
    if points > 0 {
        let array = find("Points")?;
        let numbers = coding.numbers(array, 3 * points)?;
        let (triples, rest) = numbers.as_chunks::<3>();
        if !rest.is_empty() {
            return Err((array.at, format!("{} coordinates make no whole points", numbers.len())));
        }
        compare(array, "points", piece.points, triples.len())?;
        raw.positions.extend(triples.iter().map(|&x| aspic::Vec3::from(x)));
    }
    if count > 0 {
        let (kinds, ends) = (find("types")?, find("offsets")?);
        let types = coding.wholes(kinds, count)?;
        compare(kinds, "cells", piece.cells, types.len())?;
        let offsets = coding.wholes(ends, count)?;
        compare(ends, "cells", piece.cells, offsets.len())?;
        let most = offsets.last().map_or(0, |&end| usize::try_from(end).unwrap_or(0)).min(MOST * 8);
        let corners = coding.wholes(find("connectivity")?, most)?;
        let added = cells::add_all(raw, first, &corners, &offsets, |cell| types[cell]);
        added.map_err(|cause| (ends.at, cause))?;
    }
    Ok(())
}
