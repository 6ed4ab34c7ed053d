//! Implicit steps without contact: each scheme has its order, its energy books balance, statics are exact.

use aspic::constraint::Path;
use aspic::external::{PointForces, Schedule};
use aspic::integrate::Scheme;
use aspic::mesh::{TetMesh, generate};
use aspic::potential::material::{LawName, Moduli};
use aspic::scene::{NoFiles, Scene};
use aspic::state::Rates;
use aspic::{Material, Vec3, WorldBuilder};

use crate::support::{
    SCHEMES, TIGHT, damped_jelly, distance, explicit, frames, jelly, mass, order, single, start, steps, tight,
};

const GRAVITY: f64 = 9.81;

#[test]
fn key_that_misses_a_frame_by_a_rounding_changes_nothing() {
    // 3 × 0.1 is not 0.3: a step of 5e-17 s would divide roundings by its length.
    let keys = |t: f64| {
        let load = Schedule::new(vec![(0.0, 0.0), (t, 1.0), (2.0 * t, 0.5)]);
        (Path::new(&[(0.0, Vec3::zeros()), (t, Vec3::z() * 0.1), (2.0 * t, Vec3::zeros())]), load)
    };
    for scheme in SCHEMES {
        let run = |t: f64| {
            let (path, schedule) = keys(t);
            let mut builder = swing(&jelly(), &path);
            let nodes = bar().groups["end"].clone();
            builder.load(Box::new(PointForces { nodes, force: Vec3::y(), schedule }), f64::INFINITY);
            frames(&mut start(builder, steps(scheme, tight(), 0.1, 1.0, 0.1))).pop().unwrap()
        };
        let off = distance(&run(0.3).positions, &run(3.0 * 0.1).positions);
        assert!(off < 1e-9, "{scheme:?}: {off:e} m");
    }
}

fn bar() -> TetMesh {
    generate::beam(0.6, 0.2, 0.2, [3, 1, 1]).unwrap()
}

/// One end held or dragged, the other swings.
fn swing(material: &Material, path: &Path) -> WorldBuilder {
    let mesh = bar();
    let mut builder = single(&mesh, material);
    builder.gravity(Vec3::new(0.0, 0.0, -1.0)).drag("wall", &mesh.groups["start"], path, f64::INFINITY);
    builder
}

/// Steps of runs whose error has settled into its order.
const COUNTS: [u64; 4] = [256, 512, 1024, 2048];

fn has_its_order(counts: [u64; 4], build: &dyn Fn() -> WorldBuilder) {
    for (scheme, expected) in SCHEMES.into_iter().zip([1.0, 2.0, 2.0]) {
        let order = order(scheme, 0.5, counts, build);
        assert!((order - expected).abs() < 0.15, "{scheme:?} has order {order:.3}");
    }
}

#[test]
fn swinging_bar_converges_with_the_order_of_the_scheme() {
    // Gravity that sets in at once rings every mode; BDF2 damps those it does not resolve. The fastest takes 25 ms.
    has_its_order(COUNTS.map(|n| 4 * n), &|| swing(&jelly(), &Path::still()));
}

#[test]
fn viscous_bar_converges_with_the_order_of_the_scheme() {
    has_its_order(COUNTS, &|| swing(&damped_jelly(0.01), &Path::still()));
}

#[test]
fn loaded_bar_converges_with_the_order_of_the_scheme() {
    has_its_order(COUNTS, &|| {
        let mesh = bar();
        let mut builder = swing(&damped_jelly(0.01), &Path::still());
        let nodes = mesh.groups["end"].clone();
        let keyed = Schedule::new(vec![(0.0, 0.0), (0.125, 1.0), (0.25, 1.0), (0.375, -0.5)]);
        let load = |force: Vec3, schedule| Box::new(PointForces { nodes: nodes.clone(), force, schedule });
        builder.load(load(Vec3::new(0.3, 0.5, 0.0), Schedule::default()), f64::INFINITY);
        builder.load(load(Vec3::new(0.0, 1.0, 2.0), keyed), f64::INFINITY);
        builder
    });
}

#[test]
fn dragged_bar_converges_with_the_order_of_the_scheme() {
    let keys = [(0.0, Vec3::zeros()), (0.25, Vec3::new(0.03, 0.02, 0.05)), (0.5, Vec3::new(0.0, 0.0, 0.1))];
    has_its_order(COUNTS, &|| swing(&jelly(), &Path::new(&keys)));
    has_its_order(COUNTS, &|| swing(&damped_jelly(0.01), &Path::new(&keys)));
}

#[test]
fn free_fall_is_the_sum_of_its_steps() {
    // Backward Euler: vₙ = −g n h and zₙ = −g h² n (n + 1)/2. BDF2 and the trapezoid are exact from the start.
    let (h, n) = (0.01, 40);
    for scheme in SCHEMES {
        let mesh = generate::block(Vec3::repeat(0.1), [1; 3]).unwrap();
        let mut builder = single(&mesh, &jelly());
        builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
        let mut simulation = start(builder, steps(scheme, tight(), h, n as f64 * h, h));
        let mut q = 0.0;
        for (k, frame) in frames(&mut simulation).iter().enumerate().skip(1) {
            let v = -GRAVITY * k as f64 * h;
            q += h * (v + if scheme == Scheme::BackwardEuler { 0.0 } else { 0.5 * GRAVITY * h });
            for (i, x) in frame.positions.iter().enumerate() {
                let fallen = x.z - mesh.positions[i].z;
                assert!((fallen - q).abs() < 1e-12, "{scheme:?} step {k}: {fallen} m, expected {q} m");
                assert!((frame.velocities[i].z - v).abs() < TIGHT, "{scheme:?} step {k}");
            }
        }
    }
}

#[test]
fn trapezoid_keeps_the_energy_that_backward_euler_loses() {
    // A bar that was stretched by 1e-4 and let go. On a linear body the trapezoid keeps K + P exactly; what is not
    // linear is smaller by the strain. Its first step is one of backward Euler.
    let strain = 1e-4;
    let lost = |scheme: Scheme| {
        let mut builder = single(&bar(), &jelly());
        builder.positions().iter_mut().for_each(|x| x.x *= 1.0 + strain);
        let newton = aspic::integrate::NewtonSettings { tolerance: Some(1e-11), ..tight() };
        let mut simulation = start(builder, steps(scheme, newton, 0.005, 1.0, 0.005));
        let rows: Vec<_> = frames(&mut simulation).iter().map(|f| f.ledger).collect();
        let energy = |k: usize| rows[k].kinetic + rows[k].elastic_bulk + rows[k].elastic_shear;
        1.0 - energy(200) / energy(1)
    };
    let [euler, bdf2, trapezoid] = SCHEMES.map(lost);
    assert!(trapezoid.abs() < 10.0 * strain, "{trapezoid}");
    assert!(euler > bdf2 && bdf2 > 10.0 * trapezoid.abs(), "{euler} {bdf2} {trapezoid}");
}

#[test]
fn backward_euler_only_loses_and_its_books_balance() {
    let h = 0.01;
    let mut simulation =
        start(swing(&damped_jelly(0.002), &Path::still()), steps(Scheme::BackwardEuler, tight(), h, 2.0, h));
    let mut before = aspic::frame::Ledger::default();
    let mut way = 0.0;
    for frame in frames(&mut simulation) {
        let row = frame.ledger;
        assert!(row.numerical_loss >= before.numerical_loss, "t = {}", row.t);
        assert!(row.viscous_loss >= before.viscous_loss, "t = {}", row.t);
        way += frame.velocities.iter().map(|v| v.norm()).fold(0.0, f64::max) * h;
        before = row;
    }
    // What Newton leaves is at most the tolerance in the velocity of all mass.
    let bound = mass(simulation.world()) * TIGHT / h * way;
    assert!(simulation.statistics().worst_residual < bound, "{:e}", simulation.statistics().worst_residual);
    assert!(before.numerical_loss > 0.01 * before.exchanged && before.viscous_loss > 0.01 * before.exchanged);
}

#[test]
fn hanging_bar_comes_to_rest_where_its_forces_balance() {
    // With ν = 0 a hanging column of height L sags by ρ g L²/2E, less what its own thinning, of the order of the
    // strain, changes.
    let young = 40e3;
    let material = Material::elastic(1000.0, Moduli::from_young_poisson(young, 0.0).unwrap());
    let mesh = generate::block(Vec3::new(0.1, 0.1, 0.5), [1, 1, 5]).unwrap();
    let gravity = 0.05;
    for scheme in [Scheme::BackwardEuler, Scheme::Bdf2] {
        let mut builder = single(&mesh, &material);
        builder.gravity(Vec3::new(0.0, 0.0, -gravity)).hold("ceiling", &mesh.groups["top"]);
        let mut simulation = start(builder, steps(scheme, tight(), 1.0, 100.0, 100.0));
        let last = frames(&mut simulation).pop().unwrap();
        let sag = |&i: &u32| mesh.positions[i as usize].z - last.positions[i as usize].z;
        let sag = mesh.groups["bottom"].iter().map(sag).sum::<f64>() / 4.0;
        let expected = 1000.0 * gravity * 0.25 / (2.0 * young);
        assert!((sag / expected - 1.0).abs() < 2e-3, "{sag} m, expected {expected} m");
        let world = simulation.world();
        let mut rates = Rates::zeros(world.nodes());
        world.rates(simulation.state(), &mut rates, &mut world.workspace()).unwrap();
        let worst = rates.a.iter().map(|a| a.norm()).fold(0.0, f64::max);
        assert!(worst < 1e-6 * gravity, "{scheme:?}: {worst} m/s²");
    }
}

#[test]
fn dragged_vertices_follow_their_path_exactly() {
    let keys = [(0.1, Vec3::zeros()), (0.5, Vec3::new(0.1, 0.05, 0.2)), (1.0, Vec3::new(-0.1, 0.1, 0.3))];
    let (mesh, path) = (bar(), Path::new(&keys));
    for scheme in SCHEMES {
        let mut simulation =
            start(swing(&damped_jelly(0.002), &path), steps(scheme, Default::default(), 0.02, 1.0, 0.05));
        for frame in frames(&mut simulation) {
            let motion = path.at(frame.ledger.t);
            for &node in &mesh.groups["start"] {
                assert_eq!(frame.positions[node as usize], mesh.positions[node as usize] + motion.position);
                assert_eq!(frame.velocities[node as usize], motion.velocity);
            }
        }
    }
}

#[test]
fn free_body_keeps_its_momentum() {
    let omega = Vec3::new(1.0, -2.0, 3.0);
    for scheme in SCHEMES {
        let mut builder = single(&bar(), &damped_jelly(0.002));
        let spun: Vec<Vec3> = builder
            .positions()
            .iter()
            .map(|x| omega.cross(x) + Vec3::new(0.5, 0.2, -0.3) + x * 0.5)
            .collect();
        builder.velocities().copy_from_slice(&spun);
        let mut simulation = start(builder, steps(scheme, tight(), 0.01, 1.0, 0.1));
        let frames = frames(&mut simulation);
        let first = frames[0].ledger.momentum;
        for frame in &frames {
            let off = (frame.ledger.momentum - first).norm() / first.norm();
            assert!(off < 1e-10, "{scheme:?} at {} s: {off:e}", frame.ledger.t);
        }
    }
}

#[test]
fn every_law_steps_with_every_scheme() {
    let laws = [LawName::Ls, LawName::LsStable, LawName::NeoHookean, LawName::Corotated, LawName::StVenant];
    for law in laws {
        let build = || swing(&Material { law, ..jelly() }, &Path::still());
        let mut reference = start(build(), explicit(1e-7, 0.5, 0.5));
        reference.advance_to(0.5).unwrap();
        let moved = distance(&reference.state().q, &bar().positions);
        for (scheme, part) in SCHEMES.into_iter().zip([0.1, 0.02, 0.02]) {
            let mut simulation = start(build(), steps(scheme, tight(), 0.01, 0.5, 0.1));
            let last = frames(&mut simulation).pop().unwrap();
            let off = distance(&last.positions, &reference.state().q);
            assert!(off < part * moved, "{law:?}, {scheme:?}: {off} of {moved} m");
        }
    }
}

#[test]
fn stiff_bodies_that_spin_do_not_explode_under_the_trapezoid() {
    let text = r#"
        duration = "2 s"
        gravity = 0
        time = { method = "trapezoid" }
        contact = { enabled = false }
        output = { frame_rate = 100 }
        [materials.r]
        young = "100 MPa"
        poisson = 0.3
        density = 1000
        [bodies.a]
        material = "r"
        kind = "affine"
        shape = { box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }
        spin = [0, 0, 10]
        velocity = [0.1, 0, 0]
        [bodies.b]
        material = "r"
        shape = { box = { size = [0.1, 0.1, 0.3], cells = [1, 1, 3] } }
        position = [0.5, 0, 0]
        spin = [0.01, 10, 0.01]
    "#;
    let mut simulation = Scene::parse(text).unwrap().build(&NoFiles).unwrap();
    let mut start = None;
    while let Some(frame) = simulation.next_frame().unwrap() {
        let energy = frame.ledger.kinetic + frame.ledger.elastic_bulk + frame.ledger.elastic_shear;
        let start = *start.get_or_insert(energy);
        assert!(energy < 1.08 * start, "{energy} J of {start} J at {} s", frame.ledger.t);
    }
}
