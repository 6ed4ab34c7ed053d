//! The motion inside a step, from both of its ends.
//!
//! Positions by the quintic through q, v and a at both ends (error O(h⁶)), velocities as its derivative, accounts
//! by the cubic through their values and rates (O(h⁴)).

use crate::state::{Accounts, Rates, State};

/// State and rates at one end of a step.
pub type End<'a> = (&'a State, &'a Rates);

/// Fills `out` with the state at time t between the two ends.
pub fn interpolate((from, from_rates): End, (to, to_rates): End, t: f64, out: &mut State) {
    let h = to.t - from.t;
    let u = if h > 0.0 { (t - from.t) / h } else { 0.0 };
    out.t = t;
    for i in 0..from.q.len() {
        let (v0, v1) = (from.v[i] * h, to.v[i] * h);
        let (a0, a1) = (from_rates.a[i] * (h * h), to_rates.a[i] * (h * h));
        let rise = to.q[i] - from.q[i];
        let k3 = rise * 10.0 - v0 * 6.0 - v1 * 4.0 - a0 * 1.5 + a1 * 0.5;
        let k4 = rise * -15.0 + v0 * 8.0 + v1 * 7.0 + a0 * 1.5 - a1;
        let k5 = rise * 6.0 - (v0 + v1) * 3.0 + (a1 - a0) * 0.5;
        out.q[i] = from.q[i] + (v0 + (a0 * 0.5 + (k3 + (k4 + k5 * u) * u) * u) * u) * u;
        out.v[i] =
            (v0 + (a0 + (k3 * 3.0 + (k4 * 4.0 + k5 * (5.0 * u)) * u) * u) * u) / h.max(f64::MIN_POSITIVE);
    }
    let accounts = |k: usize| {
        let (x0, x1) = (from.accounts.to_array()[k], to.accounts.to_array()[k]);
        let (r0, r1) = (from_rates.accounts.to_array()[k] * h, to_rates.accounts.to_array()[k] * h);
        let rise = x1 - x0;
        x0 + (r0 + (rise * 3.0 - r0 * 2.0 - r1 + (r0 + r1 - rise * 2.0) * u) * u) * u
    };
    out.accounts = Accounts::from_array([accounts(0), accounts(1), accounts(2)]);
}
