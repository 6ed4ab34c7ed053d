//! Keep a volume. C = (x₂ − x₁)·((x₃ − x₁) × (x₄ − x₁)) / 6, with its sign: it also resists turning inside out.

use super::batch::{Batch, Element};
use super::fold::Quantity;
use super::keeper::{Keeper, Vec3x8, cross, dot, minus, plus, squares, times};
use super::order::in_twos;
use super::point_rows::PointRows;
use crate::Vec3;
use crate::lanes::{Lanes, Mat3x8, splat};

/// The volume of a tetrahedron, or of the virtual one that two triangles with a common edge span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Volume;

/// Six times the volume and its gradient.
#[inline(always)]
fn six_volumes([x1, x2, x3, x4]: &[Vec3x8; 4]) -> (Lanes, [Vec3x8; 4]) {
    let (e1, e2, e3) = (minus(x2, x1), minus(x3, x1), minus(x4, x1));
    let (g2, g3, g4) = (cross(&e2, &e3), cross(&e3, &e1), cross(&e1, &e2));
    let g1 = plus(&plus(&g2, &g3), &g4).map(|x| -x);
    (dot(&e1, &g2), [g1, g2, g3, g4])
}

impl Volume {
    /// That of one tetrahedron  \[m³\]
    pub(super) fn of([a, b, c, d]: [Vec3; 4]) -> f64 {
        (b - a).dot(&(c - a).cross(&(d - a))) / 6.0
    }
}

impl Keeper<4> for Volume {
    #[inline(always)]
    fn energy(&self, x: &[Vec3x8; 4], rest: Lanes) -> Lanes {
        let change = self.value(x) - rest;
        splat(0.5) * change * change
    }

    #[inline(always)]
    fn force(&self, x: &[Vec3x8; 4], rest: Lanes) -> [Vec3x8; 4] {
        let (six, gradient) = six_volumes(x);
        let push = six.mul_neg_add(splat(1.0 / 6.0), rest) * splat(1.0 / 6.0);
        gradient.map(|g| times(&g, push))
    }

    fn curvature(&self, x: &[Vec3x8; 4], _: Lanes) -> [[Mat3x8; 4]; 4] {
        squares(&six_volumes(x).1.map(|g| times(&g, splat(1.0 / 6.0))))
    }

    #[inline(always)]
    fn value(&self, [x1, x2, x3, x4]: &[Vec3x8; 4]) -> Lanes {
        dot(&minus(x2, x1), &cross(&minus(x3, x1), &minus(x4, x1))) * splat(1.0 / 6.0)
    }

    fn order(elements: &[Element<4>]) -> (Vec<Element<4>>, usize) {
        in_twos(elements)
    }

    fn add_forces(batch: &Batch<4, Volume>, rows: &mut PointRows, memory: &[f64]) {
        batch.add_pushes(rows, memory);
    }
}

impl Quantity for Volume {
    #[inline(always)]
    fn gradient(&self, x: &[Vec3x8; 4]) -> [Vec3x8; 4] {
        six_volumes(x).1.map(|g| times(&g, splat(1.0 / 6.0)))
    }

    fn felt(change: f64) -> (f64, f64) {
        (change, 1.0)
    }
}
