//! Wavefront OBJ by `tobj`: vertices and faces, with what it leaves to its user: vertices that objects, groups and
//! materials share, comments and broken lines, and the line of an error.

use std::path::Path;

use aspic::Vec3;
use tobj::{LoadError, LoadOptions};

use super::Raw;
use super::guard::guarded;
use crate::{Place, ReadError};

const MEND: &str = "mend that line, or save the surface again";

/// Faces become fans of triangles. Vertices are numbered in the order in which faces use them.
pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let text = essence(&String::from_utf8_lossy(bytes));
    let mesh = match load(&text) {
        Ok(mesh) => mesh,
        Err(cause) => return Err(ReadError::format(path, Place::Line(line_of_error(&text)), cause, MEND)),
    };
    let numbers = |corner: &u32| *corner as usize;
    Ok(Raw {
        positions: mesh.positions.as_chunks::<3>().0.iter().map(|&x| Vec3::from(x)).collect(),
        triangles: mesh.indices.as_chunks::<3>().0.iter().map(|t| t.each_ref().map(numbers)).collect(),
        ..Raw::default()
    })
}

/// The vertices, without colours, and the faces, each on its last line. `tobj` splits a surface where a new object,
/// group or material begins, and doubles the vertices there; without those lines it stays one.
fn essence(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut begun = String::new();
    for line in text.lines() {
        let content = line.split('#').next().unwrap_or_default().trim();
        begun.push_str(content.strip_suffix('\\').unwrap_or(content));
        begun.push(' ');
        if !content.ends_with('\\') {
            let mut words = begun.split_whitespace();
            match words.next() {
                Some("v") => {
                    (["v"].into_iter().chain(words.take(3))).for_each(|word| kept.extend([word, " "]))
                }
                Some("f") => kept.push_str(begun.trim()),
                _ => {}
            }
            begun.clear();
        }
        kept.push('\n');
    }
    kept
}

fn load(text: &str) -> Result<tobj::Mesh, String> {
    let options =
        LoadOptions { triangulate: true, ignore_points: true, ignore_lines: true, ..LoadOptions::default() };
    let no_materials = |_: &Path| Err(LoadError::OpenFileFailed);
    let loaded = guarded(|| tobj::load_obj_buf(&mut text.as_bytes(), &options, no_materials))?;
    let (models, _) = loaded.map_err(|error| explain(error).to_owned())?;
    Ok(models.into_iter().next().map(|model| model.mesh).unwrap_or_default())
}

fn explain(error: LoadError) -> &'static str {
    match error {
        LoadError::PositionParseError => "a vertex needs three numbers, as in `v 0.1 0 0.5`",
        LoadError::FaceParseError => "a face needs vertex numbers, as in `f 1 2 3` or `f 1/1/1 2/2/2 3/3/3`",
        LoadError::InvalidPolygon => "a face needs at least three vertices",
        LoadError::FaceVertexOutOfBounds => "a face names a vertex that does not exist; they count from 1",
        _ => "the file is damaged",
    }
}

/// The first line with which the beginning of the file cannot be read, from 1.
fn line_of_error(text: &str) -> usize {
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    1 + ends.partition_point(|&end| load(&text[..end]).is_ok())
}
