//! The largest step that a method bears in a world, found by trial.
//!
//! A step h is **stable** over a time T if a run of that length with steps h, from the start state plus a tiny
//! disturbance of all velocities,
//!
//! - takes every step: no number becomes infinite or NaN, no tetrahedron turns inside out;
//! - never has more energy than it may: energies + losses of the bodies − work put in, less their value at the start,
//!   stay below what an accurate run exchanges between its accounts in the same time, plus a hundred times the energy of
//!   the disturbance. That is the audit residual of the ledger without what the steps themselves are known to destroy.
//!
//! What grows, grows exponentially, so that a step a few per cent beyond the limit passes any such bound within some
//! hundred steps; the bound is wide because motions whose own step is near the limit may swing in energy without
//! growing. Methods that let every motion grow (explicit Euler; Heun and midpoint a little) get the largest step whose
//! growth within T stays below the bound, which is shorter for a longer T.

use crate::Vec3;
use crate::frame::Ledger;
use crate::integrate::{ExplicitScheme, Noise, StepError, StepLimits};
use crate::run::{Method, Settings, Simulation};
use crate::state::State;

/// Speed of the disturbance over that of pressure waves.
const DISTURBANCE: f64 = 1e-6;
/// The energy of the disturbance may grow by this factor.
const GROWTH: f64 = 100.0;
/// Energies at the start, times this, are rounding.
const ROUNDING: f64 = 1e-9;
/// A run has at most so many steps: shorter ones are not tried.
const MOST_STEPS: f64 = 20_000.0;
/// The energy of a run is looked at so often.
const LOOKS: f64 = 200.0;
/// Largest and smallest step of the answer differ by this factor.
const CLOSE: f64 = 1.02;
/// The residual of an accurate run is at most this part of the energy exchanged.
const AUDIT: f64 = 0.1;
/// Runs with ever shorter steps until one is accurate.
const ATTEMPTS: u32 = 6;

/// What was found out about a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The largest stable step.
    pub limit: Limit,
    /// Time that a step takes on this machine, the shortest of all trials  \[s\]
    pub seconds_per_step: f64,
}

/// The largest stable step  \[s\]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// This one, to 2 %.
    Step(f64),
    /// At least this, the longest that was tried.
    AtLeast(f64),
    /// Less than this, the shortest that was tried.
    Below(f64),
}

impl Limit {
    /// The step itself, or the one nearest to it that was tried  \[s\]
    pub fn step(self) -> f64 {
        match self {
            Limit::Step(step) | Limit::AtLeast(step) | Limit::Below(step) => step,
        }
    }
}

/// Why nothing could be found out.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchError<E> {
    /// The simulation could not be built.
    Build(E),
    /// The accurate run failed, so that there is nothing to compare with.
    Reference {
        /// What happened.
        error: StepError,
        /// The same with the names of the world.
        message: String,
    },
    /// The accurate run is not, however short its steps.
    Inaccurate,
}

/// A search for stable steps in one world.
pub struct Search<B> {
    /// Gives a fresh simulation with the given settings; all of the same world and start.
    build: B,
    /// T  \[s\]
    time: f64,
    /// Longest step to try  \[s\]
    longest: f64,
    /// Largest energy that a stable run may gain  \[J\]
    bound: f64,
}

/// One run.
struct Trial {
    stable: bool,
    seconds_per_step: f64,
}

impl<E, B: FnMut(Settings) -> Result<Simulation, E>> Search<B> {
    /// Prepares a search over a time \[s\] among steps of at most `longest` \[s\]: one accurate run.
    ///
    /// # Panics
    /// If a time is not a positive number.
    pub fn new(mut build: B, time: f64, longest: f64) -> Result<Search<B>, SearchError<E>> {
        let method = Method::Explicit(ExplicitScheme::RungeKutta4);
        let mut settings = Settings { first_step: None, ..settings(method, time, longest) };
        settings.frame_interval = time / LOOKS;
        for attempt in 0..ATTEMPTS {
            let mut simulation = build(settings).map_err(SearchError::Build)?;
            settings.first_step = Some(0.5 * simulation.settings().limits.max_step);
            match reference(&mut simulation) {
                Ok(Some(bound)) => return Ok(Search { build, time, longest, bound }),
                Err(error) if attempt + 1 == ATTEMPTS => {
                    let message = error.explain(simulation.world());
                    return Err(SearchError::Reference { error, message });
                }
                _ => {}
            }
        }
        Err(SearchError::Inaccurate)
    }

    /// The largest stable step of a method: doubling or halving from a guess, then bisection. Every trial is shown to
    /// `watch` with its step \[s\] and whether that was stable.
    pub fn largest_step(&mut self, method: Method, mut watch: impl FnMut(f64, bool)) -> Result<Found, E> {
        let mut quickest = f64::INFINITY;
        let mut stable = |this: &mut Self, step: f64| -> Result<bool, E> {
            let trial = this.trial(method, step)?;
            quickest = quickest.min(trial.seconds_per_step);
            watch(step, trial.stable);
            Ok(trial.stable)
        };
        let first = self.guess(method)?;
        let limit = match self.bracket(first, &mut stable)? {
            Ok([low, high]) => Limit::Step(self.bisect(low, high, &mut stable)?),
            Err(limit) => limit,
        };
        Ok(Found { limit, seconds_per_step: quickest })
    }

    /// Where the search begins: the default step of an explicit scheme, the longest step of an implicit one.
    fn guess(&mut self, method: Method) -> Result<f64, E> {
        let Method::Explicit(_) = method else { return Ok(self.longest) };
        let settings = Settings { first_step: None, ..settings(method, self.time, self.longest) };
        let step = (self.build)(settings)?.settings().limits.max_step;
        Ok(step.clamp(self.shortest(), self.longest))
    }

    /// Shortest step to try  \[s\]
    fn shortest(&self) -> f64 {
        (self.time / MOST_STEPS).min(self.longest)
    }

    /// A stable and an unstable step, a factor of two apart at most; or why there are no two.
    fn bracket(
        &mut self,
        first: f64,
        stable: &mut impl FnMut(&mut Self, f64) -> Result<bool, E>,
    ) -> Result<Result<[f64; 2], Limit>, E> {
        let mut step = first;
        if stable(self, step)? {
            while step < self.longest {
                let next = (2.0 * step).min(self.longest);
                if !stable(self, next)? {
                    return Ok(Ok([step, next]));
                }
                step = next;
            }
            return Ok(Err(Limit::AtLeast(step)));
        }
        while step > self.shortest() {
            let next = (0.5 * step).max(self.shortest());
            if stable(self, next)? {
                return Ok(Ok([next, step]));
            }
            step = next;
        }
        Ok(Err(Limit::Below(step)))
    }

    /// The largest stable step between a stable and an unstable one.
    fn bisect(
        &mut self,
        mut low: f64,
        mut high: f64,
        stable: &mut impl FnMut(&mut Self, f64) -> Result<bool, E>,
    ) -> Result<f64, E> {
        while high > CLOSE * low {
            let middle = (low * high).sqrt();
            *(if stable(self, middle)? { &mut low } else { &mut high }) = middle;
        }
        Ok(low)
    }

    /// One run with steps of one length.
    fn trial(&mut self, method: Method, step: f64) -> Result<Trial, E> {
        let mut simulation = (self.build)(settings(method, self.time, step))?;
        disturb(&mut simulation);
        let bound = self.bound + remainder(method, &simulation);
        let stable = stays(&mut simulation, bound, (self.time / step / LOOKS).max(1.0) as u64);
        let statistics = simulation.statistics();
        let seconds_per_step = statistics.wall_s / statistics.steps.max(1) as f64;
        Ok(Trial { stable: stable && statistics.rejected == 0, seconds_per_step })
    }
}

/// Runs to the end; returns the energy that a stable run may gain \[J\], `None` if this run's books do not close.
fn reference(simulation: &mut Simulation) -> Result<Option<f64>, StepError> {
    let disturbance = disturb(simulation);
    let mut held = None;
    while let Some(frame) = simulation.next_frame()? {
        let Ledger { kinetic, gravity, elastic_bulk, elastic_shear, .. } = frame.ledger;
        held.get_or_insert(kinetic + gravity.abs() + elastic_bulk + elastic_shear);
    }
    let statistics = simulation.statistics();
    let floor = GROWTH * disturbance + ROUNDING * held.unwrap_or(0.0);
    let closes = statistics.worst_residual <= AUDIT * statistics.most_exchanged + floor;
    Ok(closes.then_some(statistics.most_exchanged + floor))
}

/// Whether a run comes to its end and gains no more than a bound \[J\]; its energy is looked at every so many steps.
fn stays(simulation: &mut Simulation, bound: f64, every: u64) -> bool {
    let Ok(Some(start)) = simulation.next_frame() else { return false };
    let destroyed = |row: &Ledger| row.numerical_loss - start.ledger.numerical_loss;
    let within = |row: &Ledger| row.residual - destroyed(row) <= bound;
    let mut work = simulation.world().workspace();
    while simulation.frames_given() < simulation.frame_count() {
        let look = simulation.statistics().steps.is_multiple_of(every);
        match simulation.next_step() {
            Ok(Some(last)) if !within(&last.ledger) => return false,
            Ok(None) if look => {
                let (world, state) = (simulation.world(), simulation.present());
                work.phase = world.phase_at(state.t);
                if !within(&world.ledger(state, Some(&start.ledger), &mut work)) {
                    return false;
                }
            }
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    true
}

/// Energy that a search for a minimum may leave unaccounted for: all bodies at the speed of its tolerance  \[J\]
fn remainder(method: Method, simulation: &Simulation) -> f64 {
    let Method::Implicit(settings) = method else { return 0.0 };
    let mass: f64 = simulation.world().inertia.masses().iter().sum();
    0.5 * GROWTH * mass * settings.newton.remainder().powi(2)
}

/// Steps of one length, and frames only at both ends.
fn settings(method: Method, time: f64, step: f64) -> Settings {
    // An implicit step that finds no minimum is halved; it has then failed.
    let limits = StepLimits { min_step: 0.2 * step, max_step: step, ..Settings::default().limits };
    Settings { duration: time, frame_interval: time, first_step: Some(step), limits, method }
}

/// Disturbs the velocities at the start, always in the same way; returns the energy of that alone  \[J\].
fn disturb(simulation: &mut Simulation) -> f64 {
    let mut checkpoint = simulation.checkpoint();
    let world = simulation.world();
    let mut work = world.workspace();
    work.phase = world.phase_at(checkpoint.state.t);
    let speed = DISTURBANCE * world.scale.length / world.scale.time;
    let State { v, .. } = &mut checkpoint.state;
    let before = v.clone();
    let mut noise = Noise::new();
    for (v, free) in v.iter_mut().zip(&world.phases[work.phase].free.mask) {
        let way = noise.vector();
        if *free && speed.is_finite() {
            *v += way * speed;
        }
    }
    world.settle_velocities(&mut checkpoint.state, &mut work);
    let change: Vec<Vec3> = checkpoint.state.v.iter().zip(before).map(|(v, before)| v - before).collect();
    let energy = world.inertia.energy(&change);
    simulation.restore(checkpoint);
    energy
}
