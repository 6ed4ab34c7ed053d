//! Forces on the matter inside: weight and inertia.
//!
//! B = ∫ U b dV is a boundary integral for a uniform force. For any force with a known particular solution u_p of
//! Navier's equation it is B = H u_p − G t_p; that way also serves the forces of rotation.

use std::f64::consts::PI;

use faer::Mat;

use super::{Equations, Mat2, Medium, Vec2, cross, quarter};

/// b(x) = f + c x − e (−y, x), with x from the centroid of the body  \[N/m³\].
///
/// In a frame that moves with the body, D'Alembert's force is f = ρ (g − a), c = ρ ω², e = ρ dω/dt.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyForce {
    /// f: weight less the inertia of translation  \[N/m³\]
    pub uniform: Vec2,
    /// c: centrifugal force for each metre from the centroid  \[N/m⁴\]
    pub centrifugal: f64,
    /// e: force that resists angular acceleration, for each metre from the centroid  \[N/m⁴\]
    pub euler: f64,
}

/// Number of unit body forces: uniform along x and y, centrifugal, Euler.
pub const BODY_FORCES: usize = 4;

impl BodyForce {
    /// The amounts of the four unit forces.
    pub fn amounts(&self) -> [f64; BODY_FORCES] {
        [self.uniform.x, self.uniform.y, self.centrifugal, self.euler]
    }

    /// The force at `x` from the centroid  \[N/m³\].
    pub fn at(&self, x: Vec2) -> Vec2 {
        self.uniform + self.centrifugal * x - self.euler * quarter(x)
    }
}

/// A displacement that balances one unit body force, and its gradient.
fn particular(medium: &Medium, which: usize, x: Vec2) -> (Vec2, Mat2) {
    let confined = medium.confined();
    let growth = |d: Vec2| Mat2::from_diagonal_element(x.norm_squared()) + 2.0 * d * x.transpose();
    match which {
        0 => (Vec2::new(-0.5 * x.x * x.x / confined, 0.0), Mat2::new(-x.x / confined, 0.0, 0.0, 0.0)),
        1 => (Vec2::new(0.0, -0.5 * x.y * x.y / confined), Mat2::new(0.0, 0.0, 0.0, -x.y / confined)),
        2 => (-x.norm_squared() * x / (8.0 * confined), -growth(x) / (8.0 * confined)),
        _ => {
            let turn = Mat2::new(0.0, -1.0, 1.0, 0.0);
            let (q, shear) = (quarter(x), 8.0 * medium.shear());
            (x.norm_squared() * q / shear, (x.norm_squared() * turn + 2.0 * q * x.transpose()) / shear)
        }
    }
}

/// B of the four unit forces by particular solutions, one in each column  (2 nodes × 4)
///
/// ```text
/// uniform      b = e_k              u_p = −x_k² e_k / (2 (λ+2μ))
/// centrifugal  b = x                u_p = −|x|² x / (8 (λ+2μ))
/// Euler        b = −(−y, x)         u_p = |x|² (−y, x) / (8 μ)
/// ```
///
/// Only the difference between u and u_p is then interpolated on the elements: a column under its own weight is exact.
pub fn by_particular_solutions(equations: &Equations) -> Mat<f64> {
    let centre = equations.moments.centroid;
    let (n, m) = (2 * equations.nodes.len(), 2 * equations.slots.len());
    let (mut u, mut t) = (Mat::zeros(n, BODY_FORCES), Mat::zeros(m, BODY_FORCES));
    for which in 0..BODY_FORCES {
        for (k, x) in equations.nodes.iter().enumerate() {
            let (value, _) = particular(&equations.medium, which, x - centre);
            (0..2).for_each(|c| u[(2 * k + c, which)] = value[c]);
        }
        for (k, slot) in equations.slots.iter().enumerate() {
            let (_, gradient) = particular(&equations.medium, which, slot.at - centre);
            let value = equations.medium.traction(&gradient, slot.normal);
            (0..2).for_each(|c| t[(2 * k + c, which)] = value[c]);
        }
    }
    &equations.h * &u - &equations.g * &t
}

/// B of a unit force along x and along y by integrals over the boundary  (2 nodes × 2)
///
/// ```text
/// B = 1/(8πμ) ∫ (2 ln(L/r) + 4(1−ν)/(3−4ν)) [b (y·n) − (b·y) n / (2(1−ν))] dS,     y = Q − P
/// ```
///
/// The constant belongs to the constant in U; Watanabe et al. (10) print −1, which belongs to another U.
pub fn by_boundary_integrals(equations: &Equations) -> Mat<f64> {
    let kernel = &equations.kernel;
    let side = 1.0 - kernel.poisson();
    let constant = 4.0 * side / (3.0 - 4.0 * kernel.poisson());
    let factor = 1.0 / (8.0 * PI * kernel.shear());
    let mut columns = Mat::zeros(2 * equations.nodes.len(), 2);
    for (i, source) in equations.nodes.iter().enumerate() {
        let mut sum = Mat2::zeros();
        for element in &equations.elements {
            let (y, _) = element.logarithms(kernel, *source, constant);
            let through = Mat2::from_diagonal_element(y.dot(&element.normal));
            sum += factor * (through - element.normal * y.transpose() / (2.0 * side));
        }
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            columns[(2 * i + row, column)] = sum[(row, column)];
        }
    }
    columns
}

/// Force \[N/m\] and torque about the centroid \[N\] of a body force on the whole body.
pub fn resultant(equations: &Equations, body: &BodyForce) -> (Vec2, f64) {
    (equations.moments.area * body.uniform, -body.euler * equations.moments.polar())
}

/// Force \[N/m\] and torque about the centroid \[N\] of tractions at all slots \[Pa\].
pub fn traction_resultant(equations: &Equations, tractions: &[Vec2]) -> (Vec2, f64) {
    let (force, torque) = equations.resultant(tractions);
    (force, torque - cross(equations.moments.centroid, force))
}

#[cfg(test)]
#[path = "body_force_tests.rs"]
mod tests;
