//! aspic simulates bodies that wobble.
pub mod body;
pub mod constraint;
pub mod continuum;
pub mod dissipation;
pub mod element_map;
pub mod external;
pub mod frame;
pub mod integrate;
pub mod kinetic;
pub mod lanes;
pub mod mesh;
mod multipliers;
pub mod phase;
pub mod potential;
pub mod run;
pub mod scene;
pub mod solve;
pub mod state;
pub mod symmetric;
pub mod world;

pub use body::{Material, WorldBuilder};
pub use run::{Settings, Simulation};
pub use state::State;
pub use world::World;

/// A point or vector in space. SI units, right-handed, z up.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3×3 matrix that maps columns.
pub type Mat3 = nalgebra::Matrix3<f64>;
