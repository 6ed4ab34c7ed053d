//! `aspic materials`.

use std::process::ExitCode;

use aspic::scene::Preset;
use aspic::scene::presets;

use crate::failure::Failure;

/// Lists the library, or one material of it.
pub fn list(name: Option<&str>) -> Result<ExitCode, Failure> {
    let text = match name {
        Some(name) => {
            let preset = presets::find(name).map_err(|error| {
                Failure::Input(format!(
                    "{}{}",
                    error.message,
                    error.help.map_or(String::new(), |h| format!(": {h}"))
                ))
            })?;
            describe(preset)
        }
        None => presets::all().iter().map(describe).collect::<Vec<_>>().join("\n"),
    };
    crate::print(&text)
}

fn describe(preset: &Preset) -> String {
    let (young, poisson) = presets::young_poisson(preset.bulk, preset.shear);
    format!(
        "{}\n  {}\n  density {} kg/m³, bulk {}, shear {} (Young {}, Poisson {:.2})\n  \
         viscosity: bulk {:.3} Pa·s, shear {:.3} Pa·s\n  source: {}\n",
        preset.name,
        preset.description,
        preset.density,
        pascal(preset.bulk),
        pascal(preset.shear),
        pascal(young),
        poisson,
        preset.bulk_viscosity,
        preset.shear_viscosity,
        preset.source
    )
}

/// A pressure for people.
fn pascal(p: f64) -> String {
    match p {
        p if p >= 1e6 => format!("{:.3} MPa", p / 1e6),
        p if p >= 1e3 => format!("{:.2} kPa", p / 1e3),
        p => format!("{p:.1} Pa"),
    }
}
