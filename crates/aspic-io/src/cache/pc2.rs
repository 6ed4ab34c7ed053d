//! PC2 point caches, for the Mesh Cache modifier of Blender, 3ds Max and others.
//!
//! Little endian: `POINTCACHE2\0`, then version 1, number of points (i32), first frame 0, frames between samples 1
//! (f32), number of samples (i32): 32 bytes. Then x, y, z of all points (f32), sample after sample.
//!
//! In Blender: import the OBJ with forward Y and up Z, keep the order of vertices, add a Mesh Cache modifier with the
//! same axes. The cache has no unit and no axis of its own: positions are written as they are handed over.

use std::io;
use std::path::Path;

use super::points::{Layout, Points};
use super::{Cache, Cast};
use crate::OutputError;
use crate::atomic::Pending;

/// Where the number of samples stands.
const SAMPLES: u64 = 28;

struct Pc2;

/// Begins a folder with a `.pc2` and an `.obj` for each actor.
pub fn begin(path: &Path, cast: &Cast) -> Result<Box<dyn Cache>, OutputError> {
    Ok(Box::new(Points::<Pc2>::begin(path, cast)?))
}

impl Layout for Pc2 {
    const EXTENSION: &'static str = "pc2";

    fn header(cast: &Cast, points: usize) -> Vec<u8> {
        let mut header = b"POINTCACHE2\0".to_vec();
        header.extend(1u32.to_le_bytes());
        header.extend((points as u32).to_le_bytes());
        header.extend(0f32.to_le_bytes());
        header.extend(1f32.to_le_bytes());
        header.extend((cast.frames as u32).to_le_bytes());
        header
    }

    fn encode(x: f32) -> [u8; 4] {
        x.to_le_bytes()
    }

    fn settle(file: &mut Pending, _announced: usize, pushed: usize) -> io::Result<()> {
        file.patch(SAMPLES, &(pushed as u32).to_le_bytes())
    }
}
