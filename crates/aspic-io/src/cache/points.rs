//! A folder of point caches: one file of moving points for each actor, and its first pose as an OBJ beside it.
//!
//! The OBJ has the same points in the same order, so that the cache fits it: `v` for points, `f` for triangles, `l` for
//! lines, numbered from 1. Its numbers are those of the cache, single precision.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use aspic::Vec3;

use super::made_folder::MadeFolder;
use super::{Actor, Cache, Cast, Pose, bytes, check, names};
use crate::OutputError;
use crate::atomic::Pending;

/// How one format lays out its files.
pub(crate) trait Layout {
    /// Ending of the file names.
    const EXTENSION: &'static str;

    /// What stands in front of the points, for the number of frames that is announced.
    fn header(cast: &Cast, points: usize) -> Vec<u8>;

    /// A number.
    fn encode(x: f32) -> [u8; 4];

    /// Mends the header when another number of frames came.
    fn settle(file: &mut Pending, announced: usize, pushed: usize) -> io::Result<()>;
}

/// A folder of point caches that is being written.
pub(crate) struct Points<L> {
    cast: Cast,
    moving: Vec<Pending>,
    resting: Vec<Pending>,
    pushed: usize,
    frame: Vec<u8>,
    folder: MadeFolder,
    layout: std::marker::PhantomData<L>,
}

impl<L: Layout> Points<L> {
    /// Begins the files of all actors in a folder, which is made if it is missing.
    pub(crate) fn begin(path: &Path, cast: &Cast) -> Result<Points<L>, OutputError> {
        check::cast(path, cast)?;
        let folder = MadeFolder::begin(path)?;
        let (mut moving, mut resting) = (vec![], vec![]);
        for (name, actor) in names::of_files(&cast.actors).iter().zip(&cast.actors) {
            let cache = path.join(format!("{name}.{}", L::EXTENSION));
            let mut file = Pending::begin(&cache)?;
            file.write_all(&L::header(cast, actor.points)).map_err(OutputError::io(&cache))?;
            moving.push(file);
            resting.push(Pending::begin(&path.join(format!("{name}.rest.obj")))?);
        }
        let (pushed, frame, layout) = (0, vec![], std::marker::PhantomData);
        Ok(Points { cast: cast.clone(), moving, resting, pushed, frame, folder, layout })
    }
}

impl<L: Layout> Cache for Points<L> {
    fn push(&mut self, pose: &Pose<'_>) -> Result<(), OutputError> {
        check::pose(self.folder.path(), &self.cast, self.pushed, pose)?;
        if self.pushed >= self.cast.frames {
            let got = self.pushed + 1;
            return OutputError::expect_length(self.folder.path(), "frames", self.cast.frames, got);
        }
        if self.pushed == 0 {
            for (file, (actor, positions)) in self.resting.iter_mut().zip(self.cast.parts(pose.positions)) {
                let written = write_rest(file, actor, positions);
                written.map_err(OutputError::io(file.path()))?;
            }
        }
        for (file, (_, positions)) in self.moving.iter_mut().zip(self.cast.parts(pose.positions)) {
            bytes::fill(&mut self.frame, positions, L::encode);
            file.write_all(&self.frame).map_err(OutputError::io(file.path()))?;
        }
        self.pushed += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<PathBuf>, OutputError> {
        check::frames(self.folder.path(), self.pushed)?;
        for file in &mut self.moving {
            let settled = L::settle(file, self.cast.frames, self.pushed);
            settled.map_err(OutputError::io(file.path()))?;
        }
        let pairs = self.moving.drain(..).zip(self.resting.drain(..));
        let files: Vec<Pending> = pairs.flat_map(|(moving, resting)| [moving, resting]).collect();
        let paths = files.iter().map(|file| file.path().into()).collect();
        files.into_iter().try_for_each(Pending::finish)?;
        Ok(paths)
    }
}

fn write_rest(file: &mut impl Write, actor: &Actor, positions: &[Vec3]) -> io::Result<()> {
    writeln!(file, "# first pose, same order of points as the cache")?;
    writeln!(file, "o {}", actor.name.replace(char::is_control, " "))?;
    for position in positions {
        let [x, y, z] = [position.x as f32, position.y as f32, position.z as f32];
        writeln!(file, "v {x} {y} {z}")?;
    }
    for [a, b, c] in actor.triangles.iter().map(|corners| corners.map(|corner| u64::from(corner) + 1)) {
        writeln!(file, "f {a} {b} {c}")?;
    }
    for [a, b] in actor.edges.iter().map(|ends| ends.map(|end| u64::from(end) + 1)) {
        writeln!(file, "l {a} {b}")?;
    }
    Ok(())
}
