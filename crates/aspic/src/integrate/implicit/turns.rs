//! Directions and starts that turn.
//!
//! A Newton direction d is a straight line. Along it a body that should turn by the angle θ is stretched by θ²/2, and a
//! stiff one resists that so much that only a small part of the direction can be taken. So the rigid part (u, ω) of a
//! body's direction ends at the body turned by exp(ω×), and the rest of the direction e = d − u − ω × r is turned along:
//!
//! d′ = u + (exp(ω×) − 1)(r + e) + e
//!
//! It is again a straight line, so that contact can limit it, and agrees with d up to its square.

use std::ops::Range;

use super::rigid::{Frame, Rigid, carried};
use crate::kinetic::Inertia;
use crate::{Mat3, Vec3};

/// Turns whose square is lost in rounding \[rad\].
const SMALLEST: f64 = 1e-9;
/// A direction that turns a body by more than this is no small motion; it is bent as if it turned by so much \[rad\].
const LARGEST: f64 = 2.0;

/// Bends the direction of every body at x around its turn.
pub(super) fn follow_turns(inertia: &Inertia, bodies: &[Range<usize>], x: &[Vec3], direction: &mut [Vec3]) {
    for nodes in bodies {
        let frame = Frame::new(inertia, nodes.clone(), x);
        let Rigid { shift, turn } = frame.rigid_part(inertia, x, direction);
        let angle = turn.norm();
        if !(SMALLEST..LARGEST).contains(&angle) {
            continue;
        }
        for node in nodes.clone() {
            let arm = x[node] - frame.center;
            let rest = direction[node] - shift - turn.cross(&arm);
            direction[node] = shift + carried(&turn, &(arm + rest)) + rest;
        }
    }
}

/// How the motion goes on for a time h: the end of a body that moves with v and accelerates with a, turned by its own
/// spin rather than along tangents. `center` is where its centre of mass will be; without a known acceleration the body
/// goes on turning as it does.
pub(super) fn turn_ahead(
    inertia: &Inertia,
    nodes: Range<usize>,
    [q, v]: [&[Vec3]; 2],
    acceleration: Option<&[Vec3]>,
    h: f64,
    center: Vec3,
    end: &mut [Vec3],
) {
    let frame = Frame::new(inertia, nodes.clone(), q);
    let moving = frame.rigid_part(inertia, q, v);
    let spin = moving.turn;
    // What a rigid turn does not explain: of the velocity, and of the acceleration in the turning frame.
    let straying = |node: usize| v[node] - frame.at(&moving, &q[node]);
    let pulled = |node: usize, a: &[Vec3]| {
        let arm = q[node] - frame.center;
        a[node] - spin.cross(&spin.cross(&arm)) - 2.0 * spin.cross(&straying(node))
    };
    let growing = acceleration.map(|a| {
        nodes.clone().for_each(|node| end[node] = pulled(node, a));
        frame.rigid_part(inertia, q, end)
    });
    let turn = spin * h + growing.map_or(Vec3::zeros(), |rigid| rigid.turn * (0.5 * h * h));
    for node in nodes {
        let mut rest = straying(node) * h;
        if let Some(rigid) = &growing {
            rest += (end[node] - frame.at(rigid, &q[node])) * (0.5 * h * h);
        }
        let arm = q[node] - frame.center + rest;
        end[node] = center + arm + carried(&turn, &arm);
    }
}

/// Turns what is predicted from velocities alone, q + v h: the rigid part of each motion by the `rotation` that its body makes in
/// the step, and what is left along with it. `kept` is the part of the latter that is wanted.
pub(super) fn predict_turned(
    inertia: &Inertia,
    nodes: Range<usize>,
    [q, v]: [&[Vec3]; 2],
    (h, kept): (f64, f64),
    rotation: &Mat3,
    end: &mut [Vec3],
) {
    let frame = Frame::new(inertia, nodes.clone(), q);
    let moving = frame.rigid_part(inertia, q, v);
    for node in nodes {
        let rest = (v[node] - frame.at(&moving, &q[node])) * (h * kept);
        end[node] = frame.center + moving.shift * h + rotation * (q[node] - frame.center + rest);
    }
}

/// What velocities do to the shapes of bodies in a time h: all of the motion, but for the rigid part of that of some.
pub(super) fn straying<'a>(
    inertia: &Inertia,
    bodies: impl Iterator<Item = &'a Range<usize>>,
    [q, v]: [&[Vec3]; 2],
    h: f64,
    out: &mut Vec<Vec3>,
) {
    out.clear();
    out.extend(v.iter().map(|v| v * h));
    for nodes in bodies {
        let frame = Frame::new(inertia, nodes.clone(), q);
        let moving = frame.rigid_part(inertia, q, v);
        nodes.clone().for_each(|node| out[node] -= frame.at(&moving, &q[node]) * h);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    const CORNERS: [[f64; 3]; 4] = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]];

    fn four_points() -> Inertia {
        Inertia::new(4, (0..4).map(|i| (i, i, 0.5)).collect())
    }

    #[test]
    fn a_direction_that_begins_a_turn_ends_at_the_turned_body() {
        let (turn, shift) = (Vec3::new(0.3, -0.2, 0.9), Vec3::new(0.1, 0.2, 0.3));
        let center = Vec3::new(5.0, 6.0, 7.0);
        let x = CORNERS.map(|x| Vec3::from(x) + center);
        let mut direction = x.map(|x| shift + turn.cross(&(x - center)));
        follow_turns(&four_points(), std::slice::from_ref(&(0..4)), &x, &mut direction);
        for (x, d) in x.iter().zip(&direction) {
            let end = center + shift + Rotation3::new(turn) * (x - center);
            assert!((x + d - end).norm() < 1e-13);
        }
    }

    #[test]
    fn a_direction_without_a_turn_stays() {
        let x = CORNERS.map(Vec3::from);
        let stretch = Mat3::new(0.1, 0.2, 0.0, 0.2, -0.3, 0.4, 0.0, 0.4, 0.5);
        let mut direction = x.map(|x| stretch * x + Vec3::new(1.0, 2.0, 3.0));
        let before = direction;
        follow_turns(&four_points(), std::slice::from_ref(&(0..4)), &x, &mut direction);
        assert!(direction.iter().zip(&before).all(|(d, b)| (d - b).norm() < 1e-12));
    }

    #[test]
    fn a_small_direction_changes_by_its_square_only() {
        let x = CORNERS.map(Vec3::from);
        let mixed = Mat3::new(0.1, 0.7, 0.0, -0.2, -0.3, 0.9, 0.5, 0.4, 0.5);
        let change = |size: f64| {
            let mut direction = x.map(|x| mixed * x * size);
            let before = direction;
            follow_turns(&four_points(), std::slice::from_ref(&(0..4)), &x, &mut direction);
            direction.iter().zip(&before).map(|(d, b)| (d - b).norm()).fold(0.0, f64::max)
        };
        let ratio = change(1e-3) / change(1e-4);
        assert!((ratio - 100.0).abs() < 1.0, "{ratio}");
    }

    /// A rigid body about a fixed axis: known past or not, its shape is kept and its angle is ωh + ½ ω′ h².
    #[test]
    fn spinning_body_is_foreseen_turned_and_unstretched() {
        let q = CORNERS.map(Vec3::from);
        let (spin, growth, h) = (Vec3::new(0.0, 0.0, 9.0), Vec3::new(0.0, 0.0, 40.0), 0.03);
        let v = q.map(|x| spin.cross(&x));
        let a = q.map(|x| spin.cross(&spin.cross(&x)) + growth.cross(&x));
        for known in [false, true] {
            let mut end = [Vec3::zeros(); 4];
            let center = Vec3::new(1.0, 2.0, 3.0);
            let a = known.then_some(&a[..]);
            turn_ahead(&four_points(), 0..4, [&q, &v], a, h, center, &mut end);
            let angle = spin * h + if known { growth * (0.5 * h * h) } else { Vec3::zeros() };
            for (end, x) in end.iter().zip(&q) {
                assert!((end - center - Rotation3::new(angle) * x).norm() < 1e-13, "{known}");
            }
        }
    }
}
