//! What a page is told about a scene before its frames: bodies, planes, constraints, parameters.

use aspic::Vec3;
use aspic::frame::{BodyKind, Topology};
use aspic_io::ledger::COLUMNS;
use aspic_io::run_film::{Constrained, NamedPlane, kind_word};
use axum::body::Bytes;
use serde::Serialize;

use crate::protocol::{self, VERSION, kind};

/// The scene message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scene {
    /// Version of the messages.
    pub version: u32,
    /// Whether it runs now or has been run.
    pub mode: Mode,
    /// A name for people.
    pub title: String,
    /// Number of points.
    pub points: usize,
    /// Number of tetrahedra.
    pub tets: usize,
    /// Number of exposed triangles.
    pub triangles: usize,
    /// Number of edges: segments of ropes.
    pub edges: usize,
    /// The bodies, in the order of their points.
    pub bodies: Vec<Body>,
    /// Half-spaces that nothing may enter.
    pub planes: Vec<NamedPlane>,
    /// Constraints and the points they act on, where that is known.
    pub constraints: Vec<Constrained>,
    /// Frames of a film that are there now; 0 for a live run.
    pub frames: usize,
    /// Whether no more frames of a film are to be expected.
    pub complete: bool,
    /// Simulated time from frame to frame  \[s\]
    pub frame_interval: f64,
    /// Simulated time of the whole run  \[s\]; of a live run what the scene says, which is not its end.
    pub duration: f64,
    /// Names of the numbers in a row of the ledger.
    pub ledger: Vec<&'static str>,
    /// Fields that frames can carry: bits of [`protocol::field`].
    pub fields: u32,
    /// What can be changed in a live run.
    pub parameters: Vec<Parameter>,
}

/// Where frames come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// From a simulation that runs now.
    Live,
    /// From files.
    Film,
}

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Body {
    /// Its name in the scene.
    pub name: String,
    /// `solid`, `affine`, `obstacle` or `points`.
    pub kind: &'static str,
    /// Its first point, and one past its last.
    pub points: [usize; 2],
    /// The same for tetrahedra.
    pub tets: [usize; 2],
    /// The same for exposed triangles.
    pub triangles: [usize; 2],
    /// The same for edges.
    pub edges: [usize; 2],
    /// Half its thickness, for what has edges or open triangles  \[m\]
    pub radius: f64,
}

/// A number that can be changed while a scene runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// What requests call it.
    pub key: String,
    /// What people call it.
    pub label: String,
    /// Its unit.
    pub unit: &'static str,
    /// Under which heading it belongs.
    pub group: String,
    /// The value now.
    pub value: f64,
    /// Least value that makes sense.
    pub min: f64,
    /// Largest value that makes sense.
    pub max: f64,
    /// How a slider should run.
    pub scale: SliderScale,
}

/// How a slider runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SliderScale {
    /// Evenly.
    Linear,
    /// By factors.
    Log,
}

impl Scene {
    /// What a topology tells; the rest is empty.
    pub fn of(mode: Mode, topology: &Topology) -> Scene {
        let range = |range: &std::ops::Range<usize>| [range.start, range.end];
        let bodies = topology.bodies.iter().map(|body| Body {
            name: body.name.clone(),
            kind: kind_word(body.kind),
            points: range(&body.points),
            tets: range(&body.tets),
            triangles: range(&body.triangles),
            edges: range(&body.edges),
            radius: body.radius,
        });
        Scene {
            version: VERSION,
            mode,
            title: String::new(),
            points: topology.points,
            tets: topology.tets.len(),
            triangles: topology.triangles.len(),
            edges: topology.edges.len(),
            bodies: bodies.collect(),
            planes: vec![],
            constraints: vec![],
            frames: 0,
            complete: false,
            frame_interval: 0.0,
            duration: 0.0,
            ledger: COLUMNS.to_vec(),
            fields: 0,
            parameters: vec![],
        }
    }
}

/// Constraints of bodies that can move: obstacles are held by one each, which nobody needs to see.
pub fn visible(constraints: impl Iterator<Item = Constrained>, topology: &Topology) -> Vec<Constrained> {
    let obstacle =
        |name: &str| topology.bodies.iter().any(|b| b.kind == BodyKind::Obstacle && b.name == name);
    constraints.filter(|constraint| !obstacle(&constraint.name)).collect()
}

/// The two messages that open a scene.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The scene.
    pub scene: Bytes,
    /// Its topology.
    pub topology: Bytes,
}

impl Stage {
    /// Writes both messages; `rest` are the points at rest \[m\].
    pub fn new(scene: &Scene, topology: &Topology, rest: &[Vec3]) -> Stage {
        Stage { scene: protocol::json(kind::SCENE, scene), topology: protocol::topology(topology, rest) }
    }
}
