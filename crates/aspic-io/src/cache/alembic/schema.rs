//! What programs look for in an object: the schemas `PolyMesh`, `Curves` and `Xform`.
//!
//! - `Xform`: one matrix, row after row, that multiplies row vectors from the right. It turns z up to y up, or nothing.
//! - `PolyMesh`: points `P`, normals `N` of the points, corners of faces, clockwise seen from outside, colour `Cd` (sRGB,
//!   as Blender writes and reads it; Alembic does not say).
//! - `Curves`: points `P` along each strand, numbers of points, `width` of each: twice the radius.
//!
//! `.selfBnds` is the box around the points: the lower corner, the upper corner.

use std::io;

use aspic::Vec3;

use super::object::Object;
use super::ogawa::Ogawa;
use super::property::Pod::{Bool, F32, F64, I32, U8};
use super::property::Times::{Frames, Once};
use super::property::{Property, Samples};
use crate::cache::{Actor, Normals, Up, bytes};
use crate::strands::strands;

const MESH: &str = "schema=AbcGeom_PolyMesh_v1;schemaBaseType=AbcGeom_GeomBase_v1";
const MESH_OBJECT: &str = "schema=AbcGeom_PolyMesh_v1;schemaBaseType=AbcGeom_GeomBase_v1;\
                           schemaObjTitle=AbcGeom_PolyMesh_v1:.geom";
const CURVES: &str = "schema=AbcGeom_Curve_v2;schemaBaseType=AbcGeom_GeomBase_v1";
const CURVES_OBJECT: &str = "schema=AbcGeom_Curve_v2;schemaBaseType=AbcGeom_GeomBase_v1;\
                             schemaObjTitle=AbcGeom_Curve_v2:.geom";
const XFORM: &str = "schema=AbcGeom_Xform_v3";
const XFORM_OBJECT: &str = "schema=AbcGeom_Xform_v3;schemaObjTitle=AbcGeom_Xform_v3:.xform";
const POINTS: &str = "geoScope=vtx;interpretation=point";
const BOX: &str = "interpretation=box";
const NORMALS: &str = "arrayExtent=1;geoScope=vtx;interpretation=normal;isGeomParam=true;\
                       podExtent=3;podName=float32_t";
const COLORS: &str = "arrayExtent=1;geoScope=vtx;interpretation=rgb;isGeomParam=true;\
                      podExtent=3;podName=float32_t";
const WIDTHS: &str = "arrayExtent=1;geoScope=vtx;isGeomParam=true;podExtent=1;podName=float32_t";

/// What is measured anew in each frame, in memory that is used again.
#[derive(Default)]
pub(super) struct Scratch {
    normals: Normals,
    positions: Vec<Vec3>,
    bytes: Vec<u8>,
}

/// An `Xform` around what it places.
pub(super) fn xform(file: &mut Ogawa, name: &str, up: Up, children: Vec<Object>) -> io::Result<Object> {
    let rows: [[u8; 4]; 4] = match up {
        Up::Y => [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
        // y becomes -z (2 stands for -1), z becomes y.
        Up::Z => [[1, 0, 0, 0], [0, 0, 2, 0], [0, 1, 0, 0], [0, 0, 0, 1]],
    };
    let numbers = rows.as_flattened().iter().map(|&entry| [0.0, 1.0, -1.0][usize::from(entry)]);
    let matrix: Vec<u8> = numbers.flat_map(f64::to_le_bytes).collect();
    let mut of = vec![
        Property::scalar(".inherits", "", (Bool, 1), Once, Samples::once(file, &[1])?),
        Property::scalar(".ops", "", (U8, 1), Once, Samples::once(file, &[3 << 4])?),
        Property::scalar(".vals", "", (F64, 16), Once, Samples::once(file, &matrix)?),
    ];
    if up == Up::Z {
        let flag = Samples::once(file, &[1])?;
        of.push(Property::scalar("isNotConstantIdentity", "", (Bool, 1), Once, flag));
    }
    let properties = vec![Property::compound(".xform", XFORM, of)];
    Ok(Object { name: name.into(), meta: XFORM_OBJECT, properties, children })
}

/// The triangles of an actor.
pub(super) struct Mesh {
    points: usize,
    faces: usize,
    bounds: Samples,
    positions: Samples,
    normals: Samples,
    indices: Samples,
    counts: Samples,
    colors: Samples,
}

impl Mesh {
    /// Writes what does not change.
    pub(super) fn begin(file: &mut Ogawa, actor: &Actor) -> io::Result<Mesh> {
        let clockwise = actor.triangles.iter().flat_map(|&[a, b, c]| [c, b, a]);
        let color = actor.color.map(|channel| (f32::from(channel) / 255.0).to_le_bytes());
        Ok(Mesh {
            points: actor.points,
            faces: actor.triangles.len(),
            bounds: Samples::default(),
            positions: Samples::default(),
            normals: Samples::default(),
            indices: Samples::once(file, &bytes::of_indices(clockwise))?,
            counts: Samples::once(file, &bytes::of_indices(actor.triangles.iter().map(|_| 3)))?,
            colors: Samples::once(file, &color.as_flattened().repeat(actor.points))?,
        })
    }

    /// Writes a frame.
    pub(super) fn push(
        &mut self,
        file: &mut Ogawa,
        actor: &Actor,
        positions: &[Vec3],
        scratch: &mut Scratch,
    ) -> io::Result<()> {
        self.bounds.push(file, &bounds(positions, 0.0))?;
        bytes::fill_little(&mut scratch.bytes, positions);
        self.positions.push(file, &scratch.bytes)?;
        bytes::fill_little(&mut scratch.bytes, scratch.normals.of(positions, &actor.triangles));
        self.normals.push(file, &scratch.bytes)
    }

    pub(super) fn finish(self, name: String) -> Object {
        let colors = Property::array("Cd", COLORS, (F32, 3), self.points, Once, self.colors);
        let of = vec![
            Property::scalar(".selfBnds", BOX, (F64, 6), Frames, self.bounds),
            Property::array("P", POINTS, (F32, 3), self.points, Frames, self.positions),
            Property::array(".faceIndices", "", (I32, 1), 3 * self.faces, Frames, self.indices),
            Property::array(".faceCounts", "", (I32, 1), self.faces, Frames, self.counts),
            Property::array("N", NORMALS, (F32, 3), self.points, Frames, self.normals),
            Property::compound(".arbGeomParams", "", vec![colors]),
        ];
        let properties = vec![Property::compound(".geom", MESH, of)];
        Object { name, meta: MESH_OBJECT, properties, children: vec![] }
    }
}

/// The lines of an actor.
pub(super) struct Curves {
    order: Vec<u32>,
    strands: usize,
    radius: f64,
    bounds: Samples,
    positions: Samples,
    counts: Samples,
    widths: Samples,
    basis: Samples,
}

impl Curves {
    /// Writes what does not change.
    pub(super) fn begin(file: &mut Ogawa, actor: &Actor) -> io::Result<Curves> {
        let strands = strands(&actor.edges);
        let counts = bytes::of_indices(strands.iter().map(|strand| strand.len() as u32));
        let order = strands.concat();
        // One for each point: Blender passes over a single one for all.
        let widths = (2.0 * actor.radius as f32).to_le_bytes().repeat(order.len());
        Ok(Curves {
            strands: strands.len(),
            order,
            radius: actor.radius,
            bounds: Samples::default(),
            positions: Samples::default(),
            counts: Samples::once(file, &counts)?,
            widths: Samples::once(file, &widths)?,
            // Straight lines, not closed, no basis.
            basis: Samples::once(file, &[1, 0, 0, 0])?,
        })
    }

    /// Writes a frame.
    pub(super) fn push(
        &mut self,
        file: &mut Ogawa,
        positions: &[Vec3],
        scratch: &mut Scratch,
    ) -> io::Result<()> {
        scratch.positions.clear();
        scratch.positions.extend(self.order.iter().map(|&point| positions[point as usize]));
        self.bounds.push(file, &bounds(&scratch.positions, self.radius))?;
        bytes::fill_little(&mut scratch.bytes, &scratch.positions);
        self.positions.push(file, &scratch.bytes)
    }

    pub(super) fn finish(self, name: String) -> Object {
        let of = vec![
            Property::scalar(".selfBnds", BOX, (F64, 6), Frames, self.bounds),
            Property::array("P", POINTS, (F32, 3), self.order.len(), Frames, self.positions),
            Property::array("nVertices", "", (I32, 1), self.strands, Frames, self.counts),
            Property::scalar("curveBasisAndType", "", (U8, 4), Frames, self.basis),
            Property::array("width", WIDTHS, (F32, 1), self.order.len(), Frames, self.widths),
        ];
        let properties = vec![Property::compound(".geom", CURVES, of)];
        Object { name, meta: CURVES_OBJECT, properties, children: vec![] }
    }
}

/// The box around points that reach this far; the empty box is turned inside out.
fn bounds(points: &[Vec3], reach: f64) -> Vec<u8> {
    let (mut low, mut high) = ([f64::MAX; 3], [-f64::MAX; 3]);
    for point in points {
        for axis in 0..3 {
            low[axis] = low[axis].min(point[axis] - reach);
            high[axis] = high[axis].max(point[axis] + reach);
        }
    }
    low.into_iter().chain(high).flat_map(f64::to_le_bytes).collect()
}
