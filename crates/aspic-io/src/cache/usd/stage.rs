//! What a stage says, apart from how it is written: prims with attributes, of which some change from frame to frame.
//!
//! ```text
//! /World                Xform, kind component
//!   /NAME               Mesh or BasisCurves; an Xform over both if an actor has triangles and strands
//!   /Materials/NAME     Material with a UsdPreviewSurface
//! ```

use super::super::names;
use super::super::{Actor, Cast, Up, looks};
use super::shape::Shape;

/// A value that does not change.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Bool(bool),
    Float(f32),
    Double(f64),
    Token(String),
    String(String),
    Color([f32; 3]),
    Floats(Vec<f32>),
    Ints(Vec<i32>),
    Triples(Vec<[f32; 3]>),
}

/// Where the value of an attribute comes from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Fixed(Value),
    /// One value per frame, from a channel of the layer.
    Moving(usize),
    /// The value of another attribute, by its path.
    Connected(String),
    /// Declared only.
    Empty,
}

/// An attribute, or a relationship where the type is `rel`.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub name: &'static str,
    pub kind: &'static str,
    pub uniform: bool,
    pub interpolation: Option<&'static str>,
    pub source: Source,
}

/// A prim with what is below it.
#[derive(Clone, Debug, Default)]
pub(super) struct Prim {
    pub name: String,
    pub kind: &'static str,
    pub schema: Option<&'static str>,
    /// Other metadata, by name.
    pub metadata: Vec<(&'static str, Value)>,
    pub attributes: Vec<Attribute>,
    /// The path of the material.
    pub material: Option<String>,
    pub children: Vec<Prim>,
}

/// The name of the prim above all.
pub(super) const WORLD: &str = "World";
const MATERIALS: &str = "Materials";

/// Metadata of the layer, by name in alphabetical order, but for `customLayerData`, which is [`GENERATOR`].
pub(super) fn metadata(cast: &Cast, frames: usize) -> Vec<(&'static str, Value)> {
    let up = match cast.up {
        Up::Z => "Z",
        Up::Y => "Y",
    };
    let last = frames.saturating_sub(1) as f64;
    vec![
        ("defaultPrim", Value::Token(WORLD.into())),
        ("documentation", Value::String(names::one_line(&cast.title))),
        ("endTimeCode", Value::Double(last)),
        ("framesPerSecond", Value::Double(cast.rate)),
        ("metersPerUnit", Value::Double(cast.meters_per_unit)),
        ("startTimeCode", Value::Double(0.0)),
        ("timeCodesPerSecond", Value::Double(cast.rate)),
        ("upAxis", Value::Token(up.into())),
    ]
}

/// The one entry of `customLayerData`.
pub(super) const GENERATOR: (&str, &str) = ("generator", "aspic");

/// The prim above all. `velocities`: whether they are known.
pub(super) fn world(cast: &Cast, shapes: &[Shape], velocities: bool) -> Prim {
    let safe = prim_names(cast);
    let materials = Prim {
        name: MATERIALS.into(),
        kind: "Scope",
        children: cast.actors.iter().zip(&safe).map(|(actor, name)| material(actor, name)).collect(),
        ..Prim::default()
    };
    let own = |number: usize| shapes.iter().filter(move |shape| shape.actor == number);
    let actors = (cast.actors.iter().zip(&safe).enumerate())
        .map(|(number, (actor, name))| prim(actor, name, own(number).collect(), velocities));
    Prim {
        name: WORLD.into(),
        kind: "Xform",
        metadata: vec![("kind", Value::Token("component".into()))],
        children: actors.chain([materials]).collect(),
        ..Prim::default()
    }
}

/// Names of prims begin with a letter or `_`, and none of an actor is that of the materials.
fn prim_names(cast: &Cast) -> Vec<String> {
    let named = cast.actors.iter().map(|actor| {
        let is_digit = actor.name.trim().starts_with(|c: char| c.is_ascii_digit());
        if is_digit { format!("_{}", actor.name.trim()) } else { actor.name.clone() }
    });
    let all: Vec<String> = std::iter::once(MATERIALS.to_string()).chain(named).collect();
    names::distinct(all.iter().map(String::as_str), names::in_identifiers).split_off(1)
}

/// One prim where an actor has one shape, otherwise one above them.
fn prim(actor: &Actor, name: &str, shapes: Vec<&Shape>, velocities: bool) -> Prim {
    let metadata = vec![("displayName", Value::String(names::one_line(&actor.name)))];
    let of_shape = |shape: &Shape| Prim {
        name: shape.name().into(),
        kind: shape.prim(),
        schema: Some("MaterialBindingAPI"),
        attributes: shape.attributes(actor, velocities),
        material: Some(format!("/{WORLD}/{MATERIALS}/{name}")),
        ..Prim::default()
    };
    if let [shape] = shapes[..] {
        return Prim { name: name.into(), metadata, ..of_shape(shape) };
    }
    let children = shapes.into_iter().map(of_shape).collect();
    Prim { name: name.into(), kind: "Xform", metadata, children, ..Prim::default() }
}

fn material(actor: &Actor, name: &str) -> Prim {
    let surface = format!("/{WORLD}/{MATERIALS}/{name}/Surface.outputs:surface");
    let attribute =
        |name, kind, source| Attribute { name, kind, uniform: false, interpolation: None, source };
    let fixed = |name, kind, value| attribute(name, kind, Source::Fixed(value));
    let id = Value::Token("UsdPreviewSurface".into());
    let shader = Prim {
        name: "Surface".into(),
        kind: "Shader",
        attributes: vec![
            Attribute { uniform: true, ..fixed("info:id", "token", id) },
            fixed("inputs:diffuseColor", "color3f", Value::Color(looks::linear(actor.color))),
            fixed("inputs:roughness", "float", Value::Float(0.5)),
            attribute("outputs:surface", "token", Source::Empty),
        ],
        ..Prim::default()
    };
    Prim {
        name: name.into(),
        kind: "Material",
        attributes: vec![attribute("outputs:surface", "token", Source::Connected(surface))],
        children: vec![shader],
        ..Prim::default()
    }
}
