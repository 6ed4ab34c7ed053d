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
//!
//! The leading error of the positions after one step follows from the accelerations at its end and its start:
//!
//! | scheme | error |
//! |---|---|
//! | backward Euler | ½ h² a |
//! | BDF2 | (1 + r)²/(6 r (1 + 2r)) h² (a − aⁿ) |
//! | trapezoid | 1/12 h² (a − aⁿ) |

use std::ops::{Add, Mul};

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

impl Scheme {
    /// c of steps of one length h \[s\] after another  \[1/s\]
    pub(super) fn rate(self, h: f64) -> f64 {
        match self {
            Scheme::BackwardEuler => 1.0 / h,
            Scheme::Bdf2 => 1.5 / h,
            Scheme::Trapezoid => 2.0 / h,
        }
    }

    /// The scheme that loses more where this one makes energy.
    pub(super) fn more_damped(self) -> Scheme {
        match self {
            Scheme::Trapezoid => Scheme::Bdf2,
            Scheme::Bdf2 | Scheme::BackwardEuler => Scheme::BackwardEuler,
        }
    }
}

/// What a scheme remembers of the step before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Past {
    /// Length of that step  \[s\]; zero: there was none.
    pub step: f64,
    /// Positions at its start; velocity Verlet and leapfrog need none  \[m\]  (nodes)
    pub q: Vec<Vec3>,
    /// Velocities at its start, for Verlet and leapfrog halfway through it  \[m/s\]  (nodes)
    pub v: Vec<Vec3>,
    /// Accelerations at its end; explicit schemes need none  \[m/s²\]  (nodes)
    pub a: Vec<Vec3>,
    /// Velocities foreseen for its end, with which Verlet and leapfrog found the forces there; other schemes have
    /// none  \[m/s\]  (nodes)
    pub foreseen: Vec<Vec3>,
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
    /// Order of the scheme in this step: one where it begins with backward Euler.
    pub order: i32,
    /// Number before h² in the error of the step.
    error: f64,
    /// How a base follows from the past.
    mix: Mix,
}

/// What a base is made of: x̂ = now · x + before · x⁻ + slope · x′.
#[derive(Clone, Copy, Debug, Default)]
struct Mix {
    now: f64,
    before: f64,
    slope: f64,
}

/// Ratio of steps beyond which BDF2 would grow; the past is then not used.
pub(super) const LARGEST_RATIO: f64 = 2.0;
/// Number before h² in the error of backward Euler.
const EULER_ERROR: f64 = 0.5;

impl Weights {
    /// The weights for a step of length h from `now`; schemes without a past begin with backward Euler, and BDF2 also
    /// where the ratio of steps is larger than `largest`.
    pub fn set(&mut self, scheme: Scheme, now: &State, past: &Past, h: f64, largest: f64) {
        let ratio = h / past.step;
        let known = past.step > 0.0 && ratio <= largest;
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
        (self.order, self.error) = (1, EULER_ERROR);
        self.mix = Mix { now: 1.0, before: 0.0, slope: 0.0 };
        self.base.clone_from(&now.q);
        self.base_velocity.clone_from(&now.v);
    }

    fn bdf2(&mut self, now: &State, past: &Past, h: f64, r: f64) {
        let alpha = (1.0 + 2.0 * r) / (1.0 + r);
        let (beta, gamma) = ((1.0 + r) / alpha, r * r / (1.0 + r) / alpha);
        self.rate = alpha / h;
        (self.order, self.error) = (2, (1.0 + r).powi(2) / (6.0 * r * (1.0 + 2.0 * r)));
        self.mix = Mix { now: beta, before: -gamma, slope: 0.0 };
        let mix = |(x, before): (&Vec3, &Vec3)| x * beta - before * gamma;
        fill(&mut self.base, now.q.iter().zip(&past.q).map(mix));
        fill(&mut self.base_velocity, now.v.iter().zip(&past.v).map(mix));
    }

    fn trapezoid(&mut self, now: &State, past: &Past, h: f64) {
        self.rate = 2.0 / h;
        (self.order, self.error) = (2, 1.0 / 12.0);
        self.mix = Mix { now: 1.0, before: 0.0, slope: 0.5 * h };
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

    /// The base of the distance of two nodes, as q̂ is that of places  \[m\]
    pub fn base_length(&self, [a, b]: [usize; 2], now: &State, past: &Past) -> f64 {
        let Mix { now: weight, before, slope } = self.mix;
        let d = now.q[b] - now.q[a];
        let length = d.norm();
        let earlier = if before == 0.0 { 0.0 } else { before * (past.q[b] - past.q[a]).norm() };
        let growth = if slope == 0.0 { 0.0 } else { slope * d.dot(&(now.v[b] - now.v[a])) / length };
        weight * length + earlier + if growth.is_finite() { growth } else { 0.0 }
    }

    /// Whether a base is made of what was before `now`.
    pub fn uses_before(&self) -> bool {
        self.mix.before != 0.0
    }

    /// Whether a base is made of what changes it at `now`.
    pub fn uses_slope(&self) -> bool {
        self.mix.slope != 0.0
    }

    /// The bases of two quantities that change with time, as v̂ is that of velocities.
    pub fn mix<T>(&self, now: [T; 2], before: [T; 2], slope: [T; 2]) -> [T; 2]
    where
        T: Copy + Mul<f64, Output = T> + Add<Output = T>,
    {
        [0, 1].map(|k| now[k] * self.mix.now + before[k] * self.mix.before + slope[k] * self.mix.slope)
    }

    /// Takes a little from the bases of a node  \[m\], \[m/s\]
    pub fn shift_base(&mut self, node: usize, place: Vec3, velocity: Vec3) {
        self.base[node] -= place;
        self.base_velocity[node] -= velocity;
        self.aim[node] -= place + velocity / self.rate;
    }

    /// v = c (q − q̂).
    pub fn velocity(&self, q: &[Vec3], out: &mut Vec<Vec3>) {
        fill(out, q.iter().zip(&self.base).map(|(q, base)| (q - base) * self.rate));
    }

    /// a = c² (q − q̃).
    pub fn acceleration(&self, q: &[Vec3], out: &mut Vec<Vec3>) {
        fill(out, q.iter().zip(&self.aim).map(|(q, aim)| (q - aim) * (self.rate * self.rate)));
    }

    /// Largest error of a coordinate of the free nodes after a step of length h that ended at q  \[m\]
    ///
    /// Where a velocity jumps, BDF2 with a step much longer than this one behind it would see an error that no shorter
    /// step lessens; the error of backward Euler there is an upper bound.
    pub fn local_error(&self, q: &[Vec3], past: &Past, h: f64, free: &[bool]) -> f64 {
        let rate2 = self.rate * self.rate;
        let error = |node: usize| {
            let a = (q[node] - self.aim[node]) * rate2;
            if self.order == 1 {
                return self.error * a.amax();
            }
            let before = past.a[node];
            (self.error * (a - before).amax()).min(EULER_ERROR * a.amax().max(before.amax()))
        };
        let nodes = (0..q.len()).filter(|&node| free[node]);
        h * h * nodes.map(error).fold(0.0, f64::max)
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
            let past =
                Past { step: before, q: vec![x(early)], v: vec![v(early)], a: vec![a], ..Past::default() };
            let mut weights = Weights::default();
            weights.set(scheme, &now, &past, h, LARGEST_RATIO);
            let (mut velocity, mut acceleration) = (vec![], vec![]);
            weights.velocity(&[x(0.0)], &mut velocity);
            weights.acceleration(&[x(0.0)], &mut acceleration);
            assert!((velocity[0] - v(0.0)).norm() < 1e-13, "{scheme:?}: {}", velocity[0]);
            assert!((acceleration[0] - a).norm() < 1e-11, "{scheme:?}: {}", acceleration[0]);
        }
    }

    /// x = (t², t³, t² − t³) with an exact past: what q = q̂ + v/c misses at the end is what was foretold.
    #[test]
    fn foretold_error_is_that_of_a_step_from_exact_values() {
        let x = |t: f64| Vec3::new(t * t, t.powi(3), t * t - t.powi(3));
        let v = |t: f64| Vec3::new(2.0 * t, 3.0 * t * t, 2.0 * t - 3.0 * t * t);
        let a = |t: f64| Vec3::new(2.0, 6.0 * t, 2.0 - 6.0 * t);
        let t = 0.7;
        for (scheme, before, order) in [
            (Scheme::BackwardEuler, 0.1, 1),
            (Scheme::Bdf2, 0.1, 2),
            (Scheme::Bdf2, 0.06, 2),
            (Scheme::Bdf2, 0.15, 2),
            (Scheme::Bdf2, 0.04, 1),
            (Scheme::Trapezoid, 0.2, 2),
        ] {
            // Backward Euler's error is exact up to the next power of h.
            let h: f64 = if order == 1 { 1e-4 } else { 0.1 };
            let before = before * h / 0.1;
            let early = t - h - before;
            let now = State { v: vec![v(t - h)], ..State::at_rest(vec![x(t - h)]) };
            let past = Past {
                step: before,
                q: vec![x(early)],
                v: vec![v(early)],
                a: vec![a(t - h)],
                ..Past::default()
            };
            let mut weights = Weights::default();
            weights.set(scheme, &now, &past, h, LARGEST_RATIO);
            assert_eq!(weights.order, order);
            let missed = (x(t) - weights.base[0] - v(t) / weights.rate).amax();
            // The end at which the scheme has the true acceleration.
            let end = weights.aim[0] + a(t) / weights.rate.powi(2);
            let foretold = weights.local_error(&[end], &past, h, &[true]);
            let close = if order == 1 { 1e-3 } else { 1e-9 };
            assert!((foretold / missed - 1.0).abs() < close, "{scheme:?}: {foretold:e}, missed {missed:e}");
            assert_eq!(weights.local_error(&[end], &past, h, &[false]), 0.0);
        }
    }
}
