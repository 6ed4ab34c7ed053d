//! What the user wrote: a TOML scene file as a typed, checked [`Scene`].
//!
//! ```
//! use aspic::scene::Scene;
//! let text = r#"
//!     duration = "1 s"
//!     [materials.rubber]
//!     preset = "soft rubber"
//!     [bodies.ring]
//!     material = "rubber"
//!     shape = { torus = { ring_radius = "10 cm", tube_radius = "3 cm", sections = 20, sides = 8 } }
//! "#;
//! let scene = Scene::parse(text)?;
//! assert_eq!(scene.materials["rubber"].resolve()?.shear, 30e3);
//!
//! let error = Scene::parse(&text.replace("sides", "side")).unwrap_err();
//! assert_eq!(error.help.as_deref(), Some("did you mean `sides`?"));
//! # Ok::<(), aspic::scene::SceneError>(())
//! ```
//!
//! [`Scene::parse`] goes in two passes. The first is serde's: types, units, unknown keys. The second,
//! [`Scene::validate`], checks what types cannot say: references, groups of keys of which exactly one is
//! wanted, signs, orders in time. Both point at the offending text and name a cure, as a [`SceneError`].

pub mod actions;
pub mod body;
mod build;
mod build_boundary;
mod build_events;
mod build_points;
mod check;
pub mod contact;
pub mod contact_model;
pub mod error;
pub mod events;
pub mod fill;
pub mod material;
pub mod motion;
pub mod obstacle;
mod parse;
mod place;
pub mod points;
pub mod presets;
pub mod puppets;
pub mod quantity;
pub mod schema;
pub mod selection;
pub mod skin;
pub mod span;
mod suggest;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_contact;
#[cfg(test)]
mod tests_contact_model;
#[cfg(test)]
mod tests_fill;
#[cfg(test)]
mod tests_keys;
#[cfg(test)]
mod tests_methods;
#[cfg(test)]
mod tests_obstacles;
#[cfg(test)]
mod tests_points;
#[cfg(test)]
mod tests_skin;
#[cfg(test)]
mod tests_values;
pub mod time;
pub mod units;

pub use crate::dissipation::viscous_law::ViscousModel;
pub use crate::kinetic::MassModel;
pub use crate::potential::material::LawName;
pub use actions::{Constraint, ConstraintKind, Force, ForceKind, Guide};
pub use body::{Body, Kind, MeshFile, Rotation, Shape};
pub use build::{MeshSource, NoFiles, PINS};
pub use contact::{Contact, PairFriction};
pub use contact_model::ContactModel;
pub use error::SceneError;
pub use events::{Event, EventKind, Passage};
pub use fill::{FillMethod, Filled, Tetrahedralize, UpAxis};
pub use material::ResolvedMaterial;
pub use obstacle::{Obstacle, ObstacleShape};
pub use presets::Preset;
pub use quantity::{Quantity, Vector};
pub use schema::{Material, Output, Scene};
pub use selection::{Anchor, Part, Selection};
pub use time::{Method, Solver, TimeSettings};

/// The JSON schema of scene files, for completion and checks in editors.
pub fn json_schema() -> String {
    let schema = schemars::schema_for!(Scene);
    serde_json::to_string_pretty(schema.as_value()).unwrap_or_default()
}
