//! STL: triangles without shared vertices, so those at the same place are merged.
//!
//! Text: `solid NAME`, then per triangle `facet normal x y z`, `outer loop`, three times `vertex x y z`, `endloop`,
//! `endfacet`, and at last `endsolid NAME`. Several solids make one surface.
//!
//! Binary, little endian: 80 bytes of title, a u32 count, then per triangle twelve f32 (normal and corners) and two
//! bytes. Some programs begin the title with `solid` too, so the size of the file decides.

use std::path::Path;

use aspic::Vec3;

use super::Raw;
use super::kind::Kind;
use super::reader::{BAD_COUNT, CUT_OFF, MEND, Reader, shorten};
use super::weld::{Welder, fan};
use crate::{Place, ReadError};

const HEAD: usize = 84;
const TRIANGLE: usize = 50;

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let is_text = bytes.trim_ascii_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"solid"));
    match announced(bytes) {
        Some(count) if !is_text || HEAD + count * TRIANGLE == bytes.len() => binary(path, bytes, count),
        _ if is_text => text(Reader::new(path, bytes)),
        _ => {
            let cause = format!("the file ends at byte {}, within its head of {HEAD} bytes", bytes.len());
            Err(ReadError::format(path, Place::Byte(bytes.len()), cause, CUT_OFF))
        }
    }
}

/// The count of a binary file.
fn announced(bytes: &[u8]) -> Option<usize> {
    bytes.get(80..HEAD).map(|word| Kind::U32.whole(word, false) as usize)
}

fn binary(path: &Path, bytes: &[u8], count: usize) -> Result<Raw, ReadError> {
    let triangles = &bytes[HEAD..];
    if triangles.len() / TRIANGLE < count {
        let cause = format!("{count} triangles are announced, but only {} bytes follow", triangles.len());
        return Err(ReadError::format(path, Place::Byte(80), cause, BAD_COUNT));
    }
    let mut welder = Welder::default();
    for triangle in triangles.chunks_exact(TRIANGLE).take(count) {
        let x = |at: usize| Kind::F32.number(&triangle[at..at + 4], false);
        let corner = |at: usize| Vec3::new(x(at), x(at + 4), x(at + 8));
        let corners = [12, 24, 36].map(|at| welder.vertex(corner(at)));
        welder.triangle(corners);
    }
    Ok(welder.finish())
}

fn text(mut reader: Reader) -> Result<Raw, ReadError> {
    let mut welder = Welder::default();
    let mut corners = vec![];
    let mut is_open = false;
    while let Some(word) = reader.word() {
        match word.to_ascii_lowercase().as_str() {
            "vertex" => corners.push(welder.vertex(reader.position(Kind::F64, "a coordinate")?)),
            // Names and normals may be anything.
            "solid" | "facet" | "endsolid" => {
                is_open = !word.eq_ignore_ascii_case("endsolid");
                reader.line();
            }
            "endfacet" if corners.len() < 3 => {
                return Err(reader.error(format!("a facet has {} corners", corners.len()), MEND));
            }
            "endfacet" => {
                fan(&corners).for_each(|triangle| welder.triangle(triangle));
                corners.clear();
            }
            "outer" | "loop" | "endloop" => {}
            _ => return Err(reader.error(format!("`{}` is no word of STL", shorten(word)), MEND)),
        }
    }
    if is_open || !corners.is_empty() {
        return Err(reader.error("the file ends before its `endsolid`", CUT_OFF));
    }
    Ok(welder.finish())
}
