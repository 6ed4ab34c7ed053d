//! What stopped the search for a minimum.

use super::objective::{Objective, UPRIGHT};
use crate::Vec3;
use crate::contact::Stop;
use crate::integrate::Spot;
use crate::world::World;

/// The pair or tetrahedron that cuts the motion `direction` from q most; where nothing cuts it, the node that
/// `solution` would move farthest. Where it is no pair, who presses on the body is told too.
pub(super) fn culprit(
    world: &World,
    objective: &mut Objective,
    q: &[Vec3],
    direction: &[Vec3],
    solution: &[Vec3],
) -> Spot {
    let flat = world.flattest(q, direction).map(|(body, tet, t)| (body as u32, tet as u32, UPRIGHT * t));
    let stop = objective.first_stop(world, q, direction);
    let flat_first = flat.map_or(1.0, |(_, _, fraction)| fraction);
    match (stop, flat) {
        (Some(Stop { bodies, points, gap, fraction }), _) if fraction < 1.0 && fraction <= flat_first => {
            Spot::Pair { bodies, points, gap, fraction }
        }
        (_, Some((body, tet, fraction))) if fraction < 1.0 => {
            Spot::Element { body, tet, fraction, pressed_by: objective.pressing(world, body) }
        }
        _ => {
            let node = farthest(solution);
            let body = world.topology.bodies.iter().position(|body| body.nodes.contains(&node));
            let pressed_by = body.map_or([None; 2], |body| objective.pressing(world, body as u32));
            let speed = solution[node].amax() * objective.weights.rate;
            Spot::Node { node: node as u32, speed, pressed_by }
        }
    }
}

/// The node with the longest vector.
pub(super) fn farthest(vectors: &[Vec3]) -> usize {
    (0..vectors.len()).fold(0, |best, k| if vectors[k].amax() > vectors[best].amax() { k } else { best })
}
