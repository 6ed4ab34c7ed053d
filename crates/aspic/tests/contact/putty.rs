//! Putty under implicit steps with contact: it stays as the floor has made it.

use aspic::body::ContactSettings;
use aspic::frame::Frame;
use aspic::integrate::{NewtonSettings, Scheme};
use aspic::mesh::{Plane, generate};
use aspic::points::Yield;
use aspic::{Material, Simulation, Vec3, WorldBuilder};

use crate::support::{SCHEMES, damped_jelly, frames, start, steps};

const FLOW: Yield = Yield { strain: 0.02, creep: 50.0, max: 1.0, per_step: false };

/// A ball that falls half a metre.
fn ball(material: &Material, scheme: Scheme) -> Simulation {
    let mesh = generate::ball(0.1, 3).unwrap();
    let mut builder = WorldBuilder::new();
    let id = builder.solid("ball", &mesh, material, Default::default()).unwrap();
    for node in builder.nodes(id) {
        builder.positions()[node] += Vec3::z() * 0.105;
        builder.velocities()[node] = Vec3::new(0.0, 0.0, -3.0);
    }
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    builder.add_plane("floor", Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
    builder.contact(ContactSettings { friction: 0.5, ..ContactSettings::default() });
    start(builder, steps(scheme, NewtonSettings::default(), 5e-3, 0.5, 1.0 / 60.0))
}

fn putty() -> Material {
    Material { plasticity: Some(FLOW), ..damped_jelly(0.01) }
}

fn height(frame: &Frame) -> f64 {
    let z = frame.positions.iter().map(|x| x.z);
    z.clone().fold(f64::MIN, f64::max) - z.fold(f64::MAX, f64::min)
}

#[test]
fn dropped_ball_of_putty_stays_flat_and_its_ledger_closes() {
    for scheme in SCHEMES {
        let mut dropped = ball(&putty(), scheme);
        let shown = frames(&mut dropped);
        let losses: Vec<f64> = shown.iter().map(|frame| frame.ledger.plastic_loss).collect();
        assert!(losses.windows(2).all(|pair| pair[1] >= pair[0]), "{scheme:?} {losses:?}");
        let last = shown.last().unwrap();
        assert!(height(last) < 0.16, "{scheme:?}: {} m high", height(last));
        assert!(last.ledger.plastic_loss > 0.2 * shown[0].ledger.kinetic, "{scheme:?} {:?}", last.ledger);
        let audit = dropped.statistics().audit_relative();
        assert!(audit < 1e-4, "{scheme:?} {audit:e}");
    }
    let shown = frames(&mut ball(&damped_jelly(0.01), Scheme::Bdf2));
    assert!(height(shown.last().unwrap()) > 0.185, "{} m high", height(shown.last().unwrap()));
}

#[test]
fn restored_run_of_putty_gives_the_same_bits_on_any_number_of_threads() {
    for scheme in SCHEMES {
        let whole = frames(&mut ball(&putty(), scheme));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        for stop in [2, 5, 20] {
            let rest = pool.install(|| {
                let mut first = ball(&putty(), scheme);
                (0..stop).for_each(|_| drop(first.next_frame().unwrap()));
                let mut second = ball(&putty(), scheme);
                second.restore(first.checkpoint());
                frames(&mut second)
            });
            assert!(rest[..] == whole[stop..], "{scheme:?} after a stop at {stop}");
        }
    }
}
