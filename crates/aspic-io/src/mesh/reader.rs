//! One place in a file, from which words and binary numbers are read. Many formats mix both, so one reader does both,
//! and the same code reads the text and the binary variant of a format: [`Reader::whole`] and [`Reader::number`] take
//! a word where the file is text and a [`Kind`] of binary number where it is not.
//!
//! Errors name the line of the last word, or the byte of the last number. Nothing is reserved on the word of a
//! file: [`Reader::count`] compares a count with the bytes that are left.

use std::path::Path;

use super::kind::Kind;
use crate::{Place, ReadError};

pub(super) const CUT_OFF: &str = "the file is cut off: copy or save it again";
pub(super) const BAD_COUNT: &str = "the count is wrong or the file is cut off: save it again";
pub(super) const MEND: &str = "mend that line, or save it again";
pub(super) const DAMAGED: &str = "the file is damaged: save it again";

/// A file and how far it has been read.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    pub path: &'a Path,
    pub bytes: &'a [u8],
    /// The next byte.
    pub at: usize,
    /// Where the last word or number began.
    pub last: usize,
    /// What begins a comment that runs to the end of the line.
    pub comment: Option<u8>,
    /// Whether numbers are binary.
    pub binary: bool,
    pub big_endian: bool,
}

impl<'a> Reader<'a> {
    /// At the beginning of a text without comments.
    pub fn new(path: &'a Path, bytes: &'a [u8]) -> Reader<'a> {
        Reader { path, bytes, at: 0, last: 0, comment: None, binary: false, big_endian: false }
    }

    /// Comments begin with that byte.
    pub fn with_comments(self, byte: u8) -> Reader<'a> {
        Reader { comment: Some(byte), ..self }
    }

    /// Bytes that follow.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Where the last word or number stands.
    pub fn place(&self) -> Place {
        match self.binary {
            true => Place::Byte(self.last),
            false => Place::Line(line_of(self.bytes, self.last)),
        }
    }

    /// Something is wrong with the last word or number.
    pub fn error(&self, cause: impl Into<String>, cure: impl Into<String>) -> ReadError {
        ReadError::format(self.path, self.place(), cause, cure)
    }

    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// Passes over white space and comments.
    pub fn skip_space(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if Some(byte) == self.comment {
                self.at += self.rest().iter().position(|&b| b == b'\n').unwrap_or(self.left());
            } else {
                return;
            }
        }
    }

    /// The next word; `None` at the end of the file. Bytes that are no text become one strange character.
    pub fn word(&mut self) -> Option<&'a str> {
        self.skip_space();
        self.word_here()
    }

    /// The next word of this line, if there is one.
    pub fn word_in_line(&mut self) -> Option<&'a str> {
        while self.rest().first().is_some_and(|&b| b.is_ascii_whitespace() && b != b'\n') {
            self.at += 1;
        }
        let ends = self.rest().first().is_none_or(|&b| b == b'\n' || Some(b) == self.comment);
        if ends { None } else { self.word_here() }
    }

    fn word_here(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let ends = |b: &u8| b.is_ascii_whitespace() || Some(*b) == self.comment;
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        if length == 0 {
            return None;
        }
        self.last = self.at;
        self.at += length;
        Some(std::str::from_utf8(&rest[..length]).unwrap_or("\u{fffd}"))
    }

    /// The next word; the end of the file is an error.
    pub fn expect(&mut self, what: &str) -> Result<&'a str, ReadError> {
        self.word().ok_or_else(|| self.error(format!("the file ends where {what} is needed"), CUT_OFF))
    }

    /// The rest of this line without its end.
    pub fn line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.last = self.at;
        self.at += (length + 1).min(rest.len());
        rest[..length].strip_suffix(b"\r").unwrap_or(&rest[..length])
    }

    /// That many bytes.
    pub fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], ReadError> {
        self.last = self.at;
        let Some(taken) = self.rest().get(..count) else {
            let cause =
                format!("the file ends within {what}: {count} bytes are needed, {} follow", self.left());
            return Err(self.error(cause, CUT_OFF));
        };
        self.at += count;
        Ok(taken)
    }

    /// A whole number, as a word or of that kind.
    pub fn whole(&mut self, kind: Kind, what: &str) -> Result<i64, ReadError> {
        if self.binary {
            let bytes = self.take(kind.size(), what)?;
            return Ok(kind.whole(bytes, self.big_endian));
        }
        let word = self.expect(what)?;
        word.parse().map_err(|_| self.misplaced(word, what))
    }

    /// A number, as a word or of that kind. It may be infinite or none.
    pub fn number(&mut self, kind: Kind, what: &str) -> Result<f64, ReadError> {
        if self.binary {
            let bytes = self.take(kind.size(), what)?;
            return Ok(kind.number(bytes, self.big_endian));
        }
        let word = self.expect(what)?;
        number(word).ok_or_else(|| self.misplaced(word, what))
    }

    /// Three coordinates.
    pub fn position(&mut self, kind: Kind, what: &str) -> Result<aspic::Vec3, ReadError> {
        Ok(aspic::Vec3::new(self.number(kind, what)?, self.number(kind, what)?, self.number(kind, what)?))
    }

    fn misplaced(&self, word: &str, what: &str) -> ReadError {
        self.error(format!("`{}` stands where {what} is needed", shorten(word)), MEND)
    }

    /// A count of things of so many bytes each that the rest of the file can hold.
    pub fn count(&mut self, kind: Kind, what: &str, bytes_each: usize) -> Result<usize, ReadError> {
        let count = self.whole(kind, &format!("the number of {what}"))?;
        self.check_count(count, what, bytes_each)
    }

    /// Refuses a count that the rest of the file cannot hold.
    pub fn check_count(&self, count: i64, what: &str, bytes_each: usize) -> Result<usize, ReadError> {
        // The last word of a text needs no separator behind it.
        let room = self.left().saturating_add(1);
        let fits = usize::try_from(count).ok().filter(|&n| n.saturating_mul(bytes_each) <= room);
        fits.ok_or_else(|| {
            let cause = format!("{count} {what} are announced, but only {} bytes follow", self.left());
            self.error(cause, BAD_COUNT)
        })
    }

    /// A vertex number, from `base`, as one from 0. Too large ones are found when the mesh is put together.
    pub fn vertex(&mut self, kind: Kind, base: i64) -> Result<usize, ReadError> {
        let number = self.whole(kind, "a vertex number")?;
        let from_zero = number.checked_sub(base).and_then(|v| usize::try_from(v).ok());
        from_zero.ok_or_else(|| {
            let cure = format!("vertices count from {base}: {MEND}");
            self.error(format!("there is no vertex {number}"), cure)
        })
    }
}

/// A number as programs write them; Fortran writes 1.5D-3.
pub(super) fn number(word: &str) -> Option<f64> {
    word.parse().ok().or_else(|| word.replace(['d', 'D'], "e").parse().ok())
}

/// The line of a byte, from 1.
pub(super) fn line_of(bytes: &[u8], at: usize) -> usize {
    1 + bytes[..at.min(bytes.len())].iter().filter(|&&b| b == b'\n').count()
}

/// Enough of a word to recognise it.
pub(super) fn shorten(word: &str) -> String {
    word.chars().take(24).collect()
}
