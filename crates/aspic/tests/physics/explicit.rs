//! Explicit steps of fixed length: orders, limits, conserved momenta, books that close.

use aspic::constraint::{Anchor, Constraint, Distance, Path, Pin};
use aspic::integrate::{ExplicitScheme, StepError, StepLimits};
use aspic::kinetic::MassModel;
use aspic::mesh::{TetMesh, generate};
use aspic::potential::material::Moduli;
use aspic::run::Method;
use aspic::world::NamedConstraint;
use aspic::{Material, Settings, Simulation, Vec3, WorldBuilder};

use crate::support::{damped_jelly, exact, frames, spin, start};

use ExplicitScheme::{
    Euler, Heun, Leapfrog, Midpoint, PositionVerlet, RungeKutta4, SemiImplicitEuler, VelocityVerlet,
};

/// Angular frequency of the oscillator  \[1/s\]
const OMEGA: f64 = 10.0;
/// Its speed at the start, where it passes its centre  \[m/s\]
const SPEED: f64 = 0.3;

/// Steps of length h for a duration \[s\], and two frames.
fn fixed(scheme: ExplicitScheme, h: f64, duration: f64) -> Settings {
    let limits = StepLimits { max_step: 1.0, ..Settings::default().limits };
    let method = Method::Explicit(scheme);
    Settings { duration, frame_interval: duration, first_step: Some(h), limits, method }
}

/// One tetrahedron of 4 kg, so soft that its corners hardly know of each other; each weighs 1 kg.
fn four_points() -> (TetMesh, WorldBuilder) {
    let corners = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    let mesh = TetMesh::new(corners, vec![[0, 1, 2, 3]]).unwrap();
    let soft = Material::elastic(24.0, Moduli::new(1e-9, 1e-9).unwrap());
    let mut builder = WorldBuilder::new();
    builder.solid("body", &mesh, &soft, MassModel::Lumped).unwrap();
    (mesh, builder)
}

/// All corners on springs of ω² N/m, in the same motion along x: V sin(ωt)/ω.
fn oscillator(settings: Settings) -> Simulation {
    let (mesh, mut builder) = four_points();
    let still = Path::new(&[(0.0, Vec3::zeros())]);
    let pin = |node: usize| Pin::new(node as u32, mesh.positions[node], still.clone());
    let laws = (0..4).map(|node| -> Box<dyn Constraint> { Box::new(pin(node)) }).collect();
    let stiffness = Some(OMEGA * OMEGA);
    builder.constrain(NamedConstraint { name: "springs".into(), laws, until: f64::INFINITY, stiffness });
    builder.velocities().fill(Vec3::x() * SPEED);
    start(builder, settings)
}

/// Place over ω and velocity of the oscillator: ω x, v  \[m/s\]
fn phase_point(simulation: &Simulation) -> [f64; 2] {
    let state = simulation.present();
    [OMEGA * state.q[0].x, state.v[0].x]
}

/// Order from the errors with a step and half of it.
fn order(error: impl Fn(f64) -> f64, h: f64) -> f64 {
    (error(h) / error(0.5 * h)).log2()
}

fn assert_order(scheme: ExplicitScheme, what: &str, order: f64) {
    let expected = f64::from(scheme.order());
    assert!((order - expected).abs() < 0.15, "{scheme:?}, {what}: {order}, not {expected}");
}

#[test]
fn every_scheme_has_its_order_on_an_oscillator() {
    let t = 0.23;
    for scheme in ExplicitScheme::ALL {
        let error = |h: f64| {
            let mut simulation = oscillator(fixed(scheme, h, t));
            frames(&mut simulation);
            let [x, v] = phase_point(&simulation);
            let (sin, cos) = (OMEGA * t).sin_cos();
            (x - SPEED * sin).hypot(v - SPEED * cos)
        };
        assert_order(scheme, "oscillator", order(error, t / 128.0));
    }
}

/// All corners on parallel rods of 1 m, each a pendulum; let go at 1 rad with gravity 10 m/s².
fn pendulum(settings: Settings) -> Simulation {
    let (mesh, mut builder) = four_points();
    let rod = Vec3::new(1f64.sin(), 0.0, -1f64.cos());
    let laws = (0..4).map(|node| -> Box<dyn Constraint> {
        let other = Anchor::Point(mesh.positions[node] - rod);
        Box::new(Distance { node: node as u32, other, length: 1.0 })
    });
    builder.gravity(Vec3::z() * -10.0).constrain(exact("rods", laws.collect()));
    start(builder, settings)
}

/// Angle of that pendulum by θ″ = −10 sin θ, in many small steps of Runge–Kutta 4.
fn pendulum_angle(t: f64) -> f64 {
    let (n, mut y) = (20_000, [1.0f64, 0.0]);
    let h = t / f64::from(n);
    let rate = |y: [f64; 2]| [y[1], -10.0 * y[0].sin()];
    let ahead = |y: [f64; 2], k: [f64; 2], s: f64| [y[0] + s * k[0], y[1] + s * k[1]];
    for _ in 0..n {
        let k1 = rate(y);
        let k2 = rate(ahead(y, k1, 0.5 * h));
        let k3 = rate(ahead(y, k2, 0.5 * h));
        let k4 = rate(ahead(y, k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    y[0]
}

#[test]
fn every_scheme_has_its_order_on_a_pendulum_with_multipliers() {
    let t = 0.7;
    let true_angle = pendulum_angle(t);
    for scheme in ExplicitScheme::ALL {
        let error = |h: f64| {
            let mut simulation = pendulum(fixed(scheme, h, t));
            frames(&mut simulation);
            assert!(simulation.statistics().worst_violation < 1e-10);
            let pivot = Vec3::new(-1f64.sin(), 0.0, 1f64.cos());
            let arm = simulation.state().q[0] - pivot;
            (arm.x.atan2(-arm.z) - true_angle).abs()
        };
        assert_order(scheme, "pendulum", order(error, t / 64.0));
    }
}

/// Amplitude √((ωx)² + v²) after so many steps, over that at the start; `None` if it failed on the way.
fn growth(scheme: ExplicitScheme, product: f64, steps: u32) -> Option<f64> {
    let h = product / OMEGA;
    let mut simulation = oscillator(fixed(scheme, h, 1e9));
    simulation.next_frame().unwrap();
    for _ in 0..steps {
        simulation.next_step().ok()?;
    }
    let [x, v] = phase_point(&simulation);
    Some(x.hypot(v) / SPEED)
}

#[test]
fn schemes_with_a_limit_stay_below_it_and_blow_up_above() {
    for (scheme, limit) in [
        (SemiImplicitEuler, 2.0),
        (PositionVerlet, 2.0),
        (VelocityVerlet, 2.0),
        (Leapfrog, 2.0),
        (RungeKutta4, 8f64.sqrt()),
    ] {
        assert_eq!(scheme.limit(), Some(limit));
        let below = growth(scheme, 0.995 * limit, 3000).unwrap();
        assert!(below < 25.0, "{scheme:?} below: {below}");
        let above = growth(scheme, 1.01 * limit, 3000);
        assert!(above.is_none_or(|above| above > 1e6), "{scheme:?} above: {above:?}");
    }
}

#[test]
fn schemes_without_a_limit_grow_as_foretold() {
    // Explicit Euler: |1 + iz| = √(1 + z²). Heun and midpoint: |1 + iz − z²/2| = √(1 + z⁴/4), about 1 + z⁴/8.
    for z in [0.01f64, 0.1, 0.5] {
        let (euler, heun) = ((1.0 + z * z).sqrt(), (1.0 + z.powi(4) / 4.0).sqrt());
        for (scheme, foretold) in [(Euler, euler), (Heun, heun), (Midpoint, heun)] {
            assert_eq!(scheme.limit(), None);
            let steps = 200;
            let found = growth(scheme, z, steps).unwrap().powf(1.0 / f64::from(steps));
            assert!((found - foretold).abs() < 1e-9, "{scheme:?} {z}: {found} a step, not {foretold}");
        }
    }
}

#[test]
fn verlet_and_leapfrog_are_the_same_motion_but_for_rounding() {
    let end = |scheme: ExplicitScheme| {
        let mut simulation = oscillator(fixed(scheme, 0.03, 3.0));
        frames(&mut simulation);
        phase_point(&simulation)
    };
    let [one, two, three] = [PositionVerlet, VelocityVerlet, Leapfrog].map(end);
    for other in [two, three] {
        assert!((one[0] - other[0]).hypot(one[1] - other[1]) < 1e-10, "{one:?} {other:?}");
    }
}

/// A damped beam that falls, turns and is bent, on its own or dragged by one end.
fn beam(settings: Settings, dragged: bool, tau: f64) -> Simulation {
    let mesh = generate::beam(0.6, 0.2, 0.2, [3, 1, 1]).unwrap();
    let mut builder = WorldBuilder::new();
    builder.solid("beam", &mesh, &damped_jelly(tau), MassModel::Lumped).unwrap();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    if dragged {
        let path = Path::new(&[(0.0, Vec3::zeros()), (0.4, Vec3::new(0.1, 0.2, 0.1))]);
        builder.drag("hand", &mesh.groups["start"], &path, f64::INFINITY);
    } else {
        let turn = |x: &Vec3| Vec3::new(1.0, 2.0, -1.0).cross(x) + Vec3::new(0.3, -0.1, 0.2);
        let velocities: Vec<Vec3> = builder.positions().iter().map(turn).collect();
        builder.velocities().copy_from_slice(&velocities);
    }
    start(builder, settings)
}

#[test]
fn a_solid_falls_with_every_scheme_and_keeps_its_momenta() {
    for scheme in ExplicitScheme::ALL {
        let mut simulation = beam(fixed(scheme, 1e-3, 0.4), false, 0.002);
        let frames = frames(&mut simulation);
        let [first, last] = [&frames[0], &frames[1]];
        let mass = 24.0;
        let fallen = last.ledger.momentum - first.ledger.momentum;
        assert!((fallen + Vec3::z() * (mass * 9.81 * 0.4)).norm() < 1e-9, "{scheme:?}: {fallen}");
        let [before, after] = [first, last].map(|frame| spin(simulation.world(), frame));
        let lost = (after - before).norm() / before.norm();
        // Kicks along the lines between the vertices turn nothing; other schemes turn the body to their order.
        // Viscosity is found with a foreseen velocity, whose error also turns nothing.
        let allowed = match scheme {
            SemiImplicitEuler | PositionVerlet | VelocityVerlet | Leapfrog => 1e-9,
            Euler => 2e-2,
            _ => 1e-4,
        };
        assert!(lost < allowed, "{scheme:?}: {lost:e}");
    }
}

#[test]
fn the_ledger_of_a_damped_dragged_beam_closes_to_the_order_of_the_scheme() {
    for scheme in ExplicitScheme::ALL {
        let residual = |h: f64| {
            let mut simulation = beam(fixed(scheme, h, 0.4), true, 0.002);
            frames(&mut simulation);
            let row = simulation.ledger();
            assert!(row.viscous_loss > 0.0 && row.drag_work != 0.0 && row.exchanged > 1.0, "{row:?}");
            row.residual.abs() / row.exchanged
        };
        let (coarse, fine) = (residual(1e-3), residual(5e-4));
        let order = (coarse / fine).log2();
        let expected = f64::from(scheme.order());
        assert!(order > expected - 0.25 || fine < 1e-10, "{scheme:?}: {coarse:e} → {fine:e}, order {order}");
        assert!(fine < [2e-2, 1e-4, 0.0, 1e-7][scheme.order() as usize - 1], "{scheme:?}: {fine:e}");
    }
}

#[test]
fn viscosity_leaves_every_scheme_its_order() {
    let end = |scheme: ExplicitScheme, h: f64| {
        let mut simulation = beam(fixed(scheme, h, 0.2), false, 0.01);
        frames(&mut simulation);
        simulation.state().q.clone()
    };
    let truth = end(RungeKutta4, 2.5e-5);
    for scheme in ExplicitScheme::ALL {
        let error = |h: f64| {
            let q = end(scheme, h);
            q.iter().zip(&truth).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
        };
        assert_order(scheme, "viscous beam", order(error, 4e-4));
    }
}

#[test]
fn steps_are_all_of_one_length_but_for_the_last() {
    let mut simulation = oscillator(fixed(VelocityVerlet, 0.03, 0.1));
    let mut lengths = vec![];
    while let Ok(Some(_)) = simulation.next_frame_watched(|run| lengths.push(run.progress().1)) {}
    assert_eq!(lengths.len(), 4, "{lengths:?}");
    assert_eq!(lengths[..3], [0.03; 3]);
    assert!((lengths[3] - 0.01).abs() < 1e-15 && simulation.progress().0 == 0.1);
    // A remainder below a thousandth of a step is no step of its own.
    let mut simulation = oscillator(fixed(VelocityVerlet, 0.03, 0.060_02));
    frames(&mut simulation);
    assert_eq!(simulation.statistics().steps, 2);
}

#[test]
fn frames_inside_a_step_are_as_good_as_its_ends() {
    let mut settings = fixed(RungeKutta4, 0.02, 0.3);
    settings.frame_interval = 0.007;
    for frame in frames(&mut oscillator(settings)) {
        let x = SPEED / OMEGA * (OMEGA * frame.ledger.t).sin();
        assert!((frame.positions[0].x - x).abs() < 2e-6, "{}: {x}", frame.ledger.t);
    }
}

#[test]
fn a_step_that_is_too_long_fails_with_the_way_to_a_shorter_one() {
    let mut simulation = beam(fixed(Leapfrog, 0.05, 10.0), true, 0.002);
    let error = loop {
        match simulation.next_frame() {
            Ok(frame) => assert!(frame.is_some(), "it went through"),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StepError::TooLong { dt: 0.05, .. }), "{error:?}");
    assert!(
        error.explain(simulation.world()).contains("a step of 5.000e-2 s is too long: tetrahedron"),
        "{error}"
    );
    assert!(error.cure().contains("`max_step`") && error.cure().contains("`aspic stability"));
}

#[test]
fn default_steps_bear_strong_viscosity() {
    for scheme in ExplicitScheme::ALL {
        for tau in [0.0, 0.1] {
            let settings = Settings { first_step: None, ..fixed(scheme, 1.0, 0.2) };
            let mut simulation = beam(settings, true, tau);
            frames(&mut simulation);
            let audit = simulation.statistics().audit_relative();
            assert!(audit < 0.1, "{scheme:?}, τ = {tau} s: {audit}");
        }
    }
}
