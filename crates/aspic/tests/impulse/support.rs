//! Worlds of free mass points, and runs that the claims share.

use aspic::body::ImpulseSettings;
use aspic::embedding::Embedding;
use aspic::frame::{BodyKind, BodyRange, Frame, Topology};
use aspic::impulse::{Graph, Impulses, Model, Rules, Shape, Wall};
use aspic::integrate::StepLimits;
use aspic::kinetic::{Inertia, MassModel};
use aspic::mesh::{Plane, generate};
use aspic::potential::material::Moduli;
use aspic::world::Amended;
use aspic::world::{NamedPlane, Phase, Scale};
use aspic::{Material, Settings, Simulation, State, Vec3, World, WorldBuilder};

pub const G: f64 = 9.81;

/// A body of free mass points.
pub struct Dots<'a> {
    pub at: &'a [Vec3],
    pub velocity: &'a [Vec3],
    /// Mass of each  \[kg\]
    pub mass: f64,
    pub radius: f64,
}

/// A world of such bodies, without forces but gravity along −z, and with these half-spaces.
pub fn dots(bodies: &[Dots], walls: &[Wall], rules: Rules, gravity: f64) -> (World, State) {
    let (mut topology, mut embedding) = (Topology::default(), Embedding::default());
    let (mut q, mut v, mut masses, mut shapes) = (vec![], vec![], vec![], vec![]);
    for body in bodies {
        let range = q.len()..q.len() + body.at.len();
        masses.extend(range.clone().map(|i| (i as u32, i as u32, body.mass)));
        q.extend(body.at);
        v.extend(body.velocity);
        embedding.push_plain(range.clone());
        let points = range.clone().map(|p| p as u32).collect();
        shapes.push(Shape { points, radius: body.radius, graph: Graph::default(), ..Shape::default() });
        topology.bodies.push(BodyRange {
            name: format!("body {}", topology.bodies.len()),
            kind: BodyKind::Points,
            nodes: range.clone(),
            points: range,
            radius: body.radius,
            ..BodyRange::default()
        });
    }
    (topology.nodes, topology.points) = (q.len(), q.len());
    let planes = walls.iter().map(|w| NamedPlane { name: "wall".into(), point: w.point, normal: w.normal });
    let inertia = Inertia::new(q.len(), masses);
    let phases = Phase::all(&inertia, &[], &[], &[]).unwrap();
    let impulses = Impulses { rules, shapes, walls: walls.to_vec(), ..Impulses::default() };
    // Everything else as a builder leaves it.
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::z() * -gravity);
    let cube = generate::block(Vec3::repeat(1.0), [1; 3]).unwrap();
    builder.solid("cube", &cube, &jelly(), MassModel::Lumped).unwrap();
    let base = builder.build().unwrap().0;
    let world = World {
        inertia,
        continua: vec![],
        scale: Scale { length: 1.0, time: 1.0, stable_step: f64::INFINITY },
        topology,
        embedding,
        planes: planes.collect(),
        impulses: Some(impulses),
        phases,
        ..base
    };
    (world, State { v, ..State::at_rest(q) })
}

/// The ground.
pub fn floor() -> Wall {
    Wall { point: Vec3::zeros(), normal: Vec3::z() }
}

/// Steps of one length.
pub fn steps(h: f64, duration: f64, frame_interval: f64) -> Settings {
    let limits = StepLimits { tolerance: 1e-6, min_step: 1e-9, max_step: h };
    Settings { duration, frame_interval, first_step: Some(h), limits, ..Settings::default() }
}

/// All that is left of a run.
pub fn frames(simulation: &mut Simulation) -> Vec<Frame> {
    std::iter::from_fn(|| simulation.next_frame().unwrap()).collect()
}

/// ρ = 1000 kg/m³, K = 40 kPa, G = 15 kPa.
pub fn jelly() -> Material {
    Material::elastic(1000.0, Moduli::new(40e3, 15e3).unwrap())
}

/// A builder with gravity and, if wanted, the ground.
pub fn ground(gravity: f64, floor: bool) -> WorldBuilder {
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::z() * -gravity);
    if floor {
        builder.add_plane("floor", Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
    }
    builder
}

/// Adds a solid, shifted and moving.
pub fn solid(
    builder: &mut WorldBuilder,
    name: &str,
    mesh: &aspic::mesh::TetMesh,
    mass: MassModel,
    shift: Vec3,
    velocity: Vec3,
) {
    let id = builder.solid(name, mesh, &jelly(), mass).unwrap();
    for node in builder.nodes(id) {
        builder.positions()[node] += shift;
        builder.velocities()[node] = velocity;
    }
}

/// Amends a state as if a step without forces had led to it; returns what it was before.
pub fn amend(world: &World, state: &mut State) -> State {
    let old = state.clone();
    let before = State { t: old.t - 1e-3, ..old.clone() };
    let mut work = world.workspace();
    assert!(
        world.amends() && world.amend(&before, state, false, &mut work) == Amended::Motion,
        "nothing touched"
    );
    old
}

/// Change of the ledger's total by an amendment, over the energy that changed hands.
pub fn miss(world: &World, old: &State, new: &State) -> f64 {
    let mut work = world.workspace();
    let first = world.ledger(old, None, &mut work);
    let after = world.ledger(new, Some(&first), &mut work);
    after.residual.abs() / after.exchanged.max(after.kinetic)
}

pub fn flood() -> ImpulseSettings {
    ImpulseSettings { model: Model::Flood, ..ImpulseSettings::default() }
}
