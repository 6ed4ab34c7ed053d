//! P: the energies that give their work back.

mod gravitation;
mod gravity;
pub mod material;

pub use gravitation::Gravitation;
pub use gravity::Gravity;
