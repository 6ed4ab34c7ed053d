//! VTK, in a folder: `NAME.000012.vtu` for each frame, and `NAME.pvd`, which lists them with their times.

use std::path::{Path, PathBuf};

use aspic::frame::{BodyRange, Frame, Topology};

use super::folder::Folder;
use super::{Cache, Cast, Pose, check};
use crate::OutputError;
use crate::vtu::{Fields, write_frame, write_pvd};

/// A folder that fills with frames.
struct VtuCache {
    path: PathBuf,
    cast: Cast,
    folder: Folder,
    topology: Topology,
    /// Times and files so far.
    written: Vec<(f64, String)>,
}

/// Begins the folder.
pub fn begin(path: &Path, cast: &Cast) -> Result<Box<dyn Cache>, OutputError> {
    check::cast(path, cast)?;
    let folder = Folder::begin(path)?;
    let (path, cast, topology) = (path.into(), cast.clone(), topology(cast));
    Ok(Box::new(VtuCache { path, cast, folder, topology, written: vec![] }))
}

impl Cache for VtuCache {
    fn push(&mut self, pose: &Pose<'_>) -> Result<(), OutputError> {
        check::pose(&self.path, &self.cast, self.written.len(), pose)?;
        let name = self.folder.of_frame(pose.place, "vtu");
        let mut frame = Frame {
            index: pose.place,
            positions: pose.positions.to_vec(),
            velocities: pose.velocities.to_vec(),
            ..Frame::default()
        };
        frame.ledger.t = pose.t;
        let what = Fields { velocity: !pose.velocities.is_empty(), ..Fields::NONE };
        write_frame(&self.folder.place(name.clone()), &self.topology, &frame, what)?;
        self.written.push((pose.t, name));
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<PathBuf>, OutputError> {
        let list = format!("{}.pvd", self.folder.stem());
        write_pvd(&self.folder.place(list), &self.written)?;
        self.folder.finish()
    }
}

/// The actors as bodies of triangles and lines, one after another.
fn topology(cast: &Cast) -> Topology {
    let mut all = Topology::default();
    for actor in &cast.actors {
        let first = all.points as u32;
        let (triangles, edges) = (all.triangles.len(), all.edges.len());
        all.triangles.extend(actor.triangles.iter().map(|triangle| triangle.map(|v| v + first)));
        all.edges.extend(actor.edges.iter().map(|edge| edge.map(|v| v + first)));
        all.points += actor.points;
        all.bodies.push(BodyRange {
            name: actor.name.clone(),
            points: first as usize..all.points,
            triangles: triangles..all.triangles.len(),
            edges: edges..all.edges.len(),
            radius: actor.radius,
            ..BodyRange::default()
        });
    }
    all
}
