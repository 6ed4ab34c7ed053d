//! A vertex that slides without friction on a plane, a line or a sphere.

use super::{Anchor, Constraint, Distance, Row};
use crate::Vec3;
use crate::state::State;

/// Φ = n·(x − p).
#[derive(Clone, Copy, Debug)]
pub struct OnPlane {
    node: u32,
    point: Vec3,
    normal: Vec3,
}

/// Two planes that meet in the line.
#[derive(Clone, Copy, Debug)]
pub struct OnLine {
    planes: [OnPlane; 2],
}

/// Φ = |x − c| − r.
#[derive(Clone, Copy, Debug)]
pub struct OnSphere {
    /// The vertex.
    pub node: u32,
    /// Centre of the sphere  \[m\]
    pub center: Vec3,
    /// Its radius, > 0  \[m\]
    pub radius: f64,
}

impl OnPlane {
    /// The plane through `point` with a non-zero `normal` of any length.
    pub fn new(node: u32, point: Vec3, normal: Vec3) -> OnPlane {
        OnPlane { node, point, normal: normal.normalize() }
    }
}

impl OnLine {
    /// The line through `point` along a non-zero `direction` of any length.
    pub fn new(node: u32, point: Vec3, direction: Vec3) -> OnLine {
        let direction = direction.normalize();
        // The axis least aligned with the line gives a well-conditioned first normal.
        let first = direction.cross(&Vec3::ith(direction.iamin(), 1.0));
        let second = direction.cross(&first);
        OnLine { planes: [OnPlane::new(node, point, first), OnPlane::new(node, point, second)] }
    }
}

impl Constraint for OnPlane {
    fn add_rows(&self, state: &State, rows: &mut Vec<Row>) {
        let value = self.normal.dot(&(state.q[self.node as usize] - self.point));
        rows.push(Row::single(self.node, self.normal, value));
    }
}

impl Constraint for OnLine {
    fn add_rows(&self, state: &State, rows: &mut Vec<Row>) {
        self.planes.iter().for_each(|plane| plane.add_rows(state, rows));
    }
}

impl Constraint for OnSphere {
    /// A sphere is a fixed distance from its centre.
    fn add_rows(&self, state: &State, rows: &mut Vec<Row>) {
        Distance { node: self.node, other: Anchor::Point(self.center), length: self.radius }
            .add_rows(state, rows);
    }
}
