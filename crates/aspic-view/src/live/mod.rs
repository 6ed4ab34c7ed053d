//! A scene that runs while people look at it, pull at it and change it.
//!
//! The simulation has a thread of its own. It keeps to real time where it can and is never hurried by those who look:
//! each page gets the newest frame when it asks for one. What people do goes to it as commands, which it takes up
//! between two steps.

mod average;
mod clock;
pub mod parameters;
pub mod save;
mod snapshot;
mod worker;

use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::mpsc;

use aspic::mesh::{TetMesh, TriangleSurface};
use aspic::scene::{Filled, MeshFile, MeshSource, Scene, SceneError};
use axum::body::Bytes;
use tokio::sync::{broadcast, mpsc as replies, watch};

use crate::protocol::{self, Level, LiveState, Request};
pub use snapshot::Snapshot;
use worker::Worker;

/// Longest simulated time from frame to frame  \[s\]: what screens show.
pub const FRAME_INTERVAL: f64 = 1.0 / 60.0;
/// Notices that a slow page may be behind.
const NOTICES: usize = 64;

/// What is to be run.
pub struct Script {
    /// A name, also for the file that it is saved as.
    pub name: String,
    /// The text of the scene file.
    pub text: String,
    /// What it says.
    pub scene: Scene,
    /// Where its mesh files come from.
    pub files: Box<dyn MeshSource + Send>,
}

/// What is done to a run, and where answers go.
pub(crate) enum Command {
    /// Somebody looks; the run begins with the first.
    Hello,
    /// A request of a page.
    Do(Request, replies::UnboundedSender<Bytes>),
}

/// A scene that runs.
pub struct Live {
    commands: mpsc::Sender<Command>,
    newest: watch::Receiver<Snapshot>,
    state: watch::Sender<LiveState>,
    notices: broadcast::Sender<Bytes>,
}

impl Live {
    /// Builds the scene and starts its thread. Time begins to run when the first page looks.
    pub fn start(script: Script) -> Result<Live, SceneError> {
        let Script { name, text, scene, files } = script;
        let files = Kept {
            files,
            meshes: RefCell::default(),
            surfaces: RefCell::default(),
            filled: RefCell::default(),
        };
        let (commands, inbox) = mpsc::channel();
        let state = watch::Sender::new(LiveState::default());
        let (notices, _) = broadcast::channel(NOTICES);
        let script = Script { name, text, scene, files: Box::new(files) };
        let (worker, newest) = Worker::new(script, inbox, state.clone(), notices.clone())?;
        let live = Live { commands, newest, state: state.clone(), notices: notices.clone() };
        let guarded = move || {
            if std::panic::catch_unwind(AssertUnwindSafe(|| worker.run())).is_err() {
                let text = "the simulation has broken down: this is a fault of aspic, please report it with the scene";
                let _ = notices.send(protocol::notice(Level::Error, text));
                state.send_modify(|state| state.paused = true);
            }
        };
        let thread = std::thread::Builder::new().name("simulation".into());
        thread.spawn(guarded).map_err(|error| SceneError::new(format!("cannot start a thread: {error}")))?;
        Ok(live)
    }

    /// The newest frame; the receiver sees when there is another.
    pub fn newest(&self) -> watch::Receiver<Snapshot> {
        self.newest.clone()
    }

    /// Whether it is paused, what is pinned, and so on.
    pub fn state(&self) -> watch::Receiver<LiveState> {
        self.state.subscribe()
    }

    /// Sentences for everybody who looks.
    pub fn notices(&self) -> broadcast::Receiver<Bytes> {
        self.notices.subscribe()
    }

    /// Somebody looks.
    pub fn hello(&self) {
        let _ = self.commands.send(Command::Hello);
    }

    /// Hands on what a page asks for; answers for that page alone go to `reply`.
    pub fn obey(&self, request: Request, reply: &replies::UnboundedSender<Bytes>) {
        let _ = self.commands.send(Command::Do(request, reply.clone()));
    }

    /// Counts a message of the wrong form.
    pub fn ignore(&self) {
        self.state.send_modify(|state| state.ignored += 1);
    }
}

/// Mesh files, each read once: a scene that changes is built again and again.
struct Kept {
    files: Box<dyn MeshSource + Send>,
    meshes: RefCell<HashMap<String, TetMesh>>,
    surfaces: RefCell<HashMap<String, TriangleSurface>>,
    /// Filled surfaces, by all that the scene says of them.
    filled: RefCell<HashMap<String, Filled>>,
}

impl MeshSource for Kept {
    fn read(&self, file: &str) -> Result<TetMesh, String> {
        if let Some(mesh) = self.meshes.borrow().get(file) {
            return Ok(mesh.clone());
        }
        let mesh = self.files.read(file)?;
        self.meshes.borrow_mut().insert(file.to_owned(), mesh.clone());
        Ok(mesh)
    }

    fn read_surface(&self, file: &str) -> Result<TriangleSurface, String> {
        if let Some(surface) = self.surfaces.borrow().get(file) {
            return Ok(surface.clone());
        }
        let surface = self.files.read_surface(file)?;
        self.surfaces.borrow_mut().insert(file.to_owned(), surface.clone());
        Ok(surface)
    }

    fn fill(&self, file: &MeshFile) -> Result<Filled, String> {
        let key = format!("{file:?}");
        if let Some(filled) = self.filled.borrow().get(&key) {
            return Ok(filled.clone());
        }
        let filled = self.files.fill(file)?;
        self.filled.borrow_mut().insert(key, filled.clone());
        Ok(filled)
    }
}

#[cfg(test)]
mod throughput;
