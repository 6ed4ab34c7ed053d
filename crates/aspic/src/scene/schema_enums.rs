//! The names of laws a scene may use. They mirror the library's own enums, one word each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The elastic law of a material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LawName {
    /// The energy of Liesenfeld and Stolfi (1997) as printed; fails when stretched to about 1.6 times.
    Ls,
    /// The same at small strain, made stable for large stretch.
    #[default]
    LsStable,
    /// Compressible neo-Hookean: resists crushing to zero volume.
    NeoHookean,
    /// Fixed corotated: linear in the stretch once the rotation is taken out.
    Corotated,
    /// St Venant–Kirchhoff: linear in the Green strain; collapses under strong compression.
    StVenant,
}

/// How the viscous stress follows the rate of deformation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ViscousModel {
    /// Rate of the metric tensor, weighted by the rest volume.
    #[default]
    Material,
    /// Rate of the metric tensor, weighted by the current volume (as printed in 1997).
    MaterialCurrentVolume,
    /// Spatial rate of strain: a Newtonian fluid's viscosity.
    Spatial,
}
