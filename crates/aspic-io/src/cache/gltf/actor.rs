//! One actor as a mesh with morph targets, written frame by frame.

use std::io;

use aspic::Vec3;

use super::body::{Array, Body};
use crate::cache::{Actor, Normals};

/// Positions and, where there are triangles, normals: of the first pose, or what a target adds to them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub positions: Array,
    pub normals: Option<Array>,
}

/// What was written of an actor.
#[derive(Default)]
pub(super) struct Moving {
    /// Corners of triangles.
    pub triangles: Option<Array>,
    /// Ends of lines.
    pub lines: Option<Array>,
    /// The first pose.
    pub first: Option<Shape>,
    /// The others, as differences from it.
    pub targets: Vec<Shape>,
    /// The target that each frame shows, or the first pose.
    pub shown: Vec<Option<u32>>,
    first_positions: Vec<[f32; 3]>,
    first_normals: Vec<[f32; 3]>,
    last_positions: Vec<[f32; 3]>,
    scratch: Vec<[f32; 3]>,
    normals: Normals,
}

impl Moving {
    /// Writes what does not change.
    pub(super) fn begin(body: &mut Body, actor: &Actor) -> io::Result<Moving> {
        let mut indices = |of: &[u32]| {
            let numbers = || body.numbers(of.iter().map(|index| index.to_le_bytes()));
            (!of.is_empty()).then(numbers).transpose()
        };
        let triangles = indices(actor.triangles.as_flattened())?;
        let lines = indices(actor.edges.as_flattened())?;
        Ok(Moving { triangles, lines, ..Moving::default() })
    }

    /// Writes a pose, unless it was there before.
    pub(super) fn push(&mut self, body: &mut Body, actor: &Actor, positions: &[Vec3]) -> io::Result<()> {
        if positions.is_empty() {
            return Ok(());
        }
        let same = |known: &[[f32; 3]]| known.iter().zip(positions).all(|(known, now)| *known == single(now));
        let shown = if self.first.is_none() {
            self.write_first(body, actor, positions)?;
            None
        } else if same(&self.last_positions) {
            self.shown.last().copied().flatten()
        } else if same(&self.first_positions) {
            None
        } else {
            self.write_target(body, actor, positions)?;
            Some(self.targets.len() as u32 - 1)
        };
        self.shown.push(shown);
        self.last_positions.clear();
        self.last_positions.extend(positions.iter().map(single));
        Ok(())
    }

    /// Bytes that the weights of all frames take.
    pub(super) fn table_size(&self, frames: usize) -> u64 {
        4 * frames as u64 * (self.targets.len() as u64 + 1)
    }

    fn write_first(&mut self, body: &mut Body, actor: &Actor, positions: &[Vec3]) -> io::Result<()> {
        self.first_positions.extend(positions.iter().map(single));
        let mut shape = Shape { positions: body.vectors(&self.first_positions)?, normals: None };
        if self.triangles.is_some() {
            self.first_normals.extend(self.normals.of(positions, &actor.triangles).iter().map(single));
            shape.normals = Some(body.vectors(&self.first_normals)?);
        }
        self.first = Some(shape);
        Ok(())
    }

    fn write_target(&mut self, body: &mut Body, actor: &Actor, positions: &[Vec3]) -> io::Result<()> {
        differences(&mut self.scratch, positions, &self.first_positions);
        let mut shape = Shape { positions: body.vectors(&self.scratch)?, normals: None };
        if self.triangles.is_some() {
            let normals = self.normals.of(positions, &actor.triangles);
            differences(&mut self.scratch, normals, &self.first_normals);
            shape.normals = Some(body.vectors(&self.scratch)?);
        }
        self.targets.push(shape);
        Ok(())
    }
}

fn single(v: &Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

/// What is to be added to `first` (single precision) to get `now`, rounded once.
fn differences(out: &mut Vec<[f32; 3]>, now: &[Vec3], first: &[[f32; 3]]) {
    out.clear();
    let difference = |(now, first): (&Vec3, &[f32; 3])| {
        [0, 1, 2].map(|axis| (f64::from(now[axis] as f32) - f64::from(first[axis])) as f32)
    };
    out.extend(now.iter().zip(first).map(difference));
}
