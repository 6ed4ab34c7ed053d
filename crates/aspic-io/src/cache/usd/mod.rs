//! Universal Scene Description: `.usda` is text, `.usdc` binary, `.usdz` an archive with a `.usdc` in it.
//!
//! The time code of a frame is its place in the cache, so that one second has as many as the rate says.
//!
//! A frame in which an actor is as it was before and as it will be after is left out: interpolation gives the same. So
//! each frame waits until the next one comes. What never moves has a single value and no samples at all.
//!
//! Velocities are the ways per played second. Between two frames `Δt` is simulated while `1/rate` is played, so that a
//! simulated velocity is stretched by `Δt · rate`.

mod binary;
mod coding;
mod package;
mod shape;
mod specs;
mod stage;
mod tables;
mod text;

use std::io;
use std::path::{Path, PathBuf};

use aspic::Vec3;

use self::shape::{CHANNELS, EXTENT, NORMALS, POINTS, Shape, VELOCITIES};
use self::stage::Prim;
use super::{Cache, Cast, Normals, Pose, check};
use crate::OutputError;

/// A layer that is being written.
trait Layer {
    /// Adds a sample to a channel. Samples of a channel come in order.
    fn sample(&mut self, channel: usize, place: usize, values: &[[f32; 3]]) -> io::Result<()>;

    /// Writes what does not change and where the samples belong, and puts the file in its place.
    fn finish(self: Box<Self>, cast: &Cast, frames: usize, world: &Prim) -> Result<(), OutputError>;
}

/// Begins a text file, `.usda`.
pub fn begin_text(path: &Path, cast: &Cast) -> Result<Box<dyn Cache>, OutputError> {
    begin(path, cast, |channels| Ok(Box::new(text::Text::begin(path, channels)?)))
}

/// Begins a binary file, `.usdc`.
pub fn begin_binary(path: &Path, cast: &Cast) -> Result<Box<dyn Cache>, OutputError> {
    begin(path, cast, |channels| Ok(Box::new(binary::Binary::begin(path, channels)?)))
}

/// Begins an archive, `.usdz`.
pub fn begin_archive(path: &Path, cast: &Cast) -> Result<Box<dyn Cache>, OutputError> {
    begin(path, cast, |channels| Ok(Box::new(package::begin(path, channels)?)))
}

fn begin(
    path: &Path,
    cast: &Cast,
    layer: impl FnOnce(usize) -> Result<Box<dyn Layer>, OutputError>,
) -> Result<Box<dyn Cache>, OutputError> {
    check::cast(path, cast)?;
    let shapes = shape::shapes(cast);
    let layer = layer(shapes.len() * CHANNELS)?;
    Ok(Box::new(Usd {
        path: path.into(),
        cast: cast.clone(),
        news: vec![true; shapes.len()],
        shapes,
        layer,
        held: Held::default(),
        pushed: 0,
        velocities: true,
        desk: Desk::default(),
    }))
}

struct Usd {
    path: PathBuf,
    cast: Cast,
    shapes: Vec<Shape>,
    layer: Box<dyn Layer>,
    /// The frame that waits for the next one.
    held: Held,
    /// Whether each shape differs in the frame that waits from the one before.
    news: Vec<bool>,
    pushed: usize,
    /// Whether velocities came with every frame so far.
    velocities: bool,
    desk: Desk,
}

/// A frame in memory.
#[derive(Default)]
struct Held {
    t: f64,
    /// Played seconds to simulated seconds up to the frame that follows.
    stretch: f64,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
}

/// Memory that serves each frame anew.
#[derive(Default)]
struct Desk {
    normals: Normals,
    values: Vec<[f32; 3]>,
}

impl Cache for Usd {
    fn push(&mut self, pose: &Pose<'_>) -> Result<(), OutputError> {
        check::pose(&self.path, &self.cast, self.pushed, pose)?;
        self.velocities &= !pose.velocities.is_empty();
        if self.pushed > 0 {
            self.held.stretch = (pose.t - self.held.t) * self.cast.rate;
            let differs = self.differences(pose);
            self.write_held(&differs).map_err(OutputError::io(&self.path))?;
            self.news = differs;
        }
        self.held.t = pose.t;
        replace(&mut self.held.positions, pose.positions);
        replace(&mut self.held.velocities, pose.velocities);
        self.pushed += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<PathBuf>, OutputError> {
        // A single frame has nothing to compare its time with: its velocities are unknown.
        self.velocities &= self.pushed > 1;
        if self.pushed > 0 {
            let nothing_follows = vec![false; self.shapes.len()];
            self.write_held(&nothing_follows).map_err(OutputError::io(&self.path))?;
        }
        let world = stage::world(&self.cast, &self.shapes, self.velocities);
        self.layer.finish(&self.cast, self.pushed, &world)?;
        Ok(vec![self.path])
    }
}

impl Usd {
    /// Which shapes are not in this pose as in the frame that waits.
    fn differences(&self, pose: &Pose<'_>) -> Vec<bool> {
        let differs = |before: &[Vec3], after: &[Vec3]| -> Vec<bool> {
            let pairs = self.cast.parts(before).zip(self.cast.parts(after));
            pairs.map(|((_, before), (_, after))| before != after).collect()
        };
        let mut actors = differs(&self.held.positions, pose.positions);
        if self.velocities {
            let faster = differs(&self.held.velocities, pose.velocities);
            actors.iter_mut().zip(faster).for_each(|(differs, faster)| *differs |= faster);
        }
        self.shapes.iter().map(|shape| actors[shape.actor]).collect()
    }

    /// Writes those shapes of the frame that waits which differ from the frame before or the one that follows.
    fn write_held(&mut self, following: &[bool]) -> io::Result<()> {
        let place = self.pushed - 1;
        let positions: Vec<&[Vec3]> = self.cast.parts(&self.held.positions).map(|(_, own)| own).collect();
        let velocities: Vec<&[Vec3]> = if self.velocities {
            self.cast.parts(&self.held.velocities).map(|(_, own)| own).collect()
        } else {
            Vec::new()
        };
        let Desk { normals, values } = &mut self.desk;
        for (number, shape) in self.shapes.iter().enumerate() {
            if !self.news[number] && !following[number] {
                continue;
            }
            let mut sample =
                |which, values: &[[f32; 3]]| self.layer.sample(shape.channel(which), place, values);
            let own = positions[shape.actor];
            shape.select(own, values);
            sample(POINTS, values)?;
            sample(EXTENT, &shape.extent(values))?;
            if let Some(normals) = shape.normals(&self.cast.actors[shape.actor], own, normals) {
                shape.select(normals, values);
                sample(NORMALS, values)?;
            }
            if let Some(velocities) = velocities.get(shape.actor) {
                shape.select(velocities, values);
                let stretch = self.held.stretch as f32;
                values.iter_mut().flatten().for_each(|x| *x *= stretch);
                sample(VELOCITIES, values)?;
            }
        }
        Ok(())
    }
}

fn replace(held: &mut Vec<Vec3>, by: &[Vec3]) {
    held.clear();
    held.extend_from_slice(by);
}

#[cfg(test)]
mod tests;
