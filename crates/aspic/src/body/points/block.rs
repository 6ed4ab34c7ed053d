//! Blocks: the points of a mesh of tetrahedra, with springs along its edges and volumes that are kept.

use std::collections::HashMap;

use super::edges::Edges;
use super::tetrahedron;
use super::{Inner, Parts, PointsError};
use crate::body::builder::Outline;
use crate::body::{BodyId, BuildError, WorldBuilder};
use crate::mesh::TetMesh;
use crate::points::{Batch, Cells, EDGES, Element, Network, Tet, Volume};
use crate::potential::material::Moduli;

/// A body of springs that fills space.
#[derive(Clone, Debug, PartialEq)]
pub struct Block<'a> {
    /// The mesh at rest.
    pub mesh: &'a TetMesh,
    /// Density  \[kg/m³\]
    pub density: f64,
    /// How stiff it is.
    pub stiffness: BlockStiffness,
    /// Damping and the like.
    pub inner: Inner,
}

/// Stiffness of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockStiffness {
    /// Young modulus of the springs alone, which have the Poisson ratio 1/4  \[Pa\]
    pub stretch: f64,
    /// Bulk modulus beside that of the springs, from volumes that are kept. A negative one makes springs that give way
    /// more easily when all are pressed, at least −⅔ `stretch`  \[Pa\]
    pub volume: f64,
    /// The same constant for all springs instead of `stretch`; each then pulls for itself  \[N/m\]
    pub spring: Option<f64>,
    /// The same constant for all volumes instead of `volume`  \[N/m⁵\]
    pub volume_spring: Option<f64>,
}

impl BlockStiffness {
    /// Springs and volumes of a material. Springs have λ = μ = ⅖ Y; so Y = 5/2 G, and volumes add K − 5/3 G, which is
    /// negative for a Poisson ratio below 1/4.
    pub fn of(moduli: Moduli) -> BlockStiffness {
        let volume = moduli.bulk - 5.0 / 3.0 * moduli.shear;
        BlockStiffness { stretch: 2.5 * moduli.shear, volume, ..BlockStiffness::default() }
    }

    /// What springs have without the volumes: λ = μ = ⅖ Y, or less bulk modulus where volumes would be negative.
    fn springs(&self) -> Moduli {
        Moduli { bulk: 2.0 / 3.0 * self.stretch + self.volume.min(0.0), shear: 0.4 * self.stretch }
    }

    /// Young modulus of springs that pull each for itself: they cannot have less bulk modulus, and keep the Young modulus
    /// of the material.
    fn alone(&self) -> f64 {
        let Moduli { bulk, shear } = self.springs();
        match self.volume < 0.0 {
            true => 9.0 * bulk * shear / (3.0 * bulk + shear),
            false => self.stretch,
        }
    }

    fn check(&self) -> Result<(), PointsError> {
        let stretch = PointsError::not_negative("the stiffness against stretch", self.stretch)?;
        // rounding of K − 5/3 G for a material of no bulk modulus
        match self.volume >= -(2.0 / 3.0 + 1e-12) * stretch && self.volume.is_finite() {
            true => Ok(()),
            false => Err(PointsError::BadNumber {
                what: "the stiffness against changes of volume",
                value: self.volume,
                need: "at least −2/3 of that against stretch, or the block would collapse",
            }),
        }
    }
}

impl WorldBuilder {
    /// Adds a block of springs at rest.
    pub fn block(&mut self, name: &str, block: &Block) -> Result<BodyId, BuildError> {
        self.check_mesh(name, block.mesh, block.density)?;
        let failed = |error: PointsError| BuildError::Points { body: name.into(), error };
        let (masses, network) = network(block).map_err(failed)?;
        let mesh = block.mesh;
        let outline = Outline { tets: &mesh.tets, triangles: &mesh.boundary(), ..Outline::default() };
        self.add_parts(name, Parts { positions: &mesh.positions, masses, network, outline })
    }
}

fn network(block: &Block) -> Result<(Vec<f64>, Network), PointsError> {
    let TetMesh { positions, tets, .. } = block.mesh;
    let stiffness = block.stiffness;
    stiffness.check()?;
    let alone = stiffness.spring.is_some() || block.inner.tension_only;
    let stretch = if alone { stiffness.alone() } else { stiffness.stretch };
    let mut edges = Edges::default();
    let mut masses = vec![0.0; positions.len()];
    for (t, tet) in tets.iter().enumerate() {
        let matter = block.mesh.matter_of(t);
        EDGES.iter().for_each(|&[i, j]| edges.add(tet[i], tet[j], stretch * matter));
        tet.iter().for_each(|&v| masses[v as usize] += block.density * matter / 4.0);
    }
    let mut network = Network::new(0, positions.len());
    network.set_springs(&edges.springs(positions, stiffness.spring)?, block.inner.tension_only);
    network.volumes = volumes(block, modulus(block, &network));
    if !alone && stretch > 0.0 {
        network.tets = together(block, &network)?;
    }
    network.cells = Some(Cells::new(block.mesh, &network));
    block.inner.apply(&mut network)?;
    Ok((masses, network))
}

/// The springs of every tetrahedron, together.
fn together(block: &Block, network: &Network) -> Result<Vec<Tet>, PointsError> {
    let springs: HashMap<[u32; 2], u32> = network.distances.nodes().copied().map(sorted).zip(0..).collect();
    let volumes: HashMap<[u32; 4], u32> = network.volumes.nodes().copied().map(sorted).zip(0..).collect();
    let moduli = block.stiffness.springs();
    let one = |(t, points): (usize, &[u32; 4])| {
        let corners = points.map(|point| block.mesh.positions[point as usize]);
        let matter = block.mesh.matter_of(t);
        let matrix = tetrahedron::together(moduli, corners, matter);
        Ok(Tet {
            points: *points,
            springs: EDGES.map(|edge| springs[&sorted(edge.map(|corner| points[corner]))]),
            volume: volumes[&sorted(*points)],
            matrix: matrix.ok_or(PointsError::FlatTetrahedron { tetrahedron: t })?,
            mass: block.density * matter / 4.0,
        })
    };
    block.mesh.tets.iter().enumerate().map(one).collect()
}

fn sorted<const N: usize>(mut nodes: [u32; N]) -> [u32; N] {
    nodes.sort_unstable();
    nodes
}

/// Modulus against uniaxial strain: K + 4/3 G, where raw constants give Y = Σ k L²/6V  \[Pa\]
fn modulus(block: &Block, network: &Network) -> f64 {
    let matter = block.mesh.matter();
    let mut pull = 0.0;
    network.distances.each(&[], |_, k, length| pull += k * length * length);
    let squares: f64 = (0..block.mesh.tets.len()).map(|t| block.mesh.volume_of(t).powi(2)).sum();
    let bulk = block.stiffness.volume_spring.map_or(block.stiffness.volume, |k| k * squares / matter);
    1.2 * pull / (6.0 * matter) + bulk
}

/// Volumes that are kept, and walls that keep every tetrahedron from becoming flat: see [`Volume`].
fn volumes(block: &Block, modulus: f64) -> Batch<4, Volume> {
    let BlockStiffness { volume: bulk, volume_spring, .. } = block.stiffness;
    let mesh = block.mesh;
    let kept = volume_spring.unwrap_or(bulk) > 0.0;
    let element = |(t, nodes): (usize, &[u32; 4])| {
        let (volume, matter) = (mesh.volume_of(t), mesh.matter_of(t));
        let constant = if kept { volume_spring } else { None };
        let bulk = if kept { bulk } else { modulus };
        let stiffness = constant.unwrap_or(bulk * matter / (volume * volume));
        Element { nodes: *nodes, stiffness, rest: volume }
    };
    let elements: Vec<Element<4>> = mesh.tets.iter().enumerate().map(element).collect();
    let all: f64 = elements.iter().map(|element| element.stiffness * element.rest * element.rest).sum();
    match modulus > 0.0 && all > 0.0 {
        // so that the walls of all tetrahedra together are as stiff as the block
        true => Batch::new(Volume::walled(kept, modulus * mesh.matter() / all), &elements),
        false => Batch::new(Volume::KEPT, &[]),
    }
}
