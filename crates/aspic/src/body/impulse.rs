//! From bodies to contact by impulses: who touches, how it bounces and rubs.

use std::collections::BTreeMap;

use super::names::Names;
use super::{BodyId, BuildError, WorldBuilder};
use crate::Vec3;
use crate::frame::{BodyKind, BodyRange, Topology};
use crate::impulse::{Graph, Impulses, Model, Rules, Shape, Wall, closed};
use crate::world::NamedPlane;

/// What can be said about contact by impulses. The defaults need no saying.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImpulseSettings {
    /// Which model.
    pub model: Model,
    /// Speed of parting over speed of approach, from 0 to 1.
    pub restitution: f64,
    /// Coefficient of friction where no pair says otherwise.
    pub friction: f64,
    /// Coefficients of pairs of bodies, obstacles or planes, by name.
    pub friction_pairs: Vec<(String, String, f64)>,
    /// Part of the sliding that each touch takes away, from 0 to 1; instead of Coulomb's friction.
    pub friction_factor: Option<f64>,
    /// Radius of the points of bodies that have no thickness of their own \[m\]; for [`Model::Points`].
    pub point_radius: f64,
    /// Whether points of one body touch each other; for [`Model::Points`].
    pub self_contact: bool,
    /// Pairs that pass through each other, by name.
    pub off: Vec<(String, String)>,
}

impl WorldBuilder {
    /// Lets bodies touch by impulses between steps, whatever scheme takes the steps. Replaces
    /// [`WorldBuilder::contact`].
    pub fn impulses(&mut self, settings: ImpulseSettings) -> &mut Self {
        (self.contact, self.springs) = (None, None);
        self.impulses = Some(settings);
        self
    }

    /// Says that an obstacle is a sphere of this radius \[m\] around the mean of its points. Mass points then touch the
    /// sphere itself, not its triangles.
    pub fn round(&mut self, obstacle: BodyId, radius: f64) -> &mut Self {
        self.balls.insert(obstacle, radius);
        self
    }
}

/// The impulses of all bodies of a topology whose points are at `points` at the start.
pub(super) fn impulses(
    settings: &ImpulseSettings,
    topology: &Topology,
    planes: &[NamedPlane],
    balls: &BTreeMap<BodyId, f64>,
    points: &[Vec3],
) -> Result<Impulses, BuildError> {
    check(settings)?;
    let shape = |(id, body): (usize, &BodyRange)| shape(settings, topology, body, balls.get(&id), points);
    let shapes = topology.bodies.iter().enumerate().map(shape).collect::<Result<_, _>>()?;
    let names = Names::new(topology, planes);
    let mut rules = Rules {
        restitution: settings.restitution,
        friction: settings.friction,
        factor: settings.friction_factor,
        ..Rules::default()
    };
    for (a, b, mu) in &settings.friction_pairs {
        rules.frictions.insert(names.pair(a, b)?, *mu);
    }
    let off = settings.off.iter().map(|(a, b)| names.pair(a, b)).collect::<Result<_, _>>()?;
    let walls = planes.iter().map(|p| Wall { point: p.point, normal: p.normal }).collect();
    let (model, own) = (settings.model, settings.self_contact);
    let mut impulses = Impulses { model, rules, shapes, walls, own, off, neighbours: vec![] };
    if own {
        impulses.note_neighbours(points);
    }
    Ok(impulses)
}

/// Numbers that make no sense are refused, also from those who build worlds without a scene.
fn check(settings: &ImpulseSettings) -> Result<(), BuildError> {
    let unit = 0.0..=1.0;
    let up = 0.0..=f64::MAX;
    let factor = settings.friction_factor.unwrap_or(0.0);
    let mut numbers = vec![
        ("restitution", settings.restitution, &unit),
        ("friction factor", factor, &unit),
        ("friction", settings.friction, &up),
        ("point radius", settings.point_radius, &up),
    ];
    numbers.extend(settings.friction_pairs.iter().map(|(_, _, mu)| ("friction", *mu, &up)));
    match numbers.into_iter().find(|(_, value, range)| !range.contains(value)) {
        Some((what, value, _)) => Err(BuildError::Impulse { what, value }),
        None => Ok(()),
    }
}

/// What can touch of one body.
fn shape(
    settings: &ImpulseSettings,
    topology: &Topology,
    body: &BodyRange,
    ball: Option<&f64>,
    points: &[Vec3],
) -> Result<Shape, BuildError> {
    let triangles = topology.touching(body);
    let lines = &topology.edges[body.edges.clone()];
    let fixed = body.kind == BodyKind::Obstacle;
    let skin = closed(triangles, points);
    match settings.model {
        Model::Points if fixed && ball.is_none() => {
            return Err(BuildError::NotRound { body: body.name.clone() });
        }
        Model::Flood if fixed && skin.is_none() => {
            return Err(BuildError::OpenObstacle { body: body.name.clone() });
        }
        _ => (),
    }
    let radius = match (fixed, body.radius > 0.0) {
        (true, _) => 0.0,
        (false, true) => body.radius,
        (false, false) => settings.point_radius,
    };
    Ok(Shape {
        points: outer_points(body, triangles, lines),
        radius,
        graph: Graph::new(triangles, lines),
        skin: skin.unwrap_or_default(),
        fixed,
        ball: ball.copied(),
    })
}

/// The points on triangles and lines, ascending; all of them where there are neither.
fn outer_points(body: &BodyRange, triangles: &[[u32; 3]], lines: &[[u32; 2]]) -> Vec<u32> {
    let mut points: Vec<u32> = triangles.iter().flatten().chain(lines.iter().flatten()).copied().collect();
    if points.is_empty() {
        points.extend(body.points.clone().map(|p| p as u32));
    }
    points.sort_unstable();
    points.dedup();
    points
}
