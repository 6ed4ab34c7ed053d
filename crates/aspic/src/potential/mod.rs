//! P: the energies that give their work back.
pub mod material;
