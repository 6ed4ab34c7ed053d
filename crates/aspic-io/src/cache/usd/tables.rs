//! The tables of a binary stage.
//!
//! | section | holds |
//! |---|---|
//! | TOKENS | words, each ended by a zero |
//! | STRINGS | numbers of tokens |
//! | FIELDS | numbers of tokens, then names of values |
//! | FIELDSETS | numbers of fields, a −1 after those of each spec |
//! | PATHS | three lists over the tree: numbers of paths, of tokens (negative for properties), and jumps |
//! | SPECS | three lists: numbers of paths, of fieldsets, kinds |
//!
//! A jump leads from a node to its sibling: −2 if it has neither child nor sibling, −1 if only a child follows, 0 if only a
//! sibling follows, else the distance to the sibling behind the children.

use std::collections::HashMap;

use super::coding::{block, integers};

/// A node of the tree of paths.
pub(super) struct Node {
    pub name: String,
    pub is_property: bool,
    pub has_sibling: bool,
    /// How many nodes lie below it.
    pub below: usize,
}

/// Kinds of specs, by their number in the format.
#[derive(Clone, Copy)]
pub(super) enum SpecKind {
    Attribute = 1,
    Prim = 6,
    PseudoRoot = 7,
    Relationship = 8,
}

/// Words, and what refers to them.
#[derive(Default)]
pub(super) struct Tables {
    tokens: Numbered,
    strings: Vec<u32>,
    fields: Vec<(u32, u64)>,
    fieldsets: Vec<i32>,
    nodes: Vec<(i32, i32)>,
    specs: Vec<(i32, SpecKind)>,
}

/// Words with their numbers in the order in which they came. The first is never used: a property has the negative of its
/// token's number, which must not be 0.
struct Numbered {
    words: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Default for Numbered {
    fn default() -> Numbered {
        Numbered { words: vec!["-".into()], numbers: HashMap::new() }
    }
}

impl Tables {
    /// The number of a token.
    pub fn token(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.tokens.numbers.get(word) {
            return number;
        }
        let number = self.tokens.words.len() as u32;
        self.tokens.words.push(word.into());
        self.tokens.numbers.insert(word.into(), number);
        number
    }

    /// The number of a string.
    pub fn string(&mut self, text: &str) -> u32 {
        let token = self.token(text);
        let known = self.strings.iter().position(|&string| string == token);
        known.unwrap_or_else(|| {
            self.strings.push(token);
            self.strings.len() - 1
        }) as u32
    }

    /// Adds a spec, in the order of the tree.
    pub fn add(&mut self, node: Node, kind: SpecKind, fields: Vec<(&'static str, u64)>) {
        let token = self.token(&node.name) as i32;
        let jump = match (node.below, node.has_sibling) {
            (0, false) => -2,
            (_, false) => -1,
            (0, true) => 0,
            (below, true) => below as i32 + 1,
        };
        self.nodes.push((if node.is_property { -token } else { token }, jump));
        self.specs.push((self.fieldsets.len() as i32, kind));
        for (name, value) in fields {
            let token = self.token(name);
            self.fieldsets.push(self.fields.len() as i32);
            self.fields.push((token, value));
        }
        self.fieldsets.push(-1);
    }

    /// The sections by name.
    pub fn sections(&self) -> [(&'static str, Vec<u8>); 6] {
        [
            ("TOKENS", self.section_of_tokens()),
            ("STRINGS", self.section_of_strings()),
            ("FIELDS", self.section_of_fields()),
            ("FIELDSETS", self.section_of_fieldsets()),
            ("PATHS", self.section_of_paths()),
            ("SPECS", self.section_of_specs()),
        ]
    }

    fn section_of_tokens(&self) -> Vec<u8> {
        let mut words = Vec::new();
        for word in &self.tokens.words {
            words.extend_from_slice(word.as_bytes());
            words.push(0);
        }
        let mut section = count(self.tokens.words.len());
        section.extend(count(words.len()));
        block(&mut section, &words);
        section
    }

    fn section_of_strings(&self) -> Vec<u8> {
        let mut section = count(self.strings.len());
        self.strings.iter().for_each(|token| section.extend(token.to_le_bytes()));
        section
    }

    fn section_of_fields(&self) -> Vec<u8> {
        let mut section = count(self.fields.len());
        integers(&mut section, self.fields.iter().map(|&(token, _)| token as i32));
        let values: Vec<u8> = self.fields.iter().flat_map(|(_, value)| value.to_le_bytes()).collect();
        block(&mut section, &values);
        section
    }

    fn section_of_fieldsets(&self) -> Vec<u8> {
        let mut section = count(self.fieldsets.len());
        integers(&mut section, self.fieldsets.iter().copied());
        section
    }

    fn section_of_paths(&self) -> Vec<u8> {
        let mut section = count(self.nodes.len());
        section.extend(count(self.nodes.len()));
        integers(&mut section, 0..self.nodes.len() as i32);
        integers(&mut section, self.nodes.iter().map(|&(token, _)| token));
        integers(&mut section, self.nodes.iter().map(|&(_, jump)| jump));
        section
    }

    fn section_of_specs(&self) -> Vec<u8> {
        let mut section = count(self.specs.len());
        integers(&mut section, 0..self.specs.len() as i32);
        integers(&mut section, self.specs.iter().map(|&(fieldset, _)| fieldset));
        integers(&mut section, self.specs.iter().map(|&(_, kind)| kind as i32));
        section
    }
}

fn count(length: usize) -> Vec<u8> {
    (length as u64).to_le_bytes().to_vec()
}
