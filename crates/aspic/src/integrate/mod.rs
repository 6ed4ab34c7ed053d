//! Time. An integrator knows the world as a right-hand side and the state as numbers, nothing else.

mod dense;
mod explain;
mod explicit;
pub mod implicit;
mod noise;
mod rkf45;
mod spot;
mod stages;
mod tableau;

pub use explicit::{Explicit, ExplicitScheme};
pub use implicit::{Implicit, ImplicitSettings, NewtonSettings, Past, Profile, Scheme};
pub(crate) use noise::Noise;
pub use rkf45::Rkf45;
pub use spot::Spot;

pub use crate::solve::Choice;

use crate::Vec3;
use crate::boundary::plane::PuppetError;
use crate::state::State;
use crate::world::{ForceError, World};

/// How a step went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// Length of the step that was taken  \[s\]
    pub taken: f64,
    /// Length to try next  \[s\]
    pub suggested: f64,
    /// Attempts thrown away.
    pub rejected: u64,
}

/// Limits on the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimits {
    /// Error per second that a step may make, relative to the size and wave speed of the bodies.
    pub tolerance: f64,
    /// Shortest step before giving up  \[s\]
    pub min_step: f64,
    /// Longest step  \[s\]
    pub max_step: f64,
}

/// Why the simulation cannot go on. The state before the step is intact.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A tetrahedron turned inside out however short the step.
    #[error(
        "at t = {t:.6} s tetrahedron {tet} of body {body} turns inside out, and steps down to {dt:.1e} s do not help"
    )]
    Inverted {
        /// Time \[s\].
        t: f64,
        /// Step tried last \[s\].
        dt: f64,
        /// The body, as an index into the topology.
        body: usize,
        /// The tetrahedron, in the body's mesh.
        tet: usize,
    },
    /// A number became NaN or infinite however short the step.
    #[error("at t = {t:.6} s node {node} has a force that is not a finite number (step {dt:.1e} s)")]
    NotFinite {
        /// Time \[s\].
        t: f64,
        /// Step tried last \[s\].
        dt: f64,
        /// The node.
        node: usize,
    },
    /// Constraints that no motion satisfies.
    #[error(
        "at t = {t:.6} s constraint {constraint} cannot be kept together with the others (step {dt:.1e} s)"
    )]
    Unsatisfied {
        /// Time \[s\].
        t: f64,
        /// Step tried last \[s\].
        dt: f64,
        /// The constraint, as an index.
        constraint: usize,
    },
    /// The error stays too large however short the step.
    #[error("at t = {t:.6} s steps down to {dt:.1e} s still miss the tolerance by a factor {excess:.1}")]
    TooStiff {
        /// Time \[s\].
        t: f64,
        /// Step tried last \[s\].
        dt: f64,
        /// Error over tolerance.
        excess: f64,
    },
    /// A step of fixed length led to a state without forces.
    #[error("at t = {t:.6} s a step of {dt:.3e} s is too long: {cause}")]
    TooLong {
        /// Time \[s\].
        t: f64,
        /// The step \[s\].
        dt: f64,
        /// What became of it.
        cause: ForceError,
    },
    /// No direction leads on, however short the step.
    #[error(
        "at t = {t:.6} s the bodies are locked: no direction leads on, and steps down to {dt:.1e} s do not help; {spot}"
    )]
    Locked {
        /// Time \[s\].
        t: f64,
        /// Step tried last \[s\].
        dt: f64,
        /// Where.
        spot: Spot,
    },
    /// The minimum of a step was not found, however short the step.
    #[error(
        "at t = {t:.6} s no balance of forces was found, and steps down to {dt:.1e} s do not help; {spot}"
    )]
    NoMinimum {
        /// Time \[s\].
        t: f64,
        /// Step tried last \[s\].
        dt: f64,
        /// Where.
        spot: Spot,
    },
    /// A dragged vertex or a moving obstacle cannot go on.
    #[error("at t = {t:.6} s the prescribed motion of node {node} is blocked (step {dt:.1e} s); {spot}")]
    Blocked {
        /// Time \[s\].
        t: f64,
        /// Step tried last \[s\].
        dt: f64,
        /// The node.
        node: usize,
        /// What is in its way.
        spot: Spot,
    },
    /// A body that moves by rules of its own cannot.
    #[error("at t = {t:.6} s body {body} cannot move: {error}")]
    Puppet {
        /// Time \[s\].
        t: f64,
        /// The body, as an index into the topology.
        body: usize,
        /// Why.
        error: PuppetError,
    },
    /// An event has let go of a point without mass.
    #[error("at t = {t:.6} s an event lets go of a point without mass")]
    Massless {
        /// Time \[s\].
        t: f64,
    },
    /// Two bodies meet again and again at one instant.
    #[error("at t = {t:.6} s bodies {} and {} meet again and again", bodies[0], bodies[1])]
    Chatter {
        /// Time \[s\].
        t: f64,
        /// The bodies, half-spaces counted behind them.
        bodies: [u32; 2],
    },
}

impl StepError {
    /// The same facts, from a force that failed.
    pub fn from_force(error: ForceError, t: f64, dt: f64) -> StepError {
        match error {
            ForceError::Inverted { body, tet } => StepError::Inverted { t, dt, body, tet },
            ForceError::Unsatisfied { constraint } => StepError::Unsatisfied { t, dt, constraint },
            ForceError::NotFinite { node } => StepError::NotFinite { t, dt, node },
        }
    }

    /// The same of a step whose length is fixed: all but constraints that contradict each other is its fault.
    pub fn of_fixed_step(error: ForceError, t: f64, dt: f64) -> StepError {
        match error {
            ForceError::Unsatisfied { .. } => StepError::from_force(error, t, dt),
            cause => StepError::TooLong { t, dt, cause },
        }
    }
}

/// A scheme that advances a state. `now` is shared: a failed step cannot damage it.
pub trait Integrator: Send {
    /// Advances by at most `dt`, never beyond `limit`, and lands exactly on `limit` if it comes that far.
    fn step(
        &mut self,
        world: &World,
        now: &State,
        dt: f64,
        limit: f64,
        next: &mut State,
    ) -> Result<Step, StepError>;

    /// Books what the bodies hold at the start of a run and only the scheme can tell. The first step will be of at most
    /// `dt` and end no later than `limit` \[s\].
    fn open(&mut self, _world: &World, _start: &mut State, _dt: f64, _limit: f64) {}

    /// The state at a time within the last step.
    fn interpolate(&mut self, world: &World, now: &State, next: &State, t: f64, out: &mut State);

    /// Number of force evaluations so far.
    fn evaluations(&self) -> u64;

    /// Whether steps must end on frames, because states between the ends of a step have no guarantee.
    fn ends_on_frames(&self) -> bool {
        false
    }

    /// Force of the supports on each node, and of each constraint, at the end of the last step \[N\]; `None` if the
    /// state tells.
    fn reactions(&self) -> Option<(&[Vec3], &[Vec3])> {
        None
    }

    /// Force of contact and friction on each point at the end of the last step, or at the start of the run  \[N\]; empty
    /// where there is no contact.
    fn contact(&self) -> &[Vec3] {
        &[]
    }

    /// What the steps did so far, for schemes that count it.
    fn profile(&self) -> Option<&Profile> {
        None
    }

    /// What the scheme remembers besides the state, at the end of the last step.
    fn past(&self) -> Option<&Past> {
        None
    }

    /// The same at the start of the last step; only schemes whose steps need not end on frames are asked.
    fn past_before(&self) -> Option<&Past> {
        None
    }

    /// Goes on with what another one remembered.
    fn recall(&mut self, _past: Past) {}

    /// Whether its steps take damping at their end.
    fn is_implicit(&self) -> bool {
        false
    }

    /// A time so short that nothing moves in it  \[s\]
    fn instant(&self) -> f64 {
        0.0
    }

    /// Forces have changed since the last step: what is remembered of them no longer holds.
    fn jolt(&mut self) {}

    /// The end of the last step was amended: nothing that is remembered of the motion holds any more.
    fn amended(&mut self) {
        self.jolt();
    }
}
