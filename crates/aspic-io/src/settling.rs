//! Puts frames and tables on the disk, then the checkpoint that relies on them, while the run goes on.
//!
//! Waiting for the disk may take longer than making a frame, so another thread waits, and rests in between. Frames that
//! come meanwhile wait for its next turn; then one checkpoint serves for all.

use std::io;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::checkpoint::Checkpoint;
use crate::run_folder::names;
use crate::{OutputError, atomic};

/// Rest between two turns, over the time that one takes.
const SPARE: u32 = 19;
/// But not longer than this.
const LONGEST: Duration = Duration::from_secs(1);

/// What is not on the disk yet.
#[derive(Debug)]
pub(crate) struct Settling {
    folder: PathBuf,
    /// Frame files written since a turn succeeded.
    afloat: Vec<PathBuf>,
    /// The checkpoint behind the last frame, until a turn takes it.
    pending: Option<Checkpoint>,
    at_work: Option<AtWork>,
    /// No turn begins before.
    pub(crate) rest_until: Option<Instant>,
}

/// A turn that has begun, with as many of the frame files.
#[derive(Debug)]
struct AtWork {
    files: usize,
    thread: JoinHandle<Result<Duration, OutputError>>,
}

impl Settling {
    /// Nothing yet.
    pub(crate) fn new(folder: &Path) -> Settling {
        Settling { folder: folder.into(), afloat: vec![], pending: None, at_work: None, rest_until: None }
    }

    /// A frame file was written.
    pub(crate) fn wrote(&mut self, file: PathBuf) {
        self.afloat.push(file);
    }

    /// Behind the last frame stands this checkpoint; it is written when its turn has come. Tells of an earlier turn that
    /// failed.
    pub(crate) fn push(&mut self, checkpoint: Checkpoint) -> Result<(), OutputError> {
        self.pending = Some(checkpoint);
        if self.at_work.as_ref().is_some_and(|turn| !turn.thread.is_finished()) {
            return Ok(());
        }
        self.wait()?;
        if self.rest_until.is_some_and(|end| Instant::now() < end) {
            return Ok(());
        }
        let Some(turn) = self.turn() else { return Ok(()) };
        let files = turn.files.len();
        let Ok(thread) = std::thread::Builder::new().spawn(move || turn.take()) else {
            // Without another thread this one waits.
            return self.settle();
        };
        (self.at_work, self.pending) = (Some(AtWork { files, thread }), None);
        Ok(())
    }

    /// Waits until everything is on the disk.
    pub(crate) fn settle(&mut self) -> Result<(), OutputError> {
        self.wait()?;
        let Some(turn) = self.turn() else { return Ok(()) };
        let took = turn.take()?;
        self.pending = None;
        self.afloat.clear();
        self.rest_after(took);
        Ok(())
    }

    /// The next turn, if there is anything to do.
    fn turn(&self) -> Option<Turn> {
        let (folder, checkpoint) = (self.folder.clone(), self.pending.clone()?);
        Some(Turn { folder, files: self.afloat.clone(), checkpoint })
    }

    /// Waits for the turn that has begun.
    fn wait(&mut self) -> Result<(), OutputError> {
        let Some(AtWork { files, thread }) = self.at_work.take() else { return Ok(()) };
        let ended = thread.join().unwrap_or_else(|_| {
            Err(OutputError::io(&self.folder)(io::Error::other("the thread that writes it has ended")))
        });
        self.rest_after(ended?);
        self.afloat.drain(..files);
        Ok(())
    }

    fn rest_after(&mut self, took: Duration) {
        self.rest_until = Some(Instant::now() + rest(took));
    }
}

impl Drop for Settling {
    /// Nothing is written any more when this is gone.
    fn drop(&mut self) {
        let _ = self.wait();
    }
}

/// How long to rest after a turn that took so long.
fn rest(took: Duration) -> Duration {
    took.saturating_mul(SPARE).min(LONGEST)
}

/// What one turn puts on the disk.
struct Turn {
    folder: PathBuf,
    files: Vec<PathBuf>,
    checkpoint: Checkpoint,
}

impl Turn {
    /// The checkpoint comes last. Gives the time that it took.
    fn take(self) -> Result<Duration, OutputError> {
        let begin = Instant::now();
        let place = |name: &str| self.folder.join(name);
        self.files.iter().try_for_each(|file| atomic::sync_file(file))?;
        if !self.files.is_empty() {
            atomic::sync_folder(&place(names::FRAMES))?;
        }
        [names::LEDGER, names::REACTIONS].iter().try_for_each(|table| atomic::sync_file(&place(table)))?;
        self.checkpoint.write(&place(names::CHECKPOINT))?;
        Ok(begin.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_take_a_twentieth_of_the_time_unless_they_take_long() {
        let milliseconds = Duration::from_millis;
        for took in [1, 10, 50] {
            assert_eq!(rest(milliseconds(took)) + milliseconds(took), milliseconds(20 * took));
        }
        assert_eq!(rest(milliseconds(60_000)), LONGEST);
    }
}
