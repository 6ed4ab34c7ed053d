//! Wavefront OBJ: `v x y z` is a vertex, `f i j k …` a face, with vertices from 1 or, counted back, from -1. Behind a
//! vertex number may stand others: `i/texture/normal`. `#` starts a comment and `\` at the end of a line continues it.
//! Objects, groups and materials share their vertices, so all other lines are passed over.

use std::path::Path;

use aspic::Vec3;

use super::Raw;
use super::reader::{line_of, number};
use super::weld::fan;
use crate::{Place, ReadError};

const MEND: &str = "mend that line, or save the surface again";
const NUMBERS: &str = "a vertex needs three numbers, as in `v 0.1 0 0.5`";
const CORNERS: &str = "a face needs vertex numbers, as in `f 1 2 3` or `f 1/1/1 2/2/2 3/3/3`";
const MISSING: &str = "a face names a vertex that does not exist; they count from 1";

/// Faces become fans of triangles. Vertices are numbered in the order of the file.
pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let mut surface = Surface::default();
    let mut at = 0;
    let mut joined = Vec::new();
    while at < bytes.len() {
        let begin = at;
        let line = next_line(bytes, &mut at, &mut joined);
        let read = surface.read(line, begin);
        read.map_err(|cause| error(path, bytes, last_line(bytes, at), cause))?;
    }
    if surface.furthest.0 > surface.raw.positions.len() {
        return Err(error(path, bytes, surface.furthest.1, MISSING));
    }
    Ok(surface.raw)
}

fn error(path: &Path, bytes: &[u8], at: usize, cause: &str) -> ReadError {
    ReadError::format(path, Place::Line(line_of(bytes, at)), cause, MEND)
}

/// The beginning of the line that ends before `at`; a continued line is known by its last part.
fn last_line(bytes: &[u8], at: usize) -> usize {
    let end = at - usize::from(bytes[..at].ends_with(b"\n"));
    bytes[..end].iter().rposition(|&b| b == b'\n').map_or(0, |newline| newline + 1)
}

/// A line without its comment; continued lines are joined.
fn next_line<'a>(bytes: &'a [u8], at: &mut usize, joined: &'a mut Vec<u8>) -> &'a [u8] {
    let mut content = one_line(bytes, at);
    if !content.ends_with(b"\\") {
        return content;
    }
    joined.clear();
    while let Some(part) = content.strip_suffix(b"\\") {
        joined.extend(part);
        joined.push(b' ');
        content = one_line(bytes, at);
    }
    joined.extend(content);
    joined
}

fn one_line<'a>(bytes: &'a [u8], at: &mut usize) -> &'a [u8] {
    let rest = &bytes[*at..];
    let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    *at += (length + 1).min(rest.len());
    let line = &rest[..length];
    line[..line.iter().position(|&b| b == b'#').unwrap_or(length)].trim_ascii()
}

#[derive(Default)]
struct Surface {
    raw: Raw,
    corners: Vec<usize>,
    /// The largest vertex number, from 1, and where it stands.
    furthest: (usize, usize),
}

impl Surface {
    fn read(&mut self, line: &[u8], at: usize) -> Result<(), &'static str> {
        let (kind, rest) = line.split_at(line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len()));
        match kind {
            b"v" => self.vertex(rest),
            b"f" => self.face(rest, at),
            _ => Ok(()),
        }
    }

    fn vertex(&mut self, rest: &[u8]) -> Result<(), &'static str> {
        let mut words = words(rest).map(|word| std::str::from_utf8(word).ok().and_then(number));
        let mut next = || words.next().flatten().ok_or(NUMBERS);
        self.raw.positions.push(Vec3::new(next()?, next()?, next()?));
        Ok(())
    }

    fn face(&mut self, rest: &[u8], at: usize) -> Result<(), &'static str> {
        self.corners.clear();
        for word in words(rest) {
            let first = word.split(|&b| b == b'/').next().unwrap_or_default();
            let number: i64 = std::str::from_utf8(first).ok().and_then(|n| n.parse().ok()).ok_or(CORNERS)?;
            let count = self.raw.positions.len();
            let from_one =
                if number < 0 { number.saturating_add(count as i64).saturating_add(1) } else { number };
            let from_one = usize::try_from(from_one).ok().filter(|&v| v > 0).ok_or(MISSING)?;
            if from_one > self.furthest.0 {
                self.furthest = (from_one, at);
            }
            self.corners.push(from_one - 1);
        }
        if self.corners.len() < 3 {
            return Err("a face needs at least three vertices");
        }
        self.raw.triangles.extend(fan(&self.corners));
        Ok(())
    }
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}
