//! One touch: which points, which way, how deep.

use super::InverseMass;
use crate::{Mat3, Vec3};

/// A point that has gone too far, and what it has gone into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Points with coefficients c: +1 for the first side, −w for what it touches. Unused places have c = 0.
    pub points: [(u32, f64); 4],
    /// Unit vector from the second side to the first.
    pub normal: Vec3,
    /// How far the first side is in the second  \[m\]
    pub depth: f64,
    /// Velocity of the second side where it is no point: a wall or a sphere  \[m/s\]
    pub wall: Vec3,
    /// The bodies of both sides.
    pub bodies: [u32; 2],
}

impl Hit {
    /// A point against a surface that is not made of points and moves with `wall` \[m/s\].
    pub fn on_wall(point: u32, normal: Vec3, depth: f64, wall: Vec3, bodies: [u32; 2]) -> Hit {
        Hit { points: [(point, 1.0), (point, 0.0), (point, 0.0), (point, 0.0)], normal, depth, wall, bodies }
    }

    /// Two points.
    pub fn of_pair([first, second]: [u32; 2], normal: Vec3, depth: f64, bodies: [u32; 2]) -> Hit {
        let points = [(first, 1.0), (second, -1.0), (first, 0.0), (first, 0.0)];
        Hit { points, normal, depth, wall: Vec3::zeros(), bodies }
    }

    /// The points that take part, with their coefficients.
    pub fn ends(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.points.iter().copied().filter(|(_, c)| *c != 0.0)
    }
}

/// A touch in the terms of nodes: what an impulse along it moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lever {
    /// Nodes with coefficients: Σ c v, and what the turns add, is the relative velocity of the touch.
    pub row: Vec<(u32, f64)>,
    /// Nodes that move, and how much for a unit of impulse: M⁻¹ c  \[1/kg\]
    pub moves: Vec<(u32, f64)>,
    /// Nodes of bodies that are struck as rigid ones.
    pub turns: Vec<Turn>,
    /// W = cᵀ M⁻¹ c, and what the turns add  \[1/kg\]; zero where nothing can move.
    pub inverse_mass: InverseMass,
}

/// A node of a body that is struck as a rigid one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The node.
    pub node: u32,
    /// The velocity of the touch that a velocity of the node stands for, in the rigid part of the motion.
    pub sense: Mat3,
    /// How the node moves for a unit of impulse  \[1/kg\]
    pub moves: Mat3,
}

impl Lever {
    /// Fills in the inverse mass. `scratch` must hold a zero for each node, and does so again afterwards.
    pub fn weigh(&mut self, scratch: &mut [f64]) {
        self.moves.iter().for_each(|&(node, part)| scratch[node as usize] += part);
        let inverse_mass = self.row.iter().map(|&(node, c)| c * scratch[node as usize]).sum();
        self.moves.iter().for_each(|&(node, _)| scratch[node as usize] = 0.0);
        self.inverse_mass = InverseMass::Scalar(inverse_mass);
        if !self.turns.is_empty() {
            let turned: Mat3 = self.turns.iter().map(|turn| turn.sense * turn.moves).sum();
            // Symmetric but for rounding.
            let turned = (turned + turned.transpose()) * 0.5;
            self.inverse_mass = InverseMass::Matrix(turned + Mat3::identity() * inverse_mass);
        }
    }

    /// Σ c x over vectors of nodes.
    pub fn sum(&self, nodes: &[Vec3]) -> Vec3 {
        let moved = self.row.iter().fold(Vec3::zeros(), |sum, &(node, c)| sum + nodes[node as usize] * c);
        self.turns.iter().fold(moved, |sum, turn| sum + turn.sense * nodes[turn.node as usize])
    }

    /// Adds what an impulse \[N s\] does to velocities \[m/s\].
    pub fn kick(&self, impulse: &Vec3, nodes: &mut [Vec3]) {
        self.moves.iter().for_each(|&(node, part)| nodes[node as usize] += impulse * part);
        self.turns.iter().for_each(|turn| nodes[turn.node as usize] += turn.moves * impulse);
    }
}
