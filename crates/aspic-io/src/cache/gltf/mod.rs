//! glTF 2.0, for the web, game engines, phones and most 3D programs: `.glb` in one file, or `.gltf` with a `.bin`.
//!
//! The mesh of an actor is its first pose. Each later pose is a morph target, the difference from the first in
//! positions and normals, and an animation of weights plays them: one weight is 1 at each frame, and between two frames
//! both blend linearly, so points run along straight lines. A pose that was there before gets no target of its own;
//! what never moves gets none at all.
//!
//! Lengths are metres and y is up in glTF: the root node scales and turns what is handed over otherwise.
//!
//! The binary part is written as it comes, to a file beside the target; the JSON that goes in front of it is known at
//! the end. Viewers hold all targets in memory, 24 bytes for each point and frame, and the table of weights grows with
//! the square of the number of frames: some hundred frames of some ten thousand points play well. For longer runs hand
//! over every n-th frame at a rate n times lower. A `.glb` ends at 4 GiB.
//!
//! ```text
//! glb     "glTF", version 2, length of the file (u32), then two chunks
//! chunk   length (u32), "JSON" or "BIN\0", content, filled up to a multiple of 4 with spaces or zeros
//! ```

mod actor;
mod body;
mod document;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use actor::Moving;
use body::Body;

use super::{Cache, Cast, Pose, check};
use crate::OutputError;
use crate::atomic::Pending;

/// A glTF file that is being written.
struct Gltf {
    path: PathBuf,
    cast: Cast,
    in_one: bool,
    body: Body,
    moving: Vec<Moving>,
    pushed: usize,
}

/// Begins a glTF file. A name that ends in `.gltf` gets a `.bin` beside it, any other is binary glTF.
pub fn begin(path: &Path, cast: &Cast) -> Result<Box<dyn Cache>, OutputError> {
    Ok(Box::new(Gltf::begin(path, cast)?))
}

/// Where the binary part goes. For a `.glb` it is gone in the end.
fn beside(path: &Path, in_one: bool) -> PathBuf {
    if in_one {
        let mut name = path.as_os_str().to_owned();
        name.push(".bin");
        return name.into();
    }
    path.with_extension("bin")
}

impl Cache for Gltf {
    fn push(&mut self, pose: &Pose<'_>) -> Result<(), OutputError> {
        check::pose(&self.path, &self.cast, self.pushed, pose)?;
        for (moving, (actor, positions)) in self.moving.iter_mut().zip(self.cast.parts(pose.positions)) {
            let written = moving.push(&mut self.body, actor, positions);
            written.map_err(OutputError::io(&self.path))?;
        }
        self.pushed += 1;
        self.refuse_more_than(self.body.end())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<PathBuf>, OutputError> {
        check::frames(&self.path, self.pushed)?;
        let table: u64 = self.moving.iter().map(|moving| moving.table_size(self.pushed)).sum();
        self.refuse_more_than(self.body.end() + table)?;
        let uri = (!self.in_one).then(|| uri(&beside(&self.path, false)));
        let document = document::of(&self.cast, &self.moving, &mut self.body, self.pushed, uri);
        let document = document.map_err(OutputError::io(&self.path))?;
        self.refuse_more_than(self.body.end() + document.len() as u64 + 64)?;
        if self.in_one { self.finish_in_one(document) } else { self.finish_in_two(&document) }
    }
}

impl Gltf {
    fn begin(path: &Path, cast: &Cast) -> Result<Gltf, OutputError> {
        check::cast(path, cast)?;
        let in_one = !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gltf"));
        let mut body = Body::begin(&beside(path, in_one))?;
        let moving: io::Result<Vec<Moving>> =
            cast.actors.iter().map(|actor| Moving::begin(&mut body, actor)).collect();
        let moving = moving.map_err(OutputError::io(path))?;
        Ok(Gltf { path: path.into(), cast: cast.clone(), in_one, body, moving, pushed: 0 })
    }

    fn refuse_more_than(&self, bytes: u64) -> Result<(), OutputError> {
        if !self.in_one || bytes <= u64::from(u32::MAX) {
            return Ok(());
        }
        let words =
            "a .glb ends at 4 GiB: export every n-th frame, fewer bodies, or another format (.abc, .usdc)";
        Err(check::refusal(&self.path, words.into()))
    }

    fn finish_in_one(self, mut document: Vec<u8>) -> Result<Vec<PathBuf>, OutputError> {
        document.resize(document.len().next_multiple_of(4), b' ');
        let mut file = Pending::begin(&self.path)?;
        let written = write_chunks(&mut file, &document, self.body);
        written.map_err(OutputError::io(&self.path))?;
        file.finish()?;
        Ok(vec![self.path])
    }

    fn finish_in_two(self, document: &[u8]) -> Result<Vec<PathBuf>, OutputError> {
        let mut file = Pending::begin(&self.path)?;
        file.write_all(document).map_err(OutputError::io(&self.path))?;
        let binary = self.body.finish()?;
        file.finish()?;
        Ok(vec![self.path, binary])
    }
}

fn write_chunks(file: &mut Pending, document: &[u8], body: Body) -> io::Result<()> {
    let chunk = |size: u64| if size == 0 { 0 } else { 8 + size };
    let size = 12 + chunk(document.len() as u64) + chunk(body.end());
    let number = |number: u64| (number as u32).to_le_bytes();
    file.write_all(&[b"glTF".as_slice(), &number(2), &number(size)].concat())?;
    file.write_all(&[number(document.len() as u64).as_slice(), b"JSON"].concat())?;
    file.write_all(document)?;
    if body.end() > 0 {
        file.write_all(&[number(body.end()).as_slice(), b"BIN\0"].concat())?;
        body.pour(file)?;
    }
    Ok(())
}

/// The name of a file as a relative address: everything but plain letters and digits as `%` and its bytes.
fn uri(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    name.bytes().map(encode).collect()
}
