//! The hand in the sums of the world, and how strong a hand should be.

use super::World;
use crate::Vec3;
use crate::external::Hand;
use crate::frame::BodyKind;
use crate::state::State;

/// A hand can hold so many times the weight of the body, drawn out by the size of the body.
const WEIGHTS: f64 = 4.0;
/// Where there is little gravity, a hand is as strong as on Earth  \[m/s²\]
const EARTH: f64 = 9.81;
/// Damping over the critical one of the whole body on the spring.
const DAMPING: f64 = 0.5;
/// Explicit steps: the spring adds at most this part to the square of the highest frequency, were the point alone, and
/// the damper this part of it to the rates. The consistent mass of one node is a few times less than its share.
const EXPLICIT: f64 = 0.02;
/// Product of step and highest frequency that the longest explicit step stands for.
const STABLE: f64 = 2.8;

impl World {
    /// A hand on a point, at rest where the point is: four times the weight of the body at a distance of its size.
    /// With `explicit` it is weak enough for explicit steps, which one vertex of a fine mesh may need.
    /// `None` where nothing can be pulled: an obstacle, or no such point.
    pub fn hand_on(&self, point: usize, q: &[Vec3], explicit: bool) -> Option<Hand> {
        let body = self.topology.bodies.iter().find(|body| body.points.contains(&point))?;
        if matches!(body.kind, BodyKind::Obstacle | BodyKind::Puppet) {
            return None;
        }
        let mut hand = Hand::new(point, self.embedding.of(point));
        let masses = self.inertia.masses();
        let mass: f64 = masses[body.nodes.clone()].iter().sum();
        let size = self.size_of(body.points.clone(), q);
        let gravity = self.gravity.acceleration.norm().max(EARTH);
        hand.target = hand.at(q);
        hand.stiffness = WEIGHTS * mass * gravity / size.max(f64::MIN_POSITIVE);
        hand.damping = 2.0 * DAMPING * (hand.stiffness * mass).sqrt();
        if explicit {
            let own = 1.0 / hand.follows().map(|(node, w)| w * w / masses[node as usize]).sum::<f64>();
            let highest = STABLE / self.scale.stable_step;
            hand.stiffness = hand.stiffness.min(EXPLICIT * own * highest * highest);
            hand.damping = hand.damping.min(EXPLICIT * own * highest);
        }
        Some(hand)
    }

    /// Diagonal of the box around some points  \[m\]
    fn size_of(&self, points: std::ops::Range<usize>, q: &[Vec3]) -> f64 {
        let place = |point| self.embedding.of(point).fold(Vec3::zeros(), |x, (n, w)| x + q[n as usize] * w);
        let start = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        let (low, high) = points.map(place).fold(start, |(low, high), x| (low.inf(&x), high.sup(&x)));
        (high - low).norm()
    }

    /// Adds the force of the hand, if there is one  \[N\]
    pub fn add_hand(&self, state: &State, out: &mut [Vec3]) {
        if let Some(hand) = &self.hand {
            hand.add_force(state, out);
        }
    }

    /// What the hand adds to the potential of a step in which v changes with q at `rate` \[1/s\]: ½ k |x − c|² +
    /// d |x′|²/(2 rate)  \[J\]
    pub fn hand_potential(&self, state: &State, rate: f64) -> f64 {
        let of = |hand: &Hand| hand.energy(&state.q) + hand.dissipation(&state.v) / rate;
        self.hand.as_ref().map_or(0.0, of)
    }

    /// Its curvature (k + d · rate) wᵢ wⱼ I as three squares z zᵀ; each is given as nodes with z.
    pub fn each_hand_square(&self, rate: f64, mut visit: impl FnMut(&[(u32, Vec3)])) {
        let Some(hand) = &self.hand else { return };
        let root = (hand.stiffness + hand.damping * rate).sqrt();
        for axis in 0..3 {
            let square = hand.follows().map(|(node, w)| (node, Vec3::ith(axis, root * w)));
            visit(&square.collect::<Vec<_>>());
        }
    }
}
