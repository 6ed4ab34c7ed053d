//! A run folder read back as a film: what the bodies are, and frame after frame, also while the run still writes.
//!
//! Names and kinds come from `run.json`, or from `scene.toml` in folders that lack it; points, tetrahedra and
//! triangles from the first frame file that can be read. A surface file (`surface_only`) leaves points out: the film
//! then numbers only those that are there, and has no tetrahedra.

mod about;
mod frame;
mod shape;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use aspic::Vec3;
use aspic::frame::{Ledger, Topology};

pub use self::about::{About, AboutBody, Constrained, NamedPlane, VERSION, kind_word};
pub use self::frame::FilmFrame;
use self::shape::Shape;
use crate::run_folder::{FolderError, frame_file, frame_number, names};
pub use crate::vtu::Fields;
use crate::vtu::FrameFile;
use crate::{ReadError, ledger};

/// A run folder, open for reading.
#[derive(Clone, Debug)]
pub struct RunFilm {
    path: PathBuf,
    about: About,
    scene: String,
    /// Numbers of the frames whose files are there, ascending.
    numbers: Vec<usize>,
    rows: Vec<Ledger>,
    shape: Shape,
    start: Vec<Vec3>,
    complete: bool,
    notices: Vec<String>,
}

impl RunFilm {
    /// Opens a run folder. A run that has no frame yet gives an empty film, which [`RunFilm::refresh`] fills.
    pub fn open(path: &Path) -> Result<RunFilm, FolderError> {
        let scene = path.join(names::SCENE);
        if !path.join(names::FRAMES).is_dir() && !scene.is_file() {
            return Err(FolderError::no_run(path));
        }
        let scene = std::fs::read(&scene).unwrap_or_default();
        let mut film = RunFilm {
            path: path.into(),
            about: About::default(),
            scene: String::from_utf8_lossy(&scene).into_owned(),
            numbers: vec![],
            rows: vec![],
            shape: Shape::default(),
            start: vec![],
            complete: false,
            notices: vec![],
        };
        film.read_about();
        film.refresh()?;
        Ok(film)
    }

    fn read_about(&mut self) {
        let file = self.path.join(names::ABOUT);
        let written = file.exists().then(|| About::read(&file));
        let told = match written {
            Some(Ok(about)) => Some(about),
            Some(Err(error)) => {
                self.notices.push(error.to_string());
                About::from_scene(&self.scene)
            }
            None => About::from_scene(&self.scene),
        };
        self.about = told.unwrap_or_default();
    }

    /// Looks for frames and rows that were written since; whether there are any, or the run has ended.
    pub fn refresh(&mut self) -> Result<bool, FolderError> {
        let before = (self.numbers.len(), self.numbers.last().copied(), self.rows.len(), self.complete);
        self.numbers = frame_numbers(&self.path);
        let table = self.path.join(names::LEDGER);
        // A table that is being replaced or half written counts for nothing; the frames are there all the same.
        self.rows = ledger::read(&table).unwrap_or_default();
        if self.shape.topology.points == 0 {
            self.find_shape();
        }
        self.complete = self.ended();
        Ok(before != (self.numbers.len(), self.numbers.last().copied(), self.rows.len(), self.complete))
    }

    /// The topology from the first frame that can be read.
    fn find_shape(&mut self) {
        for place in 0..self.numbers.len() {
            let path = self.frame_path(place);
            let found = FrameFile::open(&path).and_then(|file| {
                let shape = Shape::read(&file, &self.about)?;
                let frame = FilmFrame::read(&file, &shape.topology, Fields::NONE)?;
                Ok((shape, frame.positions))
            });
            match found {
                Ok((shape, start)) => {
                    (self.shape, self.start) = (shape, start);
                    return;
                }
                Err(error) => self.notices.push(error.to_string()),
            }
        }
    }

    /// Whether nothing more is to be expected: the last frame is there, or the run has drawn its pictures since.
    fn ended(&self) -> bool {
        let Some(&last) = self.numbers.last() else { return false };
        if self.about.frames > 0 && last + 1 >= self.about.frames {
            return true;
        }
        let written = |path: PathBuf| std::fs::metadata(path).and_then(|data| data.modified()).ok();
        let frame = written(self.path.join(frame_file(last)));
        let picture: Option<SystemTime> = written(self.path.join(names::LEDGER_PICTURE));
        picture.zip(frame).is_some_and(|(picture, frame)| picture >= frame)
    }

    /// Number of frame files that are there.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there is no frame file yet.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The number in the run of the frame at a place of the film: they differ where `run --frames` left some out.
    pub fn number(&self, place: usize) -> Option<usize> {
        self.numbers.get(place).copied()
    }

    /// Reads the frame at a place of the film, with all its fields.
    pub fn frame(&self, place: usize) -> Result<FilmFrame, ReadError> {
        self.frame_with(place, Fields::default())
    }

    /// Reads the frame at a place of the film, with these fields as far as they are there.
    pub fn frame_with(&self, place: usize, want: Fields) -> Result<FilmFrame, ReadError> {
        let file = FrameFile::open(&self.frame_path(place))?;
        let number = self.number(place).unwrap_or(place);
        let frame = FilmFrame::read(&file, &self.shape.topology, want)?;
        Ok(FilmFrame { number, ledger: self.rows.get(number).copied(), ..frame })
    }

    /// The file of the frame at a place of the film.
    pub fn frame_path(&self, place: usize) -> PathBuf {
        self.path.join(frame_file(self.number(place).unwrap_or(place)))
    }

    /// Bodies, tetrahedra and triangles, between the points of the frames. Empty until a frame is there. Films know
    /// nothing of nodes: those counts and ranges are empty.
    pub fn topology(&self) -> &Topology {
        &self.shape.topology
    }

    /// The half-spaces that nothing may enter.
    pub fn planes(&self) -> &[NamedPlane] {
        &self.about.planes
    }

    /// The constraints and the points of the film that they act on.
    pub fn constraints(&self) -> &[Constrained] {
        &self.shape.constraints
    }

    /// Positions in the first frame that could be read  \[m\]  (points)
    pub fn start(&self) -> &[Vec3] {
        &self.start
    }

    /// Which fields the frames hold.
    pub fn fields(&self) -> Fields {
        self.shape.fields
    }

    /// The rows of the ledger, one for each frame of the run from 0 on.
    pub fn ledger(&self) -> &[Ledger] {
        &self.rows
    }

    /// Of some places of the film the one where most happens: with most energy in elastic shapes and contacts. `None`
    /// if the ledger does not tell.
    pub fn loudest(&self, places: &[usize]) -> Option<usize> {
        let energy = |&place: &usize| {
            let row = self.rows.get(self.number(place)?)?;
            let energy = row.elastic_bulk + row.elastic_shear + row.contact;
            (energy > 0.0).then_some((energy, place))
        };
        // Of equal ones the first.
        let most = places.iter().filter_map(energy).reduce(|a, b| if b.0 > a.0 { b } else { a });
        most.map(|(_, place)| place)
    }

    /// The title of the scene, or else the name of the folder.
    pub fn title(&self) -> String {
        if !self.about.title.is_empty() {
            return self.about.title.clone();
        }
        let full = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        full.file_name().map_or("run".into(), |name| name.to_string_lossy().into_owned())
    }

    /// Simulated time from frame to frame \[s\]; 0 if it is not known.
    pub fn frame_interval(&self) -> f64 {
        self.about.frame_interval
    }

    /// Simulated time of the whole run \[s\]; 0 if it is not known.
    pub fn duration(&self) -> f64 {
        self.about.duration
    }

    /// Whether the run has ended; otherwise more frames may follow.
    pub fn complete(&self) -> bool {
        self.complete
    }

    /// The text of `scene.toml`.
    pub fn scene(&self) -> &str {
        &self.scene
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was wrong with files of the run, since this was asked last.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }
}

/// Numbers of the frame files in a run folder, ascending. Those still being written have another name.
fn frame_numbers(path: &Path) -> Vec<usize> {
    let entries = std::fs::read_dir(path.join(names::FRAMES));
    let files = entries.into_iter().flatten().flatten();
    let mut numbers: Vec<usize> =
        files.filter_map(|entry| frame_number(entry.file_name().to_str()?)).collect();
    numbers.sort_unstable();
    numbers
}

#[cfg(test)]
mod tests;
