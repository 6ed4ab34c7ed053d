//! Medit's text format: words and numbers separated by white space, `#` starts a comment, vertices
//! count from 1. A section is a word, a count and that many rows, each ending with a reference.

use std::path::Path;

use aspic::Vec3;

use super::{Raw, check_count};
use crate::{Place, ReadError};

const TRUNCATED: &str = "the file is cut off: copy or save it again";

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let text = String::from_utf8_lossy(bytes);
    Reader { path, words: words(&text), line: 1, left: text.len() }.mesh()
}

/// All words with their lines and the number of bytes left behind them.
fn words(text: &str) -> Box<dyn Iterator<Item = (usize, &str)> + '_> {
    let lines = text.lines().enumerate();
    Box::new(lines.flat_map(|(i, line)| {
        let content = line.split('#').next().unwrap_or_default();
        content.split_whitespace().map(move |word| (i + 1, word))
    }))
}

struct Reader<'a> {
    path: &'a Path,
    words: Box<dyn Iterator<Item = (usize, &'a str)> + 'a>,
    /// Line of the last word.
    line: usize,
    /// Bytes that can still come, at most.
    left: usize,
}

impl<'a> Reader<'a> {
    fn mesh(mut self) -> Result<Raw, ReadError> {
        let mut raw = Raw::default();
        let mut is_medit = false;
        while let Some(word) = self.word() {
            match word {
                "MeshVersionFormatted" => {
                    self.whole("a version number")?;
                    is_medit = true;
                }
                "Dimension" => self.dimension()?,
                "Vertices" => self.vertices(&mut raw)?,
                "Triangles" => self.triangles(&mut raw)?,
                "Tetrahedra" => self.tetrahedra(&mut raw)?,
                "End" => break,
                _ if !is_medit => {
                    let cure =
                        "a Medit file starts with MeshVersionFormatted; check the format and the extension";
                    return Err(self.error(format!("`{}` is no Medit section", shorten(word)), cure));
                }
                // The rows of other sections are words too, and are passed over one by one.
                _ => {}
            }
        }
        Ok(raw)
    }

    fn word(&mut self) -> Option<&'a str> {
        let (line, word) = self.words.next()?;
        self.line = line;
        self.left = self.left.saturating_sub(word.len() + 1);
        Some(word)
    }

    fn error(&self, cause: impl Into<String>, cure: &str) -> ReadError {
        ReadError::format(self.path, Place::Line(self.line), cause, cure)
    }

    fn expect(&mut self, what: &str) -> Result<&'a str, ReadError> {
        self.word().ok_or_else(|| self.error(format!("the file ends where {what} is needed"), TRUNCATED))
    }

    fn whole(&mut self, what: &str) -> Result<i64, ReadError> {
        let word = self.expect(what)?;
        word.parse().map_err(|_| {
            self.error(
                format!("`{}` stands where {what} is needed", shorten(word)),
                "mend that line, or save the mesh again",
            )
        })
    }

    /// Fortran programs write 1.5D-3.
    fn number(&mut self) -> Result<f64, ReadError> {
        let word = self.expect("a coordinate")?;
        let parsed = word.parse().or_else(|_| word.replace(['d', 'D'], "e").parse::<f64>());
        match parsed {
            Ok(x) if x.is_finite() => Ok(x),
            _ => Err(self.error(
                format!("`{}` is not a finite coordinate", shorten(word)),
                "mend that line, or save the mesh again",
            )),
        }
    }

    fn dimension(&mut self) -> Result<(), ReadError> {
        match self.whole("the dimension")? {
            3 => Ok(()),
            other => Err(self.error(format!("the mesh has dimension {other}"), "a solid needs dimension 3")),
        }
    }

    /// A count that the rest of the file can hold: a row takes at least two bytes a number.
    fn count(&mut self, section: &str, numbers: usize) -> Result<usize, ReadError> {
        let count = self.whole("a count")?;
        let fits = usize::try_from(count).ok().filter(|&n| n.saturating_mul(2 * numbers) <= self.left + 1);
        fits.ok_or_else(|| {
            let cause = format!("{count} {section} are announced, but only {} bytes follow", self.left);
            self.error(cause, "the count is wrong or the file is cut off: save it again")
        })
    }

    fn vertices(&mut self, raw: &mut Raw) -> Result<(), ReadError> {
        let count = self.count("vertices", 4)?;
        raw.positions.reserve(count);
        for _ in 0..count {
            let position = Vec3::new(self.number()?, self.number()?, self.number()?);
            let vertex = raw.positions.len();
            raw.positions.push(position);
            self.reference(raw, "ref", &[vertex])?;
        }
        Ok(())
    }

    fn triangles(&mut self, raw: &mut Raw) -> Result<(), ReadError> {
        let count = self.count("triangles", 4)?;
        raw.other_cells += count;
        raw.triangles.reserve(count);
        for _ in 0..count {
            let corners = [self.vertex()?, self.vertex()?, self.vertex()?];
            raw.triangles.push(corners);
            self.reference(raw, "triangle ref", &corners)?;
        }
        Ok(())
    }

    fn tetrahedra(&mut self, raw: &mut Raw) -> Result<(), ReadError> {
        let count = self.count("tetrahedra", 5)?;
        check_count(count as u64).map_err(|e| ReadError::mesh(self.path, e))?;
        raw.tets.reserve(count);
        for _ in 0..count {
            let corners = [self.vertex()?, self.vertex()?, self.vertex()?, self.vertex()?];
            raw.tets.push(corners);
            self.reference(raw, "tetrahedron ref", &corners)?;
        }
        Ok(())
    }

    /// From 0, where the file counts from 1.
    fn vertex(&mut self) -> Result<usize, ReadError> {
        let number = self.whole("a vertex number")?;
        let from_zero = number.checked_sub(1).and_then(|v| usize::try_from(v).ok());
        from_zero.ok_or_else(|| {
            self.error(format!("there is no vertex {number}"), "vertices count from 1: mend that line")
        })
    }

    /// Reference 0 means none.
    fn reference(&mut self, raw: &mut Raw, kind: &str, vertices: &[usize]) -> Result<(), ReadError> {
        let reference = self.whole("a reference")?;
        if reference != 0 {
            raw.groups.entry(format!("{kind} {reference}")).or_default().extend(vertices);
        }
        Ok(())
    }
}

/// Enough of a word to recognise it.
fn shorten(word: &str) -> String {
    word.chars().take(24).collect()
}
