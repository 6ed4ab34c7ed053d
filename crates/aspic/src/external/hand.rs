//! A hand that pulls at one point: a spring to a target, and a damper.
//!
//! E = k (c − x) − d x′ on the point x = Σ wᵢ qᵢ, shared out to its nodes by their weights. The target c stands still
//! during a step and may be moved between steps. All of it is a force from outside: what it does, ∫ E·x′ dt, is work
//! of loads, and a hand that lets go or moves takes no energy with it that the ledger would have to know.

use crate::Vec3;
use crate::state::State;

/// Most nodes that a point follows.
const MOST: usize = 4;

/// A hand on one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// Number of the point.
    pub point: usize,
    /// c, where it pulls the point to  \[m\]
    pub target: Vec3,
    /// k  \[N/m\]
    pub stiffness: f64,
    /// d  \[N s/m\]
    pub damping: f64,
    /// Nodes that the point follows, with weights; unused ones have weight zero.
    follows: [(u32, f64); MOST],
}

impl Hand {
    /// A hand without force yet on the point that follows these nodes with these weights, at most four.
    pub fn new(point: usize, follows: impl IntoIterator<Item = (u32, f64)>) -> Hand {
        let mut places = [(0, 0.0); MOST];
        places.iter_mut().zip(follows).for_each(|(place, follow)| *place = follow);
        Hand { point, target: Vec3::zeros(), stiffness: 0.0, damping: 0.0, follows: places }
    }

    /// Nodes with weights; none with weight zero.
    pub fn follows(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.follows.iter().copied().filter(|(_, weight)| *weight != 0.0)
    }

    /// Σ wᵢ xᵢ over a vector per node: the place of the point from q, its velocity from v.
    pub fn at(&self, nodes: &[Vec3]) -> Vec3 {
        self.follows().fold(Vec3::zeros(), |sum, (node, weight)| sum + nodes[node as usize] * weight)
    }

    /// Force on the point  \[N\]
    pub fn force(&self, state: &State) -> Vec3 {
        (self.target - self.at(&state.q)) * self.stiffness - self.at(&state.v) * self.damping
    }

    /// Adds its forces \[N\] to those of the nodes and returns its power E·x′ \[W\].
    pub fn add_force(&self, state: &State, out: &mut [Vec3]) -> f64 {
        let force = self.force(state);
        self.follows().for_each(|(node, weight)| out[node as usize] += force * weight);
        force.dot(&self.at(&state.v))
    }

    /// ½ k |x − c|², whose gradient implicit steps balance  \[J\]
    pub fn energy(&self, q: &[Vec3]) -> f64 {
        0.5 * self.stiffness * (self.at(q) - self.target).norm_squared()
    }

    /// ½ d |x′|²: its gradient in v is minus the force of the damper  \[W\]
    pub fn dissipation(&self, v: &[Vec3]) -> f64 {
        0.5 * self.damping * self.at(v).norm_squared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pulled() -> (Hand, State) {
        let mut hand = Hand::new(7, [(0, 0.25), (2, 0.75)]);
        (hand.target, hand.stiffness, hand.damping) = (Vec3::new(0.3, -0.2, 1.0), 40.0, 3.0);
        let q = vec![Vec3::new(1.0, 0.0, 0.5), Vec3::repeat(9.0), Vec3::new(0.2, 0.4, -0.1)];
        let v = vec![Vec3::new(0.1, 0.2, 0.3), Vec3::repeat(5.0), Vec3::new(-1.0, 0.4, 0.0)];
        (hand, State { v, ..State::at_rest(q) })
    }

    #[test]
    fn force_of_a_hand_is_minus_the_gradient_of_its_two_potentials() {
        let (hand, state) = pulled();
        let mut force = vec![Vec3::zeros(); 3];
        let power = hand.add_force(&state, &mut force);
        let h = 1e-6;
        for node in 0..3 {
            for axis in 0..3 {
                let moved = |list: &[Vec3], by: f64| {
                    let mut list = list.to_vec();
                    list[node][axis] += by;
                    list
                };
                let slope = |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h);
                let stored = slope(&|by| hand.energy(&moved(&state.q, by)));
                let lost = slope(&|by| hand.dissipation(&moved(&state.v, by)));
                assert!((force[node][axis] + stored + lost).abs() < 1e-7);
            }
        }
        let work: f64 = force.iter().zip(&state.v).map(|(f, v)| f.dot(v)).sum();
        assert!((power - work).abs() < 1e-12 && force[1] == Vec3::zeros());
    }
}
