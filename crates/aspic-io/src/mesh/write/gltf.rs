//! GLB: a head, a chunk of JSON and a chunk of numbers, each filled up to whole words; f32 positions with y up, u32
//! vertex numbers.

use std::io::{self, Write};

use aspic::Vec3;
use aspic::mesh::TriangleSurface;
use serde_json::json;

use super::surface::bounds;
use super::too_large;

pub(super) fn glb(out: &mut dyn Write, surface: &TriangleSurface) -> io::Result<()> {
    let positions: Vec<Vec3> =
        surface.positions.iter().map(|x| Vec3::new(x.x, x.z, -x.y).map(|c| f64::from(c as f32))).collect();
    let (points, corners) = (12 * positions.len(), 12 * surface.triangles.len());
    let mut text = document(&positions, points, corners).to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + text.len() + 8 + points + corners;
    let word = |n: usize| u32::try_from(n).map(u32::to_le_bytes).map_err(|_| too_large("triangles"));
    out.write_all(b"glTF\x02\0\0\0")?;
    out.write_all(&word(length)?)?;
    out.write_all(&word(text.len())?)?;
    out.write_all(b"JSON")?;
    out.write_all(&text)?;
    out.write_all(&word(points + corners)?)?;
    out.write_all(b"BIN\0")?;
    positions.iter().flatten().try_for_each(|x| out.write_all(&(*x as f32).to_le_bytes()))?;
    surface.triangles.iter().flatten().try_for_each(|v| out.write_all(&v.to_le_bytes()))
}

fn document(positions: &[Vec3], points: usize, corners: usize) -> serde_json::Value {
    const ARRAY: u32 = 34962;
    const ELEMENTS: u32 = 34963;
    const F32: u32 = 5126;
    const U32: u32 = 5125;
    let (low, high) = bounds(positions);
    json!({
        "asset": { "version": "2.0", "generator": "aspic" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "buffers": [{ "byteLength": points + corners }],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": points, "target": ARRAY },
            { "buffer": 0, "byteOffset": points, "byteLength": corners, "target": ELEMENTS },
        ],
        "accessors": [
            {
                "bufferView": 0, "componentType": F32, "count": positions.len(), "type": "VEC3",
                "min": <[f64; 3]>::from(low), "max": <[f64; 3]>::from(high),
            },
            { "bufferView": 1, "componentType": U32, "count": corners / 4, "type": "SCALAR" },
        ],
    })
}
