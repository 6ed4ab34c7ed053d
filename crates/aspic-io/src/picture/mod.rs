//! A strip of small pictures of a run, drawn without a display (`film.svg`).
//!
//! Parallel rays from front-left-above, z up; the same view in every picture, fitted to all of
//! them. Faces of closed surfaces that look away are left out, all others are drawn from far to near, shaded by one
//! lamp; edges of ropes are round strokes. The lowest point of the run lies on a floor that catches a soft shadow.

pub(crate) mod camera;
mod sheet;

use std::path::Path;

use aspic::Vec3;
use aspic::frame::Topology;

use crate::{OutputError, atomic};

/// The most pictures on one sheet.
pub const MOST: usize = 12;

/// The most triangles and edges on one sheet, front and back: some 2 MB of text.
const SHAPES: usize = 60_000;

/// How the sheet looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Width of one picture \[px\].
    pub width: f64,
    /// Height of one picture, without its caption \[px\].
    pub height: f64,
    /// Pictures in a row, at most.
    pub columns: usize,
    /// Direction from the scene to the eye; any length.
    pub eye: Vec3,
    /// Whether a floor catches a shadow.
    pub shadow: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { width: 260.0, height: 220.0, columns: 4, eye: Vec3::new(-0.55, -1.0, 0.55), shadow: true }
    }
}

/// Draws frames, each a time \[s\] and the positions of all points \[m\]. Of more than [`MOST`] frames
/// it takes that many at even distances, the first and the last among them; of a fine surface fewer,
/// but at least four.
pub fn write_svg(
    path: &Path,
    topology: &Topology,
    frames: &[(f64, &[Vec3])],
    options: &Options,
) -> Result<(), OutputError> {
    for (_, positions) in frames {
        OutputError::expect_length(path, "positions", topology.points, positions.len())?;
    }
    let chosen = spread(frames, capacity(topology));
    let text = sheet::draw(topology, &chosen, options);
    atomic::write(path, |w| w.write_all(text.as_bytes()))
}

/// How many pictures of these bodies go on one sheet.
pub(crate) fn capacity(topology: &Topology) -> usize {
    (SHAPES / (topology.triangles.len() + topology.edges.len()).max(1)).clamp(4, MOST)
}

/// At most that many entries at even distances, the first and the last among them.
pub(crate) fn spread<T: Copy>(all: &[T], most: usize) -> Vec<T> {
    if all.len() <= most {
        return all.to_vec();
    }
    (0..most).map(|i| all[(i * (all.len() - 1) + (most - 1) / 2) / (most - 1)]).collect()
}

#[cfg(test)]
mod tests;
