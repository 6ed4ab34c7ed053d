//! Constraints and forces of a scene, and what exactly each one asks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::SceneError;
use super::motion::{PathKey, Turning, check_times, path_in_time};
use super::quantity::Vector;
use super::quantity::{
    Acceleration, Density, Force as ForceUnit, Length, Number, Pressure, Quantity, Speed, Stiffness, Time,
};
use super::selection::{Anchor, DistanceEnd, Line, Plane, Selection, Sphere};
use super::span::{Exactly, Located, Span};
use super::suggest::list;
use crate::Vec3;
use crate::constraint::Turn;

/// Something that restricts the motion: exactly one of `hold`, `drag`, `tie`, `distance` and `slide`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table that describes a constraint")]
pub struct Constraint {
    /// Keep these vertices where they are at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<Located<Selection>>,
    /// Move these vertices along `path`, about an axis by `turn`, or both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag: Option<Located<Selection>>,
    /// Join the vertices of two selections, pairwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tie: Option<Located<Exactly<Selection, 2>>>,
    /// Keep the distance between two selections, or between one and a fixed point { point = [x, y, z] }.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<Located<Exactly<DistanceEnd, 2>>>,
    /// Let these vertices move only on a `plane`, a `line` or a `sphere`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slide: Option<Located<Selection>>,
    /// For `drag`: displacements over time, smooth in between, at rest at both ends. It starts from none at 0 s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Located<Vec<PathKey>>>,
    /// For `drag`: a turn about an axis, which the path takes along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Located<Turning>>,
    /// For `distance`: the length to keep. Default: the one at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Quantity<Length>>,
    /// For `slide`: the plane to stay on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plane: Option<Located<Plane>>,
    /// For `slide`: the line to stay on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<Located<Line>>,
    /// For `slide`: the sphere to stay on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sphere: Option<Located<Sphere>>,
    /// Let go at this time. Default: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Quantity<Time>>,
    /// Use a spring of this stiffness per vertex instead of an exact constraint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Quantity<Stiffness>>,
}

/// What a constraint does, settled.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstraintKind<'a> {
    /// Keep the vertices in place.
    Hold(&'a Selection),
    /// Move the vertices: displacements \[m\] at increasing times \[s\], the first one zero at 0 s.
    Drag {
        /// The vertices.
        on: &'a Selection,
        /// Time \[s\] and displacement \[m\]; empty if they only turn.
        path: Vec<(f64, Vec3)>,
        /// The turn about an axis, if there is one.
        turn: Option<Turn>,
    },
    /// Join two selections, pairwise.
    Tie([&'a Selection; 2]),
    /// Keep a distance.
    Distance {
        /// What it joins; at least one is a selection.
        ends: [Anchor; 2],
        /// The length \[m\]; `None` for the one at the start.
        length: Option<f64>,
    },
    /// Stay on a plane, line or sphere.
    Slide {
        /// The vertices.
        on: &'a Selection,
        /// Where they may move.
        guide: Guide<'a>,
    },
}

/// What vertices slide on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guide<'a> {
    /// A plane.
    Plane(&'a Plane),
    /// A line.
    Line(&'a Line),
    /// A sphere.
    Sphere(&'a Sphere),
}

impl Constraint {
    /// What it does; an error unless exactly one kind is given with what that kind needs.
    pub fn kind(&self) -> Result<ConstraintKind<'_>, SceneError> {
        let kind = match (&self.hold, &self.drag, &self.tie, &self.distance, &self.slide) {
            (Some(on), None, None, None, None) => ConstraintKind::Hold(on),
            (None, Some(on), None, None, None) => self.dragged(on)?,
            (None, None, Some(pair), None, None) => ConstraintKind::Tie(pair.each_ref()),
            (None, None, None, Some(ends), None) => self.distance_between(ends)?,
            (None, None, None, None, Some(on)) => ConstraintKind::Slide { on, guide: self.guide()? },
            _ => return Err(self.not_one_kind()),
        };
        self.refuse_strays()?;
        Ok(kind)
    }

    fn not_one_kind(&self) -> SceneError {
        exactly_one(&[
            ("hold", self.hold.as_ref().map(Located::span)),
            ("drag", self.drag.as_ref().map(Located::span)),
            ("tie", self.tie.as_ref().map(Located::span)),
            ("distance", self.distance.as_ref().map(Located::span)),
            ("slide", self.slide.as_ref().map(Located::span)),
        ])
    }

    /// Keys that belong to another kind would be ignored: refuse them.
    fn refuse_strays(&self) -> Result<(), SceneError> {
        let strays = [
            (self.path.as_ref().map(Located::span), "path", "drag", self.drag.is_some()),
            (self.turn.as_ref().map(Located::span), "turn", "drag", self.drag.is_some()),
            (self.length.map(|length| length.span()), "length", "distance", self.distance.is_some()),
            (self.plane.as_ref().map(Located::span), "plane", "slide", self.slide.is_some()),
            (self.line.as_ref().map(Located::span), "line", "slide", self.slide.is_some()),
            (self.sphere.as_ref().map(Located::span), "sphere", "slide", self.slide.is_some()),
        ];
        for (span, key, kind, wanted) in strays {
            if let (Some(span), false) = (span, wanted) {
                return Err(SceneError::new(format!("`{key}` goes only with `{kind}`"))
                    .at(span)
                    .help(format!("remove `{key}`, or use `{kind}`")));
            }
        }
        Ok(())
    }

    /// Path and turn of a drag, at least one of them.
    fn dragged<'a>(&self, on: &'a Selection) -> Result<ConstraintKind<'a>, SceneError> {
        if self.path.is_none() && self.turn.is_none() {
            return Err(SceneError::new("`drag` needs a `path` or a `turn`")
                .help("write path = [{ at = \"2 s\", by = [0, 0, 0.3] }]"));
        }
        let path = self.path.as_ref().map(path_in_time).transpose()?.unwrap_or_default();
        let turn = self.turn.as_ref().map(|turn| turn.in_time()).transpose()?;
        Ok(ConstraintKind::Drag { on, path, turn })
    }

    fn distance_between(&self, ends: &[DistanceEnd; 2]) -> Result<ConstraintKind<'_>, SceneError> {
        let [first, second] = ends;
        let ends = [first.anchor()?, second.anchor()?];
        if let (Some(point), Some(_)) = (first.point, second.point) {
            return Err(SceneError::new("a distance between two fixed points moves nothing")
                .at(point.span())
                .help("give one end a `body`"));
        }
        Ok(ConstraintKind::Distance { ends, length: self.length.map(|length| length.si()) })
    }

    fn guide(&self) -> Result<Guide<'_>, SceneError> {
        match (&self.plane, &self.line, &self.sphere) {
            (Some(plane), None, None) => Ok(Guide::Plane(plane)),
            (None, Some(line), None) => Ok(Guide::Line(line)),
            (None, None, Some(sphere)) => Ok(Guide::Sphere(sphere)),
            (plane, line, sphere) => Err(exactly_one(&[
                ("plane", plane.as_ref().map(Located::span)),
                ("line", line.as_ref().map(Located::span)),
                ("sphere", sphere.as_ref().map(Located::span)),
            ])),
        }
    }
}

impl DistanceEnd {
    /// A fixed point or vertices; an error unless it is exactly one of them.
    pub fn anchor(&self) -> Result<Anchor, SceneError> {
        match (&self.point, self.selection()) {
            (Some(point), None) => {
                let bare = DistanceEnd { point: Some(*point), ..Default::default() };
                if *self == bare {
                    return Ok(Anchor::Point(point.si()));
                }
                Err(SceneError::new("a fixed point takes no other keys")
                    .at(point.span())
                    .help("name a `body`"))
            }
            (None, Some(selection)) => Ok(Anchor::Vertices(Box::new(selection))),
            (point, _) => Err(exactly_one(&[
                ("body", self.body.as_ref().map(Located::span)),
                ("point", point.map(|point| point.span())),
            ])),
        }
    }
}

/// Something that pushes, besides gravity: exactly one of `force`, `total`, `pressure`, `acceleration` and `wind`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table that describes a force")]
pub struct Force {
    /// The vertices it acts on.
    pub on: Selection,
    /// A force on each chosen vertex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<Vector<ForceUnit>>,
    /// A force shared equally by the chosen vertices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<Vector<ForceUnit>>,
    /// A pressure on the exposed triangles between chosen vertices; positive pushes inwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure: Option<Quantity<Pressure>>,
    /// A uniform field, like gravity, on the chosen vertices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<Vector<Acceleration>>,
    /// Wind of this velocity on the triangles and ropes between chosen vertices; zero for still air.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wind: Option<Vector<Speed>>,
    /// For wind: density of the air. Default: 1.2 kg/m³.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub air_density: Option<Quantity<Density>>,
    /// For wind: drag coefficient. Default: 1.2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag_coefficient: Option<Quantity<Number>>,
    /// For wind: friction coefficient of air along a face. Default: 0.1, as for cloth that flutters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skin_friction: Option<Quantity<Number>>,
    /// A factor over time, straight in between and constant outside. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<Located<Vec<ScaleKey>>>,
    /// Stop at this time. Default: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Quantity<Time>>,
}

/// A factor at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { at = \"1 s\", scale = 1 }")]
pub struct ScaleKey {
    /// When.
    pub at: Quantity<Time>,
    /// The factor.
    pub scale: Quantity<Number>,
}

/// What a force does, settled. SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ForceKind {
    /// A force on each vertex \[N\].
    Each(Vec3),
    /// A force shared equally \[N\].
    Total(Vec3),
    /// A pressure, positive inwards \[Pa\].
    Pressure(f64),
    /// A uniform field \[m/s²\].
    Acceleration(Vec3),
    /// Wind.
    Wind {
        /// Its velocity \[m/s\].
        velocity: Vec3,
        /// Density of the air \[kg/m³\].
        density: f64,
        /// Drag coefficient.
        drag: f64,
        /// Friction coefficient along a face.
        skin: f64,
    },
}

impl Force {
    /// What it does; an error unless exactly one kind is given.
    pub fn kind(&self) -> Result<ForceKind, SceneError> {
        match (self.force, self.total, self.pressure, self.acceleration, self.wind) {
            (Some(force), None, None, None, None) => Ok(ForceKind::Each(force.si())),
            (None, Some(total), None, None, None) => Ok(ForceKind::Total(total.si())),
            (None, None, Some(pressure), None, None) => Ok(ForceKind::Pressure(pressure.si())),
            (None, None, None, Some(field), None) => Ok(ForceKind::Acceleration(field.si())),
            (None, None, None, None, Some(wind)) => Ok(ForceKind::Wind {
                velocity: wind.si(),
                density: self.air_density.map_or(1.2, |density| density.si()),
                drag: self.drag_coefficient.map_or(1.2, |drag| drag.si()),
                skin: self.skin_friction.map_or(0.1, |skin| skin.si()),
            }),
            (force, total, pressure, field, wind) => Err(exactly_one(&[
                ("force", force.map(|force| force.span())),
                ("total", total.map(|total| total.span())),
                ("pressure", pressure.map(|pressure| pressure.span())),
                ("acceleration", field.map(|field| field.span())),
                ("wind", wind.map(|wind| wind.span())),
            ])),
        }
    }

    /// The factor over time: times \[s\] and factors; empty for a constant factor of 1.
    pub fn scale_in_time(&self) -> Result<Vec<(f64, f64)>, SceneError> {
        let Some(keys) = &self.keys else { return Ok(Vec::new()) };
        if keys.is_empty() {
            return Err(SceneError::new("`keys` has no keys")
                .at(keys.span())
                .help("remove it, or write keys = [{ at = \"0 s\", scale = 1 }]"));
        }
        check_times(keys.iter().map(|key| &key.at))?;
        Ok(keys.iter().map(|key| (key.at.si(), key.scale.si())).collect())
    }
}

/// The error for a group of keys of which not exactly one is given; points at the second one.
pub(super) fn exactly_one(keys: &[(&str, Option<Span>)]) -> SceneError {
    let names: Vec<&str> = keys.iter().map(|(key, _)| *key).collect();
    let given: Vec<(&str, Span)> = keys.iter().filter_map(|(key, span)| Some((*key, (*span)?))).collect();
    let chosen: Vec<&str> = given.iter().map(|(key, _)| *key).collect();
    match given.get(1) {
        Some((_, span)) => SceneError::new(format!("{} exclude each other", list(&chosen)))
            .at(*span)
            .help("keep exactly one of them"),
        None => {
            SceneError::new(format!("none of {} is given", list(&names))).help("give exactly one of them")
        }
    }
}
