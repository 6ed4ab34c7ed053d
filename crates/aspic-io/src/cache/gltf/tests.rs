//! Reads files back: chunks, arrays, and the poses that weights give.

use std::fs;

use serde_json::Value;

use super::super::tests_all::{cast, positions, push};
use super::*;
use crate::cache::{Actor, Up};

struct Read {
    document: Value,
    binary: Vec<u8>,
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn read(bytes: &[u8]) -> Read {
    assert_eq!(&bytes[..4], b"glTF");
    assert_eq!((number(bytes, 4), number(bytes, 8)), (2, bytes.len()));
    let json = number(bytes, 12);
    assert_eq!((&bytes[16..20], json % 4), (b"JSON".as_slice(), 0));
    let document: Value = serde_json::from_slice(&bytes[20..20 + json]).unwrap();
    let behind = &bytes[20 + json..];
    assert_eq!((&behind[4..8], number(behind, 0)), (b"BIN\0".as_slice(), behind.len() - 8));
    assert_eq!(document["buffers"][0]["byteLength"], behind.len() - 8);
    Read { document, binary: behind[8..].to_vec() }
}

fn written(cast: &Cast, places: &[usize]) -> Read {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("motion.glb");
    let mut cache = begin(&path, cast).unwrap();
    let poses = places.iter().enumerate();
    poses.for_each(|(place, &shown)| push(&mut *cache, place, &positions(shown)).unwrap());
    assert_eq!(cache.finish().unwrap(), [path.as_path()]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    read(&fs::read(path).unwrap())
}

impl Read {
    fn floats(&self, accessor: &Value) -> Vec<f32> {
        let accessor = &self.document["accessors"][accessor.as_u64().unwrap() as usize];
        assert_eq!(accessor["componentType"], 5126);
        let view = &self.document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let [start, size] = ["byteOffset", "byteLength"].map(|key| view[key].as_u64().unwrap() as usize);
        let (numbers, rest) = self.binary[start..start + size].as_chunks::<4>();
        let columns = if accessor["type"] == "VEC3" { 3 } else { 1 };
        assert_eq!(numbers.len(), columns * accessor["count"].as_u64().unwrap() as usize);
        assert!(rest.is_empty());
        numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }

    /// What the mesh shows at a key of the animation.
    fn shown(&self, mesh: usize, channel: usize, key: usize, attribute: &str) -> Vec<f32> {
        let primitive = &self.document["meshes"][mesh]["primitives"][0];
        let mut shown = self.floats(&primitive["attributes"][attribute]);
        let targets = primitive["targets"].as_array().unwrap();
        let weights = self.floats(&self.document["animations"][0]["samplers"][channel]["output"]);
        for (target, weight) in targets.iter().zip(&weights[key * targets.len()..]) {
            let added = self.floats(&target[attribute]);
            shown.iter_mut().zip(added).for_each(|(x, added)| *x += weight * added);
        }
        shown
    }
}

#[test]
fn weights_and_targets_give_every_pose() {
    let places = [0, 0, 1, 3, 3, 0, 2];
    let file = written(&cast(7), &places);
    let times = file.floats(&file.document["animations"][0]["samplers"][0]["input"]);
    assert_eq!(times, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(|frame: f64| (frame / 24.0) as f32));
    for (key, &place) in places.iter().enumerate() {
        let single = |of: &[aspic::Vec3]| -> Vec<f32> {
            of.iter().flat_map(|p| [p.x as f32, p.y as f32, p.z as f32]).collect()
        };
        assert_eq!(file.shown(0, 0, key, "POSITION"), single(&positions(place)[..4]));
        assert_eq!(file.shown(1, 1, key, "POSITION"), single(&positions(place)[4..7]));
        let mut normals = crate::cache::Normals::default();
        let wanted = single(normals.of(&positions(place)[..4], &cast(1).actors[0].triangles));
        let got = file.shown(0, 0, key, "NORMAL");
        assert!(got.iter().zip(wanted).all(|(got, wanted)| (got - wanted).abs() < 1e-6));
    }
    // Three poses differ from the first, and repeated ones have no target of their own.
    assert_eq!(file.document["meshes"][0]["primitives"][0]["targets"].as_array().unwrap().len(), 3);
}

#[test]
fn what_stands_still_has_no_targets_and_a_single_frame_no_animation() {
    let file = written(&cast(3), &[0, 1, 2]);
    assert!(file.document["meshes"][2]["primitives"][0].get("targets").is_none());
    assert_eq!(file.document["animations"][0]["channels"].as_array().unwrap().len(), 2);
    assert!(written(&cast(1), &[0]).document.get("animations").is_none());
}

#[test]
fn nodes_carry_names_up_axis_and_unit() {
    let file = written(&Cast { meters_per_unit: 0.01, ..cast(1) }, &[0]);
    let nodes = file.document["nodes"].as_array().unwrap();
    let names: Vec<&str> = nodes.iter().map(|node| node["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["trial", "te/tra", "rope", "still"]);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert_eq!(nodes[0]["rotation"], serde_json::json!([-half, 0.0, 0.0, half]));
    assert_eq!(nodes[0]["scale"], serde_json::json!([0.01, 0.01, 0.01]));
    let plain = written(&Cast { up: Up::Y, ..cast(1) }, &[0]);
    let root = &plain.document["nodes"][0];
    assert!(root.get("rotation").is_none() && root.get("scale").is_none());
    assert_eq!(plain.document["asset"]["generator"], "aspic");
}

#[test]
fn colours_are_linear_and_open_surfaces_have_two_sides() {
    let materials = written(&cast(1), &[0]).document["materials"].clone();
    let color: Vec<f64> = (0..4)
        .map(|channel| materials[0]["pbrMetallicRoughness"]["baseColorFactor"][channel].as_f64().unwrap())
        .collect();
    assert!((color[0], color[2], color[3]) == (1.0, 0.0, 1.0) && (color[1] - 0.215861).abs() < 1e-6);
    assert!(materials[0].get("doubleSided").is_none());
    assert_eq!(materials[2]["doubleSided"], true);
}

#[test]
fn an_actor_with_triangles_and_lines_shares_its_points() {
    let mut both = cast(2);
    both.actors[0].edges.push([0, 3]);
    let file = written(&both, &[0, 1]);
    let primitives = &file.document["meshes"][0]["primitives"];
    assert_eq!((&primitives[0]["mode"], &primitives[1]["mode"]), (&4.into(), &1.into()));
    assert_eq!(primitives[0]["attributes"]["POSITION"], primitives[1]["attributes"]["POSITION"]);
    assert!(primitives[1]["attributes"].get("NORMAL").is_none());
    assert_eq!(primitives[0]["targets"][0]["POSITION"], primitives[1]["targets"][0]["POSITION"]);
}

#[test]
fn a_gltf_has_its_arrays_in_a_bin_with_the_same_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in two ü.gltf");
    let mut cache = begin(&path, &cast(2)).unwrap();
    [0, 1].iter().for_each(|&place| push(&mut *cache, place, &positions(place)).unwrap());
    let binary = folder.path().join("in two ü.bin");
    assert_eq!(cache.finish().unwrap(), [path.clone(), binary.clone()]);
    let document: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!(document["buffers"][0]["uri"], "in%20two%20%C3%BC.bin");
    assert_eq!(fs::read(binary).unwrap(), written(&cast(2), &[0, 1]).binary);
}

#[test]
fn a_glb_ends_at_4_gib_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let begin = |name: &str| Gltf::begin(&folder.path().join(name), &cast(2)).unwrap();
    begin("motion.glb").refuse_more_than((1 << 32) - 1).unwrap();
    let text = begin("motion.glb").refuse_more_than(1 << 32).unwrap_err().to_string();
    assert!(text.contains("motion.glb") && text.contains("4 GiB: export every n-th frame"), "{text}");
    begin("motion.gltf").refuse_more_than(1 << 40).unwrap();
}

#[test]
fn an_actor_without_points_is_a_bare_node() {
    let empty = Cast { actors: vec![Actor { name: "none".into(), ..Actor::default() }], ..cast(1) };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("motion.glb");
    let mut cache = begin(&path, &empty).unwrap();
    push(&mut *cache, 0, &[]).unwrap();
    cache.finish().unwrap();
    let bytes = fs::read(path).unwrap();
    let document: Value = serde_json::from_slice(&bytes[20..]).unwrap();
    assert_eq!(document["nodes"][1], serde_json::json!({ "name": "none" }));
    assert!(["meshes", "buffers", "accessors", "materials"].iter().all(|key| document.get(key).is_none()));
}
