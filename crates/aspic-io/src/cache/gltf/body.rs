//! The binary part: arrays one behind another, all of them multiples of 4 bytes long.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::OutputError;
use crate::atomic::Pending;

/// An array of the binary part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Array {
    /// First byte.
    pub offset: u64,
    /// Number of bytes.
    pub size: u64,
    /// Smallest and largest entry in each column.
    pub range: Option<[[f32; 3]; 2]>,
}

/// The binary part so far.
pub(super) struct Body {
    file: Pending,
    end: u64,
    scratch: Vec<u8>,
}

impl Body {
    pub(super) fn begin(path: &Path) -> Result<Body, OutputError> {
        Ok(Body { file: Pending::begin(path)?, end: 0, scratch: vec![] })
    }

    /// Bytes so far.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Adds vectors, and measures them.
    pub(super) fn vectors(&mut self, vectors: &[[f32; 3]]) -> io::Result<Array> {
        let mut range = [[f32::MAX; 3], [f32::MIN; 3]];
        self.scratch.resize(12 * vectors.len(), 0);
        for (bytes, vector) in self.scratch.chunks_exact_mut(12).zip(vectors) {
            for axis in 0..3 {
                bytes[4 * axis..4 * axis + 4].copy_from_slice(&vector[axis].to_le_bytes());
                range[0][axis] = range[0][axis].min(vector[axis]);
                range[1][axis] = range[1][axis].max(vector[axis]);
            }
        }
        self.file.write_all(&self.scratch)?;
        Ok(Array { range: Some(range), ..self.grow(12 * vectors.len()) })
    }

    /// Adds whole or other numbers, as bytes.
    pub(super) fn numbers(&mut self, numbers: impl IntoIterator<Item = [u8; 4]>) -> io::Result<Array> {
        self.scratch.clear();
        self.scratch.extend(numbers.into_iter().flatten());
        self.file.write_all(&self.scratch)?;
        Ok(self.grow(self.scratch.len()))
    }

    /// Adds a table of zeros with at most one 1 in each row: rows of `columns`, the column of the 1 for each row.
    pub(super) fn table(&mut self, columns: usize, ones: &[Option<u32>]) -> io::Result<Array> {
        let start = self.end;
        for one in ones {
            let entry = |column: usize| f32::from(u8::from(*one == Some(column as u32))).to_le_bytes();
            self.numbers((0..columns).map(entry))?;
        }
        Ok(Array { offset: start, size: self.end - start, range: None })
    }

    /// Makes it a file of its own.
    pub(super) fn finish(self) -> Result<PathBuf, OutputError> {
        let path = self.file.path().to_path_buf();
        self.file.finish().map(|()| path)
    }

    /// Adds it to a file.
    pub(super) fn pour(self, into: &mut Pending) -> io::Result<()> {
        self.file.pour(into).map(drop)
    }

    fn grow(&mut self, size: usize) -> Array {
        let array = Array { offset: self.end, size: size as u64, range: None };
        self.end += size as u64;
        array
    }
}
