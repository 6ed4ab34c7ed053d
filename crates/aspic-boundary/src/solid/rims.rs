//! Integrals over pairs of triangles from integrals along their rims.
//!
//! Let f(x, y) be homogeneous of degree q when x and y are measured from one point O in the planes of both triangles.
//! Then x·∇ₓf + y·∇ᵧf = q f, and the divergence theorem in both planes gives (Lenoir and Salles 2012)
//!
//! ```text
//! (q + 4) ∬ f = ∮ x·ν ∫ f dS_y ds_x + ∮ y·ν ∫ f dS_x ds_y = R
//! ```
//!
//! The inner integrals are closed forms ([`Moments`]), so that only lines are left to quadrature. Along a line it is known
//! where they are singular, and so how many points of Gauss are needed ([`Line`]): the work grows with the logarithm of how
//! slender the triangles or how narrow the gap between them, not with its power. Where triangles touch, O is there, and the
//! edges that end there drop out.
//!
//! Almost parallel planes have no such point nearby. With x from O₁ and y from O₂, w = O₁ − O₂ along their normal, f is
//! homogeneous in x, y and w. So R(λ) of triangles that are λ w apart gives (q + 4) I − λ dI/dλ = R, and
//!
//! ```text
//! I = ∫₁^∞ R(λ) λ^−(q+5) dλ = ∫₀¹ R(1/μ) μ^(q+3) dμ
//! ```

use std::f64::consts::PI;

use crate::solid::line::{Line, Rules};
use crate::solid::moments::Moments;
use crate::solid::pair::PairIntegrals;
use crate::solid::panel::Panel;
use crate::solid::{Mat3, Vec3};

/// Corners nearer than this part of the sizes are the same.
const SAME: f64 = 1e-10;
/// A height that is a smaller part of the sizes than this is none.
const FLAT: f64 = 1e-11;
/// Planes that meet further away than this many times the greater size count as parallel.
const PARALLEL: f64 = 20.0;
/// What quadrature may leave, as a part of the whole.
const ERROR: f64 = 1e-10;
/// Parts of (0, 1) in μ end at powers of this. The integrand is singular near the imaginary axis.
const RATIO: f64 = 3.0;
/// Points of Gauss on each part.
const ORDER: usize = 9;

/// The sum R of a pair. What stands with N_k has degree −2 times N_k(O), and degree −1 times N_k − N_k(O).
#[derive(Clone, Copy, Debug)]
struct Rims {
    inverse: f64,
    dyad: Mat3,
    even: [f64; 2],
    tilted: [[f64; 3]; 2],
}

/// Two triangles, each with the point that it is measured from.
#[derive(Clone, Debug)]
struct Pair<'a> {
    panels: [&'a Panel; 2],
    origins: [Vec3; 2],
}

/// All integrals of two triangles that are near each other, or the same.
pub fn integrals(rules: &Rules, sigma: &Panel, tau: &Panel) -> PairIntegrals {
    let size = sigma.reach.max(tau.reach);
    match common_point(sigma, tau, size) {
        Some(point) => {
            let away = (point - (sigma.centre + tau.centre) * 0.5).norm() / size;
            let pair = Pair { panels: [sigma, tau], origins: [point; 2] };
            let rims = pair.rims(rules, ERROR / (1.0 + away).powi(2));
            pair.whole(&rims, [1.0 / 2.0, 1.0 / 3.0])
        }
        None => parted(rules, sigma, tau),
    }
}

/// A point in both planes: a corner of both, a corner of σ if there is one plane, else where the planes meet.
fn common_point(sigma: &Panel, tau: &Panel, size: f64) -> Option<Vec3> {
    let shared = |x: &&Vec3| tau.corners.iter().any(|y| (*x - y).norm() < SAME * (sigma.reach + tau.reach));
    if let Some(corner) = sigma.corners.iter().find(shared) {
        return Some(*corner);
    }
    if tau.corners.iter().all(|y| (y - sigma.centre).dot(&sigma.normal).abs() < FLAT * size) {
        let far = |x: &Vec3| (x - tau.centre).norm_squared();
        return sigma.corners.into_iter().min_by(|x, y| far(x).total_cmp(&far(y)));
    }
    let along = sigma.normal.cross(&tau.normal);
    let square = along.norm_squared();
    let middle = (sigma.centre + tau.centre) * 0.5;
    let heights = [sigma, tau].map(|panel| (panel.centre - middle).dot(&panel.normal));
    let to = (tau.normal.cross(&along) * heights[0] + along.cross(&sigma.normal) * heights[1]) / square;
    (to.norm() < PARALLEL * size).then(|| middle + to)
}

/// Triangles in almost parallel planes.
fn parted(rules: &Rules, sigma: &Panel, tau: &Panel) -> PairIntegrals {
    let side = sigma.normal.dot(&tau.normal).signum();
    let normal = (sigma.normal + tau.normal * side).normalize();
    let middle = (sigma.centre + tau.centre) * 0.5;
    let origins = [sigma, tau].map(|panel| {
        middle + normal * ((panel.centre - middle).dot(&panel.normal) / normal.dot(&panel.normal))
    });
    let apart = origins[0] - origins[1];
    let wide = (sigma.centre - tau.centre).norm() + sigma.reach + tau.reach;
    let least = (apart.norm() / wide).min(1.0);
    let mut sum: Option<PairIntegrals> = None;
    let (mut from, mut to) = (0.0, least);
    while to > from {
        for &(point, weight) in rules.of(ORDER) {
            let mu = from + (to - from) * point;
            let shift = apart * (1.0 / mu - 1.0);
            let moved = moved(sigma, &shift);
            let pair = Pair { panels: [&moved, tau], origins: [origins[0] + shift, origins[1]] };
            let w = weight * (to - from);
            let part = pair.whole(&pair.rims(rules, ERROR), [w * mu, w * mu * mu]);
            sum = Some(sum.map_or(part, |sum| sum.plus(&part)));
        }
        (from, to) = (to, (to * RATIO).min(1.0));
    }
    sum.unwrap_or_else(PairIntegrals::zero)
}

/// A triangle elsewhere.
fn moved(panel: &Panel, by: &Vec3) -> Panel {
    Panel { corners: panel.corners.map(|x| x + by), centre: panel.centre + by, ..panel.clone() }
}

impl Pair<'_> {
    /// The integrals from R, with a factor for degree −2 and one for degree −1.
    fn whole(&self, rims: &Rims, [two, one]: [f64; 2]) -> PairIntegrals {
        let double = |which: usize| {
            let (panel, even) = (self.panels[which], two * rims.even[which]);
            let shape = shapes(panel, &self.origins[which]);
            [0, 1, 2].map(|k| (shape[k] * even + one * rims.tilted[which][k]) / (4.0 * PI))
        };
        PairIntegrals {
            inverse: one * rims.inverse,
            dyad: rims.dyad * one,
            from_first: double(1),
            from_second: double(0),
        }
    }

    fn rims(&self, rules: &Rules, error: f64) -> Rims {
        let mut sum = Rims { inverse: 0.0, dyad: Mat3::zeros(), even: [0.0; 2], tilted: [[0.0; 3]; 2] };
        (0..2).for_each(|own| self.rim(rules, own, error, &mut sum));
        sum
    }

    /// Adds ∮ x·ν ∫ f dS_y ds_x around one of the two, x on it and y on the other, d = y − x.
    fn rim(&self, rules: &Rules, own: usize, error: f64, sum: &mut Rims) {
        let other = 1 - own;
        let (panel, seen) = (self.panels[own], self.panels[other]);
        let [mine, theirs] = [own, other].map(|k| shapes(self.panels[k], &self.origins[k]));
        for k in 0..3 {
            let across = (panel.corners[k] - self.origins[own]).dot(&panel.outward[k]);
            if across.abs() < SAME * panel.reach {
                continue;
            }
            let line = Line::new(panel.corners[k], panel.tangents[k], panel.lengths[k], seen);
            line.points(rules, error, &mut |x, weight| {
                let (m, w) = (Moments::new(seen, &x, None), weight * across);
                sum.inverse += w * m.inverse;
                sum.dyad += m.dyad() * w;
                let (back, lift) = (w * m.angle, m.pull * m.h);
                sum.even[other] -= back;
                let forth = w * (m.pull + seen.normal * m.angle).dot(&panel.normal);
                sum.even[own] += forth;
                let here = shapes(panel, &x);
                for c in 0..3 {
                    sum.tilted[other][c] -= w * m.shape(c, m.angle, &lift) - theirs[c] * back;
                    sum.tilted[own][c] += forth * (here[c] - mine[c]);
                }
            });
        }
    }
}

/// The functions N_k at a point of the plane.
fn shapes(panel: &Panel, x: &Vec3) -> [f64; 3] {
    [0, 1, 2].map(|k: usize| panel.slopes[k].dot(&(x - panel.corners[(k + 1) % 3])))
}

#[cfg(test)]
#[path = "rims_tests.rs"]
mod tests;
