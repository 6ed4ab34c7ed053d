//! Units and axes: how the numbers of a file become meters with z up.

use std::path::Path;

use aspic::Vec3;

use super::Raw;
use crate::{Place, ReadError};

/// The axis that points up in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Up {
    /// As in glTF and many modellers: y up and z towards the viewer.
    Y,
    /// As in aspic.
    Z,
}

/// How the coordinates of a file are meant. What is `None` is taken from the file where its format declares it, as glTF
/// and USD do; other files are in meters with z up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Import {
    /// The length of one unit of the file \[m\], 0.001 for millimeters.
    pub unit_in_meters: Option<f64>,
    /// The axis that points up in the file.
    pub up: Option<Up>,
}

impl Import {
    /// Turns the coordinates to meters with z up.
    pub(super) fn apply(&self, path: &Path, raw: &mut Raw) -> Result<(), ReadError> {
        let unit = self.unit_in_meters.or(raw.unit).unwrap_or(1.0);
        if !(unit.is_finite() && unit > 0.0) {
            let cause = format!("the unit of length is {unit} m");
            let cure = "give a positive, finite length in meters, as 0.001 for millimeters";
            return Err(ReadError::format(path, Place::File, cause, cure));
        }
        if unit != 1.0 {
            raw.positions.iter_mut().for_each(|x| *x *= unit);
        }
        if self.up.or(raw.up) == Some(Up::Y) {
            raw.positions.iter_mut().for_each(|x| *x = Vec3::new(x.x, 0.0 - x.z, x.y));
        }
        Ok(())
    }
}
