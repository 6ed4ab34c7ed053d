//! P: the energies that give their work back.

mod gravity;
pub mod material;

pub use gravity::Gravity;
