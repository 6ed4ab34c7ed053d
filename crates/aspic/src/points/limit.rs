//! Strain limiting: no spring stays longer than a times its rest length after a step.
//!
//! For one spring with l > a L, n = (x₂ − x₁)/l: the ends move together by l − a L, each by the other's part of the mass, so
//! that their centre stays. Moved alone they would change the angular momentum; their relative velocity is therefore
//! changed to min(v·n, 0) n + v_T l/(a L), which keeps it exactly (and stops the spring from growing on). Springs are
//! taken one after the other until none is longer than allowed by more than the tolerance.

use crate::Vec3;

/// How far springs may stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrainLimit {
    /// a: the largest length over the rest length.
    pub stretch: f64,
    /// Largest excess over a L, relative to L, that may stay.
    pub tolerance: f64,
    /// Most sweeps over all springs in one step.
    pub sweeps: usize,
}

impl StrainLimit {
    /// Brings one spring back; returns its excess (l − a L)/L before. Inverse masses are zero for what is held.
    pub fn pull_back(&self, x: [&mut Vec3; 2], v: [&mut Vec3; 2], inverse_mass: [f64; 2], rest: f64) -> f64 {
        let ([x1, x2], [v1, v2]) = (x, v);
        let d = *x2 - *x1;
        let (length, longest) = (d.norm(), self.stretch * rest);
        let share = inverse_mass[0] + inverse_mass[1];
        if length <= longest || share == 0.0 {
            return 0.0;
        }
        let n = d / length;
        let (first, second) = (inverse_mass[0] / share, inverse_mass[1] / share);
        *x1 += n * (first * (length - longest));
        *x2 -= n * (second * (length - longest));
        let relative = *v2 - *v1;
        let along = relative.dot(&n);
        let across = relative - n * along;
        let change = n * along.min(0.0) + across * (length / longest) - relative;
        *v1 -= change * first;
        *v2 += change * second;
        (length - longest) / rest
    }
}
