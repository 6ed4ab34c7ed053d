//! The run folder: everything that a run leaves behind, and all that is needed to go on with it.
//!
//! For each frame, in this order: the frame file, a row in each table, the list of frames, the checkpoint. A run
//! that dies anywhere in between goes on from the last checkpoint and writes the same bytes again.
//!
//! That holds for power cuts too: what a checkpoint relies on is on the disk before it is. Where the disk is slow not
//! every frame has a checkpoint, see [`RunFolder::push`].

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use aspic::Vec3;
use aspic::frame::{Frame, Ledger, Topology};
use aspic::run::{self, Past};
use aspic::state::{Accounts, State};
use aspic::verdict::Verdict;

use crate::checkpoint::Checkpoint;
use crate::claim::Claim;
use crate::film::Film;
use crate::ledger::{self, LedgerTable, ReactionTable};
use crate::run_film::About;
use crate::settling::Settling;
use crate::vtu::{self, Fields, Marks};
use crate::{OutputError, ReadError, atomic};

/// Names of the files in a run folder.
pub mod names {
    /// The scene as run.
    pub const SCENE: &str = "scene.toml";
    /// Names, kinds and planes of the run.
    pub const ABOUT: &str = "run.json";
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
    /// Where the run failed, if it did.
    pub const FAILURE: &str = "failure.vtu";
    /// What a process locks while it writes.
    pub const LOCK: &str = "lock";
}

/// Why a run folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It holds a run already.
    #[error(
        "{} already holds a run: `aspic resume {}` continues it, `--overwrite` replaces it, `--out` puts the new one elsewhere",
        path.display(), as_typed(path)
    )]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// Another process is at work in it.
    #[error(
        "{} is in use: another process runs or resumes there; wait until it ends, or stop it; `aspic info {}` shows how far it is, `--out` puts a new run elsewhere",
        path.display(), as_typed(path)
    )]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// It holds no run.
    #[error("{} {why}: name the folder that `aspic run` wrote, for example out/NAME", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// What it is instead.
        why: &'static str,
    },
    /// Rows of a table are gone.
    #[error(
        "{} has {rows} rows, but {frames} frames were made: restore it from a copy, or delete the checkpoint beside it: `aspic resume` will then run the scene again from the start",
        path.display()
    )]
    LostRows {
        /// The table.
        path: PathBuf,
        /// Rows it has.
        rows: usize,
        /// Rows it should have at least.
        frames: usize,
    },
    /// The checkpoint is of another scene.
    #[error(
        "{} does not belong to the scene.toml beside it, or a mesh file has changed since: undo the change, or run the scene again with --overwrite",
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

impl FolderError {
    /// What is there instead of a run.
    pub(crate) fn no_run(path: &Path) -> FolderError {
        let why = match path {
            path if path.is_dir() => "holds no run (no scene.toml)",
            path if path.exists() => "is a file, not a run folder",
            _ => "does not exist",
        };
        FolderError::NoRun { path: path.into(), why }
    }
}

/// A run folder that grows frame by frame.
#[derive(Debug)]
pub struct RunFolder {
    /// Ends before the claim does: fields are dropped in order.
    settling: Settling,
    claim: Claim,
    fields: Fields,
    scene_hash: u64,
    topology: Topology,
    ledger: LedgerTable,
    reactions: ReactionTable,
    rows: Vec<Ledger>,
    /// Times and files of the frames written.
    frames: Vec<(f64, String)>,
    film: Film,
    about: About,
}

/// What a run folder must know of its run beforehand.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The text of the scene as run.
    pub scene: &'a str,
    /// The state at time zero.
    pub start: &'a State,
    /// The bodies.
    pub topology: &'a Topology,
    /// What goes into a frame file.
    pub fields: Fields,
    /// Numbers of the frames that will be written, if nothing comes in between.
    pub frames: Range<usize>,
    /// Vertices by group name of each mesh file, in the order of the scene.
    pub groups: &'a [BTreeMap<String, Vec<u32>>],
    /// Names, kinds and planes.
    pub about: About,
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
    /// A fresh run.
    ///
    /// The new scene comes first: whenever this is cut short, the folder holds either the old run whole, or a
    /// checkpoint that does not belong to the scene, or no checkpoint. Only the first can be continued.
    pub fn create(path: &Path, plan: &Plan, overwrite: bool) -> Result<RunFolder, FolderError> {
        atomic::create_folder(path)?;
        let claim = Claim::take(path)?;
        refuse(path, overwrite)?;
        RunFolder::begin(claim, plan)
    }

    fn begin(claim: Claim, plan: &Plan) -> Result<RunFolder, FolderError> {
        let path = claim.folder();
        atomic::write_to_disk(&path.join(names::SCENE), |w| w.write_all(plan.scene.as_bytes()))?;
        clear_output(path)?;
        plan.about.write(&path.join(names::ABOUT))?;
        atomic::create_folder(&path.join(names::FRAMES))?;
        let ledger = LedgerTable::create(&path.join(names::LEDGER))?;
        let reactions = ReactionTable::create(&path.join(names::REACTIONS), &plan.topology.constraints)?;
        Ok(RunFolder::over(claim, plan, ledger, reactions))
    }

    fn over(claim: Claim, plan: &Plan, ledger: LedgerTable, reactions: ReactionTable) -> RunFolder {
        RunFolder {
            settling: Settling::new(claim.folder()),
            claim,
            fields: plan.fields,
            scene_hash: scene_hash(plan),
            topology: plan.topology.clone(),
            ledger,
            reactions,
            rows: vec![],
            frames: vec![],
            film: Film::of(plan.topology, plan.frames.clone()),
            about: plan.about.clone(),
        }
    }

    /// Claims the folder of a run that stopped, to go on with it.
    pub fn claim(path: &Path) -> Result<Claim, FolderError> {
        scene_file(path)?;
        Claim::take(path)
    }

    /// What is there of a run that stopped, or that is still at work.
    pub fn open(path: &Path) -> Result<Unfinished, FolderError> {
        let scene = scene_file(path)?;
        let bytes = crate::error::read_bytes(&scene)?;
        let scene = String::from_utf8_lossy(&bytes).into_owned();
        let checkpoint = path.join(names::CHECKPOINT);
        let checkpoint = if checkpoint.exists() { Some(Checkpoint::read(&checkpoint)?) } else { None };
        Ok(Unfinished { scene, checkpoint })
    }

    /// Goes on with a run: the tables are cut back to the checkpoint.
    pub fn resume(
        claim: Claim,
        checkpoint: Option<&Checkpoint>,
        plan: &Plan,
    ) -> Result<RunFolder, FolderError> {
        let Some(checkpoint) = checkpoint else {
            return RunFolder::begin(claim, plan);
        };
        let path = claim.folder();
        if checkpoint.scene_hash != scene_hash(plan) {
            return Err(FolderError::OtherScene { path: path.join(names::CHECKPOINT) });
        }
        let [ledger, reactions] = [names::LEDGER, names::REACTIONS].map(|name| path.join(name));
        let constraints = &plan.topology.constraints;
        let rows = first_rows(&ledger, ledger::read(&ledger)?, checkpoint.next_frame)?;
        let forces = ledger::read_reactions(&reactions, constraints)?;
        let forces = first_rows(&reactions, forces, checkpoint.next_frame)?;
        let ledger = LedgerTable::resume(&ledger, &rows)?;
        let reactions = ReactionTable::resume(&reactions, constraints, &forces)?;
        let failure = path.join(names::FAILURE);
        if failure.exists() {
            // A run that goes on has not failed yet.
            std::fs::remove_file(&failure).map_err(OutputError::io(&failure))?;
        }
        plan.about.write(&claim.folder().join(names::ABOUT))?;
        let mut folder = RunFolder::over(claim, plan, ledger, reactions);
        folder.recall(&rows);
        folder.rows = rows;
        Ok(folder)
    }

    /// Finds the frames that are there already.
    fn recall(&mut self, rows: &[Ledger]) {
        for (index, row) in rows.iter().enumerate() {
            let file = frame_file(index);
            let full = self.path().join(&file);
            if !full.is_file() {
                continue;
            }
            if self.film.wants(index) || index + 1 == rows.len() {
                self.film.recall(index, row.t, &full, &self.topology);
            }
            self.frames.push((row.t, file));
        }
    }

    /// Writes a frame and the checkpoint behind it. `show` is false for frames nobody asked to see.
    ///
    /// Another thread puts them on the disk. While it is at work or rests, checkpoints wait for a later frame or for
    /// [`RunFolder::finish`]; it rests a second at most.
    pub fn push(
        &mut self,
        frame: &Frame,
        checkpoint: &run::Checkpoint,
        show: bool,
    ) -> Result<(), OutputError> {
        if show {
            let file = frame_file(frame.index);
            let path = self.path().join(&file);
            vtu::write_frame(&path, &self.topology, frame, self.fields)?;
            self.settling.wrote(path);
            self.frames.push((frame.ledger.t, file));
            self.film.see(frame);
        }
        self.ledger.push(&frame.ledger)?;
        self.reactions.push(frame)?;
        self.rows.push(frame.ledger);
        // Rewriting the list for every frame of a very long run would cost more than the frames.
        if self.frames.len() <= 1000 || self.frames.len().is_multiple_of(100) {
            vtu::write_pvd(&self.path().join(names::SERIES), &self.frames)?;
        }
        self.settling.push(to_file(checkpoint, self.scene_hash))
    }

    /// The checkpoint if it waits, the pictures, and the list of frames once more; all on the disk.
    pub fn finish(&mut self) -> Result<(), OutputError> {
        self.settling.settle()?;
        let [series, energies, film] =
            [names::SERIES, names::LEDGER_PICTURE, names::FILM].map(|name| self.path().join(name));
        vtu::write_pvd(&series, &self.frames)?;
        if !self.rows.is_empty() {
            ledger::write_svg(&energies, &self.rows)?;
        }
        self.film.write(&film, &self.topology)?;
        [series, energies, film].iter().try_for_each(|file| atomic::sync_file(file))?;
        atomic::sync_folder(self.path())
    }

    /// Writes what is to be said about the run as far as it came, into `run.json`.
    pub fn judge(&mut self, verdict: &Verdict) -> Result<(), OutputError> {
        let Verdict { warnings, notes } = verdict.clone();
        (self.about.warnings, self.about.notes) = (Some(warnings), Some(notes));
        self.about.write(&self.path().join(names::ABOUT))
    }

    /// Writes where the run failed, with the points at `positions` \[m\]; gives the file.
    pub fn fail(&self, positions: &[Vec3], marks: &Marks) -> Result<PathBuf, OutputError> {
        let path = self.path().join(names::FAILURE);
        vtu::write_marks(&path, &self.topology, positions, marks)?;
        Ok(path)
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
        self.claim.folder()
    }

    /// What people should know about the folder, if anything.
    pub fn warning(&self) -> Option<String> {
        self.claim.warning()
    }
}

/// The scene of the run in a folder.
fn scene_file(path: &Path) -> Result<PathBuf, FolderError> {
    let scene = path.join(names::SCENE);
    if scene.is_file() {
        return Ok(scene);
    }
    Err(FolderError::no_run(path))
}

/// Refuses a folder in which no new run can begin: one that holds a run, unless it may be overwritten.
pub fn refuse(path: &Path, overwrite: bool) -> Result<(), FolderError> {
    if holds_run(path) && !overwrite { Err(FolderError::Occupied { path: path.into() }) } else { Ok(()) }
}

/// A path as one types it to a shell: in quotes if it needs them.
pub fn as_typed(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+:@%,=".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Whether a folder holds a run.
pub fn holds_run(path: &Path) -> bool {
    [names::SCENE, names::CHECKPOINT, names::LEDGER, names::FRAMES]
        .iter()
        .any(|name| path.join(name).exists())
}

/// The rows up to the checkpoint; later ones are written again.
fn first_rows<T>(path: &Path, mut rows: Vec<T>, frames: usize) -> Result<Vec<T>, FolderError> {
    if rows.len() < frames {
        return Err(FolderError::LostRows { path: path.into(), rows: rows.len(), frames });
    }
    rows.truncate(frames);
    Ok(rows)
}

/// Removes what a run has written beside its scene, and nothing else. The checkpoint goes first, for good: without
/// it the rest counts for nothing.
fn clear_output(path: &Path) -> Result<(), OutputError> {
    use names::*;
    let checkpoint = path.join(CHECKPOINT);
    if checkpoint.exists() {
        std::fs::remove_file(&checkpoint).map_err(OutputError::io(&checkpoint))?;
        atomic::sync_folder(path)?;
    }
    let files = [ABOUT, SERIES, LEDGER, LEDGER_PICTURE, REACTIONS, FILM, FAILURE].map(|name| path.join(name));
    let frames = std::fs::read_dir(path.join(FRAMES));
    let frames = frames.into_iter().flatten().flatten().filter(is_frame).map(|entry| entry.path());
    for file in files.into_iter().filter(|file| file.exists()).chain(frames) {
        std::fs::remove_file(&file).map_err(OutputError::io(&file))?;
    }
    Ok(())
}

/// Whether this is a frame file, or one that was being written when a run died.
fn is_frame(entry: &std::fs::DirEntry) -> bool {
    let name = entry.file_name();
    let name = name.to_str().map(|name| name.strip_suffix(".tmp").unwrap_or(name));
    name.and_then(frame_number).is_some()
}

/// The number of the frame in a file of that name.
pub(crate) fn frame_number(name: &str) -> Option<usize> {
    let number = name.strip_suffix(".vtu")?;
    let digits = number.len() >= 6 && number.bytes().all(|digit| digit.is_ascii_digit());
    number.parse().ok().filter(|_| digits)
}

pub(crate) fn frame_file(index: usize) -> String {
    format!("{}/{index:06}.vtu", names::FRAMES)
}

/// Tells scenes apart, and meshes that changed behind a scene's back.
fn scene_hash(plan: &Plan) -> u64 {
    let numbers = plan.start.q.iter().chain(&plan.start.v).flat_map(|x| [x.x, x.y, x.z]);
    let topology = plan.topology;
    let bare = topology.bodies.iter().filter(|body| body.tets.is_empty() || body.skin.is_some());
    let bare = bare.flat_map(|body| topology.triangles.get(body.triangles.clone()).unwrap_or_default());
    let cells = topology.tets.iter().flatten().chain(bare.flatten()).chain(topology.edges.iter().flatten());
    let corners = cells.flat_map(|v| v.to_le_bytes());
    let skins = topology.bodies.iter().filter_map(|body| body.skin.as_ref());
    let numbers = numbers.chain(skins.flat_map(|skin| skin.weights.as_flattened().iter().copied()));
    // Constraints and forces act on groups, so that a vertex more or less is another scene.
    let groups = plan.groups.iter().flatten().flat_map(|(name, vertices)| {
        let count = (vertices.len() as u64).to_le_bytes();
        name.bytes().chain([0]).chain(count).chain(vertices.iter().flat_map(|v| v.to_le_bytes()))
    });
    let bytes = plan.scene.bytes().chain(numbers.flat_map(f64::to_le_bytes)).chain(corners).chain(groups);
    crate::checkpoint::fnv1a(&bytes.collect::<Vec<u8>>())
}

/// The past of the scheme, if there is one, follows the state in each list: positions, then velocities, accelerations
/// and foreseen velocities. The accounts go on with the worst of the ledger, the length of the step before (zero where there is no
/// past), and the memory of the state. Behind the counters stand the bits of the figures that a run is judged by.
fn to_file(checkpoint: &run::Checkpoint, scene_hash: u64) -> Checkpoint {
    let run::Checkpoint { state, dt, past, frames, statistics: s } = checkpoint;
    let none = Past::default();
    let past = past.as_ref().filter(|past| past.step > 0.0).unwrap_or(&none);
    let floats = [s.worst_residual, s.most_exchanged, s.worst_violation, s.wall_s, past.step];
    Checkpoint {
        scene_hash,
        t: state.t,
        step: *dt,
        next_frame: *frames,
        positions: state.q.iter().chain(&past.q).copied().collect(),
        velocities: state.v.iter().chain(&past.v).chain(&past.a).chain(&past.foreseen).copied().collect(),
        accounts: state
            .accounts
            .to_array()
            .into_iter()
            .chain(floats)
            .chain(state.memory.iter().copied())
            .collect(),
        counters: [s.steps, s.rejected, s.force_evaluations, s.newton_iterations, s.linear_iterations]
            .into_iter()
            .chain(judged(s).map(f64::to_bits))
            .collect(),
    }
}

/// The figures that only the verdict on a run needs.
fn judged(s: &run::Statistics) -> [f64; 10] {
    [
        s.numerical_loss,
        s.physical_loss,
        s.highest_loss,
        s.made_energy,
        s.most_kinetic,
        s.gyration,
        s.linear_drift,
        s.angular_drift,
        s.made_in_step,
        s.coulomb_excess,
    ]
}

/// The library's checkpoint from the file's; `None` if the file is of another version.
pub fn from_file(file: &Checkpoint) -> Option<run::Checkpoint> {
    let (accounts, floats) = file.accounts.split_at_checked(Accounts::COUNT)?;
    let [worst_residual, most_exchanged, worst_violation, wall_s, step, ref memory @ ..] = *floats else {
        return None;
    };
    let [steps, rejected, force_evaluations, newton_iterations, linear_iterations, ref judged @ ..] =
        file.counters[..]
    else {
        return None;
    };
    // Earlier versions did not write these: they then count from here on.
    let judged = if judged.is_empty() { &[0; 10] } else { judged };
    let judged: [u64; 10] = judged.try_into().ok()?;
    let [numerical_loss, physical_loss, highest_loss, made_energy, ref others @ ..] =
        judged.map(f64::from_bits);
    let [most_kinetic, gyration, linear_drift, angular_drift, made_in_step, coulomb_excess] = *others;
    let nodes = if step > 0.0 { file.positions.len() / 2 } else { file.positions.len() };
    let (q, past_q) = file.positions.split_at_checked(nodes)?;
    let (v, rest) = file.velocities.split_at_checked(nodes)?;
    let (past_v, rest) = rest.split_at_checked(past_q.len())?;
    let (past_a, foreseen) = rest.split_at_checked(past_q.len())?;
    let [q_before, v_before, a, foreseen_v] = [past_q, past_v, past_a, foreseen].map(<[_]>::to_vec);
    let past = Past { step, q: q_before, v: v_before, a, foreseen: foreseen_v };
    Some(run::Checkpoint {
        state: State {
            t: file.t,
            q: q.to_vec(),
            v: v.to_vec(),
            memory: memory.to_vec(),
            accounts: Accounts::from_array(accounts.try_into().ok()?),
        },
        dt: file.step,
        past: (step > 0.0).then_some(past),
        frames: file.next_frame,
        statistics: run::Statistics {
            steps,
            rejected,
            force_evaluations,
            newton_iterations,
            linear_iterations,
            worst_residual,
            most_exchanged,
            worst_violation,
            wall_s,
            numerical_loss,
            physical_loss,
            highest_loss,
            made_energy,
            most_kinetic,
            gyration,
            linear_drift,
            angular_drift,
            made_in_step,
            coulomb_excess,
        },
    })
}

#[cfg(test)]
#[path = "run_folder_tests.rs"]
mod tests;
