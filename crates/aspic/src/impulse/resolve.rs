//! All touches of a step at once: each gets its impulse in turn, until none changes any more.
//!
//! Touches of separate mass points do not disturb each other; the first round settles them, by the closed form. Touches
//! that share a body do, and go round (projected Gauss–Seidel on the sums of impulses). The order is that of the list.

use super::{Hit, Lever, Push, Rules};
use crate::Vec3;

/// Most rounds.
const MOST_ROUNDS: usize = 100;
/// The rounds end when no velocity changes by more than this part of the fastest touch.
const SETTLED: f64 = 1e-13;

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

/// Changes the velocities `v` of the nodes \[m/s\] by the impulses of all hits.
pub fn resolve(hits: &[Hit], levers: &[Lever], rules: &Rules, step: Step, v: &mut [Vec3]) -> Outcome {
    let rebounds: Vec<f64> =
        hits.iter().zip(levers).map(|(hit, lever)| rebound(hit, lever, rules, step, v)).collect();
    let approach = |(hit, lever): (&Hit, &Lever)| (lever.sum(v) - hit.wall).norm();
    let fastest = hits.iter().zip(levers).map(approach).fold(0.0, f64::max);
    let mut pushes = vec![Push::default(); hits.len()];
    let mut friction_loss = 0.0;
    for _ in 0..MOST_ROUNDS {
        let mut largest = 0.0f64;
        for (k, (hit, lever)) in hits.iter().zip(levers).enumerate() {
            if lever.inverse_mass <= 0.0 {
                continue;
            }
            let u = lever.sum(v) - hit.wall;
            let rub = rules.rub(hit.bodies);
            let change = pushes[k].update(&u, &hit.normal, lever.inverse_mass, rebounds[k], rub);
            let all = hit.normal * change.normal + change.tangential;
            let half = 0.5 * lever.inverse_mass * change.tangential.norm_squared();
            friction_loss -= change.tangential.dot(&u) + half;
            lever.kick(&all, v);
            largest = largest.max(all.norm() * lever.inverse_mass);
        }
        if largest <= SETTLED * fastest {
            break;
        }
    }
    let total = |(push, hit): (&Push, &Hit)| hit.normal * push.normal + push.tangential;
    Outcome { impulses: pushes.iter().zip(hits).map(total).collect(), friction_loss }
}

/// The speed with which the ends should part  \[m/s\]: e times the speed with which they came to the surface.
///
/// The step has gone on behind the surface by the depth d, with the acceleration a = Δu/h; at the surface the speed was
/// w² = u² + 2 a d. So a ball that is dropped comes back to e² of its height, wherever in the step it touched.
/// An approach that this one step has made by more than half (|u| < 2 |a| h) is no impact but a load that rests: it does
/// not bounce. Both follow from the states at the ends of the step, so nothing has to be remembered.
fn rebound(hit: &Hit, lever: &Lever, rules: &Rules, step: Step, v: &[Vec3]) -> f64 {
    let along = |nodes: &[Vec3]| (lever.sum(nodes) - hit.wall).dot(&hit.normal);
    let (now, before) = (along(v), along(step.before));
    if now >= 0.0 || -before < -0.5 * now || step.length <= 0.0 {
        return 0.0;
    }
    let acceleration = (now - before) / step.length;
    let at_surface = now * now + 2.0 * acceleration.min(0.0) * hit.depth;
    rules.restitution * at_surface.max(0.0).sqrt()
}
