//! The number of threads changes no bit.

use crate::support::{SCHEMES, frames, heap};

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for scheme in SCHEMES {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| frames(&mut heap(scheme)))
        };
        let one = run(1);
        for threads in [2, 3] {
            let many = run(threads);
            let differs = one.iter().zip(&many).position(|(a, b)| a != b);
            assert_eq!(differs, None, "{scheme:?}, {threads} threads");
        }
    }
}
