//! The number of threads changes no bit, nor does a stop.

use aspic::Simulation;

use crate::books::everything;
use crate::support::{frames, steps};

fn start() -> Simulation {
    let (world, state) = everything().build().unwrap();
    Simulation::new(world, state, steps(5e-4, 0.24, 0.02))
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| frames(&mut start()))
    };
    let one = run(1);
    assert!(one.iter().any(|frame| frame.ledger.impact_loss > 0.0));
    for threads in [2, 3] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

#[test]
fn a_restored_run_gives_the_same_bits() {
    let whole = frames(&mut start());
    for stop in [0, 1, 5, 9, 12] {
        let mut first = start();
        (0..stop).for_each(|_| drop(first.next_frame().unwrap()));
        let mut second = start();
        second.restore(first.checkpoint());
        assert_eq!(second.checkpoint(), first.checkpoint());
        assert!(frames(&mut second) == whole[stop..], "after a stop at {stop}");
    }
}
