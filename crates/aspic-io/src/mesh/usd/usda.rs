//! USD as text.
//!
//! ```text
//! #usda 1.0
//! ( upAxis = "Z" )                                  what is said about the layer
//! def Mesh "name" ( active = true ) {               a prim: def, over or class, and what is said about it
//!     uniform token orientation = "leftHanded"      an attribute: words, the type, the name, the value
//!     point3f[] points = [(0, 0, 0), (1, 0, 0)] ( interpolation = "vertex" )
//!     point3f[] points.timeSamples = { 0: […], 1: […] }
//! }
//! ```
//!
//! Prims nest as deep as the file likes, so they are kept on a stack and nothing calls itself.

use super::layer::{COMPOSING, Layer, Prim, Value, is_wanted};
use super::values::{Tokens, What};
use crate::ReadError;
use crate::mesh::reader::{DAMAGED, Reader};

pub(super) fn parse(reader: Reader) -> Result<Layer, ReadError> {
    let mut parser = Parser { tokens: Tokens(reader), layer: Layer::default(), open: vec![] };
    parser.run()?;
    match parser.open.is_empty() {
        true => Ok(parser.layer),
        false => Err(parser.tokens.0.error("the file ends within a prim", crate::mesh::reader::CUT_OFF)),
    }
}

struct Parser<'a> {
    tokens: Tokens<'a>,
    layer: Layer,
    /// The prims around this place; `None` for braces of another kind.
    open: Vec<Option<usize>>,
}

impl<'a> Parser<'a> {
    fn run(&mut self) -> Result<(), ReadError> {
        while let Some(token) = self.tokens.next()? {
            match token {
                What::Mark(b'(') => self.said(None)?,
                What::Mark(b'}') if self.open.pop().is_none() => {
                    return Err(self.tokens.0.error("a `}` closes nothing", DAMAGED));
                }
                What::Mark(b'{') => self.open.push(None),
                What::Word(word @ ("def" | "over" | "class")) => self.prim(word == "def")?,
                What::Word("variantSet") => self.compose("variants"),
                What::Word(word) => self.property(word)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn compose(&mut self, arc: &str) {
        self.layer.composed.get_or_insert(arc.into());
    }

    /// `def Type "name" (…) {`, behind its first word.
    fn prim(&mut self, is_there: bool) -> Result<(), ReadError> {
        let parent = self.open.iter().rev().find_map(|open| *open);
        let mut prim = Prim { parent, is_there, ..Prim::default() };
        loop {
            match self.tokens.next()? {
                Some(What::Word(word)) => prim.kind = word.into(),
                Some(What::Text(name)) => prim.name = name,
                Some(What::Mark(b'(')) => self.said(Some(&mut prim))?,
                Some(What::Mark(b'{')) => break,
                _ => return Err(self.tokens.0.error("a prim is not followed by `{`", DAMAGED)),
            }
        }
        self.layer.prims.push(prim);
        self.open.push(Some(self.layer.prims.len() - 1));
        Ok(())
    }

    /// What is said about the layer or a prim, behind the `(`.
    fn said(&mut self, mut prim: Option<&mut Prim>) -> Result<(), ReadError> {
        let mut key = "";
        loop {
            match self.tokens.need()? {
                What::Mark(b')') => return Ok(()),
                What::Mark(b'=') => {
                    let value = self.tokens.value()?;
                    match (key, &mut prim) {
                        ("active", Some(prim)) => prim.is_there &= value.numbers() != [0.0],
                        ("upAxis", None) => self.layer.up = value.texts().first().cloned(),
                        ("metersPerUnit", None) => {
                            self.layer.meters_per_unit = value.numbers().first().copied()
                        }
                        _ => {}
                    }
                }
                What::Mark(mark @ (b'(' | b'[' | b'{')) => self.tokens.skip(mark)?,
                What::Word(word) => {
                    key = word;
                    if COMPOSING.contains(&word) {
                        self.compose(word);
                    }
                }
                _ => {}
            }
        }
    }

    /// Words up to a `=`, the last of which is the name, and the value behind it.
    fn property(&mut self, first: &'a str) -> Result<(), ReadError> {
        let (mut name, mut before) = (first, "");
        loop {
            let mut ahead = self.tokens.clone();
            match ahead.next()? {
                Some(What::Word(word)) => (before, name) = (name, word),
                // A type with brackets is a list.
                Some(What::Mark(b'[' | b']')) => {}
                Some(What::Mark(b'=')) => {
                    self.tokens = ahead;
                    break;
                }
                _ => return Ok(()),
            }
            self.tokens = ahead;
        }
        if before == "rel" {
            return self.tokens.value().map(drop);
        }
        let is_samples = name.ends_with(".timeSamples");
        let name = name.strip_suffix(".timeSamples").unwrap_or(name);
        let value = if is_samples { self.tokens.first_sample()? } else { Some(self.tokens.value()?) };
        if let (Some(&Some(prim)), Some(value)) = (self.open.last(), value)
            && is_wanted(name)
        {
            self.keep(prim, name, value, is_samples);
        }
        Ok(())
    }

    /// A value that holds at all times goes before samples.
    fn keep(&mut self, prim: usize, name: &str, value: Value, is_sample: bool) {
        let attributes = &mut self.layer.prims[prim].attributes;
        if !is_sample || !attributes.contains_key(name) {
            attributes.insert(name.into(), value);
        }
    }
}
