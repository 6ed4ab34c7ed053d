//! Displacements in all space that answer a given volume force, μ ∇²u + (λ + μ) ∇(∇·u) + b = 0, without regard to any
//! surface. With their tractions t_p they give the influence of the force as H u_p − G t_p.
//!
//! They are polynomials, so straight triangles only hold them to second order in the edge length. The integrals of
//! [`crate::solid::LinearForce`] are exact; these solutions are for checks and for points inside the body.

use crate::solid::{Mat3, Medium, Vec3};

/// A displacement field with its gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// u  \[m\]
    pub displacement: Vec3,
    /// ∂u_i/∂x_j
    pub gradient: Mat3,
}

impl Field {
    /// σ n  \[Pa\]
    pub fn traction(&self, medium: &Medium, n: &Vec3) -> Vec3 {
        medium.stress(&self.gradient) * n
    }
}

/// For the uniform force b \[N/m³\]: u = −(d·x)² b / (2 (λ + 2μ)) with d = b/|b|.
pub fn uniform(medium: &Medium, b: &Vec3, x: &Vec3) -> Field {
    let Some(d) = b.try_normalize(0.0) else {
        return Field { displacement: Vec3::zeros(), gradient: Mat3::zeros() };
    };
    let factor = -1.0 / (2.0 * (medium.lame() + 2.0 * medium.shear()));
    let along = d.dot(x);
    Field { displacement: b * (factor * along * along), gradient: b * d.transpose() * (2.0 * factor * along) }
}

/// For the centrifugal force b = −ρ ω × (ω × x) = ρ ω² y with y = x − (e·x) e across the axis e of ω:
/// u = −ρ ω² |y|² y / (8 (λ + 2μ)). In the plane ∇²(|y|² y) = ∇ div(|y|² y) = 8 y.
pub fn centrifugal(medium: &Medium, density: f64, omega: &Vec3, x: &Vec3) -> Field {
    let square = omega.norm_squared();
    let factor = -density * square / (8.0 * (medium.lame() + 2.0 * medium.shear()));
    let e = omega.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
    let flat = Mat3::identity() - e * e.transpose();
    let y = flat * x;
    let s = y.norm_squared();
    Field { displacement: y * (factor * s), gradient: (y * y.transpose() * 2.0 + flat * s) * factor }
}

/// For the Euler force b = −ρ ω′ × x: u = ρ |x|² ω′ × x / (10 μ). It has no divergence, and ∇²(|x|² ω′ × x) = 10 ω′ × x.
pub fn euler(medium: &Medium, density: f64, omega_rate: &Vec3, x: &Vec3) -> Field {
    let factor = density / (10.0 * medium.shear());
    let turn = omega_rate.cross_matrix();
    let s = x.norm_squared();
    let gradient = (turn * x * x.transpose() * 2.0 + turn * s) * factor;
    Field { displacement: turn * x * (factor * s), gradient }
}
