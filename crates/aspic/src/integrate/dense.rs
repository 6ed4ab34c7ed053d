//! The motion inside a step, from both of its ends.
//!
//! Positions by the quintic through q, v and a at both ends (error O(h⁶)), velocities as its derivative, accounts
//! by the cubic through their values and rates (O(h⁴)).

use crate::hermite::quintic;
use crate::state::{Accounts, Rates, State};

/// State and rates at one end of a step.
pub type End<'a> = (&'a State, &'a Rates);

/// Fills `out` with the state at time t between the two ends.
pub fn interpolate((from, from_rates): End, (to, to_rates): End, t: f64, out: &mut State) {
    let h = to.t - from.t;
    let u = (t - from.t) / h;
    out.t = t;
    out.memory.clone_from(&from.memory);
    for i in 0..from.q.len() {
        let knot = |state: &State, rates: &Rates| [state.q[i], state.v[i], rates.a[i]];
        [out.q[i], out.v[i], _] = quintic(knot(from, from_rates), knot(to, to_rates), h, u);
    }
    let accounts = |k: usize| {
        let (x0, x1) = (from.accounts.to_array()[k], to.accounts.to_array()[k]);
        let (r0, r1) = (from_rates.accounts.to_array()[k] * h, to_rates.accounts.to_array()[k] * h);
        let rise = x1 - x0;
        x0 + (r0 + (rise * 3.0 - r0 * 2.0 - r1 + (r0 + r1 - rise * 2.0) * u) * u) * u
    };
    out.accounts = Accounts::from_array(std::array::from_fn(accounts));
}
