//! Bodies of mass points: ropes, cloth, shells, blocks.
//!
//! Springs stand for a material. In one, two and three dimensions the same rule turns a stiffness Y (N, N/m, Pa) into
//! spring constants: k = Y Σ S / L², where S are the sizes (length, area, volume) of the simplices around the spring.
//! With springs in all directions alike that gives the Young modulus Y exactly, and a Poisson ratio of 1/3 in the
//! plane and 1/4 in space; areas and volumes then add what is missing. Refining the mesh does not change the body.

mod block;
mod edges;
mod error;
mod inner;
mod plate;
mod rope;
mod sheet;
mod tetrahedron;

pub use block::{Block, BlockStiffness};
pub use error::PointsError;
pub use inner::Inner;
pub use rope::{Rope, RopeStiffness};
pub use sheet::{Hinge, Inflation, Sheet, SheetStiffness};

use super::builder::Outline;
use super::{BodyId, BuildError, WorldBuilder};
use crate::Vec3;
use crate::frame::BodyKind;
use crate::points::Network;
use crate::state::State;
use crate::world::Scale;

/// Product of step and highest frequency that explicit steps bear, as for solids.
const STABLE: f64 = 2.8;

/// What all bodies of mass points hand over.
struct Parts<'a> {
    positions: &'a [Vec3],
    /// Mass of every point  \[kg\]
    masses: Vec<f64>,
    network: Network,
    outline: Outline<'a>,
}

impl WorldBuilder {
    fn add_parts(&mut self, name: &str, parts: Parts) -> Result<BodyId, BuildError> {
        let Parts { positions, masses, mut network, outline } = parts;
        let failed = |error: PointsError| BuildError::Points { body: name.into(), error };
        if let Some(vertex) = positions.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
            return Err(failed(PointsError::NotFinite { vertex }));
        }
        if let Some(vertex) = masses.iter().position(|mass| !(*mass > 0.0 && mass.is_finite())) {
            return Err(failed(PointsError::Isolated { vertex }));
        }
        self.room_for_points(positions.len())?;
        let nodes = self.add_nodes(positions);
        network.first = nodes.start;
        network.bearable = network.distances.bearable(&masses);
        let first = nodes.start as u32;
        self.masses.extend(masses.iter().enumerate().map(|(i, m)| (first + i as u32, first + i as u32, *m)));
        self.scales.push((BodyKind::Points, scale(&network, positions, &masses)));
        self.embedding.push_plain(nodes.clone());
        let id = self.enlist(name, BodyKind::Points, nodes, &outline);
        network.claim_memory(self.memory.len());
        network.first_memory(&mut self.memory);
        self.networks.push((id, network));
        Ok(id)
    }

    /// What the memory holds at the start, with all plans as they begin.
    pub(super) fn first_memory(&self, state: &mut State) {
        state.memory.clone_from(&self.memory);
        for (_, network) in &self.networks {
            network.grow(state, &mut crate::points::PointRows::new(network.points));
        }
    }
}

/// Size, time of a wave across it, and the longest explicit step.
fn scale(network: &Network, positions: &[Vec3], masses: &[f64]) -> Scale {
    let fold =
        |f: fn(&Vec3, &Vec3) -> Vec3| positions.iter().copied().reduce(|a, b| f(&a, &b)).unwrap_or_default();
    let length = (fold(Vec3::sup) - fold(Vec3::inf)).norm();
    let mut local = Network { first: 0, ..network.clone() };
    let mut memory = vec![];
    local.claim_memory(0);
    local.first_memory(&mut memory);
    let highest = local.highest_square(positions, &memory, masses).sqrt();
    // The shortest wave takes about 2/ω along the shortest spring.
    let mut shortest = length;
    local.distances.each(&memory, |_, _, rest| shortest = shortest.min(rest));
    let time = if highest > 0.0 { 2.0 / highest * length / shortest } else { 1.0 };
    Scale { length, time, stable_step: if highest > 0.0 { STABLE / highest } else { f64::INFINITY } }
}
