//! The material library.
//!
//! Stiffness. Small-strain moduli; where a handbook gives Young's modulus E and Poisson's ratio ν,
//!
//! ```text
//! K = E / (3 (1 − 2ν)),    G = E / (2 (1 + ν)).
//! ```
//!
//! Rubbers, gels and tissue hardly change volume (K is about 2 GPa, ν = 0.4999). Coarse linear tetrahedra
//! lock there: they become far too stiff in bending. The library therefore uses ν = 0.45 for them, which
//! keeps G (and so nearly E) and lowers K. Raise `bulk` on fine meshes.
//!
//! Viscosity. A material is listed with a loss factor tan δ at a frequency f. The viscous law adds a
//! stress 2η ė to the elastic 2G e, so its loss factor at the angular frequency ω = 2πf is ηω/G, and
//!
//! ```text
//! η = G tan δ / ω,         ζ = K tan δ_K / ω.
//! ```
//!
//! The frequency is near the lowest ringing of a piece of ten centimetres, √(G/ρ) / (2 · 10 cm), where the
//! loss is seen. The loss in volume, tan δ_K, equals tan δ in open foams and cork, whose cell walls bend in
//! both cases, and is a tenth of it in solids, which change volume almost elastically.

use std::f64::consts::TAU;
use std::sync::LazyLock;

use super::error::SceneError;
use super::suggest;

/// A material of the library. SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// What a scene calls it.
    pub name: &'static str,
    /// What it is like.
    pub description: &'static str,
    /// Mass per volume at rest \[kg/m³\].
    pub density: f64,
    /// Bulk modulus \[Pa\].
    pub bulk: f64,
    /// Shear modulus \[Pa\].
    pub shear: f64,
    /// Bulk viscosity \[Pa·s\].
    pub bulk_viscosity: f64,
    /// Shear viscosity \[Pa·s\].
    pub shear_viscosity: f64,
    /// Where the numbers come from, with the published range.
    pub source: &'static str,
}

/// All presets: rubbers, softer solids, cellular solids.
pub fn all() -> &'static [Preset] {
    &LIBRARY
}

/// The preset of this name; upper case, hyphens and underscores do not matter.
pub fn find(name: &str) -> Result<&'static Preset, SceneError> {
    let plain = |name: &str| name.trim().to_lowercase().replace(['-', '_'], " ");
    let found = LIBRARY.iter().find(|preset| plain(preset.name) == plain(name));
    found.ok_or_else(|| {
        let names: Vec<&str> = LIBRARY.iter().map(|preset| preset.name).collect();
        SceneError::new(format!("unknown preset `{name}`"))
            .help(suggest::did_you_mean(name, &names, "presets"))
    })
}

/// Bulk and shear modulus \[Pa\] from Young's modulus \[Pa\] and Poisson's ratio.
pub fn moduli(young: f64, poisson: f64) -> (f64, f64) {
    (young / (3.0 * (1.0 - 2.0 * poisson)), young / (2.0 * (1.0 + poisson)))
}

/// Young's modulus \[Pa\] and Poisson's ratio from bulk and shear modulus \[Pa\].
pub fn young_poisson(bulk: f64, shear: f64) -> (f64, f64) {
    let sum = 3.0 * bulk + shear;
    (9.0 * bulk * shear / sum, (3.0 * bulk - 2.0 * shear) / (2.0 * sum))
}

/// Viscosity \[Pa·s\] that gives the loss factor at the frequency \[Hz\] to a modulus \[Pa\]: η = G tan δ / 2πf.
pub fn viscosity(modulus: f64, loss_factor: f64, frequency: f64) -> f64 {
    modulus * loss_factor / (TAU * frequency)
}

/// Poisson's ratio for materials that keep their volume, lowered against locking.
const NEARLY_INCOMPRESSIBLE: f64 = 0.45;
/// Loss in volume per loss in shear, for solids.
const SOLID: f64 = 0.1;
/// The same for open cells.
const CELLULAR: f64 = 1.0;

/// The losses of a material: tan δ in shear, at a frequency \[Hz\], and the share of it in volume.
struct Loss {
    factor: f64,
    frequency: f64,
    in_volume: f64,
}

fn loss(factor: f64, frequency: f64, in_volume: f64) -> Loss {
    Loss { factor, frequency, in_volume }
}

/// Words about a preset: name, description, source.
type Words = [&'static str; 3];

fn preset([name, description, source]: Words, density: f64, (bulk, shear): (f64, f64), loss: Loss) -> Preset {
    let Loss { factor, frequency, in_volume } = loss;
    Preset {
        name,
        description,
        density,
        bulk,
        shear,
        bulk_viscosity: viscosity(bulk, factor * in_volume, frequency),
        shear_viscosity: viscosity(shear, factor, frequency),
        source,
    }
}

/// Moduli with the shear modulus kept and Poisson's ratio lowered: K = 2G (1 + ν) / (3 (1 − 2ν)).
fn keep_shear(shear: f64) -> (f64, f64) {
    moduli(2.0 * shear * (1.0 + NEARLY_INCOMPRESSIBLE), NEARLY_INCOMPRESSIBLE)
}

static LIBRARY: LazyLock<Vec<Preset>> = LazyLock::new(|| [rubbers(), soft_solids(), cellular()].concat());

fn rubbers() -> Vec<Preset> {
    vec![
        preset(
            [
                "soft rubber",
                "A lively soft rubber that wobbles well on coarse meshes",
                "Model values of the falling torus, not a measured material: bulk 100 kPa, shear 30 kPa, \
                 1000 kg/m³; loss factor 0.05 at 30 Hz as for lively rubbers (handbook range 0.02 to 0.1)",
            ],
            1000.0,
            (100e3, 30e3),
            loss(0.05, 30.0, SOLID),
        ),
        preset(
            [
                "natural rubber",
                "Unfilled vulcanised natural rubber, as in rubber bands",
                "Handbook range: shear modulus 0.4 to 0.6 MPa, density 910 to 960 kg/m³, loss factor 0.02 to \
                 0.1; bulk modulus about 2 GPa in reality, lowered to Poisson ratio 0.45 against locking",
            ],
            930.0,
            keep_shear(0.5e6),
            loss(0.05, 100.0, SOLID),
        ),
        preset(
            [
                "silicone",
                "Very soft platinum-cured silicone, Shore hardness 00-30, as in soft robots and prosthetics",
                "Makers' data sheets for hardness 00-30: density 1070 kg/m³, stress about 70 kPa at 100 % \
                 stretch; reported small-strain Young modulus 70 to 125 kPa, here 100 kPa; loss factor 0.1 \
                 from the range 0.05 to 0.2; Poisson ratio lowered to 0.45 against locking",
            ],
            1070.0,
            moduli(100e3, NEARLY_INCOMPRESSIBLE),
            loss(0.1, 30.0, SOLID),
        ),
    ]
}

fn soft_solids() -> Vec<Preset> {
    vec![
        preset(
            [
                "putty",
                "Soft and very viscous: lands dead and creeps back to its shape; it does not flow away",
                "Order of magnitude for silicone putty at about 10 Hz: shear modulus 1 to 20 kPa, loss factor \
                 1 to 3, density 1100 to 1200 kg/m³; Poisson ratio lowered to 0.45 against locking",
            ],
            1150.0,
            keep_shear(5e3),
            loss(2.0, 10.0, SOLID),
        ),
        preset(
            [
                "gelatin",
                "Dessert jelly of about 10 % gelatin in water",
                "Reported range for 5 to 15 % gelatin gels: Young modulus 2 to 30 kPa, here 10 kPa; loss factor \
                 0.02 to 0.1; density just above water; Poisson ratio lowered to 0.45 against locking",
            ],
            1030.0,
            moduli(10e3, NEARLY_INCOMPRESSIBLE),
            loss(0.05, 10.0, SOLID),
        ),
        preset(
            [
                "soft tissue",
                "Liver or relaxed muscle",
                "Range reported by magnetic resonance elastography of healthy liver near 60 Hz: shear modulus \
                 about 2 to 3 kPa, loss factor 0.2 to 0.4; density 1060 kg/m³; Poisson ratio lowered to 0.45",
            ],
            1060.0,
            keep_shear(2.5e3),
            loss(0.3, 60.0, SOLID),
        ),
    ]
}

fn cellular() -> Vec<Preset> {
    vec![
        preset(
            [
                "foam",
                "Flexible open-cell polyurethane foam, as in cushions; hardly bulges when squeezed",
                "Handbook range: density 20 to 50 kg/m³, Young modulus 30 to 150 kPa before the cells buckle, \
                 loss factor 0.1 to 0.3; mechanics of cells after Gibson and Ashby 1997, Cellular Solids",
            ],
            30.0,
            moduli(60e3, 0.1),
            loss(0.2, 100.0, CELLULAR),
        ),
        preset(
            [
                "memory foam",
                "Viscoelastic polyurethane foam: soft and slow to recover",
                "Handbook range: density 40 to 80 kg/m³, Young modulus 5 to 30 kPa, loss factor 0.5 to 1.2 near \
                 its glass transition at room temperature",
            ],
            60.0,
            moduli(15e3, 0.1),
            loss(0.8, 50.0, CELLULAR),
        ),
        preset(
            [
                "cork",
                "Natural cork, taken as the same in all directions; squeezed, it does not bulge",
                "Gibson, Easterling and Ashby 1981, The structure and mechanics of cork: Young modulus of the \
                 order of 10 to 20 MPa and Poisson ratios near 0; density 120 to 240 kg/m³ and loss factor 0.1 \
                 to 0.3 are handbook ranges",
            ],
            170.0,
            moduli(15e6, 0.0),
            loss(0.1, 1000.0, CELLULAR),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_a_possible_material() {
        for preset in all() {
            let (young, poisson) = young_poisson(preset.bulk, preset.shear);
            assert!(preset.density > 10.0 && preset.density < 3000.0, "{}", preset.name);
            assert!(young > 1e3 && young < 1e8, "{}", preset.name);
            assert!((0.0..0.46).contains(&(poisson + 1e-12)), "{} has ν = {poisson}", preset.name);
            assert!(preset.shear_viscosity > 0.0 && preset.bulk_viscosity > 0.0, "{}", preset.name);
        }
    }

    #[test]
    fn the_loss_factor_of_soft_rubber_comes_back() {
        // tan δ = ηω/G at 30 Hz, written out by hand.
        let rubber = find("soft rubber").unwrap();
        let loss = rubber.shear_viscosity * 188.49555921538757 / rubber.shear;
        assert!((loss - 0.05).abs() < 1e-12);
        assert_eq!((rubber.bulk, rubber.shear, rubber.density), (100e3, 30e3, 1000.0));
    }

    #[test]
    fn natural_rubber_keeps_its_shear_modulus() {
        let rubber = find("Natural-Rubber").unwrap();
        assert!((rubber.shear - 0.5e6).abs() < 1e-6);
        // K = 2 · 0.5 MPa · 1.45 / 0.3
        assert!((rubber.bulk - 4.833333333333333e6).abs() < 1e-3);
    }

    #[test]
    fn the_frequency_of_the_loss_is_near_the_ringing_of_ten_centimetres() {
        for (name, frequency) in [("soft rubber", 30.0), ("foam", 100.0), ("cork", 1000.0), ("gelatin", 10.0)]
        {
            let preset = find(name).unwrap();
            let ringing = (preset.shear / preset.density).sqrt() / 0.2;
            assert!(ringing / 2.0 < frequency && frequency < ringing * 2.0, "{name}: {ringing} Hz");
        }
    }

    #[test]
    fn conversions_of_moduli_are_inverse() {
        let (bulk, shear) = moduli(81.8e3, 0.364);
        let (young, poisson) = young_poisson(bulk, shear);
        assert!((young - 81.8e3).abs() < 1e-9 && (poisson - 0.364).abs() < 1e-14);
    }

    #[test]
    fn a_misspelt_preset_gets_a_suggestion() {
        let error = find("soft ruber").unwrap_err();
        assert_eq!(error.message, "unknown preset `soft ruber`");
        assert_eq!(error.help.as_deref(), Some("did you mean `soft rubber`?"));
    }
}
