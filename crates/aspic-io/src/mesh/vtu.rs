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
/// The largest array that a mesh within the limits can have: 10 million tetrahedra with nine f64 each
/// and room to spare \[bytes\].
const MOST_BYTES: u64 = 4 << 30;

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let fail = |cause: String| ReadError::format(path, Place::File, cause, SAVE_AGAIN);
    let text = String::from_utf8_lossy(bytes);
    check(&text).map_err(fail)?;
    // Retried, not rewritten at once: some writers count an empty last block where VTK counts none.
    let grid = import(&text)
        .or_else(|cause| with_last_blocks(&text).and_then(|text| import(&text).ok()).ok_or(cause))
        .map_err(|cause| fail(format!("the file is cut off or damaged ({cause})")))?;
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

fn import(text: &str) -> Result<vtkio::Vtk, String> {
    guarded(|| vtkio::Vtk::parse_xml(text.as_bytes()))?.map_err(|error| error.to_string())
}

/// The file with the size of the last block written out where VTK leaves it 0 for "a full one", which
/// `vtkio` takes for an empty one. `None` where there is nothing to change.
fn with_last_blocks(text: &str) -> Option<String> {
    let coding = Coding::of(element(text, "VTKFile")?)?;
    let mut changed = text.to_string();
    for start in compressed_starts(text) {
        let Some([blocks @ 1..=u64::MAX, block, 0]) = coding.sizes(start) else { continue };
        let at = text.len() - start.len();
        changed.replace_range(at..at + coding.characters(), &coding.text([blocks, block, block]));
    }
    (changed != text).then_some(changed)
}

/// How the three sizes before compressed blocks are written.
#[derive(Clone, Copy)]
struct Coding {
    /// Bytes of a size.
    word: usize,
    big_endian: bool,
}

impl Coding {
    /// `None` for a file without compression.
    fn of(head: &str) -> Option<Coding> {
        attribute(head, "compressor")?;
        let word = if attribute(head, "header_type") == Some("UInt64") { 8 } else { 4 };
        Some(Coding { word, big_endian: attribute(head, "byte_order") == Some("BigEndian") })
    }

    /// Three words are whole groups of base64: three bytes in four characters.
    fn characters(self) -> usize {
        4 * self.word
    }

    /// Number of blocks, size of a block, size of the last. `None` where the text is no base64, or where
    /// a header stands alone and ends in `=`; the parser judges those.
    fn sizes(self, start: &str) -> Option<[u64; 3]> {
        let bytes = BASE64.decode(start.as_bytes().get(..self.characters())?).ok()?;
        let push = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
        let size = |word: &[u8]| {
            if self.big_endian { word.iter().fold(0, push) } else { word.iter().rev().fold(0, push) }
        };
        let words: Vec<u64> = bytes.chunks_exact(self.word).map(size).collect();
        words.try_into().ok()
    }

    /// The inverse of `sizes`.
    fn text(self, sizes: [u64; 3]) -> String {
        let bytes = |size: u64| match self.big_endian {
            true => size.to_be_bytes()[8 - self.word..].to_vec(),
            false => size.to_le_bytes()[..self.word].to_vec(),
        };
        BASE64.encode(sizes.map(bytes).concat())
    }
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
    let Some(coding) = Coding::of(head) else { return Ok(()) };
    compressed_starts(text).try_for_each(|start| check_blocks(start, coding))
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

/// What the blocks expand to must be credible.
fn check_blocks(start: &str, coding: Coding) -> Result<(), String> {
    let Some([blocks, block, last]) = coding.sizes(start) else { return Ok(()) };
    let left = start.len() as u64;
    let most = MOST_BYTES.min(MOST_EXPANSION * left);
    // A last size of 0 may stand for a whole block.
    let size =
        u128::from(blocks.max(1) - 1) * u128::from(block) + u128::from(if last == 0 { block } else { last });
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
        let shift = |v| usize::try_from(v).unwrap_or(usize::MAX).saturating_add(first);
        match (kind, <[u64; 4]>::try_from(corners)) {
            (CellType::Tetra, Ok(corners)) => raw.tets.push(corners.map(shift)),
            (CellType::Tetra, Err(_)) => return Err(format!("a tetrahedron has {} corners", corners.len())),
            (CellType::Triangle, _) => {
                let three = <[u64; 3]>::try_from(corners);
                let three = three.map_err(|_| format!("a triangle has {} corners", corners.len()))?;
                raw.triangles.push(three.map(shift));
                raw.other_cells += 1;
            }
            _ => raw.other_cells += 1,
        }
        start = end;
    }
    Ok(())
}
