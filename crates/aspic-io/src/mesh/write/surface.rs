//! Surfaces as OBJ, STL, PLY, OFF and USD text.

use std::io::{self, Write};

use aspic::Vec3;
use aspic::mesh::TriangleSurface;

use super::too_large;

pub(super) fn obj(out: &mut dyn Write, surface: &TriangleSurface) -> io::Result<()> {
    surface.positions.iter().try_for_each(|x| writeln!(out, "v {:?} {:?} {:?}", x.x, x.y, x.z))?;
    surface.triangles.iter().try_for_each(|t| {
        let [a, b, c] = t.map(|v| u64::from(v) + 1);
        writeln!(out, "f {a} {b} {c}")
    })
}

pub(super) fn off(out: &mut dyn Write, surface: &TriangleSurface) -> io::Result<()> {
    writeln!(out, "OFF\n{} {} 0", surface.positions.len(), surface.triangles.len())?;
    surface.positions.iter().try_for_each(|x| writeln!(out, "{:?} {:?} {:?}", x.x, x.y, x.z))?;
    surface.triangles.iter().try_for_each(|[a, b, c]| writeln!(out, "3 {a} {b} {c}"))
}

/// Binary: a title of 80 bytes, a count, then normal, corners and two bytes for each triangle.
pub(super) fn stl(out: &mut dyn Write, surface: &TriangleSurface) -> io::Result<()> {
    let count = u32::try_from(surface.triangles.len()).map_err(|_| too_large("triangles"))?;
    out.write_all(&[b' '; 80])?;
    out.write_all(&count.to_le_bytes())?;
    for triangle in &surface.triangles {
        let corners = triangle.map(|v| surface.positions.get(v as usize).copied().unwrap_or_default());
        let [a, b, c] = corners;
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
        for x in [normal, a, b, c].iter().flatten() {
            out.write_all(&(*x as f32).to_le_bytes())?;
        }
        out.write_all(&[0; 2])?;
    }
    Ok(())
}

pub(super) fn ply(out: &mut dyn Write, surface: &TriangleSurface) -> io::Result<()> {
    writeln!(out, "ply\nformat binary_little_endian 1.0\nelement vertex {}", surface.positions.len())?;
    writeln!(out, "property double x\nproperty double y\nproperty double z")?;
    writeln!(out, "element face {}", surface.triangles.len())?;
    writeln!(out, "property list uchar int vertex_indices\nend_header")?;
    surface.positions.iter().flatten().try_for_each(|x| out.write_all(&x.to_le_bytes()))?;
    for triangle in &surface.triangles {
        out.write_all(&[3])?;
        for &vertex in triangle {
            let vertex = i32::try_from(vertex).map_err(|_| too_large("vertices"))?;
            out.write_all(&vertex.to_le_bytes())?;
        }
    }
    Ok(())
}

pub(super) fn usda(out: &mut dyn Write, surface: &TriangleSurface) -> io::Result<()> {
    writeln!(
        out,
        "#usda 1.0\n(\n    defaultPrim = \"surface\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n)\n"
    )?;
    writeln!(out, "def Mesh \"surface\"\n{{\n    uniform token subdivisionScheme = \"none\"")?;
    let (low, high) = bounds(&surface.positions);
    writeln!(out, "    float3[] extent = [{}, {}]", tuple(&low), tuple(&high))?;
    list(out, "int[] faceVertexCounts", surface.triangles.iter().map(|_| "3"))?;
    let corners = surface.triangles.iter().map(|[a, b, c]| format!("{a}, {b}, {c}"));
    list(out, "int[] faceVertexIndices", corners)?;
    list(out, "point3f[] points", surface.positions.iter().map(tuple))?;
    writeln!(out, "}}")
}

fn tuple(x: &Vec3) -> String {
    format!("({:?}, {:?}, {:?})", x.x, x.y, x.z)
}

fn list(out: &mut dyn Write, name: &str, items: impl Iterator<Item = impl AsRef<str>>) -> io::Result<()> {
    write!(out, "    {name} = [")?;
    for (place, item) in items.enumerate() {
        let separator = if place == 0 { "" } else { ", " };
        write!(out, "{separator}{}", item.as_ref())?;
    }
    writeln!(out, "]")
}

/// Lowest and highest corner of the box around all positions.
pub(super) fn bounds(positions: &[Vec3]) -> (Vec3, Vec3) {
    let start = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    positions.iter().fold(start, |(low, high), x| (low.inf(x), high.sup(x)))
}
