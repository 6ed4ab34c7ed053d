//! USD: the meshes of one layer, as text (`.usda`), binary (`.usdc`) or in an archive (`.usdz`); a `.usd` file is
//! either of the first two, its first bytes tell.
//!
//! A layer that takes its content from others (references, payloads, sublayers, variants) is refused with the command
//! that makes one layer of it.

mod geometry;
mod layer;
mod usda;
mod usdc;
mod usdz;
mod values;
mod xform;

use std::path::Path;

use super::Raw;
use super::reader::Reader;
use crate::{Place, ReadError};

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let layer = if bytes.starts_with(b"PXR-USDC") {
        usdc::parse(path, bytes)?
    } else if bytes.starts_with(b"#usda") {
        usda::parse(Reader::new(path, bytes).with_comments(b'#'))?
    } else if bytes.starts_with(b"PK\x03\x04") {
        let (start, content) = usdz::first(path, bytes)?;
        match content.starts_with(b"PXR-USDC") {
            true => usdc::parse(path, content).map_err(|error| shifted(error, start))?,
            false => usda::parse(Reader::new(path, content).with_comments(b'#'))?,
        }
    } else {
        let cause = "the file is neither text, binary nor an archive of USD";
        return Err(ReadError::format(path, Place::Byte(0), cause, "check the format and the extension"));
    };
    if let Some(arc) = layer.composed {
        let cause = format!("the file takes content from elsewhere ({arc}), which is not followed");
        let cure = "make it one layer: usdcat --flatten OLD.usd -o NEW.usdc";
        return Err(ReadError::format(path, Place::File, cause, cure));
    }
    geometry::collect(&layer)
        .map_err(|cause| ReadError::format(path, Place::File, cause, "mend the mesh, or export it again"))
}

/// The place of an error in the archive, not in the layer.
fn shifted(error: ReadError, start: usize) -> ReadError {
    match error {
        ReadError::Format { path, place: Place::Byte(at), cause, cure } => {
            ReadError::Format { path, place: Place::Byte(start + at), cause, cure }
        }
        other => other,
    }
}
