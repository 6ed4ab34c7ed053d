//! Wind on sheets and ropes.
//!
//! A triangle of area A and normal n that moves with v feels the air by its face only: with u = w − v,
//! F = ½ ρ A (c |u·n| (u·n) n + s |u_t| u_t) with u_t along the face, a third on each corner. A piece of rope of length l and radius r feels what comes across it:
//! F = ½ ρ c 2 r l |u⊥| u⊥, half on each end. Lift and the wake of other bodies are not there.

use super::{External, Schedule};
use crate::Vec3;
use crate::state::State;

/// Moving air, or still air that bodies move through.
#[derive(Clone, Debug)]
pub struct Wind {
    /// Triangles that feel it, in nodes.
    pub triangles: Vec<[u32; 3]>,
    /// Pieces of rope that feel it, in nodes, with their radius  \[m\]
    pub edges: Vec<([u32; 2], f64)>,
    /// Its velocity w  \[m/s\]
    pub velocity: Vec3,
    /// Density of the air, ρ  \[kg/m³\]
    pub density: f64,
    /// Drag coefficient c: about 1.2 for a plate and for a cylinder.
    pub drag: f64,
    /// Friction coefficient s of air that passes along a face: about 0.01 for a smooth plate, more for cloth that flutters.
    pub skin: f64,
    /// Factor of the velocity over time.
    pub schedule: Schedule,
}

impl Wind {
    /// Shares a force among nodes; returns its power.
    fn share(force: Vec3, nodes: &[u32], state: &State, out: &mut [Vec3]) -> f64 {
        let part = force / nodes.len() as f64;
        nodes.iter().for_each(|&node| out[node as usize] += part);
        nodes.iter().map(|&node| part.dot(&state.v[node as usize])).sum()
    }
}

impl External for Wind {
    fn add_force(&self, state: &State, out: &mut [Vec3]) -> f64 {
        let wind = self.velocity * self.schedule.at(state.t);
        let half = 0.5 * self.density * self.drag;
        let mean = |nodes: &[u32]| -> Vec3 {
            nodes.iter().map(|&n| state.v[n as usize]).sum::<Vec3>() / nodes.len() as f64
        };
        let mut power = 0.0;
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|n| state.q[n as usize]);
            let double = (b - a).cross(&(c - a));
            let size = double.norm();
            if size > 0.0 {
                let normal = double / size;
                let u = wind - mean(triangle);
                let across = u.dot(&normal);
                let along = u - normal * across;
                let push = normal * (half * across.abs() * across);
                let drag = along * (0.5 * self.density * self.skin * along.norm());
                let force = (push + drag) * (0.5 * size);
                power += Wind::share(force, triangle, state, out);
            }
        }
        for (ends, radius) in &self.edges {
            let d = state.q[ends[1] as usize] - state.q[ends[0] as usize];
            let length = d.norm();
            if length > 0.0 {
                let (n, u) = (d / length, wind - mean(ends));
                let across = u - n * u.dot(&n);
                let force = across * (half * 2.0 * radius * length * across.norm());
                power += Wind::share(force, ends, state, out);
            }
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

    fn sail(velocity: Vec3) -> Wind {
        let schedule = Schedule::new(vec![]);
        Wind {
            triangles: vec![[0, 1, 2]],
            edges: vec![],
            velocity,
            density: 1.2,
            drag: 1.5,
            skin: 0.0,
            schedule,
        }
    }

    #[test]
    fn a_sail_across_the_wind_feels_half_rho_c_a_v_squared_and_one_along_it_nothing() {
        let q = vec![Vec3::zeros(), Vec3::y() * 2.0, Vec3::z() * 3.0];
        let mut out = vec![Vec3::zeros(); 3];
        sail(Vec3::new(4.0, 0.0, 0.0)).add_force(&State::at_rest(q.clone()), &mut out);
        let total: Vec3 = out.iter().sum();
        assert!((total - Vec3::x() * (0.5 * 1.2 * 1.5 * 3.0 * 16.0)).norm() < 1e-12);
        out.fill(Vec3::zeros());
        sail(Vec3::new(0.0, 4.0, 1.0)).add_force(&State::at_rest(q), &mut out);
        assert!(out.iter().all(|f| f.norm() == 0.0));
    }

    #[test]
    fn still_air_only_takes_energy() {
        let q = vec![Vec3::zeros(), Vec3::new(0.3, 2.0, 0.1), Vec3::new(-0.5, 0.2, 1.0)];
        let v = vec![Vec3::new(0.4, -2.0, 1.0); 3];
        let mut out = vec![Vec3::zeros(); 3];
        let mut wind = sail(Vec3::zeros());
        wind.edges = vec![([0, 1], 0.05)];
        let power = wind.add_force(&State { v: v.clone(), ..State::at_rest(q) }, &mut out);
        assert!(power < 0.0);
        assert!((out.iter().zip(&v).map(|(f, v)| f.dot(v)).sum::<f64>() - power).abs() < 1e-12);
    }

    #[test]
    fn a_rope_across_the_wind_feels_its_shadow() {
        let mut wind = sail(Vec3::new(3.0, 4.0, 0.0));
        (wind.triangles, wind.edges) = (vec![], vec![([0, 1], 0.01)]);
        let mut out = vec![Vec3::zeros(); 2];
        wind.add_force(&State::at_rest(vec![Vec3::zeros(), Vec3::x() * 2.0]), &mut out);
        let total: Vec3 = out.iter().sum();
        assert!((total - Vec3::y() * (0.5 * 1.2 * 1.5 * 0.04 * 16.0)).norm() < 1e-12, "{total}");
    }
}
