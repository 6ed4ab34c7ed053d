//! Schemes that turn bodies exactly.
//!
//! A scheme differentiates q along a polynomial, and a body that turns by the angle ωh in a step follows an arc. Its
//! error takes the spin away from a turning body (backward Euler), or lets it drift (BDF2, trapezoid), the faster the
//! longer the step. But the spin is known, so the error is, too. Let r(t) = R(t) r be the arms of a body that goes on
//! turning without a torque, by Euler's equations
//!
//! ```text
//! R′ = ω × R        I ω′ = −ω × I ω        I = R Iⁿ Rᵀ
//! ```
//!
//! from its present inertia Iⁿ and spin. What the scheme misses of its velocity and its acceleration at the end,
//!
//! ```text
//! δ = r′ − c (r − r̂)        ε = r″ − c (r′ − v̂)
//! ```
//!
//! is added to what it finds: q̂ and v̂ become q̂ − δ/c and v̂ − ε/c. A rigid body without a torque is then carried along
//! its true path by steps of any length. For everything else the scheme is what it was: its order stays, and of the forces
//! nothing is foreseen.

use std::ops::Range;

use super::rigid::Frame;
use super::scheme::{Past, Weights};
use crate::kinetic::Inertia;
use crate::state::State;
use crate::{Mat3, Vec3};

/// Turns below this have no error above rounding \[rad\].
const SMALLEST: f64 = 1e-8;
/// Angle of one step of the Runge–Kutta method for Euler's equations \[rad\].
const ANGLE: f64 = 0.03;
/// Most of these steps.
const MOST: f64 = 1e4;

/// A body that turns freely: its rotation since the start, and its spin.
#[derive(Clone, Copy, Debug)]
struct Spinning {
    turned: Mat3,
    spin: Vec3,
}

impl Spinning {
    /// After a time t \[s\], with the inertia and its inverse at the start.
    fn after(spin: Vec3, t: f64, moment: &Mat3, inverse: &Mat3) -> Spinning {
        let count = (spin.norm() * t.abs() / ANGLE).ceil().clamp(1.0, MOST);
        let h = t / count;
        let mut body = Spinning { turned: Mat3::identity(), spin };
        for _ in 0..count as usize {
            let one = body.rates(moment, inverse);
            let two = body.plus(&one, 0.5 * h).rates(moment, inverse);
            let three = body.plus(&two, 0.5 * h).rates(moment, inverse);
            let four = body.plus(&three, h).rates(moment, inverse);
            for (rate, weight) in [(one, 1.0), (two, 2.0), (three, 2.0), (four, 1.0)] {
                body = body.plus(&rate, h / 6.0 * weight);
            }
        }
        body
    }

    /// R′ and ω′.
    fn rates(&self, moment: &Mat3, inverse: &Mat3) -> Spinning {
        let (turned, spin) = (self.turned, self.spin);
        let back = turned.transpose();
        let momentum = turned * (moment * (back * spin));
        let growth = turned * (inverse * (back * -spin.cross(&momentum)));
        Spinning { turned: spin.cross_matrix() * turned, spin: growth }
    }

    fn plus(&self, rate: &Spinning, t: f64) -> Spinning {
        Spinning { turned: self.turned + rate.turned * t, spin: self.spin + rate.spin * t }
    }

    /// The maps from an arm at the start to its place, velocity and acceleration.
    fn motion(&self, moment: &Mat3, inverse: &Mat3) -> [Mat3; 3] {
        let across = self.spin.cross_matrix();
        let growth = self.rates(moment, inverse).spin.cross_matrix();
        [self.turned, across * self.turned, (growth + across * across) * self.turned]
    }
}

/// Lets the weights of a step of length h from `now` follow the spin of every free body. Adds to `ahead` the rotation of each in
/// the step.
pub(super) fn follow_spins(
    inertia: &Inertia,
    bodies: &[Range<usize>],
    (now, past): (&State, &Past),
    h: f64,
    weights: &mut Weights,
    ahead: &mut Vec<Mat3>,
) {
    for nodes in bodies {
        let frame = Frame::new(inertia, nodes.clone(), &now.q);
        let spin = frame.rigid_part(inertia, &now.q, &now.v).turn;
        if spin.norm() * h < SMALLEST {
            ahead.push(Mat3::identity());
            continue;
        }
        let (moment, inverse) = (&frame.inertia, &frame.inverse_inertia);
        let at = |t: f64| Spinning::after(spin, t, moment, inverse).motion(moment, inverse);
        let (here, end) = (at(0.0), at(h));
        ahead.push(end[0]);
        let before = if weights.uses_before() { at(-past.step) } else { [Mat3::zeros(); 3] };
        let [base, base_velocity] =
            weights.mix([here[0], here[1]], [before[0], before[1]], [here[1], here[2]]);
        let c = weights.rate;
        let missed = (end[1] - (end[0] - base) * c) / c;
        let missed_velocity = (end[2] - (end[1] - base_velocity) * c) / c;
        for node in nodes.clone() {
            let arm = now.q[node] - frame.center;
            weights.shift_base(node, missed * arm, missed_velocity * arm);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::implicit::scheme::{LARGEST_RATIO, Scheme};

    /// Eight points of different weight: a body with three different moments of inertia.
    fn body() -> (Inertia, Vec<Vec3>) {
        let corner = |k: u32| {
            let sign = |bit: u32| if k & bit == 0 { -1.0 } else { 1.0 };
            Vec3::new(0.3 * sign(1), 0.2 * sign(2), 0.1 * sign(4))
        };
        (Inertia::new(8, (0..8).map(|k| (k, k, 0.5)).collect()), (0..8).map(corner).collect())
    }

    /// Places, velocities and accelerations of the body after a time t of free turning.
    fn free(t: f64, spin: Vec3) -> [Vec<Vec3>; 3] {
        let (inertia, x) = body();
        let frame = Frame::new(&inertia, 0..8, &x);
        let turned = Spinning::after(spin, t, &frame.inertia, &frame.inverse_inertia);
        turned.motion(&frame.inertia, &frame.inverse_inertia).map(|map| x.iter().map(|x| map * x).collect())
    }

    #[test]
    fn free_body_keeps_its_momentum_its_energy_and_its_shape() {
        let (inertia, x) = body();
        let spin = Vec3::new(0.02, 11.0, 0.01);
        let frame = Frame::new(&inertia, 0..8, &x);
        let start = free(0.0, spin);
        let first = frame.momenta(&inertia, &start[0], &start[1], &Vec3::zeros())[1];
        for t in [-1.0, 0.3, 2.0] {
            let [q, v, _] = free(t, spin);
            let momentum = frame.momenta(&inertia, &q, &v, &Vec3::zeros())[1];
            assert!((momentum - first).norm() < 1e-6 * first.norm(), "{t}");
            assert!((inertia.energy(&v) / inertia.energy(&start[1]) - 1.0).abs() < 1e-6, "{t}");
            assert!(q.iter().zip(&x).all(|(q, x)| (q.norm() / x.norm() - 1.0).abs() < 1e-6), "{t}");
        }
    }

    #[test]
    fn every_scheme_is_exact_for_a_body_that_turns_freely() {
        let (inertia, _) = body();
        let (spin, h, before) = (Vec3::new(3.0, 11.0, -6.0), 0.05, 0.03);
        let at = |t: f64| free(t, spin);
        let now = at(0.0);
        let [early, end] = [at(-before), at(h)];
        let state = State { v: now[1].clone(), ..State::at_rest(now[0].clone()) };
        let past = Past {
            step: before,
            q: early[0].clone(),
            v: early[1].clone(),
            a: now[2].clone(),
            ..Past::default()
        };
        for scheme in [Scheme::BackwardEuler, Scheme::Bdf2, Scheme::Trapezoid] {
            let mut weights = Weights::default();
            weights.set(scheme, &state, &past, h, LARGEST_RATIO);
            let mut ahead = vec![];
            let bodies = std::slice::from_ref(&(0..8));
            follow_spins(&inertia, bodies, (&state, &past), h, &mut weights, &mut ahead);
            for (end, x) in end[0].iter().zip(&now[0]) {
                assert!((ahead[0] * x - end).norm() < 1e-12 * x.norm(), "{scheme:?}");
            }
            let (mut v, mut a) = (vec![], vec![]);
            weights.velocity(&end[0], &mut v);
            weights.acceleration(&end[0], &mut a);
            for node in 0..8 {
                assert!((v[node] - end[1][node]).norm() < 1e-7 * end[1][node].norm(), "{scheme:?}");
                assert!((a[node] - end[2][node]).norm() < 1e-6 * end[2][node].norm(), "{scheme:?}");
            }
        }
    }
}
