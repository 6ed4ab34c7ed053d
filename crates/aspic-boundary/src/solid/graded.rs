//! Points on a triangle σ for an integrand that is smooth but for the edges of another triangle τ, which σ may touch.
//!
//! The potentials of τ are analytic away from its edges, also across its inside as long as σ stays on one side. On an edge
//! they go like p log p, at a corner like r F(direction). So σ is halved across its longest edge until each part either is
//! far from the edges of τ for its size, where a fixed rule does, or touches them. There Duffy's coordinates blow up the
//! edge or corner, and powers of the Gauss points gather where the integrand is rough:
//!
//! ```text
//! edge AB      x = (1 − s) (A + t (B − A)) + s C         s = w³,  t = w³ (10 − 15 w + 6 w²)
//! corner A     x = A + s (B + t (C − B) − A)             s = w²
//! all edges    the three triangles between an edge and the centre, each as an edge
//! ```

use crate::solid::Vec3;
use crate::solid::panel::Panel;
use crate::solid::quadrature::{Rule, gauss};

/// A part is far when its centre is further from the edges of τ than this many times its reach.
const APART: f64 = 2.5;
/// A part that touches τ must not be larger than this many times τ.
const LARGER: f64 = 1.5;
/// A part that touches τ must not be longer than this many times its height.
const SLENDER: f64 = 6.0;
/// How often a triangle is halved at most; sixteen times make parts 1/256 as long.
const HALVINGS: usize = 16;
/// Gauss points along each coordinate where σ touches τ.
const ORDER: usize = 10;
/// A corner nearer to an edge than this part of the sizes is on it.
const ON: f64 = 1e-10;

/// A point with its weight, an area  \[m, m²\]
pub type Point = (Vec3, f64);

/// The rules on triangles, made once.
#[derive(Clone, Debug)]
pub struct Graded {
    far: Rule,
    /// Weights of A, B, C and of the area.
    edge: Vec<([f64; 3], f64)>,
    corner: Vec<([f64; 3], f64)>,
}

impl Graded {
    /// Makes the rules.
    pub fn new() -> Graded {
        let line = gauss(ORDER);
        let (mut edge, mut corner) = (vec![], vec![]);
        for &(w, weight) in &line {
            let (s, ds) = (w.powi(3), 3.0 * w * w * weight);
            let (near, dnear) = (w * w, 2.0 * w * weight);
            for &(v, other) in &line {
                let t = v.powi(3) * (10.0 - 15.0 * v + 6.0 * v * v);
                let dt = 30.0 * (v * (1.0 - v)).powi(2) * other;
                edge.push(([(1.0 - s) * (1.0 - t), (1.0 - s) * t, s], 2.0 * (1.0 - s) * ds * dt));
                corner.push(([1.0 - near, near * (1.0 - v), near * v], 2.0 * near * dnear * other));
            }
        }
        Graded { far: Rule::sixteen(), edge, corner }
    }

    /// Calls `visit` with points on σ for integrals of the potentials of τ.
    pub fn points(&self, sigma: &Panel, tau: &Panel, visit: &mut impl FnMut(Point)) {
        self.part(sigma.corners, tau, 0, visit);
    }

    fn part(&self, corners: [Vec3; 3], tau: &Panel, depth: usize, visit: &mut impl FnMut(Point)) {
        let centre = (corners[0] + corners[1] + corners[2]) / 3.0;
        let reach = corners.iter().map(|x| (x - centre).norm()).fold(0.0, f64::max);
        let distance = to_edges(&centre, tau);
        let last = depth == HALVINGS;
        let near = if distance > APART * reach {
            [false; 3]
        } else {
            corners.map(|x| to_edges(&x, tau) < ON * (reach + tau.reach))
        };
        let touches = near.iter().any(|on| *on);
        let plain = if touches {
            reach <= LARGER * tau.reach && slenderness(&corners) <= SLENDER
        } else {
            distance > APART * reach
        };
        if !(plain || last) {
            return halves(&corners).into_iter().for_each(|half| self.part(half, tau, depth + 1, visit));
        }
        let area = 0.5 * (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).norm();
        let mut lay = |rule: &[([f64; 3], f64)], [a, b, c]: [Vec3; 3], area: f64| {
            rule.iter().for_each(|(n, w)| visit((a * n[0] + b * n[1] + c * n[2], w * area)));
        };
        match near {
            [false, false, false] => lay(&self.far.points, corners, area),
            [true, false, false] | [false, true, false] | [false, false, true] => {
                let k = near.iter().position(|on| *on).unwrap_or(0);
                lay(&self.corner, turned(&corners, k), area);
            }
            _ => match shared_edge(&corners, &near, tau, reach) {
                Some(k) => lay(&self.edge, turned(&corners, k), area),
                None => (0..3).for_each(|k| {
                    let [a, b, _] = turned(&corners, k);
                    lay(&self.edge, [a, b, centre], area / 3.0);
                }),
            },
        }
    }
}

/// The edge k, from corner k to the next, that lies on an edge of τ, if it is the only one that may.
fn shared_edge(corners: &[Vec3; 3], near: &[bool; 3], tau: &Panel, reach: f64) -> Option<usize> {
    let off = near.iter().position(|on| !on)?;
    let k = (off + 1) % 3;
    let middle = (corners[k] + corners[(k + 1) % 3]) * 0.5;
    (to_edges(&middle, tau) < ON * (reach + tau.reach)).then_some(k)
}

fn turned(corners: &[Vec3; 3], k: usize) -> [Vec3; 3] {
    [0, 1, 2].map(|c| corners[(c + k) % 3])
}

/// The two halves on either side of the middle of the longest edge.
fn halves(corners: &[Vec3; 3]) -> [[Vec3; 3]; 2] {
    let length = |k: usize| (corners[(k + 1) % 3] - corners[k]).norm_squared();
    let longest = (1..3).fold(0, |best, k| if length(k) > length(best) { k } else { best });
    let [a, b, c] = turned(corners, longest);
    let middle = (a + b) * 0.5;
    [[a, middle, c], [middle, b, c]]
}

/// Longest edge over the height on it.
fn slenderness([a, b, c]: &[Vec3; 3]) -> f64 {
    let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
    longest / (b - a).cross(&(c - a)).norm()
}

/// Distance of a point from the rim of a triangle  \[m\]
fn to_edges(x: &Vec3, panel: &Panel) -> f64 {
    let squares = [0, 1, 2].map(|k: usize| {
        let from = x - panel.corners[k];
        let along = from.dot(&panel.tangents[k]).clamp(0.0, panel.lengths[k]);
        (from - panel.tangents[k] * along).norm_squared()
    });
    squares[0].min(squares[1]).min(squares[2]).sqrt()
}

#[cfg(test)]
#[path = "graded_tests.rs"]
mod tests;
