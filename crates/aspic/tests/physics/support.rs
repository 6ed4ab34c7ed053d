//! Bodies, runs and small linear algebra that the claims share.

use std::collections::BTreeSet;

use aspic::body::BodyId;
use aspic::constraint::Constraint;
use aspic::continuum::{Continuum, TangentScratch, TangentWeights};
use aspic::dissipation::viscous_law::Viscosity;
use aspic::frame::Frame;
use aspic::integrate::StepLimits;
use aspic::kinetic::MassModel;
use aspic::mesh::{TetMesh, generate};
use aspic::potential::material::{LawName, Moduli};
use aspic::run::Method;
use aspic::solve::Tangent;
use aspic::world::NamedConstraint;
use aspic::{Mat3, Material, Settings, Simulation, Vec3, World, WorldBuilder};
use nalgebra::{DMatrix, DVector};

/// A fixed sequence of numbers in −1..1 (multiplicative congruential, modulus 2⁶⁴).
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Noise {
        Noise(seed.wrapping_mul(2).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.number())
    }

    pub fn field(&mut self, count: usize, size: f64) -> Vec<Vec3> {
        (0..count).map(|_| self.vector() * size).collect()
    }
}

/// A unit cube of n³ cells whose inner vertices are off the grid by up to a quarter of a cell.
pub fn irregular_cube(n: usize) -> TetMesh {
    let mut mesh = generate::block(Vec3::repeat(1.0), [n; 3]).unwrap();
    let surface = mesh.surface_vertices();
    let mut noise = Noise::new(7);
    for i in 0..mesh.positions.len() {
        let shift = noise.vector() * (0.25 / n as f64);
        if surface.binary_search(&(i as u32)).is_err() {
            mesh.positions[i] += shift;
        }
    }
    mesh.check().unwrap();
    mesh
}

/// ρ = 1000 kg/m³, K = 40 kPa, G = 15 kPa: a wave crosses a metre in 0.13 s.
pub fn jelly(law: LawName) -> Material {
    Material { law, ..Material::elastic(1000.0, Moduli::new(40e3, 15e3).unwrap()) }
}

/// The same with viscosity τ times the moduli.
pub fn damped_jelly(tau: f64) -> Material {
    Material { viscosity: Viscosity::new(40e3 * tau, 15e3 * tau).unwrap(), ..jelly(LawName::LsStable) }
}

/// A builder with one body.
pub fn single(mesh: &TetMesh, material: &Material) -> (WorldBuilder, BodyId) {
    let mut builder = WorldBuilder::new();
    let body = builder.solid("body", mesh, material, MassModel::Consistent).unwrap();
    (builder, body)
}

/// An exact constraint for all time.
pub fn exact(name: &str, laws: Vec<Box<dyn Constraint>>) -> NamedConstraint {
    NamedConstraint { name: name.into(), laws, until: f64::INFINITY, stiffness: None }
}

/// Duration \[s\], time between frames \[s\], tolerance.
pub fn settings(duration: f64, frame_interval: f64, tolerance: f64) -> Settings {
    let limits = StepLimits { tolerance, min_step: 1e-10, max_step: 0.1 };
    Settings { duration, frame_interval, first_step: None, limits, method: Method::Rkf45 }
}

/// The same with steps no longer than `max_step` \[s\].
///
/// A body that does not deform gives the error control nothing to see: steps then outgrow the stability limit
/// 2.8/ω_max of the scheme, and rounding grows until it reaches the tolerance. Claims of exactness need the limit.
pub fn stable(settings: Settings, max_step: f64) -> Settings {
    Settings { limits: StepLimits { max_step, ..settings.limits }, ..settings }
}

/// A simulation of what was built.
pub fn start(builder: WorldBuilder, settings: Settings) -> Simulation {
    let (world, state) = builder.build().unwrap();
    Simulation::new(world, state, settings)
}

/// Every frame that is left.
pub fn frames(simulation: &mut Simulation) -> Vec<Frame> {
    std::iter::from_fn(|| simulation.next_frame().unwrap()).collect()
}

/// Force of a continuum on its nodes, and the power it dissipates.
pub fn forces(continuum: &dyn Continuum, q: &[Vec3], v: &[Vec3]) -> (Vec<Vec3>, f64) {
    let mut out = vec![Vec3::zeros(); q.len()];
    let power = continuum.add_force(q, v, &[], &mut out, &mut continuum.scratch()).unwrap();
    (out, power)
}

/// P(q).
pub fn energy(continuum: &dyn Continuum, q: &[Vec3]) -> f64 {
    let elastic = continuum.energy(q, &[]);
    elastic.bulk + elastic.shear
}

/// The tangent of a continuum: stiffness at q, damping at `frozen`.
pub fn tangent(
    continuum: &dyn Continuum,
    q: &[Vec3],
    frozen: &[Vec3],
    weights: TangentWeights,
    project: bool,
) -> Tangent {
    let tets = continuum.tetrahedra();
    let pairs = tets.iter().flat_map(|t| t.iter().flat_map(move |&i| t.iter().map(move |&j| (i, j))));
    let pairs: Vec<(u32, u32)> = pairs.collect::<BTreeSet<_>>().into_iter().collect();
    let places = continuum.stiffness_places(&|i, j| pairs.binary_search(&(i, j)).ok());
    let mut blocks = vec![Mat3::zeros(); pairs.len()];
    continuum.add_tangent(
        q,
        &[],
        frozen,
        weights,
        project,
        &places,
        &mut blocks,
        &mut TangentScratch::default(),
    );
    Tangent { blocks: pairs.into_iter().zip(blocks).map(|((i, j), block)| (i, j, block)).collect() }
}

/// ∂²P/∂q², positive semidefinite element by element if `project`.
pub fn stiffness(continuum: &dyn Continuum, q: &[Vec3], project: bool) -> Tangent {
    tangent(continuum, q, q, TangentWeights { stiffness: 1.0, damping: 0.0 }, project)
}

/// A tangent as a dense matrix.
pub fn dense(tangent: &Tangent, nodes: usize) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(3 * nodes, 3 * nodes);
    for &(i, j, block) in &tangent.blocks {
        let mut place = matrix.fixed_view_mut::<3, 3>(3 * i as usize, 3 * j as usize);
        place += block;
    }
    matrix
}

/// Moves the free nodes to where the elastic forces vanish: projected Newton, energy never rising.
pub fn relax(continuum: &dyn Continuum, q: &mut [Vec3], free: &[usize]) {
    let still = vec![Vec3::zeros(); q.len()];
    let scale = energy(continuum, q).max(f64::MIN_POSITIVE);
    for _ in 0..60 {
        let force = forces(continuum, q, &still).0;
        let rhs = DVector::from_fn(3 * free.len(), |k, _| force[free[k / 3]][k % 3]);
        let whole = dense(&stiffness(continuum, q, true), q.len());
        let place = |k: usize| 3 * free[k / 3] + k % 3;
        let matrix = DMatrix::from_fn(rhs.len(), rhs.len(), |r, c| whole[(place(r), place(c))]);
        let step = matrix.cholesky().unwrap().solve(&rhs);
        if step.dot(&rhs) < 1e-26 * scale {
            return;
        }
        let before = energy(continuum, q);
        let at = |s: f64| -> Vec<Vec3> {
            let mut moved = q.to_vec();
            (0..step.len()).for_each(|k| moved[free[k / 3]][k % 3] += s * step[k]);
            moved
        };
        let upright = |q: &[Vec3]| {
            let mut out = still.clone();
            continuum.add_force(q, &still, &[], &mut out, &mut continuum.scratch()).is_ok()
        };
        let lower = |q: &Vec<Vec3>| upright(q) && energy(continuum, q) <= before * (1.0 + 1e-14);
        let moved = (0..30).map(|k| at(0.5f64.powi(k))).find(lower).expect("Newton's direction is downhill");
        q.copy_from_slice(&moved);
    }
}

/// Vertices that are not on the surface.
pub fn inner(mesh: &TetMesh) -> Vec<usize> {
    let surface = mesh.surface_vertices();
    (0..mesh.positions.len()).filter(|&i| surface.binary_search(&(i as u32)).is_err()).collect()
}

/// Smallest J = det F over the tetrahedra of a world with one body, rest shape `mesh`.
pub fn smallest_jacobian(mesh: &TetMesh, q: &[Vec3]) -> f64 {
    let volume = |t: usize, x: &[Vec3]| {
        let [a, b, c, d] = mesh.tets[t].map(|v| x[v as usize]);
        Mat3::from_columns(&[b - a, c - a, d - a]).determinant()
    };
    (0..mesh.tets.len()).map(|t| volume(t, q) / volume(t, &mesh.positions)).fold(f64::INFINITY, f64::min)
}

/// Angular momentum about the centre of mass.
pub fn spin(world: &World, frame: &Frame) -> Vec3 {
    let center = world.inertia.center(&frame.positions, 0..frame.positions.len());
    frame.ledger.angular_momentum - center.cross(&frame.ledger.momentum)
}

/// Times at which a sampled function crosses zero upwards, by the parabola through three samples.
pub fn rising_zeros(t: &[f64], y: &[f64]) -> Vec<f64> {
    let crossing = |k: usize| {
        let h = t[k + 1] - t[k];
        let (slope, bend) = ((y[k + 1] - y[k - 1]) / 2.0, (y[k + 1] - 2.0 * y[k] + y[k - 1]) / 2.0);
        let mut u = -y[k] / (y[k + 1] - y[k]);
        (0..20).for_each(|_| u -= (y[k] + (slope + bend * u) * u) / (slope + 2.0 * bend * u));
        t[k] + u * h
    };
    (1..t.len() - 1).filter(|&k| y[k] < 0.0 && y[k + 1] >= 0.0).map(crossing).collect()
}
