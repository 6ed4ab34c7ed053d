//! All touches of a step at once: what is an impact, what rests, and in which order they are settled.
//!
//! 1. What rests on each other carries its loads, without restitution.
//! 2. Impacts go through what touches in waves: whoever approaches is struck, and parts with e times the speed of its
//!    approach. That may make others approach, which are the next wave. So a row of balls that touch passes a blow on, as
//!    Newton's cradle does, and no wave makes energy.
//! 3. What still approaches, too slowly to tell or after too many waves, stops.
//!
//! Bodies that are struck as rigid ones may still strain. What is left of the motion against what they touch is stopped
//! in the end, as in bodies that strain; an impact leaves nothing to stop.

use super::waves::Touches;
use super::{Hit, Lever, Rules};
use crate::Vec3;

/// Most waves.
const MOST_WAVES: usize = 100;
/// An approach below this part of the fastest touch is no impact.
const SLOW: f64 = 1e-9;

/// The step that led here.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Velocities of the nodes at its start  \[m/s\]
    pub before: &'a [Vec3],
    /// Its length  \[s\]
    pub length: f64,
}

/// What the impulses did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The impulse on the first side of each hit  \[N s\]
    pub impulses: Vec<Vec3>,
    /// Energy that the tangential impulses took away  \[J\]
    pub friction_loss: f64,
}

/// The levers of all hits.
#[derive(Clone, Copy, Debug)]
pub struct Levers<'a> {
    /// With free affine bodies as rigid ones.
    pub rigid: &'a [Lever],
    /// With all bodies as they strain, if that makes a difference.
    pub straining: Option<&'a [Lever]>,
}

/// Changes the velocities `v` of the nodes \[m/s\] by the impulses of all hits.
pub fn resolve(hits: &[Hit], levers: Levers, rules: &Rules, step: Step, v: &mut [Vec3]) -> Outcome {
    let rigid = levers.rigid;
    let parts: Vec<f64> =
        hits.iter().zip(rigid).map(|(hit, lever)| part_kept(hit, lever, rules, step, v)).collect();
    let approach = |(hit, lever): (&Hit, &Lever)| (lever.sum(v) - hit.wall).norm();
    let fastest = hits.iter().zip(rigid).map(approach).fold(0.0, f64::max);
    let outcome = Outcome { impulses: vec![Vec3::zeros(); hits.len()], friction_loss: 0.0 };
    let mut touches = Touches { hits, rules, fastest, rubbed: vec![false; hits.len()], outcome };
    let rests: Vec<Option<f64>> = parts.iter().map(|part| (*part == 0.0).then_some(0.0)).collect();
    touches.wave(rigid, &rests, v);
    if rests.contains(&None) {
        strike(&mut touches, rigid, parts, v);
        touches.wave(rigid, &vec![Some(0.0); hits.len()], v);
    }
    if let Some(straining) = levers.straining {
        touches.wave(straining, &vec![Some(0.0); hits.len()], v);
    }
    touches.outcome
}

/// Impacts in waves. In the first, each keeps its own part of the speed of its approach.
fn strike(touches: &mut Touches, levers: &[Lever], mut parts: Vec<f64>, v: &mut [Vec3]) {
    for _ in 0..MOST_WAVES {
        let rebound = |((hit, lever), part): ((&Hit, &Lever), &f64)| {
            let along = (lever.sum(v) - hit.wall).dot(&hit.normal);
            (along < -SLOW * touches.fastest).then_some(-part * along)
        };
        let rebounds: Vec<Option<f64>> = touches.hits.iter().zip(levers).zip(&parts).map(rebound).collect();
        if rebounds.iter().all(Option::is_none) {
            break;
        }
        touches.wave(levers, &rebounds, v);
        parts.fill(touches.rules.restitution);
    }
}

/// The part of the speed of approach with which the ends should part: e times the speed with which they came to the
/// surface.
///
/// The step has gone on behind the surface by the depth d, with the acceleration a = Δu/h; at the surface the speed was
/// w² = u² + 2 a d. So a ball that is dropped comes back to e² of its height, wherever in the step it touched.
/// An approach that this one step has made by more than half (|u| < 2 |a| h) is no impact but a load that rests: it does
/// not bounce. Both follow from the states at the ends of the step, so nothing has to be remembered.
fn part_kept(hit: &Hit, lever: &Lever, rules: &Rules, step: Step, v: &[Vec3]) -> f64 {
    let along = |nodes: &[Vec3]| (lever.sum(nodes) - hit.wall).dot(&hit.normal);
    let (now, before) = (along(v), along(step.before));
    if now >= 0.0 || -before < -0.5 * now || step.length <= 0.0 {
        return 0.0;
    }
    let acceleration = (now - before) / step.length;
    let at_surface = now * now + 2.0 * acceleration.min(0.0) * hit.depth;
    rules.restitution * at_surface.max(0.0).sqrt() / -now
}
