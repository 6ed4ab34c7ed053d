//! What keeps the surfaces of a world apart: everything about contact that does not change during a run.

use std::collections::BTreeMap;

use super::{ContactDistance, HalfSpace, Surface};

/// Surfaces, half-spaces, and how they push and rub.
#[derive(Clone, Debug)]
pub struct Contact {
    /// What can touch.
    pub surface: Surface,
    /// Half-spaces that nothing enters. Number k rubs as body `first_plane_body + k`.
    pub half_spaces: Vec<HalfSpace>,
    /// Number of the first half-space among the bodies.
    pub first_plane_body: u32,
    /// d̂ per part  \[m\]
    pub distance: ContactDistance,
    /// Stiffness of a contact, over that of the material behind it.
    pub stiffness_scale: f64,
    /// Coefficients of friction.
    pub friction: Friction,
    /// What stands behind each node of the world.
    pub backing: Vec<Backing>,
}

/// What resists a push at a node in the shape at the start. Contacts take their stiffness from it once and for all: if it
/// followed the bodies from step to step, contacts would hold more or less energy than was put into them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Backing {
    /// \[kg\]
    pub mass: f64,
    /// \[N/m\]
    pub stiffness: f64,
    /// \[N s/m\]
    pub damping: f64,
}

impl Backing {
    /// Force over motion in steps that end with v = c (q − q̂)  \[N/m\]
    pub fn firmness(&self, rate: f64) -> f64 {
        self.stiffness + rate * (self.damping + rate * self.mass)
    }
}

/// Smallest gap that is ever left, over d̂: beyond it coordinates could no longer tell the sides apart.
pub(super) const FLOOR: f64 = 1e-3;

/// Stiffness of a contact over the stiffness of what it pushes.
pub const STIFFNESS_SCALE: f64 = 10.0;

/// Coulomb's μ for each pair of bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Friction {
    /// μ where no pair says otherwise.
    pub default: f64,
    /// μ of two bodies, the lower number first.
    pub pairs: BTreeMap<[u32; 2], f64>,
    /// Slip speed below which friction holds more than it slides  \[m/s\]
    pub slip_speed: f64,
}

impl Friction {
    /// μ between two bodies.
    pub fn between(&self, a: u32, b: u32) -> f64 {
        self.pairs.get(&[a.min(b), a.max(b)]).copied().unwrap_or(self.default)
    }

    /// Whether anything rubs at all.
    pub fn is_none(&self) -> bool {
        self.default == 0.0 && self.pairs.values().all(|&mu| mu == 0.0)
    }
}

impl Contact {
    /// The gap that is always left between two parts, besides their radii  \[m\]
    pub(super) fn floor(&self, range: f64) -> f64 {
        FLOOR * range
    }
}
