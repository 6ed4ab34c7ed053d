//! Geometry without physics: tetrahedral meshes and bare surfaces, the shapes that can be generated, their quality,
//! where they are placed, and how a person chooses vertices.

pub mod generate;
mod matching;
mod nearest;
mod pose;
mod quality;
mod select;
mod surface;
mod tet;

pub(crate) use matching::matching;
pub use nearest::Nearest;
pub use pose::{Pose, PoseError};
pub use quality::{Quality, quality};
pub(crate) use select::rounded;
pub use select::{Part, SelectError, Selection};
pub use surface::{Plane, SurfaceError, TriangleSurface};
pub use tet::{FACES, MAX_TETS, MeshError, TetMesh};
