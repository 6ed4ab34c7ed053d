//! PLY: a text head that describes rows of numbers, then the rows, as text or binary of either byte order.
//!
//! ```text
//! ply
//! format binary_little_endian 1.0
//! element vertex 8
//! property float x
//! element face 6
//! property list uchar int vertex_indices
//! end_header
//! ```

use std::path::Path;

use aspic::Vec3;

use super::Raw;
use super::kind::Kind;
use super::reader::{MEND, Reader, shorten};
use super::weld::{fan, strip};
use crate::ReadError;

/// Rows of one kind.
struct Element<'a> {
    name: &'a str,
    count: i64,
    properties: Vec<Property<'a>>,
}

struct Property<'a> {
    name: &'a str,
    kind: Kind,
    /// What counts the entries, for a list.
    count: Option<Kind>,
}

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let mut reader = Reader::new(path, bytes);
    let elements = head(&mut reader)?;
    let mut raw = Raw::default();
    for element in &elements {
        rows(&mut reader, element, &mut raw)?;
    }
    Ok(raw)
}

/// Reads the head and sets how numbers are stored.
fn head<'a>(reader: &mut Reader<'a>) -> Result<Vec<Element<'a>>, ReadError> {
    if reader.line().trim_ascii() != b"ply" {
        return Err(reader.error("a PLY file starts with `ply`", "check the format and the extension"));
    }
    let mut elements: Vec<Element> = vec![];
    let (mut format, mut done) = (None, false);
    while !done {
        let word = reader.expect("a line of the head")?;
        match word {
            "format" => format = Some(storage(reader)?),
            "element" => elements.push(element(reader)?),
            "property" => {
                let property = property(reader)?;
                let orphan = reader.error("the property belongs to no element", MEND);
                elements.last_mut().ok_or(orphan)?.properties.push(property);
            }
            "comment" | "obj_info" => {}
            "end_header" => done = true,
            _ => return Err(reader.error(format!("`{}` is no word of a PLY head", shorten(word)), MEND)),
        }
        reader.line();
    }
    let missing = reader.error("the head names no format", MEND);
    (reader.binary, reader.big_endian) = format.ok_or(missing)?;
    Ok(elements)
}

fn storage(reader: &mut Reader) -> Result<(bool, bool), ReadError> {
    match reader.expect("a format")? {
        "ascii" => Ok((false, false)),
        "binary_little_endian" => Ok((true, false)),
        "binary_big_endian" => Ok((true, true)),
        other => {
            let cause = format!("`{}` is no format of PLY", shorten(other));
            Err(reader.error(cause, "save it as ascii, binary_little_endian or binary_big_endian"))
        }
    }
}

fn element<'a>(reader: &mut Reader<'a>) -> Result<Element<'a>, ReadError> {
    let name = reader.expect("the name of an element")?;
    Ok(Element { name, count: reader.whole(Kind::U64, "a count")?, properties: vec![] })
}

fn property<'a>(reader: &mut Reader<'a>) -> Result<Property<'a>, ReadError> {
    let mut word = reader.expect("a type")?;
    let mut count = None;
    if word == "list" {
        let counts = reader.expect("a type")?;
        count = Some(kind(reader, counts)?);
        word = reader.expect("a type")?;
    }
    let kind = kind(reader, word)?;
    Ok(Property { name: reader.expect("the name of a property")?, kind, count })
}

fn kind(reader: &Reader, word: &str) -> Result<Kind, ReadError> {
    Ok(match word {
        "char" | "int8" => Kind::I8,
        "uchar" | "uint8" => Kind::U8,
        "short" | "int16" => Kind::I16,
        "ushort" | "uint16" => Kind::U16,
        "int" | "int32" => Kind::I32,
        "uint" | "uint32" => Kind::U32,
        "int64" | "long" => Kind::I64,
        "uint64" | "ulong" => Kind::U64,
        "float" | "float32" => Kind::F32,
        "double" | "float64" => Kind::F64,
        _ => return Err(reader.error(format!("`{}` is no type of PLY", shorten(word)), MEND)),
    })
}

fn rows(reader: &mut Reader, element: &Element, raw: &mut Raw) -> Result<(), ReadError> {
    let smallest = |p: &Property| if reader.binary { p.count.unwrap_or(p.kind).size() } else { 2 };
    let row: usize = element.properties.iter().map(smallest).sum();
    if row == 0 {
        return Ok(());
    }
    let count = reader.check_count(element.count, &format!("rows of `{}`", element.name), row)?;
    if element.name == "vertex" {
        let has = |axis: &str| element.properties.iter().any(|p| p.name == axis && p.count.is_none());
        if !["x", "y", "z"].into_iter().all(has) {
            return Err(reader.error("the vertices have no x, y and z", "save it again with positions"));
        }
    }
    let mut list = vec![];
    (0..count).try_for_each(|_| one_row(reader, element, raw, &mut list))
}

fn one_row(
    reader: &mut Reader,
    element: &Element,
    raw: &mut Raw,
    list: &mut Vec<i64>,
) -> Result<(), ReadError> {
    let mut x = Vec3::zeros();
    for property in &element.properties {
        let Some(count) = property.count else {
            let value = reader.number(property.kind, "a number")?;
            if let Some(axis) = ["x", "y", "z"].iter().position(|&axis| axis == property.name) {
                x[axis] = value;
            }
            continue;
        };
        let each = if reader.binary { property.kind.size() } else { 2 };
        let length = reader.count(count, "entries of a list", each)?;
        let is_corners = matches!(property.name, "vertex_indices" | "vertex_index");
        if is_corners {
            list.clear();
            for _ in 0..length {
                list.push(reader.whole(property.kind, "a vertex number")?);
            }
            cells(reader, element.name, list, raw)?;
        } else {
            (0..length).try_for_each(|_| reader.number(property.kind, "a number").map(drop))?;
        }
    }
    if element.name == "vertex" {
        raw.positions.push(x);
    }
    Ok(())
}

/// A polygon, or strips that are separated by -1.
fn cells(reader: &Reader, element: &str, list: &[i64], raw: &mut Raw) -> Result<(), ReadError> {
    let is_strips = element == "tristrips";
    for part in list.split(|&v| is_strips && v == -1) {
        let Ok(corners) = part.iter().map(|&v| usize::try_from(v)).collect::<Result<Vec<usize>, _>>() else {
            return Err(
                reader.error("a face names a negative vertex", "vertices count from 0: save it again")
            );
        };
        match is_strips {
            true => raw.triangles.extend(strip(&corners).filter(|[a, b, c]| a != b && b != c && c != a)),
            false if corners.len() < 3 => raw.other_cells += 1,
            false => raw.triangles.extend(fan(&corners)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_file_says_where_it_ends() {
        let head = "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
                    property float z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n";
        let bytes = [head.as_bytes(), &[0; 12], &[3, 0, 0, 0]].concat();
        let text = parse(Path::new("a.ply"), &bytes).unwrap_err().to_string();
        assert!(text.contains(&format!("byte {}", head.len() + 12)), "{text}");
        assert!(text.contains("3 entries of a list are announced, but only 3 bytes follow"), "{text}");
    }
}
