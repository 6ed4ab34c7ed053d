//! Obstacles: surfaces whose motion is prescribed for ever, and half-spaces that never move.

use super::builder::Outline;
use super::{BodyId, BuildError, WorldBuilder};
use crate::constraint::{Constraint, Pin, Trajectory};
use crate::frame::BodyKind;
use crate::mesh::{Plane, TriangleSurface};
use crate::world::{NamedConstraint, NamedPlane};

impl WorldBuilder {
    /// Adds a surface that starts at its own positions and moves along `motion`, whatever touches it. It has nodes
    /// without mass, and one entry among the constraints, by its name: the force of whoever moves it.
    ///
    /// It is a shell: both sides of a triangle stop what comes. So it may be open, and may have edges with more than two
    /// triangles; a closed one may hold bodies.
    pub fn add_obstacle(
        &mut self,
        name: &str,
        surface: &TriangleSurface,
        motion: &Trajectory,
    ) -> Result<BodyId, BuildError> {
        surface.check().map_err(|error| BuildError::Surface { body: name.into(), error })?;
        self.room_for_points(surface.positions.len())?;
        let nodes = self.add_nodes(&surface.positions);
        let pin =
            |(node, start)| Box::new(Pin::new(node as u32, start, motion.clone())) as Box<dyn Constraint>;
        let laws = nodes.clone().zip(surface.positions.iter().copied()).map(pin).collect();
        self.constrain(NamedConstraint { name: name.into(), laws, until: f64::INFINITY, stiffness: None });
        self.embedding.push_plain(nodes.clone());
        let outline = Outline { triangles: &surface.triangles, ..Outline::default() };
        Ok(self.enlist(name, BodyKind::Obstacle, nodes, &outline))
    }

    /// Adds a half-space that nothing may enter: bodies stay on the side that the plane's normal points to.
    pub fn add_plane(&mut self, name: &str, plane: Plane) -> &mut Self {
        self.planes.push(NamedPlane { name: name.into(), point: plane.point, normal: plane.normal });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use crate::body::Material;
    use crate::constraint::{Path, Turn};
    use crate::kinetic::MassModel;
    use crate::mesh::generate;
    use crate::potential::material::Moduli;
    use crate::run::{Settings, Simulation};

    /// A falling cube, alone or beside a turning obstacle that was added before it.
    fn falling(with_obstacle: bool) -> Simulation {
        let mut builder = WorldBuilder::new();
        builder.gravity(Vec3::new(0.0, 0.0, -9.81));
        if with_obstacle {
            let surface = generate::box_surface(Vec3::repeat(0.5)).unwrap();
            let path = Path::new(&[(0.0, Vec3::zeros()), (0.2, Vec3::new(0.1, 0.0, 0.0))]);
            let turn = Turn::new(Vec3::z(), Vec3::zeros(), &[(0.0, 0.0), (0.2, 1.0)]);
            builder.add_obstacle("paddle", &surface, &Trajectory::new(path, Some(turn))).unwrap();
            builder.add_plane("floor", Plane::new(-Vec3::z(), Vec3::z()).unwrap());
        }
        let cube = generate::block(Vec3::repeat(0.1), [2; 3]).unwrap();
        let jelly = Material::elastic(1000.0, Moduli::new(40e3, 15e3).unwrap());
        builder.solid("cube", &cube, &jelly, MassModel::Consistent).unwrap();
        let (world, state) = builder.build().unwrap();
        Simulation::new(world, state, Settings { duration: 0.2, ..Settings::default() })
    }

    #[test]
    fn an_obstacle_without_mass_changes_nothing_for_the_others() {
        let (mut alone, mut beside) = (falling(false), falling(true));
        while let Some(frame) = alone.next_frame().unwrap() {
            let other = beside.next_frame().unwrap().unwrap();
            let (a, b) = (frame.ledger, other.ledger);
            assert_eq!((a.kinetic, a.gravity, a.elastic_shear), (b.kinetic, b.gravity, b.elastic_shear));
            assert_eq!((a.momentum, b.drag_work, b.violation), (b.momentum, 0.0, 0.0));
            // The paths have breaks, so steps may end at other times: equal to the tolerance, not to the bit.
            let cube = beside.world().topology.bodies[1].points.clone();
            let off = |(x, y): (&Vec3, &Vec3)| (x - y).norm();
            let worst = frame.positions.iter().zip(&other.positions[cube]).map(off).fold(0.0, f64::max);
            assert!(worst < 1e-9, "{worst}");
            assert_eq!(other.reactions, [Vec3::zeros()]);
        }
        assert_eq!(beside.world().topology.constraints, ["paddle"]);
        assert_eq!(beside.world().planes[0].normal, Vec3::z());
    }

    #[test]
    fn an_obstacle_follows_its_motion_exactly() {
        let mut simulation = falling(true);
        simulation.advance_to(0.2).unwrap();
        let start = generate::box_surface(Vec3::repeat(0.5)).unwrap().positions;
        let (sin, cos) = 1f64.sin_cos();
        for (x, x0) in simulation.state().q.iter().zip(&start) {
            let expected = Vec3::new(0.1 + cos * x0.x - sin * x0.y, sin * x0.x + cos * x0.y, x0.z);
            assert!((x - expected).norm() < 1e-15);
        }
    }

    #[test]
    fn a_broken_surface_is_refused_by_name() {
        let mut surface = generate::plate_surface(1.0, 1.0).unwrap();
        surface.triangles[1][0] = 9;
        let error = WorldBuilder::new().add_obstacle("ramp", &surface, &Trajectory::still()).unwrap_err();
        assert_eq!(error.to_string(), "obstacle `ramp`: triangle 1 names vertex 9, but there are only 4");
    }
}
