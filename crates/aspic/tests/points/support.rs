//! Small worlds of mass points.

use aspic::body::{Inner, Rope, RopeStiffness, Sheet, SheetStiffness};
use aspic::integrate::{ImplicitSettings, StepLimits};
use aspic::mesh::generate;
use aspic::run::{Method, Settings};
use aspic::{Simulation, State, Vec3, World, WorldBuilder};

pub const GRAVITY: f64 = 9.81;

/// A repeatable sequence of numbers between −1 and 1.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next()) * size
    }
}

/// A straight rope along `way`.
pub fn rope(way: Vec3, segments: usize, stretch: f64, bend: f64) -> Rope {
    Rope {
        strands: vec![generate::along_path(&[Vec3::zeros(), way], segments, false).unwrap()],
        mass_per_length: 0.2,
        radius: 0.005,
        stiffness: RopeStiffness { stretch, bend, spring: None },
        inner: Inner::default(),
    }
}

/// A rectangle of cloth in the plane z = 0.
pub fn sheet(size: [f64; 2], cells: [usize; 2], stiffness: SheetStiffness) -> Sheet {
    let (surface, cells) = generate::sheet(size, cells).unwrap();
    Sheet { surface, cells, mass_per_area: 0.3, radius: 0.001, stiffness, ..Sheet::default() }
}

/// Stored energy at positions q  \[J\]
pub fn stored(world: &World, q: Vec<Vec3>) -> f64 {
    let mut work = world.workspace();
    world.stored_energy(&State::at_rest(q), &mut work)
}

pub fn build(add: impl FnOnce(&mut WorldBuilder)) -> (World, State) {
    let mut builder = WorldBuilder::new();
    add(&mut builder);
    builder.build().unwrap()
}

pub fn limits(max_step: f64) -> StepLimits {
    StepLimits { tolerance: 1e-6, min_step: 1e-9, max_step }
}

pub fn settings(duration: f64, method: Method, max_step: f64) -> Settings {
    Settings {
        duration,
        frame_interval: duration / 4.0,
        limits: limits(max_step),
        method,
        ..Settings::default()
    }
}

/// Where a body comes to rest under gravity: long backward steps take its motion away.
pub fn settled(add: impl FnOnce(&mut WorldBuilder)) -> State {
    let (world, state) = build(add);
    let mut method =
        ImplicitSettings { scheme: aspic::integrate::Scheme::BackwardEuler, ..Default::default() };
    method.newton.tolerance = Some(1e-10);
    let settings = Settings {
        duration: 4000.0,
        frame_interval: 100.0,
        limits: limits(10.0),
        method: Method::Implicit(method),
        ..Settings::default()
    };
    let mut run = Simulation::new(world, state, settings);
    run.advance_to(4000.0).unwrap();
    let state = run.state().clone();
    let speed = state.v.iter().map(Vec3::norm).fold(0.0, f64::max);
    assert!(speed < 1e-8, "still moving at {speed} m/s");
    state
}
