//! Keep the angle between two triangles with a common edge. C = 0 when they lie in one plane.
//!
//! Points: the edge x₁ x₂, then the tips x₃ and x₄ of the triangles (1, 2, 3) and (2, 1, 4). With the edge e = x₂ − x₁ and
//! the normals n₁ = (x₂ − x₁) × (x₃ − x₁), n₂ = (x₄ − x₁) × (x₂ − x₁), C is the angle from n₁ to n₂ about e, and
//! ∂C/∂x₃ = |e| n₁/|n₁|², ∂C/∂x₄ = |e| n₂/|n₂|². The ends of the edge take what keeps the sums of forces and torques zero.

use super::fold::Quantity;
use super::keeper::{Keeper, Vec3x8, cross, divisible, dot, minus, plus, squares, times};
use crate::lanes::{LANES, Lanes, Mat3x8, splat};
use crate::potential::material::inverse_sqrt::inverse_sqrt;

/// The angle of a hinge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angle;

/// Sine and cosine of the angle, each times |n₁||n₂|, with the edge, its length and the normals.
struct Hinge {
    edge: Vec3x8,
    inverse_length: Lanes,
    normals: [Vec3x8; 2],
    angle: Lanes,
}

#[inline(always)]
fn hinge([x1, x2, x3, x4]: &[Vec3x8; 4]) -> Hinge {
    let edge = minus(x2, x1);
    let square = divisible(dot(&edge, &edge));
    let inverse_length = inverse_sqrt(square);
    let normals = [cross(&edge, &minus(x3, x1)), cross(&minus(x4, x1), &edge)];
    let sine = dot(&cross(&normals[0], &normals[1]), &edge) * inverse_length;
    let cosine = dot(&normals[0], &normals[1]);
    let (s, c) = (sine.to_array(), cosine.to_array());
    let angle = Lanes::new(std::array::from_fn::<f64, LANES, _>(|lane| s[lane].atan2(c[lane])));
    Hinge { edge, inverse_length, normals, angle }
}

#[inline(always)]
fn gradient([x1, x2, x3, x4]: &[Vec3x8; 4], hinge: &Hinge) -> [Vec3x8; 4] {
    let square = divisible(dot(&hinge.edge, &hinge.edge));
    let length = square * hinge.inverse_length;
    let [n1, n2] = hinge.normals.map(|n| times(&n, length / divisible(dot(&n, &n))));
    let (g3, g4) = (n1.map(|x| -x), n2.map(|x| -x));
    // How far along the edge the foot of each tip lies; the ends share the reaction by the lever.
    let part = |tip: &Vec3x8| dot(&minus(tip, x1), &hinge.edge) / square;
    let (s, t) = (part(x3), part(x4));
    let g2 = plus(&times(&n1, s), &times(&n2, t));
    let g1 = plus(&times(&n1, splat(1.0) - s), &times(&n2, splat(1.0) - t));
    let _ = x2;
    [g1, g2, g3, g4]
}

impl Keeper<4> for Angle {
    #[inline(always)]
    fn energy(&self, x: &[Vec3x8; 4], rest: Lanes) -> Lanes {
        let change = hinge(x).angle - rest;
        splat(0.5) * change * change
    }

    #[inline(always)]
    fn force(&self, x: &[Vec3x8; 4], rest: Lanes) -> [Vec3x8; 4] {
        let hinge = hinge(x);
        gradient(x, &hinge).map(|g| times(&g, rest - hinge.angle))
    }

    fn curvature(&self, x: &[Vec3x8; 4], _: Lanes) -> [[Mat3x8; 4]; 4] {
        squares(&gradient(x, &hinge(x)))
    }

    #[inline(always)]
    fn value(&self, x: &[Vec3x8; 4]) -> Lanes {
        hinge(x).angle
    }
}

impl Quantity for Angle {
    #[inline(always)]
    fn gradient(&self, x: &[Vec3x8; 4]) -> [Vec3x8; 4] {
        gradient(x, &hinge(x))
    }

    fn felt(change: f64) -> (f64, f64) {
        change.sin_cos()
    }
}
