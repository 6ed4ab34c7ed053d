//! Bodies: a mesh and a material become terms of the world.

mod affine;
mod boundary;
mod builder;
mod constrain;
mod contact;
mod error;
mod impulse;
mod material;
mod names;
mod obstacle;
mod points;
mod puppet;
mod separate;
mod skin;
mod spring;

pub use affine::Start;
pub use builder::{BodyId, WorldBuilder};
pub use contact::ContactSettings;
pub use error::{BuildError, Clash};
pub use impulse::ImpulseSettings;
pub use material::Material;
pub use points::{
    Block, BlockStiffness, Hinge, Inflation, Inner, PointsError, Rope, RopeStiffness, Sheet, SheetStiffness,
};
pub use skin::SkinError;
pub use spring::SpringSettings;
