//! Bodies of boundary elements, from a closed surface or from the surface of a mesh of tetrahedra.

use super::body::{Body, MeshFile};
use super::build::{Building, MeshSource};
use super::build_points::surface_of;
use super::error::SceneError;
use super::span::{Located, Span};
use crate::body::{BodyId, Material};
use crate::mesh::{TetMesh, TriangleSurface};

impl Building {
    /// Adds a body of boundary elements; the mesh that it gives back has no tetrahedra.
    pub(super) fn add_boundary(
        &mut self,
        name: &str,
        body: &Body,
        material: &Material,
        shape: impl Fn() -> Result<(TetMesh, Span), SceneError>,
        files: &dyn MeshSource,
    ) -> Result<(BodyId, TetMesh), SceneError> {
        let is_surface =
            |mesh: &&Located<MeshFile>| mesh.tetrahedralize.is_none() && files.read(&mesh.file).is_err();
        let surface_file = body.mesh.as_ref().filter(is_surface);
        let (mesh, triangles, span) = match surface_file {
            Some(file) => {
                let TriangleSurface { positions, triangles } = surface_of(file, files)?;
                (TetMesh { positions, ..TetMesh::default() }, triangles, file.span())
            }
            None => {
                let (mesh, span) = shape()?;
                let (mesh, triangles) = surface_alone(mesh);
                (mesh, triangles, span)
            }
        };
        let surface = TriangleSurface { positions: mesh.positions.clone(), triangles };
        let added = self.builder.boundary(name, &surface, material);
        Ok((added.map_err(|error| SceneError::new(error.to_string()).at(span))?, mesh))
    }
}

/// The surface of a mesh as a mesh without tetrahedra, with its groups, and its triangles.
fn surface_alone(mesh: TetMesh) -> (TetMesh, Vec<[u32; 3]>) {
    let kept = mesh.surface_vertices();
    let number = |vertex: u32| kept.binary_search(&vertex).ok().map(|number| number as u32);
    let triangles = mesh.boundary().into_iter().map(|t| t.map(|v| number(v).unwrap_or(0))).collect();
    let group = |vertices: &Vec<u32>| vertices.iter().filter_map(|&v| number(v)).collect();
    let groups = mesh.groups.iter().map(|(name, vertices)| (name.clone(), group(vertices))).collect();
    let positions = kept.iter().map(|&v| mesh.positions[v as usize]).collect();
    (TetMesh { positions, groups, ..TetMesh::default() }, triangles)
}
