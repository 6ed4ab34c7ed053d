//! Skins of a scene: fine surfaces that bodies carry.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::exactly_one;
use super::body::{Body, Rotations, one, zero_length};
use super::build::MeshSource;
use super::error::SceneError;
use super::obstacle::ObstacleShape;
use super::points::PointKind;
use super::quantity::{Length, Number, Quantity, Vector};
use super::span::{Located, Span};
use crate::body::{BodyId, WorldBuilder};
use crate::mesh::TriangleSurface;

/// Puts the surface that a lattice was made for on the body that was added last.
pub(super) fn carry(
    builder: &mut WorldBuilder,
    id: BodyId,
    body: &Body,
    surface: &TriangleSurface,
) -> Result<(), SceneError> {
    let how = body.mesh.as_ref().and_then(|mesh| mesh.tetrahedralize.as_ref());
    builder
        .skin(id, surface, how.and_then(|how| how.contact.as_ref()).is_none_or(|contact| **contact))
        .map_err(|error| {
            SceneError::new(error.to_string()).at(how.map(Located::span).unwrap_or_default()).help(
            "let the lattice touch instead: `contact = false`, or cut it to the surface: `method = \"cut\"`",
        )
        })
}

/// A surface that the tetrahedra of a body carry, shown instead of their own surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table like { file = \"dragon.obj\" } or { shape = { sphere = { radius = \"10 cm\" } } }"
)]
pub struct SkinTable {
    /// A file of triangles, relative to the scene file. Instead of `shape`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Located<String>>,
    /// A generated surface: `box`, `sphere`, `capsule` or `plate`. Instead of `file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<Located<ObstacleShape>>,
    /// Factor from its lengths to metres. Default: 1.
    #[serde(default = "one")]
    pub scale: Quantity<Number>,
    /// Where its origin goes in the coordinates of the body's shape or mesh, after the rotation. Default: the origin.
    #[serde(default = "zero_length")]
    pub position: Vector<Length>,
    /// Rotation about its origin, before the body's own. Default: none.
    #[serde(default, skip_serializing_if = "Rotations::is_empty")]
    pub rotation: Rotations,
    /// Whether it touches other bodies; else the surface of the tetrahedra does. Default: true.
    #[serde(default = "yes")]
    pub contact: bool,
}

fn yes() -> bool {
    true
}

impl SkinTable {
    /// Where its surface is written.
    fn place(&self) -> Span {
        let file = self.file.as_ref().map(Located::span);
        file.or(self.shape.as_ref().map(Located::span)).unwrap_or_default()
    }

    /// What the types cannot say; shapes and numbers are checked by the caller.
    pub(super) fn check(&self, body: &Body) -> Result<(), SceneError> {
        if !matches!(body.point_kind(), None | Some(PointKind::Block(_))) {
            return Err(SceneError::new("only solids, affine bodies and blocks carry a skin")
                .at(self.place())
                .help("remove `skin`: ropes, hair, cloth and shells are shown as they are"));
        }
        match (&self.file, &self.shape) {
            (Some(_), None) => Ok(()),
            (None, Some(shape)) if matches!(**shape, ObstacleShape::Plane(_)) => {
                let error = SceneError::new("a plane is no skin: it has no triangles");
                Err(error.at(shape.span()).help("write a `box`, `sphere`, `capsule` or `plate`"))
            }
            (None, Some(_)) => Ok(()),
            (file, shape) => {
                let shape = shape.as_ref().map(Located::span);
                Err(exactly_one(&[("file", file.as_ref().map(Located::span)), ("shape", shape)]))
            }
        }
    }

    /// Puts it on the body that was added last, which still lies where its shape or mesh has it.
    pub(super) fn add(
        &self,
        builder: &mut WorldBuilder,
        body: BodyId,
        files: &dyn MeshSource,
    ) -> Result<(), SceneError> {
        let at = |text: String| SceneError::new(text).at(self.place());
        let mut surface = match (&self.file, &self.shape) {
            (Some(file), _) => files.read_surface(file).map_err(at)?,
            (None, Some(shape)) => shape.surface().map_err(|error| at(error.to_string()))?,
            (None, None) => TriangleSurface::default(),
        };
        surface.positions.iter_mut().for_each(|x| *x *= self.scale.si());
        self.rotation.pose(&self.position)?.apply(&mut surface.positions);
        builder.skin(body, &surface, self.contact).map_err(|error| {
            at(error.to_string())
                .help("`scale`, `rotation` and `position` of the skin act before those of the body")
        })
    }
}
