//! Geometry without physics: tetrahedral meshes, the shapes that can be generated, their quality,
//! and how a person chooses vertices.

mod tet;

pub use tet::{MeshError, TetMesh};
