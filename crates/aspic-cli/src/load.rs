//! From a scene file to a simulation.

use std::path::{Path, PathBuf};

use aspic::Simulation;
use aspic::mesh::TetMesh;
use aspic::scene::span::Located;
use aspic::scene::{MeshFile, MeshSource, Scene, SceneError};

use crate::failure::Failure;

/// A scene file, its text and what it says.
pub struct Loaded {
    pub file: PathBuf,
    pub text: String,
    pub scene: Scene,
}

/// Mesh files, relative to the scene file.
struct Beside(PathBuf);

impl MeshSource for Beside {
    fn read(&self, file: &str) -> Result<TetMesh, String> {
        aspic_io::mesh::read(&self.0.join(file)).map_err(|error| error.to_string())
    }
}

impl Loaded {
    /// Reads and checks a scene file.
    pub fn read(file: &Path) -> Result<Loaded, Failure> {
        if file.is_dir() {
            let path = file.display();
            return Err(Failure::Input(format!(
                "{path} is a folder, not a scene file: try `aspic info {path}`"
            )));
        }
        let bytes = std::fs::read(file).map_err(|error| {
            Failure::Input(format!("cannot read {}: {error}: check the name and the folder", file.display()))
        })?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Failure::Input(format!("{} is not a text file in UTF-8", file.display())))?;
        Loaded::parse(file, text)
    }

    /// Checks a scene whose text is at hand.
    pub fn parse(file: &Path, text: String) -> Result<Loaded, Failure> {
        match Scene::parse(&text) {
            Ok(scene) => Ok(Loaded { file: file.into(), text, scene }),
            Err(error) => Err(Failure::Scene { file: file.into(), text, error }),
        }
    }

    /// The simulation at time zero.
    pub fn build(&self) -> Result<Simulation, Failure> {
        let folder = self.file.parent().unwrap_or(Path::new(""));
        self.scene.build(&Beside(folder.into())).map_err(|error| self.failure(error))
    }

    /// An error of this scene.
    pub fn failure(&self, error: SceneError) -> Failure {
        Failure::Scene { file: self.file.clone(), text: self.text.clone(), error }
    }

    /// The scene as run: defaults and presets written out, mesh files by their full path.
    pub fn as_run(&self) -> Result<String, Failure> {
        let mut scene = self.scene.written_out().map_err(|error| self.failure(error))?;
        let folder = self.file.parent().unwrap_or(Path::new(""));
        for body in scene.bodies.values_mut() {
            let Some(mesh) = &body.mesh else { continue };
            if let Ok(full) = folder.join(&*mesh.file).canonicalize() {
                let file = Located::new(full.display().to_string());
                body.mesh = Some(Located::new(MeshFile { file, scale: mesh.scale }));
            }
        }
        let text = scene.to_toml().map_err(|error| self.failure(error))?;
        Ok(format!("# As run by aspic {}, defaults filled in.\n\n{text}", env!("CARGO_PKG_VERSION")))
    }
}
