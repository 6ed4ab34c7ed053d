//! Weighted sums of stages, which all Runge–Kutta schemes share.

use crate::Vec3;
use crate::state::{Accounts, Rates, State};

/// out = now + h Σ weightᵢ kᵢ over the first S stages. A fixed S lets the compiler unroll the sum.
pub fn combine<const S: usize>(now: &State, stages: &[Rates], weights: &[f64], h: f64, out: &mut State) {
    add_weighted::<S>(&now.q, std::array::from_fn(|s| &stages[s].v[..]), weights, h, &mut out.q);
    add_weighted::<S>(&now.v, std::array::from_fn(|s| &stages[s].a[..]), weights, h, &mut out.v);
    let mut sum = Accounts::default();
    stages[..S].iter().zip(weights).for_each(|(k, w)| sum.advance(*w, &k.accounts));
    out.memory.clone_from(&now.memory);
    out.accounts = now.accounts;
    out.accounts.advance(h, &sum);
}

/// out = x + h Σ weightᵢ kᵢ.
fn add_weighted<const S: usize>(x: &[Vec3], k: [&[Vec3]; S], weights: &[f64], h: f64, out: &mut [Vec3]) {
    let n = x.len();
    let k = k.map(|k| &k[..n]);
    let weights: [f64; S] = std::array::from_fn(|s| weights[s]);
    for (i, out) in out[..n].iter_mut().enumerate() {
        let mut sum = Vec3::zeros();
        for s in 0..S {
            sum += k[s][i] * weights[s];
        }
        *out = x[i] + sum * h;
    }
}
