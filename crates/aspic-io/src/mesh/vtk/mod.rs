//! VTK's legacy format, text or binary (big endian): unstructured grids and polygons.
//!
//! ```text
//! # vtk DataFile Version 4.2      the version, a title, ASCII or BINARY, the kind of the grid
//! title
//! ASCII
//! DATASET UNSTRUCTURED_GRID       or POLYDATA
//! POINTS 5 double                 x y z …
//! CELLS 2 10                      4 i j k l …     number of cells, and of all numbers that follow
//! CELL_TYPES 2                    10 10
//! ```
//!
//! Since version 5 cells are two arrays, each with its type behind its name: `CELLS 3 8`, `OFFSETS vtktypeint64` (one
//! more than there are cells, from 0) and `CONNECTIVITY vtktypeint64`. The data behind points and cells is not read.

pub(super) mod cells;

use std::path::Path;

use self::cells::POLYGON;
use super::kind::Kind;
use super::reader::{BAD_COUNT, DAMAGED, Reader, shorten};
use super::{Raw, check_count};
use crate::ReadError;

/// Cells as a row of corners and where each cell ends in it.
#[derive(Default)]
struct Cells {
    corners: Vec<i64>,
    ends: Vec<i64>,
}

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let mut file = open(path, bytes)?;
    let mut raw = Raw::default();
    let (mut grid, mut kinds) = (None, None);
    while let Some(word) = file.reader.word() {
        match word.to_ascii_uppercase().as_str() {
            "POINTS" => file.points(&mut raw)?,
            "CELLS" => grid = Some(file.cells()?),
            "CELL_TYPES" => kinds = Some(file.kinds()?),
            "POLYGONS" => file.polygons(&mut raw, POLYGON)?,
            "TRIANGLE_STRIPS" => file.polygons(&mut raw, POLYGON - 1)?,
            "VERTICES" | "LINES" => raw.other_cells += file.cells()?.ends.len(),
            "FIELD" => file.field()?,
            "METADATA" => file.metadata(),
            "POINT_DATA" | "CELL_DATA" => break,
            _ => {
                let cause = format!("`{}` is no section of a grid", shorten(word));
                return Err(file.reader.error(cause, DAMAGED));
            }
        }
    }
    if let Some(grid) = grid {
        let kinds = kinds.filter(|kinds| kinds.len() == grid.ends.len());
        let missing = file.reader.error("the cells have not one type each", DAMAGED);
        let kinds = kinds.ok_or(missing)?;
        let added = cells::add_all(&mut raw, 0, &grid.corners, &grid.ends, |cell| kinds[cell]);
        added.map_err(|cause| file.reader.error(cause, DAMAGED))?;
    }
    check_count(raw.tets.len() as u64).map_err(|e| ReadError::mesh(path, e))?;
    Ok(raw)
}

struct File<'a> {
    /// Words are text everywhere; this tells whether arrays are.
    binary: bool,
    new_cells: bool,
    reader: Reader<'a>,
}

fn open<'a>(path: &'a Path, bytes: &'a [u8]) -> Result<File<'a>, ReadError> {
    let mut reader = Reader::new(path, bytes);
    let first = String::from_utf8_lossy(reader.line()).into_owned();
    let Some((_, version)) = first.split_once("vtk DataFile Version") else {
        let cause = "a VTK file starts with `# vtk DataFile Version`";
        return Err(reader.error(cause, "check the format and the extension"));
    };
    let new_cells = version.trim().parse::<f64>().is_ok_and(|v| v >= 5.0);
    reader.line();
    let binary = match reader.expect("ASCII or BINARY")?.to_ascii_uppercase().as_str() {
        "ASCII" => false,
        "BINARY" => true,
        _ => return Err(reader.error("ASCII or BINARY is needed", DAMAGED)),
    };
    reader.expect("DATASET")?;
    let grid = reader.expect("the kind of the grid")?;
    if !["UNSTRUCTURED_GRID", "POLYDATA"].contains(&grid.to_ascii_uppercase().as_str()) {
        let cause = format!("the file holds `{}`", shorten(grid));
        return Err(reader.error(cause, "save it again as UNSTRUCTURED_GRID or POLYDATA"));
    }
    reader.big_endian = true;
    Ok(File { binary, new_cells, reader })
}

impl File<'_> {
    fn points(&mut self, raw: &mut Raw) -> Result<(), ReadError> {
        let count = self.reader.whole(Kind::I64, "the number of points")?;
        let kind = self.kind()?;
        let numbers = self.array(kind, count.saturating_mul(3), "coordinates", |reader, kind, what| {
            reader.number(kind, what)
        })?;
        raw.positions = numbers.as_chunks::<3>().0.iter().map(|&x| x.into()).collect();
        Ok(())
    }

    /// The type of the numbers that follow.
    fn kind(&mut self) -> Result<Kind, ReadError> {
        let word = self.reader.expect("a type")?;
        Ok(match word.to_ascii_lowercase().as_str() {
            "char" | "vtktypeint8" => Kind::I8,
            "unsigned_char" | "bit" | "vtktypeuint8" => Kind::U8,
            "short" | "vtktypeint16" => Kind::I16,
            "unsigned_short" | "vtktypeuint16" => Kind::U16,
            "int" | "vtktypeint32" => Kind::I32,
            "unsigned_int" | "vtktypeuint32" => Kind::U32,
            "long" | "vtkidtype" | "vtktypeint64" => Kind::I64,
            "unsigned_long" | "vtktypeuint64" => Kind::U64,
            "float" => Kind::F32,
            "double" => Kind::F64,
            _ => return Err(self.reader.error(format!("`{}` is no type of VTK", shorten(word)), DAMAGED)),
        })
    }

    /// Numbers, in binary from the next line on.
    fn array<T>(
        &mut self,
        kind: Kind,
        count: i64,
        what: &str,
        read: impl Fn(&mut Reader, Kind, &str) -> Result<T, ReadError>,
    ) -> Result<Vec<T>, ReadError> {
        if self.binary {
            self.reader.line();
        }
        self.reader.binary = self.binary;
        let each = if self.binary { kind.size() } else { 2 };
        let count = self.reader.check_count(count, what, each)?;
        let numbers = (0..count).map(|_| read(&mut self.reader, kind, what)).collect();
        self.reader.binary = false;
        numbers
    }

    fn wholes(&mut self, kind: Kind, count: i64, what: &str) -> Result<Vec<i64>, ReadError> {
        self.array(kind, count, what, |reader, kind, what| reader.whole(kind, what))
    }

    fn cells(&mut self) -> Result<Cells, ReadError> {
        let count = self.reader.whole(Kind::I64, "the number of cells")?;
        let size = self.reader.whole(Kind::I64, "the number of corners")?;
        let mut ahead = self.reader.clone();
        if self.new_cells && ahead.word().is_some_and(|word| word.eq_ignore_ascii_case("OFFSETS")) {
            return self.new_cells(count, size);
        }
        let numbers = self.wholes(Kind::I32, size, "numbers of cells")?;
        let mut cells = Cells::default();
        let mut at = 0;
        while let Some(&corners) = numbers.get(at) {
            let end = usize::try_from(corners).ok().and_then(|n| n.checked_add(at + 1));
            let Some(of_cell) = end.and_then(|end| numbers.get(at + 1..end)) else {
                return Err(self.reader.error(format!("a cell of {corners} corners does not fit"), DAMAGED));
            };
            cells.corners.extend(of_cell);
            cells.ends.push(cells.corners.len() as i64);
            at += 1 + of_cell.len();
        }
        self.check_cells(count, cells)
    }

    fn new_cells(&mut self, count: i64, size: i64) -> Result<Cells, ReadError> {
        self.reader.word();
        let kind = self.kind()?;
        let offsets = self.wholes(kind, count, "offsets")?;
        let word = self.reader.expect("CONNECTIVITY")?;
        if !word.eq_ignore_ascii_case("CONNECTIVITY") {
            return Err(self.reader.error("CONNECTIVITY is needed behind the offsets", DAMAGED));
        }
        let kind = self.kind()?;
        let corners = self.wholes(kind, size, "corners")?;
        let cells = Cells { corners, ends: offsets.get(1..).unwrap_or_default().to_vec() };
        self.check_cells((count - 1).max(0), cells)
    }

    fn check_cells(&self, count: i64, cells: Cells) -> Result<Cells, ReadError> {
        let found = cells.ends.len();
        if usize::try_from(count) == Ok(found) {
            return Ok(cells);
        }
        Err(self.reader.error(format!("{count} cells are announced, but {found} follow"), BAD_COUNT))
    }

    fn kinds(&mut self) -> Result<Vec<i64>, ReadError> {
        let count = self.reader.whole(Kind::I64, "the number of cells")?;
        self.wholes(Kind::I32, count, "types of cells")
    }

    fn polygons(&mut self, raw: &mut Raw, kind: i64) -> Result<(), ReadError> {
        let polygons = self.cells()?;
        let added = cells::add_all(raw, 0, &polygons.corners, &polygons.ends, |_| kind);
        added.map_err(|cause| self.reader.error(cause, DAMAGED))
    }

    /// Passes over lines up to an empty one, behind the word that begins them.
    fn metadata(&mut self) {
        self.reader.line();
        while !self.reader.line().trim_ascii().is_empty() {}
    }

    /// Arrays about the whole grid: `FIELD name count`, each array `name components entries type`.
    fn field(&mut self) -> Result<(), ReadError> {
        self.reader.expect("the name of a field")?;
        let arrays = self.reader.count(Kind::I64, "arrays", 1)?;
        for _ in 0..arrays {
            let name = self.reader.expect("the name of an array")?;
            if name.eq_ignore_ascii_case("METADATA") {
                self.metadata();
                self.reader.expect("the name of an array")?;
            }
            let components = self.reader.whole(Kind::I64, "a number of components")?;
            let entries = self.reader.whole(Kind::I64, "a number of entries")?;
            if self.reader.clone().word() == Some("string") {
                return Err(self
                    .reader
                    .error("a field of texts is not read", "save it again without fields"));
            }
            let kind = self.kind()?;
            self.array(
                kind,
                components.saturating_mul(entries),
                "numbers of a field",
                |reader, kind, what| reader.number(kind, what),
            )?;
        }
        Ok(())
    }
}
