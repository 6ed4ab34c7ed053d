//! Position Verlet, velocity Verlet and leapfrog: one force a step, second order.
//!
//! | scheme | halfway | end |
//! |---|---|---|
//! | position Verlet | v½ = (q⁺ − q)/h | q⁺ = 2q − q⁻ + h² a |
//! | velocity Verlet | v½ = v + ½h a | q⁺ = q + h v½ |
//! | leapfrog | v½ = v½⁻ + h a | q⁺ = q + h v½ |
//!
//! q⁻ and v½⁻ belong to the step before; where there is none of the same length, v½ = v + ½h a begins anew, which is
//! q⁻ = q − h v + ½h² a. All three give the velocity at the end as v⁺ = v½ + ½h a⁺; for position Verlet that is the
//! central difference of the places.
//!
//! Forces that depend on velocities would need v⁺ to find a⁺. They get v½ + ½h a, whose error of order h² leaves the
//! order of the scheme; that guess is remembered, since a⁺ cannot be found again without it.

use super::{Explicit, ExplicitScheme};
use crate::integrate::Past;
use crate::state::State;
use crate::world::{ForceError, World};

impl Explicit {
    /// One step, rates at its end included. What is to be remembered of it goes into `before`.
    pub(super) fn verlet(
        &mut self,
        world: &World,
        now: &State,
        h: f64,
        end: f64,
        next: &mut State,
    ) -> Result<(), ForceError> {
        self.drift(now, h, next);
        next.memory.clone_from(&now.memory);
        next.t = end;
        world.settle(next, &mut self.work)?;
        let Explicit { before: new, .. } = self;
        new.foreseen.copy_from_slice(&next.v);
        let settled = world.is_linked(next, &self.work);
        if settled || self.scheme == ExplicitScheme::PositionVerlet {
            // What moved the places onto the constraints belongs to the velocity.
            (0..new.v.len()).for_each(|i| new.v[i] = (next.q[i] - now.q[i]) / h);
        }
        world.rates(next, &mut self.end, &mut self.work)?;
        let (half, a) = (&new.v, &self.end.a);
        (0..a.len()).for_each(|i| next.v[i] = half[i] + a[i] * (0.5 * h));
        world.settle_velocities(next, &mut self.work);
        self.book(now, h, next);
        self.remember(now, h);
        Ok(())
    }

    /// Velocities halfway, places at the end, and velocities foreseen there.
    fn drift(&mut self, now: &State, h: f64, next: &mut State) {
        let Explicit { scheme, stages, past, before: new, .. } = self;
        let (a, n) = (&stages[0].a[..now.q.len()], now.q.len());
        let known = past.step == h;
        match scheme {
            ExplicitScheme::PositionVerlet if known => {
                for i in 0..n {
                    let way = (now.q[i] - past.q[i]) + a[i] * (h * h);
                    new.v[i] = way / h;
                    next.q[i] = now.q[i] + way;
                }
            }
            ExplicitScheme::Leapfrog if known => {
                for i in 0..n {
                    new.v[i] = past.v[i] + a[i] * h;
                    next.q[i] = now.q[i] + new.v[i] * h;
                }
            }
            _ => {
                for i in 0..n {
                    new.v[i] = now.v[i] + a[i] * (0.5 * h);
                    next.q[i] = now.q[i] + new.v[i] * h;
                }
            }
        }
        (0..n).for_each(|i| next.v[i] = new.v[i] + a[i] * (0.5 * h));
    }

    fn remember(&mut self, now: &State, h: f64) {
        let Explicit { scheme, before: Past { step, q, .. }, .. } = self;
        *step = h;
        if *scheme == ExplicitScheme::PositionVerlet {
            q.copy_from_slice(&now.q);
        }
    }
}
