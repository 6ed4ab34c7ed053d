//! Whether a body would pass another in one step.
//!
//! A step that crosses nothing may still deform a thin body past another one: legal, and not what happens. So steps
//! are kept short enough that no two bodies on a collision course move by more than a part of the thinner one.

use super::Contact;
use super::bounds::Bounds;
use crate::Vec3;

/// The planned motion of one part.
struct Course {
    swept: Bounds,
    mean: Vec3,
    /// No point departs from the mean by more  \[m\]
    spread: f64,
    thickness: f64,
}

/// Whether two parts whose swept boxes meet would move, relative to each other, by more than `share` of the thinner
/// one's smallest side. `x` are the surface points, `dx` their planned motion  \[m\]
pub fn passes(contact: &Contact, x: &[Vec3], dx: &[Vec3], share: f64) -> bool {
    let courses: Vec<Course> =
        (0..contact.surface.parts().len()).map(|k| course(contact, k, x, dx)).collect();
    let pairs = (0..courses.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    pairs.into_iter().any(|(a, b)| {
        let (first, second) = (&courses[a], &courses[b]);
        let relative = (first.mean - second.mean).norm() + first.spread + second.spread;
        relative > share * first.thickness.min(second.thickness)
            && contact.surface.may_touch(a, b)
            && first.swept.gap_squared(&second.swept) == 0.0
    })
}

fn course(contact: &Contact, part: usize, x: &[Vec3], dx: &[Vec3]) -> Course {
    let range = contact.distance.of(part);
    let part = &contact.surface.parts()[part];
    let points = || part.points.iter().map(|&p| p as usize);
    let swept = points().map(|p| Bounds::of_path(&x[p], &(x[p] + dx[p]), range));
    let swept = swept.reduce(|a, b| a.union(&b)).unwrap_or(Bounds::EMPTY);
    let mean = points().map(|p| dx[p]).sum::<Vec3>() / part.points.len().max(1) as f64;
    let spread = points().map(|p| (dx[p] - mean).norm()).fold(0.0, f64::max);
    // What has no inside can be bent past something only edge by edge.
    let solid = part.skin.closed() && !part.triangles.is_empty();
    let thickness = match (solid, part.median_edge) {
        (false, Some(edge)) => (2.0 * edge).max(range),
        _ => (part.box_sides.min() + 2.0 * part.radius).max(range),
    };
    Course { swept, mean, spread, thickness }
}
