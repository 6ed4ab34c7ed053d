//! Integrals over a triangle of powers of the distance r times polynomials, in closed form.
//!
//! Seen from P a point of the triangle's plane is d = ξ + h n with ξ in the plane and h the same for all, r² = ξ² + h².
//! The divergence theorem in the plane leads everything back to the edges and to the solid angle Ω = h ∫ r⁻³ dS.
//! With ν across and τ along an edge, ξ = p ν + t τ, r² = R² + t² and R² = p² + h²:
//!
//! ```text
//! div(ξ/r)    = 1/r + h²/r³         ∫ 1/r    = Σ p ∫dt/r − h Ω
//! grad r      = ξ/r                 ∫ ξ/r    = Σ ν ∫ r dt
//! grad 1/r    = −ξ/r³               ∫ ξ/r³   = −Σ ν ∫dt/r
//! ∂j(ξi/r)    = δij/r − ξiξj/r³     ∫ ξξ/r³  = Q ∫1/r − Σ ∫ξ dt/r νᵀ           (Q = I − n nᵀ)
//! div(ξ/r³)   = 3h²/r⁵ − 1/r³       3h³ ∫ 1/r⁵ = Ω + h Σ p ∫dt/r³
//! grad 1/r³   = −3ξ/r⁵              3h² ∫ ξ/r⁵ = −h² Σ ν ∫dt/r³
//! ∂j(ξi/r³)   = δij/r³ − 3ξiξj/r⁵   3h ∫ ξξ/r⁵ = Q Ω − h Σ ∫ξ dt/r³ νᵀ
//! ```
//!
//! and likewise with one more factor ξ. The line integrals are elementary. They hold at any distance, however small, and
//! at the corners of the triangle itself; far away they lose digits by cancellation, where quadrature is better anyway.

use crate::solid::panel::Panel;
use crate::solid::{Mat3, Vec3};

/// A height less than this part of the distances and of the coordinates is rounding: the point is in the plane. On the
/// triangle itself the integrals are then principal values, without the jump from one side to the other. Coordinates count
/// because a point that is computed on a small triangle far from the origin misses its plane by the rounding of those.
const IN_PLANE: f64 = 1e-15;

/// One edge seen from P.
#[derive(Clone, Copy, Debug)]
pub struct EdgeView {
    /// Distance of the line in the plane, with sign  \[m\]
    pub p: f64,
    /// ∫ dt/r
    pub log: f64,
    /// ∫ t dt/r, ∫ t² dt/r, ∫ r dt, ∫ t r dt, ∫ r³ dt
    pub positive: [f64; 5],
    /// ∫ dt/r³, ∫ t dt/r³, ∫ t² dt/r³
    pub negative: [f64; 3],
}

impl EdgeView {
    /// `from` leads from P to the start. An edge that ends at P is `touched`: the log and the integrals of r⁻³,
    /// which are infinite and only stand with a factor p = 0 or h = 0, are left out, and likewise where P is inside the edge.
    fn new(from: f64, length: f64, p: f64, h: f64, ends: [f64; 2], touched: bool) -> EdgeView {
        let [r0, r1] = ends;
        let (t0, t1) = (from, from + length);
        let square = p * p + h * h;
        let (log, cube) = if touched {
            (0.0, 0.0)
        } else if t0 >= 0.0 {
            (((t1 + r1) / (t0 + r0)).ln(), (r0.powi(-2) - r1.powi(-2)) / (t0 / r0 + t1 / r1))
        } else if t1 <= 0.0 {
            (((r0 - t0) / (r1 - t1)).ln(), (r1.powi(-2) - r0.powi(-2)) / -(t0 / r0 + t1 / r1))
        } else if square > 0.0 {
            (((t1 + r1) * (r0 - t0) / square).ln(), (t1 / r1 - t0 / r0) / square)
        } else {
            (0.0, 0.0)
        };
        let reach = t1 * r1 - t0 * r0;
        let cubes = [r0.powi(3), r1.powi(3)];
        let quartic = t1 * cubes[1] - t0 * cubes[0];
        EdgeView {
            p,
            log,
            positive: [
                r1 - r0,
                0.5 * (reach - square * log),
                0.5 * (reach + square * log),
                (cubes[1] - cubes[0]) / 3.0,
                0.25 * quartic + 0.375 * square * (reach + square * log),
            ],
            negative: if touched { [0.0; 3] } else { [cube, r0.recip() - r1.recip(), log - square * cube] },
        }
    }
}

/// A triangle seen from P, with the integrals that all kernels share.
#[derive(Clone, Debug)]
pub struct Moments<'a> {
    /// The triangle.
    pub panel: &'a Panel,
    /// Height of its plane over P along the normal  \[m\]
    pub h: f64,
    /// The functions N_k, continued in the plane, at the foot of P.
    pub foot: [f64; 3],
    /// Its edges.
    pub edges: [EdgeView; 3],
    /// Ω = h ∫ 1/r³
    pub angle: f64,
    /// ∫ 1/r  \[m\]
    pub inverse: f64,
    /// ∫ ξ/r  \[m²\]
    pub direction: Vec3,
    /// ∫ ξ/r³. From a corner the infinite part is left out.
    pub pull: Vec3,
}

impl<'a> Moments<'a> {
    /// Looks from `source`, which is the corner `own` if one is named.
    pub fn new(panel: &'a Panel, source: &Vec3, own: Option<usize>) -> Moments<'a> {
        let views = panel.corners.map(|x| x - source);
        let r = views.map(|d| d.norm());
        let [a, b, c] = views;
        let (h, noise) = (a.dot(&panel.normal), IN_PLANE * (r[0] + r[1] + r[2] + source.amax()));
        let h = if own.is_some() || h.abs() <= noise { 0.0 } else { h };
        let edges = [0, 1, 2].map(|k: usize| {
            let touched = own == Some(k) || own == Some((k + 1) % 3);
            let p = if touched { 0.0 } else { views[k].dot(&panel.outward[k]) };
            let from = views[k].dot(&panel.tangents[k]);
            let ends = [r[k], r[(k + 1) % 3]];
            EdgeView::new(from, panel.lengths[k], p, h, ends, touched)
        });
        let angle = match own {
            Some(_) => 0.0,
            None if h == 0.0 => 0.0,
            None => {
                let below = r[0] * r[1] * r[2] + a.dot(&b) * r[2] + b.dot(&c) * r[0] + c.dot(&a) * r[1];
                2.0 * (h * 2.0 * panel.area).atan2(below)
            }
        };
        let foot = match own {
            Some(own) => [0, 1, 2].map(|k| if k == own { 1.0 } else { 0.0 }),
            None => [0, 1, 2].map(|k: usize| -panel.slopes[k].dot(&views[(k + 1) % 3])),
        };
        let sum = |f: fn(&EdgeView) -> f64| -> Vec3 { (0..3).map(|k| panel.outward[k] * f(&edges[k])).sum() };
        let inverse = edges.iter().map(|e| e.p * e.log).sum::<f64>() - h * angle;
        let (direction, pull) = (sum(|e| e.positive[2]), -sum(|e| e.log));
        Moments { panel, h, foot, edges, angle, inverse, direction, pull }
    }

    /// Q = I − n nᵀ
    pub fn plane(&self) -> Mat3 {
        Mat3::identity() - self.panel.normal * self.panel.normal.transpose()
    }

    /// Σ ∫ ξ w dt νᵀ from each edge's ∫ w dt and ∫ t w dt.
    pub fn rim(&self, parts: impl Fn(&EdgeView) -> [f64; 2]) -> Mat3 {
        let mut sum = Mat3::zeros();
        for k in 0..3 {
            let (nu, tau) = (self.panel.outward[k], self.panel.tangents[k]);
            let [whole, first] = parts(&self.edges[k]);
            sum += (nu * (self.edges[k].p * whole) + tau * first) * nu.transpose();
        }
        sum
    }

    /// Σ (ν·b) ∫ ξ ξᵀ w dt from each edge's ∫ w dt, ∫ t w dt, ∫ t² w dt.
    pub fn rim_along(&self, b: &Vec3, parts: impl Fn(&EdgeView) -> [f64; 3]) -> Mat3 {
        let mut sum = Mat3::zeros();
        for k in 0..3 {
            let (nu, tau, p) = (self.panel.outward[k], self.panel.tangents[k], self.edges[k].p);
            let [whole, first, second] = parts(&self.edges[k]);
            let skew = nu * tau.transpose();
            let part = nu * nu.transpose() * (p * p * whole)
                + (skew + skew.transpose()) * (p * first)
                + tau * tau.transpose() * second;
            sum += part * nu.dot(b);
        }
        sum
    }

    /// ∫ d dᵀ/r³ dS with d = ξ + h n  \[m\]
    pub fn dyad(&self) -> Mat3 {
        let (n, h) = (self.panel.normal, self.h);
        let inside = self.plane() * self.inverse - self.rim(|e| [e.log, e.positive[0]]);
        let slant = self.pull * n.transpose() * h;
        inside + slant + slant.transpose() + n * n.transpose() * (h * self.angle)
    }

    /// ∫ r dS = (Σ p ∫ r dt + h² ∫ 1/r) / 3  \[m³\]
    pub fn distance(&self) -> f64 {
        (self.edges.iter().map(|e| e.p * e.positive[2]).sum::<f64>() + self.h * self.h * self.inverse) / 3.0
    }

    /// ∫ ξ r dS = Σ ν ∫ r³ dt / 3  \[m⁴\]
    pub fn moment(&self) -> Vec3 {
        (0..3).map(|k| self.panel.outward[k] * (self.edges[k].positive[4] / 3.0)).sum()
    }

    /// ∫ ξ ξᵀ / r dS = Σ ∫ ξ r dt νᵀ − Q ∫ r  \[m³\]
    pub fn square(&self) -> Mat3 {
        self.rim(|e| [e.positive[2], e.positive[3]]) - self.plane() * self.distance()
    }

    /// ∫ N_k w from ∫ w and ∫ ξ w.
    pub fn shape(&self, k: usize, whole: f64, first: &Vec3) -> f64 {
        self.foot[k] * whole + self.panel.slopes[k].dot(first)
    }
}

#[cfg(test)]
#[path = "moments_tests.rs"]
pub(crate) mod tests;
