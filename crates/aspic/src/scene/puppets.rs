//! Bodies of boundary elements that move by rules of their own: outlines in the plane, and shapes by two sections.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::exactly_one;
use super::body::{Body, Kind};
use super::build::{Building, Placement};
use super::contact_model::ContactModel;
use super::error::SceneError;
use super::material::positive;
use super::quantity::{Length, Number, Pressure, Quantity};
use super::schema::Scene;
use super::span::{Exactly, Located};
use crate::Vec3;
use crate::body::{BodyId, Material};
use crate::boundary::plane::{
    ClosedMesh, Grip, Jelly, JellyNumbers, PlaneBody, Polygon, Prism, Puppet, Substance, Vec2,
};
use crate::mesh::{TetMesh, TriangleSurface};

/// Vertices of a circle, and of a section, unless something else is said.
const VERTICES: u32 = 48;
/// More vertices make dense matrices that nobody waits for.
const MOST_VERTICES: usize = 512;

/// An outline in the x–z plane, and how deep it is along y.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { circle = \"10 cm\", depth = \"5 cm\" }")]
pub struct OutlineTable {
    /// The radius of a circle. Instead of `points`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub circle: Option<Quantity<Length>>,
    /// Vertices of the circle. Default: 48.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vertices: Option<Located<u32>>,
    /// The corners [x, z] of a polygon, against the clock. Instead of `circle`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Located<Vec<Exactly<Quantity<Length>, 2>>>>,
    /// How deep it is shown along y. Mass and energies are those of this depth.
    pub depth: Quantity<Length>,
    /// How hard the floor holds it. Default: not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adhesion: Option<Quantity<Pressure>>,
    /// Whether what touches the floor stays where it touched, instead of gliding. Default: false.
    #[serde(default)]
    pub sticks: bool,
}

/// A shape that deforms as two of its sections do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { adhesion = \"1 kPa\", reach = \"1 cm\" }")]
pub struct SectionsTable {
    /// How hard the floor holds it. Default: not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adhesion: Option<Quantity<Pressure>>,
    /// How far above the floor it is held. Goes with `adhesion`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach: Option<Quantity<Length>>,
    /// Whether what touches the floor stays where it touched, instead of gliding. Default: false.
    #[serde(default)]
    pub sticks: bool,
    /// The exponent with which displacements of a section are blended. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exponent: Option<Quantity<Number>>,
    /// Vertices of each section. Default: 48.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vertices: Option<Located<u32>>,
}

impl Scene {
    /// Puppets know planes alone; older models of contact would take them for bodies.
    pub(super) fn check_puppet_contact(&self, body: &Body) -> Result<(), SceneError> {
        let place = body.outline.as_ref().map(Located::span).or(body.sections.as_ref().map(Located::span));
        match (place, self.contact_model()) {
            (Some(place), Some(model)) if model != ContactModel::Guaranteed => {
                Err(SceneError::new(format!("a puppet does not go with contact model \"{}\"", model.word()))
                    .at(place)
                    .help("leave the model away, or write [contact] enabled = false"))
            }
            _ => Ok(()),
        }
    }
}

impl Body {
    /// Whether it moves by rules of its own.
    pub fn is_puppet(&self) -> bool {
        self.outline.is_some() || self.sections.is_some()
    }

    /// What does not go together with rules of its own.
    pub(super) fn check_puppet(&self) -> Result<(), SceneError> {
        let place = match (&self.outline, &self.sections) {
            (Some(outline), None) => outline.span(),
            (None, Some(sections)) => sections.span(),
            (None, None) => return Ok(()),
            (Some(_), Some(sections)) => {
                return Err(
                    SceneError::new("`outline` and `sections` exclude each other").at(sections.span())
                );
            }
        };
        let refuse = |text: &str, help: &str| Err(SceneError::new(text).at(place).help(help));
        if self.kind != Kind::Solid || self.point_kind().is_some() {
            return refuse("a body is either a puppet or of another kind", "remove one of the keys");
        }
        if self.outline.is_some() && (self.shape.is_some() || self.mesh.is_some()) {
            return refuse("this body has its shape already", "remove `shape` or `mesh`");
        }
        if self.stretch.si() != Vec3::repeat(1.0) || self.skin.is_some() || self.plasticity.is_some() {
            return refuse("puppets take no `stretch`, `skin` or `plasticity`", "remove them");
        }
        if let Some(outline) = &self.outline {
            outline.check()?;
        }
        if let (Some(outline), [first, ..]) = (&self.outline, &self.rotation.0[..]) {
            let axis = first.axis.si();
            if self.rotation.0.len() > 1 || axis.x != 0.0 || axis.z != 0.0 {
                return Err(SceneError::new("an outline turns only about the y axis")
                    .at(outline.span())
                    .help("write rotation = { axis = [0, 1, 0], angle = \"20 deg\" }"));
            }
        }
        Ok(())
    }
}

/// The matter of a puppet: its internal friction is the shear viscosity over the shear modulus.
fn substance(material: &Material) -> Substance {
    Substance {
        young: material.young(),
        poisson: material.poisson(),
        internal_friction: material.viscosity.shear / material.moduli.shear,
        density: material.density,
    }
}

impl OutlineTable {
    /// Sizes must be positive, and vertices few.
    fn check(&self) -> Result<(), SceneError> {
        positive("depth", &self.depth)?;
        if let Some(radius) = &self.circle {
            positive("circle", radius)?;
        }
        let circle = self.vertices.map(|count| (*count as usize, count.span()));
        let points = self.points.as_ref().map(|points| (points.len(), points.span()));
        match circle.into_iter().chain(points).find(|(count, _)| !(3..=MOST_VERTICES).contains(count)) {
            Some((count, place)) => Err(SceneError::new(format!("an outline of {count} vertices"))
                .at(place)
                .help(format!("give 3 to {MOST_VERTICES}"))),
            None => Ok(()),
        }
    }

    fn polygon(&self) -> Result<Polygon, SceneError> {
        let corners: Vec<Vec2> = match (&self.circle, &self.points) {
            (Some(radius), None) => {
                let count = self.vertices.map_or(VERTICES, |count| *count);
                return Polygon::circle(Vec2::zeros(), radius.si(), count as usize)
                    .map_err(|error| SceneError::new(error.to_string()).at(radius.span()));
            }
            (None, Some(points)) => {
                points.iter().map(|point| Vec2::new(point[0].si(), point[1].si())).collect()
            }
            (circle, points) => {
                return Err(exactly_one(&[
                    ("circle", circle.map(|radius| radius.span())),
                    ("points", points.as_ref().map(Located::span)),
                ]));
            }
        };
        let place = self.points.as_ref().map(Located::span).unwrap_or_default();
        Polygon::new(&corners).map_err(|error| SceneError::new(error.to_string()).at(place))
    }
}

impl Building {
    /// Adds a puppet as its table says.
    pub(super) fn add_puppet(
        &mut self,
        name: &str,
        body: &Body,
        material: &Material,
        shape: impl FnOnce() -> Result<TetMesh, SceneError>,
    ) -> Result<(BodyId, TetMesh), SceneError> {
        let (law, place): (Box<dyn Puppet>, _) = match (&body.outline, &body.sections) {
            (Some(outline), _) => (Box::new(prism(body, outline, material)?), outline.span()),
            (None, Some(table)) => (Box::new(jelly(body, table, material, shape()?)?), table.span()),
            (None, None) => return Err(SceneError::new("this body is no puppet").at(body.material.span())),
        };
        let mut mesh = TetMesh { positions: vec![Vec3::zeros(); law.points()], ..TetMesh::default() };
        law.show(&law.start(), &mut mesh.positions, &mut vec![Vec3::zeros(); law.points()]);
        let added = self.builder.puppet(name, law);
        Ok((added.map_err(|error| SceneError::new(error.to_string()).at(place))?, mesh))
    }
}

fn prism(body: &Body, table: &Located<OutlineTable>, material: &Material) -> Result<Prism, SceneError> {
    let failed = |text: String| SceneError::new(text).at(table.span());
    let mut plane = PlaneBody::new(&table.polygon()?, substance(material))
        .map_err(|error| SceneError::new(error.to_string()).at(body.material.span()))?;
    let (position, velocity, spin) = (body.position.si(), body.velocity.si(), body.spin.si());
    let motion = plane.motion_mut();
    // x and z of space are x and y of the plane, so that a turn about y is one with the clock.
    let turned = body.rotation.0.first().map_or(0.0, |r| r.angle.si() * r.axis.si().y.signum());
    motion.position = nalgebra::Rotation2::new(-turned) * motion.position + Vec2::new(position.x, position.z);
    motion.angle = -turned;
    motion.velocity = Vec2::new(velocity.x, velocity.z);
    motion.spin = -spin.y;
    let prism = Prism::new(plane, table.depth.si(), position.y).map_err(|error| failed(error.to_string()))?;
    let prism = prism.with_grip(if table.sticks { Grip::Stick } else { Grip::Slip });
    let adhesion = table.adhesion.map_or(0.0, |adhesion| adhesion.si());
    prism.with_adhesion(adhesion).map_err(|error| failed(error.to_string()))
}

fn jelly(
    body: &Body,
    table: &Located<SectionsTable>,
    material: &Material,
    mut mesh: TetMesh,
) -> Result<Jelly, SceneError> {
    let placement = Placement::of(body, &mesh)?;
    placement.apply(&mut mesh.positions);
    let surface = TriangleSurface::of(&mesh);
    let failed = |text: String| SceneError::new(text).at(table.span());
    let closed =
        ClosedMesh::new(&surface.positions, &surface.triangles).map_err(|error| failed(error.to_string()))?;
    let numbers = JellyNumbers {
        adhesion: table.adhesion.map_or(0.0, |adhesion| adhesion.si()),
        reach: table.reach.map_or(0.0, |reach| reach.si()),
        grip: if table.sticks { Grip::Stick } else { Grip::Slip },
        exponent: table.exponent.map_or(1.0, |exponent| exponent.si()),
        section_vertices: table.vertices.map_or(VERTICES, |count| *count) as usize,
        ..JellyNumbers::new(substance(material))
    };
    let jelly = Jelly::new(&closed, numbers).map_err(|error| failed(error.to_string()))?;
    Ok(jelly.thrown(body.velocity.si(), body.spin.si()))
}
