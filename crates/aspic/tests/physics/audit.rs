//! What the error control promises: residuals fall with the tolerance, and frames do not disturb the steps.

use aspic::mesh::generate;
use aspic::{Settings, Simulation, Vec3};

use crate::support::{damped_jelly, frames, settings, single, start};

/// A cantilever that falls from the horizontal.
fn cantilever(settings: Settings) -> Simulation {
    let mesh = generate::beam(0.6, 0.2, 0.2, [3, 1, 1]).unwrap();
    let (mut builder, _) = single(&mesh, &damped_jelly(0.001));
    builder.gravity(Vec3::new(0.0, 0.0, -9.81)).hold("wall", &mesh.groups["start"]);
    start(builder, settings)
}

/// Slope of the straight line through (x, y).
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (mx, my) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let (sxy, sxx) = points
        .iter()
        .fold((0.0, 0.0), |(sxy, sxx), (x, y)| (sxy + (x - mx) * (y - my), sxx + (x - mx) * (x - mx)));
    sxy / sxx
}

#[test]
fn residual_falls_in_proportion_to_the_tolerance_and_with_order_four_of_the_step() {
    let (mut by_tolerance, mut by_step) = (vec![], vec![]);
    for k in 0..5 {
        let tolerance = 1e-4 * 0.1f64.powi(k);
        let mut simulation = cantilever(settings(1.0, 0.02, tolerance));
        frames(&mut simulation);
        let statistics = simulation.statistics();
        let residual = statistics.audit_relative().log10();
        by_tolerance.push((tolerance.log10(), residual));
        by_step.push(((1.0 / statistics.steps as f64).log10(), residual));
    }
    let (per_tolerance, order) = (slope(&by_tolerance), slope(&by_step));
    assert!((0.8..1.4).contains(&per_tolerance), "residual ∝ tolerance^{per_tolerance}: {by_tolerance:?}");
    assert!((3.5..5.5).contains(&order), "residual ∝ step^{order}: {by_step:?}");
}

#[test]
fn frame_rate_changes_neither_the_steps_nor_the_motion() {
    let tolerance = 1e-6;
    let runs: Vec<_> = [24.0, 37.0]
        .map(|rate| {
            let mut simulation = cantilever(settings(2.0, 1.0 / rate, tolerance));
            let frames = frames(&mut simulation);
            (frames, *simulation.statistics())
        })
        .into();
    let [(slow, a), (fast, b)] = &runs[..] else { unreachable!() };
    assert_eq!((a.steps, a.rejected, a.force_evaluations), (b.steps, b.rejected, b.force_evaluations));
    assert_eq!((slow.len(), fast.len()), (49, 75));
    for second in [0, 1, 2] {
        let (one, other) = (&slow[24 * second], &fast[37 * second]);
        let apart = |i: usize| (one.positions[i] - other.positions[i]).norm();
        assert!((0..one.positions.len()).all(|i| apart(i) < tolerance), "at {second} s");
    }
}

#[test]
fn frame_inside_a_step_is_as_good_as_a_step_that_ends_there() {
    let tolerance = 1e-6;
    let mut dense = cantilever(settings(1.0, 0.05, tolerance));
    let reference = |t: f64| {
        let mut simulation = cantilever(settings(1.0, 0.05, 1e-10));
        simulation.advance_to(t).unwrap();
        simulation.state().clone()
    };
    let frames = frames(&mut dense);
    for k in [3, 7, 12, 19] {
        let exact = reference(frames[k].ledger.t);
        let size = dense.world().scale;
        let worst = (0..exact.q.len())
            .map(|i| {
                let (dq, dv) = (frames[k].positions[i] - exact.q[i], frames[k].velocities[i] - exact.v[i]);
                (dq.norm() / size.length).max(dv.norm() * size.time / size.length)
            })
            .fold(0.0, f64::max);
        assert!(worst < tolerance, "frame {k}: {worst:e}");
    }
}
