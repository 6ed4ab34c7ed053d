//! The three kinds of load.

use super::{External, Schedule};
use crate::Vec3;
use crate::state::State;

/// The same force on each of some vertices.
#[derive(Clone, Debug)]
pub struct PointForces {
    /// The nodes.
    pub nodes: Vec<u32>,
    /// Force on each  \[N\]
    pub force: Vec3,
    /// Factor over time.
    pub schedule: Schedule,
}

/// Pressure on surface triangles; it follows the surface as it moves.
#[derive(Clone, Debug)]
pub struct Pressure {
    /// Outward triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Positive pushes inwards  \[Pa\]
    pub pressure: f64,
    /// Factor over time.
    pub schedule: Schedule,
}

/// A uniform acceleration of some nodes: wind that does not know shape, a lift that starts, a shaken table.
#[derive(Clone, Debug)]
pub struct Field {
    /// (node, mass \[kg\])
    pub masses: Vec<(u32, f64)>,
    /// The acceleration  \[m/s²\]
    pub acceleration: Vec3,
    /// Factor over time.
    pub schedule: Schedule,
}

impl External for PointForces {
    fn add_force(&self, state: &State, out: &mut [Vec3]) -> f64 {
        let force = self.force * self.schedule.at(state.t);
        let mut power = 0.0;
        for &node in &self.nodes {
            out[node as usize] += force;
            power += force.dot(&state.v[node as usize]);
        }
        power
    }

    fn schedule(&self) -> &Schedule {
        &self.schedule
    }
}

impl External for Pressure {
    /// A triangle's force −p ½ (b−a)×(c−a), a third of it on each corner: exactly −p ∂V/∂x.
    fn add_force(&self, state: &State, out: &mut [Vec3]) -> f64 {
        let pressure = self.pressure * self.schedule.at(state.t);
        let mut power = 0.0;
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|n| state.q[n as usize]);
            let force = (b - a).cross(&(c - a)) * (-pressure / 6.0);
            for &node in triangle {
                out[node as usize] += force;
                power += force.dot(&state.v[node as usize]);
            }
        }
        power
    }

    fn schedule(&self) -> &Schedule {
        &self.schedule
    }
}

impl External for Field {
    fn add_force(&self, state: &State, out: &mut [Vec3]) -> f64 {
        let acceleration = self.acceleration * self.schedule.at(state.t);
        let mut power = 0.0;
        for &(node, mass) in &self.masses {
            out[node as usize] += acceleration * mass;
            power += mass * acceleration.dot(&state.v[node as usize]);
        }
        power
    }

    fn schedule(&self) -> &Schedule {
        &self.schedule
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressure_on_a_closed_surface_has_no_net_force_and_its_power_is_minus_p_times_volume_rate() {
        let q = vec![Vec3::zeros(), Vec3::x() * 2.0, Vec3::y(), Vec3::new(0.3, 0.2, 1.5)];
        let v = vec![Vec3::new(0.1, 0.2, 0.3), Vec3::y(), Vec3::new(-1.0, 0.4, 0.0), Vec3::z()];
        let load = Pressure {
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
            pressure: 7.0,
            schedule: Schedule::default(),
        };
        let volume = |s: f64| {
            let x: Vec<Vec3> = q.iter().zip(&v).map(|(q, v)| q + v * s).collect();
            (x[1] - x[0]).dot(&(x[2] - x[0]).cross(&(x[3] - x[0]))) / 6.0
        };
        let mut out = vec![Vec3::zeros(); 4];
        let power = load.add_force(&State { v: v.clone(), ..State::at_rest(q.clone()) }, &mut out);
        assert!(out.iter().sum::<Vec3>().norm() < 1e-14);
        assert!((power + 7.0 * (volume(1e-4) - volume(-1e-4)) / 2e-4).abs() < 1e-6);
    }
}
