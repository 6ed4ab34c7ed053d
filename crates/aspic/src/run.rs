//! THE loop: step until the next frame time, interpolate, report.

mod conditions;
mod events;
mod live;
mod statistics;

use std::time::Instant;

pub use crate::integrate::Past;
pub use statistics::Statistics;

use crate::Vec3;
use crate::event::{Trace, Watch};
use crate::frame::{Frame, Ledger};
use crate::integrate::{
    Explicit, ExplicitScheme, Implicit, ImplicitSettings, Integrator, Profile, Rkf45, Step, StepError,
    StepLimits,
};
use crate::state::State;
use crate::world::{Amended, Stiffest, Workspace, World};
use statistics::Spread;

/// When frames fall and how steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Simulated time  \[s\]; infinite for a run without an end.
    pub duration: f64,
    /// Time between frames  \[s\]
    pub frame_interval: f64,
    /// First step to try, for explicit steps of fixed length that of all  \[s\]; `None` picks one from the bodies.
    pub first_step: Option<f64>,
    /// Limits on the step.
    pub limits: StepLimits,
    /// How a step is taken.
    pub method: Method,
}

/// How a step is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Method {
    /// Runge–Kutta–Fehlberg 4(5): explicit, error-controlled, without contact.
    #[default]
    Rkf45,
    /// Explicit steps of fixed length, without contact.
    Explicit(ExplicitScheme),
    /// Implicit steps, with contact where the world has it.
    Implicit(ImplicitSettings),
}

impl Method {
    fn integrator(&self, world: &World, limits: StepLimits) -> Box<dyn Integrator> {
        match self {
            Method::Rkf45 => Box::new(Rkf45::new(world, limits)),
            Method::Explicit(scheme) => Box::new(Explicit::new(world, *scheme, limits.max_step)),
            Method::Implicit(settings) => Box::new(Implicit::new(world, *settings, limits)),
        }
    }

    /// The tolerance of its steps beside that of the limits, if there is one.
    fn step_tolerance(&self) -> Option<f64> {
        match self {
            Method::Rkf45 | Method::Explicit(_) => None,
            Method::Implicit(settings) => settings.step_tolerance,
        }
    }

    /// Whether steps are explicit, so that stiff forces make them grow.
    fn is_explicit(&self) -> bool {
        !matches!(self, Method::Implicit(_))
    }

    /// Whether the past of one is a past for the other.
    fn remembers_like(&self, other: &Method) -> bool {
        match (self, other) {
            (Method::Implicit(_), Method::Implicit(_)) => true,
            (one, other) => one == other,
        }
    }

    /// The longest step in a world, and the first one to try, from what the settings say  \[s\].
    fn steps(&self, world: &World, state: &State, settings: &Settings) -> [f64; 2] {
        let Settings { first_step, frame_interval, limits: StepLimits { max_step, .. }, .. } = *settings;
        let [longest, first] = match self {
            Method::Rkf45 => [max_step.min(world.scale.stable_step), world.scale.time * 0.01],
            Method::Explicit(scheme) => {
                let step = first_step.unwrap_or_else(|| scheme.default_step(world, state)).min(max_step);
                return [step; 2];
            }
            // Implicit steps end on frames, so none is longer than the time between them.
            Method::Implicit(_) => [max_step.min(frame_interval); 2],
        };
        [longest, first_step.unwrap_or(first).min(longest)]
    }
}

/// Default error per second, relative.
pub const DEFAULT_TOLERANCE: f64 = 1e-4;

impl Default for Settings {
    fn default() -> Self {
        Settings {
            duration: 1.0,
            frame_interval: 1.0 / 24.0,
            first_step: None,
            limits: StepLimits { tolerance: DEFAULT_TOLERANCE, min_step: 1e-9, max_step: 0.05 },
            method: Method::Rkf45,
        }
    }
}

/// Everything needed to go on exactly: the start of the step in progress.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// State at the start of the step that covers the last frame.
    pub state: State,
    /// Step length to try from there  \[s\]
    pub dt: f64,
    /// What the scheme remembers besides the state.
    pub past: Option<Past>,
    /// Frames reported so far.
    pub frames: usize,
    /// Statistics at the start of that step, with the ledger maxima up to the last frame.
    pub statistics: Statistics,
}

/// A world in motion.
pub struct Simulation {
    world: World,
    settings: Settings,
    integrator: Box<dyn Integrator>,
    work: Workspace,
    /// Start and end of the last step.
    now: State,
    next: State,
    last: Step,
    /// Step length that was tried from `now`.
    dt: f64,
    at_now: Statistics,
    statistics: Statistics,
    /// What was counted before this process began.
    before: Statistics,
    /// Whether the last step was cut to end on a time that somebody asked for.
    landed: bool,
    frames: usize,
    start: Ledger,
    shown: State,
    /// Phase of the last step.
    phase: usize,
    /// Looks for meetings of bodies, in what the last step traced.
    watch: Watch,
    trace: Trace,
    /// Time spent looking  \[s\]
    looking_s: f64,
    forces: conditions::Forces,
    most_tries: usize,
}

impl Simulation {
    /// Starts at the given state, which must satisfy the constraints, as one from a builder does.
    ///
    /// Steps of [`Method::Rkf45`] are capped near the stability limit of the bodies at rest: without motion there is no
    /// error to see, and much longer steps would let rounding grow into motion. Fixed steps that are given are taken.
    ///
    /// # Panics
    /// If the duration, the frame interval, a tolerance or a limit on the step is not a positive number.
    pub fn new(world: World, state: State, settings: Settings) -> Simulation {
        let mut simulation = Simulation::closed(world, state, settings);
        simulation.open();
        simulation
    }

    /// The same before what the bodies hold is booked.
    fn closed(world: World, state: State, mut settings: Settings) -> Simulation {
        let StepLimits { tolerance, min_step, max_step } = settings.limits;
        assert!(settings.duration > 0.0, "a run must last: {settings:?}");
        let numbers = [settings.frame_interval, tolerance, min_step, max_step];
        for number in numbers.into_iter().chain(settings.method.step_tolerance()).chain(settings.first_step) {
            assert!(number > 0.0 && number.is_finite(), "settings must be positive numbers: {settings:?}");
        }
        let [longest, dt] = settings.method.steps(&world, &state, &settings);
        settings.limits.max_step = longest;
        let mut work = world.workspace();
        work.phase = world.phase_at(state.t);
        Simulation {
            integrator: settings.method.integrator(&world, settings.limits),
            settings,
            next: state.clone(),
            shown: state.clone(),
            now: state,
            last: Step { suggested: dt, ..Step::default() },
            dt,
            at_now: Statistics::default(),
            statistics: Statistics::default(),
            before: Statistics::default(),
            landed: false,
            frames: 0,
            start: Ledger::default(),
            phase: work.phase,
            watch: Watch::new(world.springs.as_ref()),
            trace: Trace::default(),
            looking_s: 0.0,
            forces: conditions::Forces::default(),
            most_tries: events::MOST_TRIES,
            work,
            world,
        }
    }

    /// Books what the bodies hold at the start.
    fn open(&mut self) {
        let ahead = [self.frames, self.frames + 1].map(|frame| self.frame_time(frame));
        let frame = ahead.into_iter().find(|&t| t > self.now.t).unwrap_or(self.now.t);
        let limit = self.world.next_break(self.now.t).min(frame);
        self.integrator.open(&self.world, &mut self.now, self.dt, limit);
        self.next.accounts = self.now.accounts;
        self.shown.accounts = self.now.accounts;
        self.start = self.world.ledger(&self.now, None, &mut self.work);
    }

    /// Number of frames of the whole run: one at time zero, one every interval, and one at the end.
    pub fn frame_count(&self) -> usize {
        let intervals = self.settings.duration / self.settings.frame_interval;
        // Rounding of the quotient must not add a frame a hair before the end.
        ((intervals * (1.0 - 1e-12)).ceil() as usize).saturating_add(1)
    }

    /// Number of frames given so far.
    pub fn frames_given(&self) -> usize {
        self.frames
    }

    /// Time of a frame \[s\].
    pub fn frame_time(&self, index: usize) -> f64 {
        (index as f64 * self.settings.frame_interval).min(self.settings.duration)
    }

    /// Steps until the next frame time; `None` when all frames have been given.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, StepError> {
        self.next_frame_watched(|_| ())
    }

    /// The same, showing the simulation to `watch` after every step.
    pub fn next_frame_watched(
        &mut self,
        mut watch: impl FnMut(&Simulation),
    ) -> Result<Option<Frame>, StepError> {
        if self.frames >= self.frame_count() {
            return Ok(None);
        }
        while self.next.t < self.frame_time(self.frames) {
            self.step_towards_frame()?;
            watch(self);
        }
        self.give_frame().map(Some)
    }

    /// One step on the way to the next frame.
    fn step_towards_frame(&mut self) -> Result<(), StepError> {
        if self.integrator.ends_on_frames() || self.world.amends() {
            self.step_until(self.frame_time(self.frames))?;
            self.landed = true;
            Ok(())
        } else {
            self.step()
        }
    }

    /// The frame whose time has been reached.
    fn give_frame(&mut self) -> Result<Frame, StepError> {
        let frame = self.frame_at(self.frame_time(self.frames))?;
        self.frames += 1;
        Ok(frame)
    }

    /// The frame at a time within the last step. An interpolant may crush an element that neither end of the step
    /// crushes; then the step is taken again, to end on the frame.
    fn frame_at(&mut self, t: f64) -> Result<Frame, StepError> {
        self.show(t);
        match self.frame(self.frames) {
            Err(_) if t < self.next.t => {
                self.next.clone_from(&self.now);
                self.last.suggested = self.dt;
                self.statistics = self.statistics.with_counts_of(&self.at_now);
                self.land_on(t)?;
                self.show(t);
                self.frame(self.frames)
            }
            frame => frame,
        }
    }

    /// Steps that end exactly on time t \[s\].
    fn land_on(&mut self, t: f64) -> Result<(), StepError> {
        while self.next.t < t {
            self.step_until(t)?;
            self.landed = true;
        }
        Ok(())
    }

    /// Advances to exactly time t \[s\]; frames before it are passed over. Time does not run backwards: a t before
    /// the last step shows the start of that step.
    pub fn advance_to(&mut self, t: f64) -> Result<(), StepError> {
        let t = t.max(self.now.t);
        self.land_on(t)?;
        while self.frames < self.frame_count() && self.frame_time(self.frames) < t {
            self.frames += 1;
        }
        self.show(t);
        Ok(())
    }

    /// One accepted step; ends no later than the last frame.
    fn step(&mut self) -> Result<(), StepError> {
        self.landed = false;
        self.step_until(self.frame_time(self.frame_count() - 1))
    }

    fn step_until(&mut self, end: f64) -> Result<(), StepError> {
        let clock = Instant::now();
        std::mem::swap(&mut self.now, &mut self.next);
        self.let_go()?;
        self.at_now = self.statistics;
        self.dt = self.last.suggested;
        let limit = self.world.next_break(self.now.t).min(end);
        match self.eventful_step(limit) {
            Ok(step) => self.last = step,
            Err(error) => {
                // The old state is the present again.
                std::mem::swap(&mut self.now, &mut self.next);
                self.now.clone_from(&self.next);
                return Err(error);
            }
        }
        if let Err((body, error)) = self.world.move_puppets(&self.now, &mut self.next) {
            let t = self.now.t;
            std::mem::swap(&mut self.now, &mut self.next);
            self.now.clone_from(&self.next);
            return Err(StepError::Puppet { t, body, error });
        }
        self.work.phase = self.phase;
        let implicit = self.integrator.is_implicit();
        if self.world.amends() {
            match self.world.amend(&self.now, &mut self.next, implicit, &mut self.work) {
                Amended::Motion => {
                    self.integrator.amended();
                    self.jolt();
                }
                Amended::Forces => self.jolt(),
                Amended::Nothing => (),
            }
        }
        self.statistics.steps += 1;
        self.statistics.rejected += self.last.rejected;
        let profile = self.integrator.profile().copied().unwrap_or_default();
        self.statistics.force_evaluations = self.before.force_evaluations + self.integrator.evaluations();
        self.statistics.newton_iterations = self.before.newton_iterations + profile.newton_iterations;
        self.statistics.linear_iterations = self.before.linear_iterations + profile.linear_iterations;
        self.statistics.made_in_step = self.before.made_in_step.max(profile.made_in_step);
        self.statistics.coulomb_excess = self.before.coulomb_excess.max(profile.coulomb_excess);
        self.statistics.wall_s += clock.elapsed().as_secs_f64();
        Ok(())
    }

    /// Springs that let go now keep their energy: it leaves with the hand that holds them, as negative work.
    fn let_go(&mut self) -> Result<(), StepError> {
        let same = self.world.phase_at(self.now.t) == self.phase;
        if same && self.world.events.is_empty() {
            return Ok(());
        }
        self.work.phase = self.phase;
        let held = self.world.spring_energy(&self.now, &mut self.work);
        let happened = self.world.recall(&self.now.memory);
        let changed = happened.map_err(|_| StepError::Massless { t: self.now.t })?;
        let phase = self.world.phase_at(self.now.t);
        if changed || phase != self.phase {
            self.work.phase = phase;
            self.now.accounts.drag_work -= held - self.world.spring_energy(&self.now, &mut self.work);
            self.phase = phase;
            // Accelerations jump: schemes that step from the velocities of the past would mix both sides.
            self.integrator.amended();
            self.jolt();
        }
        Ok(())
    }

    /// Puts the state at time t, within the last step, on show.
    fn show(&mut self, t: f64) {
        if t >= self.next.t {
            self.shown.clone_from(&self.next);
        } else {
            self.integrator.interpolate(&self.world, &self.now, &self.next, t, &mut self.shown);
        }
        self.work.phase = self.world.phase_at(self.now.t);
    }

    /// The frame of the state on show.
    fn frame(&mut self, index: usize) -> Result<Frame, StepError> {
        let mut ledger = self.world.ledger(&self.shown, Some(&self.start), &mut self.work);
        ledger.step = self.last.taken;
        let failed = |error| StepError::from_force(error, ledger.t, self.last.taken);
        let (reaction, reactions) = match self.integrator.reactions() {
            Some((nodes, constraints)) => (nodes.to_vec(), constraints.to_vec()),
            None => self.world.reactions(&self.shown, &mut self.work).map_err(failed)?,
        };
        let spread = Spread::of(self.world.inertia.masses(), &self.shown.q);
        self.statistics.note(&ledger, &self.start, &spread);
        let tets = self.world.topology.tets.len();
        let (mut energy_density, mut stress) = (vec![0.0; tets], vec![[0.0; 6]; tets]);
        self.world.sample(&self.shown, &mut energy_density, &mut stress);
        let embedding = &self.world.embedding;
        let mut points = [(); 4].map(|()| vec![Vec3::zeros(); embedding.len()]);
        let [positions, velocities, point_reaction, contact] = &mut points;
        embedding.positions(&self.shown.q, positions);
        embedding.positions(&self.shown.v, velocities);
        embedding.share_out(&reaction, point_reaction);
        let pushes =
            if self.world.impulses.is_some() { &self.work.pushes } else { self.integrator.contact() };
        contact.iter_mut().zip(pushes).for_each(|(out, force)| *out = *force);
        self.world.contact_spring_forces(&self.shown, contact);
        self.add_grip_forces(contact);
        let [positions, velocities, reaction, contact] = points;
        Ok(Frame {
            index,
            positions,
            velocities,
            reaction,
            contact,
            energy_density,
            stress,
            reactions,
            ledger,
        })
    }

    /// Adds the forces of contacts that multipliers hold, which the last reactions have found.
    fn add_grip_forces(&self, contact: &mut [Vec3]) {
        if self.world.grips(&self.shown) {
            let mut nodes = vec![Vec3::zeros(); self.world.nodes()];
            self.world.grip_forces(&self.work, &mut nodes);
            let mut points = vec![Vec3::zeros(); contact.len()];
            self.world.embedding.share_out(&nodes, &mut points);
            contact.iter_mut().zip(&points).for_each(|(sum, force)| *sum += force);
        }
    }

    /// The spring that makes explicit steps much shorter than the bodies do, if there is one.
    pub fn stiffest(&self) -> Option<Stiffest> {
        if self.settings.method.is_explicit() { self.world.stiffest(&self.next) } else { None }
    }

    /// The events of the scene that have happened, and when  \[s\]
    pub fn happened(&self) -> impl Iterator<Item = (&str, f64)> {
        let all = self.world.happened(&self.next.memory);
        all.filter(|(_, t)| t.is_finite()).map(|(event, t)| (&event.name[..], t))
    }

    /// What [`Simulation::restore`] needs to give the same bits from here on.
    pub fn checkpoint(&self) -> Checkpoint {
        // After the last frame there is no step in progress, nor after one that was cut to end on a frame.
        let in_progress = !self.landed && self.next.t > self.now.t && self.frames < self.frame_count();
        let (state, dt, counts, past) = if in_progress {
            (&self.now, self.dt, self.at_now, self.integrator.past_before())
        } else {
            (&self.next, self.last.suggested, self.statistics, self.integrator.past())
        };
        let statistics = self.statistics.with_counts_of(&counts);
        Checkpoint { state: state.clone(), dt, past: past.cloned(), frames: self.frames, statistics }
    }

    /// Goes on from a checkpoint of the same world.
    pub fn restore(&mut self, checkpoint: Checkpoint) {
        self.next = checkpoint.state;
        self.now.clone_from(&self.next);
        // What ended before ends again; that it can was found out then.
        let _ = self.world.recall(&self.now.memory);
        self.forces.known = None;
        self.phase = self.world.phase_at(self.now.t);
        self.work.phase = self.phase;
        self.last = Step { suggested: checkpoint.dt, ..Step::default() };
        self.statistics = checkpoint.statistics;
        self.at_now = checkpoint.statistics;
        self.integrator = self.settings.method.integrator(&self.world, self.settings.limits);
        if let Some(past) = checkpoint.past {
            self.integrator.recall(past);
        }
        self.before = checkpoint.statistics;
        self.frames = checkpoint.frames;
        self.landed = false;
        if self.frames == 0 {
            // The frame of the start shows what the first step will find.
            self.open();
        }
        self.show(self.now.t);
    }

    /// The points where the last step began, also one that failed  \[m\]
    pub fn points_before(&self) -> Vec<Vec3> {
        let mut points = vec![Vec3::zeros(); self.world.embedding.len()];
        self.world.embedding.positions(&self.now.q, &mut points);
        points
    }

    /// The state on show: of the last frame, or where [`Simulation::advance_to`] stopped.
    pub fn state(&self) -> &State {
        &self.shown
    }

    /// Its ledger.
    pub fn ledger(&mut self) -> Ledger {
        self.world.ledger(&self.shown, Some(&self.start), &mut self.work)
    }

    /// Time that this process has spent looking for bodies that meet, a part of the time of its steps  \[s\]
    pub fn looking_s(&self) -> f64 {
        self.looking_s
    }

    /// Forces of the constraints on the nodes of the state on show \[N\].
    pub fn reactions(&mut self) -> Result<Vec<Vec3>, StepError> {
        let t = self.shown.t;
        let reactions = self.world.reactions(&self.shown, &mut self.work);
        reactions.map(|(nodes, _)| nodes).map_err(|error| StepError::from_force(error, t, 0.0))
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Counters and worst cases so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// What implicit steps did and where their time went; `None` for explicit ones.
    pub fn profile(&self) -> Option<&Profile> {
        self.integrator.profile()
    }

    /// Simulated time reached \[s\] and length of the last step \[s\].
    pub fn progress(&self) -> (f64, f64) {
        (self.next.t, self.last.taken)
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
