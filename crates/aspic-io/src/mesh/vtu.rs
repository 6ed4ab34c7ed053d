//! VTK unstructured grids by `vtkio`: text or base64, inline or appended, compressed or not.

use std::path::Path;

use aspic::Vec3;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use vtkio::model::{CellType, DataSet, Piece, UnstructuredGridPiece, VertexNumbers};

use super::guard::guarded;
use super::{Raw, check_count};
use crate::{Place, ReadError};

const SAVE_AGAIN: &str = "save it again as VTU, inline, ASCII or Binary (ParaView: Data Mode; meshio: any)";
/// Compressed blocks expand at most this much (zlib 1032, LZ4 255, LZMA some 7000); more is a lie.
const MOST_EXPANSION: u64 = 8192;
/// The largest array that a mesh within the limits can have: 20 million tetrahedra with nine f64 each
/// and room to spare \[bytes\].
const MOST_BYTES: u64 = 4 << 30;

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let fail = |cause: String| ReadError::format(path, Place::File, cause, SAVE_AGAIN);
    let text = String::from_utf8_lossy(bytes);
    check(&text).map_err(fail)?;
    let parsed = guarded(|| vtkio::Vtk::parse_xml(text.as_bytes()));
    let grid = match parsed {
        Ok(Ok(grid)) => grid,
        Ok(Err(error)) => return Err(fail(format!("the file is cut off or damaged ({error})"))),
        Err(panic) => return Err(fail(format!("the file is cut off or damaged ({panic})"))),
    };
    let DataSet::UnstructuredGrid { pieces, .. } = grid.data else {
        return Err(fail("the file holds no unstructured grid".into()));
    };
    let mut raw = Raw::default();
    for piece in pieces {
        let Piece::Inline(piece) = piece else { return Err(fail("the pieces lie in other files".into())) };
        append(&mut raw, *piece).map_err(fail)?;
    }
    check_count(raw.tets.len() as u64).map_err(|e| ReadError::mesh(path, e))?;
    Ok(raw)
}

/// What `vtkio` does not look at before it allocates.
fn check(text: &str) -> Result<(), String> {
    let head = element(text, "VTKFile").ok_or("the file does not start as VTK XML files do")?;
    if text.contains("encoding=\"raw\"") {
        return Err("the arrays are appended as raw bytes".into());
    }
    for piece in elements(text, "Piece") {
        for count in ["NumberOfPoints", "NumberOfCells"].map(|name| attribute(piece, name)) {
            let count: u64 =
                count.unwrap_or("0").parse().map_err(|_| "a piece has no valid size".to_string())?;
            // A cell has a corner and a type, a point three numbers: each leaves a trace even when compressed.
            if count / MOST_EXPANSION > text.len() as u64 {
                return Err(format!(
                    "{count} points or cells are announced in a file of {} bytes",
                    text.len()
                ));
            }
        }
    }
    if attribute(head, "compressor").is_some() {
        let word = if attribute(head, "header_type") == Some("UInt64") { 8 } else { 4 };
        let big_endian = attribute(head, "byte_order") == Some("BigEndian");
        return compressed_starts(text).try_for_each(|start| check_blocks(start, word, big_endian));
    }
    Ok(())
}

/// The beginning of each compressed array.
fn compressed_starts(text: &str) -> impl Iterator<Item = &str> {
    let appended = text.find("<AppendedData").and_then(|at| text[at..].find('_').map(|under| at + under + 1));
    text.match_indices("<DataArray").filter_map(move |(at, _)| {
        let open = element(&text[at..], "DataArray")?;
        match attribute(open, "format")? {
            "binary" => Some(text[at + open.len()..].trim_start_matches(['>']).trim_start()),
            "appended" => {
                let offset: usize = attribute(open, "offset")?.parse().ok()?;
                text.get(appended?.checked_add(offset)?..)
            }
            _ => None,
        }
    })
}

/// \[number of blocks\] \[size of a block\] \[size of the last\]: their product must be credible.
fn check_blocks(start: &str, word: usize, big_endian: bool) -> Result<(), String> {
    let characters = start.as_bytes().get(..if word == 8 { 32 } else { 16 });
    let Some(Ok(header)) = characters.map(|c| BASE64.decode(c)) else {
        // Too short, or text that is no base64: the parser says so. A header alone may end in `=`.
        return Ok(());
    };
    let push = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
    let read = |i: usize| {
        let bytes = &header[i * word..(i + 1) * word];
        if big_endian { bytes.iter().fold(0, push) } else { bytes.iter().rev().fold(0, push) }
    };
    let (blocks, block, last) = (read(0), read(1), read(2));
    let left = start.len() as u64;
    let size = u128::from(blocks.max(1) - 1) * u128::from(block) + u128::from(last);
    let most = MOST_BYTES.min(MOST_EXPANSION * left);
    if blocks > left || size > u128::from(most) {
        return Err(format!(
            "an array announces {blocks} blocks, {size} bytes in all, but {left} bytes follow"
        ));
    }
    Ok(())
}

/// The first opening tag of that name, without its `>`.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let start = text.find(&format!("<{name}"))?;
    let length = text[start..].find('>')?;
    Some(&text[start..start + length])
}

fn elements<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let tag = format!("<{name}");
    text.match_indices(&tag).map(|(at, _)| at).collect::<Vec<_>>().into_iter().filter_map(move |at| {
        let length = text[at..].find('>')?;
        Some(&text[at..at + length])
    })
}

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let after = &element[element.find(&format!("{name}="))? + name.len() + 1..];
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    after[1..].split(quote).next()
}

/// Adds a piece behind those before it.
fn append(raw: &mut Raw, piece: UnstructuredGridPiece) -> Result<(), String> {
    let first = raw.positions.len();
    let coordinates = piece.points.cast_into::<f64>().ok_or("the points are no numbers")?;
    let (triples, rest) = coordinates.as_chunks::<3>();
    if !rest.is_empty() {
        return Err(format!("{} coordinates make no whole points", coordinates.len()));
    }
    raw.positions.extend(triples.iter().map(|&p| Vec3::from(p)));
    let VertexNumbers::XML { connectivity, offsets } = piece.cells.cell_verts else {
        return Err("the cells are not in the form of XML files".into());
    };
    let mut start = 0;
    for (&end, kind) in offsets.iter().zip(&piece.cells.types) {
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        let corners =
            connectivity.get(start..end).ok_or("the cells' offsets do not increase within the corners")?;
        match (kind, <[u64; 4]>::try_from(corners)) {
            (CellType::Tetra, Ok(corners)) => {
                let shift = |v| usize::try_from(v).unwrap_or(usize::MAX).saturating_add(first);
                raw.tets.push(corners.map(shift));
            }
            (CellType::Tetra, Err(_)) => return Err(format!("a tetrahedron has {} corners", corners.len())),
            _ => raw.other_cells += 1,
        }
        start = end;
    }
    Ok(())
}
