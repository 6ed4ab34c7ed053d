//! A point on a surface that moves: a vertex that slides on a face, an edge that slides on an edge.
//!
//! Φ = n̂·(x₀ − x₁) − g for a vertex x₀ and a face x₁ x₂ x₃ with n = (x₂ − x₁) × (x₃ − x₁), and Φ = n̂·(x₀ − x₂) − g for the
//! edges x₀ x₁ and x₂ x₃ with n = (x₁ − x₀) × (x₃ − x₂). In both the way from foot to foot is Σ c x = φ n̂, where c are the
//! weights of the feet and φ = Φ + g. As n̂ is perpendicular to both directions of the surface,
//!
//! Φ′ = n̂·Σ c v, hence ∂Φ/∂x = c n̂, and Φ″ = n̂·Σ c a + n̂′·Σ c v + n̂·Σ c′ v,
//!
//! where the feet move so that Σ c′ x = −Σ c v + φ′ n̂ + φ n̂′.

use super::Row;
use crate::Vec3;
use crate::state::State;

/// What slides on what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The first node, on the face of the other three, seen counter-clockwise from outside.
    Face,
    /// The edge of the first two nodes, on that of the last two.
    Edge,
}

/// A contact without friction that stays closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foot {
    /// What slides.
    pub way: Way,
    /// The nodes.
    pub nodes: [u32; 4],
    /// The distance g that it keeps  \[m\]
    pub gap: f64,
}

impl Foot {
    /// Its row, and the weights c. Nothing where the face has no area or the edges are parallel.
    pub fn row(&self, state: &State) -> Option<(Row, [f64; 4])> {
        let [x, v] = [&state.q, &state.v].map(|all| self.nodes.map(|node| all[node as usize]));
        // The two directions of the surface with their rates, and the way from its corner to what slides.
        let directions = |of: &[Vec3; 4]| match self.way {
            Way::Face => [of[2] - of[1], of[3] - of[1]],
            Way::Edge => [of[1] - of[0], of[3] - of[2]],
        };
        let ([d, e], [d_rate, e_rate]) = (directions(&x), directions(&v));
        let n = d.cross(&e);
        let size = n.norm();
        if size <= 1e-12 * d.norm() * e.norm() {
            return None;
        }
        let n = n / size;
        let n_rate = (d_rate.cross(&e) + d.cross(&e_rate)) / size;
        let n_rate = n_rate - n * n.dot(&n_rate);
        let corner = if self.way == Way::Face { 1 } else { 2 };
        let height = n.dot(&(x[0] - x[corner]));
        let along = Plane::new(d, e).parts(&(x[0] - x[corner] - n * height));
        let c = self.weights(along, 1.0);
        let sum = |c: &[f64; 4], of: &[Vec3; 4]| (0..4).fold(Vec3::zeros(), |sum, k| sum + of[k] * c[k]);
        let slip = sum(&c, &v);
        let creep = Plane::new(d, e).parts(&(slip - n * slip.dot(&n) - n_rate * height));
        let c_rate = self.weights(creep, 0.0);
        let terms = [0, 1, 2, 3].map(|k| (self.nodes[k], n * c[k]));
        let psi = -n_rate.dot(&slip) - n.dot(&sum(&c_rate, &v));
        Some((Row { psi, ..Row::new(terms, height - self.gap) }, c))
    }

    /// Weights of feet that are the parts (a, b) of the two directions away from the corner; `one` is 0 for their rates.
    fn weights(&self, [a, b]: [f64; 2], one: f64) -> [f64; 4] {
        match self.way {
            Way::Face => [one, -(one - a - b), -a, -b],
            // x₀ − x₂ = a d + b e + φ n̂: the feet are x₀ − a d and x₂ + b e.
            Way::Edge => [one + a, -a, -(one - b), -b],
        }
    }
}

/// Two directions that span a plane.
struct Plane {
    directions: [Vec3; 2],
    /// d·d, d·e, e·e
    metric: [f64; 3],
}

impl Plane {
    fn new(d: Vec3, e: Vec3) -> Plane {
        Plane { directions: [d, e], metric: [d.dot(&d), d.dot(&e), e.dot(&e)] }
    }

    /// (a, b) with a d + b e = way, which is in the plane.
    fn parts(&self, way: &Vec3) -> [f64; 2] {
        let ([dd, de, ee], [wd, we]) = (self.metric, self.directions.map(|direction| way.dot(&direction)));
        let det = dd * ee - de * de;
        [(wd * ee - we * de) / det, (we * dd - wd * de) / det]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(s: f64) -> State {
        let q = [[0.3, 0.4, 0.15], [0.0, -0.1, 0.1], [1.1, 0.2, -0.1], [-0.2, 0.9, 0.2]];
        let v = [[0.2, -0.3, 0.6], [0.5, 0.1, -0.2], [-0.4, 0.3, 0.2], [0.1, -0.6, 0.7]];
        let a = [[1.0, -2.0, 0.5], [-0.5, 1.5, 0.3], [0.4, 0.9, -1.1], [-0.8, 0.2, 0.6]];
        let at = |k: usize| Vec3::from(q[k]) + Vec3::from(v[k]) * s + Vec3::from(a[k]) * (s * s / 2.0);
        let rate = |k: usize| Vec3::from(v[k]) + Vec3::from(a[k]) * s;
        State { v: (0..4).map(rate).collect(), ..State::at_rest((0..4).map(at).collect()) }
    }

    #[test]
    fn a_sliding_contact_knows_its_first_and_second_time_derivative() {
        let a = [[1.0, -2.0, 0.5], [-0.5, 1.5, 0.3], [0.4, 0.9, -1.1], [-0.8, 0.2, 0.6]].map(Vec3::from);
        for way in [Way::Face, Way::Edge] {
            let foot = Foot { way, nodes: [0, 1, 2, 3], gap: 0.01 };
            let row = |s: f64| foot.row(&state(s)).unwrap().0;
            let h = 1e-4;
            let (before, now, after) = (row(-h), row(0.0), row(h));
            let first = (after.value - before.value) / (2.0 * h);
            let second = (after.value - 2.0 * now.value + before.value) / (h * h);
            assert!((first - now.velocity(&state(0.0).v)).abs() < 1e-6, "{way:?}: Φ′ {first}");
            assert!((second - (now.times(&a) - now.psi)).abs() < 1e-5, "{way:?}: Φ″ {second}");
        }
    }

    #[test]
    fn feet_are_one_above_the_other() {
        for way in [Way::Face, Way::Edge] {
            let foot = Foot { way, nodes: [0, 1, 2, 3], gap: 0.0 };
            let (row, c) = foot.row(&state(0.0)).unwrap();
            let way = (0..4).fold(Vec3::zeros(), |sum, k| sum + state(0.0).q[k] * c[k]);
            let n = row.terms()[0].1 / c[0];
            assert!((way - n * row.value).norm() < 1e-14, "{way:?}");
            assert!(c.iter().sum::<f64>().abs() < 1e-14);
        }
    }
}
