//! The explicit schemes of fixed steps, by name, order and what they bear.
//!
//! For an oscillator of frequency ω without damping and steps of length h:
//!
//! | scheme | order | stable while | forces a step |
//! |---|---|---|---|
//! | explicit Euler | 1 | never: grows by √(1 + (ωh)²) a step | 1 |
//! | semi-implicit Euler | 1 | ωh < 2 | 1 |
//! | Heun | 2 | never: grows by 1 + (ωh)⁴/8 a step | 2 |
//! | midpoint | 2 | never: as Heun | 2 |
//! | Runge–Kutta 4 | 4 | ωh < 2√2 | 4 |
//! | position Verlet, velocity Verlet, leapfrog | 2 | ωh < 2 | 1 |
//!
//! Viscosity lets those that grow be stable and the others be less so: a motion that decays at the rate c needs
//! hc < 2 with both Eulers, Heun and midpoint, hc < 2.78 with Runge–Kutta 4, and hc < 1 with Verlet and leapfrog.

use super::fastest::fastest_rate;
use crate::state::State;
use crate::world::World;

/// How an explicit step of fixed length is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExplicitScheme {
    /// Places and velocities from the start of the step. First order; gains energy.
    Euler,
    /// The velocity first, then the place with the new velocity. First order; keeps energy on average.
    SemiImplicitEuler,
    /// The mean of the slopes at both ends. Second order; gains a little energy.
    Heun,
    /// The slope halfway. Second order; gains a little energy.
    Midpoint,
    /// The classical Runge–Kutta scheme. Fourth order; loses a little energy.
    RungeKutta4,
    /// From the last two places. Second order; keeps energy on average.
    PositionVerlet,
    /// Places and velocities at the same times. Second order; keeps energy on average.
    VelocityVerlet,
    /// Velocities halfway between places. Second order; keeps energy on average.
    Leapfrog,
}

use ExplicitScheme::{
    Euler, Heun, Leapfrog, Midpoint, PositionVerlet, RungeKutta4, SemiImplicitEuler, VelocityVerlet,
};

/// Product of step and highest frequency that [`crate::world::Scale::stable_step`] stands for.
const STABLE: f64 = 2.8;

impl ExplicitScheme {
    /// All of them.
    pub const ALL: [ExplicitScheme; 8] =
        [Euler, SemiImplicitEuler, Heun, Midpoint, RungeKutta4, PositionVerlet, VelocityVerlet, Leapfrog];

    /// Order of the error at a fixed time.
    pub fn order(self) -> u32 {
        match self {
            Euler | SemiImplicitEuler => 1,
            Heun | Midpoint | PositionVerlet | VelocityVerlet | Leapfrog => 2,
            RungeKutta4 => 4,
        }
    }

    /// Largest product of step and frequency that lets an oscillator without damping not grow; `None`: it always does.
    pub fn limit(self) -> Option<f64> {
        match self {
            Euler | Heun | Midpoint => None,
            SemiImplicitEuler | PositionVerlet | VelocityVerlet | Leapfrog => Some(2.0),
            RungeKutta4 => Some(8f64.sqrt()),
        }
    }

    /// Whether it remembers more than the state.
    pub(super) fn has_past(self) -> bool {
        matches!(self, PositionVerlet | VelocityVerlet | Leapfrog)
    }

    /// Product of step and fastest rate that is taken where nobody says how long steps shall be.
    fn safe(self) -> f64 {
        match self {
            Euler => 0.01,
            Heun | Midpoint => 0.1,
            SemiImplicitEuler => 1.0,
            RungeKutta4 => 1.5,
            PositionVerlet | VelocityVerlet | Leapfrog => 0.7,
        }
    }

    /// A step well within what the bodies bear in this state  \[s\]. Schemes that gain energy get one that lets them
    /// gain little.
    pub fn default_step(self, world: &World, state: &State) -> f64 {
        let at_rest = world.scale.stable_step / STABLE;
        let here = fastest_rate(world, state).map_or(f64::INFINITY, |rate| 1.0 / rate);
        self.safe() * at_rest.min(here)
    }
}
