//! A plane section through the centroid of a body, ready to be pressed against a floor.

use super::closed_mesh::ClosedMesh;
use super::floor::{Floor, FloorError};
use super::immersed::Ground;
use super::puppet::PuppetError;
use super::shape::Shape;
use super::{Medium, Polygon, Vec2, Vec3, cross};

/// Steps from the middle to the edge of a face of the cube of directions: 80 directions around each axis.
const STEPS: f64 = 10.0;
/// Where the outline turns by more than this it has a corner, which the section keeps  \[rad\]
const CORNER: f64 = 0.5;
/// Crossings nearer to each other than this part of the size are one.
const SAME: f64 = 1e-9;

/// A direction, rounded to a grid on the faces of a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounded([i8; 3]);

impl Rounded {
    /// The nearest direction of the grid.
    pub fn from(direction: Vec3) -> Rounded {
        let scale = STEPS / direction.amax();
        Rounded([0, 1, 2].map(|k| (direction[k] * scale).round() as i8))
    }

    fn direction(&self) -> Vec3 {
        Vec3::from(self.0.map(f64::from)).normalize()
    }
}

/// A section and its factored equations.
pub struct Slice {
    /// The plane through the origin that it lies in.
    pub key: Rounded,
    /// The section in the coordinates along `axes`.
    pub shape: Shape,
    /// Two unit vectors in the plane; their cross product is its normal.
    pub axes: [Vec3; 2],
    /// For each vertex the vertices of the mesh between which it lies, and their weights.
    feet: Vec<[(u32, f64); 4]>,
}

/// Where an edge of the mesh crosses the plane.
struct Crossing {
    place: Vec2,
    ends: [u32; 2],
    part: f64,
}

impl Slice {
    /// Cuts a body that is star-shaped about the origin, and gives the outline `count` vertices.
    pub fn new(
        mesh: &ClosedMesh,
        edges: &[[u32; 2]],
        key: Rounded,
        count: usize,
        medium: &Medium,
    ) -> Result<Slice, PuppetError> {
        let normal = key.direction();
        let mut aside = Vec3::zeros();
        aside[normal.iamin()] = 1.0;
        let first = aside.cross(&normal).normalize();
        let axes = [first, normal.cross(&first)];
        let crossings = crossings(mesh, edges, normal, axes);
        let (mut outline, mut feet) = (vec![], vec![]);
        for (k, part) in spread(&crossings, count) {
            let [a, b] = [&crossings[k], &crossings[(k + 1) % crossings.len()]];
            outline.push(a.place + part * (b.place - a.place));
            let foot = |c: &Crossing, w: f64| [(c.ends[0], w * (1.0 - c.part)), (c.ends[1], w * c.part)];
            let ([p, q], [r, s]) = (foot(a, 1.0 - part), foot(b, part));
            feet.push([p, q, r, s]);
        }
        let shape = Shape::new(Polygon::new(&outline)?, medium)?;
        Ok(Slice { key, shape, axes, feet })
    }

    /// A vector of the plane's coordinates.
    pub fn flat(&self, v: Vec3) -> Vec2 {
        Vec2::new(v.dot(&self.axes[0]), v.dot(&self.axes[1]))
    }

    /// Gives the outline the displacements of the mesh  \[m\].
    pub fn remember(&mut self, displacements: &[f64]) {
        for (k, feet) in self.feet.iter().enumerate() {
            let mut sum = Vec3::zeros();
            for (vertex, weight) in feet {
                let at = 3 * *vertex as usize;
                sum += *weight * Vec3::new(displacements[at], displacements[at + 1], displacements[at + 2]);
            }
            self.shape.displacements_mut()[k] = Vec2::new(sum.dot(&self.axes[0]), sum.dot(&self.axes[1]));
        }
    }

    /// The line in which the surface of the ground meets the plane, and the part of its normal in the plane.
    pub fn floor(&self, ground: &Ground) -> Result<(Floor, f64), FloorError> {
        let normal = self.flat(ground.normal);
        let floor = Floor::through(ground.offset / normal.norm_squared() * normal, normal)?;
        Ok((floor, normal.norm()))
    }
}

/// The section in order around the origin.
fn crossings(mesh: &ClosedMesh, edges: &[[u32; 2]], normal: Vec3, axes: [Vec3; 2]) -> Vec<Crossing> {
    let mut found = vec![];
    for &ends in edges {
        let [a, b] = ends.map(|v| mesh.vertices()[v as usize]);
        let (da, db) = (normal.dot(&a), normal.dot(&b));
        if (da >= 0.0) != (db >= 0.0) {
            let part = da / (da - db);
            let place = a + part * (b - a);
            found.push(Crossing { place: Vec2::new(place.dot(&axes[0]), place.dot(&axes[1])), ends, part });
        }
    }
    found.sort_by(|a, b| a.place.y.atan2(a.place.x).total_cmp(&b.place.y.atan2(b.place.x)));
    let size = found.iter().map(|c| c.place.norm()).fold(0.0, f64::max);
    found.dedup_by(|a, b| (a.place - b.place).norm() < SAME * size);
    if found.len() > 1 && (found[0].place - found[found.len() - 1].place).norm() < SAME * size {
        found.pop();
    }
    found
}

/// Places at equal distances along the outline, as an edge and a part of it; at each corner the nearest one moves there.
fn spread(crossings: &[Crossing], count: usize) -> Vec<(usize, f64)> {
    let n = crossings.len();
    let edge = |k: usize| crossings[(k + 1) % n].place - crossings[k % n].place;
    let mut starts = vec![0.0];
    (0..n).for_each(|k| starts.push(starts[k] + edge(k).norm()));
    let step = starts[n] / count as f64;
    let mut places = Vec::with_capacity(count);
    let mut k = 0;
    for i in 0..count {
        let at = i as f64 * step;
        while k + 1 < n && starts[k + 1] <= at {
            k += 1;
        }
        places.push((k, (at - starts[k]) / (starts[k + 1] - starts[k])));
    }
    for k in 0..n {
        let (before, after) = (edge(k + n - 1), edge(k));
        if cross(before, after).atan2(before.dot(&after)).abs() > CORNER {
            let nearest = (starts[k] / step).round() as usize % count;
            places[nearest] = (k, 0.0);
        }
    }
    places
}

#[cfg(test)]
#[path = "slice_tests.rs"]
mod tests;
