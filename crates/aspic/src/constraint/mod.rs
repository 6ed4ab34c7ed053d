//! Φ(q, t) = 0: what the bodies must obey.
//!
//! A constraint is a set of scalar rows. Each row tells its value Φ, its gradient N = ∂Φ/∂q, its explicit
//! rate Φₜ and the acceleration term ψ of Liesenfeld & Stolfi's equation (7), so that N q″ = ψ keeps Φ at zero.
//! Held and dragged vertices also say where they must be ([`Constraint::prescribed`]), and are then taken out of
//! the unknowns instead.

mod foot;
mod link;
mod path;
mod pin;
mod slide;
mod steady;
mod trajectory;

pub use foot::{Foot, Way};
pub use link::{Anchor, Distance, Tie};
pub use path::Path;
pub use pin::Pin;
pub use slide::{OnLine, OnPlane, OnSphere};
pub use trajectory::{Trajectory, Turn};

use crate::Vec3;
use crate::state::State;

/// One scalar equation Φ = 0 on at most four nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    terms: [(u32, Vec3); 4],
    nodes: usize,
    /// Φ  \[m\]
    pub value: f64,
    /// Φₜ = ∂Φ/∂t  \[m/s\]
    pub rate: f64,
    /// ψ = −q′ᵀ Φ_qq q′ − 2 Φ_qt q′ − Φ_tt  \[m/s²\]
    pub psi: f64,
}

/// Where a vertex must be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// r(t)  \[m\]
    pub position: Vec3,
    /// r′(t)  \[m/s\]
    pub velocity: Vec3,
    /// r″(t)  \[m/s²\]
    pub acceleration: Vec3,
}

/// A law Φ(q, t) = 0. Lengths: every Φ is in metres, so that multipliers are forces.
pub trait Constraint: Send + Sync {
    /// Appends its rows for a state.
    fn add_rows(&self, state: &State, rows: &mut Vec<Row>);

    /// Times at which a derivative of its motion jumps.
    fn breaks(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The node whose motion it dictates completely, if it does.
    fn prescribed(&self, _t: f64) -> Option<(u32, Motion)> {
        None
    }

    /// The node that it keeps at one place for ever, and that place \[m\], if it does.
    fn held(&self) -> Option<(u32, Vec3)> {
        None
    }
}

impl Row {
    /// N x for a vector per node.
    pub fn times(&self, x: &[Vec3]) -> f64 {
        self.terms().iter().map(|(node, gradient)| gradient.dot(&x[*node as usize])).sum()
    }

    /// Φ′ = N v + Φₜ.
    pub fn velocity(&self, v: &[Vec3]) -> f64 {
        self.times(v) + self.rate
    }

    /// A row on a single node.
    pub fn single(node: u32, gradient: Vec3, value: f64) -> Row {
        Row::new([(node, gradient)], value)
    }

    /// A row on one to four nodes, with ∂Φ/∂x of each.
    pub fn new<const NODES: usize>(terms: [(u32, Vec3); NODES], value: f64) -> Row {
        const { assert!(0 < NODES && NODES <= 4) };
        let mut row = Row { nodes: NODES, value, ..Row::default() };
        row.terms[..NODES].copy_from_slice(&terms);
        row
    }

    /// The nodes it touches, and ∂Φ/∂x of each.
    #[inline]
    pub fn terms(&self) -> &[(u32, Vec3)] {
        &self.terms[..self.nodes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// N, Φₜ and ψ of every law against finite differences of Φ along a motion q + v s + a s²/2.
    fn check_derivatives(constraint: &dyn Constraint) {
        let q = [Vec3::new(0.3, -0.2, 0.5), Vec3::new(1.1, 0.4, -0.3)];
        let v = [Vec3::new(0.7, 0.2, -0.4), Vec3::new(-0.3, 0.9, 0.1)];
        let a = [Vec3::new(-1.0, 0.5, 2.0), Vec3::new(0.2, -0.8, 1.5)];
        let rows = |s: f64| {
            let at = |i: usize| q[i] + v[i] * s + a[i] * (s * s / 2.0);
            let state = State { t: 0.4 + s, v: v.to_vec(), ..State::at_rest(vec![at(0), at(1)]) };
            let mut rows = vec![];
            constraint.add_rows(&state, &mut rows);
            rows
        };
        let h = 1e-4;
        let (before, now, after) = (rows(-h), rows(0.0), rows(h));
        for r in 0..now.len() {
            let first = (after[r].value - before[r].value) / (2.0 * h);
            let second = (after[r].value - 2.0 * now[r].value + before[r].value) / (h * h);
            assert!((first - now[r].velocity(&v)).abs() < 1e-6, "row {r}: Φ′ {first}");
            assert!((second - (now[r].times(&a) - now[r].psi)).abs() < 1e-5, "row {r}: Φ″ {second}");
        }
    }

    #[test]
    fn every_law_knows_its_first_and_second_time_derivative() {
        let point = Vec3::new(0.1, 0.2, 0.3);
        let keys = [(0.0, Vec3::zeros()), (0.5, Vec3::new(0.2, 0.1, -0.3)), (1.0, Vec3::new(0.0, 0.5, 0.2))];
        let turn = Turn::new(Vec3::new(1.0, -1.0, 0.5), point * 2.0, &[(0.0, 0.0), (1.0, 5.0)]);
        let laws: [Box<dyn Constraint>; 8] = [
            Box::new(Pin::new(0, point, Path::new(&keys))),
            Box::new(Pin::new(0, point, Trajectory::new(Path::new(&keys), Some(turn)))),
            Box::new(Tie { nodes: [0, 1] }),
            Box::new(Distance { node: 0, other: Anchor::Node(1), length: 0.8 }),
            Box::new(Distance { node: 0, other: Anchor::Point(point), length: 0.3 }),
            Box::new(OnPlane::new(0, point, Vec3::new(1.0, 2.0, -1.0))),
            Box::new(OnLine::new(1, point, Vec3::new(1.0, 2.0, -1.0))),
            Box::new(OnSphere { node: 1, center: point, radius: 0.7 }),
        ];
        laws.iter().for_each(|law| check_derivatives(law.as_ref()));
    }
}
