//! From a scene file to a simulation.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aspic::Simulation;
use aspic::mesh::{TetMesh, TriangleSurface};
use aspic::scene::span::Located;
use aspic::scene::{FillMethod, Filled, MeshFile, MeshSource, Scene, SceneError};
use aspic_io::mesh::{Content, Import};
use aspic_mesh::{Cell, Soup};

use crate::failure::Failure;
use crate::old_format;

/// A scene file, its text and what it says.
pub struct Loaded {
    pub file: PathBuf,
    pub text: String,
    pub scene: Scene,
}

/// Vertices by group name of each mesh file that was read.
pub type Groups = Vec<BTreeMap<String, Vec<u32>>>;

/// Mesh files, relative to the scene file.
struct Beside {
    folder: PathBuf,
    /// The groups of those that were read so far.
    groups: RefCell<Groups>,
}

impl MeshSource for Beside {
    fn read(&self, file: &str) -> Result<TetMesh, String> {
        let mesh = aspic_io::mesh::read(&self.folder.join(file)).map_err(|error| error.to_string())?;
        self.groups.borrow_mut().push(mesh.groups.clone());
        Ok(mesh)
    }

    fn read_surface(&self, file: &str) -> Result<TriangleSurface, String> {
        aspic_io::mesh::read_surface(&self.folder.join(file)).map_err(|error| error.to_string())
    }

    fn fill(&self, file: &MeshFile) -> Result<Filled, String> {
        let path = self.folder.join(&*file.file);
        let content =
            aspic_io::mesh::read_any(&path, &Import::default()).map_err(|error| error.to_string())?;
        let Content::Triangles { positions, triangles } = content else {
            let path = path.display();
            return Err(format!("{path} is filled with tetrahedra already: remove `tetrahedralize`"));
        };
        let mut soup = Soup { positions, triangles };
        soup.positions.iter_mut().for_each(|x| *x = file.up.turned(x) * file.scale.si());
        let Some(how) = &file.tetrahedralize else { return Err("nothing says how to fill it".into()) };
        let cell = match (&how.cell, &how.count) {
            (Some(cell), _) => Cell::Size(cell.si()),
            (None, count) => Cell::Count(count.as_ref().map_or(0, |count| **count as usize)),
        };
        let whole = how.method == FillMethod::Lattice;
        let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let (mesh, report) = crate::mesh::fill(&soup, cell, whole).map_err(|error| at(&error))?;
        report.warnings().iter().for_each(|warning| eprintln!("Warning: {}", at(warning)));
        Ok(Filled { mesh, skin: whole.then(|| aspic_mesh::tidy(&soup)) })
    }
}

impl Loaded {
    /// Reads and checks a scene file.
    pub fn read(file: &Path) -> Result<Loaded, Failure> {
        if file.is_dir() {
            let path = file.display();
            let message = format!("{path} is a folder, not a scene file: try `aspic info {path}`");
            return Err(Failure::file(file, message));
        }
        if old_format::is_one(file) {
            return Loaded::parse(file, old_format::scene(file)?);
        }
        let bytes = std::fs::read(file).map_err(|error| {
            let cure = match error.kind() {
                std::io::ErrorKind::PermissionDenied => "check who may read it",
                _ => "check the name and the folder",
            };
            Failure::file(file, format!("cannot read {}: {error}: {cure}", file.display()))
        })?;
        Loaded::parse(file, text(file, bytes)?)
    }

    /// Checks a scene whose text is at hand.
    pub fn parse(file: &Path, text: String) -> Result<Loaded, Failure> {
        if text.trim().is_empty() {
            let error = SceneError::new("the file is empty")
                .help("a scene needs a `duration`, a [materials.NAME] and a [bodies.NAME]");
            return Err(Failure::Scene { file: file.into(), text, error });
        }
        match Scene::parse(&text) {
            Ok(scene) => Ok(Loaded { file: file.into(), text, scene }),
            Err(error) => Err(Failure::Scene { file: file.into(), text, error }),
        }
    }

    /// Says on standard error what is allowed in this scene and yet likely to disappoint.
    pub fn warn(&self) {
        self.scene.warnings().iter().for_each(|warning| eprintln!("Warning: {warning}"));
    }

    /// Where its mesh files are.
    pub fn files(&self) -> impl MeshSource + Send + 'static {
        self.beside()
    }

    fn beside(&self) -> Beside {
        let folder = self.file.parent().unwrap_or(Path::new(""));
        Beside { folder: folder.into(), groups: RefCell::default() }
    }

    /// The simulation at time zero.
    pub fn build(&self) -> Result<Simulation, Failure> {
        self.build_with_groups().map(|(simulation, _)| simulation)
    }

    /// The same, with the groups of its mesh files.
    pub fn build_with_groups(&self) -> Result<(Simulation, Groups), Failure> {
        let files = self.beside();
        let simulation = self.scene.build(&files).map_err(|error| self.failure(error))?;
        Ok((simulation, files.groups.into_inner()))
    }

    /// An error of this scene.
    pub fn failure(&self, error: SceneError) -> Failure {
        Failure::Scene { file: self.file.clone(), text: self.text.clone(), error }
    }

    /// The scene as run: defaults and presets written out, mesh files by their full path.
    pub fn as_run(&self) -> Result<String, Failure> {
        let mut scene = self.scene.written_out().map_err(|error| self.failure(error))?;
        let folder = self.file.parent().unwrap_or(Path::new(""));
        for file in scene.files_mut() {
            let (path, object) = aspic_io::mesh::split_object(&folder.join(&**file));
            if let Ok(full) = path.canonicalize() {
                let object = object.map(|name| format!("#{name}")).unwrap_or_default();
                *file = Located::new(format!("{}{object}", full.display()));
            }
        }
        let text = scene.to_toml().map_err(|error| self.failure(error))?;
        Ok(format!("# As run by aspic {}, defaults filled in.\n\n{text}", env!("CARGO_PKG_VERSION")))
    }
}

/// The file as text, or where it stops being text. A text has no zero bytes.
fn text(file: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    let zero = bytes.iter().position(|&byte| byte == 0);
    let text = String::from_utf8(bytes);
    let wrong = text.as_ref().err().map(|error| error.utf8_error().valid_up_to());
    let Some(at) = wrong.into_iter().chain(zero).min() else {
        return text.map_err(|error| Failure::Input(error.to_string()));
    };
    let bytes = text.map_or_else(|error| error.into_bytes(), String::into_bytes);
    let before = String::from_utf8_lossy(&bytes[..at]);
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.chars().rev().take_while(|&letter| letter != '\n').count();
    let help = "a scene is a TOML file, saved as UTF-8";
    let place = format!("{}:{line}:{column}", file.display());
    let message = format!("{place}: the byte 0x{:02x} is no text: {help}", bytes[at]);
    Err(Failure::File { message, file: file.into(), line: Some(line), help: Some(help.into()) })
}
