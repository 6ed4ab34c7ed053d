//! TetGen: the vertices in `NAME.node`, the tetrahedra in `NAME.ele`; either name stands for both.
//!
//! ```text
//! count 3 attributes markers(0 or 1)      count corners(4) attributes(0 or 1)
//! number x y z attributes… marker         number i j k l attribute
//! ```
//!
//! Numbers begin at 0 or 1, the first row of the vertices tells. `#` starts a comment. Markers other than 0 become
//! groups: `ref 3` from the vertices, `tetrahedron ref 3` from the tetrahedra.

use std::path::Path;

use super::kind::Kind;
use super::reader::{MEND, Reader};
use super::{Raw, check_count, extension};
use crate::ReadError;
use crate::error::read_bytes;

/// One file, with the other one beside it where that is allowed.
pub(super) fn parse(path: &Path, bytes: &[u8], with_other: bool) -> Result<Raw, ReadError> {
    let is_nodes = extension(path) == "node";
    let other_path = path.with_extension(if is_nodes { "ele" } else { "node" });
    let other = if with_other { read_bytes(&other_path)? } else { vec![] };
    let (node, ele) = if is_nodes {
        ((path, bytes), (&*other_path, &other[..]))
    } else {
        ((&*other_path, &other[..]), (path, bytes))
    };
    let mut raw = Raw::default();
    let mut base = 1;
    if is_nodes || with_other {
        base = vertices(Reader::new(node.0, node.1).with_comments(b'#'), &mut raw)?;
    }
    if !is_nodes || with_other {
        tetrahedra(Reader::new(ele.0, ele.1).with_comments(b'#'), base, &mut raw)?;
    }
    Ok(raw)
}

/// The number of the first vertex.
fn vertices(mut reader: Reader, raw: &mut Raw) -> Result<i64, ReadError> {
    let count = reader.count(Kind::I64, "vertices", 8)?;
    if reader.whole(Kind::I64, "the dimension")? != 3 {
        return Err(reader.error("the vertices have not three dimensions", "a solid needs dimension 3"));
    }
    let attributes = optional(&mut reader, "attributes")?;
    let markers = optional(&mut reader, "markers")?;
    let mut base = 1;
    for vertex in 0..count {
        let number = reader.whole(Kind::I64, "the number of a vertex")?;
        if vertex == 0 && matches!(number, 0 | 1) {
            base = number;
        }
        check_number(&reader, number, vertex, base)?;
        let x = reader.position(Kind::F64, "a coordinate")?;
        raw.positions.push(x);
        for _ in 0..attributes {
            reader.number(Kind::F64, "an attribute")?;
        }
        for place in 0..markers {
            let marker = reader.whole(Kind::I64, "a marker")?;
            if place == 0 && marker != 0 {
                raw.groups.entry(format!("ref {marker}")).or_default().push(vertex);
            }
        }
    }
    Ok(base)
}

fn tetrahedra(mut reader: Reader, base: i64, raw: &mut Raw) -> Result<(), ReadError> {
    let count = reader.count(Kind::I64, "tetrahedra", 10)?;
    check_count(count as u64).map_err(|e| ReadError::mesh(reader.path, e))?;
    match reader.whole(Kind::I64, "the number of corners")? {
        4 => {}
        10 => {
            let cure = "run tetgen without -o2";
            return Err(reader.error("the tetrahedra are of second order", cure));
        }
        other => return Err(reader.error(format!("a tetrahedron has {other} corners"), MEND)),
    }
    let attributes = optional(&mut reader, "attributes")?;
    for tet in 0..count {
        let number = reader.whole(Kind::I64, "the number of a tetrahedron")?;
        check_number(&reader, number, tet, base)?;
        let mut corners = [0; 4];
        for corner in &mut corners {
            *corner = reader.vertex(Kind::I64, base)?;
        }
        raw.tets.push(corners);
        for place in 0..attributes {
            let attribute = reader.number(Kind::F64, "an attribute")?;
            if place == 0 && attribute != 0.0 {
                raw.groups.entry(format!("tetrahedron ref {attribute}")).or_default().extend(corners);
            }
        }
    }
    Ok(())
}

/// A count at the end of the first line that may be left out.
fn optional(reader: &mut Reader, what: &str) -> Result<usize, ReadError> {
    let Some(word) = reader.word_in_line() else { return Ok(0) };
    let count = word.parse().ok().filter(|&n: &i64| n >= 0);
    let count = count.ok_or_else(|| reader.error(format!("the number of {what} is not readable"), MEND))?;
    reader.check_count(count, what, 2)
}

fn check_number(reader: &Reader, number: i64, row: usize, base: i64) -> Result<(), ReadError> {
    if number == base + row as i64 {
        return Ok(());
    }
    let cause = format!("row {number} stands where row {} is needed", base + row as i64);
    Err(reader.error(cause, format!("rows are numbered one by one: {MEND}")))
}
