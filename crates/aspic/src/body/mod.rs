//! Bodies: a mesh and a material become terms of the world.

mod builder;
mod material;

pub use builder::{BodyId, BuildError, WorldBuilder};
pub use material::Material;
