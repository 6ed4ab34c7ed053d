//! Implicit schemes as weights.
//!
//! Each scheme ends its step with v = c (q − q̂) and a = c (v − v̂), where q̂ and v̂ are known from the past. So
//! a = c² (q − q̃) with q̃ = q̂ + v̂/c, and the step is the minimum over q of
//!
//! ½ c² |q − q̃|²_M + P(q) − E·q + W(F*, c (q − q̂)) / 2c
//!
//! | scheme | c | q̂ | v̂ |
//! |---|---|---|---|
//! | backward Euler | 1/h | qⁿ | vⁿ |
//! | BDF2, step ratio r | α/h | (β qⁿ − γ qⁿ⁻¹)/α | (β vⁿ − γ vⁿ⁻¹)/α |
//! | trapezoid | 2/h | qⁿ + h/2 vⁿ | vⁿ + h/2 aⁿ |
//!
//! with α = (1 + 2r)/(1 + r), β = 1 + r, γ = r²/(1 + r).

use crate::Vec3;
use crate::state::State;

/// How an implicit step is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// First order; loses energy, never gains.
    #[default]
    BackwardEuler,
    /// Second order from two steps of past; loses little.
    Bdf2,
    /// Second order; loses nothing, so that stiff vibrations stay.
    Trapezoid,
}

/// What a scheme remembers of the step before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Past {
    /// Length of that step  \[s\]; zero: there was none.
    pub step: f64,
    /// Positions at its start  \[m\]  (nodes)
    pub q: Vec<Vec3>,
    /// Velocities at its start  \[m/s\]  (nodes)
    pub v: Vec<Vec3>,
    /// Accelerations at its end  \[m/s²\]  (nodes)
    pub a: Vec<Vec3>,
}

/// The weights of one step.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    /// c  \[1/s\]
    pub rate: f64,
    /// q̂  \[m\]  (nodes)
    pub base: Vec<Vec3>,
    /// v̂  \[m/s\]  (nodes)
    pub base_velocity: Vec<Vec3>,
    /// q̃  \[m\]  (nodes)
    pub aim: Vec<Vec3>,
}

/// Ratio of steps beyond which BDF2 would grow; the past is then not used.
const LARGEST_RATIO: f64 = 2.0;

impl Weights {
    /// The weights for a step of length h from `now`; schemes without a past begin with backward Euler.
    pub fn set(&mut self, scheme: Scheme, now: &State, past: &Past, h: f64) {
        let ratio = h / past.step;
        let known = past.step > 0.0 && ratio <= LARGEST_RATIO;
        match scheme {
            Scheme::Bdf2 if known => self.bdf2(now, past, h, ratio),
            Scheme::Trapezoid if past.step > 0.0 => self.trapezoid(now, past, h),
            _ => self.backward_euler(now, h),
        }
        let (base, velocity, c) = (&self.base, &self.base_velocity, self.rate);
        fill(&mut self.aim, base.iter().zip(velocity).map(|(q, v)| q + v / c));
    }

    fn backward_euler(&mut self, now: &State, h: f64) {
        self.rate = 1.0 / h;
        self.base.clone_from(&now.q);
        self.base_velocity.clone_from(&now.v);
    }

    fn bdf2(&mut self, now: &State, past: &Past, h: f64, r: f64) {
        let alpha = (1.0 + 2.0 * r) / (1.0 + r);
        let (beta, gamma) = ((1.0 + r) / alpha, r * r / (1.0 + r) / alpha);
        self.rate = alpha / h;
        let mix = |(x, before): (&Vec3, &Vec3)| x * beta - before * gamma;
        fill(&mut self.base, now.q.iter().zip(&past.q).map(mix));
        fill(&mut self.base_velocity, now.v.iter().zip(&past.v).map(mix));
    }

    fn trapezoid(&mut self, now: &State, past: &Past, h: f64) {
        self.rate = 2.0 / h;
        let half = |(x, slope): (&Vec3, &Vec3)| x + slope * (0.5 * h);
        fill(&mut self.base, now.q.iter().zip(&now.v).map(half));
        fill(&mut self.base_velocity, now.v.iter().zip(&past.a).map(half));
    }

    /// A vertex with a prescribed motion ends its step with exactly that place x, velocity v and acceleration a. The
    /// differences of the scheme would get v right to its order, but a to one order less.
    pub fn prescribe(&mut self, node: usize, [x, v, a]: [Vec3; 3]) {
        let c = self.rate;
        self.base[node] = x - v / c;
        self.base_velocity[node] = v - a / c;
        self.aim[node] = x - a / (c * c);
    }

    /// v = c (q − q̂).
    pub fn velocity(&self, q: &[Vec3], out: &mut Vec<Vec3>) {
        fill(out, q.iter().zip(&self.base).map(|(q, base)| (q - base) * self.rate));
    }

    /// a = c² (q − q̃).
    pub fn acceleration(&self, q: &[Vec3], out: &mut Vec<Vec3>) {
        fill(out, q.iter().zip(&self.aim).map(|(q, aim)| (q - aim) * (self.rate * self.rate)));
    }
}

/// Writes over a list, keeping its memory.
fn fill(out: &mut Vec<Vec3>, values: impl Iterator<Item = Vec3>) {
    out.clear();
    out.extend(values);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every scheme differentiates the polynomials of its order exactly: q and v of x(t), at t = 0 after steps
    /// that end at −h and −h − h₋.
    #[test]
    fn each_scheme_is_exact_for_motions_of_its_order() {
        let (h, before) = (0.1, 0.08);
        for (scheme, powers) in [(Scheme::BackwardEuler, 1), (Scheme::Bdf2, 2), (Scheme::Trapezoid, 2)] {
            let x = |t: f64| Vec3::new(1.0, 0.5 * t, if powers == 2 { t * t } else { 0.0 });
            let v = |t: f64| Vec3::new(0.0, 0.5, if powers == 2 { 2.0 * t } else { 0.0 });
            let a = Vec3::new(0.0, 0.0, if powers == 2 { 2.0 } else { 0.0 });
            let now = State { v: vec![v(-h)], ..State::at_rest(vec![x(-h)]) };
            let early = -h - before;
            let past = Past { step: before, q: vec![x(early)], v: vec![v(early)], a: vec![a] };
            let mut weights = Weights::default();
            weights.set(scheme, &now, &past, h);
            let (mut velocity, mut acceleration) = (vec![], vec![]);
            weights.velocity(&[x(0.0)], &mut velocity);
            weights.acceleration(&[x(0.0)], &mut acceleration);
            assert!((velocity[0] - v(0.0)).norm() < 1e-13, "{scheme:?}: {}", velocity[0]);
            assert!((acceleration[0] - a).norm() < 1e-11, "{scheme:?}: {}", acceleration[0]);
        }
    }
}
