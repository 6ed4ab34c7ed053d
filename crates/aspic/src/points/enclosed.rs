//! The volume that a closed surface encloses, V = Σ x₁·(x₂ × x₃)/6 over its outward triangles.
//!
//! P = ½ (K/V₀)(V − V₀)² − p V: the surface keeps its volume with the bulk modulus K, and blows itself up with the
//! pressure p. The force is (p + K (V₀ − V)/V₀) ∂V/∂x, a third of pressure × area × normal for every corner.

use super::point_rows::PointRows;
use crate::Vec3;

/// A closed surface and what is inside.
#[derive(Clone, Debug, PartialEq)]
pub struct Enclosed {
    /// Outward triangles, in points of the body.
    pub triangles: Vec<[u32; 3]>,
    /// V₀  \[m³\]
    pub volume: f64,
    /// K  \[Pa\]
    pub bulk: f64,
    /// p  \[Pa\]
    pub pressure: f64,
    /// Where V₀ is in the memory of the state, if it may change.
    pub memory: Option<usize>,
}

impl Enclosed {
    /// V, measured from a point of the surface so that a body far away loses no digits  \[m³\]
    pub fn volume_at(&self, rows: &PointRows) -> f64 {
        let Some(first) = self.triangles.first() else { return 0.0 };
        let origin = rows.position(first[0]);
        let six = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|node| rows.position(node) - origin);
            a.dot(&b.cross(&c))
        };
        self.triangles.iter().map(six).sum::<f64>() / 6.0
    }

    fn rest(&self, memory: &[f64]) -> f64 {
        self.memory.map_or(self.volume, |place| memory[place])
    }

    /// P  \[J\]
    pub fn energy(&self, rows: &PointRows, memory: &[f64]) -> f64 {
        let (volume, rest) = (self.volume_at(rows), self.rest(memory));
        0.5 * self.bulk / rest * (volume - rest).powi(2) - self.pressure * volume
    }

    /// p + K (V₀ − V)/V₀  \[Pa\]
    pub fn pressure_at(&self, rows: &PointRows, memory: &[f64]) -> f64 {
        let rest = self.rest(memory);
        self.pressure + self.bulk * (rest - self.volume_at(rows)) / rest
    }

    /// Calls `visit` with every corner of every triangle and its part of ∂V/∂x  \[m²\]
    pub fn each_gradient(&self, rows: &PointRows, mut visit: impl FnMut(u32, Vec3)) {
        for triangle in &self.triangles {
            let third = Self::gradient(triangle, rows);
            triangle.iter().for_each(|&node| visit(node, third));
        }
    }

    /// The part of ∂V/∂x that a triangle has at each of its corners  \[m²\]
    fn gradient(triangle: &[u32; 3], rows: &PointRows) -> Vec3 {
        let [a, b, c] = triangle.map(|node| rows.position(node));
        (b - a).cross(&(c - a)) / 6.0
    }

    /// Adds −∂P/∂q.
    pub fn add_force(&self, rows: &mut PointRows, memory: &[f64]) {
        let pressure = self.pressure_at(rows, memory);
        for triangle in &self.triangles {
            let push = Self::gradient(triangle, rows) * pressure;
            triangle.iter().for_each(|&node| rows.push(node, push));
        }
    }

    /// √(K/V₀) ∂V/∂x of all points: its square is the curvature of P that is never negative  \[√(N/m)\]
    pub fn square(&self, rows: &PointRows, memory: &[f64], out: &mut Vec<Vec3>) {
        out.clear();
        out.resize(rows.points.len(), Vec3::zeros());
        let root = (self.bulk / self.rest(memory)).sqrt();
        self.each_gradient(rows, |node, gradient| out[node as usize] += gradient * root);
    }
}
