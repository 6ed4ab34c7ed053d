//! Frames inside a step whose interpolant crushes an element.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::body::{Material, WorldBuilder};
use crate::mesh::generate;
use crate::potential::material::Moduli;

/// Explicit steps between whose ends the bodies are shown inside out while `from` ≤ t < `to`  \[s\]
struct Crushing {
    steps: Rkf45,
    from: f64,
    to: f64,
    /// How often that was.
    crushed: Arc<AtomicU64>,
}

impl Integrator for Crushing {
    fn step(
        &mut self,
        world: &World,
        now: &State,
        dt: f64,
        limit: f64,
        next: &mut State,
    ) -> Result<Step, StepError> {
        self.steps.step(world, now, dt, limit, next)
    }

    fn interpolate(&mut self, world: &World, now: &State, next: &State, t: f64, out: &mut State) {
        self.steps.interpolate(world, now, next, t, out);
        if (self.from..self.to).contains(&t) {
            out.q.iter_mut().for_each(|x| x.x = -x.x);
            self.crushed.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn evaluations(&self) -> u64 {
        self.steps.evaluations()
    }
}

const INTERVAL: f64 = 0.2e-3;
/// Frames inside this span find the interpolant crushed  \[s\]
const CRUSHED: [f64; 2] = [4.9e-3, 6.1e-3];

/// A jelly block that is stretched and swings: 100 frames, several of them in each step.
fn swinging() -> Simulation {
    let mesh = generate::block(Vec3::repeat(0.1), [1; 3]).unwrap();
    let jelly = Material::elastic(1000.0, Moduli::new(40e3, 15e3).unwrap());
    let mut builder = WorldBuilder::new();
    builder.solid("block", &mesh, &jelly, Default::default()).unwrap();
    builder.positions().iter_mut().for_each(|x| x.z *= 1.2);
    let (world, state) = builder.build().unwrap();
    let settings = Settings { duration: 0.02, frame_interval: INTERVAL, ..Settings::default() };
    Simulation::new(world, state, settings)
}

/// The same with the interpolant that crushes, and how often it did.
fn crushing() -> (Simulation, Arc<AtomicU64>) {
    let mut simulation = swinging();
    let crushed = Arc::new(AtomicU64::new(0));
    crush(&mut simulation, &crushed);
    (simulation, crushed)
}

fn crush(simulation: &mut Simulation, crushed: &Arc<AtomicU64>) {
    let steps = Rkf45::new(&simulation.world, simulation.settings.limits);
    let ([from, to], crushed) = (CRUSHED, Arc::clone(crushed));
    simulation.integrator = Box::new(Crushing { steps, from, to, crushed });
}

fn is_upright(simulation: &Simulation, frame: &Frame) -> bool {
    let edges = |tet: &[u32; 4]| {
        let x = tet.map(|v| frame.positions[v as usize]);
        [1, 2, 3].map(|k| x[k] - x[0])
    };
    let mut edges = simulation.world.topology.tets.iter().map(edges);
    edges.all(|[a, b, c]| a.cross(&b).dot(&c) > 0.0)
}

#[test]
fn a_step_whose_interpolant_crushes_an_element_is_taken_again_to_end_on_the_frame() {
    let (mut honest, (mut simulation, crushed)) = (swinging(), crushing());
    let mut redone = vec![];
    loop {
        let before = crushed.load(Ordering::Relaxed);
        let (Some(frame), Some(truth)) = (simulation.next_frame().unwrap(), honest.next_frame().unwrap())
        else {
            break;
        };
        assert!(is_upright(&simulation, &frame), "frame {}", frame.index);
        let off = frame.positions.iter().zip(&truth.positions).map(|(a, b)| (a - b).norm());
        assert!(off.fold(0.0, f64::max) < 1e-6, "frame {}", frame.index);
        if crushed.load(Ordering::Relaxed) > before {
            // The step ends on the frame, and the next one begins there.
            assert!(simulation.landed && simulation.next.t == frame.ledger.t);
            assert_eq!(simulation.checkpoint().state.t, frame.ledger.t);
            redone.push(frame.index);
        } else {
            assert!(!simulation.landed);
        }
    }
    // Steps may also end on frames by themselves, but hardly do.
    assert_eq!(redone, [25, 26, 27, 28, 29, 30]);
    let steps = simulation.statistics.steps - honest.statistics.steps;
    assert!((3..=7).contains(&steps), "{steps} more steps for six that end on frames");
}

#[test]
fn a_run_that_is_restored_around_such_a_step_gives_the_same_bits() {
    let mut whole = vec![];
    let (mut through, _) = crushing();
    while let Some(frame) = through.next_frame().unwrap() {
        whole.push(frame);
    }
    for stop in 23..33 {
        let (mut first, _) = crushing();
        (0..stop).for_each(|_| drop(first.next_frame().unwrap()));
        let (mut second, crushed) = crushing();
        second.restore(first.checkpoint());
        crush(&mut second, &crushed);
        for frame in &whole[stop..] {
            assert!(
                second.next_frame().unwrap().as_ref() == Some(frame),
                "frame {} after {stop}",
                frame.index
            );
        }
        let (a, b) = (through.statistics(), second.statistics());
        assert_eq!((a.steps, a.rejected), (b.steps, b.rejected), "after {stop}");
    }
}
