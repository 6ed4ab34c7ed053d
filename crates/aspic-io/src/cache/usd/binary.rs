//! A stage in binary form (`.usdc`, version 0.8.0): values first, as they come, and the tables that lead to them last.
//!
//! | part | bytes |
//! |---|---|
//! | head | `PXR-USDC`, version (8), place of the contents (8), 64 empty |
//! | values | an array: its length (8) and its entries, at a multiple of 8 |
//! | sections | TOKENS, STRINGS, FIELDS, FIELDSETS, PATHS, SPECS |
//! | contents | number of sections (8); of each: name (16), place (8), length (8) |
//!
//! A value is named by 64 bits: the type in bits 48 to 55 and the place below, or the value itself if bit 62 is set. Bit 63
//! marks an array. Samples are two lists, of times and of such names; a list of times serves all channels that share it.

use std::collections::BTreeMap;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::super::Cast;
use super::Layer;
use super::specs;
use super::stage::{Prim, Value};
use super::tables::Tables;
use crate::OutputError;
use crate::atomic::Pending;

/// What a binary stage is written to: a file, or an entry of an archive.
pub(super) trait Body: Write {
    /// Leaves room for the head.
    fn leave(&mut self, length: usize) -> io::Result<()>;
    /// Fills in the head and puts everything in its place.
    fn close(self, head: &[u8]) -> Result<(), OutputError>;
}

impl Body for Pending {
    fn leave(&mut self, length: usize) -> io::Result<()> {
        self.write_all(&vec![0; length])
    }

    fn close(mut self, head: &[u8]) -> Result<(), OutputError> {
        self.seek(SeekFrom::Start(0))
            .and_then(|_| self.write_all(head))
            .map_err(OutputError::io(self.path()))?;
        self.finish()
    }
}

/// Length of the head.
const HEAD: usize = 88;

/// Types of values, by their number in the format.
#[derive(Clone, Copy)]
pub(super) enum Type {
    Bool = 1,
    Int = 3,
    Float = 8,
    Double = 9,
    String = 10,
    Token = 11,
    Vec3f = 24,
    Dictionary = 31,
    TokenListOp = 32,
    PathListOp = 34,
    TokenVector = 41,
    Specifier = 42,
    Variability = 44,
    TimeSamples = 46,
    DoubleVector = 48,
}

/// The name of a value that lies at a place.
pub(super) fn at(kind: Type, place: u64) -> u64 {
    ((kind as u64) << 48) | place
}

/// The name of an array that lies at a place.
fn array_at(kind: Type, place: u64) -> u64 {
    (1 << 63) | at(kind, place)
}

/// The name of a value that is its own name.
pub(super) fn inline(kind: Type, value: u32) -> u64 {
    (1 << 62) | at(kind, u64::from(value))
}

/// A binary stage that is being written.
pub(super) struct Binary<W: Body> {
    path: PathBuf,
    to: W,
    end: u64,
    /// Names of the samples of each channel, and their places in time.
    samples: Vec<Vec<u64>>,
    places: Vec<Vec<usize>>,
    /// Lists of times that were written.
    times: BTreeMap<Vec<usize>, u64>,
    pub tables: Tables,
    bytes: Vec<u8>,
}

impl Binary<Pending> {
    pub fn begin(path: &Path, channels: usize) -> Result<Binary<Pending>, OutputError> {
        Binary::over(path, Pending::begin(path)?, channels)
    }
}

impl<W: Body> Binary<W> {
    pub fn over(path: &Path, mut to: W, channels: usize) -> Result<Binary<W>, OutputError> {
        to.leave(HEAD).map_err(OutputError::io(path))?;
        Ok(Binary {
            path: path.into(),
            to,
            end: HEAD as u64,
            samples: vec![Vec::new(); channels],
            places: vec![Vec::new(); channels],
            times: BTreeMap::new(),
            tables: Tables::default(),
            bytes: Vec::new(),
        })
    }

    /// Writes bytes at the next multiple of 8; where.
    pub fn put(&mut self, bytes: &[u8]) -> io::Result<u64> {
        let missing = self.end.next_multiple_of(8) - self.end;
        self.to.write_all(&[0; 8][..missing as usize])?;
        self.to.write_all(bytes)?;
        let place = self.end + missing;
        self.end = place + bytes.len() as u64;
        Ok(place)
    }

    fn put_array<const N: usize>(
        &mut self,
        kind: Type,
        values: impl ExactSizeIterator<Item = [u8; N]>,
    ) -> io::Result<u64> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        bytes.extend((values.len() as u64).to_le_bytes());
        values.for_each(|value| bytes.extend_from_slice(&value));
        let place = self.put(&bytes);
        self.bytes = bytes;
        Ok(array_at(kind, place?))
    }

    fn put_triples(&mut self, values: &[[f32; 3]]) -> io::Result<u64> {
        self.put_array(Type::Vec3f, values.iter().map(|&value| triple_bytes(value)))
    }

    /// The name of a value.
    pub fn value(&mut self, value: &Value) -> io::Result<u64> {
        Ok(match value {
            Value::Bool(value) => inline(Type::Bool, u32::from(*value)),
            Value::Float(value) => inline(Type::Float, value.to_bits()),
            Value::Double(value) => at(Type::Double, self.put(&value.to_le_bytes())?),
            Value::Token(value) => inline(Type::Token, self.tables.token(value)),
            Value::String(value) => inline(Type::String, self.tables.string(value)),
            Value::Color(value) => at(Type::Vec3f, self.put(&triple_bytes(*value))?),
            Value::Floats(values) => self.put_array(Type::Float, values.iter().map(|v| v.to_le_bytes()))?,
            Value::Ints(values) => self.put_array(Type::Int, values.iter().map(|v| v.to_le_bytes()))?,
            Value::Triples(values) => self.put_triples(values)?,
        })
    }

    /// The field for a channel and its value. A single sample holds for all times.
    pub fn moving(&mut self, channel: usize) -> io::Result<Option<(&'static str, u64)>> {
        let samples = std::mem::take(&mut self.samples[channel]);
        match samples[..] {
            [] => return Ok(None),
            [only] => return Ok(Some(("default", only))),
            _ => (),
        }
        let times = self.times(channel)?;
        // A list may have other values before it: the distance to its own name says how many bytes. Here are none.
        let mut bytes = [8, times, 8, samples.len() as u64].map(u64::to_le_bytes).concat();
        samples.iter().for_each(|sample| bytes.extend(sample.to_le_bytes()));
        Ok(Some(("timeSamples", at(Type::TimeSamples, self.put(&bytes)?))))
    }

    fn times(&mut self, channel: usize) -> io::Result<u64> {
        let places = std::mem::take(&mut self.places[channel]);
        if let Some(&times) = self.times.get(&places) {
            return Ok(times);
        }
        let mut bytes = (places.len() as u64).to_le_bytes().to_vec();
        places.iter().for_each(|&place| bytes.extend((place as f64).to_le_bytes()));
        let times = at(Type::DoubleVector, self.put(&bytes)?);
        self.times.insert(places, times);
        Ok(times)
    }

    /// Writes sections and contents; the head.
    fn sections(&mut self) -> io::Result<Vec<u8>> {
        let mut contents = Vec::new();
        let sections = self.tables.sections();
        contents.extend((sections.len() as u64).to_le_bytes());
        for (name, bytes) in sections {
            let place = self.put(&bytes)?;
            let mut padded = name.as_bytes().to_vec();
            padded.resize(16, 0);
            contents.extend(padded);
            contents.extend([place, bytes.len() as u64].map(u64::to_le_bytes).concat());
        }
        let place = self.put(&contents)?;
        let mut head = b"PXR-USDC\0\x08\0\0\0\0\0\0".to_vec();
        head.extend(place.to_le_bytes());
        head.resize(HEAD, 0);
        Ok(head)
    }
}

fn triple_bytes([x, y, z]: [f32; 3]) -> [u8; 12] {
    let mut bytes = [0; 12];
    bytes[..4].copy_from_slice(&x.to_le_bytes());
    bytes[4..8].copy_from_slice(&y.to_le_bytes());
    bytes[8..].copy_from_slice(&z.to_le_bytes());
    bytes
}

impl<W: Body> Layer for Binary<W> {
    fn sample(&mut self, channel: usize, place: usize, values: &[[f32; 3]]) -> io::Result<()> {
        let name = self.put_triples(values)?;
        self.samples[channel].push(name);
        self.places[channel].push(place);
        Ok(())
    }

    fn finish(mut self: Box<Self>, cast: &Cast, frames: usize, world: &Prim) -> Result<(), OutputError> {
        let head = specs::describe(&mut self, cast, frames, world).and_then(|()| self.sections());
        let Binary { path, to, .. } = *self;
        to.close(&head.map_err(OutputError::io(&path))?)
    }
}
