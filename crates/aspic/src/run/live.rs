//! What a person may do to a run under way: pull at a point, and change laws.
//!
//! Nobody writes into the state. A hand is a force from outside. A change of law, gravity or constraints is another
//! world: [`Simulation::carry_over`] goes on in it with the same places, velocities and books.

use super::{Method, Settings, Simulation};
use crate::Vec3;
use crate::frame::Frame;
use crate::integrate::StepError;
use crate::state::State;
use crate::world::World;

impl Simulation {
    /// Takes one step, and gives the next frame if that is now reached; for those who want to act between steps.
    /// A run whose frames have all been given takes none.
    pub fn next_step(&mut self) -> Result<Option<Frame>, StepError> {
        if self.frames >= self.frame_count() {
            return Ok(None);
        }
        let reached = |this: &Simulation| this.next.t >= this.frame_time(this.frames);
        if !reached(self) {
            self.step_towards_frame()?;
        }
        if reached(self) { self.give_frame().map(Some) } else { Ok(None) }
    }

    /// Pulls at a point towards `target` \[m\] from the next step on. A hand that already has the point only moves.
    /// How strong it is says [`World::hand_on`]. False, and no hand, where nothing can be pulled: an obstacle, or no
    /// such point.
    pub fn grab(&mut self, point: usize, target: Vec3) -> bool {
        let explicit = self.settings.method.is_explicit();
        let has = self.world.hand.take().filter(|hand| hand.point == point);
        let mut hand = has.or_else(|| self.world.hand_on(point, &self.next.q, explicit));
        hand.iter_mut().for_each(|hand| hand.target = target);
        self.world.hand = hand;
        self.jolt();
        self.world.hand.is_some()
    }

    /// Lets go.
    pub fn release(&mut self) {
        self.world.hand = None;
        self.integrator.amended();
        self.jolt();
    }

    /// The state from which a run goes on after a change: the end of the last step, or the last frame if that step
    /// has passed the next frame already.
    pub fn present(&self) -> &State {
        if self.next.t <= self.frame_time(self.frames) { &self.next } else { &self.shown }
    }

    /// This motion in another world with the same nodes, from [`Simulation::present`] on, as `state` has it. Frames,
    /// time, books and the hand go on; positions and velocities do not jump.
    ///
    /// What the bodies hold in the new world and did not hold in the old one (a stiffer body is more strained by the
    /// same strain, a pinned vertex has lost its motion) has been put in by whoever changed it: it is booked as work
    /// of drags, and the audit goes on to close.
    pub fn carry_over(&self, world: World, state: State, settings: Settings) -> Simulation {
        let mut old = self.world.workspace();
        old.phase = self.world.phase_at(self.now.t);
        let before = self.world.ledger(self.present(), Some(&self.start), &mut old).total;
        let mut new = Simulation::closed(world, state, settings);
        new.world.hand.clone_from(&self.world.hand);
        new.frames = self.frames;
        if let (Method::Rkf45, Method::Rkf45) = (settings.method, self.settings.method) {
            new.dt = self.last.suggested.min(new.settings.limits.max_step);
            new.last.suggested = new.dt;
        }
        new.open();
        new.start = self.start;
        let after = new.world.ledger(&new.now, Some(&new.start), &mut new.work).total;
        for state in [&mut new.now, &mut new.next, &mut new.shown] {
            state.accounts.drag_work += after - before;
        }
        let alike = settings.method.remembers_like(&self.settings.method);
        if let Some(past) = self.integrator.past().filter(|_| alike) {
            new.integrator.recall(past.clone());
            new.integrator.jolt();
        }
        (new.statistics, new.at_now, new.before) = (self.statistics, self.statistics, self.statistics);
        new
    }
}
