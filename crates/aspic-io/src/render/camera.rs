//! A view in perspective, fitted to everything that moves.
//!
//! The eye looks along −`towards`. A point p has the depth W = D − p·towards and lies within the picture where
//! |p·right − c_x| ≤ t_x W and |p·up − c_y| ≤ t_y W, with t the tangents of half the angles of view. Each of the four
//! conditions is linear in p, so four maxima over all points give the nearest eye that sees all of them:
//! with A± = max(±p·right + t_x p·towards), c_x = (A₊ − A₋)/2 and D ≥ (A₊ + A₋)/(2 t_x); and so on for y.

use aspic::Vec3;

use super::V;
use crate::picture::camera::Axes;

/// Tangent of half the smaller angle of view: 13°.
const HALF_ANGLE: f64 = 0.231;
/// How much of the picture the bodies may fill, across and up.
const FILL: [f64; 2] = [0.86, 0.80];

/// The tangents of half the angles of view, across and up.
pub(super) fn tangents(width: u32, height: u32) -> [f64; 2] {
    let aspect = f64::from(width) / f64::from(height);
    if aspect >= 1.0 { [HALF_ANGLE * aspect, HALF_ANGLE] } else { [HALF_ANGLE, HALF_ANGLE / aspect] }
}

/// What must be seen, gathered point by point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    axes: Axes,
    /// Tangents of half the angles that may be filled.
    tangents: [f64; 2],
    /// A₊ and A₋ of both directions, and the largest p·towards.
    most: [f64; 5],
}

impl Fit {
    pub(super) fn new(axes: Axes, width: u32, height: u32) -> Fit {
        let [x, y] = tangents(width, height);
        Fit { axes, tangents: [FILL[0] * x, FILL[1] * y], most: [f64::NEG_INFINITY; 5] }
    }

    /// Takes a point in; one that is not finite is not looked at.
    pub(super) fn add(&mut self, point: &Vec3) {
        let Axes { right, up, towards } = self.axes;
        let [x, y, z] = [right, up, towards].map(|axis| point.dot(&axis));
        let [tx, ty] = self.tangents;
        let new = [x + tx * z, -x + tx * z, y + ty * z, -y + ty * z, z];
        if new.iter().all(|value| value.is_finite()) {
            self.most.iter_mut().zip(new).for_each(|(most, new)| *most = most.max(new));
        }
    }

    /// Takes what is within a radius of a point in, nearly: two of its diameters.
    pub(super) fn add_ball(&mut self, point: &Vec3, radius: f64) {
        self.add(point);
        if radius > 0.0 {
            let Axes { right, up, .. } = self.axes;
            [right, up].iter().for_each(|axis| {
                self.add(&(point + axis * radius));
                self.add(&(point - axis * radius));
            });
        }
    }

    /// Where the eye must be: c_x, c_y and D, along right, up and towards.
    pub(super) fn eye(&self) -> [f64; 3] {
        let [a, b, c, d, near] = self.most;
        if !near.is_finite() {
            return [0.0, 0.0, 1.0];
        }
        let [tx, ty] = self.tangents;
        let distance = ((a + b) / (2.0 * tx)).max((c + d) / (2.0 * ty));
        // All points in one would put the eye into it.
        [0.5 * (a - b), 0.5 * (c - d), distance.max(near + 1e-9)]
    }
}

/// The camera in coordinates of the stage: its eye, and how points come to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    pub right: V,
    pub up: V,
    pub towards: V,
    pub eye: V,
    /// Middle of the picture \[px\].
    middle: [f32; 2],
    /// Pixels for a tangent of 1, and its inverse.
    focal: [f32; 2],
    tangent: [f32; 2],
}

/// A point as (W x, W y, W), with x and y in pixels.
pub(super) type Homogeneous = [f64; 3];

impl Camera {
    /// `eye` as [`Fit::eye`] gives it, in coordinates of the stage.
    pub(super) fn new(axes: &Axes, eye: [f64; 3], width: u32, height: u32) -> Camera {
        let [x, y, z] = eye;
        let place = axes.right * x + axes.up * y + axes.towards * z;
        let middle = [0.5 * width as f32, 0.5 * height as f32];
        let [tx, ty] = tangents(width, height).map(|t| t as f32);
        Camera {
            right: axes.right.cast(),
            up: axes.up.cast(),
            towards: axes.towards.cast(),
            eye: place.cast(),
            middle,
            focal: [middle[0] / tx, middle[1] / ty],
            tangent: [tx / middle[0], ty / middle[1]],
        }
    }

    /// How wide a pixel is at the depth of a point.
    pub(super) fn pixel(&self, point: &V) -> f32 {
        (self.eye - point).dot(&self.towards) * self.tangent[1]
    }

    pub(super) fn project(&self, point: &V) -> Homogeneous {
        let way = point - self.eye;
        let [x, y, w] = [way.dot(&self.right), way.dot(&self.up), -way.dot(&self.towards)].map(f64::from);
        let [mx, my] = self.middle.map(f64::from);
        let [fx, fy] = self.focal.map(f64::from);
        [mx * w + fx * x, my * w - fy * y, w]
    }

    /// The way from the eye through a place of the picture \[px\], of depth 1.
    pub(super) fn ray(&self, x: f32, y: f32) -> V {
        let across = (x - self.middle[0]) * self.tangent[0];
        let up = (self.middle[1] - y) * self.tangent[1];
        self.right * across + self.up * up - self.towards
    }
}
