//! gmsh 2, 4.0 and 4.1, text and binary of either byte order.
//!
//! A file is a row of sections `$Name … $EndName`. `$MeshFormat` comes first: the version, 0 for text or 1 for binary,
//! and the size of a word; a binary file has a 1 there whose bytes tell their order. The others are
//! `$PhysicalNames` (always text), `$Entities` (version 4), `$Nodes` and `$Elements`. Further ones are passed over.

mod elements;
mod entities;
mod nodes;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::Raw;
use super::kind::Kind;
use super::reader::{CUT_OFF, Reader, shorten};
use crate::{Place, ReadError};

const SAVE_AGAIN: &str = "save it again as gmsh 4.1: gmsh OLD.msh -save -format msh41 -o NEW.msh";
const TRUNCATED: &str = "the count is wrong or the file is cut off: save it again";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Version {
    V2,
    V40,
    V41,
}

/// What has been read so far.
struct File<'a> {
    reader: Reader<'a>,
    version: Version,
    /// How counts are stored, and in version 4.1 tags too.
    size: Kind,
    raw: Raw,
    /// The number from 0 of each vertex tag.
    number: HashMap<i64, usize>,
    /// Names of physical groups by dimension and tag.
    names: HashMap<(i64, i64), String>,
    /// Physical groups of the entities by dimension and tag.
    physical: BTreeMap<(i64, i64), Vec<i64>>,
    /// Tetrahedra of second order.
    quadratic: usize,
    has_elements: bool,
}

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let mut file = open(path, bytes)?;
    while file.section()? {}
    let missing = match (file.number.is_empty(), file.has_elements) {
        (true, _) => "there is no section $Nodes",
        (_, false) => "there is no section $Elements",
        _ if file.raw.tets.is_empty() && file.quadratic > 0 => {
            let cause = format!("all {} tetrahedra are of second order", file.quadratic);
            let cure = "mesh with order 1: Mesh.ElementOrder = 1";
            return Err(ReadError::format(path, Place::File, cause, cure));
        }
        _ => return Ok(file.raw),
    };
    let cure = "the file is cut off, or holds no mesh: save it again";
    Err(ReadError::format(path, Place::File, missing, cure))
}

/// Reads `$MeshFormat`.
fn open<'a>(path: &'a Path, bytes: &'a [u8]) -> Result<File<'a>, ReadError> {
    let mut reader = Reader::new(path, bytes);
    if reader.line().trim_ascii() != b"$MeshFormat" {
        let cause = "a gmsh file starts with $MeshFormat";
        return Err(reader.error(cause, "check the format and the extension"));
    }
    let line = String::from_utf8_lossy(reader.line()).into_owned();
    let damaged = reader.error("the version line is damaged", SAVE_AGAIN);
    let [version, storage, word] = line.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err(damaged);
    };
    let version = match version {
        "2" | "2.0" | "2.1" | "2.2" => Version::V2,
        "4" | "4.0" => Version::V40,
        "4.1" => Version::V41,
        other => {
            let cause = format!("this is gmsh format {}, only 2, 4.0 and 4.1 are read", shorten(other));
            return Err(reader.error(cause, SAVE_AGAIN));
        }
    };
    let (binary, size) = match (storage, word) {
        ("0", "4" | "8") => (false, Kind::U64),
        ("1", "8") => (true, Kind::U64),
        ("1", "4") => (true, Kind::U32),
        _ => return Err(damaged),
    };
    if binary {
        reader.big_endian = reader.take(4, "the byte order")? == [0, 0, 0, 1];
    }
    reader.binary = binary;
    let (raw, number, names) = (Raw::default(), HashMap::new(), HashMap::new());
    let (physical, quadratic, has_elements) = (BTreeMap::new(), 0, false);
    let mut file = File { reader, version, size, raw, number, names, physical, quadratic, has_elements };
    file.end("MeshFormat")?;
    Ok(file)
}

impl File<'_> {
    /// Reads one section; false at the end of the file.
    fn section(&mut self) -> Result<bool, ReadError> {
        let Some(word) = self.reader.word() else { return Ok(false) };
        let Some(name) = word.strip_prefix('$') else {
            let cause = format!("`{}` stands where a section begins", shorten(word));
            return Err(self.reader.error(cause, SAVE_AGAIN));
        };
        self.reader.line();
        match name {
            "PhysicalNames" => self.names()?,
            "Entities" if self.version != Version::V2 => self.entities()?,
            "Nodes" | "Elements" if (name == "Nodes") != self.number.is_empty() || self.has_elements => {
                let cause = format!("${name} stands at the wrong place, or twice");
                return Err(self.reader.error(cause, SAVE_AGAIN));
            }
            "Nodes" => self.nodes()?,
            "Elements" => self.elements()?,
            _ => return self.pass(name).map(|()| true),
        }
        self.end(name)?;
        Ok(true)
    }

    /// The line behind a section.
    fn end(&mut self, name: &str) -> Result<(), ReadError> {
        match self.reader.word() {
            Some(word) if word.strip_prefix("$End") == Some(name) => Ok(()),
            Some(word) => {
                let cause = format!("`{}` stands where $End{name} is needed", shorten(word));
                Err(self.reader.error(cause, SAVE_AGAIN))
            }
            None => Err(self.reader.error(format!("the file ends before $End{name}"), CUT_OFF)),
        }
    }

    /// Passes over a section of another kind.
    fn pass(&mut self, name: &str) -> Result<(), ReadError> {
        let end = format!("$End{name}");
        let (mut at, bytes) = (self.reader.at, self.reader.bytes);
        while let Some(dollar) = bytes[at..].iter().position(|&b| b == b'$') {
            at += dollar;
            if bytes[at..].starts_with(end.as_bytes()) {
                self.reader.at = at + end.len();
                return Ok(());
            }
            at += 1;
        }
        Err(self.reader.error(format!("the file ends before {}", shorten(&end)), CUT_OFF))
    }

    /// Names by dimension and tag: a count, then lines `dimension tag "name"`, in binary files too.
    fn names(&mut self) -> Result<(), ReadError> {
        let parse = |line: &str| {
            let mut words = line.trim().splitn(3, ' ');
            let (dimension, tag) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            let name = words.next()?.trim().strip_prefix('"')?.strip_suffix('"')?;
            Some(((dimension, tag), name.to_string()))
        };
        self.reader.line();
        loop {
            self.reader.skip_space();
            match self.reader.bytes.get(self.reader.at) {
                None => return Err(self.reader.error("the file ends before $EndPhysicalNames", CUT_OFF)),
                Some(b'$') => return Ok(()),
                Some(_) => {}
            }
            let line = String::from_utf8_lossy(self.reader.line()).into_owned();
            self.names.extend(parse(&line));
        }
    }

    /// A count at the head of a section or a block.
    fn count(&mut self, section: &str, bytes_each: usize) -> Result<usize, ReadError> {
        let count = self.reader.whole(self.size, "a count")?;
        let left = self.reader.left();
        let fits = usize::try_from(count).ok().filter(|&n| n.saturating_mul(bytes_each) <= left);
        fits.ok_or_else(|| {
            let cause = format!("${section} announces {count} entries, but only {left} bytes follow");
            self.reader.error(cause, TRUNCATED)
        })
    }

    /// Names of physical groups; a negative tag means the other orientation of the same group.
    fn group_names(&self, dimension: i64, tags: &[i64]) -> Vec<String> {
        let kind = ["point", "curve", "surface", "volume"].get(dimension as usize).unwrap_or(&"group");
        let name = |tag: &i64| {
            let known = self.names.get(&(dimension, tag.saturating_abs())).cloned();
            known.unwrap_or_else(|| format!("physical {kind} {}", tag.saturating_abs()))
        };
        tags.iter().map(name).collect()
    }
}
