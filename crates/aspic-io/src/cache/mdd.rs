//! MDD point caches, for the Mesh Cache modifier of Blender, LightWave, Houdini, Maya and others.
//!
//! Big endian: number of frames and of points (i32), the time of each frame \[s\] (f32), then x, y, z of all points
//! (f32), frame after frame.
//!
//! The times stand in front of the points, so room for all frames that are announced is left there. When fewer come,
//! the room that is left over is cut out.

use std::io;
use std::path::Path;

use super::points::{Layout, Points};
use super::{Cache, Cast};
use crate::OutputError;
use crate::atomic::Pending;

struct Mdd;

/// Begins a folder with an `.mdd` and an `.obj` for each actor.
pub fn begin(path: &Path, cast: &Cast) -> Result<Box<dyn Cache>, OutputError> {
    Ok(Box::new(Points::<Mdd>::begin(path, cast)?))
}

/// Where the points begin.
fn behind_times(frames: usize) -> u64 {
    8 + 4 * frames as u64
}

impl Layout for Mdd {
    const EXTENSION: &'static str = "mdd";

    fn header(cast: &Cast, points: usize) -> Vec<u8> {
        let numbers = [cast.frames as u32, points as u32].map(u32::to_be_bytes);
        let times = (0..cast.frames).map(|place| (place as f64 / cast.rate) as f32);
        numbers.into_iter().chain(times.map(f32::to_be_bytes)).flatten().collect()
    }

    fn encode(x: f32) -> [u8; 4] {
        x.to_be_bytes()
    }

    fn settle(file: &mut Pending, announced: usize, pushed: usize) -> io::Result<()> {
        if pushed < announced {
            file.cut(behind_times(pushed), behind_times(announced))?;
        }
        file.patch(0, &(pushed as u32).to_be_bytes())
    }
}
