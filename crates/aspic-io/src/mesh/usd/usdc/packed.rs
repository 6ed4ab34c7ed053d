//! Packed bytes and whole numbers of USD's binary files.
//!
//! Packed bytes are a number of chunks in one byte; for 0 a block of LZ4 follows, else so many times an i32 size and a
//! block. Before them stands their packed size as u64.
//!
//! Packed whole numbers are such bytes, which hold: the commonest difference (i32), two bits for each number, lowest
//! first (0 the commonest difference, 1 an i8, 2 an i16, 3 an i32), and then these differences.

use super::MOST;
use crate::ReadError;
use crate::mesh::kind::Kind;
use crate::mesh::lz4;
use crate::mesh::reader::{DAMAGED, Reader};

/// The size of all chunks but the last.
const CHUNK: usize = 0x7e00_0000;

/// Unpacks exactly `size` bytes.
pub(super) fn bytes(reader: &mut Reader, size: i64) -> Result<Vec<u8>, ReadError> {
    let packed = reader.count(Kind::U64, "packed bytes", 1)?;
    let packed = reader.take(packed, "packed bytes")?;
    let unpacked = usize::try_from(size).map_err(|_| "their size is negative".to_string());
    let unpacked = unpacked.and_then(|size| unpack(packed, size));
    match unpacked {
        Ok(bytes) if bytes.len() as i64 == size => Ok(bytes),
        Ok(bytes) => {
            Err(reader.error(format!("{size} bytes are announced, {} are there", bytes.len()), DAMAGED))
        }
        Err(cause) => Err(reader.error(format!("packed bytes are damaged, {cause}"), DAMAGED)),
    }
}

/// At most `size` bytes.
fn unpack(packed: &[u8], size: usize) -> Result<Vec<u8>, String> {
    let Some((&chunks, mut rest)) = packed.split_first() else { return Err("there are none".into()) };
    if chunks == 0 {
        return lz4::unpack(rest, size.min(most_of(rest)));
    }
    let mut bytes: Vec<u8> = vec![];
    for _ in 0..chunks {
        let (length, after) = rest.split_first_chunk::<4>().ok_or("a chunk is missing")?;
        let length = usize::try_from(i32::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let (chunk, after) = after.split_at_checked(length).ok_or("a chunk is cut off")?;
        let left = size.saturating_sub(bytes.len()).min(CHUNK).min(most_of(chunk));
        bytes.extend(lz4::unpack(chunk, left)?);
        rest = after;
    }
    Ok(bytes)
}

/// The most bytes that a block can hold.
fn most_of(block: &[u8]) -> usize {
    block.len().saturating_mul(255).saturating_add(64)
}

/// Unpacks so many whole numbers.
pub(super) fn wholes(reader: &mut Reader, count: usize) -> Result<Vec<i32>, ReadError> {
    if count == 0 {
        // An empty table still has its packed size.
        let size = reader.count(Kind::U64, "packed bytes", 1)?;
        reader.take(size, "packed bytes")?;
        return Ok(vec![]);
    }
    let packed = reader.count(Kind::U64, "packed bytes", 1)?;
    let packed = reader.take(packed, "packed numbers")?;
    // Two bits each, and LZ4 grows at most 255-fold.
    let is_possible = count <= MOST && count / 1024 <= packed.len();
    let most = count.saturating_mul(4).saturating_add(count.div_ceil(4)).saturating_add(4);
    let numbers = match is_possible {
        true => unpack(packed, most).and_then(|coded| decode(&coded, count)),
        false => Err(format!("{} bytes cannot hold {count} of them", packed.len())),
    };
    numbers.map_err(|cause| reader.error(format!("packed numbers are damaged, {cause}"), DAMAGED))
}

fn decode(coded: &[u8], count: usize) -> Result<Vec<i32>, String> {
    let short = || "they end too early".to_string();
    let (common, rest) = coded.split_first_chunk::<4>().ok_or_else(short)?;
    let common = i32::from_le_bytes(*common);
    let (codes, mut rest) = rest.split_at_checked(count.div_ceil(4)).ok_or_else(short)?;
    let mut numbers = Vec::with_capacity(count);
    let mut number = 0i32;
    for place in 0..count {
        let kind = match codes[place / 4] >> (2 * (place % 4)) & 3 {
            0 => {
                number = number.wrapping_add(common);
                numbers.push(number);
                continue;
            }
            1 => Kind::I8,
            2 => Kind::I16,
            _ => Kind::I32,
        };
        let (word, after) = rest.split_at_checked(kind.size()).ok_or_else(short)?;
        number = number.wrapping_add(kind.whole(word, false) as i32);
        numbers.push(number);
        rest = after;
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of USD's own description: 123 124 125 100125 100125 100126 100126.
    #[test]
    fn numbers_are_sums_of_differences() {
        let mut coded = 1i32.to_le_bytes().to_vec();
        // 123 as i8; 1 and 1 are common; 100000 as i32; 0 as i8; 1 is common; 0 as i8.
        coded.extend([0b11_00_00_01, 0b01_00_01]);
        coded.push(123);
        coded.extend(100_000i32.to_le_bytes());
        coded.extend([0, 0]);
        assert_eq!(decode(&coded, 7).unwrap(), [123, 124, 125, 100_125, 100_125, 100_126, 100_126]);
        assert!(decode(&coded[..8], 7).is_err());
    }

    /// A surface of triangles has the same number of corners a million times; LZ4 shrinks that by almost 255.
    #[test]
    fn numbers_that_are_all_alike_are_unpacked() {
        let count = 1_000_000;
        let mut coded = 0i32.to_le_bytes().to_vec();
        coded.resize(4 + count / 4, 0);
        coded[4] = 1;
        coded.push(3);
        let block = lz4_flex::block::compress(&coded);
        let file = [&(block.len() as u64 + 1).to_le_bytes()[..], &[0], &block].concat();
        let mut reader = Reader { binary: true, ..Reader::new(std::path::Path::new("a.usdc"), &file) };
        assert_eq!(wholes(&mut reader, count).unwrap(), vec![3; count]);
    }
}
