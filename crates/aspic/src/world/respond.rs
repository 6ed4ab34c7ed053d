//! Contact by impulses in the sums of the world: what it does to a state, and who pays for it.

use super::{Workspace, World};
use crate::Vec3;
use crate::impulse::{Hit, Lever, Levers, Outcome, Rules, Step, resolve, separate};
use crate::state::State;

/// No tetrahedron loses more than this part of what is left of its volume when places are put right.
const ROOM: f64 = 0.5;

impl World {
    /// Impulses and corrected places for all that touches at the end of a step from `before`. Returns whether anything
    /// did.
    pub(super) fn respond(&self, before: &State, next: &mut State, work: &mut Workspace) -> bool {
        work.pushes.clear();
        let Some(impulses) = &self.impulses else { return false };
        let [mut x, mut v] = [(); 2].map(|()| vec![Vec3::zeros(); self.embedding.len()]);
        self.embedding.positions(&next.q, &mut x);
        self.embedding.positions(&next.v, &mut v);
        let hits = impulses.find(&x, &v);
        if hits.is_empty() {
            return false;
        }
        self.collide(&impulses.rules, &hits, before, next, work);
        self.put_right(&hits, next, work);
        self.keep_constraints(next, work);
        true
    }

    /// Changes velocities. What normal impulses cost is lost to impact, what tangential ones cost to friction; work of
    /// obstacles and dragged vertices is theirs.
    fn collide(&self, rules: &Rules, hits: &[Hit], before: &State, next: &mut State, work: &mut Workspace) {
        let rigid = self.levers(hits, &next.q, true, work);
        let turning = rigid.iter().any(|lever| !lever.turns.is_empty());
        let straining = turning.then(|| self.levers(hits, &next.q, false, work));
        let old = next.v.clone();
        let length = next.t - before.t;
        let levers = Levers { rigid: &rigid, straining: straining.as_deref() };
        let outcome = resolve(hits, levers, rules, Step { before: &before.v, length }, &mut next.v);
        let work_done = self.driven(hits, &rigid, &outcome, &old, &next.v, work);
        let lost = self.inertia.energy(&old) - self.inertia.energy(&next.v) + work_done;
        next.accounts.drag_work += work_done;
        next.accounts.friction_loss += outcome.friction_loss;
        next.accounts.impact_loss += lost - outcome.friction_loss;
        work.pushes.resize(self.embedding.len(), Vec3::zeros());
        for (hit, impulse) in hits.iter().zip(&outcome.impulses).filter(|_| length > 0.0) {
            hit.ends().for_each(|(point, c)| work.pushes[point as usize] += impulse * (c / length));
        }
    }

    /// Work of those who keep obstacles, held and dragged vertices on their way  \[J\]: what they add to the touches, and
    /// to the masses that consistent mass matrices tie to them.
    fn driven(
        &self,
        hits: &[Hit],
        levers: &[Lever],
        outcome: &Outcome,
        old: &[Vec3],
        new: &[Vec3],
        work: &Workspace,
    ) -> f64 {
        let free = &self.phases[work.phase].free.mask;
        let mut sum = 0.0;
        for ((hit, lever), impulse) in hits.iter().zip(levers).zip(&outcome.impulses) {
            let held = lever.row.iter().filter(|(node, _)| !free[*node as usize]);
            let held = held.fold(Vec3::zeros(), |sum, &(node, c)| sum + old[node as usize] * c);
            sum += impulse.dot(&(hit.wall - held));
        }
        let moving = (0..self.nodes()).filter(|&node| !free[node] && old[node] != Vec3::zeros());
        for node in moving {
            let change = |(j, mass): (usize, f64)| (new[j] - old[j]) * mass;
            sum += old[node].dot(&self.inertia.matrix().row(node).map(change).sum::<Vec3>());
        }
        sum
    }

    /// Moves what is inside something else to its surface, and books the stored energy that this changes.
    fn put_right(&self, hits: &[Hit], next: &mut State, work: &mut Workspace) {
        let levers = self.shift_levers(hits, work);
        let mut moved = separate(hits, &levers, self.nodes());
        let room = ROOM * self.first_flat(&next.q, &moved);
        if room < 1.0 {
            moved.iter_mut().for_each(|d| *d *= room.max(0.0));
        }
        let stored = self.stored_energy(next, work);
        next.q.iter_mut().zip(&moved).for_each(|(x, d)| *x += d);
        let now = self.stored_energy(next, work);
        if now.is_finite() {
            next.accounts.numerical_loss += stored - now;
        } else {
            next.q.iter_mut().zip(&moved).for_each(|(x, d)| *x -= d);
        }
    }

    /// Rods, ties and guides hold after the impulses as before: the motion that they forbid is lost to impact.
    fn keep_constraints(&self, next: &mut State, work: &mut Workspace) {
        if self.phases[work.phase].exact.is_empty() {
            return;
        }
        let energies = |next: &State, work: &mut Workspace| {
            (self.inertia.energy(&next.v), self.stored_energy(next, work))
        };
        let before = energies(next, work);
        // A state that cannot be settled fails the next step, which says so.
        let _ = self.settle(next, work);
        let after = energies(next, work);
        next.accounts.impact_loss += before.0 - after.0;
        next.accounts.numerical_loss += before.1 - after.1;
    }
}
