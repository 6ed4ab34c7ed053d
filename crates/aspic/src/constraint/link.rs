//! Tie two vertices together, or keep a vertex at a distance.

use super::{Constraint, Row};
use crate::Vec3;
use crate::state::State;

/// Two vertices in one place: Φ = x₁ − x₂.
#[derive(Clone, Copy, Debug)]
pub struct Tie {
    /// The two nodes.
    pub nodes: [u32; 2],
}

/// The far end of a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// Another vertex.
    Node(u32),
    /// A point fixed in space \[m\].
    Point(Vec3),
}

/// A rod without mass: Φ = |x − y| − length.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    /// The vertex.
    pub node: u32,
    /// What it keeps its distance from.
    pub other: Anchor,
    /// The distance, > 0  \[m\]
    pub length: f64,
}

impl Constraint for Tie {
    fn add_rows(&self, state: &State, rows: &mut Vec<Row>) {
        let [a, b] = self.nodes;
        let gap = state.q[a as usize] - state.q[b as usize];
        rows.extend((0..3).map(|c| Row::new([(a, Vec3::ith(c, 1.0)), (b, -Vec3::ith(c, 1.0))], gap[c])));
    }
}

impl Constraint for Distance {
    /// With d = x − y, n = d/|d| and w the relative velocity: Φ_qq gives |w − (w·n) n|²/|d|.
    fn add_rows(&self, state: &State, rows: &mut Vec<Row>) {
        let at = |n: u32| (state.q[n as usize], state.v[n as usize]);
        let (x, v) = at(self.node);
        let (y, u) = match self.other {
            Anchor::Node(n) => at(n),
            Anchor::Point(p) => (p, Vec3::zeros()),
        };
        let (d, w) = (x - y, v - u);
        let length = d.norm().max(f64::MIN_POSITIVE);
        let n = d / length;
        let sideways = w - n * w.dot(&n);
        let value = length - self.length;
        let row = match self.other {
            Anchor::Node(node) => Row::new([(self.node, n), (node, -n)], value),
            Anchor::Point(_) => Row::single(self.node, n, value),
        };
        rows.push(Row { psi: -sideways.norm_squared() / length, ..row });
    }
}
