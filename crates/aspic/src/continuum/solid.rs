//! A tetrahedral viscoelastic solid: any elastic law with any viscosity.

use super::{
    Answer, Blocks, Continuum, Elastic, Inverted, Kernel, Places, Scratch, TangentScratch, TangentWeights,
};
use crate::dissipation::viscous_law::{ViscousLaw, ViscousModel};
use crate::lanes::{LANES, Lanes, Mat3x8, splat};
use crate::mesh::TetMesh;
use crate::potential::material::{Law, stiffness::pair_blocks};
use crate::{Mat3, Vec3};

/// The tetrahedra of one body with their laws.
#[derive(Clone, Debug)]
pub struct Solid<L> {
    blocks: Blocks,
    elastic: L,
    viscous: Option<ViscousLaw>,
}

/// Elastic stress alone.
struct ElasticOnly<L>(L);

/// Elastic stress, and the viscous stress of the material model.
struct WithMaterial<L>(L, ViscousLaw);

/// Elastic stress, and the viscous stress of any model.
struct WithAny<L>(L, ViscousLaw);

/// The viscous stress of any model alone.
struct ViscousOnly(ViscousLaw);

impl Kernel for ViscousOnly {
    const USES_RATE: bool = true;
    const INVERTIBLE: bool = false;

    #[inline(always)]
    fn answer(&self, f: &Mat3x8, f_rate: &Mat3x8, weight: Lanes) -> Answer {
        let (piola, power) = self.0.stress(f, f_rate);
        // three times J, which has its sign
        Answer { piola: piola.scale(weight), jacobian: f.cofactor().dot(f), power: power * weight }
    }
}

impl<L: Law> Kernel for ElasticOnly<L> {
    const USES_RATE: bool = false;
    const INVERTIBLE: bool = L::INVERTIBLE;

    #[inline(always)]
    fn answer(&self, f: &Mat3x8, _: &Mat3x8, weight: Lanes) -> Answer {
        let (piola, jacobian) = self.0.piola(f);
        Answer { piola: piola.scale(weight), jacobian, power: splat(0.0) }
    }
}

impl<L: Law> Kernel for WithMaterial<L> {
    const USES_RATE: bool = true;
    const INVERTIBLE: bool = L::INVERTIBLE;

    #[inline(always)]
    fn answer(&self, f: &Mat3x8, f_rate: &Mat3x8, weight: Lanes) -> Answer {
        let (viscous, power) = self.1.second_piola(f, f_rate, weight);
        let (piola, jacobian) = self.0.piola_plus(f, weight, &viscous);
        Answer { piola, jacobian, power }
    }
}

impl<L: Law> Kernel for WithAny<L> {
    const USES_RATE: bool = true;
    // J weighs the loss in these models: below zero it would be a gain.
    const INVERTIBLE: bool = false;

    #[inline(always)]
    fn answer(&self, f: &Mat3x8, f_rate: &Mat3x8, weight: Lanes) -> Answer {
        let (elastic, jacobian) = self.0.piola(f);
        let (viscous, power) = self.1.stress(f, f_rate);
        Answer { piola: (elastic + viscous).scale(weight), jacobian, power: power * weight }
    }
}

impl<L: Law> Solid<L> {
    /// The solid on `mesh`, whose vertex 0 is node `first_node` of the world. No viscosity costs no work.
    pub fn new(mesh: &TetMesh, first_node: usize, elastic: L, viscous: Option<ViscousLaw>) -> Self {
        Solid { blocks: Blocks::new(mesh, first_node), elastic, viscous }
    }

    /// Its tetrahedra.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }
}

impl<L: Law> Continuum for Solid<L> {
    fn add_force(
        &self,
        q: &[Vec3],
        v: &[Vec3],
        out: &mut [Vec3],
        scratch: &mut Scratch,
    ) -> Result<f64, Inverted> {
        match self.viscous {
            Some(viscous) if viscous.model == ViscousModel::Material => {
                self.blocks.add_force(&WithMaterial(self.elastic, viscous), q, v, out, scratch)
            }
            Some(viscous) => self.blocks.add_force(&WithAny(self.elastic, viscous), q, v, out, scratch),
            None => self.blocks.add_force(&ElasticOnly(self.elastic), q, v, out, scratch),
        }
        .map_err(|tet| Inverted { tet })
    }

    fn add_elastic_force(&self, q: &[Vec3], out: &mut [Vec3], scratch: &mut Scratch) -> Result<(), Inverted> {
        let kernel = ElasticOnly(self.elastic);
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

    fn energy(&self, q: &[Vec3]) -> Elastic {
        let [bulk, shear] = self.blocks.energy(q, |f| self.elastic.energy(f));
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
        q_frozen: &[Vec3],
        weights: TangentWeights,
        project: bool,
        places: &Places,
        matrix: &mut [Mat3],
        scratch: &mut TangentScratch,
    ) {
        let (stiffness, damping) = (splat(weights.stiffness), splat(weights.damping));
        let elastic = |[f, _]: &[Mat3x8; 2], gradients: &_, volume| {
            pair_blocks(&self.elastic, f, gradients, volume * stiffness, project)
        };
        match self.viscous.filter(|_| weights.damping != 0.0) {
            None => self.blocks.add_tangent(&elastic, q, q_frozen, false, places, matrix, scratch),
            Some(viscous) => {
                let both = |motion: &[Mat3x8; 2], gradients: &_, volume| {
                    let stiff = elastic(motion, gradients, volume);
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
    fn sample(&self, q: &[Vec3], density: &mut [f64], stress: &mut [[f64; 6]]) {
        self.blocks.each_pack(q, |tets, pack, f| {
            let (bulk, shear) = self.elastic.energy(f);
            let (piola, jacobian) = self.elastic.piola(f);
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
}
