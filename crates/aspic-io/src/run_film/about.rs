//! What a run is, apart from its frames: names, kinds, planes, what constraints act on (`run.json`). Folders that
//! were written without this file tell most of it by their `scene.toml`.

use std::path::Path;

use aspic::Vec3;
use aspic::frame::{BodyKind, Topology};
use aspic::mesh::{Plane, Pose};
use aspic::scene::points::PointKind;
use aspic::scene::{Body, Kind, Obstacle, ObstacleShape, Scene};
use aspic::verdict::Finding;
use serde::{Deserialize, Serialize};

use crate::{OutputError, Place, ReadError, atomic};

/// The version of `run.json` that this program writes, and the newest it reads.
pub const VERSION: u32 = 1;

/// What a run is, apart from its frames.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The version of the file.
    pub version: u32,
    /// The title of the scene; empty if it has none.
    pub title: String,
    /// Frames of the whole run, if it comes to its end.
    pub frames: usize,
    /// Simulated time from frame to frame  \[s\]
    pub frame_interval: f64,
    /// Simulated time of the whole run  \[s\]
    pub duration: f64,
    /// The bodies, in the order of their numbers; obstacles with a surface come last.
    pub bodies: Vec<AboutBody>,
    /// The half-spaces that nothing may enter.
    pub planes: Vec<NamedPlane>,
    /// The constraints, in the order of `reactions.csv`; obstacles with a surface come last.
    pub constraints: Vec<Constrained>,
    /// What makes the result doubtful; `None` while nobody has judged the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<Finding>>,
    /// What is good to know about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<Vec<Finding>>,
}

/// A body by its name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AboutBody {
    /// The name from the scene.
    pub name: String,
    /// What it is.
    #[serde(with = "kind")]
    pub kind: BodyKind,
    /// Half its thickness, for what has edges or open triangles; 0 otherwise  \[m\]
    #[serde(default, skip_serializing_if = "is_zero")]
    pub radius: f64,
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// The border of a half-space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NamedPlane {
    /// The name from the scene.
    pub name: String,
    /// A point of the plane  \[m\]
    pub point: [f64; 3],
    /// Unit vector towards where bodies may be.
    pub normal: [f64; 3],
}

/// A constraint and the points it acts on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Constrained {
    /// The name from the scene.
    pub name: String,
    /// Numbers of the points, ascending; empty where they are not known.
    pub points: Vec<u32>,
}

/// The words for kinds of bodies.
mod kind {
    use aspic::frame::BodyKind;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub fn serialize<S: Serializer>(kind: &BodyKind, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(super::kind_word(*kind))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BodyKind, D::Error> {
        match String::deserialize(from)?.as_str() {
            "solid" => Ok(BodyKind::Solid),
            "affine" => Ok(BodyKind::Affine),
            "obstacle" => Ok(BodyKind::Obstacle),
            "points" => Ok(BodyKind::Points),
            "boundary" => Ok(BodyKind::Boundary),
            "puppet" => Ok(BodyKind::Puppet),
            other => Err(D::Error::custom(format!("`{other}` is no kind of body"))),
        }
    }
}

/// `solid`, `affine`, `obstacle`, `points`, `boundary` or `puppet`.
pub fn kind_word(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Solid => "solid",
        BodyKind::Affine => "affine",
        BodyKind::Obstacle => "obstacle",
        BodyKind::Points => "points",
        BodyKind::Boundary => "boundary",
        BodyKind::Puppet => "puppet",
    }
}

impl About {
    /// The names and kinds of a topology; everything else is empty.
    pub fn of(topology: &Topology) -> About {
        let bodies = topology.bodies.iter().map(|b| AboutBody {
            name: b.name.clone(),
            kind: b.kind,
            radius: b.radius,
        });
        let constraints = topology.constraints.iter();
        About {
            version: VERSION,
            bodies: bodies.collect(),
            constraints: constraints.map(|name| Constrained { name: name.clone(), points: vec![] }).collect(),
            ..About::default()
        }
    }

    /// Writes `run.json`, whole or not at all, on the disk when this returns.
    pub(crate) fn write(&self, path: &Path) -> Result<(), OutputError> {
        atomic::write_to_disk(path, |w| {
            serde_json::to_writer_pretty(&mut *w, self)?;
            w.write_all(b"\n")
        })
    }

    /// Reads `run.json`.
    pub(crate) fn read(path: &Path) -> Result<About, ReadError> {
        let bytes = crate::error::read_bytes(path)?;
        let about: About = serde_json::from_slice(&bytes).map_err(|error| {
            let cure = "delete it: what it says will be taken from scene.toml as far as possible";
            ReadError::format(path, Place::Line(error.line()), error.to_string(), cure)
        })?;
        if about.version > VERSION {
            let cause = format!("its version is {}, this program knows {VERSION}", about.version);
            return Err(ReadError::format(path, Place::File, cause, "use the aspic that wrote the run"));
        }
        Ok(about)
    }

    /// What the text of `scene.toml` tells; `None` if this program cannot read it.
    pub(crate) fn from_scene(text: &str) -> Option<About> {
        let scene = Scene::parse(text).ok()?;
        let (duration, frame_interval) = (scene.duration.si(), scene.output.interval());
        let surfaces = scene.obstacles.iter().filter(|(_, o)| plane(o).is_none()).map(|(name, _)| name);
        let bodies = scene.bodies.iter().map(|(name, body)| about_body(name, body));
        let obstacles = surfaces.clone().map(|name| AboutBody {
            name: name.clone(),
            kind: BodyKind::Obstacle,
            radius: 0.0,
        });
        let planes = scene.obstacles.iter().filter_map(|(name, obstacle)| {
            let Plane { point, normal } = plane(obstacle)?;
            Some(NamedPlane { name: name.clone(), point: point.into(), normal: normal.into() })
        });
        let constraints = scene.constraints.keys().chain(surfaces);
        Some(About {
            version: VERSION,
            title: scene.title.clone().unwrap_or_default(),
            frames: (duration / frame_interval * (1.0 - 1e-12)).ceil() as usize + 1,
            frame_interval,
            duration,
            bodies: bodies.chain(obstacles).collect(),
            planes: planes.collect(),
            constraints: constraints.map(|name| Constrained { name: name.clone(), points: vec![] }).collect(),
            ..About::default()
        })
    }
}

/// What the scene says of a body.
fn about_body(name: &str, body: &Body) -> AboutBody {
    let (kind, radius) = match body.point_kind() {
        _ if body.is_puppet() => (BodyKind::Puppet, 0.0),
        Some(PointKind::Rope(rope)) => (BodyKind::Points, rope.radius.si()),
        Some(PointKind::Hair(hair)) => (BodyKind::Points, hair.radius.si()),
        Some(PointKind::Cloth(cloth)) => (BodyKind::Points, 0.5 * cloth.thickness.si()),
        Some(PointKind::Shell(shell)) => (BodyKind::Points, 0.5 * shell.thickness.si()),
        Some(PointKind::Block(_)) => (BodyKind::Points, 0.0),
        None if body.kind == Kind::Affine => (BodyKind::Affine, 0.0),
        None if body.kind == Kind::Boundary => (BodyKind::Boundary, 0.0),
        None => (BodyKind::Solid, 0.0),
    };
    AboutBody { name: name.into(), kind, radius }
}

/// The plane that an obstacle is, in its place.
fn plane(obstacle: &Obstacle) -> Option<Plane> {
    let Some(ObstacleShape::Plane(plane)) = obstacle.shape.as_deref() else { return None };
    let turns: Vec<(Vec3, f64)> =
        obstacle.rotation.0.iter().map(|turn| (turn.axis.si(), turn.angle.si())).collect();
    let pose = Pose::new(&turns, obstacle.position.si()).ok()?;
    let mut point = [plane.point.si()];
    pose.apply(&mut point);
    Plane::new(point[0], pose.rotation * plane.normal.si()).ok()
}
