//! Damping of mass points: what a point loses to the air around it, and what a spring loses when its length changes.
//!
//! Point: F = −γ v, an outside force. Spring: F = γ ((v₂ − v₁)·n) n on the first and its opposite on the second point, an
//! inner force that keeps both momenta.
//!
//! A force taken at the velocity before a step may turn the motion round: it accelerates once h γ/m > 2. Taken at the
//! velocity after the step it never does; both forms are there, and both implicit ones are solved in closed form.

use crate::Vec3;

/// When the velocity that damping opposes is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DampingTime {
    /// With all other forces.
    Explicit,
    /// At the end of the step.
    #[default]
    Implicit,
}

/// The damping of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Damping {
    /// γ of every point  \[N s/m\]
    pub point: f64,
    /// γ of every spring, in the order of the springs; empty for none  \[N s/m\]
    pub springs: Vec<f64>,
    /// When it is taken by explicit steps. Implicit steps take it at their end in any case.
    pub time: DampingTime,
}

impl Damping {
    /// Whether nothing is damped.
    pub fn is_none(&self) -> bool {
        self.point == 0.0 && self.springs.iter().all(|gamma| *gamma == 0.0)
    }
}

/// v′ = v/(1 + h γ/m): the point stops sooner or later, and never turns round.
pub fn damp_point(v: &mut Vec3, mass: f64, gamma: f64, h: f64) {
    *v /= 1.0 + h * gamma / mass;
}

/// The relative speed along n after the step is the one before over 1 + h γ (1/m₁ + 1/m₂). A point with infinite mass
/// has `inverse_mass` zero.
pub fn damp_spring(v: [&mut Vec3; 2], inverse_mass: [f64; 2], n: &Vec3, gamma: f64, h: f64) {
    let [v1, v2] = v;
    let closing = (*v2 - *v1).dot(n);
    let impulse = h * gamma * closing / (1.0 + h * gamma * (inverse_mass[0] + inverse_mass[1]));
    *v1 += n * (impulse * inverse_mass[0]);
    *v2 -= n * (impulse * inverse_mass[1]);
}
