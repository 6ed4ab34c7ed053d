//! What implicit steps did, and where their time went.

use std::time::Instant;

/// A part of the work of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Forces, matrices and contacts at an iterate.
    Assembly,
    /// Linear systems.
    LinearSolve,
    /// Search for near pairs, and bounds on the motion.
    Detection,
    /// Trials of the potential.
    LineSearch,
}

/// Counters and times, summed over all steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Profile {
    /// Newton directions.
    pub newton_iterations: u64,
    /// Products of the linear solver.
    pub linear_iterations: u64,
    /// Times that the list of near pairs was made.
    pub searches: u64,
    /// Largest part of Σ μλ of two bodies by which the friction of a step that was taken is not Coulomb's.
    pub coulomb_excess: f64,
    /// Largest part of the energy present that a step which was taken has made out of nothing.
    pub made_in_step: f64,
    /// Times by [`Stage`], in its order  \[s\]
    pub seconds: [f64; 4],
}

impl Profile {
    /// Runs some work and books its time.
    pub(super) fn time<T>(&mut self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let clock = Instant::now();
        let result = work();
        self.add(stage, clock);
        result
    }

    /// Books the time since `clock`.
    pub(super) fn add(&mut self, stage: Stage, clock: Instant) {
        self.seconds[stage as usize] += clock.elapsed().as_secs_f64();
    }
}
