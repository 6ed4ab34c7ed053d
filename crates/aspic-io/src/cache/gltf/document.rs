//! The JSON part: nodes, meshes, materials, one animation, and where their arrays lie in the binary part.

use std::io;

use serde_json::{Map, Value, json};

use super::actor::{Moving, Shape};
use super::body::{Array, Body};
use crate::cache::{Actor, Cast, Up, bytes};
use crate::open;

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;
const POINTS: u32 = 0;
const LINES: u32 = 1;
const TRIANGLES: u32 = 4;

/// Writes the weights behind the poses; the whole document.
pub(super) fn of(
    cast: &Cast,
    moving: &[Moving],
    body: &mut Body,
    frames: usize,
    uri: Option<String>,
) -> io::Result<Vec<u8>> {
    let mut arrays = Arrays::default();
    let (mut nodes, mut meshes, mut materials) = (vec![root(cast)], vec![], vec![]);
    for (actor, moving) in cast.actors.iter().zip(moving) {
        let mut node = json!({ "name": actor.name });
        if let Some(first) = &moving.first {
            node["mesh"] = json!(meshes.len());
            meshes.push(mesh(&mut arrays, actor, moving, first, materials.len()));
            materials.push(material(actor));
        }
        nodes.push(node);
    }
    let animation = animation(cast, moving, body, frames, &mut arrays)?;
    let mut document = json!({
        "asset": { "version": "2.0", "generator": "aspic" },
        "scene": 0,
        "scenes": [{ "name": name(&cast.title), "nodes": [0] }],
        "nodes": nodes,
    });
    let mut add = |key: &str, list: Vec<Value>| {
        if !list.is_empty() {
            document[key] = list.into();
        }
    };
    add("meshes", meshes);
    add("materials", materials);
    add("animations", animation.into_iter().collect());
    add("accessors", arrays.accessors);
    add("bufferViews", arrays.views);
    add("buffers", buffer(body.end(), uri).into_iter().collect());
    Ok(serde_json::to_vec(&document)?)
}

/// A name for what has none.
fn name(title: &str) -> &str {
    if title.is_empty() { "aspic" } else { title }
}

fn buffer(size: u64, uri: Option<String>) -> Option<Value> {
    let mut buffer = json!({ "byteLength": size });
    if let Some(uri) = uri {
        buffer["uri"] = uri.into();
    }
    (size > 0).then_some(buffer)
}

/// Turns z up to y up and units to metres.
fn root(cast: &Cast) -> Value {
    let mut node = json!({ "name": name(&cast.title) });
    if !cast.actors.is_empty() {
        node["children"] = (1..=cast.actors.len()).collect();
    }
    if cast.up == Up::Z {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        node["rotation"] = json!([-half, 0.0, 0.0, half]);
    }
    let scale = cast.meters_per_unit;
    if scale.is_finite() && scale > 0.0 && scale != 1.0 {
        node["scale"] = json!([scale, scale, scale]);
    }
    node
}

fn material(actor: &Actor) -> Value {
    let [r, g, b] = actor.color.map(|channel| f64::from(bytes::linear(channel)));
    let surface = json!({ "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.6 });
    let mut material = json!({ "name": actor.name, "pbrMetallicRoughness": surface });
    if is_open(&actor.triangles) {
        material["doubleSided"] = true.into();
    }
    material
}

/// Whether some edge has one triangle only: both sides of the surface are seen.
fn is_open(triangles: &[[u32; 3]]) -> bool {
    open::edges(triangles).chunk_by(|a, b| a[..2] == b[..2]).any(|edge| edge.len() == 1)
}

fn mesh(arrays: &mut Arrays, actor: &Actor, moving: &Moving, first: &Shape, material: usize) -> Value {
    let attributes = arrays.attributes(first);
    let targets: Vec<Attributes> = moving.targets.iter().map(|target| arrays.attributes(target)).collect();
    let primitive = |mode: u32, indices: Option<usize>| {
        let with_normals = mode == TRIANGLES;
        let mut primitive = json!({
            "mode": mode, "material": material, "attributes": attributes.json(with_normals),
        });
        if let Some(indices) = indices {
            primitive["indices"] = indices.into();
        }
        if !targets.is_empty() {
            primitive["targets"] = targets.iter().map(|target| target.json(with_normals)).collect();
        }
        primitive
    };
    let triangles = moving.triangles.map(|array| primitive(TRIANGLES, Some(arrays.indices(array))));
    let lines = moving.lines.map(|array| primitive(LINES, Some(arrays.indices(array))));
    let mut primitives: Vec<Value> = triangles.into_iter().chain(lines).collect();
    if primitives.is_empty() {
        primitives.push(primitive(POINTS, None));
    }
    json!({ "name": actor.name, "primitives": primitives })
}

/// One channel of weights for each actor that moves, all with the same times.
fn animation(
    cast: &Cast,
    moving: &[Moving],
    body: &mut Body,
    frames: usize,
    arrays: &mut Arrays,
) -> io::Result<Option<Value>> {
    if moving.iter().all(|moving| moving.targets.is_empty()) {
        return Ok(None);
    }
    let time = |place: usize| (place as f64 / cast.rate) as f32;
    let array = body.numbers((0..frames).map(|place| time(place).to_le_bytes()))?;
    let input = arrays.scalars(array);
    arrays.accessors[input]["min"] = json!([f64::from(time(0))]);
    arrays.accessors[input]["max"] = json!([f64::from(time(frames - 1))]);
    let (mut samplers, mut channels) = (vec![], vec![]);
    for (place, moving) in moving.iter().enumerate().filter(|(_, moving)| !moving.targets.is_empty()) {
        let weights = body.table(moving.targets.len(), &moving.shown)?;
        let output = arrays.scalars(weights);
        let target = json!({ "node": place + 1, "path": "weights" });
        channels.push(json!({ "sampler": samplers.len(), "target": target }));
        samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
    }
    Ok(Some(json!({ "name": name(&cast.title), "samplers": samplers, "channels": channels })))
}

/// Numbers of the accessors of a shape.
struct Attributes {
    positions: usize,
    normals: Option<usize>,
}

impl Attributes {
    fn json(&self, with_normals: bool) -> Value {
        let mut attributes = Map::new();
        attributes.insert("POSITION".into(), self.positions.into());
        if let Some(normals) = self.normals.filter(|_| with_normals) {
            attributes.insert("NORMAL".into(), normals.into());
        }
        attributes.into()
    }
}

/// Accessors say what arrays mean, views where they lie.
#[derive(Default)]
struct Arrays {
    accessors: Vec<Value>,
    views: Vec<Value>,
}

impl Arrays {
    fn attributes(&mut self, shape: &Shape) -> Attributes {
        let positions = self.vectors(shape.positions);
        Attributes { positions, normals: shape.normals.map(|normals| self.vectors(normals)) }
    }

    fn vectors(&mut self, array: Array) -> usize {
        let place = self.add(array, "VEC3", FLOAT, 12, Some(VERTICES));
        if let Some([low, high]) = array.range {
            self.accessors[place]["min"] = json!(low.map(f64::from));
            self.accessors[place]["max"] = json!(high.map(f64::from));
        }
        place
    }

    fn indices(&mut self, array: Array) -> usize {
        self.add(array, "SCALAR", UNSIGNED_INT, 4, Some(INDICES))
    }

    fn scalars(&mut self, array: Array) -> usize {
        self.add(array, "SCALAR", FLOAT, 4, None)
    }

    fn add(&mut self, array: Array, kind: &str, component: u32, entry: u64, target: Option<u32>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": array.offset, "byteLength": array.size });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        let (view_place, count) = (self.views.len(), array.size / entry);
        let accessor =
            json!({ "bufferView": view_place, "componentType": component, "type": kind, "count": count });
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}
