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

use aspic::Vec3;
use serde::Serializer;

/// A point as a list of three coordinates  \[m\]
fn as_list<S: Serializer>(x: &Vec3, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq([x.x, x.y, x.z])
}
