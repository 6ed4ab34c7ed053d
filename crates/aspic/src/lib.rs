//! aspic simulates bodies that wobble.
//!
//! The equation of motion is the table of contents:
//!
//! ```text
//! d/dt ∂K/∂v − ∂K/∂q + ½ ∂W/∂v + ∂P/∂q = E        subject to   Φ(q, t) = 0
//! ```
//!
//! | letter | what | where |
//! |---|---|---|
//! | K | kinetic energy, the mass matrix | [`kinetic`] |
//! | P | energies that give their work back: elastic laws, gravity | [`potential`] |
//! | W | power lost to viscosity | [`dissipation`] |
//! | E | forces from outside | [`external`] |
//! | Φ | what the bodies must obey | [`constraint`] |
//! | t | time | [`integrate`], [`run`] |
//!
//! [`continuum`] joins P and W of a tetrahedral solid in one sweep, [`body`] makes terms out of a mesh and a
//! material, [`world`] adds the terms up, [`scene`] reads all of it from a file.
//!
//! A cube of jelly on a plate:
//!
//! ```
//! use aspic::{Settings, Simulation, Vec3, WorldBuilder, kinetic::MassModel, mesh::generate, scene::presets};
//!
//! let cube = generate::block(Vec3::new(0.1, 0.1, 0.1), [3, 3, 3])?;
//! let mut builder = WorldBuilder::new();
//! builder.gravity(Vec3::new(0.0, 0.0, -9.81));
//! builder.solid("cube", &cube, &presets::find("gelatin")?.material()?, MassModel::Consistent)?;
//! builder.hold("plate", &cube.groups["bottom"]);
//! let (world, state) = builder.build()?;
//! let mut simulation = Simulation::new(world, state, Settings::default());
//! simulation.advance_to(0.1)?;
//!
//! let top = cube.groups["top"][0] as usize;
//! assert!(simulation.state().q[top].z < cube.positions[top].z, "it sags");
//! let held: Vec3 = simulation.reactions()?.iter().sum();
//! let ledger = simulation.ledger();
//! assert!(held.z > 0.0 && ledger.residual.abs() < 1e-5 * ledger.exchanged);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod body;
pub mod boundary;
pub mod constraint;
pub mod contact;
pub mod continuum;
pub mod dissipation;
pub mod element_map;
pub mod embedding;
pub mod event;
pub mod external;
mod flat;
pub mod frame;
pub mod hermite;
pub mod impulse;
pub mod integrate;
pub mod kinetic;
pub mod lanes;
pub mod mesh;
pub mod points;
pub mod potential;
pub mod rows;
pub mod run;
pub mod scene;
pub mod solve;
pub mod stability;
pub mod state;
pub mod symmetric;
pub mod verdict;
pub mod world;
pub mod yielding;

pub use body::{Material, WorldBuilder};
pub use run::{Settings, Simulation};
pub use state::State;
pub use world::World;

/// A point or vector in space. SI units, right-handed, z up.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3×3 matrix that maps columns.
pub type Mat3 = nalgebra::Matrix3<f64>;
