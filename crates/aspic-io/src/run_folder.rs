//! The run folder: everything that a run leaves behind, and all that is needed to go on with it.
//!
//! For each frame, in this order: the frame file, a row in each table, the list of frames, the checkpoint. A run
//! that dies anywhere in between goes on from the last checkpoint and writes the same bytes again.

use std::path::{Path, PathBuf};

use aspic::frame::{Frame, Ledger, Topology};
use aspic::run;
use aspic::state::{Accounts, State};

use crate::checkpoint::Checkpoint;
use crate::ledger::{self, LedgerTable, ReactionTable};
use crate::vtu::{self, Fields};
use crate::{OutputError, ReadError, atomic, picture};

/// Names of the files in a run folder.
pub mod names {
    /// The scene as run.
    pub const SCENE: &str = "scene.toml";
    /// The folder of frames.
    pub const FRAMES: &str = "frames";
    /// The list of frames, for ParaView.
    pub const SERIES: &str = "frames.pvd";
    /// Energies and momenta.
    pub const LEDGER: &str = "ledger.csv";
    /// The same as a picture.
    pub const LEDGER_PICTURE: &str = "ledger.svg";
    /// Forces of the constraints.
    pub const REACTIONS: &str = "reactions.csv";
    /// A few frames at a glance.
    pub const FILM: &str = "film.svg";
    /// What a frame does not hold.
    pub const CHECKPOINT: &str = "checkpoint";
}

/// Why a run folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It holds a run already.
    #[error(
        "{} already holds a run: `aspic resume {}` continues it, `--overwrite` replaces it, `--out` puts the new one elsewhere",
        path.display(), path.display()
    )]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// It holds no run.
    #[error("{} holds no run: there is no scene.toml in it", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
    },
    /// The checkpoint is of another scene.
    #[error(
        "{} does not belong to the scene.toml beside it, or a mesh file has changed since: run the scene again with --overwrite",
        path.display()
    )]
    OtherScene {
        /// The checkpoint.
        path: PathBuf,
    },
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] OutputError),
}

/// A run folder that grows frame by frame.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    fields: Fields,
    scene_hash: u64,
    topology: Topology,
    ledger: LedgerTable,
    reactions: ReactionTable,
    rows: Vec<Ledger>,
    /// Times and files of the frames written.
    frames: Vec<(f64, String)>,
    /// Times and positions kept for the film.
    film: Vec<(f64, Vec<aspic::Vec3>)>,
    /// Every how many frames one is kept for the film.
    film_stride: usize,
}

/// A run that can be continued.
#[derive(Debug)]
pub struct Unfinished {
    /// The text of `scene.toml`.
    pub scene: String,
    /// Where to go on, unless the run died before its first checkpoint.
    pub checkpoint: Option<Checkpoint>,
}

impl RunFolder {
    /// A fresh run. `scene` is the text of the scene as run.
    pub fn create(
        path: &Path,
        scene: &str,
        start: &State,
        topology: &Topology,
        fields: Fields,
        overwrite: bool,
    ) -> Result<RunFolder, FolderError> {
        if holds_run(path) {
            if !overwrite {
                return Err(FolderError::Occupied { path: path.into() });
            }
            clear(path)?;
        }
        let frames = path.join(names::FRAMES);
        std::fs::create_dir_all(&frames).map_err(OutputError::io(&frames))?;
        atomic::write(&path.join(names::SCENE), |w| w.write_all(scene.as_bytes()))?;
        let ledger = LedgerTable::create(&path.join(names::LEDGER))?;
        let reactions = ReactionTable::create(&path.join(names::REACTIONS), &topology.constraints)?;
        Ok(RunFolder::over(path, scene, start, topology, fields, ledger, reactions))
    }

    fn over(
        path: &Path,
        scene: &str,
        start: &State,
        topology: &Topology,
        fields: Fields,
        ledger: LedgerTable,
        reactions: ReactionTable,
    ) -> RunFolder {
        RunFolder {
            path: path.into(),
            fields,
            scene_hash: scene_hash(scene, start),
            topology: topology.clone(),
            ledger,
            reactions,
            rows: vec![],
            frames: vec![],
            film: vec![],
            film_stride: 1,
        }
    }

    /// What is there of a run that stopped.
    pub fn open(path: &Path) -> Result<Unfinished, FolderError> {
        let scene = path.join(names::SCENE);
        if !scene.is_file() {
            return Err(FolderError::NoRun { path: path.into() });
        }
        let bytes = crate::error::read_bytes(&scene)?;
        let scene = String::from_utf8_lossy(&bytes).into_owned();
        let checkpoint = path.join(names::CHECKPOINT);
        let checkpoint = if checkpoint.exists() { Some(Checkpoint::read(&checkpoint)?) } else { None };
        Ok(Unfinished { scene, checkpoint })
    }

    /// Goes on with a run: the tables are cut back to the checkpoint.
    pub fn resume(
        path: &Path,
        unfinished: &Unfinished,
        start: &State,
        topology: &Topology,
        fields: Fields,
    ) -> Result<RunFolder, FolderError> {
        let Some(checkpoint) = &unfinished.checkpoint else {
            return RunFolder::create(path, &unfinished.scene, start, topology, fields, true);
        };
        let scene = &unfinished.scene;
        if checkpoint.scene_hash != scene_hash(scene, start) {
            return Err(FolderError::OtherScene { path: path.join(names::CHECKPOINT) });
        }
        let mut rows = ledger::read(&path.join(names::LEDGER))?;
        rows.truncate(checkpoint.next_frame);
        let forces = path.join(names::REACTIONS);
        let mut force_rows = ledger::read_reactions(&forces, &topology.constraints)?;
        force_rows.truncate(checkpoint.next_frame);
        let ledger = LedgerTable::resume(&path.join(names::LEDGER), &rows)?;
        let reactions = ReactionTable::resume(&forces, &topology.constraints, &force_rows)?;
        let mut folder = RunFolder::over(path, scene, start, topology, fields, ledger, reactions);
        for (index, row) in rows.iter().enumerate() {
            let file = frame_file(index);
            if path.join(&file).is_file() {
                folder.frames.push((row.t, file));
            }
        }
        folder.rows = rows;
        Ok(folder)
    }

    /// Writes a frame and the checkpoint behind it. `show` is false for frames nobody asked to see.
    pub fn push(
        &mut self,
        frame: &Frame,
        checkpoint: &run::Checkpoint,
        show: bool,
    ) -> Result<(), OutputError> {
        if show {
            let file = frame_file(frame.index);
            vtu::write_frame(&self.path.join(&file), &self.topology, frame, self.fields)?;
            self.frames.push((frame.ledger.t, file));
            self.keep_for_film(frame);
        }
        self.ledger.push(&frame.ledger)?;
        self.reactions.push(frame)?;
        self.rows.push(frame.ledger);
        // Rewriting the list for every frame of a very long run would cost more than the frames.
        if self.frames.len() <= 1000 || self.frames.len().is_multiple_of(100) {
            vtu::write_pvd(&self.path.join(names::SERIES), &self.frames)?;
        }
        to_file(checkpoint, self.scene_hash).write(&self.path.join(names::CHECKPOINT))
    }

    /// Keeps at most twice the pictures of a film sheet, at even distances.
    fn keep_for_film(&mut self, frame: &Frame) {
        if frame.index.is_multiple_of(self.film_stride) {
            self.film.push((frame.ledger.t, frame.positions.clone()));
        }
        if self.film.len() > 2 * picture::MOST {
            self.film_stride *= 2;
            let mut keep = [true, false].iter().cycle();
            self.film.retain(|_| *keep.next().unwrap_or(&true));
        }
    }

    /// The pictures, and the list of frames once more.
    pub fn finish(&mut self) -> Result<(), OutputError> {
        vtu::write_pvd(&self.path.join(names::SERIES), &self.frames)?;
        if !self.rows.is_empty() {
            ledger::write_svg(&self.path.join(names::LEDGER_PICTURE), &self.rows)?;
        }
        if !self.film.is_empty() {
            let film: Vec<_> = self.film.iter().map(|(t, x)| (*t, &x[..])).collect();
            picture::write_svg(&self.path.join(names::FILM), &self.topology, &film, &Default::default())?;
        }
        Ok(())
    }

    /// Rows of the ledger so far.
    pub fn rows(&self) -> &[Ledger] {
        &self.rows
    }

    /// Number of frame files so far.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Whether a folder holds a run.
pub fn holds_run(path: &Path) -> bool {
    [names::SCENE, names::CHECKPOINT, names::LEDGER, names::FRAMES]
        .iter()
        .any(|name| path.join(name).exists())
}

/// Removes the files of a run, and nothing else.
fn clear(path: &Path) -> Result<(), OutputError> {
    use names::*;
    for name in [CHECKPOINT, SCENE, SERIES, LEDGER, LEDGER_PICTURE, REACTIONS, FILM] {
        let file = path.join(name);
        if file.exists() {
            std::fs::remove_file(&file).map_err(OutputError::io(&file))?;
        }
    }
    let frames = path.join(FRAMES);
    if let Ok(entries) = std::fs::read_dir(&frames) {
        for entry in entries.flatten().filter(|e| e.path().extension().is_some_and(|x| x == "vtu")) {
            std::fs::remove_file(entry.path()).map_err(OutputError::io(&entry.path()))?;
        }
    }
    Ok(())
}

fn frame_file(index: usize) -> String {
    format!("{}/{index:06}.vtu", names::FRAMES)
}

/// Tells scenes apart, and meshes that changed behind a scene's back.
fn scene_hash(scene: &str, start: &State) -> u64 {
    let numbers = start.q.iter().chain(&start.v).flat_map(|x| [x.x, x.y, x.z]);
    let bytes: Vec<u8> = scene.bytes().chain(numbers.flat_map(f64::to_le_bytes)).collect();
    crate::checkpoint::fnv1a(&bytes)
}

fn to_file(checkpoint: &run::Checkpoint, scene_hash: u64) -> Checkpoint {
    let run::Checkpoint { state, dt, frames, statistics: s } = checkpoint;
    let floats = [s.worst_residual, s.most_exchanged, s.worst_violation, s.wall_s];
    Checkpoint {
        scene_hash,
        t: state.t,
        step: *dt,
        next_frame: *frames,
        positions: state.q.clone(),
        velocities: state.v.clone(),
        accounts: state.accounts.to_array().into_iter().chain(floats).collect(),
        counters: vec![s.steps, s.rejected, s.force_evaluations],
    }
}

/// The library's checkpoint from the file's; `None` if the file is of another version.
pub fn from_file(file: &Checkpoint) -> Option<run::Checkpoint> {
    let [viscous, drag, load, worst_residual, most_exchanged, worst_violation, wall_s] = file.accounts[..]
    else {
        return None;
    };
    let [steps, rejected, force_evaluations] = file.counters[..] else { return None };
    Some(run::Checkpoint {
        state: State {
            t: file.t,
            q: file.positions.clone(),
            v: file.velocities.clone(),
            accounts: Accounts::from_array([viscous, drag, load]),
        },
        dt: file.step,
        frames: file.next_frame,
        statistics: run::Statistics {
            steps,
            rejected,
            force_evaluations,
            worst_residual,
            most_exchanged,
            worst_violation,
            wall_s,
        },
    })
}
