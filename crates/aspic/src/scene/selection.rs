//! Selections: which vertices of which body something acts on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::quantity::{Length, Number, Quantity, Vector};
use super::span::{Exactly, Located};
use crate::Vec3;

/// Declares a table with the criteria of a selection after its own fields. serde's `flatten` would
/// share them too, but loses the places in the text.
macro_rules! with_criteria {
    ($(#[$outer:meta])* pub struct $name:ident { $($(#[$inner:meta])* pub $field:ident: $kind:ty,)* }) => {
        $(#[$outer])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, expecting = "a table like { body = \"ring\", part = \"surface\" }")]
        pub struct $name {
            $($(#[$inner])* pub $field: $kind,)*
            /// A named set of vertices of the shape or mesh.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub name: Option<Located<String>>,
            /// Vertex numbers, from 0.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub index: Option<Located<Vec<u32>>>,
            /// Inside the box with these two opposite corners.
            #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
            pub in_box: Option<Exactly<Vector<Length>, 2>>,
            /// Inside this sphere.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub sphere: Option<Sphere>,
            /// On the side of a plane that its normal points to, or on the plane itself.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub side: Option<Plane>,
            /// The one vertex nearest to this point, among those that meet the other criteria.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub nearest: Option<Vector<Length>>,
            /// Only the surface, or only the interior.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub part: Option<Part>,
        }
    };
}

with_criteria! {
    /// Some vertices of a body: those that meet all criteria given, or all of them without criteria.
    /// Points are in world coordinates at the start.
    pub struct Selection {
        /// The name of the body, a table [bodies.NAME].
        pub body: Located<String>,
    }
}

with_criteria! {
    /// One end of a distance: some vertices of a body, or a fixed point { point = [x, y, z] }.
    pub struct DistanceEnd {
        /// A fixed point in the world, instead of `body`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub point: Option<Vector<Length>>,
        /// The name of the body, a table [bodies.NAME]; instead of `point`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub body: Option<Located<String>>,
    }
}

/// One end of a distance, settled.
#[derive(Clone, Debug, PartialEq)]
pub enum Anchor {
    /// A fixed point in the world \[m\].
    Point(Vec3),
    /// Vertices of a body.
    Vertices(Box<Selection>),
}

impl DistanceEnd {
    /// The vertices it chooses; `None` without a body.
    pub(super) fn selection(&self) -> Option<Selection> {
        let end = self.clone();
        Some(Selection {
            body: end.body?,
            name: end.name,
            index: end.index,
            in_box: end.in_box,
            sphere: end.sphere,
            side: end.side,
            nearest: end.nearest,
            part: end.part,
        })
    }
}

/// A part of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Vertices on exposed triangles.
    Surface,
    /// Vertices inside.
    Interior,
    /// Every vertex.
    #[default]
    All,
}

/// A plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { point = [0, 0, 0], normal = [0, 0, 1] }")]
pub struct Plane {
    /// Any point of the plane.
    pub point: Vector<Length>,
    /// Perpendicular to the plane; any length but zero.
    pub normal: Vector<Number>,
}

/// A straight line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { point = [0, 0, 0], direction = [0, 0, 1] }")]
pub struct Line {
    /// Any point of the line.
    pub point: Vector<Length>,
    /// Along the line; any length but zero.
    pub direction: Vector<Number>,
}

/// A sphere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { center = [0, 0, 0], radius = \"5 cm\" }")]
pub struct Sphere {
    /// Its centre.
    pub center: Vector<Length>,
    /// Its radius.
    pub radius: Quantity<Length>,
}
