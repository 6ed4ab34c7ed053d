//! Gauss's points along a line for the integrals over a triangle that are seen from there.
//!
//! These integrals are logarithms and angles of distances. Continued to complex s they are singular where the distance from
//! a corner of the triangle is zero, or that from the line of an edge. n points integrate a function that is analytic
//! within the ellipse with foci at the ends and the sum ρ of its half axes to about ρ^−2n (Bernstein).

use crate::solid::Vec3;
use crate::solid::panel::Panel;
use crate::solid::quadrature::gauss;

/// Most points on a part.
const MOST: usize = 20;
/// Points on a part that ends where the integrand is singular, and the power of the points that gathers them there.
const END: (usize, i32) = (20, 4);
/// A part with a singularity nearer than this ρ is cut, in halves or where it is nearest.
const NARROW: f64 = 2.2;
/// One that ends at a singularity is cut below this ρ, because the points are gathered.
const NARROW_END: f64 = 4.0;
/// A gap that is a smaller part of the length than this is none.
const ON: f64 = 1e-9;
/// How often parts are cut at most.
const CUTS: usize = 60;

/// Gauss's rules of all orders.
#[derive(Clone, Debug)]
pub struct Rules(Vec<Vec<(f64, f64)>>);

impl Rules {
    /// Makes them.
    pub fn new() -> Rules {
        Rules((0..=MOST).map(|order| if order < 2 { vec![(0.5, 1.0)] } else { gauss(order) }).collect())
    }

    /// Points on (0, 1) with their weights.
    pub fn of(&self, order: usize) -> &[(f64, f64)] {
        &self.0[order.min(MOST)]
    }
}

/// A line with where the integrals over a triangle are singular along it, in complex s.
#[derive(Clone, Debug)]
pub struct Line {
    start: Vec3,
    along: Vec3,
    length: f64,
    poles: Vec<[f64; 2]>,
}

impl Line {
    /// A line of some length that starts at a point and goes along a unit vector.
    pub fn new(start: Vec3, along: Vec3, length: f64, seen: &Panel) -> Line {
        let mut poles = Vec::with_capacity(6);
        for k in 0..3 {
            let to = seen.corners[k] - start;
            let s = to.dot(&along);
            poles.push([s, (to - along * s).norm()]);
            // |x(s) − edge|² = α s² − 2 β s + γ
            let (tangent, size) = (seen.tangents[k], seen.lengths[k]);
            let [a, b] = [along, to].map(|v| v - tangent * v.dot(&tangent));
            let (alpha, beta) = (a.norm_squared(), a.dot(&b));
            if alpha < ON * ON {
                continue;
            }
            let s = beta / alpha;
            let apart = (b - a * s).norm() / alpha.sqrt();
            let foot = (along * s - to).dot(&tangent);
            if foot > -apart && foot < size + apart {
                poles.push([s, apart]);
            }
        }
        Line { start, along, length, poles }
    }

    /// Calls `visit` with points and their weights \[m\].
    pub fn points(&self, rules: &Rules, error: f64, visit: &mut impl FnMut(Vec3, f64)) {
        self.part(rules, error, [0.0, self.length], 0, visit);
    }

    fn part(
        &self,
        rules: &Rules,
        error: f64,
        [from, to]: [f64; 2],
        depth: usize,
        visit: &mut impl FnMut(Vec3, f64),
    ) {
        let (half, on) = (0.5 * (to - from), ON * self.length);
        let (ends, [rho, at]) = self.nearest(from, to);
        let narrow = if ends[0] || ends[1] { NARROW_END } else { NARROW };
        if depth < CUTS && (rho < narrow || ends[0] && ends[1]) {
            let inside = at - from > on && to - at > on && rho < NARROW;
            let cut = if inside { at } else { from + half };
            self.part(rules, error, [from, cut], depth + 1, visit);
            return self.part(rules, error, [cut, to], depth + 1, visit);
        }
        let mut lay = |s: f64, weight: f64| visit(self.start + self.along * s, weight);
        if ends[0] || ends[1] {
            let (order, power) = END;
            for &(w, weight) in rules.of(order) {
                let (t, dt) = (w.powi(power), f64::from(power) * w.powi(power - 1) * weight);
                lay(if ends[0] { from + 2.0 * half * t } else { to - 2.0 * half * t }, 2.0 * half * dt);
            }
            return;
        }
        let order = (-0.5 * error.ln() / rho.ln()).ceil().clamp(3.0, MOST as f64);
        rules.of(order as usize).iter().for_each(|&(t, w)| lay(from + 2.0 * half * t, 2.0 * half * w));
    }
}

impl Line {
    /// Whether a part ends at singularities; the least ρ of the others and the real part of that one.
    fn nearest(&self, from: f64, to: f64) -> ([bool; 2], [f64; 2]) {
        let (half, on) = (0.5 * (to - from), ON * self.length);
        let (mut ends, mut nearest) = ([false; 2], [f64::INFINITY, 0.0]);
        for &[s, apart] in &self.poles {
            let touches = [from, to].map(|end| apart < on && (s - end).abs() < on);
            if touches[0] || touches[1] {
                ends = [ends[0] || touches[0], ends[1] || touches[1]];
                continue;
            }
            let rho = ellipse((s - from) / half - 1.0, apart / half);
            if rho < nearest[0] {
                nearest = [rho, s];
            }
        }
        (ends, nearest)
    }
}

/// ρ of the ellipse with foci ±1 through x + i y: the sum a of the distances from the foci is ρ + 1/ρ.
fn ellipse(x: f64, y: f64) -> f64 {
    let a = 0.5 * ((x - 1.0).hypot(y) + (x + 1.0).hypot(y));
    a + (a * a - 1.0).max(0.0).sqrt()
}
