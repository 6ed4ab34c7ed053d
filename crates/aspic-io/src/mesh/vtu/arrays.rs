//! The arrays of VTK XML files.
//!
//! Binary ones are a size and that many bytes. Compressed ones are \[number of blocks\] \[size of a block\] \[size of the
//! last, 0 for a full one\] \[compressed sizes\] and the blocks. In base64 the sizes are encoded apart from the blocks,
//! so padding may stand in the middle.
//!
//! Memory is taken as the data turns up: a block that says it is larger than its compression can make it is refused.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::Fault;
use super::xml::{Array, Content, Grid};
use crate::mesh::kind::Kind;
use crate::mesh::reader::{number, shorten};

/// Memory for unpacking LZMA: its strongest setting needs 65 MB \[bytes\].
const MOST_FOR_LZMA: u64 = 128 << 20;

/// How the arrays of a file are written.
pub(super) struct Coding<'a> {
    grid: &'a Grid<'a>,
    size: Kind,
}

impl<'a> Coding<'a> {
    pub fn of(grid: &'a Grid<'a>) -> Coding<'a> {
        Coding { grid, size: if grid.long_sizes { Kind::U64 } else { Kind::U32 } }
    }

    /// An array of at most so many numbers.
    pub fn numbers(&self, array: &Array, most: usize) -> Result<Vec<f64>, Fault> {
        match array.content {
            Content::Text(text) => words(array, text, number),
            _ => Ok(kind(array)?.numbers(&self.bytes(array, most)?, self.grid.big_endian)),
        }
    }

    /// An array of at most so many whole numbers.
    pub fn wholes(&self, array: &Array, most: usize) -> Result<Vec<i64>, Fault> {
        match array.content {
            Content::Text(text) => words(array, text, |word| word.parse().ok()),
            _ => Ok(kind(array)?.wholes(&self.bytes(array, most)?, self.grid.big_endian)),
        }
    }

    fn bytes(&self, array: &Array, most: usize) -> Result<Vec<u8>, Fault> {
        let most = most.saturating_mul(kind(array)?.size());
        let fault = |cause: String| (array.at, format!("array `{}`: {cause}", shorten(&array.name)));
        let stored = self.stored(array).map_err(fault)?;
        match self.grid.compressor.as_deref() {
            None => self.plain(&stored),
            Some(compressor) => self.blocks(&stored, compressor, most),
        }
        .map_err(fault)
    }

    /// The bytes as they are stored, without base64. What is appended may run on into other arrays.
    fn stored(&self, array: &Array) -> Result<Vec<u8>, String> {
        let text = match array.content {
            Content::Text(text) | Content::Base64(text) => text,
            Content::Appended(offset) => {
                let appended = self.grid.appended.as_ref().ok_or("nothing is appended")?;
                let next = appended.offsets.partition_point(|&other| other <= offset);
                let end =
                    appended.offsets.get(next).map_or(appended.bytes.len(), |&n| n.min(appended.bytes.len()));
                let part = appended.bytes.get(offset..end).ok_or("it begins behind the end of the file")?;
                if appended.raw {
                    return Ok(part.to_vec());
                }
                part.split(|&b| b == b'<').next().unwrap_or_default()
            }
        };
        decode(text)
    }

    fn plain(&self, stored: &[u8]) -> Result<Vec<u8>, String> {
        let word = self.size.size();
        let (head, rest) = stored.split_at_checked(word).ok_or("it has no size")?;
        let size = self.size.whole(head, self.grid.big_endian);
        let bytes = usize::try_from(size).ok().and_then(|n| rest.get(..n));
        bytes.map(<[u8]>::to_vec).ok_or(format!("it announces {size} bytes, but {} follow", rest.len()))
    }

    fn blocks(&self, stored: &[u8], compressor: &str, most: usize) -> Result<Vec<u8>, String> {
        let word = self.size.size();
        let size = |place: usize| {
            let at = place.checked_mul(word)?;
            let bytes = stored.get(at..at.checked_add(word)?)?;
            usize::try_from(self.size.whole(bytes, self.grid.big_endian)).ok()
        };
        let (Some(count), Some(block), Some(last)) = (size(0), size(1), size(2)) else {
            // No block at all may be a single size of zero.
            return if size(0) == Some(0) { Ok(vec![]) } else { Err("it has no sizes".into()) };
        };
        if count == 0 {
            return Ok(vec![]);
        }
        let head = count.checked_add(3).and_then(|n| n.checked_mul(word)).filter(|&n| n <= stored.len());
        let head = head.ok_or(format!("it announces {count} blocks, but {} bytes follow", stored.len()))?;
        let (mut bytes, mut left) = (vec![], &stored[head..]);
        for place in 0..count {
            let length = size(place + 3).unwrap_or(usize::MAX);
            let (packed, rest) = left.split_at_checked(length).ok_or("its blocks end too early")?;
            left = rest;
            let is_last = place + 1 == count;
            let wanted = if is_last && last > 0 { last } else { block };
            let before = bytes.len();
            if before.saturating_add(wanted) > most && !(is_last && last == 0) {
                return Err(format!("it announces more than {most} bytes"));
            }
            unpack(compressor, packed, wanted, &mut bytes)?;
            let got = bytes.len() - before;
            // Some writers count an empty last block.
            if got != wanted && !(is_last && last == 0 && got == 0) {
                return Err(format!("a block of {wanted} bytes has {got}"));
            }
        }
        Ok(bytes)
    }
}

/// Unpacks a block that holds so many bytes; one byte too many shows that it holds more.
fn unpack(compressor: &str, packed: &[u8], wanted: usize, bytes: &mut Vec<u8>) -> Result<(), String> {
    let most = (wanted as u64).saturating_add(1);
    let read = match compressor {
        "vtkZLibDataCompressor" => flate2::read::ZlibDecoder::new(packed).take(most).read_to_end(bytes),
        "vtkLZMADataCompressor" => {
            // The head of a stream names the memory that it wants.
            let stream = xz2::stream::Stream::new_stream_decoder(MOST_FOR_LZMA, 0);
            let stream = stream.map_err(|error| format!("a block cannot be unpacked, {error}"))?;
            xz2::read::XzDecoder::new_stream(packed, stream).take(most).read_to_end(bytes)
        }
        "vtkLZ4DataCompressor" => {
            let out = super::super::lz4::unpack(packed, wanted)?;
            bytes.extend(out);
            return Ok(());
        }
        other => return Err(format!("the compression `{}` is not known", shorten(other))),
    };
    read.map(drop).map_err(|error| format!("a block cannot be unpacked, {error}"))
}

/// Base64 with white space, and with padding wherever a part ends.
fn decode(text: &[u8]) -> Result<Vec<u8>, String> {
    let text: Vec<u8> = text.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut rest = &text[..];
    while !rest.is_empty() {
        let padding = rest.iter().position(|&b| b == b'=').unwrap_or(rest.len());
        let (part, after) = rest.split_at(padding.next_multiple_of(4).clamp(1, rest.len()));
        BASE64.decode_vec(part, &mut bytes).map_err(|error| format!("it is no base64, {error}"))?;
        rest = after;
    }
    Ok(bytes)
}

fn words<T>(array: &Array, text: &[u8], parse: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, Fault> {
    let text = std::str::from_utf8(text).map_err(|_| (array.at, "an array is no text".to_string()))?;
    let misplaced = |word: &str| (array.at, format!("`{}` is no number", shorten(word)));
    text.split_ascii_whitespace().map(|word| parse(word).ok_or_else(|| misplaced(word))).collect()
}

fn kind(array: &Array) -> Result<Kind, Fault> {
    Ok(match array.kind.as_str() {
        "Int8" => Kind::I8,
        "UInt8" => Kind::U8,
        "Int16" => Kind::I16,
        "UInt16" => Kind::U16,
        "Int32" => Kind::I32,
        "UInt32" => Kind::U32,
        "Int64" => Kind::I64,
        "UInt64" => Kind::U64,
        "Float32" => Kind::F32,
        "Float64" => Kind::F64,
        other => return Err((array.at, format!("`{}` is no type of numbers", shorten(other)))),
    })
}
