//! Stanford files, one per frame: `NAME/NAME.000012.ply`, binary, little endian, all actors in one.
//!
//! | element | properties |
//! |---|---|
//! | vertex | `x y z nx ny nz` (float), `red green blue` (uchar) |
//! | face | `vertex_indices`, a list of three: its length (uchar) and numbers from 0 (int) |
//! | edge | `vertex1 vertex2` (int), only where there are strands |

use std::path::{Path, PathBuf};

use super::folder::Folder;
use super::text::single;
use super::{Cache, Cast, Normals, Pose, check, names};
use crate::OutputError;

struct Ply {
    path: PathBuf,
    cast: Cast,
    folder: Folder,
    /// Faces and edges.
    cells: Vec<u8>,
    pushed: usize,
    normals: Normals,
    bytes: Vec<u8>,
}

/// Begins a folder of `.ply` files.
pub fn begin(path: &Path, cast: &Cast) -> Result<Box<dyn Cache>, OutputError> {
    check::cast(path, cast)?;
    Ok(Box::new(Ply {
        path: path.into(),
        folder: Folder::begin(path)?,
        cells: cells(cast),
        cast: cast.clone(),
        pushed: 0,
        normals: Normals::default(),
        bytes: Vec::new(),
    }))
}

/// Faces, then edges, with numbers through all actors.
fn cells(cast: &Cast) -> Vec<u8> {
    let (mut faces, mut edges) = (Vec::new(), Vec::new());
    let mut first = 0;
    for actor in &cast.actors {
        for triangle in &actor.triangles {
            faces.push(3);
            triangle.iter().for_each(|corner| faces.extend((first + corner).to_le_bytes()));
        }
        actor.edges.as_flattened().iter().for_each(|end| edges.extend((first + end).to_le_bytes()));
        first += actor.points as u32;
    }
    faces.extend(edges);
    faces
}

fn header(cast: &Cast, t: f64) -> String {
    let faces: usize = cast.actors.iter().map(|actor| actor.triangles.len()).sum();
    let edges: usize = cast.actors.iter().map(|actor| actor.edges.len()).sum();
    let mut text = "ply\nformat binary_little_endian 1.0\n".to_string();
    text += &format!("comment aspic: {}, t = {t} s\n", names::one_line(&cast.title));
    text += &format!("element vertex {}\n", cast.points());
    ["x", "y", "z", "nx", "ny", "nz"].iter().for_each(|name| text += &format!("property float {name}\n"));
    ["red", "green", "blue"].iter().for_each(|name| text += &format!("property uchar {name}\n"));
    text += &format!("element face {faces}\nproperty list uchar int vertex_indices\n");
    if edges > 0 {
        text += &format!("element edge {edges}\nproperty int vertex1\nproperty int vertex2\n");
    }
    text + "end_header\n"
}

impl Cache for Ply {
    fn push(&mut self, pose: &Pose<'_>) -> Result<(), OutputError> {
        check::pose(&self.path, &self.cast, self.pushed, pose)?;
        self.bytes.clear();
        self.bytes.extend_from_slice(header(&self.cast, pose.t).as_bytes());
        for (actor, own) in self.cast.parts(pose.positions) {
            for (position, normal) in own.iter().zip(self.normals.of(own, &actor.triangles)) {
                let numbers = [single(position), single(normal)];
                numbers.iter().flatten().for_each(|x| self.bytes.extend_from_slice(&x.to_le_bytes()));
                self.bytes.extend_from_slice(&actor.color);
            }
        }
        self.bytes.extend_from_slice(&self.cells);
        self.folder.write(self.folder.of_frame(self.pushed, "ply"), &self.bytes)?;
        self.pushed += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, OutputError> {
        self.folder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::made_up;
    use super::*;

    #[test]
    fn a_file_is_as_long_as_its_header_says() {
        let folder = tempfile::tempdir().unwrap();
        let files = made_up::export(folder.path().join("jelly"), begin, 2);
        assert_eq!(files.len(), 2);
        let bytes = std::fs::read(&files[1]).unwrap();
        let header = header(&made_up::cast(), 0.5 / 24.0);
        assert!(bytes.starts_with(header.as_bytes()) && header.contains("element edge 4\n"));
        let (vertices, faces, edges) = (29, 4 + 18 + 4, 4);
        assert_eq!(bytes.len(), header.len() + 27 * vertices + 13 * faces + 8 * edges);
        let last_edge = [23i32, 24].map(i32::to_le_bytes).concat();
        assert!(bytes.ends_with(&last_edge));
    }
}
