//! Reads back the positions of a frame file that this module has written. Meshes of other programs have
//! their own reader, in [`crate::mesh`].

use std::io::Read;
use std::path::Path;

use aspic::Vec3;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::read::ZlibDecoder;

/// Positions \[m\] of all points; those that a surface file leaves out are at the origin. `None` for a file that
/// is missing, damaged, or of other points.
pub(crate) fn read_positions(path: &Path, points: usize) -> Option<Vec<Vec3>> {
    let text = std::fs::read_to_string(path).ok()?;
    let coordinates = decode(array(&text, "Points")?)?;
    let (triples, rest) = coordinates.as_chunks::<24>();
    let numbers = match array(&text, "node") {
        Some(coded) => decode(coded)?.as_chunks().0.iter().map(|n| u32::from_le_bytes(*n) as usize).collect(),
        None => (0..points).collect::<Vec<usize>>(),
    };
    if !rest.is_empty() || triples.len() != numbers.len() {
        return None;
    }
    let mut positions = vec![Vec3::zeros(); points];
    for (triple, point) in triples.iter().zip(numbers) {
        let (coordinates, _) = triple.as_chunks::<8>();
        *positions.get_mut(point)? = Vec3::from_fn(|i, _| f64::from_le_bytes(coordinates[i]));
    }
    Some(positions)
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
        ZlibDecoder::new(block).read_to_end(&mut bytes).ok()?;
        left = rest;
    }
    Some(bytes)
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
}
