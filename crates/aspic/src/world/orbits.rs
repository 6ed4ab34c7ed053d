//! How fast bodies fall towards each other.

use super::World;
use crate::Vec3;
use crate::state::State;

impl World {
    /// The shortest time √(d³/Γ(m₁ + m₂)) of two bodies at the distance d of their centres of mass \[s\]: an orbit of that
    /// size takes 2π of it. Infinite without gravitation. Bodies that overlap count as one smallest body apart.
    ///
    /// The tolerance of a step is a length per second that follows from the bodies; what an orbit can bear follows from
    /// the orbit, which may be any number of sizes wide and last any number of seconds.
    pub fn fall_time(&self, state: &State) -> f64 {
        let Some(law) = &self.gravitation else { return f64::INFINITY };
        let masses = self.inertia.masses();
        let centre = |nodes: std::ops::Range<usize>| {
            let mass: f64 = masses[nodes.clone()].iter().sum();
            let moment = nodes.map(|node| state.q[node] * masses[node]).sum::<Vec3>();
            (mass, moment / mass)
        };
        let bodies = self.topology.bodies.iter().map(|body| centre(body.nodes.clone()));
        let bodies: Vec<(f64, Vec3)> = bodies.filter(|(mass, _)| *mass > 0.0).collect();
        let least = self.scale.length.max(law.softening);
        let mut shortest = f64::INFINITY;
        for (k, (mass, x)) in bodies.iter().enumerate() {
            for (other, y) in &bodies[..k] {
                let distance = (x - y).norm().max(least);
                shortest = shortest.min(distance.powi(3) / (law.constant.abs() * (mass + other)));
            }
        }
        shortest.sqrt()
    }
}
