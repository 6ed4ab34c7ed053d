//! A run that is broken off and taken up again gives the same bits.

use aspic::constraint::{Anchor, Constraint, Distance, Path, Pin};
use aspic::integrate::ExplicitScheme;
use aspic::mesh::generate;
use aspic::run::Method;
use aspic::world::NamedConstraint;
use aspic::{Settings, Simulation, Vec3};

use crate::support::{damped_jelly, exact, frames, settings, single, start};

/// How a run is set up, from the time between its frames \[s\].
type Scene<'a> = &'a dyn Fn(f64) -> Simulation;

/// A beam on a rod, dragged by springs until 0.31 s, its other end dragged until 0.52 s.
fn scene(frame_interval: f64) -> Simulation {
    with(settings(0.6, frame_interval, 1e-5))
}

/// The same in fixed steps of 1 ms.
fn fixed(scheme: ExplicitScheme, frame_interval: f64) -> Simulation {
    let settings = settings(0.6, frame_interval, 1e-5);
    with(Settings { method: Method::Explicit(scheme), first_step: Some(1e-3), ..settings })
}

fn with(settings: Settings) -> Simulation {
    let mesh = generate::beam(0.6, 0.2, 0.2, [3, 1, 1]).unwrap();
    let (mut builder, _) = single(&mesh, &damped_jelly(0.002));
    let path = Path::new(&[(0.0, Vec3::zeros()), (0.6, Vec3::new(0.1, 0.1, 0.3))]);
    let springs = mesh.groups["end"].iter().map(|&node| -> Box<dyn Constraint> {
        Box::new(Pin::new(node, mesh.positions[node as usize], path.clone()))
    });
    let springs = NamedConstraint {
        name: "springs".into(),
        laws: springs.collect(),
        until: 0.31,
        stiffness: Some(500.0),
    };
    let start_node = mesh.groups["start"][0];
    let rod = Distance { node: 2, other: Anchor::Point(mesh.positions[2] + Vec3::z()), length: 1.0 };
    builder.gravity(Vec3::new(0.0, 0.0, -9.81)).drag("hand", &[start_node], &path, 0.52);
    builder.constrain(springs).constrain(exact("rod", vec![Box::new(rod)]));
    start(builder, settings)
}

/// Stops a run after so many frames, restores it in a fresh one, and compares with the run that went through.
fn same_after(scene: Scene, frame_interval: f64, stops: &[usize]) {
    let mut through = scene(frame_interval);
    let whole = frames(&mut through);
    for &stop in stops {
        let mut first = scene(frame_interval);
        (0..stop).for_each(|_| drop(first.next_frame().unwrap()));
        let mut second = scene(frame_interval);
        second.restore(first.checkpoint());
        assert_eq!(second.checkpoint(), first.checkpoint(), "a restored run can be saved at once");
        let rest = frames(&mut second);
        assert_eq!(rest.len(), whole.len() - stop);
        for (one, other) in rest.iter().zip(&whole[stop..]) {
            assert!(one == other, "frame {} differs after a stop at {stop}", other.index);
        }
        let (a, b) = (through.statistics(), second.statistics());
        assert_eq!((a.steps, a.rejected), (b.steps, b.rejected), "after a stop at {stop}");
        assert_eq!((a.worst_residual, a.most_exchanged), (b.worst_residual, b.most_exchanged));
        // The forces at the restored state are computed afresh.
        assert!(b.force_evaluations - a.force_evaluations <= 1);
    }
}

#[test]
fn restored_run_gives_the_same_bits() {
    same_after(&scene, 1.0 / 24.0, &[0, 1, 2, 7, 8, 12, 13, 14]);
}

#[test]
fn restored_run_gives_the_same_bits_when_several_frames_lie_in_one_step() {
    // The releases at 0.31 s and 0.52 s are frames 2480 and 4160.
    let interval = 1.0 / 8000.0;
    let mut probe = scene(interval);
    let steps = frames(&mut probe).len() as u64 / probe.statistics().steps;
    assert!(steps >= 4, "{steps} frames a step");
    same_after(&scene, interval, &[1, 2, 1001, 2480, 2481, 2482, 4160, 4161, 4162, 4800]);
}

#[test]
fn restored_run_gives_the_same_bits_after_a_step_that_was_cut_to_land_on_a_time() {
    same_after_landing(&scene);
}

/// Lands on 0.2 s, restores that in a fresh run, and compares what follows.
fn same_after_landing(scene: Scene) {
    let landed = || {
        let mut simulation = scene(1.0 / 24.0);
        simulation.advance_to(0.2).unwrap();
        simulation
    };
    let mut through = landed();
    let mut second = scene(1.0 / 24.0);
    second.restore(landed().checkpoint());
    assert!(second.state() == through.state());
    let (whole, rest) = (frames(&mut through), frames(&mut second));
    assert_eq!((whole.len(), whole[0].index), (rest.len(), 5));
    assert!(whole == rest);
}

#[test]
fn restored_run_of_fixed_steps_gives_the_same_bits() {
    for scheme in ExplicitScheme::ALL {
        let scene = |interval: f64| fixed(scheme, interval);
        same_after(&scene, 1.0 / 24.0, &[0, 1, 2, 7, 8, 13, 14]);
        // Several frames in one step, and releases on frames 1240 and 2080.
        same_after(&scene, 1.0 / 4000.0, &[1, 2, 1001, 1239, 1240, 1241, 2080, 2081, 2400]);
        same_after_landing(&scene);
    }
}
