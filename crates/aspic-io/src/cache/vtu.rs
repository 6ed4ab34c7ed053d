//! VTK: a `.vtu` file for each frame in a folder, and a `.pvd` file that lists them with their times.

use std::path::{Path, PathBuf};

use aspic::frame::{BodyRange, Frame, Topology};

use super::{Cache, Cast, Pose};
use crate::vtu::{Fields, write_frame, write_pvd};
use crate::{OutputError, atomic};

/// A folder that fills with frames.
struct VtuCache {
    folder: PathBuf,
    topology: Topology,
    /// Times and files so far.
    written: Vec<(f64, String)>,
}

/// Begins the folder; nothing is seen of it in the list until it is finished.
pub fn begin(path: &Path, cast: &Cast) -> Result<Box<dyn Cache>, OutputError> {
    atomic::create_folder(path)?;
    Ok(Box::new(VtuCache { folder: path.into(), topology: topology(cast), written: vec![] }))
}

impl Cache for VtuCache {
    fn push(&mut self, pose: &Pose<'_>) -> Result<(), OutputError> {
        let name = format!("{:06}.vtu", pose.number);
        let mut frame = Frame {
            index: pose.place,
            positions: pose.positions.to_vec(),
            velocities: pose.velocities.to_vec(),
            ..Frame::default()
        };
        frame.ledger.t = pose.t;
        let what = Fields { velocity: !pose.velocities.is_empty(), ..Fields::NONE };
        write_frame(&self.folder.join(&name), &self.topology, &frame, what)?;
        self.written.push((pose.t, name));
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, OutputError> {
        let list = self.folder.join("frames.pvd");
        write_pvd(&list, &self.written)?;
        Ok(vec![list])
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
