//! A tetrahedral viscoelastic solid: any elastic law with any viscosity.

use super::{Answer, Blocks, Continuum, Elastic, Inverted, Kernel, Scratch};
use crate::dissipation::viscous_law::{ViscousLaw, ViscousModel};
use crate::lanes::{Mat3x8, splat};
use crate::mesh::TetMesh;
use crate::potential::material::{Law, hessian};
use crate::solve::Tangent;
use crate::state::State;
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

impl<L: Law> Kernel for ElasticOnly<L> {
    const USES_RATE: bool = false;
    const INVERTIBLE: bool = L::INVERTIBLE;

    #[inline(always)]
    fn answer(&self, f: &Mat3x8, _: &Mat3x8) -> Answer {
        let (piola, jacobian) = self.0.piola(f);
        Answer { piola, jacobian, power: splat(0.0) }
    }
}

impl<L: Law> Kernel for WithMaterial<L> {
    const USES_RATE: bool = true;
    const INVERTIBLE: bool = L::INVERTIBLE;

    #[inline(always)]
    fn answer(&self, f: &Mat3x8, f_rate: &Mat3x8) -> Answer {
        let mut power = splat(0.0);
        let viscous = || {
            let stress;
            (stress, power) = self.1.material(f, f_rate);
            stress
        };
        let (piola, jacobian) = self.0.piola_plus(f, viscous);
        Answer { piola, jacobian, power }
    }
}

impl<L: Law> Kernel for WithAny<L> {
    const USES_RATE: bool = true;
    // J weighs the loss in these models: below zero it would be a gain.
    const INVERTIBLE: bool = false;

    #[inline(always)]
    fn answer(&self, f: &Mat3x8, f_rate: &Mat3x8) -> Answer {
        let (elastic, jacobian) = self.0.piola(f);
        let (viscous, power) = self.1.stress(f, f_rate);
        Answer { piola: elastic + viscous, jacobian, power }
    }
}

impl<L: Law> Solid<L> {
    /// The solid on `mesh`, whose vertex 0 is node `first_node` of the world. No viscosity costs no work.
    pub fn new(mesh: &TetMesh, first_node: usize, elastic: L, viscous: Option<ViscousLaw>) -> Self {
        Solid { blocks: Blocks::new(mesh, first_node), elastic, viscous }
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

    fn energy(&self, q: &[Vec3]) -> Elastic {
        let mut sum = Elastic::default();
        self.blocks.each_element(q, q, |e| {
            let (bulk, shear) = self.elastic.energy(&Mat3x8::splat(&e.f));
            sum.bulk += e.volume * bulk.to_array()[0];
            sum.shear += e.volume * shear.to_array()[0];
        });
        sum
    }

    fn add_stiffness(&self, q: &[Vec3], scale: f64, project: bool, out: &mut Tangent) {
        self.blocks.each_element(q, q, |e| {
            let per_f = hessian::hessian(&self.elastic, &e.f, project);
            let stiffness = hessian::element_stiffness(&per_f, &e.gradients, e.volume);
            out.add_element(&e.nodes, scale, |i, j| stiffness[(i, j)]);
        });
    }

    fn add_damping(&self, state: &State, scale: f64, scale_q: f64, out: &mut Tangent) {
        let Some(viscous) = self.viscous else { return };
        self.blocks.each_element(&state.q, &state.v, |e| {
            let per_f =
                viscous.rate_tangent(&e.f) * scale + viscous.position_tangent(&e.f, &e.f_rate) * scale_q;
            let damping = hessian::element_stiffness(&per_f, &e.gradients, e.volume);
            out.add_element(&e.nodes, 1.0, |i, j| damping[(i, j)]);
        });
    }

    /// Cauchy stress σ = P Fᵀ / J.
    fn sample(&self, q: &[Vec3], density: &mut [f64], stress: &mut [[f64; 6]]) {
        self.blocks.each_element(q, q, |e| {
            let pack = Mat3x8::splat(&e.f);
            let (bulk, shear) = self.elastic.energy(&pack);
            let (piola, jacobian) = self.elastic.piola(&pack);
            let s: Mat3 = piola.lane(0) * e.f.transpose() / jacobian.to_array()[0];
            density[e.tet] = bulk.to_array()[0] + shear.to_array()[0];
            stress[e.tet] = [s[(0, 0)], s[(1, 1)], s[(2, 2)], s[(0, 1)], s[(1, 2)], s[(0, 2)]];
        });
    }

    fn scratch(&self) -> Scratch {
        self.blocks.scratch()
    }
}
