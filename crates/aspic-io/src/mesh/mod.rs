//! Tetrahedral meshes and surfaces of triangles from files.
//!
//! | extension | format | groups of vertices |
//! |---|---|---|
//! | `.mesh` | Medit, text | `ref 3` from the vertices, `triangle ref 3`, `tetrahedron ref 3` from the cells |
//! | `.msh` | gmsh 4.1, text or binary | physical groups by their name, or `physical surface 3` |
//! | `.vtu` | VTK unstructured grid, text or base64 | none |
//! | `.obj` | Wavefront, text; surfaces only | none |
//! | `.meshes` | meshes and velocities, text; surfaces only, one of them as `FILE.meshes#NAME` | none |
//!
//! Only linear tetrahedra are taken. Vertices that belong to none are dropped and the others
//! renumbered in their order. A file whose tetrahedra are all inside out uses the other convention
//! and is turned; one with both kinds is an error. Coordinates are taken as meters.
//!
//! [`read_surface`] gives the surface of the tetrahedra, or the triangles of a file without tetrahedra. Those are
//! taken as they face.

mod gmsh;
mod guard;
mod medit;
mod obj;
mod objects;
mod vtu;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aspic::Vec3;
use aspic::mesh::{MeshError, SurfaceError, TetMesh, TriangleSurface};

use crate::error::read_bytes;
use crate::{Place, ReadError};

pub use objects::{EXTENSION as OBJECTS, Object, read_objects};

/// The extensions that are known.
pub const EXTENSIONS: &str =
    ".mesh (Medit), .msh (gmsh 4.1) or .vtu (VTK), surfaces also in .obj (Wavefront) or .meshes";

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

/// A mesh as it stands in a file: vertices by their number from 0.
#[derive(Debug, Default)]
struct Raw {
    positions: Vec<Vec3>,
    tets: Vec<[usize; 4]>,
    triangles: Vec<[usize; 3]>,
    groups: BTreeMap<String, Vec<usize>>,
    other_cells: usize,
}

/// Reads a mesh; the extension tells the format.
pub fn read(path: &Path) -> Result<TetMesh, ReadError> {
    Ok(read_file(path)?.mesh)
}

/// Reads a mesh and counts what was left out.
pub fn read_file(path: &Path) -> Result<MeshFile, ReadError> {
    read_raw(path)?.finish().map_err(|source| ReadError::mesh(path, source))
}

/// Reads a surface of triangles: that of the tetrahedra, where there are some.
pub fn read_surface(path: &Path) -> Result<TriangleSurface, ReadError> {
    let raw = read_raw(path)?;
    if !raw.tets.is_empty() {
        let file = raw.finish().map_err(|source| ReadError::mesh(path, source))?;
        return Ok(TriangleSurface::of(&file.mesh));
    }
    if raw.triangles.is_empty() {
        let cause =
            format!("the file holds neither triangles nor tetrahedra ({} other cells)", raw.other_cells);
        return Err(ReadError::format(path, Place::File, cause, "save the surface again, as triangles"));
    }
    raw.surface().map_err(|source| ReadError::surface(path, source))
}

/// The content as it stands; the extension tells the format.
fn read_raw(path: &Path) -> Result<Raw, ReadError> {
    let (file, object) = split_object(path);
    let extension = file.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    let parse = match extension.as_str() {
        "mesh" => medit::parse,
        "msh" => gmsh::parse,
        "vtu" => vtu::parse,
        "obj" => obj::parse,
        OBJECTS => return objects::parse(&file, object.as_deref()),
        _ => return Err(ReadError::UnknownExtension { path: path.into(), known: EXTENSIONS }),
    };
    parse(path, &read_bytes(path)?)
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

impl Raw {
    /// Checks in the numbers of the file, then drops unused vertices, turns and checks the rest.
    fn finish(self) -> Result<MeshFile, MeshError> {
        self.check_indices()?;
        let (number, used) = renumbering(self.positions.len(), self.tets.as_flattened());
        if let Some(vertex) = used.iter().copied().find(|&v| !self.positions[v].iter().all(|c| c.is_finite()))
        {
            return Err(MeshError::NotFinite { vertex, position: self.positions[vertex].into() });
        }
        let mut mesh = TetMesh {
            positions: used.iter().map(|&v| self.positions[v]).collect(),
            tets: self.tets.iter().map(|tet| tet.map(|v| number[v])).collect(),
            groups: renumbered_groups(self.groups, &number),
        };
        if (0..mesh.tets.len()).all(|tet| mesh.volume_of(tet) <= 0.0) {
            mesh.orient();
        }
        mesh.check()?;
        let unused_vertices = self.positions.len() - used.len();
        Ok(MeshFile { mesh, other_cells: self.other_cells, unused_vertices })
    }

    fn check_indices(&self) -> Result<(), MeshError> {
        let vertices = self.positions.len();
        if self.tets.is_empty() {
            return Err(MeshError::NoTetrahedra { vertices });
        }
        check_count(self.tets.len() as u64)?;
        for (tet, corners) in self.tets.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v >= vertices) {
                return Err(MeshError::BadIndex { tet, vertex, vertices });
            }
        }
        Ok(())
    }

    /// The triangles alone, checked in the numbers of the file, without the vertices that none uses.
    fn surface(self) -> Result<TriangleSurface, SurfaceError> {
        let vertices = self.positions.len();
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v >= vertices) {
                return Err(SurfaceError::BadIndex { triangle, vertex, vertices });
            }
        }
        let (number, used) = renumbering(vertices, self.triangles.as_flattened());
        if let Some(&vertex) = used.iter().find(|&&v| !self.positions[v].iter().all(|c| c.is_finite())) {
            return Err(SurfaceError::NotFinite { vertex, position: self.positions[vertex].into() });
        }
        let positions = used.iter().map(|&v| self.positions[v]).collect();
        TriangleSurface::new(positions, self.triangles.iter().map(|t| t.map(|v| number[v])).collect())
    }
}

/// New number of each vertex (`u32::MAX` for an unused one), and old number of each used one.
fn renumbering(vertices: usize, corners: &[usize]) -> (Vec<u32>, Vec<usize>) {
    let mut number = vec![u32::MAX; vertices];
    corners.iter().for_each(|&v| number[v] = 0);
    let used: Vec<usize> = (0..number.len()).filter(|&v| number[v] == 0).collect();
    used.iter().enumerate().for_each(|(new, &old)| number[old] = new as u32);
    (number, used)
}

/// Refuses what no memory holds, before it is asked for.
fn check_count(tets: u64) -> Result<(), MeshError> {
    let limit = aspic::mesh::MAX_TETS;
    if tets > limit as u64 {
        return Err(MeshError::TooLarge { tets: tets.into(), limit });
    }
    Ok(())
}

/// Sorted, without doubles, without unused vertices, without empty groups.
fn renumbered_groups(groups: BTreeMap<String, Vec<usize>>, number: &[u32]) -> BTreeMap<String, Vec<u32>> {
    let renumber = |vertices: Vec<usize>| {
        let mut new: Vec<u32> =
            vertices.iter().filter_map(|&v| number.get(v).copied()).filter(|&v| v != u32::MAX).collect();
        new.sort_unstable();
        new.dedup();
        new
    };
    let groups = groups.into_iter().map(|(name, vertices)| (name, renumber(vertices)));
    groups.filter(|(_, vertices)| !vertices.is_empty()).collect()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_objects;
#[cfg(test)]
mod tests_surface;
