//! How fast the fastest small disturbance changes: what the length of explicit steps depends on.

use crate::Vec3;
use crate::integrate::Noise;
use crate::state::{Rates, State};
use crate::world::{Workspace, World};

/// Rounds of the power method; the rate is the mean of the second half.
const ROUNDS: u32 = 40;
/// Size of the disturbance over that of the bodies: small enough for linear forces, large enough for their digits.
const SMALL: f64 = 1e-7;

/// Modulus of the largest eigenvalue of the motion linearised about a state  \[1/s\]: the highest frequency, or the
/// fastest decay by viscosity. The power method on differences of rates finds it a few per cent too low. `None` where
/// forces cannot be computed.
pub fn fastest_rate(world: &World, state: &State) -> Option<f64> {
    let mut work = world.workspace();
    work.phase = world.phase_at(state.t);
    let mut base = Rates::zeros(world.nodes());
    world.rates(state, &mut base, &mut work).ok()?;
    let mut disturbance = Disturbance::new(world, state, &work);
    let (mut rates, mut sum) = (base.clone(), 0.0);
    for round in 0..ROUNDS {
        let size = disturbance.resize();
        disturbance.add_to(state);
        world.rates(&disturbance.state, &mut rates, &mut work).ok()?;
        let grown = disturbance.follow(&rates, &base);
        if grown == 0.0 {
            return Some(0.0);
        }
        if round >= ROUNDS / 2 {
            sum += (grown / size).ln();
        }
    }
    let rate = (sum / f64::from(ROUNDS - ROUNDS / 2)).exp();
    rate.is_finite().then_some(rate)
}

/// A small change of places and velocities of the free nodes.
struct Disturbance {
    x: Vec<Vec3>,
    v: Vec<Vec3>,
    free: Vec<bool>,
    /// What makes a velocity of a place  \[1/s\]
    unit: f64,
    /// Size that it is kept at  \[m/s\]
    size: f64,
    /// The state it is added to.
    state: State,
}

impl Disturbance {
    fn new(world: &World, state: &State, work: &Workspace) -> Disturbance {
        let [length, step] = [world.scale.length, world.scale.stable_step];
        let [length, step] = [length, step].map(|number| if number.is_finite() { number } else { 1.0 });
        let mut noise = Noise::new();
        let unit = 1.0 / step;
        Disturbance {
            x: state.q.iter().map(|_| noise.vector() / unit).collect(),
            v: state.v.iter().map(|_| noise.vector()).collect(),
            free: world.phases[work.phase].free.mask.clone(),
            unit,
            size: SMALL * length * unit,
            state: state.clone(),
        }
    }

    fn norm(&self) -> f64 {
        let square = |i: usize| self.x[i].norm_squared() * self.unit * self.unit + self.v[i].norm_squared();
        (0..self.x.len()).filter(|&i| self.free[i]).map(square).sum::<f64>().sqrt()
    }

    /// Gives it its size back; returns that.
    fn resize(&mut self) -> f64 {
        let factor = self.size / self.norm().max(f64::MIN_POSITIVE);
        self.x.iter_mut().chain(&mut self.v).for_each(|x| *x *= factor);
        self.norm()
    }

    fn add_to(&mut self, state: &State) {
        for i in (0..self.x.len()).filter(|&i| self.free[i]) {
            self.state.q[i] = state.q[i] + self.x[i];
            self.state.v[i] = state.v[i] + self.v[i];
        }
    }

    /// Becomes its own rate of change; returns the size of that.
    fn follow(&mut self, rates: &Rates, base: &Rates) -> f64 {
        for i in 0..self.x.len() {
            self.x[i] = self.v[i];
            self.v[i] = rates.a[i] - base.a[i];
        }
        self.norm()
    }
}
