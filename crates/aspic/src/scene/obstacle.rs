//! Obstacles of a scene: what stands or moves in the way, whatever touches it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::body::{MeshFile, Rotations, zero_length};
use super::build::MeshSource;
use super::build_points;
use super::error::SceneError;
use super::motion::{Motion, path_in_time};
use super::quantity::{Length, Quantity, Vector};
use super::selection::Plane;
use super::span::{Exactly, Located, Span};
use crate::Vec3;
use crate::body::WorldBuilder;
use crate::constraint::{Path, Trajectory};
use crate::mesh::{self, Pose, TriangleSurface, generate};

/// Something in the way that nothing moves: it stands still, or moves as prescribed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table that describes an obstacle")]
pub struct Obstacle {
    /// A generated shape. Instead of `mesh`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<Located<ObstacleShape>>,
    /// A surface from a file: its triangles, or the surface of its tetrahedra. Instead of `shape`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<Located<MeshFile>>,
    /// Where the shape's origin goes, after the rotation. Default: the origin.
    #[serde(default = "zero_length")]
    pub position: Vector<Length>,
    /// Rotation about the shape's origin: one, or several applied in order. Default: none.
    #[serde(default, skip_serializing_if = "Rotations::is_empty")]
    pub rotation: Rotations,
    /// How it moves. Default: not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Located<Motion>>,
}

/// A shape for obstacles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ObstacleShape {
    /// Everything behind a plane; bodies stay on the side its normal points to. It does not move.
    Plane(Plane),
    /// A box centred at the origin.
    Box(ObstacleBox),
    /// A sphere centred at the origin.
    Sphere(ObstacleSphere),
    /// An upright cylinder between two half spheres, centred at the origin.
    Capsule(Capsule),
    /// A flat rectangle in the plane z = 0, centred at the origin.
    Plate(Plate),
}

/// Sizes of a box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { size = [1, 1, 0.1] }")]
pub struct ObstacleBox {
    /// Edge lengths along x, y, z.
    pub size: Vector<Length>,
}

/// Sizes of a sphere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { radius = \"10 cm\" }")]
pub struct ObstacleSphere {
    /// Radius.
    pub radius: Quantity<Length>,
    /// How often the triangles of an icosahedron are cut in four, 0 to 7. Default: 3.
    #[serde(default = "three")]
    pub divisions: Located<u32>,
}

/// Sizes of a capsule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { radius = \"2 cm\", length = \"30 cm\" }")]
pub struct Capsule {
    /// Radius.
    pub radius: Quantity<Length>,
    /// Length of the cylinder between the half spheres, along z.
    pub length: Quantity<Length>,
    /// Circles of vertices on each half sphere, 1 to 500. Default: 6.
    #[serde(default = "six")]
    pub rings: Located<u32>,
}

/// Sizes of a plate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { size = [1, 1] }")]
pub struct Plate {
    /// Edge lengths along x and y.
    pub size: Exactly<Quantity<Length>, 2>,
}

fn three() -> Located<u32> {
    Located::new(3)
}

fn six() -> Located<u32> {
    Located::new(6)
}

impl Obstacle {
    /// Where its shape is written.
    pub(super) fn place(&self) -> Span {
        let shape = self.shape.as_ref().map(Located::span);
        shape.or(self.mesh.as_ref().map(Located::span)).unwrap_or_default()
    }

    /// Its motion, settled; an error where a key does not make sense.
    pub(super) fn trajectory(&self) -> Result<Trajectory, SceneError> {
        let Some(motion) = &self.motion else { return Ok(Trajectory::still()) };
        if let Some(ObstacleShape::Plane(_)) = self.shape.as_deref() {
            return Err(SceneError::new("a plane does not move")
                .at(motion.span())
                .help("remove `motion`, or use a `box` or a `plate`"));
        }
        if motion.path.is_none() && motion.turn.is_none() {
            return Err(SceneError::new("`motion` has neither `path` nor `turn`")
                .at(motion.span())
                .help("write motion = { path = [{ at = \"2 s\", by = [0, 0, 0.3] }] }, or remove it"));
        }
        let keys = motion.path.as_ref().map(path_in_time).transpose()?.unwrap_or_default();
        let turn = motion.turn.as_ref().map(|turn| turn.in_time()).transpose()?;
        Ok(Trajectory::new(Path::new(&keys), turn))
    }

    /// Adds it to a world.
    pub(super) fn add(
        &self,
        name: &str,
        builder: &mut WorldBuilder,
        files: &dyn MeshSource,
    ) -> Result<(), SceneError> {
        let at = |text: String| SceneError::new(text).at(self.place());
        let pose = self.rotation.pose(&self.position)?;
        if let Some(ObstacleShape::Plane(plane)) = self.shape.as_deref() {
            let mut point = [plane.point.si()];
            pose.apply(&mut point);
            let plane = mesh::Plane::new(point[0], pose.rotation * plane.normal.si());
            builder.add_plane(name, plane.map_err(|error| at(error.to_string()))?);
            return Ok(());
        }
        let mut surface = self.surface(files)?;
        pose.apply(&mut surface.positions);
        let added = builder.add_obstacle(name, &surface, &self.trajectory()?);
        let id = added.map_err(|error| at(error.to_string()))?;
        if let Some(ObstacleShape::Sphere(sphere)) = self.shape.as_deref() {
            builder.round(id, sphere.radius.si());
        }
        Ok(())
    }

    /// The triangles before they are placed; none for a plane.
    fn surface(&self, files: &dyn MeshSource) -> Result<TriangleSurface, SceneError> {
        if let Some(file) = &self.mesh {
            return build_points::surface_of(file, files);
        }
        let Some(shape) = &self.shape else { return Ok(TriangleSurface::default()) };
        shape.surface().map_err(|error| SceneError::new(error.to_string()).at(shape.span()))
    }
}

impl ObstacleShape {
    /// Its triangles; none for a plane.
    pub(super) fn surface(&self) -> Result<TriangleSurface, mesh::MeshError> {
        match self {
            ObstacleShape::Plane(_) => Ok(TriangleSurface::default()),
            ObstacleShape::Box(s) => generate::box_surface(s.size.si()),
            ObstacleShape::Sphere(s) => generate::sphere_surface(s.radius.si(), *s.divisions as usize),
            ObstacleShape::Capsule(s) => {
                generate::capsule_surface(s.radius.si(), s.length.si(), *s.rings as usize)
            }
            ObstacleShape::Plate(s) => generate::plate_surface(s.size[0].si(), s.size[1].si()),
        }
    }
}

impl Rotations {
    /// These rotations, then the shift to `position`.
    pub(super) fn pose(&self, position: &Vector<Length>) -> Result<Pose, SceneError> {
        let turns: Vec<(Vec3, f64)> = self.0.iter().map(|turn| (turn.axis.si(), turn.angle.si())).collect();
        Pose::new(&turns, position.si())
            .map_err(|error| SceneError::new(error.to_string()).at(position.span()))
    }
}
