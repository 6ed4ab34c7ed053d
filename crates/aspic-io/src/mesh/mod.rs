//! Tetrahedral meshes and surfaces of triangles from files, and into files.
//!
//! | extension | format | groups of vertices | written |
//! |---|---|---|---|
//! | `.mesh` | Medit, text | `ref 3` from the vertices, `triangle ref 3`, `tetrahedron ref 3` from the cells | yes |
//! | `.msh` | gmsh 2, 4.0 and 4.1, text or binary | physical groups by their name, or `physical surface 3` | 4.1, text |
//! | `.node`, `.ele` | TetGen, text, both files together | `ref 3` from markers, `tetrahedron ref 3` from attributes | yes |
//! | `.vtu` | VTK unstructured grid: text, base64, appended, compressed | none | yes |
//! | `.vtk` | VTK legacy, text or binary: unstructured grids and polygons | none | binary |
//! | `.obj` | Wavefront, text; surfaces only, as all below | none | yes |
//! | `.stl` | text or binary; vertices that coincide are merged | none | binary |
//! | `.ply` | text or binary | none | binary |
//! | `.off` | text, also `COFF` and `NOFF` | none | yes |
//! | `.gltf`, `.glb` | glTF 2: the default scene, y up; vertices that coincide are merged | none | `.glb` |
//! | `.usda`, `.usdc`, `.usdz`, `.usd` | USD: all meshes of one layer, in its unit and axes | none | `.usda` |
//! | `.meshes` | meshes and velocities, text; one of them as `FILE.meshes#NAME` | none | no |
//!
//! Only linear tetrahedra are taken. Vertices that belong to none are dropped and the others
//! renumbered in their order. A file whose tetrahedra are all inside out uses the other convention
//! and is turned; one with both kinds is an error. Coordinates are taken as meters with z up, unless the format
//! declares otherwise or an [`Import`] says so.
//!
//! [`read_surface`] gives the surface of the tetrahedra, or the triangles of a file without tetrahedra. Those are
//! taken as they face. Polygons become fans of triangles.

mod gltf;
mod gmsh;
mod import;
mod kind;
mod lz4;
mod medit;
mod obj;
mod objects;
mod off;
mod ply;
mod raw;
mod reader;
mod stl;
mod tetgen;
mod usd;
mod vtk;
mod vtu;
mod weld;
mod write;

use std::path::{Path, PathBuf};

use aspic::Vec3;
use aspic::mesh::{TetMesh, TriangleSurface};

use self::raw::{Raw, check_count};
use crate::error::read_bytes;
use crate::{Place, ReadError};

pub use import::{Import, Up};
pub use objects::{EXTENSION as OBJECTS, Object, read_objects};
pub use write::{SURFACE_EXTENSIONS, TET_EXTENSIONS, write, write_surface};

/// The extensions that are known.
pub const EXTENSIONS: &str = ".mesh (Medit), .msh (gmsh), .node or .ele (TetGen), .vtu or .vtk (VTK), \
     surfaces also in .obj (Wavefront), .stl, .ply, .off, .gltf, .glb, .usda, .usdc, .usdz or .meshes";

/// A mesh, and what the file held beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshFile {
    /// The mesh, checked.
    pub mesh: TetMesh,
    /// Cells that are no linear tetrahedra.
    pub other_cells: usize,
    /// Vertices that belong to no tetrahedron.
    pub unused_vertices: usize,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Tetrahedra, checked.
    Tets(MeshFile),
    /// Triangles as they stand: there may be anything wrong with them, also their vertex numbers.
    Triangles {
        /// Positions  \[m\]
        positions: Vec<Vec3>,
        /// Vertex numbers.
        triangles: Vec<[u32; 3]>,
    },
}

/// Reads whatever a file holds; the extension tells the format.
pub fn read_any(path: &Path, import: &Import) -> Result<Content, ReadError> {
    let raw = read_raw(path, import)?;
    if !raw.tets.is_empty() {
        return raw.finish().map(Content::Tets).map_err(|source| ReadError::mesh(path, source));
    }
    if raw.triangles.is_empty() {
        return Err(nothing_in(path, &raw));
    }
    let corner = |v: usize| u32::try_from(v).unwrap_or(u32::MAX);
    let triangles = raw.triangles.iter().map(|triangle| triangle.map(corner)).collect();
    Ok(Content::Triangles { positions: raw.positions, triangles })
}

/// Whether files of this name hold tetrahedra.
pub fn holds_tets(path: &Path) -> bool {
    matches!(extension(path).as_str(), "mesh" | "msh" | "node" | "ele" | "vtu" | "vtk")
}

/// Reads a mesh; the extension tells the format.
pub fn read(path: &Path) -> Result<TetMesh, ReadError> {
    Ok(read_file(path)?.mesh)
}

/// Reads a mesh and counts what was left out.
pub fn read_file(path: &Path) -> Result<MeshFile, ReadError> {
    read_file_as(path, &Import::default())
}

/// Reads a mesh in other units or axes and counts what was left out.
pub fn read_file_as(path: &Path, import: &Import) -> Result<MeshFile, ReadError> {
    read_raw(path, import)?.finish().map_err(|source| ReadError::mesh(path, source))
}

/// Reads a surface of triangles: that of the tetrahedra, where there are some.
pub fn read_surface(path: &Path) -> Result<TriangleSurface, ReadError> {
    read_surface_as(path, &Import::default())
}

/// Reads a surface in other units or axes.
pub fn read_surface_as(path: &Path, import: &Import) -> Result<TriangleSurface, ReadError> {
    surface_of(path, read_raw(path, import)?)
}

fn surface_of(path: &Path, raw: Raw) -> Result<TriangleSurface, ReadError> {
    if !raw.tets.is_empty() {
        let file = raw.finish().map_err(|source| ReadError::mesh(path, source))?;
        return Ok(TriangleSurface::of(&file.mesh));
    }
    if raw.triangles.is_empty() {
        return Err(nothing_in(path, &raw));
    }
    raw.surface().map_err(|source| ReadError::surface(path, source))
}

fn nothing_in(path: &Path, raw: &Raw) -> ReadError {
    let cause = format!("the file holds neither triangles nor tetrahedra ({} other cells)", raw.other_cells);
    ReadError::format(path, Place::File, cause, "save the surface again, as triangles")
}

/// Reads a surface from bytes, as a fuzzer has them; the name tells the format. Files beside it are not opened.
#[doc(hidden)]
pub fn parse(name: &Path, bytes: &[u8]) -> Result<TriangleSurface, ReadError> {
    let mut raw = parse_raw(name, bytes, None)?;
    Import::default().apply(name, &mut raw)?;
    surface_of(name, raw)
}

fn read_raw(path: &Path, import: &Import) -> Result<Raw, ReadError> {
    let (file, object) = split_object(path);
    if !is_known(&file) {
        return Err(ReadError::UnknownExtension { path: path.into(), known: EXTENSIONS });
    }
    let bytes = read_bytes(&file)?;
    let mut raw = match extension(&file).as_str() {
        OBJECTS => objects::parse(&file, &bytes, object.as_deref())?,
        _ => parse_raw(&file, &bytes, Some(folder_of(&file)))?,
    };
    import.apply(path, &mut raw)?;
    Ok(raw)
}

/// The content as it stands; the extension tells the format. Files beside it are looked for in the folder.
fn parse_raw(path: &Path, bytes: &[u8], folder: Option<&Path>) -> Result<Raw, ReadError> {
    let ending = extension(path);
    let is_text = ["obj", "off", "mesh", "node", "ele", "gltf", "usda", OBJECTS].contains(&ending.as_str());
    // Some editors begin a text with this mark.
    let bytes = if is_text { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes) } else { bytes };
    match ending.as_str() {
        "mesh" => medit::parse(path, bytes),
        "msh" => gmsh::parse(path, bytes),
        "node" | "ele" => tetgen::parse(path, bytes, folder.is_some()),
        "vtu" => vtu::parse(path, bytes),
        "vtk" => vtk::parse(path, bytes),
        "obj" => obj::parse(path, bytes),
        "stl" => stl::parse(path, bytes),
        "ply" => ply::parse(path, bytes),
        "off" => off::parse(path, bytes),
        "gltf" | "glb" => gltf::parse(path, bytes, folder),
        "usda" | "usdc" | "usdz" | "usd" => usd::parse(path, bytes),
        OBJECTS => objects::parse(path, bytes, None),
        _ => Err(ReadError::UnknownExtension { path: path.into(), known: EXTENSIONS }),
    }
}

/// Whether the name belongs to a format, so that others are not even opened.
fn is_known(path: &Path) -> bool {
    let known = [
        "mesh", "msh", "node", "ele", "vtu", "vtk", "obj", "stl", "ply", "off", "gltf", "glb", "usda",
        "usdc", "usdz", "usd", OBJECTS,
    ];
    known.contains(&extension(path).as_str())
}

/// The extension in small letters.
fn extension(path: &Path) -> String {
    path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase()
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// The file, and the object in it: `boxes.meshes#left` is the object `left` of `boxes.meshes`.
pub fn split_object(path: &Path) -> (PathBuf, Option<String>) {
    let text = path.to_string_lossy();
    match text.rsplit_once('#') {
        Some((file, object)) if Path::new(file).extension().is_some_and(|e| e == OBJECTS) => {
            (file.into(), Some(object.into()))
        }
        _ => (path.into(), None),
    }
}

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_formats;
#[cfg(test)]
mod tests_objects;
#[cfg(test)]
mod tests_surface;
