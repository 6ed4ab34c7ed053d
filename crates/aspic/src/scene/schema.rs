//! The scene file as types. The comments on fields are the descriptions editors show.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::{Constraint, Force};
use super::body::Body;
use super::contact::Contact;
use super::contact_model::{WordOrTable, word_or_table};
use super::events::Event;
use super::obstacle::Obstacle;
use super::quantity::{
    Density, Frequency, Gravity, Length, Number, Pressure, Quantity, Time, Vector, Viscosity,
};
use super::span::Located;
use super::time::TimeSettings;
use crate::dissipation::viscous_law::ViscousModel;
use crate::potential::material::LawName;

/// What a scene gets when it says nothing.
pub mod defaults {
    /// Standard gravity along −z \[m/s²\].
    pub const GRAVITY: f64 = 9.81;
    /// Allowed relative error per simulated second.
    pub const TOLERANCE: f64 = crate::run::DEFAULT_TOLERANCE;
    /// First time step \[s\]; shortened to the longest step where that is shorter.
    pub const FIRST_STEP: f64 = 1e-3;
    /// Longest time step of the explicit method \[s\].
    pub const MAX_STEP: f64 = 20e-3;
    /// Its shortest time step \[s\]; a run that needs a shorter one stops with an error.
    pub const MIN_STEP: f64 = 1e-9;
    /// Time step of implicit methods \[s\].
    pub const IMPLICIT_STEP: f64 = 1.0 / 60.0;
    /// Their shortest time step \[s\].
    pub const MIN_IMPLICIT_STEP: f64 = 1e-6;
    /// Young modulus of affine bodies \[Pa\]: stiff enough to look rigid.
    pub const AFFINE_YOUNG: f64 = 100e6;
    /// Their Poisson ratio.
    pub const AFFINE_POISSON: f64 = 0.3;
    /// Frames per second.
    pub const FRAME_RATE: f64 = 24.0;
}

/// A scene: bodies, what they are made of, what holds them and what pushes them.
/// Numbers are SI; text with a unit works everywhere, for example "30 kPa".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a scene")]
pub struct Scene {
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// How much time to simulate.
    pub duration: Quantity<Time>,
    /// The field of gravity: [x, y, z], or one value straight down. Default: 9.81 m/s² along −z.
    #[serde(default = "standard_gravity")]
    pub gravity: Gravity,
    /// Attraction between all mass points. Default: none, they weigh too little.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravitation: Option<GravitationTable>,
    /// How time advances.
    #[serde(default)]
    pub time: TimeSettings,
    /// How bodies touch and rub: a table, or just the word for a model. Default: every surface touches every other,
    /// without friction, if the method is implicit.
    #[serde(default, deserialize_with = "word_or_table", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<WordOrTable>")]
    pub contact: Option<Contact>,
    /// What is written, and how often.
    #[serde(default)]
    pub output: Output,
    /// Materials by name.
    #[serde(default)]
    pub materials: IndexMap<String, Material>,
    /// Bodies by name.
    #[serde(default)]
    pub bodies: IndexMap<String, Body>,
    /// Obstacles by name: what is in the way and nothing moves.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub obstacles: IndexMap<String, Obstacle>,
    /// Constraints by name: what holds, drags, ties or guides bodies.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub constraints: IndexMap<String, Constraint>,
    /// Forces by name, besides gravity.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub forces: IndexMap<String, Force>,
    /// Events by name: what to wait for, and which constraints and forces end then.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub events: IndexMap<String, Event>,
}

fn standard_gravity() -> Gravity {
    Gravity(Vector::new(0.0, 0.0, -defaults::GRAVITY))
}

/// Attraction between all mass points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { constant = 6.674e-11, softening = \"1 cm\" }")]
pub struct GravitationTable {
    /// The constant of gravitation in N m²/kg²; 6.674e-11 in this universe.
    pub constant: Quantity<Number>,
    /// Distance below which the attraction grows no more. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub softening: Option<Quantity<Length>>,
}

/// What is written, and how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table of output settings")]
pub struct Output {
    /// Frames per simulated second. Default: 24. Instead of `frame_interval`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame_rate: Option<Quantity<Frequency>>,
    /// Simulated time from frame to frame. Instead of `frame_rate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame_interval: Option<Quantity<Time>>,
    /// Write only the surfaces of the bodies, not their insides. Default: false.
    #[serde(default)]
    pub surface_only: bool,
    /// Write the stress of every tetrahedron. Default: true.
    #[serde(default = "yes")]
    pub stress: bool,
}

fn yes() -> bool {
    true
}

impl Scene {
    /// Every mesh file that the scene names.
    pub fn files_mut(&mut self) -> impl Iterator<Item = &mut Located<String>> {
        let bodies = self.bodies.values_mut().flat_map(Body::files_mut);
        let obstacles = self.obstacles.values_mut().filter_map(|obstacle| obstacle.mesh.as_mut());
        bodies.chain(obstacles.map(|mesh| &mut mesh.file))
    }
}

impl Default for Output {
    fn default() -> Self {
        Self { frame_rate: None, frame_interval: None, surface_only: false, stress: true }
    }
}

impl Output {
    /// Simulated time from frame to frame \[s\].
    pub fn interval(&self) -> f64 {
        match (self.frame_interval, self.frame_rate) {
            (Some(interval), _) => interval.si(),
            (None, rate) => 1.0 / rate.map_or(defaults::FRAME_RATE, |rate| rate.si()),
        }
    }
}

/// What a body is made of. Give a preset, or `density` and one pair of moduli; the rest overrides the preset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table that describes a material")]
pub struct Material {
    /// A material of the library to start from, for example "soft rubber".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<Located<String>>,
    /// The elastic law. Default: ls-stable.
    #[serde(default)]
    pub law: LawName,
    /// Bulk modulus: resistance to a change of volume. Goes with `shear`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bulk: Option<Quantity<Pressure>>,
    /// Shear modulus: resistance to a change of shape. Goes with `bulk`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear: Option<Quantity<Pressure>>,
    /// Young modulus: resistance to being pulled longer. Goes with `poisson`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub young: Option<Quantity<Pressure>>,
    /// Poisson ratio: how much it thins when pulled, between −1 and 0.5. Goes with `young`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson: Option<Quantity<Number>>,
    /// Mass per volume at rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Quantity<Density>>,
    /// Resistance to the rate of change of volume. Default: that of the preset, or 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bulk_viscosity: Option<Quantity<Viscosity>>,
    /// Resistance to the rate of change of shape. Default: that of the preset, or 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear_viscosity: Option<Quantity<Viscosity>>,
    /// How the viscous stress follows the rate of deformation. Default: material.
    #[serde(default)]
    pub viscosity_model: ViscousModel,
}
