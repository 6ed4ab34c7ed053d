//! From text to a checked [`Scene`], with errors a person can act on.

use std::ops::Range;

use serde::Deserialize;
use toml::de::{DeTable, Deserializer};

use super::body::Kind;
use super::error::{SceneError, unpack};
use super::place::{Place, header_span};
use super::quantity::Quantity;
use super::schema::{Scene, defaults};
use super::suggest::{did_you_mean, list};

impl Scene {
    /// Reads and checks a scene file.
    ///
    /// Defaults are filled in, so that the scene written back says everything.
    pub fn parse(text: &str) -> Result<Scene, SceneError> {
        let root = DeTable::parse(text).map_err(|error| syntax_error(text, &error))?;
        let tree = root.get_ref().clone();
        let read = Scene::deserialize(Deserializer::from(root));
        let mut scene = read.map_err(|error| type_error(&tree, &error))?;
        scene.validate_in(&|group, name| header_span(&tree, group, name))?;
        scene.fill_in();
        Ok(scene)
    }

    /// The scene as TOML, in SI units, with defaults written out.
    pub fn to_toml(&self) -> Result<String, SceneError> {
        toml::to_string(self)
            .map_err(|error| SceneError::new(format!("the scene cannot be written: {error}")))
    }

    /// Writes defaults that depend on other keys into their place.
    fn fill_in(&mut self) {
        self.fill_in_time();
        self.fill_in_contact();
        for body in self.bodies.values_mut().filter(|body| body.kind == Kind::Affine) {
            body.stiffness.get_or_insert(Quantity::new(defaults::AFFINE_YOUNG));
        }
        if self.output.frame_interval.is_none() && self.output.frame_rate.is_none() {
            self.output.frame_rate = Some(Quantity::new(defaults::FRAME_RATE));
        }
    }
}

/// TOML's own message, except where we know better what was meant.
fn syntax_error(text: &str, error: &toml::de::Error) -> SceneError {
    let span = error.span();
    let piece = span.clone().and_then(|span| text.get(span)).unwrap_or_default();
    let (message, help) = match error.message() {
        "duplicate key" => duplicate(text, piece, span.as_ref()),
        message if message.starts_with("string values must be quoted") && two_numbers(piece) => {
            let help = format!("write {}", piece.split_whitespace().collect::<Vec<_>>().join(", "));
            ("a comma is missing".to_owned(), Some(help))
        }
        message if message.starts_with("string values must be quoted") && !piece.is_empty() => {
            let help = format!("put text and values with units in quotes: \"{}\"", piece.trim());
            ("a value is not quoted".to_owned(), Some(help))
        }
        message if message.starts_with("string values must be quoted") => {
            ("a value is missing".to_owned(), Some("write a value after the `=`".to_owned()))
        }
        message => (message.to_owned(), None),
    };
    SceneError { message, span, help }
}

/// Numbers with blanks between them: an array without a comma.
fn two_numbers(piece: &str) -> bool {
    let mut words = piece.split_whitespace();
    words.clone().count() > 1 && words.all(|word| word.trim_end_matches(',').parse::<f64>().is_ok())
}

fn duplicate(text: &str, key: &str, span: Option<&Range<usize>>) -> (String, Option<String>) {
    let name = key.trim_matches(['"', '\'']);
    let start = span.map_or(0, |span| span.start);
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[line_start..].lines().next().unwrap_or_default().trim();
    if !line.starts_with('[') {
        return (format!("`{name}` is given twice"), Some("keep one of them".to_owned()));
    }
    let first = text.lines().position(|other| other.trim() == line).map(|index| index + 1);
    let first = first.map(|line| format!(" (line {line} has the first)")).unwrap_or_default();
    if line.contains('.') {
        return (format!("the name `{name}` is used twice"), Some(format!("rename one of them{first}")));
    }
    (format!("[{name}] is written twice"), Some(format!("put everything under one [{name}]{first}")))
}

/// An error of serde, in our words.
fn type_error(tree: &DeTable, error: &toml::de::Error) -> SceneError {
    let span = error.span();
    let text = error.message();
    if let Some((message, help)) = unpack(text) {
        return SceneError { message, span, help };
    }
    let place = span.as_ref().and_then(|span| Place::find(tree, span)).unwrap_or_default();
    let (message, help) = unknown_word(text, &place)
        .or_else(|| missing_key(text, &place))
        .or_else(|| wrong_type(text, &place))
        .or_else(|| wrong_choice(text, &place))
        .unwrap_or_else(|| (text.to_owned(), None));
    SceneError { message, span, help }
}

type Words = Option<(String, Option<String>)>;

/// "unknown field `x`, expected one of `a`, `b`" and "unknown variant …".
fn unknown_word(text: &str, place: &Place) -> Words {
    let (what, rest) = match text.strip_prefix("unknown field `") {
        Some(rest) => ("key", rest),
        None => ("word", text.strip_prefix("unknown variant `")?),
    };
    let (word, expected) = rest.split_once("`, expected ")?;
    let candidates: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    // For a word in place of a key, as in shape = { taurus = … }, the place is the table around it.
    let message = if what == "key" {
        format!("unknown key `{word}` in {}", place.parent().describe())
    } else if place.is_key {
        format!("unknown {} `{word}` in {}", place.parent().key(), place.parent().parent().describe())
    } else {
        format!("unknown {} `{word}` in {}", place.key(), place.parent().describe())
    };
    let all = if what == "key" { "keys here" } else { "choices" };
    Some((message, Some(did_you_mean(word, &candidates, all))))
}

/// "missing field `x`".
fn missing_key(text: &str, place: &Place) -> Words {
    let key = text.strip_prefix("missing field `")?.strip_suffix('`')?;
    Some((format!("{} has no `{key}`", place.describe()), Some(example(key))))
}

fn example(key: &str) -> String {
    let value = match key {
        "duration" => "\"10 s\"",
        "material" => "\"NAME\", with a table [materials.NAME]",
        "body" => "\"NAME\", with a table [bodies.NAME]",
        "on" => "{ body = \"NAME\" }",
        "at" => "\"0 s\"",
        "keys" => "[{ at = \"4 s\", angle = \"360 deg\" }]",
        "angle" => "\"80 deg\"",
        "between" => "[\"rubber\", \"floor\"]",
        "friction" => "0.5",
        "cells" => "[4, 4, 4]",
        "sections" | "sides" | "rings" | "layers" => "8",
        "file" => "\"part.msh\"",
        "scale" => "1",
        "size" | "by" | "point" | "center" => "[0.1, 0.1, 0.1]",
        "axis" | "normal" | "direction" => "[0, 0, 1]",
        _ => "\"10 cm\"",
    };
    format!("add {key} = {value}")
}

/// "invalid type: X, expected Y", "invalid value: …", "invalid length N, expected Y".
fn wrong_type(text: &str, place: &Place) -> Words {
    let subject = format!("`{}` in {}", place.key(), place.parent().describe());
    if let Some(rest) = text.strip_prefix("invalid length ") {
        let (count, expected) = rest.split_once(", expected ")?;
        return Some((format!("{subject} needs {expected}, not {count}"), None));
    }
    let rest = text.strip_prefix("invalid type: ").or_else(|| text.strip_prefix("invalid value: "))?;
    let (found, expected) = rest.rsplit_once(", expected ")?;
    if found == "unit variant" {
        let help = "write the sizes after it, as in { ball = { radius = \"5 cm\", rings = 4 } }";
        return Some((format!("{subject} needs a table, not just a word"), Some(help.to_owned())));
    }
    if expected == "a map" {
        let group = place.key().trim_end_matches("[1]");
        let help = format!("write [{group}.NAME] for each");
        return Some((format!("`{group}` needs named tables, not {}", found_words(found)), Some(help)));
    }
    let expected = match expected {
        "u32" if found.starts_with("integer `") => "a whole number from 0 to 4294967295",
        "u32" => "a whole number, 0 or more",
        "a boolean" => "true or false",
        "a string" => "text in quotes",
        "a sequence" => "an array",
        other => other,
    };
    Some((format!("{subject} needs {expected}, not {}", found_words(found)), None))
}

/// serde's words for what it found, in TOML's terms.
fn found_words(found: &str) -> String {
    for prefix in ["integer `", "floating point `", "boolean `"] {
        if let Some(value) = found.strip_prefix(prefix) {
            return value.trim_end_matches('`').to_owned();
        }
    }
    match found {
        "sequence" => "an array".to_owned(),
        "map" => "a table or a date".to_owned(),
        other => other.replacen("string ", "the text ", 1),
    }
}

/// What TOML says about a choice that is neither a word nor a table of one key.
fn wrong_choice(text: &str, place: &Place) -> Words {
    let subject = format!("`{}` in {}", place.key(), place.parent().describe());
    let shapes = match place.parent().describe().starts_with("[obstacles") {
        true => list(&["plane", "box", "sphere", "capsule", "plate"]),
        false => list(&["torus", "box", "ball", "cylinder", "beam"]),
    };
    match text {
        "wanted string or table" if place.key() == "shape" => {
            Some((format!("{subject} needs a table"), Some(format!("write one of {shapes} with its sizes"))))
        }
        "wanted string or table" | "expected empty table" => {
            Some((format!("{subject} needs a word in quotes"), None))
        }
        _ if text.starts_with("wanted exactly 1 element") => {
            let help = format!("give exactly one of {shapes}");
            Some((format!("{subject} needs exactly one shape"), Some(help)))
        }
        _ => None,
    }
}
