//! OFF: `OFF`, the numbers of vertices, faces and edges, then a line for each vertex (`x y z`) and each face
//! (`n i j k …`, from 0). `#` starts a comment. `COFF`, `NOFF` and `STOFF` put colours, normals and texture coordinates
//! behind the position; they are passed over, and so are the colours of faces.

use std::path::Path;

use super::Raw;
use super::kind::Kind;
use super::reader::{MEND, Reader, shorten};
use super::weld::fan;
use crate::ReadError;

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let mut reader = Reader::new(path, bytes).with_comments(b'#');
    head(&mut reader)?;
    let counts = [0; 3].map(|_| reader.whole(Kind::I64, "a count"));
    let [vertices, faces, edges] = counts;
    let vertices = reader.check_count(vertices?, "vertices", 6)?;
    let faces = reader.check_count(faces?, "faces", 2)?;
    edges?;
    let mut raw = Raw::default();
    for _ in 0..vertices {
        raw.positions.push(reader.position(Kind::F64, "a coordinate")?);
        reader.line();
    }
    let mut corners = vec![];
    for _ in 0..faces {
        let count = reader.count(Kind::I64, "corners", 2)?;
        corners.clear();
        for _ in 0..count {
            corners.push(reader.vertex(Kind::I64, 0)?);
        }
        reader.line();
        match count {
            0..3 => raw.other_cells += 1,
            _ => raw.triangles.extend(fan(&corners)),
        }
    }
    Ok(raw)
}

fn head(reader: &mut Reader) -> Result<(), ReadError> {
    let word = reader.expect("`OFF`")?;
    match word {
        "OFF" | "COFF" | "NOFF" | "CNOFF" | "STOFF" | "STCOFF" | "STNOFF" | "STCNOFF" => {}
        _ if word.ends_with("OFF") => {
            let cause = format!("vertices of `{}` are not of three dimensions", shorten(word));
            return Err(reader.error(cause, "save it again as OFF"));
        }
        _ => return Err(reader.error("an OFF file starts with `OFF`", "check the format and the extension")),
    }
    let mut next = reader.clone();
    if next.word_in_line() == Some("BINARY") {
        return Err(next.error("binary OFF is not read", format!("save it again as text, or {MEND}")));
    }
    Ok(())
}
