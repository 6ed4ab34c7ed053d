//! W: the powers that are lost.
pub mod viscous_law;
