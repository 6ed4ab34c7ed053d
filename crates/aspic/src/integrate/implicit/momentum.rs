//! Momentum of free bodies, exact by construction.
//!
//! Forces inside a body have no net force and no torque, but a scheme that steps coordinates does not step angular
//! momentum by its own rule, whatever the torque: backward Euler changes it by −h Σ v′ × M v. So the momenta p and L of each free body are integrated by the same scheme as its coordinates, from the forces
//! and torques that act on it from outside at the end of the step,
//!
//! ```text
//! c (p′ − p̂) = f        c (L′ − L̂) = τ        with p̂, L̂ from the past as v̂ is
//! ```
//!
//! and what the velocities miss of them is made up by a rigid velocity, u = δp/m and ω = I⁻¹ δL. Places, and with them
//! every guarantee, stay as they are. The energy that this gives is booked with what the scheme itself gives or takes. What linear solves and the search leave
//! over of inner forces, and viscosity that is taken at another shape, cannot push or turn a free body either.

use std::ops::Range;

use super::objective::Forces;
use super::rigid::Frame;
use super::scheme::{Past, Weights};
use crate::Vec3;
use crate::kinetic::Inertia;
use crate::state::State;

/// Puts the velocities of `next` and the accelerations at its end right for every free body.
pub(super) fn keep_momenta(
    inertia: &Inertia,
    bodies: &[Range<usize>],
    weights: &Weights,
    forces: &Forces,
    (now, past): (&State, &Past),
    next: &mut State,
    acceleration: &mut [Vec3],
) {
    for nodes in bodies {
        let frame = Frame::new(inertia, nodes.clone(), &next.q);
        let about = inertia.center(&now.q, nodes.clone());
        let outer = outer_momenta(forces, nodes.clone(), &next.q, &about);
        let momenta = |q: &[Vec3], v: &[Vec3]| frame.momenta(inertia, q, v, &about);
        let earlier = if weights.uses_before() { momenta(&past.q, &past.v) } else { [Vec3::zeros(); 2] };
        let slope = if weights.uses_slope() { momenta(&now.q, &past.a) } else { [Vec3::zeros(); 2] };
        let base = weights.mix(momenta(&now.q, &now.v), earlier, slope);
        let lever = frame.center - about;
        let rigid = |wanted: [Vec3; 2], [linear, angular]: [Vec3; 2]| {
            let missing = wanted[0] - linear;
            frame.with_momenta([missing, wanted[1] - angular - lever.cross(&missing)])
        };
        let wanted = [0, 1].map(|k| base[k] + outer[k] / weights.rate);
        let velocity = rigid(wanted, momenta(&next.q, &next.v));
        let turning = rigid(outer, momenta(&next.q, acceleration));
        for node in nodes.clone() {
            next.v[node] += frame.at(&velocity, &next.q[node]);
            acceleration[node] += frame.at(&turning, &next.q[node]);
        }
    }
}

/// A past that would have led to `now` a time h later, from a step on trial that ended at `q_end` with the acceleration a:
/// q − h v + ½ h² a and v − h a. Free bodies had the momenta p − h f and L − h τ about their centres of mass, with the
/// force and torque from outside at the end of the trial.
pub(super) fn made_up_past(
    inertia: &Inertia,
    bodies: &[Range<usize>],
    now: &State,
    (q_end, forces): (&[Vec3], &Forces),
    mut a: Vec<Vec3>,
    h: f64,
) -> Past {
    let momenta =
        |frame: &Frame, x: &[Vec3], motion: &[Vec3]| frame.momenta(inertia, x, motion, &frame.center);
    let outer = |nodes: &Range<usize>| {
        let end = Frame::new(inertia, nodes.clone(), q_end);
        outer_momenta(forces, nodes.clone(), q_end, &end.center)
    };
    for nodes in bodies {
        let here = Frame::new(inertia, nodes.clone(), &now.q);
        let (wanted, found) = (outer(nodes), momenta(&here, &now.q, &a));
        let missing = here.with_momenta([0, 1].map(|k| wanted[k] - found[k]));
        nodes.clone().for_each(|node| a[node] += here.at(&missing, &now.q[node]));
    }
    let back = now.q.iter().zip(&now.v).zip(&a);
    let q: Vec<Vec3> = back.map(|((q, v), a)| q - v * h + a * (0.5 * h * h)).collect();
    let mut v: Vec<Vec3> = now.v.iter().zip(&a).map(|(v, a)| v - a * h).collect();
    for nodes in bodies {
        let [before, here] = [&q, &now.q].map(|x| Frame::new(inertia, nodes.clone(), x));
        let (then, found) = (momenta(&here, &now.q, &now.v), momenta(&before, &q, &v));
        let force = outer(nodes);
        let missing = before.with_momenta([0, 1].map(|k| then[k] - force[k] * h - found[k]));
        nodes.clone().for_each(|node| v[node] += before.at(&missing, &q[node]));
    }
    Past { step: h, q, v, a, ..Past::default() }
}

/// Net force and torque from outside on a body  \[N\], \[N m\]
fn outer_momenta(forces: &Forces, nodes: Range<usize>, q: &[Vec3], about: &Vec3) -> [Vec3; 2] {
    let couples = forces.couples.iter().filter(|(node, _)| nodes.contains(node));
    let couple = couples.fold(Vec3::zeros(), |sum, (_, couple)| sum + couple);
    nodes.fold([Vec3::zeros(), couple], |[net, torque], node| {
        let force = forces.outer(node);
        [net + force, torque + (q[node] - about).cross(&force)]
    })
}
