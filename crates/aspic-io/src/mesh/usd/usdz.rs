//! USDZ: a zip archive without compression whose first file is the layer.
//!
//! A file begins, little endian, with `PK\3\4`, then at byte 6 the flags, at 8 the compression (0), at 18 and 22 its
//! sizes, at 26 the length of its name, at 28 that of further fields; name, fields and content follow from byte 30 on.

use std::path::Path;

use crate::mesh::kind::Kind;
use crate::mesh::reader::{CUT_OFF, DAMAGED};
use crate::{Place, ReadError};

const HEAD: usize = 30;

/// The first file of the archive and where it begins.
pub(super) fn first<'a>(path: &Path, bytes: &'a [u8]) -> Result<(usize, &'a [u8]), ReadError> {
    let fail =
        |at: usize, cause: String, cure: &str| Err(ReadError::format(path, Place::Byte(at), cause, cure));
    let Some(head) = bytes.get(..HEAD) else {
        return fail(bytes.len(), "the file ends within the head of the archive".into(), CUT_OFF);
    };
    let word = |kind: Kind, at: usize| kind.whole(&head[at..at + kind.size()], false) as usize;
    if word(Kind::U16, 8) != 0 || word(Kind::U16, 6) & 1 != 0 {
        return fail(8, "the layer is compressed or encrypted".into(), "pack it again with usdzip");
    }
    let start = HEAD + word(Kind::U16, 26) + word(Kind::U16, 28);
    let size = word(Kind::U32, 22);
    match bytes.get(start..).and_then(|rest| rest.get(..size)) {
        Some(content) if size > 0 => Ok((start, content)),
        Some(_) => fail(22, "the size of the layer is missing".into(), DAMAGED),
        None => fail(start, format!("the layer has {size} bytes, but the archive ends before"), CUT_OFF),
    }
}
