//! Finds the way back from a piece of text to the keys that lead there.

use std::borrow::Cow;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// The groups whose tables are named by the user.
const NAMED: [&str; 5] = ["materials", "bodies", "obstacles", "constraints", "forces"];

/// The keys from the top down to a value; array positions are written like `path[2]`, from 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Place {
    keys: Vec<String>,
    /// Whether it is the last key itself, rather than its value.
    pub is_key: bool,
}

impl Place {
    /// The way to the key or value written exactly at `span`, innermost first found.
    pub fn find(root: &DeTable, span: &Range<usize>) -> Option<Place> {
        let mut keys = Vec::new();
        let found = search_table(root, span, &mut keys)?;
        Some(Place { keys, is_key: found == Found::Key })
    }

    /// The last key.
    pub fn key(&self) -> &str {
        self.keys.last().map_or("", String::as_str)
    }

    /// The table around the last key.
    pub fn parent(&self) -> Place {
        Place { keys: self.keys[..self.keys.len().saturating_sub(1)].to_vec(), is_key: false }
    }

    /// For people: "[bodies.ring]", "`shape.torus` of [bodies.ring]", "the scene".
    pub fn describe(&self) -> String {
        let named = self.keys.first().is_some_and(|key| NAMED.contains(&key.as_str()));
        let header = if named { self.keys.len().min(2) } else { self.keys.len().min(1) };
        let (header, inner) = self.keys.split_at(header);
        match (header.is_empty(), inner.is_empty()) {
            (true, _) => "the scene".to_owned(),
            (false, true) => format!("[{}]", header.join(".")),
            (false, false) => format!("`{}` of [{}]", inner.join("."), header.join(".")),
        }
    }
}

#[derive(PartialEq)]
enum Found {
    Key,
    Value,
}

fn search_table(table: &DeTable, span: &Range<usize>, keys: &mut Vec<String>) -> Option<Found> {
    for (key, value) in table.iter() {
        keys.push(written(key.get_ref()).into_owned());
        // Inner values first: a table implied by a dotted key shares its span with that key.
        let inner = search_value(value.get_ref(), span, keys);
        let here = || (value.span() == *span).then_some(Found::Value);
        let found = inner.or_else(|| (key.span() == *span).then_some(Found::Key)).or_else(here);
        if found.is_some() {
            return found;
        }
        keys.pop();
    }
    None
}

fn search_value(value: &DeValue, span: &Range<usize>, keys: &mut Vec<String>) -> Option<Found> {
    match value {
        DeValue::Table(table) => search_table(table, span, keys),
        DeValue::Array(array) => {
            let outer = keys.pop()?;
            for (index, item) in array.iter().enumerate() {
                keys.push(format!("{outer}[{}]", index + 1));
                let here = || (item.span() == *span).then_some(Found::Value);
                let found = search_value(item.get_ref(), span, keys).or_else(here);
                if found.is_some() {
                    return found;
                }
                keys.pop();
            }
            keys.push(outer);
            None
        }
        _ => None,
    }
}

/// Where \[group.name\] was written.
pub(super) fn header_span(root: &DeTable, group: &str, name: &str) -> Option<Range<usize>> {
    Some(root.get(group)?.get_ref().as_table()?.get(name)?.span())
}

/// A key as TOML writes it: in quotes unless it is plain.
pub(super) fn written(key: &str) -> Cow<'_, str> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    match !key.is_empty() && key.chars().all(plain) {
        true => key.into(),
        false => format!("{key:?}").into(),
    }
}
