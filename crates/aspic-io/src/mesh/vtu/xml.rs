//! As much of XML as VTK files use: tags with attributes, and the text inside `DataArray`. What is appended may be any
//! bytes, so nothing behind `<AppendedData>` is searched for tags.

use super::Fault;

/// A grid; its arrays are not decoded yet.
#[derive(Default)]
pub(super) struct Grid<'a> {
    pub pieces: Vec<Piece<'a>>,
    pub big_endian: bool,
    /// Whether sizes have eight bytes, not four.
    pub long_sizes: bool,
    pub compressor: Option<String>,
    pub appended: Option<Appended<'a>>,
}

pub(super) struct Appended<'a> {
    pub raw: bool,
    /// All that follows the underscore.
    pub bytes: &'a [u8],
    /// Where each array begins, ascending.
    pub offsets: Vec<usize>,
}

pub(super) struct Piece<'a> {
    /// Where its tag stands.
    pub at: usize,
    pub points: u64,
    pub cells: u64,
    pub arrays: Vec<Array<'a>>,
}

pub(super) struct Array<'a> {
    /// Where its tag stands.
    pub at: usize,
    /// `Points` for the points, whatever their name is.
    pub name: String,
    pub kind: String,
    pub content: Content<'a>,
}

pub(super) enum Content<'a> {
    Text(&'a [u8]),
    Base64(&'a [u8]),
    Appended(usize),
}

/// Finds the pieces and their arrays.
pub(super) fn scan(bytes: &[u8]) -> Result<Grid<'_>, Fault> {
    let mut scanner =
        Scanner { bytes, at: 0, grid: Grid::default(), section: String::new(), offsets: vec![] };
    let mut is_vtk = false;
    while let Some(tag) = scanner.tag()? {
        match tag.name {
            "VTKFile" => {
                is_vtk = true;
                scanner.head(&tag)?;
            }
            _ if !is_vtk && !tag.name.starts_with(['?', '!']) => break,
            "Piece" => scanner.piece(&tag)?,
            "PointData" | "CellData" | "Points" | "Cells" | "FieldData" => scanner.section = tag.name.into(),
            "DataArray" => scanner.array(&tag)?,
            "AppendedData" => {
                scanner.append(&tag)?;
                return Ok(scanner.grid);
            }
            "/VTKFile" => return Ok(scanner.grid),
            _ => {}
        }
    }
    let cause =
        if is_vtk { "it ends before </VTKFile>" } else { "the file does not start as VTK XML files do" };
    Err((scanner.at, cause.into()))
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    grid: Grid<'a>,
    section: String,
    offsets: Vec<usize>,
}

struct Tag<'a> {
    at: usize,
    name: &'a str,
    text: &'a str,
}

impl Tag<'_> {
    fn attribute(&self, name: &str) -> Option<&str> {
        let mut rest = self.text;
        while let Some(equals) = rest.find('=') {
            let key = rest[..equals].trim();
            let value = rest[equals + 1..].trim_start();
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let end = value[1..].find(quote)? + 1;
            if key == name {
                return Some(&value[1..end]);
            }
            rest = &value[end + 1..];
        }
        None
    }

    fn size(&self, name: &str) -> Result<u64, Fault> {
        let text = self.attribute(name).unwrap_or("0");
        text.trim().parse().map_err(|_| (self.at, format!("{name} is no count")))
    }
}

impl<'a> Scanner<'a> {
    /// The next tag, without its brackets. A closing slash at its end is left to its attributes.
    fn tag(&mut self) -> Result<Option<Tag<'a>>, Fault> {
        let rest = &self.bytes[self.at..];
        let Some(open) = rest.iter().position(|&b| b == b'<') else { return Ok(None) };
        let at = self.at + open;
        let ending: &[u8] = if rest[open..].starts_with(b"<!--") { b"-->" } else { b">" };
        let end = rest[open..].windows(ending.len()).position(|w| w == ending);
        let end = end.ok_or_else(|| (at, "a tag does not end".to_string()))?;
        self.at = at + end + ending.len();
        let inside = &rest[open + 1..open + end];
        let text = std::str::from_utf8(inside).map_err(|_| (at, "a tag is no text".to_string()))?;
        let (name, text) = text.split_at(text.find(|c: char| c.is_whitespace()).unwrap_or(text.len()));
        Ok(Some(Tag { at, name, text }))
    }

    fn head(&mut self, tag: &Tag) -> Result<(), Fault> {
        match tag.attribute("type") {
            Some("UnstructuredGrid") => {}
            other => {
                return Err((
                    tag.at,
                    format!("it holds {}, no unstructured grid", other.unwrap_or("nothing")),
                ));
            }
        }
        self.grid.big_endian = tag.attribute("byte_order") == Some("BigEndian");
        self.grid.long_sizes = tag.attribute("header_type") == Some("UInt64");
        self.grid.compressor = tag.attribute("compressor").filter(|c| !c.is_empty()).map(String::from);
        Ok(())
    }

    fn piece(&mut self, tag: &Tag) -> Result<(), Fault> {
        if tag.attribute("Source").is_some() {
            return Err((tag.at, "its pieces lie in other files".into()));
        }
        let (points, cells) = (tag.size("NumberOfPoints")?, tag.size("NumberOfCells")?);
        self.grid.pieces.push(Piece { at: tag.at, points, cells, arrays: vec![] });
        Ok(())
    }

    fn array(&mut self, tag: &Tag) -> Result<(), Fault> {
        let content = match tag.attribute("format") {
            Some("appended") => {
                let offset = tag.size("offset")? as usize;
                self.offsets.push(offset);
                Content::Appended(offset)
            }
            format => {
                let rest = &self.bytes[self.at..];
                let end = if tag.text.trim_end().ends_with('/') {
                    Some(0)
                } else {
                    rest.iter().position(|&b| b == b'<')
                };
                let end = end.ok_or_else(|| (tag.at, "an array does not end".to_string()))?;
                self.at += end;
                match format {
                    Some("binary") => Content::Base64(&rest[..end]),
                    _ => Content::Text(&rest[..end]),
                }
            }
        };
        let name = match self.section.as_str() {
            "Points" => "Points",
            "Cells" => tag.attribute("Name").unwrap_or_default(),
            _ => return Ok(()),
        };
        let kind = tag.attribute("type").unwrap_or_default().to_string();
        let array = Array { at: tag.at, name: name.into(), kind, content };
        let orphan = (tag.at, "an array belongs to no piece".to_string());
        self.grid.pieces.last_mut().ok_or(orphan)?.arrays.push(array);
        Ok(())
    }

    fn append(&mut self, tag: &Tag) -> Result<(), Fault> {
        let rest = &self.bytes[self.at..];
        let under = rest.iter().position(|&b| b == b'_');
        let under = under.ok_or_else(|| (tag.at, "the appended data does not begin".to_string()))?;
        if !self.bytes.trim_ascii_end().ends_with(b"</VTKFile>") {
            return Err((self.bytes.len(), "it ends before </VTKFile>".into()));
        }
        self.offsets.sort_unstable();
        let (raw, offsets) = (tag.attribute("encoding") == Some("raw"), std::mem::take(&mut self.offsets));
        self.grid.appended = Some(Appended { raw, bytes: &rest[under + 1..], offsets });
        Ok(())
    }
}
