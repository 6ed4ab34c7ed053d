//! Momentum of free bodies, exact by construction.
//!
//! Forces inside a body have no net force and no torque, but a scheme that steps coordinates does not step angular
//! momentum by its own rule, whatever the torque: backward Euler changes it by −h Σ v′ × M v. So the momentum p of each free
//! body, and its spin S, the angular momentum about its centre of mass, are integrated by the same scheme as its
//! coordinates, from the forces and torques that act on it from outside at the end of the step,
//!
//! ```text
//! c (p′ − p̂) = f        c (S′ − Ŝ) = τ        with p̂, Ŝ from the past as v̂ is
//! ```
//!
//! and what the velocities miss of them is made up by a rigid velocity, u = δp/m and ω = I⁻¹ δS. About a fixed point it would
//! not do: there a body that falls aslant would be turned by what the scheme misses of its path, h² v × f.
//!
//! Where bodies push each other these misses do not cancel. In a world on which nothing acts from outside, the angular
//! momentum of all bodies together is therefore put right once more, by turning each about its own centre.
//!
//! Places, and with them every guarantee, stay as they are. The energy that this gives is booked with what the scheme
//! itself gives or takes. What linear solves and the search leave over of inner forces, and viscosity that is taken at
//! another shape, cannot push or turn a free body either.

use std::ops::Range;

use super::objective::Forces;
use super::rigid::{Frame, Rigid};
use super::scheme::{Past, Weights};
use crate::kinetic::Inertia;
use crate::state::State;
use crate::{Mat3, Vec3};

/// What a step knows of the past: weights, and the states before it.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub weights: &'a Weights,
    pub now: &'a State,
    pub past: &'a Past,
}

impl Known<'_> {
    /// The base of momenta that `of` finds for places and a motion.
    fn base(&self, of: impl Fn(&[Vec3], &[Vec3]) -> [Vec3; 2]) -> [Vec3; 2] {
        let Known { weights, now, past } = *self;
        let earlier = if weights.uses_before() { of(&past.q, &past.v) } else { [Vec3::zeros(); 2] };
        let slope = if weights.uses_slope() { of(&now.q, &past.a) } else { [Vec3::zeros(); 2] };
        weights.mix(of(&now.q, &now.v), earlier, slope)
    }
}

/// Puts the velocities of `next` and the accelerations at its end right for every free body. `alone`: nothing else acts on
/// any of them.
pub(super) fn keep_momenta(
    inertia: &Inertia,
    bodies: &[Range<usize>],
    alone: bool,
    known: Known,
    forces: &Forces,
    next: &mut State,
    acceleration: &mut [Vec3],
) {
    for nodes in bodies {
        let frame = Frame::new(inertia, nodes.clone(), &next.q);
        let spin = |q: &[Vec3], motion: &[Vec3]| {
            frame.momenta(inertia, q, motion, &inertia.center(q, nodes.clone()))
        };
        let outer = outer_momenta(forces, &frame, &next.q);
        let base = known.base(spin);
        let missing = |wanted: [Vec3; 2], found: [Vec3; 2]| {
            frame.with_momenta([wanted[0] - found[0], wanted[1] - found[1]])
        };
        let wanted = [0, 1].map(|k| base[k] + outer[k] / known.weights.rate);
        let velocity = missing(wanted, spin(&next.q, &next.v));
        let turning = missing(outer, spin(&next.q, acceleration));
        for node in nodes.clone() {
            next.v[node] += frame.at(&velocity, &next.q[node]);
            acceleration[node] += frame.at(&turning, &next.q[node]);
        }
    }
    if alone {
        keep_common_spin(inertia, bodies, known, next);
    }
}

/// Puts the angular momentum of all bodies together right, by turning each about its own centre at one angular velocity, so
/// that their momenta stay what forces made of them. It is taken about a point that stays, where their common centre of mass
/// is now: what the search leaves of the ways of the centres counts too.
fn keep_common_spin(inertia: &Inertia, bodies: &[Range<usize>], known: Known, next: &mut State) {
    let mass = |nodes: &Range<usize>| inertia.masses()[nodes.clone()].iter().sum::<f64>();
    let moments = bodies.iter().map(|nodes| inertia.center(&known.now.q, nodes.clone()) * mass(nodes));
    let about = moments.sum::<Vec3>() / bodies.iter().map(mass).sum::<f64>();
    let momenta = |q: &[Vec3], motion: &[Vec3]| {
        let momentum = |i: usize| inertia.matrix().row_times(i, motion);
        let nodes = || bodies.iter().flat_map(Clone::clone);
        let turn = |i: usize| (q[i] - about).cross(&momentum(i));
        [nodes().map(momentum).sum::<Vec3>(), nodes().map(turn).sum::<Vec3>()]
    };
    let missing = known.base(momenta)[1] - momenta(&next.q, &next.v)[1];
    let frame = |nodes: &Range<usize>| Frame::new(inertia, nodes.clone(), &next.q);
    let moment: Mat3 = bodies.iter().map(|nodes| frame(nodes).inertia).sum();
    let Some(inverse) = moment.try_inverse() else { return };
    let rigid = Rigid { shift: Vec3::zeros(), turn: inverse * missing };
    for nodes in bodies {
        let frame = frame(nodes);
        nodes.clone().for_each(|node| next.v[node] += frame.at(&rigid, &next.q[node]));
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
    let outer =
        |nodes: &Range<usize>| outer_momenta(forces, &Frame::new(inertia, nodes.clone(), q_end), q_end);
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
fn outer_momenta(forces: &Forces, frame: &Frame, q: &[Vec3]) -> [Vec3; 2] {
    let start = [Vec3::zeros(), carried_couple(forces, frame)];
    frame.nodes.clone().fold(start, |[net, torque], node| {
        let force = forces.outer(node);
        [net + force, torque + (q[node] - frame.center).cross(&force)]
    })
}

/// The part of the couples on a body that turns its nodes, I (I + ½ m ρ² 1)⁻¹ τ. Friction turns a rope of radius ρ about its
/// own axis; that is a motion of its sections, and the nodes of a straight rope have no arms to make it with  \[N m\]
fn carried_couple(forces: &Forces, frame: &Frame) -> Vec3 {
    let couples = forces.couples.iter().filter(|couple| frame.nodes.contains(&couple.node));
    let (torque, radius) = couples.fold((Vec3::zeros(), 0.0), |(torque, radius), couple| {
        (torque + couple.torque, f64::max(radius, couple.radius))
    });
    let sections = Mat3::identity() * (0.5 * frame.mass * radius * radius);
    (frame.inertia + sections).try_inverse().map_or(torque, |inverse| frame.inertia * inverse * torque)
}
