//! The triangles of a layer: polygons of all meshes, at their places.
//!
//! `faceVertexCounts` says how many corners each polygon has, `faceVertexIndices` which. Without an `upAxis` y is up,
//! and without `metersPerUnit` a unit is a centimeter: these are USD's own fallbacks. Meshes whose purpose is `proxy` or
//! `guide` are stand-ins for others and are left out, and so is what is inactive or abstract.

use aspic::Vec3;
use nalgebra::Matrix4;

use super::layer::{Layer, Prim};
use super::xform;
use crate::mesh::weld::{MOST, fan};
use crate::mesh::{Raw, Up};

/// What a prim hands down to its children.
#[derive(Clone, Copy)]
struct Handed {
    place: Matrix4<f64>,
    is_there: bool,
    is_stand_in: bool,
}

pub(super) fn collect(layer: &Layer) -> Result<Raw, String> {
    let up = if layer.up.as_deref() == Some("Z") { Up::Z } else { Up::Y };
    let unit = layer.meters_per_unit.unwrap_or(0.01);
    let mut raw = Raw { unit: Some(unit), up: Some(up), ..Raw::default() };
    let mut handed: Vec<Handed> = Vec::with_capacity(layer.prims.len());
    let origin = Handed { place: Matrix4::identity(), is_there: true, is_stand_in: false };
    for prim in &layer.prims {
        let above = prim.parent.and_then(|parent| handed.get(parent)).copied().unwrap_or(origin);
        let named = |cause: String| format!("prim `{}`: {cause}", prim.name);
        let own = hand_down(prim, &above).map_err(named)?;
        handed.push(own);
        match prim.kind == "Mesh" && own.is_there {
            true if own.is_stand_in => raw.other_cells += prim.numbers("faceVertexCounts").len(),
            true => add(&mut raw, prim, &own.place).map_err(named)?,
            false => {}
        }
    }
    Ok(raw)
}

fn hand_down(prim: &Prim, above: &Handed) -> Result<Handed, String> {
    if !above.is_there || !prim.is_there {
        return Ok(Handed { is_there: false, ..*above });
    }
    let (place, resets) = xform::of(prim)?;
    let is_stand_in = match prim.text("purpose") {
        Some("proxy" | "guide") => true,
        Some("render") => false,
        _ => above.is_stand_in,
    };
    Ok(Handed { place: if resets { place } else { above.place * place }, is_there: true, is_stand_in })
}

fn add(raw: &mut Raw, prim: &Prim, place: &Matrix4<f64>) -> Result<(), String> {
    let first = raw.positions.len();
    let (points, rest) = prim.numbers("points").as_chunks::<3>();
    let corners = prim.numbers("faceVertexIndices");
    if !rest.is_empty() {
        return Err("its points have not three coordinates each".into());
    }
    if first + points.len() > MOST || raw.triangles.len() + corners.len() > 3 * MOST {
        return Err("it has too many vertices".into());
    }
    raw.positions.extend(points.iter().map(|&x| place.transform_point(&Vec3::from(x).into()).coords));
    let mirrored = place.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
    let turned = mirrored != (prim.text("orientation") == Some("leftHanded"));
    let mut start = 0;
    let mut polygon = vec![];
    for &count in prim.numbers("faceVertexCounts") {
        let of_face = corners.get(start..).and_then(|rest| rest.get(..count as usize));
        let of_face = of_face.ok_or("it has fewer corners than its faces need")?;
        start += of_face.len();
        polygon.clear();
        for &corner in of_face {
            if !(corner >= 0.0 && corner < points.len() as f64) {
                return Err(format!("a face names vertex {corner}, but there are only {}", points.len()));
            }
            polygon.push(first + corner as usize);
        }
        if turned {
            polygon.reverse();
        }
        raw.triangles.extend(fan(&polygon));
    }
    if start < corners.len() {
        return Err(format!("its faces need {start} corners, but there are {}", corners.len()));
    }
    Ok(())
}
