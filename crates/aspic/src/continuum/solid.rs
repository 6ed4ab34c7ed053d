//! A tetrahedral viscoelastic solid: any elastic law with any viscosity.

use std::ops::Range;

use super::{
    Answer, Blocks, Continuum, Elastic, Held, Inverted, Kernel, Matter, Places, Scratch, TangentScratch,
    TangentWeights,
};
use crate::dissipation::viscous_law::{ViscousLaw, ViscousModel};
use crate::lanes::{LANES, Lanes, Mat3x8, splat};
use crate::mesh::TetMesh;
use crate::{Mat3, Vec3};

/// The tetrahedra of one body with their laws.
#[derive(Clone, Debug)]
pub struct Solid<L> {
    blocks: Blocks,
    elastic: L,
    viscous: Option<ViscousLaw>,
    /// What it remembers, as a part of the state's memory.
    memory: Range<usize>,
}

/// Elastic stress alone, with what the body remembers.
struct ElasticOnly<'a, L>(L, &'a [f64]);

/// Elastic stress, and the viscous stress of the material model.
struct WithMaterial<'a, L>(L, &'a [f64], ViscousLaw);

/// Elastic stress, and the viscous stress of any model.
struct WithAny<'a, L>(L, &'a [f64], ViscousLaw);

/// The viscous stress of any model alone.
struct ViscousOnly(ViscousLaw);

impl Kernel for ViscousOnly {
    const USES_RATE: bool = true;
    const INVERTIBLE: bool = false;

    #[inline(always)]
    fn answer(&self, f: &Mat3x8, f_rate: &Mat3x8, weight: Lanes, _: usize) -> Answer {
        let (piola, power) = self.0.stress(f, f_rate);
        // three times J, which has its sign
        Answer { piola: piola.scale(weight), jacobian: f.cofactor().dot(f), power: power * weight }
    }
}

impl<L: Matter> Kernel for ElasticOnly<'_, L> {
    const USES_RATE: bool = false;
    const INVERTIBLE: bool = L::INVERTS;

    #[inline(always)]
    fn answer(&self, f: &Mat3x8, _: &Mat3x8, weight: Lanes, pack: usize) -> Answer {
        let (piola, jacobian) = self.0.piola_at(f, Held { memory: self.1, pack });
        Answer { piola: piola.scale(weight), jacobian, power: splat(0.0) }
    }
}

impl<L: Matter> Kernel for WithMaterial<'_, L> {
    const USES_RATE: bool = true;
    const INVERTIBLE: bool = L::INVERTS;

    #[inline(always)]
    fn answer(&self, f: &Mat3x8, f_rate: &Mat3x8, weight: Lanes, pack: usize) -> Answer {
        let (viscous, power) = self.2.second_piola(f, f_rate, weight);
        let (piola, jacobian) = self.0.piola_plus_at(f, weight, &viscous, Held { memory: self.1, pack });
        Answer { piola, jacobian, power }
    }
}

impl<L: Matter> Kernel for WithAny<'_, L> {
    const USES_RATE: bool = true;
    // J weighs the loss in these models: below zero it would be a gain.
    const INVERTIBLE: bool = false;

    #[inline(always)]
    fn answer(&self, f: &Mat3x8, f_rate: &Mat3x8, weight: Lanes, pack: usize) -> Answer {
        let (elastic, jacobian) = self.0.piola_at(f, Held { memory: self.1, pack });
        let (viscous, power) = self.2.stress(f, f_rate);
        Answer { piola: (elastic + viscous).scale(weight), jacobian, power: power * weight }
    }
}

impl<L: Matter> Solid<L> {
    /// The solid on `mesh`, whose vertex 0 is node `first_node` of the world. No viscosity costs no work.
    pub fn new(mesh: &TetMesh, first_node: usize, elastic: L, viscous: Option<ViscousLaw>) -> Self {
        Solid { blocks: Blocks::new(mesh, first_node), elastic, viscous, memory: 0..0 }
    }

    /// Its part of the state's memory.
    fn own<'a>(&self, memory: &'a [f64]) -> &'a [f64] {
        &memory[self.memory.clone()]
    }

    /// Its tetrahedra.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }
}

impl<L: Matter> Continuum for Solid<L> {
    fn add_force(
        &self,
        q: &[Vec3],
        v: &[Vec3],
        memory: &[f64],
        out: &mut [Vec3],
        scratch: &mut Scratch,
    ) -> Result<f64, Inverted> {
        let (elastic, held) = (self.elastic, self.own(memory));
        match self.viscous {
            Some(viscous) if viscous.model == ViscousModel::Material => {
                self.blocks.add_force(&WithMaterial(elastic, held, viscous), q, v, out, scratch)
            }
            Some(viscous) => self.blocks.add_force(&WithAny(elastic, held, viscous), q, v, out, scratch),
            None => self.blocks.add_force(&ElasticOnly(elastic, held), q, v, out, scratch),
        }
        .map_err(|tet| Inverted { tet })
    }

    fn add_elastic_force(
        &self,
        q: &[Vec3],
        memory: &[f64],
        out: &mut [Vec3],
        scratch: &mut Scratch,
    ) -> Result<(), Inverted> {
        let kernel = ElasticOnly(self.elastic, self.own(memory));
        self.blocks.add_force(&kernel, q, q, out, scratch).map(|_| ()).map_err(|tet| Inverted { tet })
    }

    fn add_viscous_force(
        &self,
        q_frozen: &[Vec3],
        v: &[Vec3],
        out: &mut [Vec3],
        scratch: &mut Scratch,
    ) -> Result<f64, Inverted> {
        let Some(viscous) = self.viscous else { return Ok(0.0) };
        let power = self.blocks.add_force(&ViscousOnly(viscous), q_frozen, v, out, scratch);
        power.map_err(|tet| Inverted { tet })
    }

    fn energy(&self, q: &[Vec3], memory: &[f64]) -> Elastic {
        let memory = self.own(memory);
        let density = |f: &Mat3x8, pack: usize| self.elastic.energy_at(f, Held { memory, pack });
        let [bulk, shear] = self.blocks.energy(q, density);
        Elastic { bulk, shear }
    }

    fn dissipation(&self, q_frozen: &[Vec3], v: &[Vec3]) -> f64 {
        let Some(viscous) = self.viscous else { return 0.0 };
        0.5 * self.blocks.power(q_frozen, v, |f, f_rate| viscous.stress(f, f_rate).1)
    }

    fn first_flat(&self, q: &[Vec3], dq: &[Vec3]) -> f64 {
        self.blocks.first_flat(q, dq)
    }

    fn tetrahedra(&self) -> Vec<[u32; 4]> {
        self.blocks.tetrahedra()
    }

    fn stiffness_places(&self, place: &dyn Fn(u32, u32) -> Option<usize>) -> Places {
        self.blocks.stiffness_places(place)
    }

    fn add_tangent(
        &self,
        q: &[Vec3],
        memory: &[f64],
        q_frozen: &[Vec3],
        weights: TangentWeights,
        project: bool,
        places: &Places,
        matrix: &mut [Mat3],
        scratch: &mut TangentScratch,
    ) {
        let (stiffness, damping) = (splat(weights.stiffness), splat(weights.damping));
        let memory = self.own(memory);
        let elastic = |[f, _]: &[Mat3x8; 2], gradients: &_, volume, pack: usize| {
            let held = Held { memory, pack };
            self.elastic.pair_blocks_at(f, gradients, volume * stiffness, project, held)
        };
        match self.viscous.filter(|_| weights.damping != 0.0) {
            None => self.blocks.add_tangent(&elastic, q, q_frozen, false, places, matrix, scratch),
            Some(viscous) => {
                let both = |motion: &[Mat3x8; 2], gradients: &_, volume, pack| {
                    let stiff = elastic(motion, gradients, volume, pack);
                    let damped = viscous.pair_blocks(&motion[1], gradients, volume * damping);
                    let [a, b, c, d, e, f] = stiff;
                    let [g, h, i, j, k, l] = damped;
                    [a + g, b + h, c + i, d + j, e + k, f + l]
                };
                self.blocks.add_tangent(&both, q, q_frozen, true, places, matrix, scratch);
            }
        }
    }

    /// Cauchy stress σ = P Fᵀ / J.
    fn sample(&self, q: &[Vec3], memory: &[f64], density: &mut [f64], stress: &mut [[f64; 6]]) {
        let memory = self.own(memory);
        self.blocks.each_pack(q, |number, tets, pack, f| {
            let held = Held { memory, pack: number };
            let (bulk, shear) = self.elastic.energy_at(f, held);
            let (piola, jacobian) = self.elastic.piola_at(f, held);
            let cauchy = piola * f.transpose();
            let [density_of, volume] = [bulk + shear, pack.volume].map(Lanes::to_array);
            let entries = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)];
            let stress_of = entries.map(|(i, j)| (cauchy.0[i][j] / jacobian).to_array());
            for lane in (0..LANES).filter(|&lane| volume[lane] > 0.0) {
                let tet = tets[lane] as usize;
                density[tet] = density_of[lane];
                stress[tet] = stress_of.map(|entry| entry[lane]);
            }
        });
    }

    fn scratch(&self) -> Scratch {
        self.blocks.scratch()
    }

    fn remember(&mut self, memory: &mut Vec<f64>) {
        let start = memory.len();
        for _ in 0..self.blocks.packs() {
            memory.extend(L::FRESH.iter().flat_map(|&number| [number; LANES]));
        }
        self.memory = start..memory.len();
    }

    fn remembers(&self) -> bool {
        !self.memory.is_empty()
    }

    fn flow(&self, q: &[Vec3], h: f64, memory: &mut [f64]) -> bool {
        let flow = |f: &Mat3x8, numbers: &mut [f64]| self.elastic.flow(f, h, numbers);
        self.remembers() && self.blocks.flow(q, &mut memory[self.memory.clone()], &flow)
    }
}
