//! Tiny files of every format for the tests and the fuzzers: a block and its surface as this crate writes them, and
//! variants that it reads but does not write.

use std::path::Path;

use aspic::Vec3;
use aspic::mesh::{TetMesh, TriangleSurface, generate};

use super::{write, write_surface};

pub(super) const EXTENSIONS: [&str; 12] =
    ["mesh", "msh", "node", "vtu", "vtk", "obj", "stl", "ply", "off", "glb", "usda", "ele"];

/// A block whose coordinates need all their digits, except that STL and glTF have room for them.
pub(super) fn block() -> TetMesh {
    let mut mesh = generate::block(Vec3::new(1.0, 0.5, 0.25), [2, 1, 1]).unwrap();
    mesh.positions.iter_mut().for_each(|x| *x = x.map(|c| f64::from((c + 1.0 / 3.0) as f32)));
    mesh
}

/// The bytes of a file of that extension.
pub(super) fn written(extension: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a").with_extension(extension);
    match matches!(extension, "mesh" | "msh" | "node" | "ele" | "vtu" | "vtk") {
        true => write(&path, &block()).unwrap(),
        false => write_surface(&path, &TriangleSurface::of(&block())).unwrap(),
    }
    std::fs::read(&path).unwrap()
}

/// Files that were written by hand or by other programs, beside this one.
pub(super) fn others() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|e| (e.file_name().into_string().unwrap(), std::fs::read(e.path()).unwrap()))
        .collect();
    files.sort();
    files
}
