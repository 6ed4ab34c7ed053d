//! A step that failed, in the names of the world, and what can be done about it.

use super::{Spot, StepError};
use crate::Vec3;
use crate::state::State;
use crate::world::{ForceError, World};

impl StepError {
    /// What happened, with the names of bodies and constraints.
    pub fn explain(&self, world: &World) -> String {
        let names = Names(world);
        match self {
            StepError::Inverted { t, dt, body, tet } => format!(
                "at t = {t:.6} s tetrahedron {tet} of body `{}` turns inside out, and steps down to {dt:.1e} s do not help",
                names.body(*body)
            ),
            StepError::Unsatisfied { t, constraint, .. } => format!(
                "at t = {t:.6} s constraint `{}` cannot be kept together with the others",
                world.topology.constraints.get(*constraint).map_or("?", |name| name)
            ),
            StepError::TooLong { t, dt, cause } => {
                format!("at t = {t:.6} s a step of {dt:.3e} s is too long: {}", names.cause(*cause))
            }
            StepError::Locked { t, dt, spot } => format!(
                "at t = {t:.6} s the bodies are locked, and steps down to {dt:.1e} s do not help: {}",
                names.spot(spot)
            ),
            StepError::NoMinimum { t, dt, spot } => format!(
                "at t = {t:.6} s no balance of forces was found, and steps down to {dt:.1e} s do not help: {}",
                names.spot(spot)
            ),
            StepError::Blocked { t, node, spot, .. } => format!(
                "at t = {t:.6} s the prescribed motion of `{}` is blocked: {}",
                names.owner_of_node(*node),
                names.spot(spot)
            ),
            StepError::Puppet { t, body, error } => {
                format!("at t = {t:.6} s `{}` cannot move: {error}", names.body(*body))
            }
            StepError::Chatter { t, bodies: [a, b] } => format!(
                "at t = {t:.6} s `{}` and `{}` meet again and again",
                names.body(*a as usize),
                names.body(*b as usize)
            ),
            StepError::TooStiff { .. } => {
                match world.stiffest(&State::at_rest(vec![Vec3::zeros(); world.nodes()])) {
                    Some(stiffest) => format!("{self}: {stiffest}"),
                    None => self.to_string(),
                }
            }
            other => other.to_string(),
        }
    }

    /// What can be done about it.
    pub fn cure(&self) -> &'static str {
        match self {
            StepError::Inverted { .. } => {
                "the load crushes it: use a law that resists (`ls-stable`, `ls`), a stiffer material or a finer mesh"
            }
            StepError::Unsatisfied { .. } => {
                "let one of them go earlier (`until`), or give one a `stiffness`"
            }
            StepError::NotFinite { .. } => "look for enormous forces or stiffnesses in the scene",
            StepError::TooStiff { .. } => {
                "soften springs (`spring_stiffness`, `stiffness`) or the material, coarsen the mesh, loosen `tolerance`, \
                 or write `method = \"bdf2\"`"
            }
            StepError::TooLong { .. } => {
                "write a shorter `max_step`: `aspic stability SCENE` finds the longest that is stable, for every method; \
                 where none is, the load crushes the body, or forces are enormous"
            }
            StepError::Locked { .. } | StepError::NoMinimum { .. } => {
                "something may be squeezed between parts that cannot give way"
            }
            StepError::Blocked { .. } => "slow its motion down, or let what is in its way move",
            StepError::Puppet { .. } => "take shorter steps (`max_step`), or change what is in its way",
            StepError::Massless { .. } => "give the point a mass, or hold it for ever",
            StepError::Chatter { .. } => {
                "they may overlap or touch at the start: move them apart; or use another model of contact"
            }
        }
    }
}

/// The names of a world.
struct Names<'a>(&'a World);

impl Names<'_> {
    /// A body or, counted on behind the bodies, a plane.
    fn body(&self, number: usize) -> &str {
        let World { topology, planes, .. } = self.0;
        let names = topology.bodies.iter().map(|b| &b.name[..]).chain(planes.iter().map(|p| &p.name[..]));
        names.into_iter().nth(number).unwrap_or("?")
    }

    fn cause(&self, cause: ForceError) -> String {
        match cause {
            ForceError::Inverted { body, tet } => {
                format!("tetrahedron {tet} of body `{}` turns inside out", self.body(body))
            }
            ForceError::NotFinite { node } => {
                format!("forces on body `{}` are no longer finite numbers", self.owner_of_node(node))
            }
            other => other.to_string(),
        }
    }

    fn owner_of_node(&self, node: usize) -> &str {
        self.0.topology.bodies.iter().find(|b| b.nodes.contains(&node)).map_or("?", |b| &b.name)
    }

    /// As its body counts it.
    fn number_of_node(&self, node: usize) -> usize {
        let owner = self.0.topology.bodies.iter().find(|b| b.nodes.contains(&node));
        owner.map_or(node, |body| node - body.nodes.start)
    }

    fn spot(&self, spot: &Spot) -> String {
        match spot {
            Spot::Pair { bodies, points, gap, .. } => {
                let [a, b] = bodies.map(|body| self.side(body as usize, points));
                format!("{a} and {b} have {gap:.1e} m of room left between them")
            }
            Spot::Element { body, tet, pressed_by, .. } => format!(
                "tetrahedron {tet} of `{}`{} would become flat",
                self.body(*body as usize),
                self.pressed(pressed_by)
            ),
            Spot::Node { node, speed, pressed_by } => format!(
                "`{}`{} is farthest from balance at node {}, with {speed:.1e} m/s",
                self.owner_of_node(*node as usize),
                self.pressed(pressed_by),
                self.number_of_node(*node as usize)
            ),
        }
    }

    /// Who presses on a body, as an insertion behind its name.
    fn pressed(&self, by: &[Option<u32>; 2]) -> String {
        let names: Vec<_> =
            by.iter().flatten().map(|&body| format!("`{}`", self.body(body as usize))).collect();
        if names.is_empty() { String::new() } else { format!(", pressed by {},", names.join(" and ")) }
    }

    /// One body of a pair with the points of the pair that are its own, as it numbers them.
    fn side(&self, body: usize, points: &[u32; 4]) -> String {
        let range = self.0.topology.bodies.get(body).map_or(0..0, |b| b.points.clone());
        let own = points.iter().map(|&p| p as usize).filter(|p| range.contains(p));
        let mut own: Vec<usize> = own.map(|p| p - range.start).collect();
        own.sort_unstable();
        own.dedup();
        let list: Vec<String> = own.iter().map(usize::to_string).collect();
        match list.len() {
            0 => format!("`{}`", self.body(body)),
            1 => format!("`{}` (point {})", self.body(body), list[0]),
            _ => format!("`{}` (points {})", self.body(body), list.join(", ")),
        }
    }
}
