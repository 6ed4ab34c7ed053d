//! ∫ U N_k dS and ∫ T N_k dS over one triangle seen from one point.
//!
//! Near triangles are integrated in closed form, far ones by quadrature with 16 or 7 points. The distances of the change
//! are such that the error is below 1e-9 of the greatest entry everywhere, on the triangle's own corners as well as a
//! millionth of its size above it, which matters for thin plates.

use crate::solid::moments::Moments;
use crate::solid::panel::Panel;
use crate::solid::quadrature::Rule;
use crate::solid::{Mat3, Medium, Vec3};

/// Up to this distance from the centre, in units of the reach of the triangle, the closed form is taken.
pub const NEAR: f64 = 9.0;
/// Beyond this distance 7 points do instead of 16.
pub const FAR: f64 = 40.0;

/// The integrals over one triangle for each of its corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    /// ∫ U N_k dS  \[m/Pa\]
    pub of_traction: [Mat3; 3],
    /// ∫ T N_k dS. From the corner k itself this is infinite, and zero stands here: rigid motion supplies it.
    pub of_displacement: [Mat3; 3],
}

/// Integrates both kernels for one material.
#[derive(Clone, Debug)]
pub struct Integrator {
    medium: Medium,
    sixteen: Rule,
    seven: Rule,
}

impl Integrator {
    /// For a material.
    pub fn new(medium: Medium) -> Integrator {
        Integrator { medium, sixteen: Rule::sixteen(), seven: Rule::seven() }
    }

    /// The material.
    pub fn medium(&self) -> &Medium {
        &self.medium
    }

    /// Which rule is fine enough for the triangle; nothing when it is too near for any.
    pub fn rule(&self, panel: &Panel, source: &Vec3) -> Option<&Rule> {
        let distance = (panel.centre - source).norm() / panel.reach;
        match distance {
            d if d < NEAR => None,
            d if d < FAR => Some(&self.sixteen),
            _ => Some(&self.seven),
        }
    }

    /// Both integrals. `own` names the corner that the source is, if it is one.
    pub fn influence(&self, panel: &Panel, source: &Vec3, own: Option<usize>) -> Influence {
        match self.rule(panel, source).filter(|_| own.is_none()) {
            Some(rule) => self.by_rule(rule, panel, source),
            None => {
                let moments = Moments::new(panel, source, own);
                Influence {
                    of_traction: self.traction_part(&moments),
                    of_displacement: self.displacement_part(&moments, own),
                }
            }
        }
    }

    /// ∫ U N_k dS alone.
    pub fn of_traction(&self, panel: &Panel, source: &Vec3, own: Option<usize>) -> [Mat3; 3] {
        match self.rule(panel, source).filter(|_| own.is_none()) {
            Some(rule) => self.by_rule(rule, panel, source).of_traction,
            None => self.traction_part(&Moments::new(panel, source, own)),
        }
    }

    fn by_rule(&self, rule: &Rule, panel: &Panel, source: &Vec3) -> Influence {
        let mut sum = Influence { of_traction: [Mat3::zeros(); 3], of_displacement: [Mat3::zeros(); 3] };
        for (shape, weight) in &rule.points {
            let d = panel.point(shape) - source;
            let u = self.medium.displacement(&d) * (weight * panel.area);
            let t = self.medium.traction(&d, &panel.normal) * (weight * panel.area);
            for k in 0..3 {
                sum.of_traction[k] += u * shape[k];
                sum.of_displacement[k] += t * shape[k];
            }
        }
        sum
    }

    /// U: (3 − 4ν) ∫N/r and ∫N d dᵀ/r³ with d = ξ + h n and N = N(foot) + b·ξ.
    fn traction_part(&self, m: &Moments) -> [Mat3; 3] {
        let (n, h) = (m.panel.normal, m.h);
        let second = m.plane() * m.inverse - m.rim(|e| [e.log, e.positive[0]]);
        let whole = second + both(&(m.pull * h), &n) + n * n.transpose() * (h * m.angle);
        let stiff = 3.0 - 4.0 * self.medium.poisson();
        [0, 1, 2].map(|k| {
            let b = m.panel.slopes[k];
            let third = both(&b, &m.direction) - m.rim_along(&b, |e| [e.log, e.positive[0], e.positive[1]]);
            let tilt = third + both(&(second * b * h), &n) + n * n.transpose() * (h * h * b.dot(&m.pull));
            let inverse = m.shape(k, m.inverse, &m.direction);
            (Mat3::identity() * (stiff * inverse) + whole * m.foot[k] + tilt) * self.medium.factor_u()
        })
    }

    /// T: h ∫N/r³, 3h ∫N d dᵀ/r⁵ and the skew part of ∫N d/r³.
    fn displacement_part(&self, m: &Moments, own: Option<usize>) -> [Mat3; 3] {
        let (n, h) = (m.panel.normal, m.h);
        let soft = 1.0 - 2.0 * self.medium.poisson();
        let second = m.plane() * m.inverse - m.rim(|e| [e.log, e.positive[0]]);
        let fifth = m.plane() * m.angle - m.rim(|e| [e.negative[0], e.negative[1]]) * h;
        let slide: Vec3 = (0..3).map(|k| m.panel.outward[k] * (-h * h * m.edges[k].negative[0])).sum();
        let lift = m.angle + h * m.edges.iter().map(|e| e.p * e.negative[0]).sum::<f64>();
        let whole = fifth + both(&slide, &n) + n * n.transpose() * lift;
        [0, 1, 2].map(|k| {
            if own == Some(k) {
                return Mat3::zeros();
            }
            let b = m.panel.slopes[k];
            let third = both(&b, &m.pull) - m.rim_along(&b, |e| e.negative);
            let tilt = (third + both(&(fifth * b), &n) + n * n.transpose() * b.dot(&slide)) * h;
            let angle = m.foot[k] * m.angle + h * b.dot(&m.pull);
            let pull = m.pull * m.foot[k] + second * b;
            let skew = pull * n.transpose() - n * pull.transpose();
            let across = Mat3::identity() * (soft * angle) + whole * m.foot[k] + tilt;
            (skew * soft - across) * self.medium.factor_t()
        })
    }
}

/// a bᵀ + b aᵀ
fn both(a: &Vec3, b: &Vec3) -> Mat3 {
    let product = a * b.transpose();
    product + product.transpose()
}

#[cfg(test)]
#[path = "integrate_tests.rs"]
mod tests;
