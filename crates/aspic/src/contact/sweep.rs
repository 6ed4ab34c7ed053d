//! Which parts are near each other: sweep and prune.

use super::bounds::Bounds;
use super::reach::ContactDistance;
use super::surface::Surface;

/// A pair is felt from d̂ on top of the radii and of a last gap of 1e-3 d̂ that is never used up.
const FELT: f64 = 1.0 + 1e-3;

/// Two parts whose boxes are near, or one part with itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartPair {
    /// Their numbers, ascending.
    pub parts: [u32; 2],
    /// Below this distance their primitives feel each other \[m\].
    pub distance: f64,
    /// d̂ where they are of one body \[m\]
    own_range: Option<f64>,
}

/// Parts of one body push each other from no more than this share of their distance at rest.
pub(super) const SELF_RANGE: f64 = 0.5;
/// The last gap of a body and its radii are no more than this share of that distance.
pub(super) const SELF_FLOOR: f64 = 0.25;

impl PartPair {
    /// Whether a part meets itself.
    pub fn is_own(&self) -> bool {
        self.parts[0] == self.parts[1]
    }

    /// Below this distance two primitives feel each other \[m\]. In one body it is less for those that are near at
    /// rest: `rest` is asked for how near that is.
    pub fn felt(&self, rest: impl FnOnce() -> f64) -> f64 {
        let Some(range) = self.own_range else { return self.distance };
        let rest = rest();
        range.min(SELF_RANGE * rest) + (self.distance - range).min(SELF_FLOOR * rest)
    }
}

/// Below this distance primitives of two parts feel each other \[m\].
pub fn felt_distance(surface: &Surface, distance: &ContactDistance, a: usize, b: usize) -> f64 {
    let parts = surface.parts();
    FELT * distance.between(a, b) + parts[a].radius + parts[b].radius
}

/// Finds the near parts in the order of their numbers. `order` and `out` keep their buffers.
///
/// Parts are sorted by where their boxes begin along the longest side of the scene; a box meets only those that
/// begin before it ends.
pub fn near_parts(
    surface: &Surface,
    distance: &ContactDistance,
    boxes: &[Bounds],
    order: &mut Vec<u32>,
    out: &mut Vec<PartPair>,
) {
    out.clear();
    order.clear();
    order.extend((0..boxes.len() as u32).filter(|&k| boxes[k as usize].girth() >= 0.0));
    let scene = order.iter().fold(Bounds::EMPTY, |all, &k| all.union(&boxes[k as usize]));
    let axis = (scene.hi - scene.lo).imax();
    // Half of each part's own distance: the smaller of two is at most the sum of their halves.
    let wide = |k: usize| 0.5 * FELT * distance.of(k) + surface.parts()[k].radius;
    let start = |k: u32| boxes[k as usize].lo[axis] - wide(k as usize);
    order.sort_unstable_by(|&i, &j| start(i).total_cmp(&start(j)).then(i.cmp(&j)));
    for (place, &i) in order.iter().enumerate() {
        let end = boxes[i as usize].hi[axis] + wide(i as usize);
        for &j in order[place..].iter().take_while(|&&j| j == i || start(j) <= end) {
            let [a, b] = [i.min(j), i.max(j)].map(|k| k as usize);
            let felt = felt_distance(surface, distance, a, b);
            if surface.may_touch(a, b) && boxes[a].gap_squared(&boxes[b]) <= felt * felt {
                let one_body = surface.parts()[a].body == surface.parts()[b].body;
                let own_range = one_body.then(|| distance.between(a, b));
                out.push(PartPair { parts: [a as u32, b as u32], distance: felt, own_range });
            }
        }
    }
    out.sort_unstable_by_key(|pair| pair.parts);
}
