//! Bodies: a mesh and a material become terms of the world.

mod builder;
mod contact;
mod error;
mod material;

pub use builder::{BodyId, WorldBuilder};
pub use contact::ContactSettings;
pub use error::BuildError;
pub use material::Material;
