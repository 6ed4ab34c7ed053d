//! The tree of a binary stage: one spec for the layer, for each prim, each attribute and each relationship, and the fields
//! that each has.

use std::collections::HashMap;
use std::io;

use super::super::Cast;
use super::binary::{Binary, Body, Type, at, inline};
use super::stage::{self, Attribute, Prim, Source};
use super::tables::{Node, SpecKind};

/// A spec in the order of the tree: what is below it follows.
struct Spec<'a> {
    path: String,
    node: Node,
    what: What<'a>,
}

enum What<'a> {
    Layer(&'a Prim),
    Prim(&'a Prim),
    Attribute(&'a Attribute),
    Material(&'a str),
}

/// Names of an attribute for a relationship to a material.
const BINDING: &str = "material:binding";

/// Fills the tables.
pub(super) fn describe<W: Body>(
    to: &mut Binary<W>,
    cast: &Cast,
    frames: usize,
    world: &Prim,
) -> io::Result<()> {
    let node = |name: &str| Node { name: name.into(), is_property: false, has_sibling: false, below: 0 };
    let mut specs = vec![Spec { path: "/".into(), node: node(""), what: What::Layer(world) }];
    gather(&mut specs, world, "", false);
    specs[0].node.below = specs.len() - 1;
    let numbers: HashMap<String, u32> =
        specs.iter().enumerate().map(|(number, spec)| (spec.path.clone(), number as u32)).collect();
    for spec in specs {
        let (kind, fields) = match spec.what {
            What::Layer(world) => (SpecKind::PseudoRoot, of_layer(to, cast, frames, world)?),
            What::Prim(prim) => (SpecKind::Prim, of_prim(to, prim)?),
            What::Attribute(attribute) => (SpecKind::Attribute, of_attribute(to, attribute, &numbers)?),
            What::Material(path) => (SpecKind::Relationship, of_material(to, path, &numbers)?),
        };
        to.tables.add(spec.node, kind, fields);
    }
    Ok(())
}

/// Appends a prim and what is below it: its properties, then its children.
fn gather<'a>(specs: &mut Vec<Spec<'a>>, prim: &'a Prim, parent: &str, has_sibling: bool) {
    let path = format!("{parent}/{}", prim.name);
    let start = specs.len();
    let node = Node { name: prim.name.clone(), is_property: false, has_sibling, below: 0 };
    specs.push(Spec { path: path.clone(), node, what: What::Prim(prim) });
    let attributes = prim.attributes.iter().map(|attribute| (attribute.name, What::Attribute(attribute)));
    let material = prim.material.as_deref().map(|material| (BINDING, What::Material(material)));
    for (name, what) in attributes.chain(material) {
        let node = Node { name: name.into(), is_property: true, has_sibling: true, below: 0 };
        specs.push(Spec { path: format!("{path}.{name}"), node, what });
    }
    if let (Some(last), true) = (specs.last_mut(), prim.children.is_empty()) {
        // A prim without properties keeps what it was told.
        last.node.has_sibling &= !last.node.is_property;
    }
    for (number, child) in prim.children.iter().enumerate() {
        gather(specs, child, &path, number + 1 < prim.children.len());
    }
    specs[start].node.below = specs.len() - start - 1;
}

type Fields = Vec<(&'static str, u64)>;

fn of_layer<W: Body>(to: &mut Binary<W>, cast: &Cast, frames: usize, world: &Prim) -> io::Result<Fields> {
    let mut fields = Fields::new();
    for (name, value) in stage::metadata(cast, frames) {
        fields.push((name, to.value(&value)?));
    }
    let (key, value) = stage::GENERATOR;
    let value = inline(Type::String, to.tables.string(value));
    // A dictionary: how many; the key, the distance to the name of the value, the name.
    let mut bytes = 1u64.to_le_bytes().to_vec();
    bytes.extend(to.tables.string(key).to_le_bytes());
    bytes.extend([8, value].map(u64::to_le_bytes).concat());
    fields.push(("customLayerData", at(Type::Dictionary, to.put(&bytes)?)));
    fields.push(("primChildren", tokens(to, [world.name.as_str()].into_iter())?));
    Ok(fields)
}

fn of_prim<W: Body>(to: &mut Binary<W>, prim: &Prim) -> io::Result<Fields> {
    let def = inline(Type::Specifier, 0);
    let kind = inline(Type::Token, to.tables.token(prim.kind));
    let mut fields = vec![("specifier", def), ("typeName", kind)];
    if let Some(schema) = prim.schema {
        // Bit 5 marks a list of what is prepended.
        let token = to.tables.token(schema);
        fields.push(("apiSchemas", at(Type::TokenListOp, to.put(&list_of_one(1 << 5, token))?)));
    }
    for (name, value) in &prim.metadata {
        fields.push((name, to.value(value)?));
    }
    let properties = prim.attributes.iter().map(|attribute| attribute.name);
    let properties: Vec<&str> = properties.chain(prim.material.as_ref().map(|_| BINDING)).collect();
    if !properties.is_empty() {
        fields.push(("properties", tokens(to, properties.into_iter())?));
    }
    if !prim.children.is_empty() {
        let children = prim.children.iter().map(|child| child.name.as_str());
        fields.push(("primChildren", tokens(to, children)?));
    }
    Ok(fields)
}

fn of_attribute<W: Body>(
    to: &mut Binary<W>,
    attribute: &Attribute,
    numbers: &HashMap<String, u32>,
) -> io::Result<Fields> {
    let kind = inline(Type::Token, to.tables.token(attribute.kind));
    let mut fields = vec![("typeName", kind)];
    if attribute.uniform {
        fields.push(("variability", inline(Type::Variability, 1)));
    }
    if let Some(how) = attribute.interpolation {
        fields.push(("interpolation", inline(Type::Token, to.tables.token(how))));
    }
    match &attribute.source {
        Source::Fixed(value) => fields.push(("default", to.value(value)?)),
        Source::Moving(channel) => fields.extend(to.moving(*channel)?),
        Source::Connected(path) => fields.push(("connectionPaths", path_list(to, path, numbers)?)),
        Source::Empty => (),
    }
    Ok(fields)
}

fn of_material<W: Body>(
    to: &mut Binary<W>,
    path: &str,
    numbers: &HashMap<String, u32>,
) -> io::Result<Fields> {
    let targets = path_list(to, path, numbers)?;
    Ok(vec![("variability", inline(Type::Variability, 1)), ("targetPaths", targets)])
}

/// An explicit list (bits 0 and 1) of one path.
fn path_list<W: Body>(to: &mut Binary<W>, path: &str, numbers: &HashMap<String, u32>) -> io::Result<u64> {
    let number = numbers.get(path).copied().unwrap_or_default();
    Ok(at(Type::PathListOp, to.put(&list_of_one(0b11, number))?))
}

fn list_of_one(bits: u8, item: u32) -> Vec<u8> {
    let mut bytes = vec![bits];
    bytes.extend(1u64.to_le_bytes());
    bytes.extend(item.to_le_bytes());
    bytes
}

fn tokens<'a, W: Body>(
    to: &mut Binary<W>,
    tokens: impl ExactSizeIterator<Item = &'a str>,
) -> io::Result<u64> {
    let mut bytes = (tokens.len() as u64).to_le_bytes().to_vec();
    for token in tokens {
        bytes.extend(to.tables.token(token).to_le_bytes());
    }
    Ok(at(Type::TokenVector, to.put(&bytes)?))
}
