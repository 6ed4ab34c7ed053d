//! Ropes, and hair as bundles of them.

use super::edges::Edges;
use super::{Inner, Parts, PointsError};
use crate::Vec3;
use crate::body::builder::Outline;
use crate::body::{BodyId, BuildError, WorldBuilder};
use crate::points::{Batch, Bend, Element, Network};

/// Strands of points in a row; several strands make hair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rope {
    /// The points of every strand at rest  \[m\]
    pub strands: Vec<Vec<Vec3>>,
    /// Mass per length  \[kg/m\]
    pub mass_per_length: f64,
    /// Half the thickness  \[m\]
    pub radius: f64,
    /// How stiff it is.
    pub stiffness: RopeStiffness,
    /// Damping and the like.
    pub inner: Inner,
}

/// Stiffness of a rope.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RopeStiffness {
    /// Young modulus × section  \[N\]
    pub stretch: f64,
    /// Young modulus × second moment of the section  \[N m²\]
    pub bend: f64,
    /// The same constant for all springs instead of `stretch`  \[N/m\]
    pub spring: Option<f64>,
}

impl WorldBuilder {
    /// Adds a rope or a bundle of ropes at rest. Its shape at rest keeps its lengths, and straightens where it can.
    pub fn rope(&mut self, name: &str, rope: &Rope) -> Result<BodyId, BuildError> {
        let failed = |error: PointsError| BuildError::Points { body: name.into(), error };
        let (positions, chains) = number(rope);
        let (masses, network) = network(rope, &positions, &chains).map_err(failed)?;
        let edges: Vec<[u32; 2]> =
            chains.iter().flat_map(|chain| chain.windows(2).map(|pair| [pair[0], pair[1]])).collect();
        let outline = Outline { edges: &edges, radius: rope.radius, ..Outline::default() };
        self.add_parts(name, Parts { positions: &positions, masses, network, outline })
    }
}

/// All points, and the numbers of each strand. A strand whose last point is its first is a ring.
fn number(rope: &Rope) -> (Vec<Vec3>, Vec<Vec<u32>>) {
    let mut positions = vec![];
    let chains = rope.strands.iter().map(|strand| {
        let first = positions.len() as u32;
        let ring = strand.len() > 3 && strand.first() == strand.last();
        let count = strand.len() - usize::from(ring);
        positions.extend_from_slice(&strand[..count]);
        let numbers = first..first + count as u32;
        if ring { numbers.chain([first, first + 1]).collect() } else { numbers.collect() }
    });
    let chains = chains.collect();
    (positions, chains)
}

fn network(rope: &Rope, positions: &[Vec3], chains: &[Vec<u32>]) -> Result<(Vec<f64>, Network), PointsError> {
    let density = PointsError::positive("the mass per length", rope.mass_per_length)?;
    let bend = PointsError::not_negative("the stiffness against bending", rope.stiffness.bend)?;
    let stretch = PointsError::not_negative("the stiffness against stretch", rope.stiffness.stretch)?;
    if let Some(short) = rope.strands.iter().find(|strand| strand.len() < 2) {
        return Err(PointsError::TooFew { points: short.len() });
    }
    let at = |node: u32| positions[node as usize];
    let length = |a: u32, b: u32| (at(b) - at(a)).norm();
    let mut edges = Edges::default();
    let mut masses = vec![0.0; positions.len()];
    let mut bends = vec![];
    for chain in chains {
        // A ring repeats its first two points at the end: the last pair is there already.
        let ring = chain.len() > 3 && chain[0] == chain[chain.len() - 2];
        for pair in chain[..chain.len() - usize::from(ring)].windows(2) {
            let length = length(pair[0], pair[1]);
            edges.add(pair[0], pair[1], stretch * length);
            pair.iter().for_each(|&node| masses[node as usize] += 0.5 * density * length);
        }
        bends.extend(chain.windows(3).map(|three| {
            let mean = 0.5 * (length(three[0], three[1]) + length(three[1], three[2]));
            Element { nodes: [three[0], three[1], three[2]], stiffness: bend / mean, rest: 0.0 }
        }));
    }
    let mut network = Network::new(0, positions.len());
    network.set_springs(&edges.springs(positions, rope.stiffness.spring)?, rope.inner.tension_only);
    if bend > 0.0 {
        network.bends = Batch::new(Bend, &bends);
    }
    rope.inner.apply(&mut network)?;
    Ok((masses, network))
}
