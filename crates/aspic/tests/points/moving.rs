//! Bodies in motion: what stays, what is lost, and the same bits.

use aspic::body::{Block, BlockStiffness, Hinge, Inflation, Inner, SheetStiffness};
use aspic::integrate::{ImplicitSettings, Scheme};
use aspic::mesh::generate;
use aspic::potential::Gravitation;
use aspic::potential::material::Moduli;
use aspic::run::Method;
use aspic::scene::{NoFiles, Scene};
use aspic::{Simulation, State, Vec3, World, WorldBuilder};

use crate::support::{GRAVITY, Noise, build, rope, settings, sheet};

/// One of everything, thrown and spinning.
fn everything() -> (World, State) {
    let mut noise = Noise(9);
    let (world, mut state) = build(|builder: &mut WorldBuilder| {
        let mut line = rope(Vec3::new(0.5, 0.0, 0.0), 12, 60.0, 1e-3);
        line.inner.relaxation = 2e-3;
        line.inner.damping_time = aspic::points::DampingTime::Explicit;
        builder.rope("rope", &line).unwrap();
        let stiffness = SheetStiffness { stretch: 80.0, area: 30.0, bend: 1e-3, ..Default::default() };
        builder.sheet("cloth", &sheet([0.4, 0.3], [6, 5], stiffness)).unwrap();
        let stiffness = SheetStiffness { hinge: Hinge::Volume, bend_spring: Some(3.0), ..stiffness };
        let mut shell = sheet([1.0, 1.0], [1, 1], stiffness);
        (shell.surface, shell.cells) = (generate::sphere_surface(0.1, 1).unwrap(), vec![]);
        shell.inflation = Some(Inflation { bulk: 2e3, pressure: 50.0 });
        builder.sheet("shell", &shell).unwrap();
        let mesh = generate::block(Vec3::new(0.2, 0.2, 0.1), [2, 2, 1]).unwrap();
        let stiffness = BlockStiffness::of(Moduli { bulk: 9e3, shear: 3e3 });
        let block = Block { mesh: &mesh, density: 300.0, stiffness, inner: Inner::default() };
        builder.block("block", &block).unwrap();
        builder.gravitation(Gravitation { constant: 1e-4, softening: 0.05 });
    });
    for (x, v) in state.q.iter_mut().zip(&mut state.v) {
        *v = Vec3::new(1.0, -2.0, 0.5) + Vec3::new(0.3, 2.0, -1.0).cross(x) + noise.vector(0.2);
        *x += noise.vector(0.002);
    }
    (world, state)
}

#[test]
fn free_bodies_of_every_kind_keep_both_momenta_and_their_books_close() {
    let (world, state) = everything();
    let (p, l) = world.inertia.momenta(&state.q, &state.v);
    let mut run = Simulation::new(world, state, settings(0.2, Method::Rkf45, 1e-2));
    run.advance_to(0.2).unwrap();
    let (after_p, after_l) = run.world().inertia.momenta(&run.state().q, &run.state().v);
    assert!((after_p - p).norm() < 1e-11 * p.norm(), "{p} {after_p}");
    assert!((after_l - l).norm() < 1e-7 * l.norm(), "{l} {after_l}");
    let ledger = run.ledger();
    assert!(ledger.viscous_loss > 1e-6 && ledger.residual.abs() < 1e-5 * ledger.exchanged, "{ledger:?}");
}

#[test]
fn implicit_steps_of_every_kind_keep_linear_momentum_and_their_books_close() {
    let (world, state) = everything();
    let (p, _) = world.inertia.momenta(&state.q, &state.v);
    let mut method = ImplicitSettings { scheme: Scheme::Bdf2, ..Default::default() };
    method.newton.tolerance = Some(1e-9);
    let mut run = Simulation::new(world, state, settings(0.2, Method::Implicit(method), 5e-3));
    run.advance_to(0.2).unwrap();
    let (after, _) = run.world().inertia.momenta(&run.state().q, &run.state().v);
    assert!((after - p).norm() < 1e-6 * p.norm(), "{p} {after}");
    let ledger = run.ledger();
    assert!(ledger.residual.abs() < 1e-5 * ledger.exchanged, "{ledger:?}");
    assert!(run.statistics().newton_iterations < 20 * run.statistics().steps, "{:?}", run.statistics());
}

#[test]
fn explicit_and_implicit_runs_agree() {
    let end = |method: Method, step: f64| {
        let (world, state) = everything();
        let mut run = Simulation::new(world, state, settings(0.1, method, step));
        run.advance_to(0.1).unwrap();
        run.state().q.clone()
    };
    let mut method = ImplicitSettings { scheme: Scheme::Bdf2, ..Default::default() };
    method.newton.tolerance = Some(1e-9);
    let reference = end(Method::Rkf45, 1e-3);
    let error = |step: f64| {
        let q = end(Method::Implicit(method), step);
        q.iter().zip(&reference).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(4e-4), error(2e-4));
    assert!(fine < 2e-3 && fine < 0.45 * coarse, "{coarse} {fine}");
}

#[test]
fn a_rope_swings_with_the_period_of_a_pendulum_of_many_points() {
    // The lowest frequency of a hanging chain: ω = 2.4048/2 √(g/L).
    let length = 1.0;
    let (world, mut state) = build(|builder| {
        builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
        builder.rope("chain", &rope(Vec3::new(0.0, 0.0, -length), 40, 5e3, 0.0)).unwrap();
        builder.hold("nail", &[0]);
    });
    // The shape of that mode: J₀(2.4048 √(1 − s)), with s from the nail down.
    let bessel = |x: f64| {
        let (mut term, mut sum) = (1.0, 1.0);
        for k in 1..40 {
            term *= -(x * x / 4.0) / f64::from(k * k);
            sum += term;
        }
        sum
    };
    for x in &mut state.q {
        let s = -x.z / length;
        x.x = 1e-3 * bessel(2.404825557695773 * (1.0 - s).max(0.0).sqrt());
    }
    state.q[0].x = 0.0;
    let omega = 2.404825557695773 / 2.0 * (GRAVITY / length).sqrt();
    let quarter = std::f64::consts::FRAC_PI_2 / omega;
    let mut run = Simulation::new(world, state, settings(2.0 * quarter, Method::Rkf45, 1e-3));
    run.advance_to(quarter).unwrap();
    let middle = run.state().q[40].x;
    run.advance_to(2.0 * quarter).unwrap();
    let end = run.state().q[40].x;
    assert!(middle.abs() < 3e-5 && (end / -1e-3 - 1.0).abs() < 0.01, "{middle} {end}");
}

#[test]
fn threads_do_not_change_a_bit() {
    let end = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (world, state) = everything();
            let method = Method::Implicit(ImplicitSettings::default());
            let mut run = Simulation::new(world, state, settings(0.1, method, 5e-3));
            run.advance_to(0.1).unwrap();
            run.state().clone()
        })
    };
    assert_eq!(end(1), end(3));
}

/// The angle of a hinge jumps from π to −π where it folds through itself, and its force with it.
#[test]
fn a_hinge_that_folds_through_itself_is_stepped_over_by_rkf45() {
    let text = r#"
        duration = "0.2 s"
        gravity = 0
        time = { method = "rkf45" }
        contact = { enabled = false }
        output = { frame_rate = 100 }
        [materials.paper]
        young = "1 MPa"
        poisson = 0.3
        density = 500
        [bodies.sheet]
        material = "paper"
        cloth = { size = ["10 cm", "5 cm"], cells = [2, 1], thickness = "1 mm", stiffness = { bend = "100 uN m" } }
        [constraints.table]
        hold = { body = "sheet", box = [[-1, -1, -1], [0.001, 1, 1]] }
        [forces.throw]
        on = { body = "sheet", name = "right" }
        force = [0, 0, "40 mN"]
        until = "0.05 s"
    "#;
    let mut simulation = Scene::parse(text).unwrap().build(&NoFiles).unwrap();
    let mut lowest = 0.0f64;
    let tip = simulation.state().q.iter().enumerate().max_by(|a, b| a.1.x.total_cmp(&b.1.x)).unwrap().0;
    while let Some(frame) = simulation.next_frame().unwrap() {
        lowest = lowest.min(frame.positions[tip].z);
    }
    assert!(lowest < -0.02, "the sheet goes through the half that is held: {lowest} m");
    let audit = simulation.statistics().audit_relative();
    assert!(audit < 1e-3, "{audit}");
}

/// Two short ropes on a circle about each other, `apart` \[m\] and once around in `period` \[s\]; their springs ring five times
/// as fast. Returns by which parts angular momentum and energy have changed after three turns.
fn three_turns(length: f64, apart: f64, period: f64, max_step: f64) -> (f64, f64) {
    let turning = std::f64::consts::TAU / period;
    let softening = 0.5 * apart;
    let mut line = rope(Vec3::new(0.0, 0.0, length), 1, 0.0, 0.0);
    let mass = line.mass_per_length * length;
    line.stiffness.stretch = (5.0 * turning).powi(2) * 0.25 * mass * length;
    let reach = (apart * apart + softening * softening).powf(1.5);
    let constant = turning * turning * 0.5 * reach / mass;
    let (world, mut state) = build(|builder| {
        builder.rope("one", &line).unwrap();
        builder.rope("other", &line).unwrap();
        builder.gravitation(Gravitation { constant, softening });
    });
    for (k, (x, v)) in state.q.iter_mut().zip(&mut state.v).enumerate() {
        let side = if k < 2 { 0.5 } else { -0.5 };
        x.x += side * apart;
        v.y = side * apart * turning;
    }
    let (_, before) = world.inertia.momenta(&state.q, &state.v);
    let mut of_run = settings(3.0 * period, Method::Rkf45, max_step);
    of_run.limits.tolerance = aspic::run::DEFAULT_TOLERANCE;
    let mut run = Simulation::new(world, state, of_run);
    run.advance_to(3.0 * period).unwrap();
    let (_, after) = run.world().inertia.momenta(&run.state().q, &run.state().v);
    let ledger = run.ledger();
    ((after - before).norm() / before.norm(), (ledger.residual / ledger.kinetic).abs())
}

#[test]
fn bodies_on_an_orbit_of_any_size_keep_their_angular_momentum() {
    for (length, apart, period, max_step) in
        [(0.1, 1.0, 6.0, 0.05), (1e6, 1e7, 1e6, 1e5), (0.5, 2.0, 0.5, 0.05), (3.0, 4.0, 900.0, 20.0)]
    {
        let (turning, energy) = three_turns(length, apart, period, max_step);
        assert!(turning < 1e-6, "{apart} m in {period} s: {turning} of the angular momentum");
        assert!(energy < 1e-5, "{apart} m in {period} s: {energy} of the energy");
    }
}
