//! The container of Alembic files: groups and data, little endian.
//!
//! ```text
//! file    "Ogawa", 0xff (0 while it is being written), version 0 1, place of the root group (u64)
//! group   number of children (u64), the place of each (u64); the highest bit says that it is data
//! data    number of bytes (u64), the bytes
//! ```
//!
//! Place 0 is the empty group, with the highest bit the empty data. Children stand before their group, so data is
//! written as it comes and only places are kept.

use std::io::{self, Write};
use std::path::Path;

use super::hash::Digest;
use crate::OutputError;
use crate::atomic::Pending;

/// Where a child lies, and whether it is data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Child(u64);

const DATA: u64 = 1 << 63;

impl Child {
    /// Data without bytes.
    pub(super) const NOTHING: Child = Child(DATA);
}

/// A container that is being written.
pub(super) struct Ogawa {
    file: Pending,
    end: u64,
}

impl Ogawa {
    pub(super) fn begin(path: &Path) -> Result<Ogawa, OutputError> {
        let mut file = Pending::begin(path)?;
        let header = b"Ogawa\0\0\x01\0\0\0\0\0\0\0\0";
        file.write_all(header).map_err(OutputError::io(path))?;
        Ok(Ogawa { file, end: header.len() as u64 })
    }

    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Adds data.
    pub(super) fn data(&mut self, bytes: &[u8]) -> io::Result<Child> {
        if bytes.is_empty() {
            return Ok(Child::NOTHING);
        }
        self.put(&[&(bytes.len() as u64).to_le_bytes(), bytes]).map(|place| Child(DATA | place))
    }

    /// Adds data with its key in front.
    pub(super) fn sample(&mut self, key: &Digest, bytes: &[u8]) -> io::Result<Child> {
        if bytes.is_empty() {
            return Ok(Child::NOTHING);
        }
        let size = (key.len() + bytes.len()) as u64;
        self.put(&[&size.to_le_bytes(), key, bytes]).map(|place| Child(DATA | place))
    }

    /// Adds a group of what is written already.
    pub(super) fn group(&mut self, children: &[Child]) -> io::Result<Child> {
        if children.is_empty() {
            return Ok(Child(0));
        }
        let places: Vec<u8> = children.iter().flat_map(|child| child.0.to_le_bytes()).collect();
        self.put(&[&(children.len() as u64).to_le_bytes(), &places]).map(Child)
    }

    /// Says where the root is and puts the file in its place.
    pub(super) fn finish(mut self, root: Child) -> Result<(), OutputError> {
        let patched = self.file.patch(8, &root.0.to_le_bytes()).and_then(|()| self.file.patch(5, &[0xff]));
        patched.map_err(OutputError::io(self.file.path()))?;
        self.file.finish()
    }

    fn put(&mut self, parts: &[&[u8]]) -> io::Result<u64> {
        let place = self.end;
        for part in parts {
            self.file.write_all(part)?;
            self.end += part.len() as u64;
        }
        Ok(place)
    }
}
