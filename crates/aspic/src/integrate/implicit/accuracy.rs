//! How long implicit steps may be: what follows from the error of a step.
//!
//! A step is good if no coordinate of a free node has an error larger than the tolerance times the size of the smallest
//! body. This is an error for each step, of positions only. An error per second, as explicit steps have it, cannot be
//! kept where bodies hit: a velocity that jumps by Δv makes an error of about h Δv, which per second is Δv however
//! short the step; and the error of the velocity is Δv itself.

use std::ops::Range;

use super::scheme::LARGEST_RATIO;
use crate::Vec3;
use crate::state::State;
use crate::world::World;

/// The step keeps this part of what the error allows.
const SAFETY: f64 = 0.84;
/// A step is at most so much longer than the one before. Less, and two steps to a frame would never become one; more,
/// and BDF2 would not use its past.
const GROWTH: f64 = LARGEST_RATIO;
/// It is at most so much shorter.
const SHRINKAGE: f64 = 0.1;
/// A step that is taken again is shorter by at least this.
const RETREAT: f64 = 0.8;

/// What becomes of a step that found its minimum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    /// It is taken, and the next one may be so long  \[s\]
    Taken { suggested: f64 },
    /// It is taken again, no longer than this  \[s\]
    TooLong { longest: f64 },
    /// It is taken again with a scheme that damps.
    Undamped,
}

/// Judges a step of length h \[s\] and of some order by its error over the tolerance. `misses` counts how often it was
/// too long already.
///
/// The error of a smooth motion falls as h to the order plus one. If that did not help, something jumps, and the
/// error falls only as h. Steps that cannot be halved without going below `min_step` \[s\] are taken as they are: a
/// loss of accuracy for a moment, where the alternative is to stop.
pub(super) fn judge(excess: f64, order: i32, h: f64, misses: u32, min_step: f64) -> Verdict {
    let power = if misses == 0 { 1.0 / f64::from(order + 1) } else { 1.0 };
    let factor = SAFETY * excess.max(1e-12).powf(-power);
    if excess > 1.0 && 0.5 * h >= min_step {
        return Verdict::TooLong { longest: (h * factor.clamp(SHRINKAGE, RETREAT)).max(min_step) };
    }
    // After a jump the order says nothing; the step grows by what it can be sure of.
    Verdict::Taken { suggested: (h * factor.clamp(SHRINKAGE, GROWTH)).max(min_step) }
}

/// Part of the energy of motion that a step may destroy or make in a contact by its length alone.
pub(super) const MOST_LOST: f64 = 0.002;
/// Bodies that move more slowly than if their weight and loads had moved them by this part of the smallest size count as
/// resting, and so do those that need this many seconds to move by it where nothing pulls them.
const RESTING: f64 = 1e-3;
const RESTING_TIME: f64 = 0.1;
/// Contacts that push a body by more than this many times its weight and loads are an impact, and so are all that meet one
/// which is faster than if these had moved it by this part of the smallest size. Else they hold it up.
const IMPACT: f64 = 3.0;
const LIVELY: f64 = 0.05;

/// What a step from `now` to `next` does to the motion of whole bodies by its length alone, over their energy of motion.
/// A body of mass m whose centre of mass x has the velocity u and, at the end, the acceleration a loses
///
/// ½ m (u² − u′²) + m a·(x′ − x)
///
/// which is zero where a is steady, so that bodies that fall or rest do not count. A bounce that lasts for many steps
/// loses little; one that begins and ends within a step loses all. Only impacts count: bodies that lie on each other and
/// wobble do so at the step of the scene. Since both terms may cancel by chance, it counts as at
/// least ½ m (½ h (a − aⁿ))², what the change of a within the step leaves open. `pull` is the weight and load of a node  \[N\].
pub(super) fn impact_loss(
    world: &World,
    (now, next): (&State, &State),
    (before, acceleration): (&[Vec3], &[Vec3]),
    pull: impl Fn(usize) -> Vec3,
    h: f64,
) -> f64 {
    let inertia = &world.inertia;
    let gravity = &world.gravity.acceleration;
    let (mut lost, mut moving) = (0.0, 0.0);
    for (nodes, mass) in moved_bodies(world) {
        let nodes = || nodes.clone();
        let [u, u_end, a] = [&now.v, &next.v, acceleration].map(|list| inertia.center(list, nodes()));
        let way = inertia.center(&next.q, nodes()) - inertia.center(&now.q, nodes());
        let signed = 0.5 * (u.norm_squared() - u_end.norm_squared()) + a.dot(&way);
        let a_start = if before.is_empty() { a } else { inertia.center(before, nodes()) };
        let pulled = pulled(nodes(), mass, &pull);
        let is_hit = |a: &Vec3| (a - gravity).norm() > IMPACT * pulled;
        let along = pulled * world.scale.length;
        if is_hit(&a) || is_hit(&a_start) || 0.5 * u.norm_squared() > LIVELY * along {
            lost += mass * signed.abs().max(0.125 * ((a - a_start) * h).norm_squared());
        }
        moving += mass * (0.5 * u.norm_squared().max(u_end.norm_squared()) + at_rest(world, pulled));
    }
    if moving > 0.0 { lost / moving } else { 0.0 }
}

/// Energy of all bodies when they move as slowly as what counts as resting  \[J\]
pub(super) fn resting_energy(world: &World, pull: impl Fn(usize) -> Vec3) -> f64 {
    moved_bodies(world).map(|(nodes, mass)| mass * at_rest(world, pulled(nodes, mass, &pull))).sum()
}

/// The bodies that forces move: their nodes and mass  \[kg\]
fn moved_bodies(world: &World) -> impl Iterator<Item = (Range<usize>, f64)> {
    let inertia = &world.inertia;
    let bodies = world.topology.bodies.iter().map(|body| body.nodes.clone());
    let weighed = bodies.map(|nodes| (nodes.clone(), inertia.masses()[nodes].iter().sum()));
    weighed.filter(|(nodes, mass)| *mass > 0.0 && !nodes.clone().any(|node| inertia.is_guided(node)))
}

/// Weight and loads of a body over its mass, counted without direction  \[m/s²\]
fn pulled(nodes: Range<usize>, mass: f64, pull: impl Fn(usize) -> Vec3) -> f64 {
    nodes.map(|node| pull(node).norm()).sum::<f64>() / mass
}

/// Energy of motion over mass of a body that counts as resting while it is pulled so  \[m²/s²\]
fn at_rest(world: &World, pulled: f64) -> f64 {
    let length = RESTING * world.scale.length;
    pulled * length + 0.5 * (length / RESTING_TIME).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of a model whose error is (h/h₀)ᵖ, from `first`: the lengths that were tried, the last one taken.
    fn tried(first: f64, order: i32, power: f64, good: f64, min_step: f64) -> Vec<f64> {
        let mut lengths = vec![first];
        loop {
            let h = lengths[lengths.len() - 1];
            match judge((h / good).powf(power), order, h, lengths.len() as u32 - 1, min_step) {
                Verdict::Taken { .. } => return lengths,
                Verdict::TooLong { longest } => lengths.push(longest),
                Verdict::Undamped => unreachable!("an error says nothing about damping"),
            }
        }
    }

    #[test]
    fn smooth_motion_finds_its_step_at_the_second_try() {
        for order in [1, 2] {
            let lengths = tried(1e-2, order, f64::from(order + 1), 2e-3, 1e-6);
            assert_eq!(lengths.len(), 2, "{lengths:?}");
            assert!((lengths[1] / (SAFETY * 2e-3) - 1.0).abs() < 1e-12, "{lengths:?}");
        }
    }

    #[test]
    fn jump_is_stepped_over_after_few_tries() {
        for good in [1e-3, 1e-4, 1e-5] {
            let lengths = tried(1e-2, 2, 1.0, good, 1e-6);
            assert!(lengths.len() <= 6 && lengths[lengths.len() - 1] > 0.5 * good, "{lengths:?}");
        }
    }

    #[test]
    fn error_that_never_falls_ends_at_the_shortest_step() {
        let lengths = tried(1e-2, 2, 1e-9, 1e-300, 1e-6);
        let last = lengths[lengths.len() - 1];
        assert!((1e-6..2e-6).contains(&last) && lengths.len() < 60, "{lengths:?}");
    }

    #[test]
    fn quiet_motion_lets_steps_double() {
        assert_eq!(judge(0.0, 2, 1.0, 0, 1e-6), Verdict::Taken { suggested: GROWTH });
        let Verdict::Taken { suggested } = judge(1.0, 2, 1.0, 0, 1e-6) else { panic!("a good step") };
        assert_eq!(suggested, SAFETY);
    }
}
