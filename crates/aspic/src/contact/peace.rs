//! Starts in peace: bodies that begin nearer to each other than the contact distance do not push at first.

use std::collections::BTreeMap;

use super::candidates::Candidates;
use super::closest;
use super::law::{Contact, FLOOR};
use crate::Vec3;

/// Shortens the contact distance of every two parts, and of parts and half-spaces, that are nearer than it with the surface
/// points at `x`, to what is open between them. Of a part to itself the shape at rest decides.
pub(crate) fn begin_in_peace(contact: &mut Contact, x: &[Vec3]) {
    let surface = &contact.surface;
    let mut candidates = Candidates::new(surface);
    candidates.rebuild(surface, x, x, &contact.distance);
    let mut open: BTreeMap<[usize; 2], f64> = BTreeMap::new();
    for pair in candidates.pairs() {
        let (a, b) = (pair.points[0], pair.points[3]);
        let parts = [a, b].map(|point| surface.part_of(point).unwrap_or(0));
        if parts[0] != parts[1] {
            let distance = closest(pair.kind, &pair.points.map(|p| x[p as usize])).distance();
            let gap = distance - surface.radius_at(a) - surface.radius_at(b);
            let least = open.entry([parts[0].min(parts[1]), parts[0].max(parts[1])]).or_insert(f64::INFINITY);
            *least = least.min(gap);
        }
    }
    let mut above: BTreeMap<[usize; 2], f64> = BTreeMap::new();
    for (k, half_space) in contact.half_spaces.iter().enumerate() {
        for (number, part) in surface.parts().iter().enumerate().filter(|(_, part)| !part.fixed) {
            let heights = part.points.iter().map(|&p| half_space.height(&x[p as usize]) - part.radius);
            above.insert([number, k], heights.fold(f64::INFINITY, f64::min));
        }
    }
    // A gap is d̂ and the floor that is never undercut.
    let range = |gap: f64| gap / (1.0 + 2.0 * FLOOR);
    let gaps = |list: BTreeMap<[usize; 2], f64>| list.into_iter().filter(|(_, gap)| *gap > 0.0);
    gaps(open).for_each(|(parts, gap)| contact.distance.limit_between(parts, range(gap)));
    gaps(above).for_each(|([part, plane], gap)| contact.distance.limit_at_plane(part, plane, range(gap)));
}
