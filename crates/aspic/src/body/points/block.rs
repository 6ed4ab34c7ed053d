//! Blocks: the points of a mesh of tetrahedra, with springs along its edges and volumes that are kept.

use super::edges::Edges;
use super::{Inner, Parts, PointsError};
use crate::body::builder::Outline;
use crate::body::{BodyId, BuildError, WorldBuilder};
use crate::mesh::TetMesh;
use crate::points::{Batch, Cells, Element, Network, Volume};
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
    /// Young modulus of the springs alone  \[Pa\]
    pub stretch: f64,
    /// Bulk modulus beside that of the springs, from volumes that are kept  \[Pa\]
    pub volume: f64,
    /// The same constant for all springs instead of `stretch`  \[N/m\]
    pub spring: Option<f64>,
    /// The same constant for all volumes instead of `volume`  \[N/m⁵\]
    pub volume_spring: Option<f64>,
}

impl BlockStiffness {
    /// Springs and volumes of a material. Springs alike in all directions have λ = μ = ⅖ Y; so Y = 5/2 G, and volumes add
    /// K − 5/3 G. A material with a Poisson ratio below 1/4 gets the nearest there is: springs of its Young modulus.
    pub fn of(moduli: Moduli) -> BlockStiffness {
        let volume = moduli.bulk - 5.0 / 3.0 * moduli.shear;
        match volume >= 0.0 {
            true => BlockStiffness { stretch: 2.5 * moduli.shear, volume, ..BlockStiffness::default() },
            false => {
                let young = 9.0 * moduli.bulk * moduli.shear / (3.0 * moduli.bulk + moduli.shear);
                BlockStiffness { stretch: young, ..BlockStiffness::default() }
            }
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
    let stretch = PointsError::not_negative("the stiffness against stretch", stiffness.stretch)?;
    let bulk = PointsError::not_negative("the stiffness against changes of volume", stiffness.volume)?;
    let mut edges = Edges::default();
    let mut masses = vec![0.0; positions.len()];
    let mut volumes = vec![];
    for (t, tet) in tets.iter().enumerate() {
        let (volume, matter) = (block.mesh.volume_of(t), block.mesh.matter_of(t));
        for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            edges.add(tet[i], tet[j], stretch * matter);
        }
        tet.iter().for_each(|&v| masses[v as usize] += block.density * matter / 4.0);
        let constant = stiffness.volume_spring.unwrap_or(bulk * matter / (volume * volume));
        if constant > 0.0 {
            volumes.push(Element { nodes: *tet, stiffness: constant, rest: volume });
        }
    }
    let mut network = Network::new(0, positions.len());
    network.set_springs(&edges.springs(positions, stiffness.spring)?, block.inner.tension_only);
    network.volumes = Batch::new(Volume, &volumes);
    network.cells = Some(Cells::new(block.mesh, &network));
    block.inner.apply(&mut network)?;
    Ok((masses, network))
}
