//! Integrals over one triangle for harmonic functions: the kernels 1/(4πr) of Laplace and r/(8π) of the biharmonic
//! equation, each with its derivative along the normal.

use std::f64::consts::PI;

use crate::solid::Vec3;
use crate::solid::average::Pair;
use crate::solid::integrate::NEAR;
use crate::solid::moments::Moments;
use crate::solid::panel::Panel;
use crate::solid::quadrature::Rule;

/// ∫ N/(4πr), ∫ ∂ₙ(1/4πr) N and ∫ r N/(8π), ∫ ∂ₙ(r/8π) N for each corner, by 7 points when far.
pub fn harmonic(panel: &Panel, source: &Vec3, rule: &Rule) -> [Pair<f64>; 2] {
    let distance = (panel.centre - source).norm() / panel.reach;
    let mut pairs = [[[0.0; 3]; 2]; 2];
    if distance < NEAR {
        let m = Moments::new(panel, source, None);
        let (length, moment) = (m.distance(), m.moment());
        for k in 0..3 {
            let inverse = m.shape(k, m.inverse, &m.direction);
            pairs[0][0][k] = inverse / (4.0 * PI);
            pairs[0][1][k] = -m.shape(k, m.angle, &(m.pull * m.h)) / (4.0 * PI);
            pairs[1][0][k] = m.shape(k, length, &moment) / (8.0 * PI);
            pairs[1][1][k] = m.h * inverse / (8.0 * PI);
        }
        return pairs;
    }
    for (shape, weight) in &rule.points {
        let d = panel.point(shape) - source;
        let (r, h) = (d.norm(), d.dot(&panel.normal));
        let values = [[0.25 / r, -0.25 * h / r.powi(3)], [r / 8.0, h / (8.0 * r)]];
        for k in 0..3 {
            let w = weight * panel.area * shape[k] / PI;
            for kernel in 0..2 {
                (0..2).for_each(|part| pairs[kernel][part][k] += w * values[kernel][part]);
            }
        }
    }
    pairs
}
