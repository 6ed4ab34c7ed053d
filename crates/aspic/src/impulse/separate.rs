//! Places are put right: whoever is in something else is moved to its surface.
//!
//! xᵢ += (cᵢ/mᵢ) d n / Σ c²/m: against a wall x − d n for the signed distance d (erratum T10: the source's sign doubles
//! the depth), between two points shared so that the centre of mass stays. This is no physics: it undoes what the
//! length of the step did, and the change of stored energy is a loss of the time steps.

use super::{Hit, Lever};
use crate::Vec3;

/// Most rounds.
const MOST_ROUNDS: usize = 20;
/// The rounds end when nothing is deeper than this part of the deepest.
const SETTLED: f64 = 1e-12;

/// How the nodes must move  \[m\], one after the other in the order of the hits. The levers say who moves how far; their
/// unit of impulse is a kg m here.
pub fn separate(hits: &[Hit], levers: &[Lever], nodes: usize) -> Vec<Vec3> {
    let mut moved = vec![Vec3::zeros(); nodes];
    let deepest = hits.iter().map(|hit| hit.depth).fold(0.0, f64::max);
    for _ in 0..MOST_ROUNDS {
        let mut left = 0.0f64;
        for (hit, lever) in hits.iter().zip(levers) {
            let depth = hit.depth - lever.sum(&moved).dot(&hit.normal);
            let inverse_mass = lever.inverse_mass.along(&hit.normal);
            if inverse_mass <= 0.0 || depth <= SETTLED * deepest {
                continue;
            }
            lever.kick(&(hit.normal * (depth / inverse_mass)), &mut moved);
            left = left.max(depth);
        }
        if left == 0.0 {
            break;
        }
    }
    moved
}
