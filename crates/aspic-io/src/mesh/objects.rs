//! Text files of meshes and their initial velocities: the `.meshes` files of `docs/old-format.md`.
//!
//! ```text
//! object NAME         begins an object
//! velocity x y z      how it starts to move  [m/s]; zero if left out
//! v x y z             a vertex  [m]
//! f i j k             a triangle between vertices of this object, which count from 1
//! # anything          a comment
//! ```

use std::path::Path;
use std::str::SplitWhitespace;

use aspic::Vec3;
use aspic::mesh::{SurfaceError, TriangleSurface};

use super::Raw;
use crate::error::read_bytes;
use crate::{Place, ReadError};

/// What such files are called.
pub const EXTENSION: &str = "meshes";

/// One object of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Its name, different from all others.
    pub name: String,
    /// How it starts to move  \[m/s\]
    pub velocity: Vec3,
    /// Its triangles, checked. A closed surface faces outward.
    pub surface: TriangleSurface,
}

/// Reads all objects, in their order.
pub fn read_objects(path: &Path) -> Result<Vec<Object>, ReadError> {
    parse_objects(path, &read_bytes(path)?)
}

fn parse_objects(path: &Path, bytes: &[u8]) -> Result<Vec<Object>, ReadError> {
    let text = String::from_utf8_lossy(bytes);
    let mut reader = Reader { path, line: 0, objects: vec![] };
    for (number, line) in text.lines().enumerate() {
        reader.line = number + 1;
        let content = line.split('#').next().unwrap_or_default();
        reader.read(content)?;
    }
    if reader.objects.is_empty() {
        let cure = "a .meshes file begins with a line like `object ball`";
        return Err(ReadError::format(path, Place::File, "there is no object in the file", cure));
    }
    reader.objects.iter().map(|begun| begun.finish(path)).collect()
}

/// All triangles of a file, or those of one object: the part of the name behind `.meshes#`.
pub(super) fn parse(path: &Path, bytes: &[u8], object: Option<&str>) -> Result<Raw, ReadError> {
    let objects = parse_objects(path, bytes)?;
    let mut raw = Raw::default();
    let wanted = |found: &&Object| object.is_none_or(|name| name == found.name);
    for found in objects.iter().filter(wanted) {
        let first = raw.positions.len();
        raw.positions.extend(&found.surface.positions);
        let shifted = |t: &[u32; 3]| t.map(|v| v as usize + first);
        raw.triangles.extend(found.surface.triangles.iter().map(shifted));
    }
    if let (Some(name), true) = (object, raw.triangles.is_empty()) {
        let names: Vec<&str> = objects.iter().map(|found| &found.name[..]).collect();
        let (cause, cure) = (format!("there is no object `{name}`"), format!("it has {}", names.join(", ")));
        return Err(ReadError::format(path, Place::File, cause, cure));
    }
    Ok(raw)
}

struct Reader<'a> {
    path: &'a Path,
    /// The current line, from 1.
    line: usize,
    objects: Vec<Begun>,
}

/// An object whose lines are being read.
#[derive(Default)]
struct Begun {
    name: String,
    line: usize,
    velocity: Option<Vec3>,
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// The line of each triangle.
    lines: Vec<usize>,
}

impl Reader<'_> {
    fn error(&self, cause: impl Into<String>, cure: &str) -> ReadError {
        ReadError::format(self.path, Place::Line(self.line), cause, cure)
    }

    fn read(&mut self, content: &str) -> Result<(), ReadError> {
        let mut words = content.split_whitespace();
        match words.next() {
            None => Ok(()),
            Some("object") => self.begin(content.trim()["object".len()..].trim()),
            Some("velocity") => self.velocity(words),
            Some("v") => self.vertex(words),
            Some("f") => self.triangle(words),
            Some(word) => {
                let cause =
                    format!("`{}` is no word of this format", word.chars().take(24).collect::<String>());
                Err(self.error(cause, "lines begin with object, velocity, v, f or #"))
            }
        }
    }

    fn begin(&mut self, name: &str) -> Result<(), ReadError> {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.');
        if name.is_empty() || !name.chars().all(plain) {
            let cure = "write a name of letters, digits, spaces, dots and dashes: `object left box`";
            return Err(self.error("the object has no proper name", cure));
        }
        if let Some(first) = self.objects.iter().find(|object| object.name == name) {
            let cause = format!("object `{name}` exists already, since line {}", first.line);
            return Err(self.error(cause, "give one of them another name"));
        }
        self.objects.push(Begun { name: name.into(), line: self.line, ..Begun::default() });
        Ok(())
    }

    /// The object that the line belongs to.
    fn object(&mut self) -> Result<&mut Begun, ReadError> {
        let orphan = self.error("this line belongs to no object", "put a line like `object ball` before it");
        self.objects.last_mut().ok_or(orphan)
    }

    fn velocity(&mut self, words: SplitWhitespace) -> Result<(), ReadError> {
        let velocity = self.vector(words, "velocity 0.5 0 0")?;
        if self.object()?.velocity.replace(velocity).is_some() {
            return Err(self.error("the object has a velocity already", "remove one of the two lines"));
        }
        Ok(())
    }

    fn vertex(&mut self, words: SplitWhitespace) -> Result<(), ReadError> {
        let position = self.vector(words, "v 0.1 0 0.2")?;
        self.object()?.positions.push(position);
        Ok(())
    }

    fn triangle(&mut self, words: SplitWhitespace) -> Result<(), ReadError> {
        let line = self.line;
        let numbers: Vec<Option<u32>> = words.map(|word| word.parse().ok()).collect();
        let [Some(a), Some(b), Some(c)] = numbers[..] else {
            return Err(self.error("a triangle needs three vertex numbers", "write for example `f 1 2 3`"));
        };
        let count = self.object()?.positions.len();
        if let Some(wrong) = [a, b, c].into_iter().find(|&v| v == 0 || v as usize > count) {
            let cause = format!("there is no vertex {wrong}: the object has {count} up to here");
            return Err(
                self.error(cause, "vertices count from 1 in each object and stand before its triangles")
            );
        }
        let object = self.object()?;
        object.triangles.push([a, b, c].map(|v| v - 1));
        object.lines.push(line);
        Ok(())
    }

    fn vector(&self, words: SplitWhitespace, example: &str) -> Result<Vec3, ReadError> {
        let numbers: Vec<Option<f64>> =
            words.map(|word| word.parse().ok().filter(|x: &f64| x.is_finite())).collect();
        match numbers[..] {
            [Some(x), Some(y), Some(z)] => Ok(Vec3::new(x, y, z)),
            _ => Err(self.error("three numbers are needed", &format!("write for example `{example}`"))),
        }
    }
}

impl Begun {
    /// The object, checked, without the vertices that no triangle uses.
    fn finish(&self, path: &Path) -> Result<Object, ReadError> {
        let triangles = self.triangles.iter().map(|t| t.map(|v| v as usize)).collect();
        let raw = Raw { positions: self.positions.clone(), triangles, ..Raw::default() };
        let mut surface = raw.surface().map_err(|error| {
            let cause = format!("object `{}`: {error}", self.name);
            ReadError::format(path, Place::Line(self.line_of(&error)), cause, "mend that line")
        })?;
        if surface.is_closed() && surface.volume() < 0.0 {
            surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        Ok(Object { name: self.name.clone(), velocity: self.velocity.unwrap_or_default(), surface })
    }

    fn line_of(&self, error: &SurfaceError) -> usize {
        let triangle = match *error {
            SurfaceError::Degenerate { triangle, .. } => Some(triangle),
            SurfaceError::Duplicate { second, .. } => Some(second),
            _ => None,
        };
        triangle.and_then(|triangle| self.lines.get(triangle)).copied().unwrap_or(self.line)
    }
}
