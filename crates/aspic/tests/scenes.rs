//! Every scene of the folder `scenes`, run whole: the ledger must close, the constraints must hold.

use std::path::PathBuf;

use aspic::Simulation;
use aspic::frame::Frame;
use aspic::scene::{NoFiles, Quantity, Scene};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

fn scene(name: &str) -> Scene {
    let text = std::fs::read_to_string(folder().join(name).with_extension("toml")).unwrap();
    Scene::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Runs a scene to its end, showing every frame to `visit`.
fn run(scene: &Scene, mut visit: impl FnMut(&Frame)) -> Simulation {
    let mut simulation = scene.build(&NoFiles).unwrap_or_else(|error| panic!("{error}"));
    while let Some(frame) = simulation.next_frame().unwrap_or_else(|error| panic!("{error}")) {
        visit(&frame);
    }
    simulation
}

/// Runs a scene and holds what every scene must hold.
fn holds_its_books(name: &str) -> Simulation {
    let mut loss = 0.0;
    let simulation = run(&scene(name), |frame| {
        assert!(
            frame.ledger.viscous_loss >= loss,
            "{name}: viscosity gave energy before {} s",
            frame.ledger.t
        );
        loss = frame.ledger.viscous_loss;
    });
    let statistics = simulation.statistics();
    assert!(statistics.audit_relative() <= 1e-5, "{name}: audit {:e}", statistics.audit_relative());
    assert!(statistics.worst_violation <= 1e-9, "{name}: violation {:e}", statistics.worst_violation);
    simulation
}

macro_rules! ledger_closes_on {
    ($($test:ident: $name:literal),* $(,)?) => {$(
        #[test]
        fn $test() {
            holds_its_books($name);
        }
    )*};
}

ledger_closes_on! {
    ledger_closes_on_the_hanging_bar: "hanging-bar",
    ledger_closes_on_the_cantilever: "cantilever",
    ledger_closes_on_the_jelly_cube: "jelly-cube",
    ledger_closes_on_the_dragged_block: "dragged-block",
    ledger_closes_on_the_pendulum: "pendulum",
    ledger_closes_on_every_law: "four-materials",
    ledger_closes_on_the_whip: "whip",
}

/// Runs a scene of implicit steps or impulses, whose ledger closes to a part of the energy exchanged.
fn holds_its_books_to(name: &str, part: f64) -> Simulation {
    let mut loss = 0.0;
    let simulation = run(&scene(name), |frame| {
        let (now, rounding) = (frame.ledger.viscous_loss, 1e-12 * frame.ledger.exchanged);
        let t = frame.ledger.t;
        assert!(now >= loss - rounding, "{name}: viscosity gave energy before {t} s: {loss} {now}");
        loss = now;
    });
    let statistics = simulation.statistics();
    assert!(statistics.audit_relative() <= part, "{name}: audit {:e}", statistics.audit_relative());
    assert!(statistics.worst_violation <= 1e-9, "{name}: violation {:e}", statistics.worst_violation);
    simulation
}

macro_rules! ledger_nearly_closes_on {
    ($($test:ident: $name:literal to $part:literal),* $(,)?) => {$(
        #[test]
        fn $test() {
            holds_its_books_to($name, $part);
        }
    )*};
}

ledger_nearly_closes_on! {
    ledger_closes_on_the_swinging_rope: "rope" to 5e-3,
    ledger_closes_on_the_knot_pulled_tight: "knot" to 5e-3,
    ledger_closes_on_the_hanging_cloth: "cloth" to 1e-3,
    ledger_closes_on_the_flag: "flag" to 1e-3,
    ledger_closes_on_the_spring_block: "spring-block" to 1e-3,
    ledger_closes_on_the_hair: "hair" to 2e-2,
    ledger_closes_on_the_box_that_flips: "flipping-box" to 2e-3,
    ledger_closes_on_surface_tension: "surface-tension" to 1e-3,
    ledger_closes_on_the_skin: "skin" to 5e-3,
    ledger_closes_on_the_box_and_the_ball: "box-and-ball" to 1e-3,
    ledger_closes_on_the_landing: "landing" to 1e-5,
}

/// What rubs on a rope turns its sections, and does not spin its points.
#[test]
fn ledger_closes_on_everything_and_nothing_is_made() {
    let simulation = holds_its_books_to("everything", 1e-3);
    let made = simulation.statistics().of_exchanged(simulation.statistics().made_energy);
    assert!(made <= 0.01, "steps made {made:e} of the energy exchanged");
}

#[test]
fn every_scene_survives_being_written_out_and_read_again() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().path();
        if name.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let written = scene(name.file_stem().unwrap().to_str().unwrap()).written_out().unwrap();
        let again = Scene::parse(&written.to_toml().unwrap()).unwrap();
        assert_eq!(again, written, "{name:?}");
        count += 1;
    }
    assert!(count >= 8);
}

#[test]
fn falling_torus_has_the_counts_of_1997_and_its_total_energy_is_a_straight_line() {
    let simulation = holds_its_books("falling-torus");
    let topology = &simulation.world().topology;
    assert_eq!((topology.nodes, topology.tets.len(), topology.triangles.len()), (180, 480, 320));
    assert_eq!(simulation.frames_given(), 241);
}

#[test]
fn falling_torus_starts_almost_upright_with_an_interior_vertex_nailed_to_the_origin() {
    let simulation = scene("falling-torus").build(&NoFiles).unwrap();
    let (node, motion) = simulation.world().constraints[0].laws[0].prescribed(0.0).unwrap();
    assert!(motion.position.norm() < 1e-12);
    assert!(!simulation.world().topology.triangles.iter().flatten().any(|&v| v == node));
    let highest = simulation.state().q.iter().map(|x| x.z).fold(f64::MIN, f64::max);
    let widest = simulation.state().q.iter().map(|x| x.y).fold(f64::MIN, f64::max);
    assert!(highest > 0.12 && widest < 0.06, "height {highest}, width {widest}");
}

#[test]
fn a_torus_a_hundred_times_softer_never_turns_inside_out() {
    let mut soft = scene("falling-torus").written_out().unwrap();
    for material in soft.materials.values_mut() {
        let numbers = material.resolve().unwrap();
        material.bulk = Some(Quantity::new(numbers.bulk / 100.0));
        material.shear = Some(Quantity::new(numbers.shear / 100.0));
    }
    let simulation = run(&soft, |frame| {
        // ψ is infinite where J ≤ 0.
        assert!(frame.energy_density.iter().all(|psi| psi.is_finite()), "at {} s", frame.ledger.t);
    });
    assert!(simulation.statistics().audit_relative() <= 1e-5);
}

#[test]
fn spinning_block_keeps_its_linear_and_angular_momentum_for_ten_seconds() {
    let mut start = None;
    run(&scene("spinning-block"), |frame| {
        let (linear, angular) = (frame.ledger.momentum, frame.ledger.angular_momentum);
        let (linear0, angular0) = *start.get_or_insert((linear, angular));
        assert!((linear - linear0).norm() <= 1e-10 * linear0.norm(), "linear at {} s", frame.ledger.t);
        assert!((angular - angular0).norm() <= 1e-10 * angular0.norm(), "angular at {} s", frame.ledger.t);
    });
}
