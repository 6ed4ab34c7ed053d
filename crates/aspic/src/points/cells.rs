//! Energy density and stress of a body of mass points that fills space, tetrahedron by tetrahedron.
//!
//! Springs that pull together, and a kept volume, fill their own tetrahedron; a spring that pulls alone fills those around
//! it evenly. An element with the forces fᵢ on its points xᵢ
//! has the virial −Σ fᵢ ⊗ xᵢ, which over the volume is its Cauchy stress. So the densities times the volumes add up to the
//! energy of the body, and its stresses times the volumes to the change of that energy with strain.

use std::collections::HashMap;

use super::batch::Batch;
use super::keeper::Keeper;
use super::point_rows::PointRows;
use super::{EDGES, Network, Tet, Volume};
use crate::lanes::LANES;
use crate::mesh::TetMesh;
use crate::state::State;
use crate::{Mat3, Vec3};

/// Energy \[J\] and virial \[J\] of an element.
type Content = (f64, Mat3);

/// The tetrahedra of a body of mass points.
#[derive(Clone, Debug)]
pub struct Cells {
    cells: Vec<Cell>,
    /// Rest volume of the tetrahedra around each spring  \[m³\]
    around: Vec<f64>,
}

#[derive(Clone, Debug)]
struct Cell {
    nodes: [u32; 4],
    /// Rest volume of its matter  \[m³\]
    volume: f64,
    /// How much of it is matter.
    share: f64,
    /// The springs along its edges.
    springs: [u32; 6],
    /// The element that keeps its volume, if one does.
    keeper: Option<u32>,
}

impl Cells {
    /// The tetrahedra of a mesh, all of whose edges are springs of a network.
    pub(crate) fn new(mesh: &TetMesh, network: &Network) -> Cells {
        let springs = numbers(network.distances.nodes().copied());
        let keepers = numbers(network.volumes.nodes().copied());
        let cell = |(t, nodes): (usize, &[u32; 4])| Cell {
            nodes: *nodes,
            volume: mesh.matter_of(t),
            share: mesh.share_of(t),
            springs: EDGES.map(|edge| springs[&sorted(edge.map(|corner| nodes[corner]))]),
            keeper: keepers.get(&sorted(*nodes)).copied(),
        };
        let cells: Vec<Cell> = mesh.tets.iter().enumerate().map(cell).collect();
        let mut around = vec![0.0; network.distances.len()];
        for cell in &cells {
            cell.springs.iter().for_each(|&spring| around[spring as usize] += cell.volume);
        }
        Cells { cells, around }
    }
}

fn sorted<const N: usize>(mut nodes: [u32; N]) -> [u32; N] {
    nodes.sort_unstable();
    nodes
}

/// The number of each element, by its points.
fn numbers<const N: usize>(elements: impl Iterator<Item = [u32; N]>) -> HashMap<[u32; N], u32> {
    elements.zip(0..).map(|(nodes, number)| (sorted(nodes), number)).collect()
}

/// Energy and virial of every element of a batch.
fn contents<const N: usize, K: Keeper<N>>(
    batch: &Batch<N, K>,
    rows: &PointRows,
    memory: &[f64],
) -> Vec<Content> {
    let mut contents = Vec::with_capacity(batch.packs() * LANES);
    for (pack, nodes) in batch.nodes.iter().enumerate() {
        let (x, rest) = (rows.gather(nodes), batch.rest(pack, memory));
        let stiffness = batch.stiffness[pack].to_array();
        let energy = batch.law.energy(&x, rest).to_array();
        let force = batch.law.force(&x, rest).map(|force| force.map(|axis| axis.to_array()));
        for (lane, nodes) in nodes.iter().enumerate() {
            let start = rows.position(nodes[0]);
            let virial = |sum: Mat3, i: usize| {
                let force = Vec3::from_fn(|axis, _| force[i][axis][lane]);
                sum - force * (rows.position(nodes[i]) - start).transpose()
            };
            let virial = (1..N).fold(Mat3::zeros(), virial);
            contents.push((stiffness[lane] * energy[lane], virial * stiffness[lane]));
        }
    }
    contents
}

impl Network {
    /// Elastic energy density \[J/m³\] and Cauchy stress xx yy zz xy yz xz \[Pa\] of its tetrahedra, if it has any. One
    /// that is flat or inside out has no stress.
    pub fn sample(&self, state: &State, density: &mut [f64], stress: &mut [[f64; 6]]) {
        let Some(Cells { cells, around }) = &self.cells else { return };
        let mut rows = PointRows::new(self.points);
        rows.load(&state.q[self.nodes()]);
        let springs = match self.tets.is_empty() {
            true => contents(&self.distances, &rows, &state.memory),
            false => vec![],
        };
        let mut changes = vec![];
        self.distances.changes(&rows, &state.memory, &mut changes);
        let keepers = contents(&self.volumes, &rows, &state.memory);
        for (t, (cell, (density, stress))) in cells.iter().zip(density.iter_mut().zip(stress)).enumerate() {
            let (mut energy, mut virial) = match self.tets.get(t) {
                Some(tet) => self.together(tet, &changes, &rows),
                None => shares(cell, around, &springs),
            };
            if let Some(keeper) = cell.keeper {
                let kept = &keepers[keeper as usize];
                (energy, virial) = (energy + kept.0, virial + kept.1);
            }
            *density = energy / cell.volume;
            let volume = cell.share * Volume::of(cell.nodes.map(|node| rows.position(node)));
            let entries = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)];
            *stress = entries.map(|entry| if volume > 0.0 { virial[entry] / volume } else { 0.0 });
        }
    }

    /// Energy and virial Σ T l n⊗n of springs that pull together with T.
    fn together(&self, tet: &Tet, changes: &[f64], rows: &PointRows) -> Content {
        let (own, pulls) = tet.pulls(changes);
        let energy = 0.5 * own.iter().zip(&pulls).map(|(change, pull)| change * pull).sum::<f64>();
        let virial = |sum: Mat3, (&spring, pull): (&u32, &f64)| {
            let [a, b] = self.distances.nodes[spring as usize / LANES][spring as usize % LANES];
            let d = rows.position(b) - rows.position(a);
            let length = d.norm().max(f64::MIN_POSITIVE);
            sum + d * d.transpose() * (pull / length)
        };
        (energy, tet.springs.iter().zip(&pulls).fold(Mat3::zeros(), virial))
    }
}

/// What a cell has of the springs along its edges, each of which fills all cells around it.
fn shares(cell: &Cell, around: &[f64], springs: &[Content]) -> Content {
    cell.springs.iter().fold((0.0, Mat3::zeros()), |sum, &spring| {
        let (part, share) = (&springs[spring as usize], cell.volume / around[spring as usize]);
        (sum.0 + part.0 * share, sum.1 + part.1 * share)
    })
}

#[cfg(test)]
#[path = "cells_tests.rs"]
mod tests;
