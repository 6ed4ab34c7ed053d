//! Keep an area. C = ½ |t| with t = (x₃ − x₁) × (x₃ − x₂).

use super::keeper::{Keeper, Vec3x8, cross, divisible, dot, minus, squares, times};
use crate::lanes::{Lanes, Mat3x8, splat};
use crate::potential::material::inverse_sqrt::inverse_sqrt;

/// The area of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area;

/// The area and its gradient: with the unit normal n, ∂C/∂x₁ = −½ e₂ × n, ∂C/∂x₂ = −½ n × e₁, ∂C/∂x₃ = −½ n × (e₂ − e₁).
#[inline(always)]
fn area([x1, x2, x3]: &[Vec3x8; 3]) -> (Lanes, [Vec3x8; 3]) {
    let (e1, e2) = (minus(x3, x1), minus(x3, x2));
    let t = cross(&e1, &e2);
    let square = divisible(dot(&t, &t));
    let inverse = inverse_sqrt(square);
    let n = times(&t, inverse * splat(-0.5));
    (splat(0.5) * square * inverse, [cross(&e2, &n), cross(&n, &e1), cross(&n, &minus(&e2, &e1))])
}

impl Keeper<3> for Area {
    #[inline(always)]
    fn energy(&self, x: &[Vec3x8; 3], rest: Lanes) -> Lanes {
        let change = self.value(x) - rest;
        splat(0.5) * change * change
    }

    #[inline(always)]
    fn force(&self, x: &[Vec3x8; 3], rest: Lanes) -> [Vec3x8; 3] {
        let (value, gradient) = area(x);
        gradient.map(|g| times(&g, rest - value))
    }

    /// ∇C ∇Cᵀ + max(0, C − C₀) ∇²C⁺. Out of its plane an area grows as |e|²/4A for the corner opposite the edge e; in the
    /// plane ∇²C is indefinite and left out.
    fn curvature(&self, x: &[Vec3x8; 3], rest: Lanes) -> [[Mat3x8; 3]; 3] {
        let (value, gradient) = area(x);
        let [x1, x2, x3] = x;
        let edges = [minus(x3, x2), minus(x1, x3), minus(x2, x1)];
        let t = cross(&edges[0], &edges[1]);
        let square = divisible(dot(&t, &t));
        // n nᵀ eᵢ·eⱼ / 4A, which is a square: (Σ eᵢ zᵢ)² ≥ 0
        let lift = (value - rest).max(splat(0.0)) * splat(0.25) / value.max(splat(1e-150)) / square;
        let normal = Mat3x8::outer(&t, &times(&t, lift));
        let flat = squares(&gradient);
        std::array::from_fn(|i| {
            std::array::from_fn(|j| normal.scale_add(dot(&edges[i], &edges[j]), &flat[i][j]))
        })
    }

    #[inline(always)]
    fn value(&self, x: &[Vec3x8; 3]) -> Lanes {
        area(x).0
    }
}
