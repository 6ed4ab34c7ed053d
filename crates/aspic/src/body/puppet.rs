//! Bodies that move by rules of their own.

use super::builder::Outline;
use super::{BodyId, BuildError, WorldBuilder};
use crate::Vec3;
use crate::boundary::plane::Puppet;
use crate::frame::BodyKind;
use crate::world::{NamedPuppet, Scale};

/// Steps of a world of puppets alone: they divide steps that are too long for them.
const STEP: f64 = 1.0 / 240.0;

/// Deeper than this part of its size a puppet is in the ground.
const ROUNDING: f64 = 1e-9;

impl WorldBuilder {
    /// No puppet may start in the ground: it would be thrown out.
    pub(super) fn check_puppets(&self) -> Result<(), BuildError> {
        for puppet in &self.puppets {
            let points = &self.positions[puppet.nodes.clone()];
            for plane in &self.planes {
                let height = |x: &Vec3| plane.normal.dot(&(x - plane.point));
                let depth = -points.iter().map(height).fold(f64::INFINITY, f64::min);
                let size = points.iter().map(|x| (x - points[0]).norm()).fold(0.0, f64::max);
                if depth > ROUNDING * size {
                    let body = self.topology.bodies[puppet.body].name.clone();
                    return Err(BuildError::InGround { body, plane: plane.name.clone(), depth });
                }
            }
        }
        Ok(())
    }

    /// Adds a body that moves by rules of its own over the half-spaces of the world. It neither pushes other bodies nor is
    /// pushed by them, and no constraint holds it.
    pub fn puppet(&mut self, name: &str, law: Box<dyn Puppet>) -> Result<BodyId, BuildError> {
        let count = law.points();
        self.room_for_points(count)?;
        let start = law.start();
        let (mut places, mut velocities) = (vec![Vec3::zeros(); count], vec![Vec3::zeros(); count]);
        law.show(&start, &mut places, &mut velocities);
        let nodes = self.add_nodes(&places);
        self.velocities[nodes.clone()].copy_from_slice(&velocities);
        self.guided.push(nodes.clone());
        self.embedding.push_plain(nodes.clone());
        let low = places.iter().copied().reduce(|a, b| a.inf(&b)).unwrap_or_default();
        let high = places.iter().copied().reduce(|a, b| a.sup(&b)).unwrap_or_default();
        let scale = Scale { length: (high - low).norm(), time: STEP, stable_step: STEP };
        self.scales.push((BodyKind::Puppet, scale));
        let outline = Outline { triangles: law.triangles(), ..Outline::default() };
        let body = self.enlist(name, BodyKind::Puppet, nodes.clone(), &outline);
        let memory = self.memory.len()..self.memory.len() + start.len();
        self.memory.extend(start);
        self.puppets.push(NamedPuppet { body, nodes, memory, law });
        Ok(body)
    }
}
