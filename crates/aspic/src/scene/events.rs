//! Events of a scene: when something happens, constraints and forces end.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::exactly_one;
use super::error::SceneError;
use super::material::positive_such_as;
use super::quantity::{Force, Length, Quantity, Speed};
use super::schema::Scene;
use super::selection::{Plane, Selection};
use super::span::Located;
use super::suggest::{list, nearest};
use crate::Vec3;

/// Something to wait for, and what ends then. Vertices pass a plane or get too fast, or a constraint pulls too hard.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table that describes an event")]
pub struct Event {
    /// The vertices to watch: the event happens when the first of them does it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<Located<Selection>>,
    /// It happens when a watched vertex passes here, to whichever side it was not on at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<Located<Passage>>,
    /// It happens when a watched vertex is faster than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faster: Option<Quantity<Speed>>,
    /// The constraint to watch, by its name; instead of `watch`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<Located<String>>,
    /// It happens when the force of the constraint is larger than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pulls: Option<Quantity<Force>>,
    /// The constraints and forces that end then, by their names.
    pub ends: Vec<Located<String>>,
}

/// A plane to pass: exactly one of x, y, z and plane.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { z = \"0 m\" }")]
pub struct Passage {
    /// The plane of this x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<Quantity<Length>>,
    /// The plane of this y.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<Quantity<Length>>,
    /// The plane of this z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<Quantity<Length>>,
    /// Any other plane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plane: Option<Located<Plane>>,
}

/// What an event waits for, settled. SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventKind<'a> {
    /// A vertex passes a plane through a point \[m\] with a normal of any length.
    Passes(&'a Selection, [Vec3; 2]),
    /// A vertex is faster than this  \[m/s\]
    Faster(&'a Selection, f64),
    /// A constraint pulls harder than this  \[N\]
    Pulls(&'a Located<String>, f64),
}

impl Passage {
    /// A point of the plane \[m\], and its normal.
    fn plane(&self) -> Result<[Vec3; 2], SceneError> {
        let level = |axis: usize, at: Quantity<Length>| [Vec3::ith(axis, at.si()), Vec3::ith(axis, 1.0)];
        match (self.x, self.y, self.z, &self.plane) {
            (Some(x), None, None, None) => Ok(level(0, x)),
            (None, Some(y), None, None) => Ok(level(1, y)),
            (None, None, Some(z), None) => Ok(level(2, z)),
            (None, None, None, Some(plane)) => Ok([plane.point.si(), plane.normal.si()]),
            (x, y, z, plane) => Err(exactly_one(&[
                ("x", x.map(|x| x.span())),
                ("y", y.map(|y| y.span())),
                ("z", z.map(|z| z.span())),
                ("plane", plane.as_ref().map(Located::span)),
            ])),
        }
    }
}

impl Event {
    /// What it waits for; an error unless exactly one kind is given with what that kind needs.
    pub fn kind(&self) -> Result<EventKind<'_>, SceneError> {
        let [passes, faster, pulls] = [
            ("passes", self.passes.as_ref().map(Located::span)),
            ("faster", self.faster.map(|faster| faster.span())),
            ("pulls", self.pulls.map(|pulls| pulls.span())),
        ];
        let lacking = |key: &str, of: &str, example: &str| {
            SceneError::new(format!("`{of}` needs `{key}`")).help(format!("write {key} = {example}"))
        };
        let stray = |key: &str, with: &str, span| {
            Err(SceneError::new(format!("`{key}` goes only with {with}"))
                .at(span)
                .help(format!("remove `{key}`")))
        };
        let watch = |of| {
            self.watch
                .as_deref()
                .ok_or_else(|| lacking("watch", of, "{ body = \"ball\", part = \"surface\" }"))
        };
        let kind = match (&self.passes, self.faster, self.pulls) {
            (Some(passage), None, None) => EventKind::Passes(watch("passes")?, passage.plane()?),
            (None, Some(speed), None) => EventKind::Faster(watch("faster")?, speed.si()),
            (None, None, Some(force)) => match &self.constraint {
                Some(constraint) => EventKind::Pulls(constraint, force.si()),
                None => return Err(lacking("constraint", "pulls", "\"handle\"")),
            },
            _ => return Err(exactly_one(&[passes, faster, pulls])),
        };
        match (&kind, &self.watch, &self.constraint) {
            (EventKind::Pulls(..), Some(watch), _) => stray("watch", "`passes` and `faster`", watch.span()),
            (EventKind::Passes(..) | EventKind::Faster(..), _, Some(constraint)) => {
                stray("constraint", "`pulls`", constraint.span())
            }
            _ => Ok(kind),
        }
    }
}

impl Scene {
    /// An event must name what there is. Checks of its selection are left to the caller.
    pub(super) fn check_event(&self, event: &Event) -> Result<(), SceneError> {
        if let EventKind::Pulls(name, _) = event.kind()? {
            let known: Vec<&str> = self.constraints.keys().map(String::as_str).collect();
            known_among("constraint", name, &known)?;
        }
        if let Some(speed) = &event.faster {
            positive_such_as("\"2 m/s\"", "faster", speed)?;
        }
        if let Some(force) = &event.pulls {
            positive_such_as("\"20 N\"", "pulls", force)?;
        }
        let known: Vec<&str> =
            self.constraints.keys().chain(self.forces.keys()).map(String::as_str).collect();
        if event.ends.is_empty() {
            return Err(SceneError::new("the event ends nothing")
                .help(format!("write ends = [\"{}\"]", known.first().unwrap_or(&"handle"))));
        }
        event.ends.iter().try_for_each(|name| known_among("constraint or force", name, &known))
    }
}

/// A name must be among those known.
fn known_among(what: &str, name: &Located<String>, known: &[&str]) -> Result<(), SceneError> {
    if known.contains(&name.as_str()) {
        return Ok(());
    }
    let help = match (nearest(name, known), known.is_empty()) {
        (Some(guess), _) => format!("did you mean \"{guess}\"?"),
        (None, true) => "the scene has none".to_owned(),
        (None, false) => format!("there is {}", list(known)),
    };
    Err(SceneError::new(format!("there is no {what} `{}`", name.as_str())).at(name.span()).help(help))
}
