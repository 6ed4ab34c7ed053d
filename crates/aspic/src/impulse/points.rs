//! Mass points against half-spaces, spheres and each other (Teschner).

use super::grid::near_pairs;
use super::{Hit, Impulses, Shape};
use crate::Vec3;

impl Impulses {
    /// Points behind a half-space's plane, or nearer to it than their radius.
    pub(super) fn find_on_walls(&self, x: &[Vec3], hits: &mut Vec<Hit>) {
        for (k, shape) in self.shapes.iter().enumerate() {
            for (w, wall) in self.walls.iter().enumerate() {
                let other = self.shapes.len() + w;
                if !self.meet(k, other) {
                    continue;
                }
                for &p in &shape.points {
                    let gap = wall.normal.dot(&(x[p as usize] - wall.point)) - shape.radius;
                    if gap < 0.0 {
                        hits.push(Hit::on_wall(
                            p,
                            wall.normal,
                            -gap,
                            Vec3::zeros(),
                            [k as u32, other as u32],
                        ));
                    }
                }
            }
        }
    }

    /// Points in spheres, which may move and turn.
    pub(super) fn find_on_balls(&self, x: &[Vec3], v: &[Vec3], hits: &mut Vec<Hit>) {
        let balls = self.shapes.iter().enumerate().filter_map(|(k, shape)| Some((k, shape.ball?, shape)));
        for (other, radius, ball) in balls {
            let motion = Motion::of(ball, x, v);
            for (k, shape) in self.shapes.iter().enumerate().filter(|(k, _)| self.meet(*k, other)) {
                for &p in &shape.points {
                    let arm = x[p as usize] - motion.center;
                    let depth = radius + shape.radius - arm.norm();
                    if depth > 0.0 {
                        let n = arm.try_normalize(0.0).unwrap_or(Vec3::z());
                        let wall = motion.velocity + motion.spin.cross(&(n * radius));
                        hits.push(Hit::on_wall(p, n, depth, wall, [k as u32, other as u32]));
                    }
                }
            }
        }
    }

    /// Points that are nearer to each other than both radii.
    pub(super) fn find_pairs(&self, x: &[Vec3], hits: &mut Vec<Hit>) {
        let sized = || self.shapes.iter().enumerate().filter(|(_, s)| s.radius > 0.0 && s.ball.is_none());
        let points: Vec<u32> = sized().flat_map(|(_, shape)| shape.points.iter().copied()).collect();
        let mut owners: Vec<(u32, usize)> =
            sized().filter_map(|(k, s)| Some((*s.points.last()?, k))).collect();
        owners.sort_unstable();
        let owner = |p: u32| owners[owners.partition_point(|(last, _)| *last < p)].1;
        let reach = 2.0 * sized().map(|(_, shape)| shape.radius).fold(0.0, f64::max);
        let begin = hits.len();
        near_pairs(&points, x, reach, |p, q| {
            let bodies = [owner(p), owner(q)];
            let way = x[p as usize] - x[q as usize];
            let depth = self.shapes[bodies[0]].radius + self.shapes[bodies[1]].radius - way.norm();
            if depth > 0.0 && self.may_touch(bodies, [p, q]) {
                let n = way.try_normalize(0.0).unwrap_or(Vec3::z());
                hits.push(Hit::of_pair([p, q], n, depth, bodies.map(|body| body as u32)));
            }
        });
        // Cells come in the order of places; impulses should not depend on where the origin is.
        hits[begin..].sort_unstable_by_key(|hit| (hit.points[0].0, hit.points[1].0));
    }

    /// Whether two points touch when they are near.
    fn may_touch(&self, [a, b]: [usize; 2], pair: [u32; 2]) -> bool {
        let own = a != b || (self.own && self.neighbours.binary_search(&pair).is_err());
        own && self.meet(a, b)
    }

    /// The pairs of one body's points that are nearer at `x` \[m\] than their radii, or neighbours on a line or a
    /// triangle: they stay together and do not touch.
    pub fn note_neighbours(&mut self, x: &[Vec3]) {
        let mut pairs: Vec<[u32; 2]> = vec![];
        for shape in &self.shapes {
            near_pairs(&shape.points, x, 2.0 * shape.radius, |p, q| {
                if (x[p as usize] - x[q as usize]).norm() < 2.0 * shape.radius {
                    pairs.push([p, q]);
                }
            });
            pairs.extend(shape.graph.edges());
        }
        pairs.sort_unstable();
        pairs.dedup();
        self.neighbours = pairs;
    }
}

/// How a sphere moves, from the points of its surface.
struct Motion {
    center: Vec3,
    velocity: Vec3,
    spin: Vec3,
}

impl Motion {
    /// The points are spread evenly: their mean is the centre, and Σ r × v = ⅔ Σ r² ω for a rigid motion.
    fn of(ball: &Shape, x: &[Vec3], v: &[Vec3]) -> Motion {
        let count = ball.points.len().max(1) as f64;
        let mean = |list: &[Vec3]| ball.points.iter().map(|&p| list[p as usize]).sum::<Vec3>() / count;
        let (center, velocity) = (mean(x), mean(v));
        let arms = || ball.points.iter().map(|&p| (x[p as usize] - center, v[p as usize] - velocity));
        let squares: f64 = arms().map(|(r, _)| r.norm_squared()).sum();
        let moment: Vec3 = arms().map(|(r, v)| r.cross(&v)).sum();
        let spin = if squares > 0.0 { moment * (1.5 / squares) } else { Vec3::zeros() };
        Motion { center, velocity, spin }
    }
}
