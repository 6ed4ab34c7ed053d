//! A layer of USD as far as meshes go: prims in a tree, with the attributes that shape and place them.

use std::collections::HashMap;

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Numbers, tuples and lists of both, one after the other.
    Numbers(Vec<f64>),
    /// Tokens and strings.
    Texts(Vec<String>),
}

impl Value {
    pub fn numbers(&self) -> &[f64] {
        match self {
            Value::Numbers(numbers) => numbers,
            Value::Texts(_) => &[],
        }
    }

    pub fn texts(&self) -> &[String] {
        match self {
            Value::Texts(texts) => texts,
            Value::Numbers(_) => &[],
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Prim {
    pub name: String,
    pub kind: String,
    pub parent: Option<usize>,
    /// False for a class, an over, or a prim that is switched off.
    pub is_there: bool,
    pub attributes: HashMap<String, Value>,
}

impl Prim {
    pub fn numbers(&self, name: &str) -> &[f64] {
        self.attributes.get(name).map(Value::numbers).unwrap_or_default()
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.attributes.get(name)?.texts().first().map(String::as_str)
    }
}

/// Parents stand before their children.
#[derive(Debug, Default)]
pub(super) struct Layer {
    pub prims: Vec<Prim>,
    pub up: Option<String>,
    pub meters_per_unit: Option<f64>,
    /// What the layer takes from elsewhere.
    pub composed: Option<String>,
}

/// Whether an attribute shapes or places a mesh; others are not kept.
pub(super) fn is_wanted(attribute: &str) -> bool {
    let shapes =
        ["points", "faceVertexCounts", "faceVertexIndices", "orientation", "purpose", "xformOpOrder"];
    shapes.contains(&attribute) || attribute.starts_with("xformOp:")
}

/// The fields that take content from elsewhere.
pub(super) const COMPOSING: [&str; 5] =
    ["references", "payload", "subLayers", "variantSets", "variantSetNames"];
