//! What can go wrong at the two boundaries: reading and writing files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use aspic::mesh::{MeshError, SurfaceError};

/// Where in a file something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere in particular.
    File,
    /// A line, from 1.
    Line(usize),
    /// A byte, from 0.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Line(line) => write!(f, ", line {line}"),
            Place::Byte(byte) => write!(f, ", byte {byte}"),
        }
    }
}

/// Why a file cannot be read. Each message names the file, the place, the cause and the cure.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system cannot hand out the file.
    #[error("cannot read {}: {source}{}", path.display(), hint(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The name does not say which format the file has.
    #[error("cannot tell the format of {} from its name: meshes end in {known}", path.display())]
    UnknownExtension {
        /// The file.
        path: PathBuf,
        /// The known extensions.
        known: &'static str,
    },
    /// The content is not what the format asks for.
    #[error("{}{place}: {cause}: {cure}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Where it is wrong.
        place: Place,
        /// What is wrong.
        cause: String,
        /// What to do about it.
        cure: String,
    },
    /// The file is well formed, but its mesh cannot be simulated.
    #[error("{}: {source}", path.display())]
    Mesh {
        /// The file.
        path: PathBuf,
        /// What is wrong with the mesh.
        source: MeshError,
    },
    /// The file is well formed, but its triangles cannot be used.
    #[error("{}: {source}", path.display())]
    Surface {
        /// The file.
        path: PathBuf,
        /// What is wrong with the triangles.
        source: SurfaceError,
    },
}

fn hint(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::NotFound => ": check the name and the folder",
        io::ErrorKind::PermissionDenied => ": check who may read it",
        _ => "",
    }
}

impl ReadError {
    /// A file that breaks the rules of its format.
    pub(crate) fn format(
        path: &Path,
        place: Place,
        cause: impl Into<String>,
        cure: impl Into<String>,
    ) -> ReadError {
        ReadError::Format { path: path.into(), place, cause: cause.into(), cure: cure.into() }
    }

    /// A mesh that breaks the rules of the simulation.
    pub(crate) fn mesh(path: &Path, source: MeshError) -> ReadError {
        ReadError::Mesh { path: path.into(), source }
    }

    /// Triangles that break the rules of a surface.
    pub(crate) fn surface(path: &Path, source: SurfaceError) -> ReadError {
        ReadError::Surface { path: path.into(), source }
    }
}

/// The whole file.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    std::fs::read(path).map_err(|source| ReadError::Io { path: path.into(), source })
}

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The system refuses.
    #[error("cannot write {}: {}", path.display(), refusal(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Two parts of what should be written do not fit together.
    #[error("cannot write {}: {what} has {got} entries where {expected} are needed", path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// The part.
        what: String,
        /// The length it must have.
        expected: usize,
        /// The length it has.
        got: usize,
    },
    /// A picture could not be drawn.
    #[error("cannot draw {}: {cause}", path.display())]
    Drawing {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        cause: String,
    },
}

fn refusal(source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => format!(
            "the disk is full ({source}): make room, then `aspic resume` continues from the last checkpoint"
        ),
        io::ErrorKind::FileTooLarge => {
            format!("the file may not grow that large ({source}): raise the limit (`ulimit -f`)")
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            format!("a file stands where a folder is needed ({source}): choose another folder")
        }
        io::ErrorKind::NotFound => format!("the folder is missing ({source})"),
        io::ErrorKind::PermissionDenied => format!("{source}: check who may write there"),
        _ => source.to_string(),
    }
}

impl OutputError {
    /// The system's refusal, with the file it is about.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> OutputError + '_ {
        move |source| OutputError::Io { path: path.into(), source }
    }

    /// Refuses a part of the wrong length.
    pub(crate) fn expect_length(
        path: &Path,
        what: &str,
        expected: usize,
        got: usize,
    ) -> Result<(), OutputError> {
        if expected == got {
            return Ok(());
        }
        Err(OutputError::Mismatch { path: path.into(), what: what.into(), expected, got })
    }
}
