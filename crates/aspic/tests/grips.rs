//! Contact by multipliers: what has met is held for as long as it is pushed together.

use aspic::body::SpringSettings;
use aspic::dissipation::viscous_law::Viscosity;
use aspic::event::Spring;
use aspic::mesh::{Plane, generate};
use aspic::potential::material::Moduli;
use aspic::run::Settings;
use aspic::scene::{NoFiles, Scene};
use aspic::{Material, Simulation, State, Vec3, World, WorldBuilder};

fn jelly() -> Material {
    let viscosity = Viscosity::new(10.0, 10.0).unwrap();
    Material { viscosity, ..Material::elastic(1000.0, Moduli { bulk: 40e3, shear: 15e3 }) }
}

fn settings(duration: f64) -> Settings {
    Settings { duration, frame_interval: duration / 50.0, ..Settings::default() }
}

fn rigid(friction: Option<f64>) -> SpringSettings {
    SpringSettings { rigid: true, friction, ..SpringSettings::default() }
}

/// A block above a floor, under some gravity.
fn block_over_floor(gravity: Vec3, height: f64, friction: Option<f64>) -> (World, State) {
    let mut builder = WorldBuilder::new();
    builder.gravity(gravity);
    let mut mesh = generate::block(Vec3::new(0.1, 0.1, 0.06), [2; 3]).unwrap();
    mesh.positions.iter_mut().for_each(|x| x.z += 0.03 + height);
    builder.solid("block", &mesh, &jelly(), Default::default()).unwrap();
    builder.add_plane("floor", Plane { point: Vec3::zeros(), normal: Vec3::z() });
    builder.springs(rigid(friction));
    builder.build().unwrap()
}

/// Contacts that multipliers hold now.
fn held(simulation: &Simulation) -> usize {
    let contact = simulation.world().springs.as_ref().unwrap();
    (simulation.present().memory.len() - contact.memory) / Spring::WIDTH
}

#[test]
fn a_block_that_has_landed_is_carried_by_its_contacts_and_never_sinks_in() {
    let (world, state) = block_over_floor(Vec3::new(0.0, 0.0, -9.81), 0.01, None);
    let mut settings = settings(3.0);
    settings.limits.max_step = 1e-4;
    let mut simulation = Simulation::new(world, state, settings);
    let mut push = Vec3::zeros();
    while let Some(frame) = simulation.next_frame().unwrap() {
        let lowest = frame.positions.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        assert!(lowest > 0.0, "frame {}: a vertex is at {lowest}", frame.index);
        push = frame.contact.iter().sum();
    }
    assert_eq!(held(&simulation), 9);
    let weight = 1000.0 * 0.1 * 0.1 * 0.06 * 9.81;
    assert!((push - Vec3::new(0.0, 0.0, weight)).norm() < 0.02 * weight, "{push} carries {weight} N");
    let statistics = simulation.statistics();
    assert!(statistics.audit_relative() < 1e-9, "{statistics:?}");
    assert!(statistics.worst_violation < 1e-10, "{statistics:?}");
}

#[test]
fn a_block_that_bounces_is_let_go_by_all_contacts() {
    let mut builder = WorldBuilder::new();
    let ball = generate::ball(0.05, 2).unwrap();
    let mut mesh = ball.clone();
    mesh.positions.iter_mut().for_each(|x| x.z += 0.06);
    let material = Material::elastic(1000.0, Moduli { bulk: 40e3, shear: 15e3 });
    builder.solid("ball", &mesh, &material, Default::default()).unwrap();
    builder.add_plane("floor", Plane { point: Vec3::zeros(), normal: Vec3::z() });
    builder.springs(rigid(None));
    let (world, mut state) = builder.build().unwrap();
    state.v.iter_mut().for_each(|v| v.z = -1.0);
    let mut simulation = Simulation::new(world, state, settings(0.15));
    let mut most = 0;
    while simulation.next_frame().unwrap().is_some() {
        most = most.max(held(&simulation));
    }
    let lowest = simulation.present().q.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    assert!(most > 3 && held(&simulation) == 0 && lowest > 0.005, "{most} held, lowest at {lowest}");
    assert!(simulation.statistics().audit_relative() < 1e-6, "{:?}", simulation.statistics());
}

#[test]
fn a_block_slides_without_friction_as_on_ice() {
    // A slope is a floor under a field that leans.
    let gravity = Vec3::new(3.0, 0.0, -9.0);
    let (world, state) = block_over_floor(gravity, 1e-4, Some(0.0));
    let centre = |state: &State| state.q.iter().map(|x| x.x).sum::<f64>() / state.q.len() as f64;
    let start = centre(&state);
    let mut simulation = Simulation::new(world, state, settings(0.8));
    while simulation.next_frame().unwrap().is_some() {}
    let way = centre(simulation.present()) - start;
    assert!((way - 0.5 * 3.0 * 0.8 * 0.8).abs() < 0.005, "it slid {way} m");
    assert!(held(&simulation) > 0);
}

#[test]
fn a_block_that_is_pulled_up_lifts_off_when_the_pull_exceeds_its_weight() {
    let (world, state) = block_over_floor(Vec3::new(0.0, 0.0, -9.81), 1e-4, None);
    let mut simulation = Simulation::new(world, state, settings(1.0));
    while simulation.next_frame().unwrap().is_some() {}
    assert_eq!(held(&simulation), 9);
    // Gravity turns around: nothing must hold it back.
    let (turned, _) = block_over_floor(Vec3::new(0.0, 0.0, 9.81), 1e-4, None);
    let state = simulation.present().clone();
    let longer = Settings { duration: 1.5, ..settings(1.0) };
    let mut simulation = simulation.carry_over(turned, state, longer);
    while simulation.next_frame().unwrap().is_some() {}
    assert_eq!(held(&simulation), 0);
    let height =
        simulation.present().q.iter().map(|x| x.z).sum::<f64>() / simulation.present().q.len() as f64;
    assert!((height - 0.03 - 0.5 * 9.81 * 0.25).abs() < 0.01, "it is {height} m up");
}

/// Two blocks without weight that fly at each other, turned so that vertices meet faces and edges meet edges.
fn clash(friction: Option<f64>) -> (World, State) {
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::zeros());
    let one = generate::ball(0.05, 1).unwrap();
    let mut other = generate::block(Vec3::repeat(0.08), [2; 3]).unwrap();
    let turn = nalgebra::Rotation3::new(Vec3::new(0.4, 0.3, 0.2));
    other.positions.iter_mut().for_each(|x| *x = turn * *x + Vec3::new(0.13, 0.02, 0.01));
    let first = one.positions.len();
    builder.solid("one", &one, &jelly(), Default::default()).unwrap();
    builder.solid("other", &other, &jelly(), Default::default()).unwrap();
    builder.springs(rigid(friction));
    let (world, mut state) = builder.build().unwrap();
    state.v[..first].iter_mut().for_each(|v| v.x = 1.0);
    (world, state)
}

#[test]
fn bodies_that_clash_keep_momentum_and_spin_and_part_again() {
    for friction in [None, Some(0.0)] {
        let (world, state) = clash(friction);
        let (momentum, spin) = world.inertia.momenta(&state.q, &state.v);
        let mut simulation = Simulation::new(world, state, settings(0.3));
        let mut most = 0;
        while simulation.next_frame().unwrap().is_some() {
            most = most.max(held(&simulation));
        }
        let state = simulation.present();
        let (after, turned) = simulation.world().inertia.momenta(&state.q, &state.v);
        assert!((after - momentum).norm() < 1e-9 * momentum.norm(), "{friction:?}: {momentum} {after}");
        assert!((turned - spin).norm() < 1e-6 * momentum.norm() * 0.1, "{friction:?}: {spin} {turned}");
        assert!(most > 0 && held(&simulation) == 0, "{friction:?}: {most}, then {}", held(&simulation));
        assert!(simulation.statistics().audit_relative() < 1e-5, "{:?}", simulation.statistics());
    }
}

#[test]
fn a_run_that_is_taken_up_again_among_contacts_gives_the_same_bits() {
    for friction in [None, Some(0.0)] {
        let build = || {
            let (world, state) = clash(friction);
            Simulation::new(world, state, settings(0.15))
        };
        let frames = |simulation: &mut Simulation| {
            std::iter::from_fn(|| simulation.next_frame().unwrap()).map(|f| f.positions).collect::<Vec<_>>()
        };
        let whole = frames(&mut build());
        for stop in [15, 30] {
            let mut first = build();
            (0..stop).for_each(|_| drop(first.next_frame().unwrap()));
            let mut second = build();
            second.restore(first.checkpoint());
            assert!(frames(&mut second) == whole[stop..], "from frame {stop}");
        }
    }
}

#[test]
fn more_changes_at_one_instant_than_allowed_end_in_an_error_that_names_the_pair() {
    let (world, state) = clash(None);
    let mut simulation = Simulation::new(world, state, settings(0.3));
    simulation.allow_changes(1);
    let error = loop {
        match simulation.next_frame() {
            Ok(frame) => assert!(frame.is_some(), "nothing happened"),
            Err(error) => break error,
        }
    };
    let text = error.explain(simulation.world());
    assert!(text.contains("`one` and `other` meet again and again"), "{text}");
}

#[test]
fn every_explicit_method_lands_a_block_and_lets_it_rest() {
    use aspic::integrate::ExplicitScheme;
    use aspic::run::Method;
    let schemes = [
        ExplicitScheme::VelocityVerlet,
        ExplicitScheme::PositionVerlet,
        ExplicitScheme::Leapfrog,
        ExplicitScheme::SemiImplicitEuler,
        ExplicitScheme::RungeKutta4,
    ];
    for scheme in schemes {
        let (world, state) = block_over_floor(Vec3::new(0.0, 0.0, -9.81), 0.01, None);
        let settings = Settings { first_step: Some(5e-5), method: Method::Explicit(scheme), ..settings(1.0) };
        let mut simulation = Simulation::new(world, state, settings);
        let mut push = Vec3::zeros();
        while let Some(frame) = simulation.next_frame().unwrap() {
            push = frame.contact.iter().sum();
        }
        let weight = 1000.0 * 0.1 * 0.1 * 0.06 * 9.81;
        assert_eq!(held(&simulation), 9, "{scheme:?}");
        assert!((push.z / weight - 1.0).abs() < 0.1, "{scheme:?}: {push} carries {weight} N");
    }
}

/// A ball whose lowest vertex falls on an edge of a slab: four contacts with nearly the same feet set in at once.
#[test]
fn an_impact_on_an_edge_costs_energy_and_never_makes_any() {
    let text = |frame_rate: u32| {
        format!(
            r#"
            duration = "0.1 s"
            output = {{ frame_rate = {frame_rate} }}
            contact = {{ model = "multipliers" }}
            [materials.rubber]
            young = "100 kPa"
            poisson = 0.35
            density = 1000
            shear_viscosity = "60 Pa s"
            [bodies.low]
            material = "rubber"
            shape = {{ box = {{ size = ["10 cm", "10 cm", "6 cm"], cells = [4, 4, 2] }} }}
            position = [0, 0, "3.2 cm"]
            [bodies.high]
            material = "rubber"
            shape = {{ ball = {{ radius = "4 cm", rings = 2 }} }}
            position = [0.01, 0, "14 cm"]
            [obstacles.floor]
            shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }} }}
            "#
        )
    };
    // steps end on frames, so that each rate meets the edge in another way
    for frame_rate in [30, 37, 45, 50, 75, 90, 100, 120] {
        let mut simulation = Scene::parse(&text(frame_rate)).unwrap().build(&NoFiles).unwrap();
        let mut loss = 0.0;
        while let Some(frame) = simulation.next_frame().unwrap() {
            let ledger = frame.ledger;
            assert!(ledger.impact_loss >= loss - 1e-9, "{frame_rate}/s at {} s: {ledger:?}", ledger.t);
            assert!(ledger.numerical_loss.abs() < 1e-6, "{frame_rate}/s at {} s: {ledger:?}", ledger.t);
            loss = ledger.impact_loss;
        }
        let viscous = simulation.ledger().viscous_loss;
        assert!(loss > 0.0 && viscous < 0.03, "{frame_rate}/s: {loss} J, {viscous} J");
    }
}
