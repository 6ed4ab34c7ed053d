//! What can touch: the surfaces of all bodies.

use std::collections::BTreeSet;

use super::bounds::Bounds;
use super::part::{Part, Skin, SurfaceError};
use super::primitive::{Primitive, primitives};
use crate::Vec3;

/// The mark of a surface point that belongs to no part.
const NO_PART: u32 = u32::MAX;

/// All parts that can touch, and which bodies may touch which.
#[derive(Clone, Debug)]
pub struct Surface {
    rest: Vec<Vec3>,
    parts: Vec<SurfacePart>,
    part_of: Vec<u32>,
    excluded: BTreeSet<[u32; 2]>,
}

/// A checked part with what follows from it.
#[derive(Clone, Debug)]
pub struct SurfacePart {
    /// The body it belongs to.
    pub body: u32,
    /// Half its thickness \[m\].
    pub radius: f64,
    /// Its points never move freely.
    pub fixed: bool,
    /// It may touch itself.
    pub self_contact: bool,
    /// Its surface points, ascending.
    pub points: Vec<u32>,
    /// Its triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Sides of triangles and loose edges, each once: lower point first, ascending.
    pub edges: Vec<[u32; 2]>,
    /// Squares of the lengths of `edges` at rest \[m²\].
    pub rest_lengths_squared: Vec<f64>,
    /// Median length of `edges` at rest \[m\]; none without edges.
    pub median_edge: Option<f64>,
    /// Sides of its box at rest \[m\].
    pub box_sides: Vec3,
    /// Whether its triangles bound a volume.
    pub skin: Skin,
    pub(super) primitives: Vec<Primitive>,
}

impl Surface {
    /// Surface points at rest \[m\], in no part yet.
    pub fn new(rest: Vec<Vec3>) -> Surface {
        let part_of = vec![NO_PART; rest.len()];
        Surface { rest, parts: vec![], part_of, excluded: BTreeSet::new() }
    }

    /// Adds a part and gives its number. A part that is wrong changes nothing.
    ///
    /// Open surfaces and edges with many triangles are accepted; see [`SurfacePart::skin`].
    pub fn add(&mut self, part: &Part) -> Result<usize, SurfaceError> {
        part.check(&self.rest)?;
        if let Some(point) = part.named_points().find(|&p| self.part_of[p as usize] != NO_PART) {
            return Err(SurfaceError::SharedPoint { point });
        }
        let number = self.parts.len();
        part.named_points().for_each(|p| self.part_of[p as usize] = number as u32);
        self.parts.push(SurfacePart::new(part, &self.rest));
        Ok(number)
    }

    /// Two bodies never touch, or a body never touches itself.
    pub fn exclude(&mut self, body_a: u32, body_b: u32) {
        self.excluded.insert([body_a.min(body_b), body_a.max(body_b)]);
    }

    /// Whether two bodies were told never to touch.
    pub fn excludes(&self, body_a: u32, body_b: u32) -> bool {
        self.excluded.contains(&[body_a.min(body_b), body_a.max(body_b)])
    }

    /// Whether something of one part may touch something of another, or of itself.
    ///
    /// Parts of the same body touch each other when both may touch themselves.
    pub fn may_touch(&self, part_a: usize, part_b: usize) -> bool {
        let (a, b) = (&self.parts[part_a], &self.parts[part_b]);
        let own = a.body != b.body || (a.self_contact && b.self_contact);
        own && !(a.fixed && b.fixed) && !self.excludes(a.body, b.body)
    }

    /// All parts, in the order in which they were added.
    pub fn parts(&self) -> &[SurfacePart] {
        &self.parts
    }

    /// Positions at rest \[m\].
    pub fn rest(&self) -> &[Vec3] {
        &self.rest
    }

    /// The part of a surface point.
    pub fn part_of(&self, point: u32) -> Option<usize> {
        Some(self.part_of[point as usize]).filter(|&part| part != NO_PART).map(|part| part as usize)
    }

    /// The body of a surface point.
    pub fn body_of(&self, point: u32) -> Option<u32> {
        self.part_of(point).map(|part| self.parts[part].body)
    }

    /// The radius at a surface point \[m\]; zero in no part.
    pub fn radius_at(&self, point: u32) -> f64 {
        self.part_of(point).map_or(0.0, |part| self.parts[part].radius)
    }

    /// Whether a surface point never moves freely; not so in no part.
    pub fn is_fixed(&self, point: u32) -> bool {
        self.part_of(point).is_some_and(|part| self.parts[part].fixed)
    }

    /// Square of the distance of two points at rest \[m²\]: for an edge, of its length.
    pub fn rest_length_squared(&self, [a, b]: [u32; 2]) -> f64 {
        (self.rest[a as usize] - self.rest[b as usize]).norm_squared()
    }
}

impl SurfacePart {
    fn new(part: &Part, rest: &[Vec3]) -> SurfacePart {
        let mut points: Vec<u32> = part.named_points().collect();
        points.sort_unstable();
        points.dedup();
        let edges = part.edges();
        let squared = |&[a, b]: &[u32; 2]| (rest[a as usize] - rest[b as usize]).norm_squared();
        let rest_lengths_squared: Vec<f64> = edges.iter().map(squared).collect();
        SurfacePart {
            body: part.body,
            radius: part.radius,
            fixed: part.fixed,
            self_contact: part.self_contact,
            box_sides: box_sides(&points, rest),
            points,
            triangles: part.triangles.to_vec(),
            edges,
            median_edge: median(&rest_lengths_squared).map(f64::sqrt),
            rest_lengths_squared,
            skin: Skin::of(part.triangles),
            primitives: primitives(part),
        }
    }

    /// Every point on an edge, ascending, with the mean length of its edges at rest  \[m\]
    pub fn mean_edges(&self) -> impl Iterator<Item = (u32, f64)> {
        let lengths = self.rest_lengths_squared.iter().map(|square| square.sqrt());
        let mut ends: Vec<(u32, f64)> =
            self.edges.iter().zip(lengths).flat_map(|(ends, length)| ends.map(|end| (end, length))).collect();
        ends.sort_by_key(|(point, _)| *point);
        let mean =
            |of: &[(u32, f64)]| (of[0].0, of.iter().map(|(_, length)| length).sum::<f64>() / of.len() as f64);
        ends.chunk_by(|a, b| a.0 == b.0).map(mean).collect::<Vec<_>>().into_iter()
    }

    /// Whether it changes its shape when it is touched: only such parts may touch themselves.
    pub fn deforms(&self) -> bool {
        self.self_contact
    }

    /// Diagonal of its box at rest \[m\].
    pub fn size(&self) -> f64 {
        self.box_sides.norm()
    }
}

fn box_sides(points: &[u32], rest: &[Vec3]) -> Vec3 {
    let at = |&p: &u32| Bounds::of_path(&rest[p as usize], &rest[p as usize], 0.0);
    let whole = points.iter().map(at).reduce(|a, b| a.union(&b));
    whole.map_or(Vec3::zeros(), |bounds| bounds.hi - bounds.lo)
}

/// The upper of the middle values.
fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}
