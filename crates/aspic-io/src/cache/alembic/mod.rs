//! Alembic caches (Ogawa container), for Blender, Houdini, Maya, Cinema 4D and others.
//!
//! The root group of the file holds: version 0 (i32), version of the library whose layout it has (i32), the group of
//! the top object, metadata of the archive, time samplings, metadata of objects and properties. A time sampling is the
//! number of samples (u32), the time of a cycle \[s\] (f64), the number of times in a cycle (u32), those times (f64).
//!
//! Below the top object stands an `Xform` for each actor with a `PolyMesh`, `Curves`, or both. Alembic has y up by
//! custom and no field that says so: when positions have z up, the `Xform` turns them. It has no unit either.
//!
//! Samples are written as they come; what stays in memory are their places, 8 bytes for each property and frame.

mod hash;
mod meta;
mod object;
mod ogawa;
mod property;
mod schema;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use meta::Meta;
use object::Object;
use ogawa::Ogawa;
use schema::{Curves, Mesh, Scratch};

use super::{Cache, Cast, Pose, check, names};
use crate::OutputError;

/// The version of the Alembic library whose files look like this: 1.8.0.
const LIBRARY: i32 = 10800;

/// An Alembic file that is being written.
struct Alembic {
    file: Ogawa,
    cast: Cast,
    shapes: Vec<Shapes>,
    scratch: Scratch,
    pushed: usize,
}

/// What one actor consists of.
struct Shapes {
    mesh: Option<Mesh>,
    curves: Option<Curves>,
}

/// Begins an Alembic file.
pub fn begin(path: &Path, cast: &Cast) -> Result<Box<dyn Cache>, OutputError> {
    check::cast(path, cast)?;
    let mut file = Ogawa::begin(path)?;
    let shapes: io::Result<Vec<Shapes>> = cast
        .actors
        .iter()
        .map(|actor| {
            let (is_line, has_lines) = (actor.triangles.is_empty(), !actor.edges.is_empty());
            let mesh = (!is_line || !has_lines).then(|| Mesh::begin(&mut file, actor)).transpose()?;
            let curves = has_lines.then(|| Curves::begin(&mut file, actor)).transpose()?;
            Ok(Shapes { mesh, curves })
        })
        .collect();
    let shapes = shapes.map_err(OutputError::io(path))?;
    Ok(Box::new(Alembic { file, cast: cast.clone(), shapes, scratch: Scratch::default(), pushed: 0 }))
}

impl Cache for Alembic {
    fn push(&mut self, pose: &Pose<'_>) -> Result<(), OutputError> {
        check::pose(self.file.path(), &self.cast, self.pushed, pose)?;
        let written = self.write_pose(pose);
        written.map_err(OutputError::io(self.file.path()))?;
        self.pushed += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, OutputError> {
        let path = self.file.path().to_path_buf();
        check::frames(&path, self.pushed)?;
        let Alembic { mut file, cast, shapes, pushed, .. } = *self;
        let root = write_root(&mut file, &cast, shapes, pushed).map_err(OutputError::io(&path))?;
        file.finish(root)?;
        Ok(vec![path])
    }
}

impl Alembic {
    fn write_pose(&mut self, pose: &Pose<'_>) -> io::Result<()> {
        for (shapes, (actor, positions)) in self.shapes.iter_mut().zip(self.cast.parts(pose.positions)) {
            if let Some(mesh) = &mut shapes.mesh {
                mesh.push(&mut self.file, actor, positions, &mut self.scratch)?;
            }
            if let Some(curves) = &mut shapes.curves {
                curves.push(&mut self.file, positions, &mut self.scratch)?;
            }
        }
        Ok(())
    }
}

fn write_root(file: &mut Ogawa, cast: &Cast, shapes: Vec<Shapes>, frames: usize) -> io::Result<ogawa::Child> {
    let mut children = vec![];
    for (name, shapes) in names::of_files(&cast.actors).iter().zip(shapes) {
        let mesh = shapes.mesh.map(|mesh| mesh.finish(format!("{name}Shape")));
        let curves = shapes.curves.map(|curves| curves.finish(format!("{name}Strands")));
        children.push(schema::xform(file, name, cast.up, mesh.into_iter().chain(curves).collect())?);
    }
    let mut meta = Meta::default();
    let top = Object { name: String::new(), meta: "", properties: vec![], children };
    let root = [
        file.data(&0i32.to_le_bytes())?,
        file.data(&LIBRARY.to_le_bytes())?,
        top.write(file, &mut meta)?.0,
        file.data(about(cast).as_bytes())?,
        file.data(&time_samplings(cast.rate, frames))?,
        file.data(&meta.table())?,
    ];
    file.group(&root)
}

/// Metadata of the archive, in which `;` and `=` part entries.
fn about(cast: &Cast) -> String {
    let plain = |c: char| if c.is_control() || c == ';' || c == '=' { ' ' } else { c };
    let title: String = cast.title.chars().map(plain).collect();
    format!("FramesPerTimeUnit={:.6};_ai_Application=aspic;_ai_Description={title}", cast.rate)
}

/// What does not move has the first sampling, with the time 0; what moves has the second.
fn time_samplings(rate: f64, frames: usize) -> Vec<u8> {
    let sampling = |samples: usize, cycle: f64| {
        let mut bytes = (samples as u32).to_le_bytes().to_vec();
        bytes.extend(cycle.to_le_bytes());
        bytes.extend(1u32.to_le_bytes());
        bytes.extend(0f64.to_le_bytes());
        bytes
    };
    [sampling(1, 1.0), sampling(frames, 1.0 / rate)].concat()
}
