//! Meshes and surfaces into files: each appears whole or not at all, and the same mesh gives the same bytes.
//!
//! Text formats hold the shortest digits that read back as the same number, binary ones f64; only `.stl` and `.glb` have
//! no more than f32.

mod gltf;
mod gmsh;
mod references;
mod surface;
mod text;
mod vtk;

use std::io::{self, Write};
use std::path::Path;

use aspic::mesh::{TetMesh, TriangleSurface};

use super::extension;
use crate::{OutputError, atomic};

/// The extensions that tetrahedra can be written to.
pub const TET_EXTENSIONS: &str =
    ".mesh (Medit), .msh (gmsh 4.1), .node and .ele (TetGen), .vtu or .vtk (VTK)";
/// The extensions that surfaces can be written to.
pub const SURFACE_EXTENSIONS: &str = ".obj (Wavefront), .stl, .ply, .off, .glb or .usda";

/// Writes a mesh; the extension tells the format. Groups go where the format has a place for them: all of them into
/// `.msh`, one for each vertex and each tetrahedron into `.mesh`, `.node` and `.ele`, none into the others.
pub fn write(path: &Path, mesh: &TetMesh) -> Result<(), OutputError> {
    match extension(path).as_str() {
        "mesh" => atomic::write(path, |out| text::medit(out, mesh)),
        "msh" => atomic::write(path, |out| gmsh::write(out, mesh)),
        "vtu" => vtk::vtu(path, mesh),
        "vtk" => atomic::write(path, |out| vtk::legacy(out, mesh)),
        "node" | "ele" => {
            atomic::write(&path.with_extension("node"), |out| text::tetgen_vertices(out, mesh))?;
            atomic::write(&path.with_extension("ele"), |out| text::tetgen_tetrahedra(out, mesh))
        }
        _ => Err(unknown(path, "tetrahedra", TET_EXTENSIONS)),
    }
}

/// Writes a surface; the extension tells the format.
pub fn write_surface(path: &Path, surface: &TriangleSurface) -> Result<(), OutputError> {
    let fill: fn(&mut dyn Write, &TriangleSurface) -> io::Result<()> = match extension(path).as_str() {
        "obj" => surface::obj,
        "stl" => surface::stl,
        "ply" => surface::ply,
        "off" => surface::off,
        "glb" => gltf::glb,
        "usda" => surface::usda,
        _ => return Err(unknown(path, "surfaces", SURFACE_EXTENSIONS)),
    };
    if matches!(extension(path).as_str(), "stl" | "glb") {
        check_single(path, surface)?;
    }
    atomic::write(path, |out| fill(out, surface))
}

/// Refuses what single precision cannot hold: places beyond it, and corners that would fall together.
fn check_single(path: &Path, surface: &TriangleSurface) -> Result<(), OutputError> {
    let rounded: Vec<[f32; 3]> =
        surface.positions.iter().map(|x| [x.x as f32, x.y as f32, x.z as f32]).collect();
    let at = |v: u32| rounded[v as usize];
    let lost = |&[a, b, c]: &[u32; 3]| at(a) == at(b) || at(b) == at(c) || at(c) == at(a);
    if rounded.iter().flatten().all(|x| x.is_finite()) && !surface.triangles.iter().any(lost) {
        return Ok(());
    }
    let cause = "this format has single precision, which cannot hold these places: move the surface near the origin, \
                 or write .ply or .obj";
    Err(OutputError::Io { path: path.into(), source: io::Error::new(io::ErrorKind::InvalidInput, cause) })
}

fn unknown(path: &Path, what: &str, known: &str) -> OutputError {
    let cause = format!("{what} are not written to files of this name: choose {known}");
    OutputError::Io { path: path.into(), source: io::Error::new(io::ErrorKind::InvalidInput, cause) }
}

/// What does not fit into the numbers of a format.
fn too_large(what: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidInput,
        format!("{what} are too many for this format: choose another"),
    )
}
