//! What a surface or a mesh is like, what is wrong with it, and what would be done about it.

mod edges;
mod intersections;
mod meeting;
mod shells;
mod surface;
#[cfg(test)]
mod tests;
mod tets;
mod text;

pub use surface::{SurfaceReport, examine};
pub use tets::{TetReport, examine_tets};
