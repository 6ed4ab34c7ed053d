//! Mutual gravitation of all nodes: P = −Γ Σ mᵢ mⱼ/√(r² + ε²), each pair once.
//!
//! The force on i points to j. (The course's second form, g at the surface of the earth, has its sign turned round.) The
//! softening ε keeps the force finite where points meet.

use crate::Vec3;

/// Points that attract each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gravitation {
    /// Γ  \[N m²/kg²\]; 6.674·10⁻¹¹ in this universe.
    pub constant: f64,
    /// ε  \[m\]
    pub softening: f64,
}

impl Gravitation {
    /// P  \[J\]
    pub fn energy(&self, masses: &[f64], q: &[Vec3]) -> f64 {
        let mut sum = 0.0;
        for i in 0..q.len() {
            for j in 0..i {
                let square = (q[i] - q[j]).norm_squared() + self.softening * self.softening;
                sum -= masses[i] * masses[j] / square.max(f64::MIN_POSITIVE).sqrt();
            }
        }
        sum * self.constant
    }

    /// Adds −∂P/∂q  \[N\]
    pub fn add_force(&self, masses: &[f64], q: &[Vec3], out: &mut [Vec3]) {
        for i in 0..q.len() {
            for j in 0..i {
                let d = q[j] - q[i];
                let square = d.norm_squared() + self.softening * self.softening;
                let scale = self.constant * masses[i] * masses[j] / (square * square.sqrt());
                if scale.is_finite() {
                    out[i] += d * scale;
                    out[j] -= d * scale;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANETS: Gravitation = Gravitation { constant: 0.7, softening: 0.1 };

    #[test]
    fn force_is_the_gradient_and_keeps_both_momenta() {
        let masses = [1.0, 2.5, 0.3];
        let q = [Vec3::new(0.1, 0.5, -0.2), Vec3::new(1.0, 0.0, 0.3), Vec3::new(-0.4, 0.9, 0.8)];
        let mut force = [Vec3::zeros(); 3];
        PLANETS.add_force(&masses, &q, &mut force);
        for k in 0..9 {
            let at = |h: f64| {
                let mut q = q;
                q[k / 3][k % 3] += h;
                PLANETS.energy(&masses, &q)
            };
            assert!((force[k / 3][k % 3] + (at(1e-6) - at(-1e-6)) / 2e-6).abs() < 1e-8);
        }
        assert!(force.iter().sum::<Vec3>().norm() < 1e-14);
        let torque = q.iter().zip(&force).fold(Vec3::zeros(), |sum, (x, f)| sum + x.cross(f));
        assert!(torque.norm() < 1e-14);
    }

    #[test]
    fn two_points_pull_each_other_together_by_newtons_law() {
        let law = Gravitation { constant: 6.674e-11, softening: 0.0 };
        let mut force = [Vec3::zeros(); 2];
        law.add_force(&[5.972e24, 1.0], &[Vec3::zeros(), Vec3::z() * 6.371e6], &mut force);
        assert!((force[1].z + 9.82).abs() < 0.01 && force[0].z > 0.0, "{force:?}");
    }
}
