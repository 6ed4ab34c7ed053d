//! glTF 2: JSON (`.gltf`), or JSON and a buffer in one file (`.glb`), in meters with y up.
//!
//! A GLB file is little endian: `glTF`, version 2, length; then chunks of length, type (`JSON` or `BIN\0`) and bytes.
//!
//! All triangles of the default scene are taken where its nodes put them, at rest: skins and morph targets do nothing.
//! Vertices are split where normals or textures have seams, so those that coincide are merged.

mod accessor;
mod buffers;
mod json;

use std::path::Path;

use aspic::Vec3;
use nalgebra::{Matrix4, Quaternion, UnitQuaternion};

use self::accessor::Data;
use self::json::{Document, Node, Primitive};
use super::kind::Kind;
use super::reader::{CUT_OFF, DAMAGED, Reader, line_of};
use super::weld::{Welder, fan, strip};
use super::{Raw, Up};
use crate::{Place, ReadError};

/// Extensions that change nothing about triangles, beside all materials, lights and textures.
const QUANTIZED: &str = "KHR_mesh_quantization";

pub(super) fn parse(path: &Path, bytes: &[u8], folder: Option<&Path>) -> Result<Raw, ReadError> {
    let (json, embedded) = if bytes.starts_with(b"glTF") { chunks(path, bytes)? } else { (bytes, None) };
    let document: Document = serde_json::from_slice(json).map_err(|error| {
        let start = json.as_ptr() as usize - bytes.as_ptr() as usize;
        let place = match embedded.is_some() || start > 0 {
            true => Place::Byte(start),
            false => Place::Line(error.line().max(line_of(bytes, 0))),
        };
        ReadError::format(path, place, format!("the JSON is damaged ({error})"), DAMAGED)
    })?;
    let fail = |cause: String| ReadError::format(path, Place::File, cause, "export it again as glTF 2");
    check_extensions(&document).map_err(fail)?;
    let mut buffers = vec![];
    for (number, buffer) in document.buffers.iter().enumerate() {
        let own = embedded.filter(|_| number == 0);
        buffers.push(
            buffers::load(buffer, own, folder).map_err(|cause| fail(format!("buffer {number}: {cause}")))?,
        );
    }
    let data = Data { document: &document, buffers };
    let mut raw = scene(&data).map_err(fail)?;
    (raw.unit, raw.up) = (Some(1.0), Some(Up::Y));
    Ok(raw)
}

/// The JSON and the buffer of a GLB file.
fn chunks<'a>(path: &'a Path, bytes: &'a [u8]) -> Result<(&'a [u8], Option<&'a [u8]>), ReadError> {
    let mut reader = Reader { binary: true, ..Reader::new(path, bytes) };
    reader.take(4, "the head")?;
    let version = reader.whole(Kind::U32, "the version")?;
    if version != 2 {
        return Err(reader.error(format!("this is glTF {version}"), "export it again as glTF 2"));
    }
    let length = reader.whole(Kind::U32, "the length")?;
    if length as usize > bytes.len() {
        let cause = format!("{length} bytes are announced, but the file has {}", bytes.len());
        return Err(reader.error(cause, CUT_OFF));
    }
    let (mut json, mut embedded) = (None, None);
    while reader.left() >= 8 {
        let length = reader.whole(Kind::U32, "the length of a chunk")? as usize;
        let kind = reader.take(4, "the type of a chunk")?;
        let content = reader.take(length, "a chunk")?;
        match kind {
            b"JSON" => json = json.or(Some(content)),
            b"BIN\0" => embedded = embedded.or(Some(content)),
            _ => {}
        }
    }
    let missing = reader.error("the file has no JSON", DAMAGED);
    Ok((json.ok_or(missing)?, embedded))
}

fn check_extensions(document: &Document) -> Result<(), String> {
    let harmless = |name: &&String| {
        let looks = ["KHR_materials", "KHR_texture", "KHR_lights", "EXT_texture", "MSFT_texture"];
        *name == QUANTIZED || looks.iter().any(|start| name.starts_with(start))
    };
    match document.extensions_required.iter().find(|name| !harmless(name)) {
        Some(name) => Err(format!("it needs the extension {name}, which is not read")),
        None => Ok(()),
    }
}

/// Walks through the nodes, each at most once.
fn scene(data: &Data) -> Result<Raw, String> {
    let document = data.document;
    let mut welder = Welder::default();
    let mut seen = vec![false; document.nodes.len()];
    let mut waiting: Vec<(usize, Matrix4<f64>)> =
        roots(document)?.into_iter().rev().map(|node| (node, Matrix4::identity())).collect();
    while let Some((number, above)) = waiting.pop() {
        let node = document.nodes.get(number).ok_or(format!("there is no node {number}"))?;
        if std::mem::replace(&mut seen[number], true) {
            return Err(format!("node {number} stands at two places"));
        }
        let place = above * transform(node);
        if let Some(mesh) = node.mesh {
            let found = document.meshes.get(mesh).ok_or(format!("there is no mesh {mesh}"))?;
            for primitive in &found.primitives {
                add(data, primitive, &place, &mut welder).map_err(|cause| format!("mesh {mesh}: {cause}"))?;
            }
        }
        waiting.extend(node.children.iter().rev().map(|&child| (child, place)));
    }
    Ok(welder.finish())
}

/// The nodes of the default scene; without scenes, those that are nobody's children.
fn roots(document: &Document) -> Result<Vec<usize>, String> {
    if !document.scenes.is_empty() || document.scene.is_some() {
        let scene = document.scene.unwrap_or(0);
        let found = document.scenes.get(scene).ok_or(format!("there is no scene {scene}"))?;
        return Ok(found.nodes.clone());
    }
    let mut is_root = vec![true; document.nodes.len()];
    for &child in document.nodes.iter().flat_map(|node| &node.children) {
        *is_root.get_mut(child).ok_or(format!("there is no node {child}"))? = false;
    }
    Ok((0..is_root.len()).filter(|&node| is_root[node]).collect())
}

/// A matrix, or scale, rotation and translation in that order.
fn transform(node: &Node) -> Matrix4<f64> {
    if let Some(matrix) = &node.matrix {
        return Matrix4::from_column_slice(matrix);
    }
    let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let rotation = match Quaternion::new(w, x, y, z) {
        none if none.norm() == 0.0 => UnitQuaternion::identity(),
        any => UnitQuaternion::from_quaternion(any),
    };
    let scale = Vec3::from(node.scale.unwrap_or([1.0; 3]));
    let shift = Vec3::from(node.translation.unwrap_or([0.0; 3]));
    Matrix4::new_translation(&shift) * rotation.to_homogeneous() * Matrix4::new_nonuniform_scaling(&scale)
}

/// Adds the triangles of a primitive: 4 a list, 5 a strip, 6 a fan; others are points and lines.
fn add(data: &Data, primitive: &Primitive, place: &Matrix4<f64>, welder: &mut Welder) -> Result<(), String> {
    let mode = primitive.mode.unwrap_or(4);
    let (Some(position), 4..=6) = (primitive.attributes.position, mode) else {
        welder.others(1);
        return Ok(());
    };
    let positions = data.positions(position)?;
    let corners = match primitive.indices {
        Some(indices) => data.indices(indices)?,
        None => (0..positions.len()).collect(),
    };
    if let Some(wrong) = corners.iter().find(|&&v| v >= positions.len()) {
        return Err(format!("it names vertex {wrong}, but there are only {}", positions.len()));
    }
    if !welder.has_room(corners.len().max(positions.len())) {
        return Err("the scene repeats it too often".into());
    }
    let numbers: Vec<usize> =
        positions.iter().map(|x| welder.vertex(place.transform_point(&(*x).into()).coords)).collect();
    // A mirror turns triangles inside out.
    let mirrored = place.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
    let mut add = |[a, b, c]: [usize; 3]| {
        let turned = if mirrored { [a, c, b] } else { [a, b, c] };
        welder.triangle(turned.map(|v| numbers[v]));
    };
    match mode {
        4 => corners.as_chunks::<3>().0.iter().for_each(|&corners| add(corners)),
        5 => strip(&corners).for_each(add),
        _ => fan(&corners).for_each(add),
    }
    Ok(())
}
