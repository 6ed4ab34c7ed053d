//! Directions that turn stiff affine bodies.
//!
//! A Newton direction d is a straight line. Along it a body that should turn by the angle θ is stretched by θ²/2, and a
//! nearly rigid one resists that so much that only a small part of the direction can be taken. The turn that d begins,
//! with L = Σ d eᵀ (Σ e eᵀ)⁻¹ over the arms e of the corners and W the skew part of L, ends at exp(W) e: the direction
//! that leads there is d + (exp(W) − 1 − W) e. It is again straight, so that contact can limit it; and a whole step of
//! it stretches nothing.

use crate::world::World;
use crate::{Mat3, Vec3};

/// Bends the direction of every free affine body at x around its turn.
pub(super) fn follow_turns(world: &World, free: &[bool], x: &[Vec3], direction: &mut [Vec3]) {
    for nodes in world.affine_bodies() {
        if nodes.clone().all(|node| free[node]) {
            follow_turn(&x[nodes.clone()], &mut direction[nodes]);
        }
    }
}

fn follow_turn(x: &[Vec3], direction: &mut [Vec3]) {
    let (center, shift) = (mean(x), mean(direction));
    let (mut moved, mut spread) = (Mat3::zeros(), Mat3::zeros());
    for (x, d) in x.iter().zip(&*direction) {
        let arm = x - center;
        moved += (d - shift) * arm.transpose();
        spread += arm * arm.transpose();
    }
    let Some(inverse) = spread.try_inverse() else { return };
    let rate = moved * inverse;
    let turn = Vec3::new(rate.m32 - rate.m23, rate.m13 - rate.m31, rate.m21 - rate.m12) * 0.5;
    let angle = turn.norm();
    if angle < SMALLEST {
        return;
    }
    // exp(W) − 1 − W = (sin θ/θ − 1) W + (1 − cos θ)/θ² W²
    let (along, across) = (angle.sin() / angle - 1.0, 2.0 * (0.5 * angle).sin().powi(2) / (angle * angle));
    for (x, d) in x.iter().zip(direction) {
        let aside = turn.cross(&(x - center));
        *d += aside * along + turn.cross(&aside) * across;
    }
}

/// Turns whose square is lost in rounding \[rad\].
const SMALLEST: f64 = 1e-9;

fn mean(list: &[Vec3]) -> Vec3 {
    list.iter().sum::<Vec3>() / list.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    #[test]
    fn a_direction_that_begins_a_turn_ends_at_the_turned_body() {
        let x = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]].map(Vec3::from);
        let (turn, shift) = (Vec3::new(0.3, -0.2, 0.9), Vec3::new(0.1, 0.2, 0.3));
        let center = Vec3::new(5.0, 6.0, 7.0);
        let x = x.map(|x| x + center);
        let mut direction = x.map(|x| shift + turn.cross(&(x - center)));
        follow_turn(&x, &mut direction);
        for (x, d) in x.iter().zip(&direction) {
            let end = center + shift + Rotation3::new(turn) * (x - center);
            assert!((x + d - end).norm() < 1e-13);
        }
    }

    #[test]
    fn a_direction_without_a_turn_stays() {
        let x = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]].map(Vec3::from);
        let stretch = Mat3::new(0.1, 0.2, 0.0, 0.2, -0.3, 0.4, 0.0, 0.4, 0.5);
        let mut direction = x.map(|x| stretch * x + Vec3::new(1.0, 2.0, 3.0));
        let before = direction;
        follow_turn(&x, &mut direction);
        assert!(direction.iter().zip(&before).all(|(d, b)| (d - b).norm() < 1e-12));
    }
}
