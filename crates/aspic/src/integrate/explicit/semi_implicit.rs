//! Semi-implicit Euler: v⁺ = v + h a(q, v), then q⁺ = q + h v⁺.
//!
//! With q⁺ = q + h v + ½h² a in its place an oscillator would grow by √(1 + ½(ωh)²) a step (erratum K2 in
//! `REFERENCES.md`).

use super::Explicit;
use crate::state::State;
use crate::world::{ForceError, World};

impl Explicit {
    /// One step, rates at its end included.
    pub(super) fn semi_implicit(
        &mut self,
        world: &World,
        now: &State,
        h: f64,
        end: f64,
        next: &mut State,
    ) -> Result<(), ForceError> {
        let a = &self.stages[0].a;
        for i in 0..a.len() {
            next.v[i] = now.v[i] + a[i] * h;
            next.q[i] = now.q[i] + next.v[i] * h;
        }
        next.memory.clone_from(&now.memory);
        next.t = end;
        world.settle(next, &mut self.work)?;
        world.rates(next, &mut self.end, &mut self.work)?;
        self.book(now, h, next);
        Ok(())
    }
}
