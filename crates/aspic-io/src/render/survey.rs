//! A first look at all frames: how much room they take, and how large the values are that colours stand for.

use aspic::Vec3;
use aspic::frame::{BodyKind, BodyRange, Topology};

use super::camera::Fit;
use super::{ColorBy, Look};
use crate::picture::camera::Axes;
use crate::run_film::{Fields, FilmFrame};

/// Share of the points whose values the scale of colours covers: single corners with enormous stress would leave
/// nothing of it for the rest.
const COVERED: f64 = 0.995;

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub lo: Vec3,
    pub hi: Vec3,
}

impl Extent {
    pub(super) const NONE: Extent = Extent {
        lo: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        hi: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    pub(super) fn is_none(&self) -> bool {
        self.lo.x > self.hi.x
    }

    pub(super) fn add(&mut self, p: &Vec3) {
        if p.iter().all(|c| c.is_finite()) {
            (self.lo, self.hi) = (self.lo.inf(p), self.hi.sup(p));
        }
    }

    pub(super) fn join(&self, other: &Extent) -> Extent {
        Extent { lo: self.lo.inf(&other.lo), hi: self.hi.sup(&other.hi) }
    }

    /// The part inside another one; none if they do not meet.
    pub(super) fn within(&self, other: &Extent) -> Extent {
        let part = Extent { lo: self.lo.sup(&other.lo), hi: self.hi.inf(&other.hi) };
        if (0..3).all(|i| part.lo[i] <= part.hi[i]) { part } else { Extent::NONE }
    }

    /// Wider by a length on every side.
    pub(super) fn grown(&self, by: f64) -> Extent {
        Extent { lo: self.lo.add_scalar(-by), hi: self.hi.add_scalar(by) }
    }

    pub(super) fn middle(&self) -> Vec3 {
        (self.lo + self.hi) * 0.5
    }

    /// Half the diagonal.
    pub(super) fn radius(&self) -> f64 {
        (self.hi - self.lo).norm() * 0.5
    }

    pub(super) fn corners(&self) -> [Vec3; 8] {
        let pick = |k: usize, axis: usize| if k >> axis & 1 == 0 { self.lo[axis] } else { self.hi[axis] };
        std::array::from_fn(|k| Vec3::new(pick(k, 0), pick(k, 1), pick(k, 2)))
    }
}

/// Whether anything of a body is drawn; points alone do not count.
pub(super) fn is_drawn(body: &BodyRange) -> bool {
    !(body.triangles.is_empty() && body.edges.is_empty())
}

/// The points of a body that are drawn: not those inside it, nor those of a cage that hides below a skin.
pub(super) fn drawn_points(topology: &Topology, body: &BodyRange) -> Vec<u32> {
    let corners = topology.triangles[body.triangles.clone()].as_flattened().iter();
    let ends = topology.edges[body.edges.clone()].as_flattened().iter();
    let mut points: Vec<u32> = corners.chain(ends).copied().collect();
    points.sort_unstable();
    points.dedup();
    points
}

/// What a first look at the frames of a film has found.
#[derive(Clone, Debug)]
pub struct Survey {
    look: Look,
    pub(super) axes: Axes,
    pub(super) fit: Fit,
    /// The points of each drawn body that are drawn; known from the first frame on.
    drawn: Vec<Vec<u32>>,
    /// Where bodies are in each frame, without obstacles.
    pub(super) bodies: Vec<Extent>,
    /// Where each obstacle is in any frame.
    pub(super) obstacles: Vec<Extent>,
    /// The largest value that colours stand for.
    pub(super) largest: f64,
    /// Positions of the points in the first frame.
    pub(super) start: Vec<Vec3>,
}

impl Survey {
    /// Before the first frame. `start` are the positions in the first frame of the film \[m\].
    pub fn new(look: &Look, start: &[Vec3]) -> Survey {
        let axes = Axes::from(look.eye());
        Survey {
            look: *look,
            axes,
            fit: Fit::new(axes, look.width, look.height),
            drawn: vec![],
            bodies: vec![],
            obstacles: vec![],
            largest: 0.0,
            start: start.to_vec(),
        }
    }

    /// The fields that must be read for it, and for drawing.
    pub fn fields(look: &Look) -> Fields {
        Fields {
            velocity: look.color_by == ColorBy::Speed,
            stress: look.color_by == ColorBy::Stress,
            energy: look.color_by == ColorBy::Energy,
            contact: look.color_by == ColorBy::Contact,
            ..Fields::NONE
        }
    }

    /// Looks at a frame.
    pub fn see(&mut self, topology: &Topology, frame: &FilmFrame) {
        let bodies = || topology.bodies.iter().filter(|body| is_drawn(body));
        if self.drawn.is_empty() {
            self.drawn = bodies().map(|body| drawn_points(topology, body)).collect();
        }
        let values = point_values(&self.look, frame, &self.start);
        let mut shown = vec![];
        let mut all = Extent::NONE;
        let mut obstacles = vec![];
        for (body, drawn) in bodies().zip(&self.drawn) {
            let points = || drawn.iter().filter_map(|&point| frame.positions.get(point as usize));
            let mut extent = Extent::NONE;
            points().for_each(|p| extent.add(p));
            let extent = if extent.is_none() { extent } else { extent.grown(body.radius) };
            if body.kind == BodyKind::Obstacle {
                obstacles.push(extent);
            } else {
                points().for_each(|p| self.fit.add_ball(p, body.radius));
                all = all.join(&extent);
                let values = drawn.iter().filter_map(|&point| values.get(point as usize));
                shown.extend(values.copied().filter(|value| value.is_finite()));
            }
        }
        self.bodies.push(all);
        self.obstacles.resize(obstacles.len(), Extent::NONE);
        self.obstacles.iter_mut().zip(obstacles).for_each(|(old, new)| *old = old.join(&new));
        self.largest = self.largest.max(covered(shown));
    }

    /// The largest value that colours stand for: m/s, Pa, J/m³ or m.
    pub fn largest(&self) -> f64 {
        self.largest
    }
}

/// The values on points that colours stand for; empty where bodies have their own colours, or the frame has none.
pub(super) fn point_values(look: &Look, frame: &FilmFrame, start: &[Vec3]) -> Vec<f64> {
    match look.color_by {
        ColorBy::Body => vec![],
        ColorBy::Speed => frame.velocities.iter().map(|v| v.norm()).collect(),
        ColorBy::Stress => frame.von_mises.clone(),
        ColorBy::Energy => frame.energy_density.clone(),
        ColorBy::Contact => frame.contact.iter().map(|f| f.norm()).collect(),
        ColorBy::Displacement => frame.positions.iter().zip(start).map(|(x, s)| (x - s).norm()).collect(),
    }
}

/// The value that nearly all others stay below.
fn covered(mut values: Vec<f64>) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let place = ((values.len() - 1) as f64 * COVERED).round() as usize;
    *values.select_nth_unstable_by(place, f64::total_cmp).1
}
