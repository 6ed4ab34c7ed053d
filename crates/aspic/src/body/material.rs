//! What a body is made of.

use crate::continuum::{Continuum, Plastic, Solid};
use crate::dissipation::viscous_law::{Viscosity, ViscousLaw, ViscousModel};
use crate::mesh::TetMesh;
use crate::potential::material::{
    Corotated, Law, LawName, LiesenfeldStolfi, LsStable, Moduli, NeoHookean, StVenant, Walled,
};
use crate::yielding::Yield;

/// Density, two moduli, two viscosities, the laws that use them, and whether the shape yields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Mass per rest volume  \[kg/m³\]
    pub density: f64,
    /// Bulk and shear modulus  \[Pa\]
    pub moduli: Moduli,
    /// Which energy they enter.
    pub law: LawName,
    /// Whether elements must never turn inside out, as implicit steps see to: a law that would let them then gets a wall
    /// against flatness, so that none is pressed flat for good.
    pub upright: bool,
    /// Bulk and shear viscosity  \[Pa s\]
    pub viscosity: Viscosity,
    /// Which dissipation they enter.
    pub viscous_model: ViscousModel,
    /// Where the shape of a solid yields; strains are norms of deviators of logarithmic strains.
    pub plasticity: Option<Yield>,
}

impl Material {
    /// The default law with moduli \[Pa\] and density \[kg/m³\], without viscosity or plasticity.
    pub fn elastic(density: f64, moduli: Moduli) -> Material {
        Material {
            density,
            moduli,
            law: LawName::default(),
            upright: false,
            viscosity: Viscosity::default(),
            viscous_model: ViscousModel::default(),
            plasticity: None,
        }
    }

    /// Young modulus, 9KG/(3K + G)  \[Pa\]
    pub fn young(&self) -> f64 {
        let Moduli { bulk, shear } = self.moduli;
        9.0 * bulk * shear / (3.0 * bulk + shear)
    }

    /// Poisson ratio, (3K − 2G)/2(3K + G).
    pub fn poisson(&self) -> f64 {
        let Moduli { bulk, shear } = self.moduli;
        (3.0 * bulk - 2.0 * shear) / (2.0 * (3.0 * bulk + shear))
    }

    /// Speed of pressure waves, √((K + 4G/3)/ρ)  \[m/s\]
    pub fn wave_speed(&self) -> f64 {
        (self.moduli.p_wave() / self.density).sqrt()
    }

    /// The solid of this material on a mesh that begins at node `first_node`.
    pub fn solid(&self, mesh: &TetMesh, first_node: usize) -> Box<dyn Continuum> {
        let Moduli { bulk, shear } = self.moduli;
        let (neo_hookean, corotated) = (NeoHookean::new(bulk, shear), Corotated::new(bulk, shear));
        match self.law {
            LawName::Ls => self.solid_of(mesh, first_node, LiesenfeldStolfi::new(bulk, shear)),
            LawName::LsStable => self.solid_of(mesh, first_node, LsStable::new(bulk, shear)),
            LawName::NeoHookean if self.upright => self.walled(mesh, first_node, neo_hookean),
            LawName::NeoHookean => self.solid_of(mesh, first_node, neo_hookean),
            LawName::Corotated => self.walled(mesh, first_node, corotated),
            LawName::StVenant => self.walled(mesh, first_node, StVenant::new(bulk, shear)),
        }
    }

    fn walled<L: Law + 'static>(&self, mesh: &TetMesh, first_node: usize, law: L) -> Box<dyn Continuum> {
        self.solid_of(mesh, first_node, Walled::new(law, self.moduli.bulk))
    }

    fn solid_of<L: Law + 'static>(&self, mesh: &TetMesh, first_node: usize, law: L) -> Box<dyn Continuum> {
        let viscous = (self.viscosity.bulk > 0.0 || self.viscosity.shear > 0.0)
            .then(|| ViscousLaw::new(self.viscosity, self.viscous_model));
        match self.plasticity {
            None => Box::new(Solid::new(mesh, first_node, law, viscous)),
            Some(flow) => Box::new(Solid::new(mesh, first_node, Plastic { law, flow }, viscous)),
        }
    }
}
