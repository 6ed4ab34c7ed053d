//! Contact: what keeps surfaces apart.
//!
//! Everything here speaks of *surface points*. A surface point is a node of a solid, or follows several nodes by
//! fixed weights. Surface points span triangles, edges, or nothing but themselves.

mod apart;
mod bounds;
mod candidates;
#[cfg(test)]
mod candidates_tests;
mod pair;
mod part;
mod primitive;
mod reach;
mod search;
mod surface;
#[cfg(test)]
mod surface_tests;
mod sweep;
mod tree;

pub use candidates::Candidates;
pub use pair::{Kind, Pair};
pub use part::{Part, Skin, SurfaceError};
pub use reach::ContactDistance;
pub use surface::{Surface, SurfacePart};
