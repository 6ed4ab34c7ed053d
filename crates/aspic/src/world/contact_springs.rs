//! Contact springs in the sums of the world: their forces, their energy, and what becomes of them between steps.

use super::World;
use crate::Vec3;
use crate::event::{Meeting, Spring, SpringContact, Trace};
use crate::state::State;

impl World {
    /// Where a point is  \[m\]
    pub(super) fn place(&self, q: &[Vec3], point: u32) -> Vec3 {
        self.embedding.of(point as usize).fold(Vec3::zeros(), |sum, (node, w)| sum + q[node as usize] * w)
    }

    /// The springs of a state, with the stretch that they feel; not those that multipliers hold  \[m\]
    fn stretched<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (Spring, Vec3)> + 'a {
        self.springs.iter().filter(|contact| !contact.rigid).flat_map(|contact| {
            let felt = |spring: &Spring| contact.felt(spring, |point| self.place(&state.q, point));
            contact.springs(&state.memory).map(move |spring| (spring, felt(&spring)))
        })
    }

    /// Adds −k c δ \[N\]. Returns the power that goes into springs whose feet slide \[W\]: they keep only a part of it.
    pub(super) fn add_contact_springs(&self, state: &State, out: &mut [Vec3]) -> f64 {
        let mut power = 0.0;
        for (spring, stretch) in self.stretched(state) {
            for (point, weight) in spring.ends() {
                let force = stretch * (-spring.stiffness * weight);
                self.embedding.of(point as usize).for_each(|(node, w)| {
                    out[node as usize] += force * w;
                    power -= (force * w).dot(&state.v[node as usize]);
                });
            }
        }
        if self.feet_slide() { power } else { 0.0 }
    }

    /// Whether the feet of contact springs slide.
    pub(super) fn feet_slide(&self) -> bool {
        self.springs.as_ref().is_some_and(|contact| contact.friction.is_some() && !contact.rigid)
    }

    /// Σ ½ k |δ|²  \[J\]
    pub fn contact_spring_energy(&self, state: &State) -> f64 {
        // The sum of nothing is −0, which would look odd in a table.
        self.stretched(state).fold(0.0, |sum, (spring, d)| sum + 0.5 * spring.stiffness * d.norm_squared())
    }

    /// The force of springs on each point  \[N\]
    pub(crate) fn contact_spring_forces(&self, state: &State, out: &mut [Vec3]) {
        for (spring, stretch) in self.stretched(state) {
            spring.ends().for_each(|(point, c)| out[point as usize] -= stretch * (spring.stiffness * c));
        }
    }

    /// How all points move in a step.
    pub(crate) fn trace(&self, now: &State, next: &State, trace: &mut Trace) {
        trace.t = [now.t, next.t];
        for (k, state) in [now, next].into_iter().enumerate() {
            trace.x[k].resize(self.embedding.len(), Vec3::zeros());
            trace.v[k].resize(self.embedding.len(), Vec3::zeros());
            self.embedding.positions(&state.q, &mut trace.x[k]);
            self.embedding.positions(&state.v, &mut trace.v[k]);
        }
    }

    /// Ties two surface points that have met.
    pub(crate) fn attach(&self, contact: &SpringContact, state: &mut State, mut spring: Spring) {
        if contact.rigid {
            let grip = self.gripped(contact, state, spring);
            state.memory.extend(grip.to_array());
            return;
        }
        if let Meeting::VertexWall(wall) = spring.meeting {
            let (wall, x) = (&contact.walls[wall as usize], self.place(&state.q, spring.points[0]));
            spring.place = x - wall.normal * (x - wall.point).dot(&wall.normal);
        }
        spring.stiffness = contact.stiffness_of(&spring.points, &spring.weights);
        // Two points that met are not quite at one place, since the time is rounded down: the little energy comes from
        // nowhere.
        let stretch = contact.felt(&spring, |point| self.place(&state.q, point));
        let energy = 0.5 * spring.stiffness * stretch.norm_squared();
        state.accounts.numerical_loss -= energy;
        if contact.friction.is_some() {
            state.accounts.friction_loss += energy;
        }
        state.memory.extend(spring.to_array());
    }

    /// Takes springs away that must not stay and moves the feet of the others. Returns whether any force has changed.
    pub(super) fn release(&self, next: &mut State) -> bool {
        let Some(contact) = self.springs.as_ref().filter(|contact| next.memory.len() > contact.memory) else {
            return false;
        };
        let mut x = vec![Vec3::zeros(); self.embedding.len()];
        self.embedding.positions(&next.q, &mut x);
        let released = contact.release(&x, &mut next.memory);
        // All that has gone into springs whose feet slide and is no longer there is booked as lost to friction.
        if !self.feet_slide() {
            next.accounts.impact_loss += released.lost;
        }
        released.changed
    }
}
