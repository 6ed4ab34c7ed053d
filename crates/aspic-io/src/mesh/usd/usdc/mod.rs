//! USD in binary ("crate" files), little endian, versions 0.4 to 0.x.
//!
//! | where | what |
//! |---|---|
//! | 0 | `PXR-USDC` |
//! | 8 | version: three bytes, five more |
//! | 16 | where the table of contents is, i64 |
//! | there | u64 count, then each section: a name of 16 bytes, i64 start, i64 size |
//!
//! | section | what |
//! |---|---|
//! | `TOKENS` | u64 count, u64 size, u64 packed size, packed texts that end with 0 each |
//! | `STRINGS` | u64 count, u32 token of each |
//! | `FIELDS` | u64 count, packed u32 token of each name, then u64 packed size and packed u64 values |
//! | `FIELDSETS` | u64 count, packed u32 fields; a field of 2³²-1 ends each set |
//! | `PATHS` | u64 count, u64 count, packed u32 path, i32 token (negative for a property), i32 jump of each |
//! | `SPECS` | u64 count, packed u32 path, u32 start of its field set, u32 kind of each |
//!
//! Paths are a tree in depth-first order: a jump of -2 is a leaf, -1 has a child only, 0 a sibling only, and a positive
//! one has a child next and its sibling so far ahead.

mod packed;
mod tree;
mod values;

use std::cell::Cell;
use std::path::Path;

use super::layer::Layer;
use crate::ReadError;
use crate::mesh::kind::Kind;
use crate::mesh::reader::{DAMAGED, Reader};

/// The most numbers of an array; more than any mesh needs.
const MOST: usize = 3 * crate::mesh::weld::MOST;
/// The most entries of a table.
const MOST_ENTRIES: usize = 10_000_000;

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Layer, ReadError> {
    let mut reader = Reader { binary: true, ..Reader::new(path, bytes) };
    reader.take(8, "the head")?;
    let version = reader.take(8, "the version")?;
    if version[0] != 0 || version[1] < 4 {
        let cause = format!("version {}.{} is not read, only 0.4 and later", version[0], version[1]);
        return Err(reader.error(cause, "save it again: usdcat OLD.usdc -o NEW.usdc"));
    }
    let mut file = File { reader, minor: version[1], ..File::empty(path) };
    file.read_tables()?;
    tree::layer(&file)
}

/// The tables of a file.
struct File<'a> {
    /// At the beginning of the file.
    reader: Reader<'a>,
    /// The version is 0.minor.
    minor: u8,
    tokens: Vec<String>,
    /// Token of the name, and value.
    fields: Vec<(usize, u64)>,
    field_sets: Vec<usize>,
    /// Path, token and jump of each.
    paths: Vec<[i64; 3]>,
    path_count: usize,
    /// Path, field set and kind of each.
    specs: Vec<[usize; 3]>,
    /// What may still be unpacked: many entries can name the same array, and packed entries cost next to nothing.
    budget: Cell<usize>,
}

impl<'a> File<'a> {
    fn empty(path: &'a Path) -> File<'a> {
        let reader = Reader::new(path, &[]);
        let (tokens, fields, field_sets, paths, specs) = (vec![], vec![], vec![], vec![], vec![]);
        File {
            reader,
            minor: 0,
            tokens,
            fields,
            field_sets,
            paths,
            path_count: 0,
            specs,
            budget: Cell::new(2 * MOST),
        }
    }

    fn read_tables(&mut self) -> Result<(), ReadError> {
        let contents = self.reader.whole(Kind::I64, "the place of the contents")?;
        let mut table = self.at(contents)?;
        let sections = table.count(Kind::U64, "sections", 32)?;
        for _ in 0..sections {
            let name = table.take(16, "the name of a section")?;
            let start = table.whole(Kind::I64, "the start of a section")?;
            table.whole(Kind::I64, "the size of a section")?;
            let mut section = self.at(start)?;
            match name.split(|&b| b == 0).next().unwrap_or_default() {
                b"TOKENS" => self.tokens = tokens(&mut section)?,
                b"FIELDS" => self.fields = fields(&mut section)?,
                b"FIELDSETS" => self.field_sets = one_table(&mut section)?,
                b"PATHS" => (self.path_count, self.paths) = paths(&mut section)?,
                b"SPECS" => self.specs = specs(&mut section)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// At a byte that the last number names.
    fn at(&self, at: i64) -> Result<Reader<'a>, ReadError> {
        match usize::try_from(at) {
            Ok(at) if at <= self.reader.bytes.len() => Ok(Reader { at, last: at, ..self.reader.clone() }),
            _ => Err(self.reader.error(format!("something lies at byte {at}, behind the end"), DAMAGED)),
        }
    }

    /// Pays for so many numbers, bytes of text or entries.
    fn spend(&self, count: usize) -> Result<(), ReadError> {
        let left = self.budget.get().checked_sub(count);
        let too_much = || self.reader.error("the file unpacks to more than any mesh needs", DAMAGED);
        left.map(|left| self.budget.set(left)).ok_or_else(too_much)
    }

    /// The text of a token; empty where there is none of that number.
    fn token(&self, number: usize) -> &str {
        self.tokens.get(number).map(String::as_str).unwrap_or_default()
    }
}

fn tokens(section: &mut Reader) -> Result<Vec<String>, ReadError> {
    let count = count(section, "tokens")?;
    let size = section.whole(Kind::U64, "the size of the tokens")?;
    let texts = packed::bytes(section, size)?;
    let tokens: Vec<String> =
        texts.split(|&b| b == 0).take(count).map(|text| String::from_utf8_lossy(text).into_owned()).collect();
    match tokens.len() == count {
        true => Ok(tokens),
        false => Err(section.error(format!("of {count} tokens only {} are there", tokens.len()), DAMAGED)),
    }
}

fn fields(section: &mut Reader) -> Result<Vec<(usize, u64)>, ReadError> {
    let count = count(section, "fields")?;
    let names = packed::wholes(section, count)?;
    let values = packed::bytes(section, 8 * count as i64)?;
    let values = values.as_chunks::<8>().0.iter().map(|value| u64::from_le_bytes(*value));
    Ok(names.into_iter().map(index).zip(values).collect())
}

fn one_table(section: &mut Reader) -> Result<Vec<usize>, ReadError> {
    let count = count(section, "field sets")?;
    Ok(packed::wholes(section, count)?.into_iter().map(index).collect())
}

fn paths(section: &mut Reader) -> Result<(usize, Vec<[i64; 3]>), ReadError> {
    let all = count(section, "paths")?;
    let stored = count(section, "paths")?;
    let [paths, tokens, jumps] = three(section, stored)?;
    let paths = paths.into_iter().zip(tokens).zip(jumps);
    Ok((
        all,
        paths
            .map(|((path, token), jump)| [i64::from(path as u32), i64::from(token), i64::from(jump)])
            .collect(),
    ))
}

fn specs(section: &mut Reader) -> Result<Vec<[usize; 3]>, ReadError> {
    let stored = count(section, "specs")?;
    let [paths, sets, kinds] = three(section, stored)?;
    Ok(paths
        .into_iter()
        .zip(sets)
        .zip(kinds)
        .map(|((path, set), kind)| [path, set, kind].map(index))
        .collect())
}

fn three(section: &mut Reader, count: usize) -> Result<[Vec<i32>; 3], ReadError> {
    Ok([packed::wholes(section, count)?, packed::wholes(section, count)?, packed::wholes(section, count)?])
}

/// A count of packed things; how small they are is seen when they are unpacked.
fn count(section: &mut Reader, what: &str) -> Result<usize, ReadError> {
    let count = section.whole(Kind::U64, "a count")?;
    let fits = usize::try_from(count).ok().filter(|&n| n <= MOST_ENTRIES);
    fits.ok_or_else(|| section.error(format!("{count} {what} are too many"), DAMAGED))
}

/// Packed numbers are unsigned where they name something.
fn index(number: i32) -> usize {
    number as u32 as usize
}
