//! Which frames of a run go on its film sheet, and their positions while the run lasts.

use std::ops::Range;
use std::path::Path;

use aspic::Vec3;
use aspic::frame::{Frame, Topology};

use crate::{OutputError, picture, vtu};

/// The film of a run. Its frames are chosen from the number of frames alone, at even distances, so that a run
/// that was interrupted gets the same film as one that was not.
#[derive(Debug)]
pub(crate) struct Film {
    /// Numbers of the frames to show, ascending.
    chosen: Vec<usize>,
    /// Those of them that are there.
    kept: Vec<Picture>,
    /// The last frame of all: it ends the film of a run that stops early.
    last: Option<Picture>,
}

#[derive(Clone, Debug)]
struct Picture {
    frame: usize,
    t: f64,
    positions: Vec<Vec3>,
}

impl Film {
    /// The film of a run that will write these frames.
    pub(crate) fn of(topology: &Topology, frames: Range<usize>) -> Film {
        let all: Vec<usize> = frames.collect();
        Film { chosen: picture::spread(&all, picture::capacity(topology)), kept: vec![], last: None }
    }

    /// Whether a frame has its place in the film.
    pub(crate) fn wants(&self, frame: usize) -> bool {
        self.chosen.binary_search(&frame).is_ok()
    }

    /// Takes a frame that has just been written.
    pub(crate) fn see(&mut self, frame: &Frame) {
        self.keep(frame.index, frame.ledger.t, frame.positions.clone());
    }

    /// Takes a frame of an earlier run from its file. The film does without one that cannot be read.
    pub(crate) fn recall(&mut self, frame: usize, t: f64, file: &Path, topology: &Topology) {
        if let Some(positions) = vtu::read_positions(file, topology.points) {
            self.keep(frame, t, positions);
        }
    }

    fn keep(&mut self, frame: usize, t: f64, positions: Vec<Vec3>) {
        let picture = Picture { frame, t, positions };
        if self.wants(frame) {
            self.kept.push(picture.clone());
        }
        self.last = Some(picture);
    }

    /// Draws it, if there is anything to show.
    pub(crate) fn write(&self, path: &Path, topology: &Topology) -> Result<(), OutputError> {
        let end = self.last.iter().filter(|last| self.kept.last().is_none_or(|kept| kept.frame < last.frame));
        let pictures: Vec<_> = self.kept.iter().chain(end).map(|p| (p.t, &p.positions[..])).collect();
        if pictures.is_empty() {
            return Ok(());
        }
        picture::write_svg(path, topology, &pictures, &Default::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_pictures_from_first_to_last_at_even_distances() {
        let topology = Topology::default();
        assert_eq!(Film::of(&topology, 0..5).chosen, [0, 1, 2, 3, 4]);
        let chosen = Film::of(&topology, 10..252).chosen;
        assert_eq!((chosen.len(), chosen[0], chosen[11]), (12, 10, 251));
        // 241 frames over 11 gaps: each is 21 or 22 frames wide.
        assert!(chosen.windows(2).all(|pair| (21..=22).contains(&(pair[1] - pair[0]))), "{chosen:?}");
    }

    #[test]
    fn a_run_that_stops_early_ends_its_film_with_the_last_frame() {
        let mut film = Film::of(&Topology::default(), 0..111);
        for index in 0..15 {
            film.see(&Frame { index, ..Frame::default() });
        }
        let kept: Vec<usize> = film.kept.iter().map(|picture| picture.frame).collect();
        assert_eq!(kept, [0, 10]);
        assert_eq!(film.last.map(|picture| picture.frame), Some(14));
    }
}
