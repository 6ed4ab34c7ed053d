//! The way out of an overlap: an estimate, good enough to name a depth and to push bodies apart again and again.

use super::SurfacePart;
use super::crossing::{Crossing, Shapes};
use super::inside::{inside, way_to_surface};
use super::law::Contact;
use super::tree::Tree;
use crate::Vec3;

/// Unit direction in which the first of two parts leaves the second, and how far that is  \[m\]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WayOut {
    pub direction: Vec3,
    pub depth: f64,
}

/// One of two parts at some positions.
pub(super) struct Side<'a> {
    part: &'a SurfacePart,
    tree: &'a Tree,
    x: &'a [Vec3],
}

/// Directions cancel when their sum is shorter than this share of their lengths.
const CANCELLED: f64 = 0.1;

impl<'a> Side<'a> {
    pub fn new(contact: &'a Contact, shapes: &'a Shapes, part: usize, x: &'a [Vec3]) -> Side<'a> {
        Side { part: &contact.surface.parts()[part], tree: &shapes.trees[part], x }
    }

    fn points(&self) -> impl Iterator<Item = &'a Vec3> {
        let x = self.x;
        self.part.points.iter().map(move |&p| &x[p as usize])
    }

    fn centre(&self) -> Vec3 {
        self.points().sum::<Vec3>() / self.part.points.len().max(1) as f64
    }

    /// Edges of free solids always come in pairs of triangles; of obstacles from files one cannot be sure.
    fn has_inside(&self) -> bool {
        self.part.skin.closed() && (!self.part.fixed || self.part.skin.manifold())
    }

    /// Largest coordinate along a direction  \[m\]
    fn top(&self, direction: &Vec3) -> f64 {
        self.points().map(|x| direction.dot(x)).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// A normal that may be turned either way, made to point from the body of the second point to that of the first.
pub(super) fn unsure_normal(contact: &Contact, points: [u32; 2], normal: Vec3, x: &[Vec3]) -> Vec3 {
    let Some(unit) = normal.try_normalize(0.0) else { return Vec3::zeros() };
    let [first, second] = points.map(|p| {
        let part = contact.surface.part_of(p).map(|part| &contact.surface.parts()[part].points[..]);
        let part = part.unwrap_or_default();
        part.iter().map(|&p| x[p as usize]).sum::<Vec3>() / part.len().max(1) as f64
    });
    // Obstacles are often much larger than what lies on them: the free body's centre is compared with the contact.
    let at = x[points[1] as usize];
    let free = if contact.surface.is_fixed(points[0]) { at - second } else { first - at };
    if unit.dot(&free) < 0.0 { -unit } else { unit }
}

/// Out of a body that crosses another: along the mean way from what is astray to the surface it passed.
pub(super) fn crossing_way(sides: &[Side; 2], crossings: &[Crossing]) -> WayOut {
    let open = sides.iter().position(|side| !side.has_inside());
    if let Some(way) = open.and_then(|open| plane_way(sides, open, crossings)) {
        return way;
    }
    let mut sum = Vec3::zeros();
    let (mut lengths, mut depth) = (0.0, 0.0_f64);
    for (sign, [this, other]) in [(1.0, [&sides[0], &sides[1]]), (-1.0, [&sides[1], &sides[0]])] {
        for way in astray(this, other, crossings) {
            sum += sign * way;
            lengths += way.norm();
            depth = depth.max(way.norm());
        }
    }
    match sum.try_normalize(CANCELLED * lengths) {
        Some(direction) => WayOut { direction, depth },
        None => nested_way(sides),
    }
}

/// Ways to the other surface from all points of this part on the wrong side of it, and from the middle of edges that
/// pass right through.
fn astray(this: &Side, other: &Side, crossings: &[Crossing]) -> Vec<Vec3> {
    let x = this.x;
    if !other.has_inside() {
        return vec![];
    }
    let within: Vec<bool> = this.points().map(|point| inside(other.tree, x, point)).collect();
    // A container: what is outside is astray.
    let contained = other.part.fixed && 2 * within.iter().filter(|&&within| within).count() > within.len();
    let points = this.points().zip(&within).filter(|&(_, &within)| within != contained);
    let mut samples: Vec<Vec3> = points.map(|(point, _)| *point).collect();
    let mine = |c: &&Crossing| this.part.points.binary_search(&c.edge[0]).is_ok();
    let crossings: Vec<&Crossing> = crossings.iter().filter(mine).collect();
    for same in crossings.chunk_by(|a, b| a.edge == b.edge).filter(|same| same.len() > 1) {
        let mut at: Vec<f64> = same.iter().map(|c| share(c.heights(x))).collect();
        at.sort_unstable_by(f64::total_cmp);
        let [a, b] = same[0].edge.map(|p| x[p as usize]);
        samples.push(a.lerp(&b, 0.5 * (at[0] + at[1])));
    }
    samples.iter().filter_map(|sample| way_to_surface(other.tree, x, sample)).collect()
}

/// Where along an edge its height is zero.
fn share([start, end]: [f64; 2]) -> f64 {
    let share = start / (start - end);
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 }
}

/// Out of an open surface: to the nearer side of the plane that the crossed triangles have in the mean.
fn plane_way(sides: &[Side; 2], open: usize, crossings: &[Crossing]) -> Option<WayOut> {
    let x = sides[0].x;
    let (sheet, body) = (&sides[open], &sides[1 - open]);
    let crossed = || crossings.iter().filter(|c| sheet.part.points.binary_search(&c.triangle[0]).is_ok());
    let normals: f64 = crossed().map(|c| c.normal(x).norm()).sum();
    let mean = crossed().map(|c| c.normal(x)).sum::<Vec3>();
    let normal = mean.try_normalize((CANCELLED * normals).max(f64::MIN_POSITIVE))?;
    let corners = || crossed().flat_map(|c| c.triangle).map(|p| x[p as usize]);
    let height = normal.dot(&(corners().sum::<Vec3>() / corners().count().max(1) as f64));
    let (up, down) = (height + body.top(&-normal), body.top(&normal) - height);
    let (direction, depth) = if up <= down { (normal, up) } else { (-normal, down) };
    Some(WayOut { direction: if open == 1 { direction } else { -direction }, depth })
}

/// Clear of the whole other part: the shortest such way along an axis, the line of centres, or the mean way to the
/// other surface.
pub(super) fn nested_way(sides: &[Side; 2]) -> WayOut {
    let [first, second] = sides;
    let nearest =
        first.points().filter_map(|point| way_to_surface(second.tree, first.x, point)).sum::<Vec3>();
    let axes = [Vec3::z(), Vec3::x(), Vec3::y()].into_iter().flat_map(|axis| [axis, -axis]);
    let lines = [nearest, first.centre() - second.centre()];
    let lines = lines.into_iter().filter_map(|line| line.try_normalize(1e-12));
    let clear =
        |direction: Vec3| WayOut { direction, depth: second.top(&direction) + first.top(&-direction) };
    let ways = lines.chain(axes).map(clear);
    let none = WayOut { direction: Vec3::z(), depth: f64::INFINITY };
    ways.fold(none, |best, way| if way.depth < best.depth { way } else { best })
}
