//! Constraints and loads of a world in the making. People choose points; constraints act on nodes.

use super::{BuildError, WorldBuilder};
use crate::Vec3;
use crate::constraint::{Constraint, Path, Pin, Trajectory};
use crate::event::Condition;
use crate::external::External;
use crate::frame::BodyKind;
use crate::world::{Ending, Ends, Load, NamedConstraint, NamedEvent};

impl WorldBuilder {
    /// Holds points where they are: vertices of solids, or a whole affine body.
    pub fn hold(&mut self, name: &str, points: &[u32]) -> &mut Self {
        self.drag(name, points, &Path::still(), f64::INFINITY)
    }

    /// Drags points along a path or a trajectory and lets go at time `until` \[s\]: vertices of solids, or a whole
    /// affine body. A part of an affine body is refused when the world is built.
    pub fn drag(
        &mut self,
        name: &str,
        points: &[u32],
        motion: &(impl Clone + Into<Trajectory>),
        until: f64,
    ) -> &mut Self {
        let motion: Trajectory = motion.clone().into();
        let nodes = self.nodes_of(points).unwrap_or_else(|error| self.refuse(error));
        let positions = self.positions();
        let pin = |node: u32| -> Box<dyn Constraint> {
            Box::new(Pin::new(node, positions[node as usize], motion.clone()))
        };
        let laws = nodes.into_iter().map(pin).collect();
        self.constrain(NamedConstraint { name: name.into(), laws, until, stiffness: None })
    }

    /// Holds points where their nodes are in `q` \[m\], each node once. Of an affine body any point stands for all, and
    /// a point of a skin for the vertices that carry it.
    pub fn hold_at(&mut self, name: &str, points: &[u32], q: &[Vec3]) -> &mut Self {
        let known = points.iter().copied().filter(|&point| (point as usize) < self.embedding.len());
        let whole = |point: u32| match self.embedding.node(point as usize) {
            None if self.is_affine(point) => self.points(self.body_of(point)),
            _ => point as usize..point as usize + 1,
        };
        let mut all: Vec<u32> = known.flat_map(whole).map(|point| point as u32).collect();
        all.sort_unstable();
        all.dedup();
        let mut nodes = self.nodes_of(&all).unwrap_or_else(|error| self.refuse(error));
        nodes.sort_unstable();
        nodes.dedup();
        let pin =
            |node: u32| -> Box<dyn Constraint> { Box::new(Pin::new(node, q[node as usize], Path::still())) };
        let laws = nodes.into_iter().map(pin).collect();
        self.constrain(NamedConstraint { name: name.into(), laws, until: f64::INFINITY, stiffness: None })
    }

    fn is_affine(&self, point: u32) -> bool {
        self.topology.bodies[self.body_of(point)].kind == BodyKind::Affine
    }

    /// The nodes whose motion is that of some points: of a vertex of a solid its own, of a whole affine body its four,
    /// of a point of a skin those that carry it.
    pub fn nodes_of(&self, points: &[u32]) -> Result<Vec<u32>, BuildError> {
        let mut nodes = Vec::with_capacity(points.len());
        let mut whole = Vec::new();
        for &point in points {
            self.refuse_puppet(point)?;
            if let Some(node) = self.embedding.node(point as usize) {
                nodes.push(node);
                continue;
            }
            if !self.is_affine(point) {
                nodes.extend(self.embedding.of(point as usize).map(|(node, _)| node));
                continue;
            }
            let body = self.body_of(point);
            if whole.contains(&body) {
                continue;
            }
            let range = self.points(body);
            let mut chosen: Vec<u32> =
                points.iter().copied().filter(|&p| range.contains(&(p as usize))).collect();
            chosen.sort_unstable();
            chosen.dedup();
            if chosen.len() < range.len() {
                return Err(BuildError::PartOfAffine { body: self.topology.bodies[body].name.clone() });
            }
            nodes.extend(self.nodes(body).map(|node| node as u32));
            whole.push(body);
        }
        Ok(nodes)
    }

    /// The nodes that some points are; affine bodies and points of skins are refused.
    pub fn plain_nodes(&self, points: &[u32]) -> Result<Vec<u32>, BuildError> {
        let name = |point| self.topology.bodies[self.body_of(point)].name.clone();
        let node = |&point: &u32| match self.embedding.node(point as usize) {
            Some(node) => Ok(node),
            None if self.is_affine(point) => Err(BuildError::OnAffine { body: name(point) }),
            None => Err(BuildError::OnSkin { body: name(point) }),
        };
        points.iter().try_for_each(|&point| self.refuse_puppet(point))?;
        points.iter().map(node).collect()
    }

    /// Nothing holds or pushes what moves by rules of its own.
    fn refuse_puppet(&self, point: u32) -> Result<(), BuildError> {
        let body = &self.topology.bodies[self.body_of(point)];
        match body.kind {
            BodyKind::Puppet => Err(BuildError::OnPuppet { body: body.name.clone() }),
            _ => Ok(()),
        }
    }

    /// Adds any constraint, in numbers of nodes.
    pub fn constrain(&mut self, constraint: NamedConstraint) -> &mut Self {
        self.topology.constraints.push(constraint.name.clone());
        self.constraints.push(constraint);
        self
    }

    /// Adds a load that ends at `until` \[s\], in numbers of nodes.
    pub fn load(&mut self, law: Box<dyn External>, until: f64) -> &mut Self {
        self.loads.push(Load { law, until });
        self
    }

    /// Ends constraints and loads that are already there when the first of some conditions fails. Conditions that ask for
    /// forces of constraints are for events of their own, with `asks_forces`; implicit steps heed those at their ends.
    pub fn event(
        &mut self,
        name: &str,
        conditions: Vec<Box<dyn Condition>>,
        asks_forces: bool,
        ends: &[Ends],
    ) -> &mut Self {
        let planned = |what: Ends| match what {
            Ends::Constraint(c) => self.constraints.get(c).map(|constraint| constraint.until),
            Ends::Load(l) => self.loads.get(l).map(|load| load.until),
        };
        let ends = ends.iter().filter_map(|&what| Some(Ending { what, planned: planned(what)? })).collect();
        self.events.push(NamedEvent { name: name.to_owned(), conditions, ends, asks_forces });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Material, Start};
    use crate::kinetic::MassModel;
    use crate::mesh::generate;
    use crate::potential::material::Moduli;

    /// An affine block in front of a solid cube.
    fn two() -> WorldBuilder {
        let mesh = generate::block(Vec3::repeat(0.1), [1; 3]).unwrap();
        let moduli = Moduli::new(1e5, 1e5).unwrap();
        let mut builder = WorldBuilder::new();
        builder.add_affine("block", &mesh, 1000.0, moduli, &Start::default()).unwrap();
        builder.solid("cube", &mesh, &Material::elastic(1000.0, moduli), MassModel::Lumped).unwrap();
        builder
    }

    #[test]
    fn points_of_solids_are_their_nodes_behind_an_affine_body() {
        let builder = two();
        let cube = builder.points(1);
        assert_eq!(
            (builder.nodes(0), builder.nodes(1).start, cube.start),
            (0..4, 4, builder.points(0).len())
        );
        assert_eq!(builder.plain_nodes(&[cube.start as u32 + 2]).unwrap(), [6]);
    }

    #[test]
    fn an_affine_body_is_held_whole_or_not_at_all() {
        let mut builder = two();
        let all: Vec<u32> = builder.points(0).map(|p| p as u32).collect();
        assert_eq!(builder.nodes_of(&all).unwrap(), [0, 1, 2, 3]);
        builder.hold("nail", &all);
        let (world, _) = builder.build().unwrap();
        assert_eq!(world.phases[0].free.mask[..5], [false, false, false, false, true]);

        let mut builder = two();
        builder.hold("nail", &all[1..]);
        assert_eq!(builder.build().err(), Some(BuildError::PartOfAffine { body: "block".into() }));
        let error = two().plain_nodes(&all).unwrap_err();
        assert_eq!(error, BuildError::OnAffine { body: "block".into() });
    }
}
