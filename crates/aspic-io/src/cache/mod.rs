//! A run as a cache for another program: meshes whose points move from frame to frame.
//!
//! A [`Cast`] says what does not change, [`Pose`]s follow one after another. Each format writes what it can as soon as
//! it comes, so that memory does not grow with the number of frames; a file appears when it is finished.

pub mod alembic;
mod bytes;
mod check;
pub mod csv;
mod folder;
pub mod gltf;
mod looks;
mod made_folder;
#[cfg(test)]
mod made_up;
pub mod mdd;
pub mod names;
mod normals;
pub mod npz;
pub mod obj;
pub mod pc2;
mod pick;
pub mod ply;
mod points;
pub mod povray;
mod spool;
mod text;
pub mod usd;
pub mod vtu;
mod zip;

use std::path::PathBuf;

use aspic::Vec3;

pub use normals::Normals;
pub use pick::{Choice, Picker, UnknownBody};

use crate::OutputError;

/// What is written, apart from the motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cast {
    /// The title of the scene.
    pub title: String,
    /// What moves, each under its own name. Names differ.
    pub actors: Vec<Actor>,
    /// Which way is up in the positions that are handed over: they are turned and scaled already.
    pub up: Up,
    /// Length of one unit of the positions  \[m\]
    pub meters_per_unit: f64,
    /// Frames a second when played.
    pub rate: f64,
    /// How many poses will follow, unless the export is interrupted.
    pub frames: usize,
}

/// The axis that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// As in aspic and Blender.
    #[default]
    Z,
    /// As in glTF, Maya and Houdini.
    Y,
}

/// One body: triangles, or strands, or both, between its own points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Actor {
    /// The name from the scene.
    pub name: String,
    /// Its colour (sRGB).
    pub color: [u8; 3],
    /// Number of points.
    pub points: usize,
    /// Triangles between its points, from 0, outward.
    pub triangles: Vec<[u32; 3]>,
    /// Lines between its points that are no side of a triangle: ropes, hair.
    pub edges: Vec<[u32; 2]>,
    /// Half the thickness of its lines, in units of the positions.
    pub radius: f64,
}

/// Where everything is at one frame.
#[derive(Clone, Copy, Debug)]
pub struct Pose<'a> {
    /// Place in the cache, from 0. The time when played is `place / rate`.
    pub place: usize,
    /// The number of the frame in the run.
    pub number: usize,
    /// Simulated time  \[s\]
    pub t: f64,
    /// Positions of the points of all actors, one actor after another.
    pub positions: &'a [Vec3],
    /// Velocities, in units of the positions per simulated second; empty if they are not known.
    pub velocities: &'a [Vec3],
}

/// A cache that is being written.
pub trait Cache {
    /// Adds a frame.
    fn push(&mut self, pose: &Pose<'_>) -> Result<(), OutputError>;

    /// Puts everything in its place; what was written. A cache that is dropped instead leaves nothing behind.
    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, OutputError>;
}

impl Cast {
    /// Each actor with its part of an array over all points.
    pub fn parts<'a, T>(&'a self, of_points: &'a [T]) -> impl Iterator<Item = (&'a Actor, &'a [T])> {
        let mut rest = of_points;
        self.actors.iter().map(move |actor| {
            let (own, behind) = rest.split_at(actor.points);
            rest = behind;
            (actor, own)
        })
    }

    /// Number of points of all actors.
    pub fn points(&self) -> usize {
        self.actors.iter().map(|actor| actor.points).sum()
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_all;
