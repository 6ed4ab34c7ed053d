//! The surfaces of all bodies as they are drawn: corners split where an edge is sharp, normals by area, large
//! triangles cut so that light and shade have corners to live on. The tubes of ropes come last.

use std::collections::HashMap;

use aspic::frame::Topology;

use super::V;
use super::tube::Tubes;
use crate::open::{edges, open_bodies};

/// Faces that meet at less than this angle look like one curved surface: its cosine, 55°. The tube of a torus with
/// eight sides turns by 45° from face to face, the edge of a box by 90°.
const CREASE: f32 = 0.574;
/// No more triangles than this are made by cutting.
const MOST_TRIANGLES: usize = 200_000;

/// What does not change from frame to frame.
#[derive(Debug)]
pub(super) struct Skin {
    /// The point behind each corner; several corners share a point along sharp edges.
    pub points: Vec<u32>,
    /// Corners that cutting has added: each lies in the middle between two earlier ones.
    middles: Vec<[u32; 2]>,
    /// The triangles of the bodies, between corners, and those of the tubes.
    pub coarse: Vec<[u32; 3]>,
    /// How many of them belong to surfaces.
    surfaces: usize,
    /// The triangles that are drawn, between corners and middles.
    pub fine: Vec<[u32; 3]>,
    /// The body of each fine triangle.
    pub fine_body: Vec<u32>,
    /// Whether each coarse and each fine triangle belongs to a surface that does not close.
    pub coarse_open: Vec<bool>,
    pub fine_open: Vec<bool>,
    /// Whether each corner has two sides that can be seen.
    pub two_sided: Vec<bool>,
}

/// The surfaces in one frame, a value for each corner and middle, in coordinates of the stage.
#[derive(Debug)]
pub(super) struct Pose {
    pub positions: Vec<V>,
    /// Unit vectors.
    pub normals: Vec<V>,
    /// Values of the field that colours stand for, 0 to 1; empty where bodies have their own.
    pub values: Vec<f32>,
}

impl Skin {
    /// `start` are the positions of the points in the first frame, in coordinates of the stage; edges longer than
    /// `longest` are cut.
    pub(super) fn new(topology: &Topology, start: &[V], longest: f32) -> Skin {
        let triangles: Vec<[u32; 3]> = topology
            .triangles
            .iter()
            .copied()
            .filter(|t| t.iter().all(|&p| (p as usize) < start.len()))
            .collect();
        let (coarse, points) = split_at_creases(&triangles, start);
        let body_of = owners(topology);
        let mut open_bodies = open_bodies(topology);
        open_bodies.resize(topology.bodies.len().max(1), false);
        let of_corner = |corner: u32| body_of[points[corner as usize] as usize];
        let mut skin = Skin {
            coarse_open: coarse.iter().map(|t| open_bodies[of_corner(t[0]) as usize]).collect(),
            fine_body: coarse.iter().map(|t| of_corner(t[0])).collect(),
            fine: coarse.clone(),
            fine_open: vec![],
            two_sided: vec![],
            middles: vec![],
            surfaces: coarse.len(),
            coarse,
            points,
        };
        skin.cut(start, longest);
        skin.fine_open = skin.fine_body.iter().map(|&body| open_bodies[body as usize]).collect();
        skin.find_two_sided();
        skin
    }

    /// Corners of surfaces that do not close.
    fn find_two_sided(&mut self) {
        self.two_sided = vec![false; self.points.len() + self.middles.len()];
        let open = self.fine.iter().zip(&self.fine_open).filter(|(_, open)| **open);
        open.flat_map(|(t, _)| t).for_each(|&corner| self.two_sided[corner as usize] = true);
    }

    /// Appends closed surfaces whose corners come behind those that are there.
    pub(super) fn add_tubes(&mut self, tubes: &Tubes) {
        let casters = tubes.casters(self.two_sided.len());
        let (triangles, bodies) = tubes.triangles(self.two_sided.len());
        self.two_sided.resize(self.two_sided.len() + tubes.corners(), false);
        self.coarse.extend(casters);
        self.fine.extend(triangles);
        self.fine_body.extend(bodies);
        self.coarse_open.resize(self.coarse.len(), false);
        self.fine_open.resize(self.fine.len(), false);
    }

    /// Cuts edges in the middle until none is too long. Whether an edge is cut depends on its ends alone, so both
    /// sides of it agree and no gap opens.
    fn cut(&mut self, start: &[V], longest: f32) {
        let mut places: Vec<V> = self.points.iter().map(|&p| start[p as usize]).collect();
        for _ in 0..8 {
            let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
            let (mut fine, mut bodies) = (vec![], vec![]);
            for (triangle, &body) in self.fine.iter().zip(&self.fine_body) {
                let halves: [Option<u32>; 3] = std::array::from_fn(|side| {
                    let [a, b] = [triangle[side], triangle[(side + 1) % 3]];
                    let long = (places[a as usize] - places[b as usize]).norm() > longest;
                    long.then(|| {
                        *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                            self.middles.push([a.min(b), a.max(b)]);
                            places.push((places[a as usize] + places[b as usize]) * 0.5);
                            places.len() as u32 - 1
                        })
                    })
                });
                pieces(*triangle, halves, &mut fine);
                bodies.resize(fine.len(), body);
            }
            if middles.is_empty() || fine.len() > MOST_TRIANGLES {
                // Middles that no triangle uses do no harm, but they are not needed either.
                let used = places.len() - middles.len() - self.points.len();
                self.middles.truncate(used);
                return;
            }
            (self.fine, self.fine_body) = (fine, bodies);
        }
    }

    /// The surfaces with the points at `positions` and their `values`, which may be empty.
    pub(super) fn pose(&self, positions: &[V], values: &[f32]) -> Pose {
        let pick = |&p: &u32| positions.get(p as usize).copied().unwrap_or_else(V::zeros);
        let mut pose = Pose {
            positions: self.points.iter().map(pick).collect(),
            normals: vec![V::zeros(); self.points.len()],
            values: vec![],
        };
        for triangle in &self.coarse[..self.surfaces] {
            let [a, b, c] = triangle.map(|corner| pose.positions[corner as usize]);
            // Twice the area along the normal: large faces count more.
            let normal = (b - a).cross(&(c - a));
            triangle.iter().for_each(|&corner| pose.normals[corner as usize] += normal);
        }
        pose.normals.iter_mut().for_each(|n| *n = n.try_normalize(0.0).unwrap_or_else(V::z));
        if !values.is_empty() {
            pose.values =
                self.points.iter().map(|&p| values.get(p as usize).copied().unwrap_or(0.0)).collect();
        }
        for &[a, b] in &self.middles {
            let [a, b] = [a as usize, b as usize];
            pose.positions.push((pose.positions[a] + pose.positions[b]) * 0.5);
            let normal = pose.normals[a] + pose.normals[b];
            pose.normals.push(normal.try_normalize(0.0).unwrap_or(pose.normals[a]));
            if !pose.values.is_empty() {
                pose.values.push(0.5 * (pose.values[a] + pose.values[b]));
            }
        }
        pose
    }
}

/// The body of each point.
fn owners(topology: &Topology) -> Vec<u32> {
    let mut owners = vec![0; topology.points];
    for (number, body) in topology.bodies.iter().enumerate() {
        let range = body.points.start.min(topology.points)..body.points.end.min(topology.points);
        owners[range].fill(number as u32);
    }
    owners
}

/// Triangles between corners instead of points, and the point of each corner. Around a point, triangles that follow
/// each other over edges that are not sharp share a corner.
fn split_at_creases(triangles: &[[u32; 3]], x: &[V]) -> (Vec<[u32; 3]>, Vec<u32>) {
    let unit = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|p| x[p as usize]);
        (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(V::zeros)
    };
    let normals: Vec<V> = triangles.iter().map(unit).collect();
    let mut joined = Joined((0..3 * triangles.len() as u32).collect());
    let place = |t: u32, point: u32| {
        let within = triangles[t as usize].iter().position(|&p| p == point).unwrap_or(0);
        3 * t + within as u32
    };
    for edge in edges(triangles).chunk_by(|a, b| a[..2] == b[..2]) {
        if let [[a, b, first], [_, _, second]] = *edge
            && normals[first as usize].dot(&normals[second as usize]) > CREASE
        {
            joined.join(place(first, a), place(second, a));
            joined.join(place(first, b), place(second, b));
        }
    }
    let (mut corner, mut points) = (vec![u32::MAX; 3 * triangles.len()], vec![]);
    for (k, &point) in triangles.iter().flatten().enumerate() {
        let root = joined.root(k as u32) as usize;
        if corner[root] == u32::MAX {
            corner[root] = points.len() as u32;
            points.push(point);
        }
        corner[k] = corner[root];
    }
    (corner.as_chunks().0.to_vec(), points)
}

/// Sets that grow together; the root of each is its smallest member.
struct Joined(Vec<u32>);

impl Joined {
    fn root(&mut self, mut k: u32) -> u32 {
        while self.0[k as usize] != k {
            self.0[k as usize] = self.0[self.0[k as usize] as usize];
            k = self.0[k as usize];
        }
        k
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

/// A triangle whose sides are cut where `halves` has a corner: into one to four.
fn pieces([a, b, c]: [u32; 3], halves: [Option<u32>; 3], out: &mut Vec<[u32; 3]>) {
    match halves {
        [None, None, None] => out.push([a, b, c]),
        [Some(p), None, None] => out.extend([[a, p, c], [p, b, c]]),
        [None, Some(p), None] => out.extend([[b, p, a], [p, c, a]]),
        [None, None, Some(p)] => out.extend([[c, p, b], [p, a, b]]),
        [Some(p), Some(q), None] => out.extend([[p, b, q], [a, p, q], [a, q, c]]),
        [None, Some(p), Some(q)] => out.extend([[p, c, q], [b, p, q], [b, q, a]]),
        [Some(q), None, Some(p)] => out.extend([[p, a, q], [c, p, q], [c, q, b]]),
        [Some(p), Some(q), Some(r)] => out.extend([[a, p, r], [p, b, q], [r, q, c], [p, q, r]]),
    }
}
