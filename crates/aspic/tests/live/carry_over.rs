//! A run that goes on in another world: no jump, closed books, the motion that the new laws ask for.

use std::sync::Arc;

use aspic::scene::{NoFiles, Quantity, Scene, Vector};
use aspic::{Settings, Simulation, Vec3};

fn scene(text: &str) -> Scene {
    Scene::parse(text).unwrap()
}

/// The settings of a scene, without an end.
fn endless(scene: &Scene) -> Settings {
    Settings { duration: f64::INFINITY, ..scene.settings() }
}

fn start(scene: &Scene) -> Simulation {
    scene.build_pinned(&NoFiles, &[], endless(scene)).unwrap()
}

fn carried(scene: &Scene, simulation: &Simulation, pins: &[u32]) -> Simulation {
    scene.carry_over(&NoFiles, simulation, pins, endless(scene)).unwrap()
}

fn steps_to(simulation: &mut Simulation, t: f64) {
    while simulation.progress().0 < t {
        simulation.next_step().unwrap();
    }
}

const THROWN: &str = r#"
    duration = "1 s"
    [time]
    METHOD
    [output]
    frame_rate = "50 fps"
    [materials.jelly]
    density = 1000
    bulk = "40 kPa"
    shear = "15 kPa"
    bulk_viscosity = 40
    shear_viscosity = 15
    [bodies.block]
    material = "jelly"
    shape = { box = { size = ["10 cm", "10 cm", "10 cm"], cells = [2, 2, 2] } }
    velocity = [1, 0, 3]
"#;

#[test]
fn body_flies_on_along_the_parabola_of_the_new_gravity() {
    // BDF2 takes the jump of the acceleration as one step of first order: h Δa t.
    for (method, error) in [
        ("tolerance = 1e-6\nmax_step = \"5 ms\"", 1e-9),
        ("method = \"bdf2\"\nnewton_tolerance = 1e-8", 0.04),
    ] {
        let mut scene = scene(&THROWN.replace("METHOD", method));
        let mut simulation = start(&scene);
        steps_to(&mut simulation, 0.3);
        let state = simulation.present();
        let center = |s: &Simulation| s.world().inertia.center(&s.present().q, 0..27);
        let (t, x, v) = (state.t, center(&simulation), state.v[0]);
        scene.gravity.0 = Vector::new(2.0, 0.0, -1.6);
        let mut simulation = carried(&scene, &simulation, &[]);
        steps_to(&mut simulation, 0.8);
        let dt = simulation.present().t - t;
        let expected = x + v * dt + Vec3::new(2.0, 0.0, -1.6) * (dt * dt / 2.0);
        let off = (center(&simulation) - expected).norm();
        assert!(off < error, "{method}: {off:e} m");
        let relative = simulation.statistics().audit_relative();
        assert!(relative < 1e-6, "{method}: {relative:e}");
    }
}

/// A change of law, gravity or material.
type Change = fn(&mut Scene);

#[test]
fn nothing_jumps_and_the_audit_closes_when_laws_change_in_mid_motion() {
    for (method, audit) in [("tolerance = 1e-6", 1e-5), ("method = \"bdf2\"\nnewton_tolerance = 1e-8", 1e-5)]
    {
        let mut scene = scene(&THROWN.replace("METHOD", method));
        let mut simulation = scene.build_pinned(&NoFiles, &[0, 1, 2], endless(&scene)).unwrap();
        let changes: [(f64, Change); 4] = [
            (0.1, |scene| scene.gravity.0 = Vector::new(0.0, 5.0, -9.81)),
            (0.17, |scene| scene.materials["jelly"].shear = Some(Quantity::new(60e3))),
            (0.2, |scene| scene.materials["jelly"].shear_viscosity = Some(Quantity::new(0.0))),
            (0.3, |scene| scene.materials["jelly"].bulk = Some(Quantity::new(20e3))),
        ];
        for (t, change) in changes {
            steps_to(&mut simulation, t);
            let before = simulation.present().clone();
            change(&mut scene);
            simulation = carried(&scene, &simulation, &[0, 1, 2]);
            let after = simulation.present();
            assert_eq!((&before.q, &before.v, before.t), (&after.q, &after.v, after.t));
        }
        let worked = simulation.ledger().drag_work;
        assert!(worked.abs() > 1e-3, "the changes moved energy: {worked} J");
        steps_to(&mut simulation, 0.6);
        let relative = simulation.statistics().audit_relative();
        assert!(relative < audit, "{method}: {relative:e}");
    }
}

#[test]
fn pinned_point_stays_where_it_is_and_falls_again_when_let_go() {
    for method in ["tolerance = 1e-4", "method = \"bdf2\""] {
        let scene = scene(&THROWN.replace("METHOD", method));
        let mut simulation = start(&scene);
        steps_to(&mut simulation, 0.2);
        let place = simulation.present().q[4];
        let mut simulation = carried(&scene, &simulation, &[4]);
        for _ in 0..40 {
            let frame = simulation.next_frame().unwrap().unwrap();
            assert!((frame.positions[4] - place).norm() < 1e-9 && frame.velocities[4] == Vec3::zeros());
        }
        assert!(simulation.statistics().audit_relative() < 1e-3);
        let (others, row) = (simulation.present().q[22] - place, simulation.ledger());
        assert!(others.norm() > 0.02 && row.kinetic > 0.0, "the rest moves on");
        let mut simulation = carried(&scene, &simulation, &[]);
        let t = simulation.present().t;
        steps_to(&mut simulation, t + 0.3);
        assert!(simulation.present().q[4].z < place.z - 0.1);
    }
}

const LYING: &str = r#"
    duration = "1 s"
    [time]
    newton_tolerance = 1e-7
    [output]
    frame_rate = "60 fps"
    [materials.jelly]
    density = 1000
    bulk = "40 kPa"
    shear = "15 kPa"
    shear_viscosity = 50
    [obstacles.floor]
    shape = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } }
    [bodies.block]
    material = "jelly"
    shape = { box = { size = ["10 cm", "10 cm", "10 cm"], cells = [2, 2, 2] } }
    position = ["0 cm", "0 cm", "5.2 cm"]
    [bodies.brick]
    kind = "affine"
    material = "jelly"
    shape = { box = { size = ["10 cm", "10 cm", "5 cm"], cells = [1, 1, 1] } }
    position = ["0 cm", "1 cm", "13 cm"]
"#;

#[test]
fn contacts_stay_open_while_gravity_friction_and_pins_change() {
    let mut scene = scene(LYING);
    let mut simulation = start(&scene);
    let mut pins: &[u32] = &[];
    for frame in 0..240 {
        simulation = match frame {
            60 => {
                scene.gravity.0 = Vector::new(0.0, 3.0, -20.0);
                carried(&scene, &simulation, pins)
            }
            90 => {
                scene.contact.as_mut().unwrap().friction = Quantity::new(0.5);
                carried(&scene, &simulation, pins)
            }
            120 => {
                // A point of the brick holds all of it.
                pins = &[28];
                carried(&scene, &simulation, pins)
            }
            180 => {
                pins = &[];
                carried(&scene, &simulation, pins)
            }
            _ => simulation,
        };
        let before = simulation.present().q.clone();
        let frame = simulation.next_frame().unwrap().unwrap();
        assert!(frame.positions.iter().all(|x| x.z > 0.0), "frame {}", frame.index);
        if pins == [28] {
            assert_eq!(&simulation.present().q[27..], &before[27..], "the brick is held");
        }
    }
    assert!(
        simulation.statistics().audit_relative() < 1e-3,
        "{:e}",
        simulation.statistics().audit_relative()
    );
}

#[test]
fn forces_of_contact_carry_the_weight_of_what_lies() {
    let mut scene = scene(LYING);
    // The brick lies off the middle of the block and tilts it: without friction it slides off within two seconds.
    scene.contact.as_mut().unwrap().friction = Quantity::new(0.5);
    let mut simulation = start(&scene);
    let frame = (0..180).map(|_| simulation.next_frame().unwrap().unwrap()).last().unwrap();
    let weight: f64 = simulation.world().inertia.masses().iter().sum::<f64>() * 9.81;
    let lifted: f64 = frame.contact.iter().map(|f| f.z).sum();
    assert!((lifted / weight - 1.0).abs() < 0.01, "{lifted} N carry {weight} N");
    let brick: f64 = frame.contact[27..].iter().map(|f| f.z).sum();
    assert!((brick / (0.5 * 9.81) - 1.0).abs() < 0.01, "{brick} N carry the brick");
}

#[test]
fn factor_of_the_masses_is_kept_unless_pins_change() {
    let mut scene = scene(&THROWN.replace("METHOD", ""));
    let simulation = start(&scene);
    scene.materials["jelly"].bulk = Some(Quantity::new(1e5));
    let free = |simulation: &Simulation| Arc::clone(&simulation.world().phases[0].free);
    assert!(Arc::ptr_eq(&free(&simulation), &free(&carried(&scene, &simulation, &[]))));
    assert!(!Arc::ptr_eq(&free(&simulation), &free(&carried(&scene, &simulation, &[3]))));
}

#[test]
fn run_goes_on_only_with_its_own_bodies_and_pins_that_can_be_kept() {
    let mut scene = scene(&THROWN.replace("METHOD", ""));
    let simulation = start(&scene);
    let held = scene.carry_over(&NoFiles, &simulation, &[3, 3, 900], endless(&scene)).unwrap();
    assert_eq!(held.world().constraints[0].laws.len(), 1, "each point once, unknown ones not at all");
    let twin = scene.bodies["block"].clone();
    scene.bodies.insert("twin".into(), twin);
    let error = scene.carry_over(&NoFiles, &simulation, &[], endless(&scene)).err().unwrap();
    assert!(error.message.contains("same bodies"), "{}", error.message);
}

#[test]
#[ignore = "a measurement: run it alone, with --ignored --nocapture"]
fn going_over_into_another_world_takes_little_time() {
    let tori =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/ten-tori.toml")).unwrap();
    let fine = THROWN.replace("METHOD", "method = \"bdf2\"").replace("[2, 2, 2]", "[20, 20, 20]");
    for (name, text) in [("ten tori", tori), ("a block of 9261 vertices", fine)] {
        let scene = scene(&text);
        let clock = std::time::Instant::now();
        let mut simulation = start(&scene);
        let built = clock.elapsed().as_secs_f64();
        (0..3).for_each(|_| drop(simulation.next_frame().unwrap()));
        let seconds = |pins: &[u32]| {
            let clock = std::time::Instant::now();
            carried(&scene, &simulation, pins);
            1e3 * clock.elapsed().as_secs_f64()
        };
        let (law, pin) = (seconds(&[]), seconds(&[3]));
        println!("{name}: built in {:.0} ms; new laws {law:.0} ms, a pin {pin:.0} ms", 1e3 * built);
        assert!(law.max(pin) < 2e3 * built, "{name}: longer than to begin anew");
    }
}
