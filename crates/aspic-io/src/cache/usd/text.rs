//! A stage as text (`.usda`). All samples of an attribute stand together, but come frame by frame: they wait in a spool
//! file until the end.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::super::Cast;
use super::super::spool::Spool;
use super::super::text::{double, float, integer, triple};
use super::Layer;
use super::stage::{self, Attribute, Prim, Source, Value};
use crate::OutputError;
use crate::atomic::Pending;

pub(super) struct Text {
    path: PathBuf,
    file: Pending,
    spool: Spool,
    places: Vec<Vec<usize>>,
    bytes: Vec<u8>,
}

impl Text {
    pub fn begin(path: &Path, channels: usize) -> Result<Text, OutputError> {
        Ok(Text {
            path: path.into(),
            file: Pending::begin(path)?,
            spool: Spool::beside(path, channels)?,
            places: vec![Vec::new(); channels],
            bytes: Vec::new(),
        })
    }

    fn write(&mut self, cast: &Cast, frames: usize, world: &Prim) -> io::Result<()> {
        let mut head = String::from("#usda 1.0\n(\n    customLayerData = {\n");
        let (key, value) = stage::GENERATOR;
        head += &format!("        string {key} = {}\n    }}\n", quoted(value));
        for (name, value) in stage::metadata(cast, frames) {
            // The text form has a shorter word for this one.
            let name = if name == "documentation" { "doc" } else { name };
            head += &format!("    {name} = {}\n", plain(&value));
        }
        self.file.write_all(head.as_bytes())?;
        self.file.write_all(b")\n\n")?;
        self.prim(world, 0)
    }

    fn prim(&mut self, prim: &Prim, depth: usize) -> io::Result<()> {
        let indent = "    ".repeat(depth);
        let mut metadata = String::new();
        if let Some(schema) = prim.schema {
            metadata += &format!("{indent}    prepend apiSchemas = [\"{schema}\"]\n");
        }
        for (name, value) in &prim.metadata {
            metadata += &format!("{indent}    {name} = {}\n", plain(value));
        }
        let metadata = if metadata.is_empty() { String::new() } else { format!(" (\n{metadata}{indent})") };
        writeln!(self.file, "{indent}def {} \"{}\"{metadata}\n{indent}{{", prim.kind, prim.name)?;
        for attribute in &prim.attributes {
            self.attribute(attribute, &format!("{indent}    "))?;
        }
        if let Some(material) = &prim.material {
            writeln!(self.file, "{indent}    rel material:binding = <{material}>")?;
        }
        for child in &prim.children {
            writeln!(self.file)?;
            self.prim(child, depth + 1)?;
        }
        writeln!(self.file, "{indent}}}")
    }

    fn attribute(&mut self, attribute: &Attribute, indent: &str) -> io::Result<()> {
        let uniform = if attribute.uniform { "uniform " } else { "" };
        let name = format!("{indent}{uniform}{} {}", attribute.kind, attribute.name);
        let metadata = match attribute.interpolation {
            Some(how) => format!(" (\n{indent}    interpolation = \"{how}\"\n{indent})"),
            None => String::new(),
        };
        match &attribute.source {
            Source::Fixed(value) => {
                write!(self.file, "{name} = ")?;
                self.file.write_all(plain(value).as_bytes())?;
                writeln!(self.file, "{metadata}")
            }
            Source::Connected(path) => writeln!(self.file, "{name}.connect = <{path}>"),
            Source::Empty => writeln!(self.file, "{name}"),
            Source::Moving(channel) => self.samples(&name, &metadata, *channel, indent),
        }
    }

    /// A single sample holds for all times.
    fn samples(&mut self, name: &str, metadata: &str, channel: usize, indent: &str) -> io::Result<()> {
        let pieces = self.spool.pieces(channel);
        if let [only] = pieces[..] {
            write!(self.file, "{name} = ")?;
            self.spool.copy(only, &mut self.file)?;
            return writeln!(self.file, "{metadata}");
        }
        writeln!(self.file, "{name}{metadata}")?;
        if pieces.is_empty() {
            return Ok(());
        }
        writeln!(self.file, "{name}.timeSamples = {{")?;
        for (piece, place) in pieces.into_iter().zip(&self.places[channel]) {
            write!(self.file, "{indent}    {place}: ")?;
            self.spool.copy(piece, &mut self.file)?;
            writeln!(self.file, ",")?;
        }
        writeln!(self.file, "{indent}}}")
    }
}

impl Layer for Text {
    fn sample(&mut self, channel: usize, place: usize, values: &[[f32; 3]]) -> io::Result<()> {
        self.bytes.clear();
        triples(&mut self.bytes, values);
        self.places[channel].push(place);
        self.spool.push(channel, &self.bytes)
    }

    fn finish(mut self: Box<Self>, cast: &Cast, frames: usize, world: &Prim) -> Result<(), OutputError> {
        let path = self.path.clone();
        self.write(cast, frames, world).map_err(OutputError::io(&path))?;
        self.file.finish()
    }
}

fn triples(text: &mut Vec<u8>, values: &[[f32; 3]]) {
    list(text, values, |text, &value| {
        text.push(b'(');
        triple(text, value, b", ");
        text.push(b')');
    });
}

fn list<T>(text: &mut Vec<u8>, values: &[T], item: impl Fn(&mut Vec<u8>, &T)) {
    text.push(b'[');
    for (number, value) in values.iter().enumerate() {
        if number > 0 {
            text.extend_from_slice(b", ");
        }
        item(text, value);
    }
    text.push(b']');
}

/// A value as it stands in the text.
fn plain(value: &Value) -> String {
    let mut text = Vec::new();
    match value {
        Value::Bool(value) => text.extend_from_slice(value.to_string().as_bytes()),
        Value::Float(value) => float(&mut text, *value),
        Value::Double(value) => double(&mut text, *value),
        Value::Token(value) | Value::String(value) => return quoted(value),
        Value::Color([r, g, b]) => return format!("({r}, {g}, {b})"),
        Value::Floats(values) => list(&mut text, values, |text, &value| float(text, value)),
        Value::Ints(values) => list(&mut text, values, |text, &value| integer(text, value as u32)),
        Value::Triples(values) => triples(&mut text, values),
    }
    String::from_utf8(text).unwrap_or_default()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
