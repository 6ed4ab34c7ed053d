//! Everything that can end a command, how it is shown, and the exit code.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use aspic::World;
use aspic::frame::{BodyKind, Topology};
use aspic::integrate::{Spot, StepError};
use aspic::scene::SceneError;
use aspic::world::ForceError;
use aspic_io::run_folder::FolderError;
use aspic_io::vtu::Marks;
use aspic_io::{OutputError, Place, ReadError};
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};
use serde::Serialize;

/// Why a command did not end well.
pub enum Failure {
    /// The scene is wrong; shown with the line.
    Scene { file: PathBuf, text: String, error: SceneError },
    /// Another file that cannot be used. The message says all of it; the rest is for programs.
    File { message: String, file: PathBuf, line: Option<usize>, help: Option<String> },
    /// Other bad input.
    Input(String),
    /// The simulation could not go on.
    Simulation { message: String, help: Option<String> },
    /// Something could not be written.
    Output { message: String, help: Option<String> },
}

impl Failure {
    /// Shows it on standard error; the exit code says what kind it was.
    pub fn report(self) -> ExitCode {
        let (code, report) = match self {
            Failure::Scene { file, text, error } => (2, scene_report(&file, text, &error)),
            Failure::Input(message) | Failure::File { message, .. } => (2, plain_report(message, None)),
            Failure::Simulation { message, help } | Failure::Output { message, help } => {
                (1, plain_report(message, help))
            }
        };
        eprintln!("{report:?}");
        ExitCode::from(code)
    }

    /// The same for programs.
    pub fn as_object(&self) -> Failed {
        Failed { error: self.details() }
    }

    /// What has happened, and what is known of where and of the cure.
    pub fn details(&self) -> Details {
        let plain = |message: &String, help: &Option<String>| Details {
            message: message.clone(),
            help: help.clone(),
            ..Details::default()
        };
        match self {
            Failure::Scene { file, text, error } => Details {
                file: Some(file.display().to_string()),
                line: error.span.is_some().then(|| error.line_column(text).0),
                ..plain(&error.message, &error.help)
            },
            Failure::File { message, file, line, help } => {
                Details { file: Some(file.display().to_string()), line: *line, ..plain(message, help) }
            }
            Failure::Input(message) => plain(message, &None),
            Failure::Simulation { message, help } | Failure::Output { message, help } => plain(message, help),
        }
    }

    /// A file that cannot be used.
    pub fn file(file: &Path, message: String) -> Failure {
        Failure::File { message, file: file.into(), line: None, help: None }
    }

    /// Something that could not be written, and no run stands to be continued.
    pub fn output(error: impl std::fmt::Display) -> Failure {
        Failure::Output { message: error.to_string(), help: None }
    }

    /// A file of a run that could not be written.
    pub fn output_of_run(error: &OutputError, resume: &str) -> Failure {
        let help = format!("nothing is lost: when that is mended, `{resume}` goes on behind the last frame");
        Failure::Output { message: error.to_string(), help: Some(help) }
    }

    /// A step that failed, with the names of the scene. `picture` is the file that shows where.
    pub fn step(error: StepError, world: &World, folder: &Path, picture: Option<&Path>) -> Failure {
        let shown = picture.map(|file| format!("; {} shows the place", file.display())).unwrap_or_default();
        let help =
            format!("{}; the frames so far and the ledger are in {}{shown}", error.cure(), folder.display());
        Failure::Simulation { message: error.explain(world), help: Some(help) }
    }
}

/// What a program gets to read when a command fails.
#[derive(Serialize)]
pub struct Failed {
    error: Details,
}

/// What has happened, where and what to do about it, as far as that is known.
#[derive(Default, Serialize)]
pub struct Details {
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

/// What the file about a failed step shows; `None` where there is no place to show.
pub fn marks(error: &StepError, topology: &Topology) -> Option<Marks> {
    match *error {
        StepError::Inverted { t, body, tet, .. } => Some(element(t, body, tet, topology)),
        StepError::NotFinite { t, node, .. } => Some(node_marks(t, node, topology)),
        StepError::Locked { t, spot, .. }
        | StepError::NoMinimum { t, spot, .. }
        | StepError::Blocked { t, spot, .. } => Some(match spot {
            Spot::Pair { bodies, points, .. } => {
                let bodies = if bodies[0] == bodies[1] { &bodies[..1] } else { &bodies[..] };
                let bodies = bodies.iter().map(|&body| body as usize).collect();
                Marks { time: t, bodies, points: points.to_vec(), tet: None }
            }
            Spot::Element { body, tet, pressed_by, .. } => {
                with(pressed_by, element(t, body as usize, tet as usize, topology))
            }
            Spot::Node { node, pressed_by, .. } => with(pressed_by, node_marks(t, node as usize, topology)),
        }),
        StepError::TooLong { t, cause: ForceError::Inverted { body, tet }, .. } => {
            Some(element(t, body, tet, topology))
        }
        StepError::TooLong { t, cause: ForceError::NotFinite { node }, .. } => {
            Some(node_marks(t, node, topology))
        }
        StepError::Chatter { t, bodies } => {
            let bodies = bodies.into_iter().map(|body| body as usize);
            let bodies: Vec<usize> = bodies.filter(|&body| body < topology.bodies.len()).collect();
            Some(Marks { time: t, bodies, points: vec![], tet: None })
        }
        StepError::Puppet { .. }
        | StepError::Massless { .. }
        | StepError::Unsatisfied { .. }
        | StepError::TooStiff { .. }
        | StepError::TooLong { .. } => None,
    }
}

/// A tetrahedron of a body; an affine body fails as a whole.
fn element(time: f64, body: usize, tet: usize, topology: &Topology) -> Marks {
    let range =
        topology.bodies.get(body).filter(|b| b.kind != BodyKind::Affine).map_or(0..0, |b| b.tets.clone());
    let tet = Some(range.start + tet).filter(|tet| range.contains(tet));
    let points = tet.and_then(|tet| topology.tets.get(tet)).map_or(vec![], |corners| corners.to_vec());
    Marks { time, bodies: vec![body], points, tet }
}

/// A node of a body; those of an affine body are no points.
fn node_marks(time: f64, node: usize, topology: &Topology) -> Marks {
    let body = topology.bodies.iter().position(|b| b.nodes.contains(&node));
    let plain = body.map(|body| &topology.bodies[body]).filter(|b| b.kind != BodyKind::Affine);
    let points = plain.map(|b| vec![(node - b.nodes.start + b.points.start) as u32]).unwrap_or_default();
    Marks { time, bodies: body.into_iter().collect(), points, tet: None }
}

/// Shows those who press on the body too.
fn with(pressed_by: [Option<u32>; 2], mut marks: Marks) -> Marks {
    marks.bodies.extend(pressed_by.into_iter().flatten().map(|body| body as usize));
    marks
}

fn plain_report(message: String, help: Option<String>) -> Report {
    let mut diagnostic = MietteDiagnostic::new(message);
    diagnostic.help = help;
    Report::new(diagnostic)
}

/// An error without a place is about the scene as a whole, and points at its start.
fn scene_report(file: &Path, text: String, error: &SceneError) -> Report {
    let mut diagnostic = MietteDiagnostic::new(error.message.clone());
    diagnostic.help.clone_from(&error.help);
    let label = if error.span.is_some() { "here" } else { "in this scene" };
    let span = error.span.clone().unwrap_or_default();
    let start = span.start.min(text.len());
    let span = start..span.end.clamp(start, text.len());
    let diagnostic = diagnostic.with_label(LabeledSpan::at(span, label));
    Report::new(diagnostic).with_source_code(NamedSource::new(file.display().to_string(), text))
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        match error {
            FolderError::Write(error) => error.into(),
            FolderError::Read(error) => error.into(),
            FolderError::Occupied { ref path }
            | FolderError::InUse { ref path }
            | FolderError::NoRun { ref path, .. }
            | FolderError::LostRows { ref path, .. }
            | FolderError::OtherScene { ref path } => Failure::file(path, error.to_string()),
        }
    }
}

impl From<OutputError> for Failure {
    /// A name that nothing can be written under is bad input.
    fn from(error: OutputError) -> Self {
        use std::io::ErrorKind::{AlreadyExists, InvalidInput, NotADirectory};
        match &error {
            OutputError::Io { source, .. }
                if [AlreadyExists, InvalidInput, NotADirectory].contains(&source.kind()) =>
            {
                Failure::Input(error.to_string())
            }
            _ => Failure::output(error),
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        let message = error.to_string();
        match error {
            ReadError::Format { path, place, cure, .. } => {
                let line = if let Place::Line(line) = place { Some(line) } else { None };
                Failure::File { message, file: path, line, help: Some(cure) }
            }
            ReadError::Io { path, .. }
            | ReadError::UnknownExtension { path, .. }
            | ReadError::Mesh { path, .. }
            | ReadError::Surface { path, .. } => Failure::file(&path, message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aspic::body::ContactSettings;
    use aspic::constraint::{Path as Way, Trajectory};
    use aspic::integrate::ImplicitSettings;
    use aspic::kinetic::MassModel;
    use aspic::mesh::generate;
    use aspic::potential::material::Moduli;
    use aspic::run::Method;
    use aspic::{Material, Settings, Simulation, Vec3, WorldBuilder};

    /// A press that is driven through a held block.
    fn pressed() -> Simulation {
        let block = generate::block(Vec3::repeat(0.1), [1; 3]).unwrap();
        let jelly = Material::elastic(1000.0, Moduli::new(40e3, 15e3).unwrap());
        let mut builder = WorldBuilder::new();
        builder.solid("block", &block, &jelly, MassModel::Lumped).unwrap();
        builder.hold("hand", &(0..block.positions.len() as u32).collect::<Vec<_>>());
        let mut press = generate::plate_surface(0.5, 0.5).unwrap();
        press.positions.iter_mut().for_each(|x| x.z += 0.2);
        let motion = Way::new(&[(0.0, Vec3::zeros()), (0.1, Vec3::z() * -0.4)]);
        builder.add_obstacle("press", &press, &Trajectory::new(motion, None)).unwrap();
        builder.contact(ContactSettings::default());
        let (world, state) = builder.build().unwrap();
        let mut settings = Settings { duration: 0.1, ..Settings::default() };
        settings.limits.min_step = 1e-3;
        settings.method = Method::Implicit(ImplicitSettings::default());
        Simulation::new(world, state, settings)
    }

    #[test]
    fn a_blocked_press_is_named_with_what_is_in_its_way_and_shown_in_a_file() {
        let mut simulation = pressed();
        let error = loop {
            match simulation.next_frame() {
                Ok(frame) => assert!(frame.is_some(), "the press went through"),
                Err(error) => break error,
            }
        };
        let topology = &simulation.world().topology;
        let marks = marks(&error, topology).unwrap();
        assert_eq!(marks.bodies, [0, 1]);
        let file = tempfile::tempdir().unwrap().keep().join("failure.vtu");
        aspic_io::vtu::write_marks(&file, topology, &simulation.points_before(), &marks).unwrap();
        let shown = Some(&*file);
        let Failure::Simulation { message, help } =
            Failure::step(error, simulation.world(), Path::new("out"), shown)
        else {
            panic!("not a failed simulation");
        };
        assert!(message.contains("`block` (point") && message.contains("and `press` (point"), "{message}");
        assert!(message.contains("m of room left between them"), "{message}");
        assert!(help.unwrap().ends_with("failure.vtu shows the place"));
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
        // 8 corners of the block and 4 of the press; 12 triangles and 2.
        assert!(text.contains("<Piece NumberOfPoints=\"12\" NumberOfCells=\"14\">"), "{text}");
    }
}
