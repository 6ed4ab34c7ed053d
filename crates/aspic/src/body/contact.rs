//! From bodies to contact: which surfaces there are, how near they come, how they rub.

use super::BuildError;
use super::names::Names;
use crate::Vec3;
use crate::contact::{
    Contact, ContactDistance, Friction, HalfSpace, Part, STIFFNESS_SCALE, Surface, SurfaceError,
};
use crate::frame::{BodyKind, Topology};
use crate::world::NamedPlane;

/// What can be said about contact. The defaults need no saying.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSettings {
    /// Distance at which surfaces begin to push \[m\]; `None` follows from the meshes.
    pub distance: Option<f64>,
    /// The same for bodies and obstacles, by name; of two that touch the finer one decides \[m\].
    pub distances: Vec<(String, f64)>,
    /// The same for pairs of bodies, obstacles or planes, by name; a body with itself for self-contact \[m\].
    pub distance_pairs: Vec<(String, String, f64)>,
    /// Stiffness of contacts over that of the bodies.
    pub stiffness_scale: f64,
    /// Coefficient of friction where no pair says otherwise.
    pub friction: f64,
    /// Coefficients of pairs of bodies, obstacles or planes, by name.
    pub friction_pairs: Vec<(String, String, f64)>,
    /// Slip speed below which friction holds \[m/s\]; `None`: 1e-4 of the smallest body per second.
    pub slip_speed: Option<f64>,
    /// Pairs that pass through each other, by name; a body with itself for no self-contact.
    pub off: Vec<(String, String)>,
    /// Bodies that overlap or touch at the start are moved apart as they are, the heavier by less, until every gap is
    /// at least the contact distance; `false`: they are refused. Obstacles, planes and bodies that a constraint
    /// acts on stay. [`crate::World::shifts`] says what moved.
    pub separate: bool,
}

impl Default for ContactSettings {
    fn default() -> Self {
        ContactSettings {
            distance: None,
            distances: vec![],
            distance_pairs: vec![],
            stiffness_scale: STIFFNESS_SCALE,
            friction: 0.0,
            friction_pairs: vec![],
            slip_speed: None,
            off: vec![],
            separate: false,
        }
    }
}

/// Slip speed that holds, in sizes of the smallest body per second: what should stay creeps by less than that, however near
/// to slipping it is. A block of 10 x 10 x 10 cm creeps by less than 0.02 mm/s.
const SLIP: f64 = 1e-4;

/// The contact of all bodies of a topology whose points are at `points` at the start.
pub(super) fn contact(
    settings: &ContactSettings,
    topology: &Topology,
    planes: &[NamedPlane],
    points: Vec<Vec3>,
    smallest: f64,
) -> Result<Contact, BuildError> {
    let mut surface = Surface::new(points);
    let touching = topology.bodies.iter().enumerate().filter(|(_, body)| body.kind != BodyKind::Puppet);
    for (number, body) in touching {
        let part = Part {
            body: number as u32,
            triangles: topology.touching(body),
            loose_edges: &topology.edges[body.edges.clone()],
            loose_points: &[],
            radius: body.radius,
            fixed: body.kind == BodyKind::Obstacle,
            self_contact: matches!(body.kind, BodyKind::Solid | BodyKind::Points | BodyKind::Boundary),
        };
        let failed = |error: SurfaceError| BuildError::Contact { body: body.name.clone(), error };
        surface.add(&part).map_err(failed)?;
    }
    let names = Names::new(topology, planes);
    for (a, b) in &settings.off {
        surface.exclude(names.number(a)?, names.number(b)?);
    }
    let mut friction = Friction {
        default: settings.friction,
        slip_speed: settings.slip_speed.unwrap_or(SLIP * smallest),
        ..Friction::default()
    };
    for (a, b, mu) in &settings.friction_pairs {
        let (a, b) = (names.number(a)?, names.number(b)?);
        friction.pairs.insert([a.min(b), a.max(b)], *mu);
    }
    let distance = contact_distance(settings, &surface, topology, &names)?;
    Ok(Contact {
        surface,
        half_spaces: planes.iter().map(|p| HalfSpace { point: p.point, normal: p.normal }).collect(),
        first_plane_body: topology.bodies.len() as u32,
        distance,
        stiffness_scale: settings.stiffness_scale,
        friction,
        backing: vec![],
    })
}

/// How near is near, for all parts, for single ones and for pairs.
fn contact_distance(
    settings: &ContactSettings,
    surface: &Surface,
    topology: &Topology,
    names: &Names,
) -> Result<ContactDistance, BuildError> {
    let natural = ContactDistance::automatic(surface, box_diagonal(surface.rest()));
    let mut distance = match settings.distance {
        Some(distance) => natural.with(distance),
        None => natural,
    };
    let part = |body: u32| surface.parts().iter().position(|part| part.body == body);
    let plane = |body: u32| (body as usize).checked_sub(topology.bodies.len());
    for (name, own) in &settings.distances {
        let number = names.number(name)?;
        match (part(number), plane(number)) {
            (Some(part), _) => distance.set_of(part, &surface.parts()[part], *own),
            (None, Some(plane)) => distance.set_of_plane(plane, *own),
            _ => {}
        }
    }
    for (a, b, own) in &settings.distance_pairs {
        let [a, b] = names.pair(a, b)?;
        match (part(a), part(b), plane(b)) {
            (Some(one), Some(other), _) => distance.set_between(one, other, *own),
            (Some(part), None, Some(plane)) => distance.set_at_plane(part, plane, *own),
            _ => {}
        }
    }
    Ok(distance)
}

fn box_diagonal(points: &[Vec3]) -> f64 {
    let fold =
        |f: fn(&Vec3, &Vec3) -> Vec3| points.iter().copied().reduce(|a, b| f(&a, &b)).unwrap_or_default();
    (fold(Vec3::sup) - fold(Vec3::inf)).norm()
}
