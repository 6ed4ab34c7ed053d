//! Implicit steps whose length follows from their error.

use aspic::body::ContactSettings;
use aspic::constraint::Path;
use aspic::integrate::Scheme;
use aspic::mesh::{Plane, TetMesh, generate};
use aspic::{Simulation, Vec3, WorldBuilder};

use crate::support::{
    SCHEMES, adaptive, damped_jelly, distance, explicit, frames, heap_builder, heap_settings, power, single,
    start, steps, tight,
};

fn bar() -> TetMesh {
    generate::beam(0.6, 0.2, 0.2, [3, 1, 1]).unwrap()
}

/// A bar that is held at one end and swings in a weak field of gravity, with viscosity τ times the moduli.
fn swing(tau: f64) -> WorldBuilder {
    let mesh = bar();
    let mut builder = single(&mesh, &damped_jelly(tau));
    builder.gravity(Vec3::new(0.0, 0.0, -1.0)).drag(
        "wall",
        &mesh.groups["start"],
        &Path::still(),
        f64::INFINITY,
    );
    builder
}

#[test]
fn error_and_number_of_steps_follow_the_tolerance_with_the_order_of_the_scheme() {
    // An error of hᵖ⁺¹ in each step: h goes with the tolerance to the power 1/(p + 1), the error of the run with hᵖ.
    let end = 0.5;
    let mut reference = start(swing(0.01), explicit(1e-10, end, end));
    reference.advance_to(end).unwrap();
    for (scheme, order) in SCHEMES.into_iter().zip([1.0, 2.0, 2.0]) {
        let tolerances = if order == 1.0 { [1e-4, 1e-5, 1e-6] } else { [1e-6, 1e-7, 1e-8] };
        let runs = tolerances.map(|tolerance| {
            let mut simulation =
                start(swing(0.01), adaptive(steps(scheme, tight(), 0.5, end, end), tolerance));
            let last = frames(&mut simulation).pop().unwrap();
            let off = distance(&last.positions, &reference.state().q);
            let statistics = simulation.statistics();
            assert!(statistics.rejected < 20 + statistics.steps / 10, "{scheme:?}: {}", statistics.rejected);
            (tolerance, statistics.steps as f64, off)
        });
        let count = power(&runs.map(|(tolerance, steps, _)| (tolerance, steps)));
        let error = power(&runs.map(|(tolerance, _, off)| (tolerance, off)));
        assert!((count + 1.0 / (order + 1.0)).abs() < 0.05, "{scheme:?}: steps as tolerance^{count:.3}");
        assert!((error - order / (order + 1.0)).abs() < 0.1, "{scheme:?}: error as tolerance^{error:.3}");
    }
}

#[test]
fn quiet_body_takes_the_longest_steps() {
    // A mode of ω dies with ½ω²τ, the slowest, ω ≈ 3.5/s, with 0.6/s: by e⁻⁹ in 15 s.
    let longest = 0.1;
    for scheme in SCHEMES {
        let settings = adaptive(steps(scheme, Default::default(), longest, 20.0, longest), 1e-4);
        let mut simulation = start(swing(0.1), settings);
        let taken: Vec<f64> = frames(&mut simulation).iter().map(|frame| frame.ledger.step).collect();
        let n = taken.len();
        assert!(taken[1] < 0.5 * longest, "{scheme:?}: {} s at the start", taken[1]);
        for step in &taken[n - 50..] {
            assert!((step / longest - 1.0).abs() < 1e-9, "{scheme:?}: {step} s at rest");
        }
    }
}

fn heap(scheme: Scheme) -> Simulation {
    start(heap_builder(), adaptive(heap_settings(scheme), 1e-3))
}

#[test]
fn restored_run_with_a_tolerance_gives_the_same_bits() {
    for scheme in SCHEMES {
        let mut through = heap(scheme);
        let whole = frames(&mut through);
        let statistics = through.statistics();
        assert!(whole.iter().any(|f| f.ledger.contact > 0.0 && f.ledger.friction_loss > 0.0));
        assert!(statistics.rejected > 0 && statistics.steps > whole.len() as u64, "{statistics:?}");
        for stop in [1, 14, 22] {
            let mut first = heap(scheme);
            (0..stop).for_each(|_| drop(first.next_frame().unwrap()));
            let mut second = heap(scheme);
            second.restore(first.checkpoint());
            let rest = frames(&mut second);
            for (one, other) in rest.iter().zip(&whole[stop..]) {
                assert!(one == other, "{scheme:?}: frame {} differs after a stop at {stop}", other.index);
            }
            assert_eq!(rest.len(), whole.len() - stop);
        }
    }
}

/// A soft ball that is thrown at the floor.
fn thrown() -> WorldBuilder {
    let mut builder = single(&generate::ball(0.1, 3).unwrap(), &damped_jelly(0.002));
    builder.positions().iter_mut().for_each(|x| x.z += 0.15);
    builder.velocities().fill(Vec3::new(0.5, 0.0, -3.0));
    builder.add_plane("floor", Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
    builder.contact(ContactSettings { friction: 0.3, ..ContactSettings::default() });
    builder
}

#[test]
fn impact_takes_short_steps_and_flight_long_ones_and_no_step_fails() {
    for scheme in SCHEMES {
        let settings = adaptive(steps(scheme, Default::default(), 0.01, 0.5, 0.01), 1e-4);
        let mut simulation = start(thrown(), settings);
        let rows: Vec<_> = frames(&mut simulation).iter().map(|frame| frame.ledger).collect();
        let touching = rows.iter().filter(|row| row.contact > 0.0);
        let shortest = touching.map(|row| row.step).fold(f64::INFINITY, f64::min);
        assert!(shortest < 1e-3 && shortest > 1e-5, "{scheme:?}: {shortest} s");
        assert!((rows[1].step - 0.01).abs() < 1e-9, "{scheme:?}: {} s in flight", rows[1].step);
        assert!(rows[rows.len() - 1].momentum.z > 0.0, "{scheme:?}: it flies up again");
    }
}
