//! Reads back frame files that this module has written. Meshes of other programs have their own reader, in
//! [`crate::mesh`].

use std::io::Read;
use std::path::{Path, PathBuf};

use aspic::Vec3;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::read::ZlibDecoder;

use crate::{Place, ReadError};

/// Positions \[m\] of all points; those that a surface file leaves out are at the origin. `None` for a file that
/// is missing, damaged, or of other points.
pub(crate) fn read_positions(path: &Path, points: usize) -> Option<Vec<Vec3>> {
    let file = FrameFile::open(path).ok()?;
    let there = file.vectors(Section::Points, "Points").ok()?;
    let numbers = match file.numbers(Section::PointData, "node") {
        Ok(numbers) => numbers.into_iter().map(|n| n as usize).collect(),
        Err(_) if file.has(Section::PointData, "node") => return None,
        Err(_) => (0..points).collect::<Vec<usize>>(),
    };
    if there.len() != numbers.len() {
        return None;
    }
    let mut positions = vec![Vec3::zeros(); points];
    for (x, point) in there.into_iter().zip(numbers) {
        *positions.get_mut(point)? = x;
    }
    Some(positions)
}

/// A part of a frame file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Points,
    Cells,
    PointData,
    CellData,
}

/// The text of a frame file; arrays are decoded when they are asked for.
pub(crate) struct FrameFile {
    path: PathBuf,
    text: String,
}

impl FrameFile {
    pub(crate) fn open(path: &Path) -> Result<FrameFile, ReadError> {
        let bytes = crate::error::read_bytes(path)?;
        let text = String::from_utf8(bytes).map_err(|_| damaged(path, "it holds bytes that are no text"))?;
        match text.trim_end().ends_with("</VTKFile>") {
            true => Ok(FrameFile { path: path.into(), text }),
            false => Err(damaged(path, "it is cut off")),
        }
    }

    /// Simulated time \[s\].
    pub(crate) fn time(&self) -> Result<f64, ReadError> {
        let time = array(&self.text, "TimeValue").and_then(|text| text.trim().parse().ok());
        time.ok_or_else(|| damaged(&self.path, "it has no time"))
    }

    /// Whether there is an array of that name.
    pub(crate) fn has(&self, section: Section, name: &str) -> bool {
        self.section(section).is_some_and(|text| array(text, name).is_some())
    }

    /// Numbers, one or more an entry.
    pub(crate) fn floats(&self, section: Section, name: &str) -> Result<Vec<f64>, ReadError> {
        let bytes = self.bytes(section, name)?;
        Ok(bytes.as_chunks().0.iter().map(|word| f64::from_le_bytes(*word)).collect())
    }

    /// Three numbers an entry.
    pub(crate) fn vectors(&self, section: Section, name: &str) -> Result<Vec<Vec3>, ReadError> {
        let numbers = self.floats(section, name)?;
        let (triples, rest) = numbers.as_chunks::<3>();
        if !rest.is_empty() {
            return Err(damaged(&self.path, &format!("the array `{name}` ends within an entry")));
        }
        Ok(triples.iter().map(|&x| Vec3::from(x)).collect())
    }

    /// Numbers of points, bodies or corners.
    pub(crate) fn numbers(&self, section: Section, name: &str) -> Result<Vec<u32>, ReadError> {
        let bytes = self.bytes(section, name)?;
        Ok(bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// The bytes of an array.
    pub(crate) fn bytes(&self, section: Section, name: &str) -> Result<Vec<u8>, ReadError> {
        let coded = self.section(section).and_then(|text| array(text, name));
        let coded = coded.ok_or_else(|| damaged(&self.path, &format!("the array `{name}` is missing")))?;
        decode(coded).ok_or_else(|| damaged(&self.path, &format!("the array `{name}` cannot be decoded")))
    }

    /// Something is wrong with this file.
    pub(crate) fn damaged(&self, cause: &str) -> ReadError {
        damaged(&self.path, cause)
    }

    fn section(&self, section: Section) -> Option<&str> {
        let (open, close) = match section {
            Section::Points => ("<Points>", "</Points>"),
            Section::Cells => ("<Cells>", "</Cells>"),
            Section::PointData => ("<PointData>", "</PointData>"),
            Section::CellData => ("<CellData>", "</CellData>"),
        };
        let inside = &self.text[self.text.find(open)?..];
        Some(&inside[..inside.find(close).unwrap_or(inside.len())])
    }
}

fn damaged(path: &Path, cause: &str) -> ReadError {
    let cure = "the frame is damaged or of another program; run the scene again to have it written anew";
    ReadError::format(path, Place::File, cause, cure)
}

/// The text inside the array of that name.
fn array<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let element = &text[text.find(&format!("Name=\"{name}\""))?..];
    let inside = &element[element.find('>')? + 1..];
    Some(&inside[..inside.find('<')?])
}

/// The inverse of the writer's `encode`.
fn decode(coded: &str) -> Option<Vec<u8>> {
    // The three sizes take 24 bytes, which are 32 characters; the compressed sizes of the blocks follow.
    let sizes = words(&BASE64.decode(coded.get(..32)?).ok()?);
    let header = usize::try_from(*sizes.first()?).ok()?.checked_add(3)?.checked_mul(8)?;
    let (header, blocks) = coded.split_at_checked(header.div_ceil(3).checked_mul(4)?)?;
    let lengths = words(&BASE64.decode(header).ok()?).split_off(3);
    let blocks = BASE64.decode(blocks).ok()?;
    let (mut bytes, mut left) = (Vec::new(), &blocks[..]);
    for length in lengths {
        let (block, rest) = left.split_at_checked(usize::try_from(length).ok()?)?;
        // A block holds at most as much as the header says; more is damage.
        let most = bytes.len() as u64 + sizes[1];
        ZlibDecoder::new(block).take(sizes[1].saturating_add(1)).read_to_end(&mut bytes).ok()?;
        if bytes.len() as u64 > most {
            return None;
        }
        left = rest;
    }
    Some(bytes)
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
}
