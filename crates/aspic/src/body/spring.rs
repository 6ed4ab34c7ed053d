//! From bodies to contact by springs: who meets, and how stiff the springs are.

use super::names::Names;
use super::{BuildError, WorldBuilder};
use crate::Vec3;
use crate::embedding::Embedding;
use crate::event::{Removal, Skin, SpringContact};
use crate::frame::{BodyKind, Topology};
use crate::impulse::{Wall, closed};
use crate::kinetic::Inertia;
use crate::world::{NamedPlane, Scale};

/// Square of the frequency of a point on its spring, over the square of the highest of the bodies: stiff enough that bodies
/// overlap little, and too soft to ask for shorter steps.
const SOFT: f64 = 0.25;
/// Product of the longest explicit step and the highest frequency.
const STABLE: f64 = 2.8;

/// The distance at which multipliers hold surfaces, over the size of the smallest body: far above rounding.
const GAP: f64 = 1e-9;

/// What can be said about contact by springs. The defaults need no saying.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpringSettings {
    /// Stiffness of every spring \[N/m\]; by default from the masses of the points and the speed of waves in the bodies.
    pub stiffness: Option<f64>,
    /// Whether multipliers hold what has met, instead of springs; what slides then does so without friction.
    pub rigid: bool,
    /// When springs are taken away.
    pub removal: Removal,
    /// Coulomb's μ of springs whose feet slide; `None`: they stick.
    pub friction: Option<f64>,
    /// Whether bodies meet themselves.
    pub self_contact: bool,
    /// Pairs that pass through each other, by name.
    pub off: Vec<(String, String)>,
}

impl WorldBuilder {
    /// Lets bodies meet by springs, put between them at the very moment when they touch. Explicit steps heed them, implicit
    /// ones do not. Replaces
    /// [`WorldBuilder::contact`] and [`WorldBuilder::impulses`].
    pub fn springs(&mut self, settings: SpringSettings) -> &mut Self {
        (self.contact, self.impulses) = (None, None);
        self.springs = Some(settings);
        self
    }
}

/// What the springs need to know of the world.
pub(super) struct Grounds<'a> {
    pub topology: &'a Topology,
    pub planes: &'a [NamedPlane],
    pub embedding: &'a Embedding,
    pub inertia: &'a Inertia,
    pub scale: Scale,
    /// Length of the memory without springs.
    pub memory: usize,
}

/// The springs between all bodies of a topology whose points are at `points` at the start.
pub(super) fn springs(
    settings: &SpringSettings,
    grounds: &Grounds,
    points: &[Vec3],
) -> Result<SpringContact, BuildError> {
    let Grounds { topology, planes, .. } = grounds;
    if let Some(value) = settings.stiffness.filter(|k| !(*k > 0.0 && k.is_finite())) {
        return Err(BuildError::ContactSpring { what: "stiffness", value });
    }
    if let Some(value) = settings.friction.filter(|mu| !(*mu >= 0.0 && mu.is_finite())) {
        return Err(BuildError::ContactSpring { what: "friction", value });
    }
    let skins = topology.bodies.iter().map(|body| -> Result<Skin, BuildError> {
        let outward = closed(topology.touching(body), points);
        let skin = outward.and_then(|outward| Skin::new(&outward, body.kind == BodyKind::Obstacle));
        let mut skin = skin.ok_or_else(|| BuildError::OpenSkin { body: body.name.clone() })?;
        skin.look_inside(&topology.tets[body.tets.clone()]);
        let carried = skin.points.iter().any(|&point| grounds.embedding.node(point as usize).is_none());
        if settings.rigid && carried {
            return Err(BuildError::NoOwnNodes { body: body.name.clone() });
        }
        Ok(skin)
    });
    let skins = skins.collect::<Result<Vec<_>, _>>()?;
    let names = Names::new(topology, planes);
    Ok(SpringContact {
        stiffness: stiffness(settings, grounds, &skins),
        skins,
        walls: planes.iter().map(|p| Wall { point: p.point, normal: p.normal }).collect(),
        rigid: settings.rigid,
        gap: GAP * grounds.scale.length,
        removal: settings.removal,
        friction: settings.friction,
        own: settings.self_contact,
        off: settings.off.iter().map(|(a, b)| names.pair(a, b)).collect::<Result<_, _>>()?,
        memory: grounds.memory,
    })
}

/// k = ¼ m ω² of every point, m its share of the mass and ω the highest frequency of the bodies; or as it is given.
fn stiffness(settings: &SpringSettings, grounds: &Grounds, skins: &[Skin]) -> Vec<f64> {
    let Grounds { embedding, inertia, scale, .. } = grounds;
    let square = SOFT * (STABLE / scale.stable_step).powi(2);
    let mass = |point: usize| -> f64 {
        embedding.of(point).map(|(node, w)| w * w * inertia.masses()[node as usize]).sum()
    };
    let one = |point: usize| settings.stiffness.unwrap_or(square * mass(point));
    let mut list: Vec<f64> = (0..embedding.len()).map(one).collect();
    for &point in skins.iter().filter(|skin| skin.fixed).flat_map(|skin| &skin.points) {
        list[point as usize] = f64::INFINITY;
    }
    list
}
