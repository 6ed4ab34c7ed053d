//! From what a user wrote about a material to its numbers.

use super::error::SceneError;
use super::presets::{self, Preset};
use super::quantity::{Dimension, Quantity};
use super::schema::{Material, Scene};
use super::span::Located;
use crate::body;
use crate::dissipation::viscous_law::{Viscosity, ViscousModel};
use crate::potential::material::{LawName, Moduli};

impl Scene {
    /// The same scene with every material's numbers written out, so that it no longer needs the library.
    pub fn written_out(&self) -> Result<Scene, SceneError> {
        let mut scene = self.clone();
        for material in scene.materials.values_mut() {
            *material = material.written_out()?;
        }
        Ok(scene)
    }
}

/// A material with every number settled. SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvedMaterial {
    /// The elastic law.
    pub law: LawName,
    /// Bulk modulus \[Pa\], positive.
    pub bulk: f64,
    /// Shear modulus \[Pa\], positive.
    pub shear: f64,
    /// Mass per volume at rest \[kg/m³\], positive.
    pub density: f64,
    /// Bulk viscosity \[Pa·s\], not negative.
    pub bulk_viscosity: f64,
    /// Shear viscosity \[Pa·s\], not negative.
    pub shear_viscosity: f64,
    /// How the viscous stress follows the rate of deformation.
    pub viscosity_model: ViscousModel,
}

impl Preset {
    /// The material of this name, for building worlds in code.
    pub fn material(&self) -> Result<body::Material, SceneError> {
        let name = Located::new(self.name.to_owned());
        Material { preset: Some(name), ..Material::default() }.resolve()?.material()
    }
}

impl ResolvedMaterial {
    /// The same numbers as the library's material.
    pub fn material(&self) -> Result<body::Material, SceneError> {
        Ok(body::Material {
            density: self.density,
            moduli: Moduli::new(self.bulk, self.shear).map_err(|error| SceneError::new(error.to_string()))?,
            law: self.law,
            upright: false,
            viscosity: Viscosity::new(self.bulk_viscosity, self.shear_viscosity)
                .map_err(|error| SceneError::new(error.to_string()))?,
            viscous_model: self.viscosity_model,
            plasticity: None,
        })
    }
}

impl Material {
    /// Its numbers: the preset's, with what the scene says on top.
    pub fn resolve(&self) -> Result<ResolvedMaterial, SceneError> {
        let preset = match &self.preset {
            Some(name) => Some(presets::find(name).map_err(|error| error.at(name.span()))?),
            None => None,
        };
        let (bulk, shear) = self.moduli(preset)?;
        let viscosity = |written: &Option<Quantity<_>>, key, inherited: Option<f64>| match written {
            Some(written) => not_negative(key, written),
            None => Ok(inherited.unwrap_or(0.0)),
        };
        let in_volume = preset.map(|preset| preset.bulk_viscosity);
        let in_shear = preset.map(|preset| preset.shear_viscosity);
        Ok(ResolvedMaterial {
            law: self.law,
            bulk,
            shear,
            density: self.density(preset)?,
            bulk_viscosity: viscosity(&self.bulk_viscosity, "bulk_viscosity", in_volume)?,
            shear_viscosity: viscosity(&self.shear_viscosity, "shear_viscosity", in_shear)?,
            viscosity_model: self.viscosity_model,
        })
    }

    /// The same material with every number written out and no preset, so that a later library cannot change it.
    pub fn written_out(&self) -> Result<Material, SceneError> {
        let numbers = self.resolve()?;
        Ok(Material {
            preset: None,
            law: numbers.law,
            bulk: Some(Quantity::new(numbers.bulk)),
            shear: Some(Quantity::new(numbers.shear)),
            young: None,
            poisson: None,
            density: Some(Quantity::new(numbers.density)),
            bulk_viscosity: Some(Quantity::new(numbers.bulk_viscosity)),
            shear_viscosity: Some(Quantity::new(numbers.shear_viscosity)),
            viscosity_model: numbers.viscosity_model,
        })
    }

    fn density(&self, preset: Option<&Preset>) -> Result<f64, SceneError> {
        match (&self.density, preset) {
            (Some(density), _) => positive("density", density),
            (None, Some(preset)) => Ok(preset.density),
            (None, None) => Err(SceneError::new("there is no `density`")
                .help("add density = \"1 g/cm^3\", or start from a preset")),
        }
    }

    /// Bulk and shear modulus \[Pa\]. Half a pair takes its other half from the preset.
    fn moduli(&self, preset: Option<&Preset>) -> Result<(f64, f64), SceneError> {
        self.refuse_both_pairs()?;
        let inherited = preset.map(|preset| (preset.bulk, preset.shear));
        if self.young.is_some() || self.poisson.is_some() {
            let (young, poisson) = self.young_poisson(inherited)?;
            return Ok(presets::moduli(young, poisson));
        }
        let bulk = self.bulk.as_ref().map(|bulk| positive("bulk", bulk)).transpose()?;
        let shear = self.shear.as_ref().map(|shear| positive("shear", shear)).transpose()?;
        match (bulk.or(inherited.map(|pair| pair.0)), shear.or(inherited.map(|pair| pair.1))) {
            (Some(bulk), Some(shear)) => Ok((bulk, shear)),
            (Some(_), None) => Err(half_a_pair("bulk", "shear", "30 kPa")),
            (None, Some(_)) => Err(half_a_pair("shear", "bulk", "100 kPa")),
            (None, None) => Err(SceneError::new("the stiffness is missing")
                .help("add `bulk` and `shear`, or `young` and `poisson`, or start from a preset")),
        }
    }

    fn young_poisson(&self, inherited: Option<(f64, f64)>) -> Result<(f64, f64), SceneError> {
        let inherited = inherited.map(|(bulk, shear)| presets::young_poisson(bulk, shear));
        let young = self.young.as_ref().map(|young| positive("young", young)).transpose()?;
        if let Some(poisson) = &self.poisson
            && !(poisson.si() > -1.0 && poisson.si() < 0.5)
        {
            return Err(SceneError::new(format!("`poisson` must lie between -1 and 0.5, not at {poisson}"))
                .at(poisson.span())
                .help("rubbers are near 0.45 here, cork near 0; 0.5 would mean no change of volume at all"));
        }
        let poisson = self.poisson.map(|poisson| poisson.si());
        match (young.or(inherited.map(|pair| pair.0)), poisson.or(inherited.map(|pair| pair.1))) {
            (Some(young), Some(poisson)) => Ok((young, poisson)),
            (Some(_), None) => {
                Err(SceneError::new("`young` is given without `poisson`").help("add poisson = 0.3"))
            }
            _ => Err(half_a_pair("poisson", "young", "80 kPa")),
        }
    }

    fn refuse_both_pairs(&self) -> Result<(), SceneError> {
        let first = self.bulk.map(|_| "bulk").or(self.shear.map(|_| "shear"));
        let second = self.young.map(|young| ("young", young.span()));
        let second = second.or(self.poisson.map(|poisson| ("poisson", poisson.span())));
        match (first, second) {
            (Some(first), Some((second, span))) => {
                Err(SceneError::new(format!("`{first}` and `{second}` say the stiffness twice"))
                    .at(span)
                    .help("keep either `bulk` and `shear`, or `young` and `poisson`"))
            }
            _ => Ok(()),
        }
    }
}

fn half_a_pair(given: &str, missing: &str, example: &str) -> SceneError {
    SceneError::new(format!("`{given}` is given without `{missing}`"))
        .help(format!("add {missing} = \"{example}\", or start from a preset"))
}

/// The value \[SI\] if it is greater than 0.
pub(super) fn positive<D: Dimension>(key: &str, quantity: &Quantity<D>) -> Result<f64, SceneError> {
    positive_such_as(D::EXAMPLE, key, quantity)
}

/// The same, for a key whose values are unlike others of its dimension.
pub(super) fn positive_such_as<D: Dimension>(
    example: &str,
    key: &str,
    quantity: &Quantity<D>,
) -> Result<f64, SceneError> {
    if quantity.si() > 0.0 {
        return Ok(quantity.si());
    }
    Err(SceneError::new(format!("`{key}` must be greater than 0, not {quantity}"))
        .at(quantity.span())
        .help(format!("write for example {key} = {example}")))
}

/// The value \[SI\] if it is 0 or greater.
pub(super) fn not_negative<D: Dimension>(key: &str, quantity: &Quantity<D>) -> Result<f64, SceneError> {
    if quantity.si() >= 0.0 {
        return Ok(quantity.si());
    }
    Err(SceneError::new(format!("`{key}` must not be negative, as {quantity} is"))
        .at(quantity.span())
        .help(format!("write 0, or for example {key} = {}", D::EXAMPLE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_pair_takes_the_rest_from_the_preset() {
        let material = Material {
            preset: Some(Located::new("cork".to_owned())),
            young: Some(Quantity::new(12e6)),
            ..Default::default()
        };
        let numbers = material.resolve().unwrap();
        // ν = 0: K = E/3, G = E/2.
        assert!((numbers.bulk - 4e6).abs() < 1e-6 && (numbers.shear - 6e6).abs() < 1e-6);
        assert_eq!(numbers.density, 170.0);
    }

    #[test]
    fn a_material_written_out_has_the_same_numbers() {
        let material = Material { preset: Some(Located::new("foam".to_owned())), ..Default::default() };
        let written = material.written_out().unwrap();
        assert_eq!(written.preset, None);
        assert_eq!(written.resolve().unwrap(), material.resolve().unwrap());
    }
}
