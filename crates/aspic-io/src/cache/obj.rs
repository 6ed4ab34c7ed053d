//! Wavefront files, one per frame: `NAME/NAME.000012.obj`, and the colours in `NAME/NAME.mtl`.
//!
//! Each actor is an object (`o`) with its vertices (`v`), normals (`vn`) and triangles (`f`); strands are lines (`l`).
//! Numbers of vertices run from 1 through the whole file. Each vertex has a normal, also those of strands, because some
//! readers insist on it. Colours (`Kd`) are those of the screen, as most programs read
//! them. What does not change is turned into text once.

use std::path::{Path, PathBuf};

use aspic::Vec3;

use super::folder::Folder;
use super::text::{integer, single, triple};
use super::{Actor, Cache, Cast, Normals, Pose, check, names};
use crate::OutputError;
use crate::strands::strands;

struct Obj {
    path: PathBuf,
    cast: Cast,
    folder: Folder,
    /// Of each actor what stands before and behind its vertices.
    around: Vec<[Vec<u8>; 2]>,
    pushed: usize,
    normals: Normals,
    text: Vec<u8>,
}

/// Begins a folder of `.obj` files.
pub fn begin(path: &Path, cast: &Cast) -> Result<Box<dyn Cache>, OutputError> {
    check::cast(path, cast)?;
    let mut folder = Folder::begin(path)?;
    let names = names::of_files(&cast.actors);
    let library = format!("{}.mtl", folder.stem());
    folder.write(library, materials(cast, &names).as_bytes())?;
    let mut first = 1;
    let around = cast.actors.iter().zip(&names).map(|(actor, name)| {
        let before = format!("o {}\n", names::one_line(&actor.name)).into_bytes();
        let behind = faces(actor, name, first);
        first += actor.points as u32;
        [before, behind]
    });
    Ok(Box::new(Obj {
        path: path.into(),
        cast: cast.clone(),
        around: around.collect(),
        folder,
        pushed: 0,
        normals: Normals::default(),
        text: Vec::new(),
    }))
}

/// The file of colours.
fn materials(cast: &Cast, names: &[String]) -> String {
    let material = |(actor, name): (&Actor, &String)| {
        let [r, g, b] = actor.color.map(|channel| f64::from(channel) / 255.0);
        format!("newmtl {name}\nKd {r:.4} {g:.4} {b:.4}\nKs 0.1 0.1 0.1\nNs 50\nd 1\nillum 2\n\n")
    };
    cast.actors.iter().zip(names).map(material).collect()
}

/// Triangles and lines, with the number of the first vertex, which is also that of the first normal.
fn faces(actor: &Actor, material: &str, first: u32) -> Vec<u8> {
    let mut text = format!("usemtl {material}\n").into_bytes();
    for triangle in &actor.triangles {
        text.push(b'f');
        for corner in triangle {
            text.push(b' ');
            integer(&mut text, first + corner);
            text.extend_from_slice(b"//");
            integer(&mut text, first + corner);
        }
        text.push(b'\n');
    }
    for strand in strands(&actor.edges) {
        text.push(b'l');
        for point in strand {
            text.push(b' ');
            integer(&mut text, first + point);
        }
        text.push(b'\n');
    }
    text
}

fn lines(text: &mut Vec<u8>, word: &[u8], vectors: &[Vec3]) {
    for vector in vectors {
        text.extend_from_slice(word);
        triple(text, single(vector), b" ");
        text.push(b'\n');
    }
}

impl Cache for Obj {
    fn push(&mut self, pose: &Pose<'_>) -> Result<(), OutputError> {
        check::pose(&self.path, &self.cast, self.pushed, pose)?;
        self.text.clear();
        let title = names::one_line(&self.cast.title);
        let head = format!("# aspic: {title}, t = {} s\nmtllib {}.mtl\n", pose.t, self.folder.stem());
        self.text.extend_from_slice(head.as_bytes());
        for ((actor, own), [before, behind]) in self.cast.parts(pose.positions).zip(&self.around) {
            self.text.extend_from_slice(before);
            lines(&mut self.text, b"v ", own);
            lines(&mut self.text, b"vn ", self.normals.of(own, &actor.triangles));
            self.text.extend_from_slice(behind);
        }
        self.folder.write(self.folder.of_frame(self.pushed, "obj"), &self.text)?;
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
    fn our_own_reader_finds_the_same_vertices_and_triangles() {
        let folder = tempfile::tempdir().unwrap();
        let files = made_up::export(folder.path().join("jelly"), begin, 3);
        assert_eq!(files.len(), 4);
        let (models, materials) = tobj::load_obj(&files[2], &tobj::LoadOptions::default()).unwrap();
        assert_eq!(materials.unwrap().len(), 4);
        let cast = made_up::cast();
        let positions = made_up::positions(1);
        for ((actor, own), model) in cast.parts(&positions).zip(&models) {
            assert_eq!(model.name, actor.name);
            // The reader numbers vertices anew.
            let found = |k: usize| &model.mesh.positions[3 * model.mesh.indices[k] as usize..][..3];
            let expected =
                if actor.edges.is_empty() { actor.triangles.as_flattened() } else { &[0, 1, 2, 3, 4] };
            assert_eq!(model.mesh.indices.len(), expected.len());
            for (k, &corner) in expected.iter().enumerate() {
                let near = (own[corner as usize] - Vec3::from_column_slice(found(k))).norm() < 1e-6;
                assert!(near, "{} {k}", actor.name);
            }
        }
    }
}
