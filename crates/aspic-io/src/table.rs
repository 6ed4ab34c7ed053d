//! A table of numbers that grows row by row (comma-separated, RFC 4180, shortest digits that
//! give the same number back).

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::read_bytes;
use crate::{OutputError, Place, ReadError, atomic};

/// An open table. Every row is in the file as soon as it is pushed.
#[derive(Debug)]
pub(crate) struct Table {
    path: PathBuf,
    file: File,
    columns: usize,
}

impl Table {
    /// A new table with nothing but its header.
    pub(crate) fn create(path: &Path, header: &[String]) -> Result<Table, OutputError> {
        Table::restart(path, header, &[])
    }

    /// Replaces the file by the header and these rows, then goes on behind them.
    pub(crate) fn restart(path: &Path, header: &[String], rows: &[Vec<f64>]) -> Result<Table, OutputError> {
        atomic::write_to_disk(path, |w| {
            w.write_all(header_line(header).as_bytes())?;
            rows.iter().try_for_each(|row| w.write_all(row_line(row).as_bytes()))
        })?;
        let file = OpenOptions::new().append(true).open(path).map_err(OutputError::io(path))?;
        Ok(Table { path: path.into(), file, columns: header.len() })
    }

    /// Appends one row.
    pub(crate) fn push(&mut self, row: &[f64]) -> Result<(), OutputError> {
        OutputError::expect_length(&self.path, "a row", self.columns, row.len())?;
        // One call to the system, so that a reader rarely meets half a row.
        self.file.write_all(row_line(row).as_bytes()).map_err(OutputError::io(&self.path))?;
        atomic::note(|| atomic::Event::Wrote(self.path.clone()));
        Ok(())
    }
}

fn header_line(header: &[String]) -> String {
    header.iter().map(|name| quote(name)).collect::<Vec<_>>().join(",") + "\n"
}

fn row_line(row: &[f64]) -> String {
    row.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(",") + "\n"
}

/// Names with a comma, a quote or a line break go between quotes, inner quotes doubled.
fn quote(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) || name.trim() != name {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.into()
    }
}

/// The rows of a table that has exactly this header. A last row without its line break is one
/// that was being written when the run ended, and is left out.
pub(crate) fn read(path: &Path, header: &[String]) -> Result<Vec<Vec<f64>>, ReadError> {
    let bytes = read_bytes(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let start = header_line(header);
    let Some(body) = text.strip_prefix(start.as_str()) else {
        let cure = format!("it must start with {}", start.trim_end());
        return Err(ReadError::format(path, Place::Line(1), "the header is not the expected one", cure));
    };
    let first = 1 + start.matches('\n').count();
    let whole = body.rfind('\n').map_or("", |end| &body[..end]);
    (whole.lines().enumerate())
        .map(|(i, line)| {
            parse_row(line, header.len()).map_err(|cause| {
                let cure = "delete that line, or run the scene again";
                ReadError::format(path, Place::Line(first + i), cause, cure)
            })
        })
        .collect()
}

fn parse_row(line: &str, columns: usize) -> Result<Vec<f64>, String> {
    let row: Result<Vec<f64>, String> = line
        .split(',')
        .map(|cell| cell.trim().parse().map_err(|_| format!("`{cell}` is not a number")))
        .collect();
    let row = row?;
    if row.len() != columns {
        return Err(format!("{} columns instead of {columns}", row.len()));
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_as_rfc_4180_says() {
        assert_eq!(quote("left wall"), "left wall");
        assert_eq!(quote("a,b"), "\"a,b\"");
        assert_eq!(quote("the \"hook\""), "\"the \"\"hook\"\"\"");
        assert_eq!(quote(" padded "), "\" padded \"");
    }

    #[test]
    fn half_a_last_row_is_left_out_but_a_broken_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        let header = ["a".to_string(), "b\nc".to_string()];
        std::fs::write(&path, "a,\"b\nc\"\n1,2\n3,").unwrap();
        assert_eq!(read(&path, &header).unwrap(), [[1.0, 2.0]]);
        std::fs::write(&path, "a,\"b\nc\"\n1,2\n3,x\n").unwrap();
        let text = read(&path, &header).unwrap_err().to_string();
        assert!(text.contains("line 4") && text.contains("`x`"), "{text}");
        std::fs::write(&path, "a,\"b\nc\"\n1\n").unwrap();
        let text = read(&path, &header).unwrap_err().to_string();
        assert!(text.contains("line 3") && text.contains("1 columns instead of 2"), "{text}");
    }
}
