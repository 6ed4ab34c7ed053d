//! A run with contact that is broken off and taken up again gives the same bits.

use crate::support::{SCHEMES, frames, heap};

#[test]
fn restored_run_with_contact_gives_the_same_bits() {
    for scheme in SCHEMES {
        let mut through = heap(scheme);
        let whole = frames(&mut through);
        assert!(whole.iter().any(|f| f.ledger.contact > 0.0 && f.ledger.friction_loss > 0.0));
        for stop in [0, 1, 7, 13, 14, 15, 22] {
            let mut first = heap(scheme);
            (0..stop).for_each(|_| drop(first.next_frame().unwrap()));
            let mut second = heap(scheme);
            second.restore(first.checkpoint());
            assert_eq!(
                second.checkpoint(),
                first.checkpoint(),
                "{scheme:?}: restored runs can be saved at once"
            );
            let rest = frames(&mut second);
            assert_eq!(rest.len(), whole.len() - stop);
            for (one, other) in rest.iter().zip(&whole[stop..]) {
                assert!(one == other, "{scheme:?}: frame {} differs after a stop at {stop}", other.index);
            }
        }
    }
}
