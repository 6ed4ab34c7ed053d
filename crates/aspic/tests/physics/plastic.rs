//! Solids that yield, under explicit steps.

use aspic::constraint::{Constraint, Path, Pin};
use aspic::mesh::generate;
use aspic::points::Yield;
use aspic::potential::material::LawName;
use aspic::world::NamedConstraint;
use aspic::{Material, Simulation, Vec3, WorldBuilder};

use crate::support::{damped_jelly, frames, jelly, settings, single, stable, start};

const FLOW: Yield = Yield { strain: 0.02, creep: 20.0, max: 0.6, per_step: false };

fn putty(tau: f64) -> Material {
    Material { plasticity: Some(FLOW), ..damped_jelly(tau) }
}

/// A bar of one metre that is drawn out by a fifth, so slowly that it does not swing, held, and let go after four seconds.
fn drawn(material: &Material) -> Simulation {
    let mesh = generate::beam(1.0, 0.1, 0.1, [10, 1, 1]).unwrap();
    let (mut builder, _) = single(&mesh, material);
    let drawn = Vec3::new(0.2, 0.0, 0.0);
    let path = Path::new(&[(0.0, Vec3::zeros()), (3.0, drawn), (4.0, drawn)]);
    builder.hold("vice", &mesh.groups["start"]);
    builder.drag("hand", &mesh.groups["end"], &path, 4.0);
    start(builder, settings(6.0, 0.1, 1e-6))
}

fn length(simulation: &Simulation) -> f64 {
    let x = simulation.state().q.iter().map(|x| x.x);
    x.clone().fold(f64::MIN, f64::max) - x.fold(f64::MAX, f64::min)
}

#[test]
fn bar_that_was_drawn_out_stays_longer_by_what_has_flowed() {
    let mut bar = drawn(&putty(0.1));
    let mut loss = 0.0;
    for frame in frames(&mut bar) {
        assert!(frame.ledger.plastic_loss >= loss, "plasticity gave energy before {} s", frame.ledger.t);
        loss = frame.ledger.plastic_loss;
    }
    // Of ln 1.2, what is left elastic is the yield: a deviator (2, −1, −1) a with √6 a = 0.02, and with no stress
    // across the bar 3 K m = 2 G a in every direction.
    let a = 0.02 / 6f64.sqrt();
    let expected = (1.2f64.ln() - 2.0 * a - 2.0 * 15.0 / (3.0 * 40.0) * a).exp();
    // The clamped ends bulge less.
    assert!((length(&bar) - expected).abs() < 0.01, "{} m, {expected} m", length(&bar));
    assert!(loss > 0.1, "{loss} J");
    assert!(bar.statistics().audit_relative() < 1e-5, "{:e}", bar.statistics().audit_relative());
    let mut elastic = drawn(&damped_jelly(0.1));
    frames(&mut elastic);
    assert!((length(&elastic) - 1.0).abs() < 1e-3, "{} m", length(&elastic));
}

/// A block that drops onto springs which hold its top.
fn dropped(material: &Material) -> Simulation {
    let mesh = generate::block(Vec3::new(0.2, 0.2, 0.3), [2, 2, 3]).unwrap();
    let (mut builder, _) = single(&mesh, material);
    let springs = mesh.groups["top"].iter().map(|&node| -> Box<dyn Constraint> {
        Box::new(Pin::new(node, mesh.positions[node as usize], Path::still()))
    });
    let laws = springs.collect();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    builder.constrain(NamedConstraint {
        name: "springs".into(),
        laws,
        until: f64::INFINITY,
        stiffness: Some(200.0),
    });
    start(builder, settings(0.6, 1.0 / 30.0, 1e-6))
}

#[test]
fn ledger_closes_with_the_plastic_loss_of_a_body_that_drops_onto_springs() {
    for law in LawName::ALL {
        let mut block = dropped(&Material { law, ..putty(0.001) });
        frames(&mut block);
        let ledger = block.ledger();
        assert!(ledger.plastic_loss > 0.02 * ledger.exchanged, "{law:?} {ledger:?}");
        assert!(
            block.statistics().audit_relative() < 1e-5,
            "{law:?} {:e}",
            block.statistics().audit_relative()
        );
    }
}

#[test]
fn restored_run_of_a_body_that_yields_gives_the_same_bits() {
    let whole = frames(&mut dropped(&putty(0.001)));
    for stop in [1, 4, 9] {
        let mut first = dropped(&putty(0.001));
        (0..stop).for_each(|_| drop(first.next_frame().unwrap()));
        let mut second = dropped(&putty(0.001));
        second.restore(first.checkpoint());
        assert_eq!(second.checkpoint(), first.checkpoint());
        let rest = frames(&mut second);
        assert!(rest[..] == whole[stop..], "after a stop at {stop}");
    }
}

#[test]
fn whirling_body_that_yields_keeps_both_momenta() {
    let mesh = generate::block(Vec3::new(0.4, 0.1, 0.2), [4, 1, 2]).unwrap();
    let (mut builder, _) = single(&mesh, &putty(0.001));
    let positions = builder.positions().to_vec();
    for (v, x) in builder.velocities().iter_mut().zip(&positions) {
        *v = Vec3::new(0.3, 0.0, 0.1) + Vec3::new(3.0, 20.0, 5.0).cross(x);
    }
    let mut block = start(builder, stable(settings(0.5, 0.05, 1e-6), 2e-3));
    let rows: Vec<_> = frames(&mut block).into_iter().map(|frame| frame.ledger).collect();
    let (first, last) = (rows[0], rows[rows.len() - 1]);
    assert!(last.plastic_loss > 1e-3 * first.kinetic, "{last:?}");
    assert!((last.momentum - first.momentum).norm() < 1e-10 * first.momentum.norm());
    let turned = (last.angular_momentum - first.angular_momentum).norm() / first.angular_momentum.norm();
    assert!(turned < 1e-7, "{turned:e}");
}

#[test]
fn solids_that_cannot_yield_as_asked_are_refused() {
    let mesh = generate::block(Vec3::repeat(0.1), [1; 3]).unwrap();
    let refused = |flow: Yield| {
        let material = Material { plasticity: Some(flow), ..jelly(LawName::LsStable) };
        WorldBuilder::new().solid("lump", &mesh, &material, Default::default()).unwrap_err().to_string()
    };
    let above = refused(Yield { strain: 0.7, ..FLOW });
    assert_eq!(
        above,
        "body `lump`: the yield strain is 0.7: it must not be above the largest plastic strain, 0.6"
    );
    assert!(refused(Yield { creep: f64::NAN, ..FLOW }).contains("the creep is NaN"));
    assert!(refused(Yield { max: 0.0, strain: 0.0, ..FLOW }).contains("a number above zero"));
}
