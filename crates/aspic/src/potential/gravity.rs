//! Uniform gravity: P = −Σ mᵢ g·xᵢ, zero at the origin.

use crate::Vec3;

/// g, everywhere the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gravity {
    /// The acceleration  \[m/s²\]
    pub acceleration: Vec3,
}

impl Gravity {
    /// P \[J\], for the masses \[kg\] that belong to the nodes: the row sums of the mass matrix.
    pub fn energy(&self, masses: &[f64], q: &[Vec3]) -> f64 {
        masses.iter().zip(q).map(|(m, x)| -m * self.acceleration.dot(x)).sum()
    }

    /// Adds −∂P/∂q = mᵢ g \[N\].
    pub fn add_force(&self, masses: &[f64], out: &mut [Vec3]) {
        for (f, m) in out.iter_mut().zip(masses) {
            *f += self.acceleration * *m;
        }
    }
}
