//! A hand is a spring and a damper from outside, and its work is in the books.

use aspic::body::Start;
use aspic::dissipation::viscous_law::Viscosity;
use aspic::external::Hand;
use aspic::integrate::{ImplicitSettings, NewtonSettings, Scheme, StepLimits};
use aspic::mesh::generate;
use aspic::potential::material::Moduli;
use aspic::run::Method;
use aspic::{Material, Settings, Simulation, Vec3, WorldBuilder};

fn explicit(tolerance: f64) -> Settings {
    let limits = StepLimits { tolerance, min_step: 1e-10, max_step: 0.1 };
    let method = Method::Rkf45;
    Settings { duration: f64::INFINITY, frame_interval: 0.02, first_step: None, limits, method }
}

fn implicit(scheme: Scheme, step: f64) -> Settings {
    let newton = NewtonSettings { tolerance: Some(1e-9), linear_tolerance: 1e-6, ..Default::default() };
    let settings = explicit(1e-4);
    let limits = StepLimits { max_step: step, ..settings.limits };
    let method = Method::Implicit(ImplicitSettings { scheme, newton, step_tolerance: None, fixed: true });
    Settings { limits, method, ..settings }
}

fn methods(step: f64) -> [Settings; 4] {
    let implicit = |scheme| implicit(scheme, step);
    [explicit(1e-7), implicit(Scheme::BackwardEuler), implicit(Scheme::Bdf2), implicit(Scheme::Trapezoid)]
}

/// A nearly rigid ball of 0.1 m radius, and the point at its centre.
fn ball(settings: Settings) -> (Simulation, usize, f64) {
    let mesh = generate::ball(0.1, 2).unwrap();
    let center = (0..mesh.positions.len()).find(|&i| mesh.positions[i].norm() < 1e-12).unwrap();
    let mut builder = WorldBuilder::new();
    let stiff = Moduli::from_young_poisson(1e5, 0.3).unwrap();
    builder.add_affine("ball", &mesh, 1000.0, stiff, &Start::default()).unwrap();
    let mass = builder.masses().iter().sum();
    let (world, state) = builder.build().unwrap();
    (Simulation::new(world, state, settings), center, mass)
}

/// m x″ = k (c − x) − d x′ from rest at 0: x = c (1 − e^(−γt) (cos ωt + γ/ω sin ωt)).
fn oscillator(hand: &Hand, mass: f64, t: f64) -> f64 {
    let decay = hand.damping / (2.0 * mass);
    let frequency = (hand.stiffness / mass - decay * decay).sqrt();
    let (sine, cosine) = (frequency * t).sin_cos();
    hand.target.x * (1.0 - (-decay * t).exp() * (cosine + decay / frequency * sine))
}

/// Largest error in x over a second \[m\]; the books must close.
fn error_of(settings: Settings) -> f64 {
    let (mut simulation, center, mass) = ball(settings);
    assert!(simulation.grab(center, Vec3::x() * 0.5));
    let hand = simulation.world().hand.clone().unwrap();
    assert!(hand.damping < 2.0 * (hand.stiffness * mass).sqrt(), "it must oscillate");
    let (mut worst, mut worked) = (0.0f64, 0.0f64);
    for _ in 0..50 {
        let frame = simulation.next_frame().unwrap().unwrap();
        let x = frame.positions[center].x;
        worst = worst.max((x - oscillator(&hand, mass, frame.ledger.t)).abs());
        worked = worked.max(frame.ledger.load_work);
    }
    assert!(worked > 0.1, "the hand worked: {worked} J");
    let relative = simulation.statistics().audit_relative();
    assert!(relative < 1e-6, "{:?}: {relative:e}", settings.method);
    worst
}

#[test]
fn hand_at_the_centre_of_a_ball_makes_a_damped_oscillator() {
    assert!(error_of(explicit(1e-7)) < 1e-6);
    for (scheme, order) in [(Scheme::BackwardEuler, 1.0), (Scheme::Bdf2, 2.0), (Scheme::Trapezoid, 2.0)] {
        let [coarse, fine] = [4e-3, 2e-3].map(|step| error_of(implicit(scheme, step)));
        let seen = (coarse / fine).log2();
        assert!((seen - order).abs() < 0.2, "{scheme:?}: {coarse:e} m, then {fine:e} m: order {seen}");
    }
}

/// A soft block of 1 kg.
fn block(cells: usize, settings: Settings) -> Simulation {
    let mesh = generate::block(Vec3::repeat(0.1), [cells; 3]).unwrap();
    let moduli = Moduli::new(80e3, 40e3).unwrap();
    let viscosity = Viscosity::new(100.0, 100.0).unwrap();
    let material = Material { viscosity, ..Material::elastic(1000.0, moduli) };
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::z() * -9.81);
    builder.solid("block", &mesh, &material, Default::default()).unwrap();
    let (world, state) = builder.build().unwrap();
    Simulation::new(world, state, settings)
}

/// The vertex nearest to the middle of the top.
fn top(simulation: &Simulation) -> usize {
    let q = &simulation.state().q;
    let center = simulation.world().inertia.center(q, 0..q.len());
    let above = center + Vec3::z() * 0.05;
    (0..q.len()).min_by(|&a, &b| (q[a] - above).norm().total_cmp(&(q[b] - above).norm())).unwrap()
}

#[test]
fn block_on_a_hand_comes_to_rest_its_weight_over_the_stiffness_below_it() {
    for settings in [explicit(1e-5), implicit(Scheme::BackwardEuler, 0.01)] {
        let mut simulation = block(2, settings);
        let point = top(&simulation);
        let place = simulation.state().q[point];
        assert!(simulation.grab(point, place));
        let hand = simulation.world().hand.clone().unwrap();
        simulation.advance_to(8.0).unwrap();
        let hangs = simulation.state().q[point];
        let below = 9.81 / hand.stiffness;
        assert!((hand.target.z - hangs.z - below).abs() < 1e-3 * below, "{}, not {below}", place.z - hangs.z);
    }
}

#[test]
fn work_of_a_hand_that_drags_and_lets_go_closes_the_audit() {
    for (settings, audit) in methods(1e-3).into_iter().zip([1e-5, 1e-6, 1e-6, 1e-6]) {
        let mut simulation = block(1, settings);
        let (mut frames, point) = (0, 5);
        let start = simulation.state().q[point];
        while frames < 25 {
            // A hand that goes round in a circle, moved between steps.
            let t = simulation.progress().0;
            let circle = Vec3::new((9.0 * t).cos() - 1.0, (9.0 * t).sin(), 1.0) * 0.1;
            if t < 0.3 {
                assert!(simulation.grab(point, start + circle));
            } else {
                simulation.release();
            }
            frames += usize::from(simulation.next_step().unwrap().is_some());
        }
        let row = simulation.ledger();
        assert!(row.load_work.abs() > 0.1, "{} J", row.load_work);
        let relative = simulation.statistics().audit_relative();
        assert!(relative < audit, "{:?}: {relative:e}", settings.method);
    }
}

#[test]
fn hand_with_its_own_strength_needs_no_shorter_explicit_steps_and_disturbs_no_rest() {
    let still = |grabbed: bool| {
        let mut simulation = block(4, explicit(1e-4));
        let point = top(&simulation);
        let place = simulation.state().q[point];
        if grabbed {
            assert!(simulation.grab(point, place + Vec3::z() * 0.2));
        }
        simulation.advance_to(0.5).unwrap();
        (simulation.statistics().steps, simulation.state().q[point].z)
    };
    let ((steps, fallen), (pulled_steps, pulled)) = (still(false), still(true));
    assert!(pulled > fallen + 0.01, "the hand pulls: {pulled} above {fallen}");
    assert!(pulled_steps < 2 * steps, "{pulled_steps} steps instead of {steps}");
}

#[test]
fn obstacles_and_points_that_do_not_exist_cannot_be_grabbed() {
    let mut builder = WorldBuilder::new();
    let mesh = generate::block(Vec3::repeat(0.1), [1; 3]).unwrap();
    let jelly = Material::elastic(1000.0, Moduli::new(40e3, 15e3).unwrap());
    builder.solid("block", &mesh, &jelly, Default::default()).unwrap();
    let plate = generate::plate_surface(1.0, 1.0).unwrap();
    builder.add_obstacle("plate", &plate, &aspic::constraint::Trajectory::still()).unwrap();
    let (world, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(world, state, implicit(Scheme::Bdf2, 0.01));
    assert!(simulation.grab(3, Vec3::zeros()));
    for point in [8, 11, 12, usize::MAX] {
        assert!(!simulation.grab(point, Vec3::zeros()), "point {point}");
        assert!(simulation.world().hand.is_none());
    }
}
