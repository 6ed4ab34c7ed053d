//! Everything that can end a command, how it is shown, and the exit code.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use aspic::frame::Topology;
use aspic::integrate::StepError;
use aspic::scene::SceneError;
use aspic_io::run_folder::FolderError;
use aspic_io::{OutputError, ReadError};
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};

/// Why a command did not end well.
pub enum Failure {
    /// The scene is wrong; shown with the line.
    Scene { file: PathBuf, text: String, error: SceneError },
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
            Failure::Input(message) => (2, plain_report(message, None)),
            Failure::Simulation { message, help } | Failure::Output { message, help } => {
                (1, plain_report(message, help))
            }
        };
        eprintln!("{report:?}");
        ExitCode::from(code)
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

    /// A step that failed, with the names of the scene.
    pub fn step(error: StepError, topology: &Topology, folder: &Path) -> Failure {
        let message = match error {
            StepError::Inverted { t, dt, body, tet } => format!(
                "at t = {t:.6} s tetrahedron {tet} of body `{}` turns inside out, and steps down to {dt:.1e} s do not help",
                topology.bodies.get(body).map_or("?", |b| &b.name)
            ),
            StepError::Unsatisfied { t, constraint, .. } => format!(
                "at t = {t:.6} s constraint `{}` cannot be kept together with the others",
                topology.constraints.get(constraint).map_or("?", |name| name)
            ),
            StepError::Blocked { t, node, .. } => format!(
                "at t = {t:.6} s the prescribed motion of `{}` is blocked",
                topology.bodies.iter().find(|b| b.nodes.contains(&node)).map_or("?", |b| &b.name)
            ),
            other => other.to_string(),
        };
        let cure = match error {
            StepError::Inverted { .. } => {
                "the load crushes it: use a law that resists (`ls-stable`, `ls`), a stiffer material or a finer mesh"
            }
            StepError::Unsatisfied { .. } => {
                "let one of them go earlier (`until`), or give one a `stiffness`"
            }
            StepError::NotFinite { .. } => "look for enormous forces or stiffnesses in the scene",
            StepError::TooStiff { .. } => {
                "add viscosity, soften the material, coarsen the mesh, or loosen `tolerance`"
            }
            StepError::Locked { .. } | StepError::NoMinimum { .. } => {
                "look at the last frame: something may be squeezed between parts that cannot give way"
            }
            StepError::Blocked { .. } => "slow its motion down, or let what is in its way move",
        };
        let help = format!("{cure}; the frames so far and the ledger are in {}", folder.display());
        Failure::Simulation { message, help: Some(help) }
    }
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
            other => Failure::Input(other.to_string()),
        }
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        Failure::output(error)
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Failure::Input(error.to_string())
    }
}
