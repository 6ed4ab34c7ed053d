//! Bodies and runs that the claims share.

use aspic::body::ContactSettings;
use aspic::constraint::{Anchor, Constraint, Distance};
use aspic::dissipation::viscous_law::Viscosity;
use aspic::frame::Frame;
use aspic::integrate::{ImplicitSettings, NewtonSettings, Scheme, StepLimits};
use aspic::mesh::{Plane, TetMesh, generate};
use aspic::potential::material::Moduli;
use aspic::run::Method;
use aspic::world::NamedConstraint;
use aspic::{Material, Settings, Simulation, Vec3, World, WorldBuilder};

use crate::judge;

pub const SCHEMES: [Scheme; 3] = [Scheme::BackwardEuler, Scheme::Bdf2, Scheme::Trapezoid];

/// ρ = 1000 kg/m³, K = 40 kPa, G = 15 kPa, so E = 40 kPa: a wave crosses a metre in 0.13 s.
pub fn jelly() -> Material {
    Material::elastic(1000.0, Moduli::new(40e3, 15e3).unwrap())
}

/// The same with viscosity τ times the moduli.
pub fn damped_jelly(tau: f64) -> Material {
    Material { viscosity: Viscosity::new(40e3 * tau, 15e3 * tau).unwrap(), ..jelly() }
}

/// A builder with one body.
pub fn single(mesh: &TetMesh, material: &Material) -> WorldBuilder {
    let mut builder = WorldBuilder::new();
    builder.solid("body", mesh, material, Default::default()).unwrap();
    builder
}

/// An exact constraint for all time.
pub fn exact(name: &str, laws: Vec<Box<dyn Constraint>>) -> NamedConstraint {
    NamedConstraint { name: name.into(), laws, until: f64::INFINITY, stiffness: None }
}

/// A search that ends far below every error of the scheme: 1e-9 m/s.
pub fn tight() -> NewtonSettings {
    NewtonSettings { tolerance: Some(TIGHT), linear_tolerance: 1e-6, ..NewtonSettings::default() }
}

/// Tolerance of [`tight`]  \[m/s\]
pub const TIGHT: f64 = 1e-9;

/// Steps of length `step` \[s\] for `duration` \[s\], and frames every `frame_interval` \[s\].
pub fn steps(
    scheme: Scheme,
    newton: NewtonSettings,
    step: f64,
    duration: f64,
    frame_interval: f64,
) -> Settings {
    let limits = StepLimits { tolerance: 1e-4, min_step: 1e-9, max_step: step };
    let method = Method::Implicit(ImplicitSettings { scheme, newton, step_tolerance: None, fixed: true });
    Settings { duration, frame_interval, first_step: None, limits, method }
}

/// The same steps, as long as this error of each lets them.
pub fn adaptive(mut settings: Settings, step_tolerance: f64) -> Settings {
    if let Method::Implicit(implicit) = &mut settings.method {
        implicit.step_tolerance = Some(step_tolerance);
    }
    settings
}

/// Explicit steps with the given error per second.
pub fn explicit(tolerance: f64, duration: f64, frame_interval: f64) -> Settings {
    let limits = StepLimits { tolerance, min_step: 1e-10, max_step: 0.1 };
    Settings { duration, frame_interval, first_step: None, limits, method: Method::Rkf45 }
}

/// A simulation of what was built.
pub fn start(builder: WorldBuilder, settings: Settings) -> Simulation {
    let (world, state) = builder.build().unwrap();
    Simulation::new(world, state, settings)
}

/// Every frame that is left, each shown to the judge.
pub fn frames(simulation: &mut Simulation) -> Vec<Frame> {
    let mut frames = vec![];
    while let Some(frame) = simulation.next_frame().unwrap() {
        let world = simulation.world();
        let faults = faults(world, &frame.positions);
        assert!(faults.is_none(), "frame {} at {} s: {}", frame.index, frame.ledger.t, faults.unwrap());
        frames.push(frame);
    }
    frames
}

/// What the judge finds wrong with these positions: bodies with contact must not cross, nor enter a half-space, and
/// no body may be inside out.
pub fn faults(world: &World, positions: &[Vec3]) -> Option<String> {
    let topology = &world.topology;
    if let Some(tet) = judge::inverted(positions, &topology.tets) {
        return Some(format!("tetrahedron {tet} is inside out"));
    }
    // Bodies without contact pass through each other.
    world.contact.as_ref()?;
    let crossings = judge::crossings(positions, &topology.triangles);
    if let Some(first) = crossings.first() {
        return Some(format!("{} crossings, the first {first:?}", crossings.len()));
    }
    let below = |x: &Vec3| world.planes.iter().any(|plane| plane.normal.dot(&(x - plane.point)) <= 0.0);
    positions.iter().position(below).map(|point| format!("point {point} is in a half-space"))
}

/// Root of the mean square distance of two lists of positions \[m\].
pub fn distance(a: &[Vec3], b: &[Vec3]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| (a - b).norm_squared()).sum();
    (sum / a.len() as f64).sqrt()
}

/// Value at zero and slope of the straight line that fits some points best.
pub fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let n = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(sx, sy), (x, y)| (sx + x / n, sy + y / n));
    let xy: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let xx: f64 = points.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
    (my - xy / xx * mx, xy / xx)
}

/// The power p of y = a xᵖ that fits best.
pub fn power(points: &[(f64, f64)]) -> f64 {
    line(&points.iter().map(|(x, y)| (x.ln(), y.ln())).collect::<Vec<_>>()).1
}

/// Order of the positions at time `end` \[s\], from runs of so many steps, against explicit steps with an error far
/// below.
pub fn order(scheme: Scheme, end: f64, counts: [u64; 4], build: &dyn Fn() -> WorldBuilder) -> f64 {
    let mut reference = start(build(), explicit(1e-10, end, end));
    reference.advance_to(end).unwrap();
    let errors = counts.map(|n| {
        let h = end / n as f64;
        let mut simulation = start(build(), steps(scheme, tight(), h, end, end));
        let last = frames(&mut simulation).pop().unwrap();
        assert_eq!(simulation.statistics().rejected, 0, "{scheme:?}, {n} steps");
        (h, distance(&last.positions, &reference.state().q))
    });
    power(&errors)
}

/// Total mass \[kg\].
pub fn mass(world: &World) -> f64 {
    world.inertia.masses().iter().sum()
}

/// Two balls of different size and a block that fall on each other and on the floor, with friction; the block hangs on a
/// rod until 0.23 s.
pub fn heap(scheme: Scheme) -> Simulation {
    start(heap_builder(), heap_settings(scheme))
}

/// Its steps and frames.
pub fn heap_settings(scheme: Scheme) -> Settings {
    steps(scheme, NewtonSettings::default(), 0.0167, 0.4, 1.0 / 60.0)
}

/// Its bodies.
pub fn heap_builder() -> WorldBuilder {
    let mut builder = WorldBuilder::new();
    let meshes = [
        ("large", generate::ball(0.1, 3).unwrap(), Vec3::new(0.0, 0.0, 0.105)),
        ("small", generate::ball(0.06, 2).unwrap(), Vec3::new(0.02, 0.01, 0.28)),
        (
            "block",
            generate::block(Vec3::new(0.2, 0.1, 0.04), [3, 2, 1]).unwrap(),
            Vec3::new(-0.01, 0.0, 0.37),
        ),
    ];
    for (name, mesh, shift) in &meshes {
        let id = builder.solid(name, mesh, &damped_jelly(0.002), Default::default()).unwrap();
        builder.nodes(id).for_each(|node| builder.positions()[node] += shift);
    }
    let node = builder.nodes(2).start as u32;
    let point = builder.positions()[node as usize] + Vec3::z() * 0.3;
    let rod = Distance { node, other: Anchor::Point(point), length: 0.3 };
    builder.constrain(NamedConstraint { until: 0.23, ..exact("rod", vec![Box::new(rod)]) });
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    builder.add_plane("floor", Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
    builder.contact(ContactSettings { friction: 0.3, ..ContactSettings::default() });
    builder
}
