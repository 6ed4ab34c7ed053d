//! Keyed motion of drags and obstacles: a path of displacements, and a turn about an axis.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::SceneError;
use super::quantity::{Angle, Dimension, Length, Number, Quantity, Time, Vector};
use super::span::Located;
use crate::Vec3;
use crate::constraint::Turn;

/// How an obstacle moves: along a `path`, about an axis by `turn`, or both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { path = [{ at = \"2 s\", by = [0, 0, 0.3] }] }")]
pub struct Motion {
    /// Displacements over time, smooth in between, at rest at both ends. It starts from none at 0 s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Located<Vec<PathKey>>>,
    /// A turn about an axis, which the path takes along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Located<Turning>>,
}

/// A displacement at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { at = \"2 s\", by = [0, 0, 0.3] }")]
pub struct PathKey {
    /// When.
    pub at: Quantity<Time>,
    /// Displacement from the position at the start.
    pub by: Vector<Length>,
}

/// A turn about an axis, keyed in time; right-handed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table like { axis = [1, 0, 0], keys = [{ at = \"4 s\", angle = \"1440 deg\" }] }"
)]
pub struct Turning {
    /// The direction of the axis; any length but zero.
    pub axis: Vector<Number>,
    /// A point on the axis at the start. Default: the origin.
    #[serde(default = "origin")]
    pub through: Vector<Length>,
    /// Angles over time, smooth in between, at rest at both ends. It starts from none at 0 s.
    pub keys: Located<Vec<TurnKey>>,
}

fn origin() -> Vector<Length> {
    Vector::new(0.0, 0.0, 0.0)
}

/// An angle at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { at = \"4 s\", angle = \"1440 deg\" }")]
pub struct TurnKey {
    /// When.
    pub at: Quantity<Time>,
    /// How far from the start; more than a full turn is possible.
    pub angle: Quantity<Angle>,
}

/// The path with its implied start: no displacement at 0 s.
pub(super) fn path_in_time(keys: &Located<Vec<PathKey>>) -> Result<Vec<(f64, Vec3)>, SceneError> {
    let Some(first) = keys.first() else {
        return Err(SceneError::new("`path` has no keys")
            .at(keys.span())
            .help("write path = [{ at = \"2 s\", by = [0, 0, 0.3] }]"));
    };
    check_times(keys.iter().map(|key| &key.at))?;
    if first.at.si() == 0.0 && first.by.si() != Vec3::zeros() {
        return Err(SceneError::new("a path starts without displacement: `by` must be [0, 0, 0] at 0 s")
            .at(first.by.span())
            .help("place the body with `position`, and move it from there"));
    }
    let implied = (first.at.si() > 0.0).then_some((0.0, Vec3::zeros()));
    Ok(implied.into_iter().chain(keys.iter().map(|key| (key.at.si(), key.by.si()))).collect())
}

impl Turning {
    /// The turn with its implied start: no angle at 0 s.
    pub(super) fn in_time(&self) -> Result<Turn, SceneError> {
        let Some(first) = self.keys.first() else {
            return Err(SceneError::new("`keys` of `turn` is empty")
                .at(self.keys.span())
                .help("write keys = [{ at = \"4 s\", angle = \"360 deg\" }]"));
        };
        if !self.axis.si().norm_squared().is_normal() {
            return Err(SceneError::new("`axis` has no direction")
                .at(self.axis.span())
                .help("write for example axis = [0, 0, 1]"));
        }
        check_times(self.keys.iter().map(|key| &key.at))?;
        if first.at.si() == 0.0 && first.angle.si() != 0.0 {
            return Err(SceneError::new("a turn starts from nothing: `angle` must be 0 at 0 s")
                .at(first.angle.span())
                .help("place the body with `rotation`, and turn it from there"));
        }
        let implied = (first.at.si() > 0.0).then_some((0.0, 0.0));
        let keys = self.keys.iter().map(|key| (key.at.si(), key.angle.si()));
        let keys: Vec<_> = implied.into_iter().chain(keys).collect();
        Ok(Turn::new(self.axis.si(), self.through.si(), &keys))
    }
}

/// Times of keys start at 0 s or later and increase.
pub(super) fn check_times<'a>(times: impl Iterator<Item = &'a Quantity<Time>>) -> Result<(), SceneError> {
    let mut before: Option<&Quantity<Time>> = None;
    for time in times {
        if time.si() < 0.0 {
            return Err(SceneError::new(format!("a key at {time} lies before the start"))
                .at(time.span())
                .help(format!("times start at 0, for example {}", Time::EXAMPLE)));
        }
        if let Some(before) = before.filter(|before| before.si() >= time.si()) {
            return Err(SceneError::new(format!("the key at {time} comes after the one at {before}"))
                .at(time.span())
                .help("write the keys in the order of time, each time once"));
        }
        before = Some(time);
    }
    Ok(())
}
