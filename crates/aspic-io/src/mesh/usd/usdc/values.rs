//! Values of USD's binary files: eight bytes with a place or the value itself.
//!
//! Bit 63 says array, 62 that the value itself is in the lower 48 bits, 61 packed; bits 48 to 55 are the type. Where the
//! value is inside, vectors and the diagonals of matrices are i8 and doubles are f32. An array at its place is a
//! count (u64, before 0.7 u32, before 0.5 a 1 before it), then its numbers. Packed whole numbers are as in the tables;
//! packed floats are `i` and whole numbers, or `t`, a u32 count of values, the values, and packed numbers of them.
//! Arrays of fewer than 16 numbers are never packed.

use super::{File, MOST, index, packed};
use crate::ReadError;
use crate::mesh::kind::Kind;
use crate::mesh::reader::{DAMAGED, Reader};
use crate::mesh::usd::layer::Value;

const INT: u64 = 3;
const FLOAT: u64 = 8;
const DOUBLE: u64 = 9;
const TOKEN: u64 = 11;
const TOKEN_VECTOR: u64 = 41;
const TIME_SAMPLES: u64 = 46;

/// How a type is stored: kind of number, how many, and whether it is a matrix. `None` for half floats and what no mesh
/// needs.
fn shape(kind: u64) -> Option<(Kind, usize, bool)> {
    Some(match kind {
        1 | 2 => (Kind::U8, 1, false),
        INT => (Kind::I32, 1, false),
        4 => (Kind::U32, 1, false),
        5 => (Kind::I64, 1, false),
        6 => (Kind::U64, 1, false),
        FLOAT => (Kind::F32, 1, false),
        DOUBLE => (Kind::F64, 1, false),
        15 => (Kind::F64, 4, true),
        16 => (Kind::F64, 4, false),
        17 => (Kind::F32, 4, false),
        23 => (Kind::F64, 3, false),
        24 => (Kind::F32, 3, false),
        _ => return None,
    })
}

impl File<'_> {
    /// The value, or `None` for a type that no mesh needs.
    pub(super) fn value(&self, stored: u64) -> Result<Option<Value>, ReadError> {
        let kind = stored >> 48 & 0xff;
        let payload = (stored & 0xffff_ffff_ffff) as i64;
        let is_array = stored >> 63 == 1;
        let is_inside = stored >> 62 & 1 == 1;
        match (kind, is_array, is_inside) {
            (TOKEN, false, _) => Ok(Some(Value::Texts(vec![self.token(payload as usize).into()]))),
            (TOKEN, true, _) | (TOKEN_VECTOR, ..) => self.texts(kind, payload).map(Some),
            (TIME_SAMPLES, ..) => self.first_sample(payload),
            // Specifiers: def, over, class.
            (42, false, true) => Ok(Some(Value::Numbers(vec![payload as f64]))),
            _ => match shape(kind) {
                None => Ok(None),
                Some(shape) if is_array => {
                    self.array(stored, shape, payload).map(|n| Some(Value::Numbers(n)))
                }
                Some(shape) if is_inside => Ok(Some(Value::Numbers(inside(shape, payload as u32)))),
                Some((kind, count, is_matrix)) => {
                    let mut reader = self.at(payload)?;
                    let count = if is_matrix { count * count } else { count };
                    let mut numbers = numbers(&mut reader, kind, count)?;
                    // Quaternions are stored x y z w.
                    if matches!(stored >> 48 & 0xff, 16 | 17) {
                        numbers.rotate_right(1);
                    }
                    Ok(Some(Value::Numbers(numbers)))
                }
            },
        }
    }

    fn texts(&self, kind: u64, payload: i64) -> Result<Value, ReadError> {
        if payload == 0 {
            return Ok(Value::Texts(vec![]));
        }
        let mut reader = self.at(payload)?;
        let count =
            if kind == TOKEN { self.length(&mut reader)? } else { reader.whole(Kind::U64, "a count")? };
        let count = reader.check_count(count, "tokens", 4)?;
        let token = |_| {
            let token = self.token(reader.whole(Kind::U32, "a token")? as usize);
            self.spend(1 + token.len())?;
            Ok(token.to_string())
        };
        (0..count).map(token).collect::<Result<Vec<String>, ReadError>>().map(Value::Texts)
    }

    /// The length of an array.
    fn length(&self, reader: &mut Reader) -> Result<i64, ReadError> {
        if self.minor < 5 {
            reader.whole(Kind::U32, "the rank of an array")?;
        }
        reader.whole(if self.minor < 7 { Kind::U32 } else { Kind::U64 }, "the length of an array")
    }

    fn array(&self, stored: u64, shape: (Kind, usize, bool), payload: i64) -> Result<Vec<f64>, ReadError> {
        let (kind, components, is_matrix) = shape;
        if payload == 0 || is_matrix {
            return Ok(vec![]);
        }
        let mut reader = self.at(payload)?;
        let length = self.length(&mut reader)?;
        let is_packed = stored >> 61 & 1 == 1 && length >= 16 && components == 1;
        if !is_packed {
            let length = reader.check_count(length, "entries of an array", components * kind.size())?;
            self.spend(length * components)?;
            return numbers(&mut reader, kind, length * components);
        }
        let count = usize::try_from(length).ok().filter(|&n| n <= MOST);
        let count = count.ok_or_else(|| reader.error(format!("{length} entries are too many"), DAMAGED))?;
        self.spend(count)?;
        match kind {
            Kind::I32 => Ok(packed::wholes(&mut reader, count)?.into_iter().map(f64::from).collect()),
            Kind::U32 => {
                Ok(packed::wholes(&mut reader, count)?.into_iter().map(|n| index(n) as f64).collect())
            }
            Kind::F32 | Kind::F64 => packed_floats(&mut reader, kind, count),
            _ => Err(reader.error("packed numbers of eight bytes are not read", "save it again as .usda")),
        }
    }

    /// The value at the first time: i64 distance to the times, their value; i64 distance to u64 count and values.
    fn first_sample(&self, payload: i64) -> Result<Option<Value>, ReadError> {
        let mut at = payload;
        for _ in 0..2 {
            let distance = self.at(at)?.whole(Kind::I64, "samples over time")?;
            at = at.saturating_add(distance).saturating_add(8);
        }
        // Behind the times stands the distance, so the count lies eight bytes before.
        let mut reader = self.at(at.saturating_sub(8))?;
        if reader.count(Kind::U64, "samples over time", 8)? == 0 {
            return Ok(None);
        }
        let bytes = reader.take(8, "a sample")?;
        let stored = bytes.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        match stored >> 48 & 0xff {
            TIME_SAMPLES => Err(reader.error("samples hold samples", DAMAGED)),
            _ => self.value(stored),
        }
    }
}

fn numbers(reader: &mut Reader, kind: Kind, count: usize) -> Result<Vec<f64>, ReadError> {
    Ok(kind.numbers(reader.take(count * kind.size(), "an array")?, false))
}

fn packed_floats(reader: &mut Reader, kind: Kind, count: usize) -> Result<Vec<f64>, ReadError> {
    match reader.take(1, "the kind of an array")? {
        b"i" => Ok(packed::wholes(reader, count)?.into_iter().map(f64::from).collect()),
        b"t" => {
            let length = reader.count(Kind::U32, "values", kind.size())?;
            let table = numbers(reader, kind, length)?;
            let places = packed::wholes(reader, count)?;
            let value = |place: i32| table.get(index(place)).copied();
            let values: Option<Vec<f64>> = places.into_iter().map(value).collect();
            values.ok_or_else(|| reader.error("a packed value does not exist", DAMAGED))
        }
        _ => Err(reader.error("an array is packed in an unknown way", DAMAGED)),
    }
}

/// A value of four bytes.
fn inside((kind, components, is_matrix): (Kind, usize, bool), payload: u32) -> Vec<f64> {
    let bytes = payload.to_le_bytes();
    let small = |place: usize| f64::from(bytes[place] as i8);
    match (kind, components) {
        (_, 4) if is_matrix => (0..16).map(|i| if i % 5 == 0 { small(i / 5) } else { 0.0 }).collect(),
        (Kind::F32 | Kind::F64, 1) => vec![f64::from(f32::from_bits(payload))],
        (_, 1) => vec![f64::from(payload as i32)],
        _ => (0..components).map(small).collect(),
    }
}
