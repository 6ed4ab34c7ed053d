//! What can be changed in a scene while it runs, and how.

use aspic::scene::quantity::{Acceleration, Dimension, Number, Pressure, Time, Viscosity};
use aspic::scene::{Kind, Material, Quantity, Scene, SceneError, Vector, presets};

use crate::stage::{Parameter, SliderScale};

/// A place in a scene that holds one number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A component of gravity: 0, 1, 2 for x, y, z.
    Gravity(usize),
    /// A number of a material.
    Material(String, Property),
    /// Stiffness of an affine body.
    AffineStiffness(String),
    /// Friction where no pair says otherwise.
    Friction,
    /// Longest time step.
    Step,
}

/// A number of a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// Bulk modulus.
    Bulk,
    /// Shear modulus.
    Shear,
    /// Young's modulus.
    Young,
    /// Poisson's ratio.
    Poisson,
    /// Bulk viscosity.
    BulkViscosity,
    /// Shear viscosity.
    ShearViscosity,
}

use Property::{Bulk, BulkViscosity, Poisson, Shear, ShearViscosity, Young};

impl Property {
    /// Its key in a scene file.
    pub fn word(self) -> &'static str {
        match self {
            Bulk => "bulk",
            Shear => "shear",
            Young => "young",
            Poisson => "poisson",
            BulkViscosity => "bulk_viscosity",
            ShearViscosity => "shear_viscosity",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Bulk => "Bulk modulus",
            Shear => "Shear modulus",
            Young => "Young's modulus",
            Poisson => "Poisson's ratio",
            BulkViscosity => "Bulk viscosity",
            ShearViscosity => "Shear viscosity",
        }
    }
}

/// Moduli may change by this factor up and down, viscosities and steps by their own.
const MODULI: f64 = 100.0;
const STEPS: f64 = 10.0;
/// Viscosity over modulus, in seconds, that a slider reaches where a material has little of its own.
const RELAXATION: f64 = 0.1;
/// Gravity reaches this far, or four times what the scene says  \[m/s²\]
const GRAVITY: f64 = 20.0;

/// Every parameter of a scene with its value and its limits; `start` is the scene as written, which sets the limits.
pub fn list(scene: &Scene, start: &Scene) -> Vec<Parameter> {
    keys(start).into_iter().filter_map(|key| describe(&key, scene, start)).collect()
}

/// The parameter of that name, if the scene has it.
pub fn find(name: &str, scene: &Scene) -> Option<Key> {
    keys(scene).into_iter().find(|key| key.name() == name)
}

/// What can be changed, in the order in which it is shown.
fn keys(scene: &Scene) -> Vec<Key> {
    let mut keys: Vec<Key> = [2, 0, 1].map(Key::Gravity).into();
    let solid = |name: &str| scene.bodies.values().any(|b| *b.material == name && b.kind == Kind::Solid);
    for (name, material) in scene.materials.iter().filter(|(name, _)| solid(name)) {
        let pair = if speaks_of_young(material) { [Young, Poisson] } else { [Bulk, Shear] };
        let all = pair.into_iter().chain([BulkViscosity, ShearViscosity]);
        keys.extend(all.map(|property| Key::Material(name.clone(), property)));
    }
    let affine = scene.bodies.iter().filter(|(_, body)| body.kind == Kind::Affine);
    keys.extend(affine.map(|(name, _)| Key::AffineStiffness(name.clone())));
    let rubs = scene.impulse_settings().is_some_and(|impulses| impulses.friction_factor.is_none());
    if scene.contact_settings().is_some() || rubs {
        keys.push(Key::Friction);
    }
    keys.push(Key::Step);
    keys
}

fn speaks_of_young(material: &Material) -> bool {
    material.young.is_some() || material.poisson.is_some()
}

impl Key {
    /// What requests call it: the path in a scene file.
    pub fn name(&self) -> String {
        match self {
            Key::Gravity(axis) => format!("gravity.{}", ["x", "y", "z"][*axis]),
            Key::Material(name, property) => format!("materials.{name}.{}", property.word()),
            Key::AffineStiffness(name) => format!("bodies.{name}.stiffness"),
            Key::Friction => "contact.friction".into(),
            Key::Step => "time.max_step".into(),
        }
    }

    /// The value in a scene \[SI\].
    pub fn get(&self, scene: &Scene) -> Option<f64> {
        match self {
            Key::Gravity(axis) => Some(scene.gravity.0.si()[*axis]),
            Key::Material(name, property) => {
                let material = scene.materials.get(name)?;
                let numbers = material.resolve().ok()?;
                let young_poisson = || presets::young_poisson(numbers.bulk, numbers.shear);
                Some(match property {
                    Bulk => numbers.bulk,
                    Shear => numbers.shear,
                    // What is written must come back to the last digit.
                    Young => material.young.map_or_else(|| young_poisson().0, |young| young.si()),
                    Poisson => material.poisson.map_or_else(|| young_poisson().1, |poisson| poisson.si()),
                    BulkViscosity => numbers.bulk_viscosity,
                    ShearViscosity => numbers.shear_viscosity,
                })
            }
            Key::AffineStiffness(name) => scene.bodies.get(name)?.stiffness.map(|stiffness| stiffness.si()),
            Key::Friction => Some(scene.contact.as_ref().map_or(0.0, |contact| contact.friction.si())),
            // A fixed step that is not written follows from the bodies, and has no number here.
            Key::Step if scene.method().has_fixed_step() => scene.time.max_step.map(|step| step.si()),
            Key::Step => Some(scene.settings().limits.max_step),
        }
    }

    /// Writes a value \[SI\] into a scene and checks the whole; the scene is unchanged if it refuses.
    pub fn set(&self, scene: &mut Scene, value: f64) -> Result<(), SceneError> {
        let mut changed = scene.clone();
        self.write(&mut changed, value);
        changed.validate()?;
        *scene = changed;
        Ok(())
    }

    fn write(&self, scene: &mut Scene, value: f64) {
        match self {
            Key::Gravity(axis) => {
                let mut gravity = scene.gravity.0.si();
                gravity[*axis] = value;
                scene.gravity.0 = Vector::new(gravity.x, gravity.y, gravity.z);
            }
            Key::Material(name, property) => {
                let Some(material) = scene.materials.get_mut(name) else { return };
                match property {
                    Bulk => material.bulk = Some(Quantity::new(value)),
                    Shear => material.shear = Some(Quantity::new(value)),
                    Young => material.young = Some(Quantity::new(value)),
                    Poisson => material.poisson = Some(Quantity::new(value)),
                    BulkViscosity => material.bulk_viscosity = Some(Quantity::new(value)),
                    ShearViscosity => material.shear_viscosity = Some(Quantity::new(value)),
                }
            }
            Key::AffineStiffness(name) => {
                if let Some(body) = scene.bodies.get_mut(name) {
                    body.stiffness = Some(Quantity::new(value));
                }
            }
            Key::Friction => scene.contact.get_or_insert_default().friction = Quantity::new(value),
            Key::Step => {
                scene.time.max_step = Some(Quantity::new(value));
                // A first step that was only a default must not forbid a shorter longest step.
                let first = scene.time.first_step.filter(|first| first.si() > value);
                scene.time.first_step = first.map(|_| Quantity::new(value)).or(scene.time.first_step);
            }
        }
    }
}

/// Label, unit, limits.
fn describe(key: &Key, scene: &Scene, start: &Scene) -> Option<Parameter> {
    use SliderScale::{Linear, Log};
    let (value, written) = (key.get(scene)?, key.get(start)?);
    let (label, unit, min, max, scale) = match key {
        Key::Gravity(axis) => {
            let reach = GRAVITY.max(4.0 * start.gravity.0.si().amax());
            let label = ["Gravity x", "Gravity y", "Gravity z"][*axis];
            (label, Acceleration::UNIT, -reach, reach, Linear)
        }
        Key::Material(_, property @ (Bulk | Shear | Young)) => {
            (property.label(), Pressure::UNIT, written / MODULI, written * MODULI, Log)
        }
        Key::Material(_, Poisson) => (Poisson.label(), Number::UNIT, -0.9, 0.495, Linear),
        Key::Material(name, property @ (BulkViscosity | ShearViscosity)) => {
            let modulus = if *property == BulkViscosity { Bulk } else { Shear };
            let modulus = Key::Material(name.clone(), modulus).get(start)?;
            (property.label(), Viscosity::UNIT, 0.0, (4.0 * written).max(RELAXATION * modulus), Linear)
        }
        Key::AffineStiffness(_) => ("Stiffness", Pressure::UNIT, written / MODULI, written * MODULI, Log),
        Key::Friction => ("Friction", Number::UNIT, 0.0, written.max(1.5), Linear),
        Key::Step => {
            let max = (written * STEPS).min(super::FRAME_INTERVAL).max(written);
            ("Longest step", Time::UNIT, written / STEPS, max, Log)
        }
    };
    let group = match key {
        Key::Gravity(_) => "World".into(),
        Key::Material(name, _) => format!("Material {name}"),
        Key::AffineStiffness(name) => format!("Body {name}"),
        Key::Friction => "Contact".into(),
        Key::Step => "Time".into(),
    };
    // A value typed by hand may lie outside.
    let (min, max) = (min.min(value), max.max(value));
    let unit = if unit == "1" { "" } else { unit };
    Some(Parameter { key: key.name(), label: label.into(), unit, group, value, min, max, scale })
}
