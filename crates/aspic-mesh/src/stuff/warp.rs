//! Lattice points close to the surface are moved onto it.
//!
//! A cut point nearer to an end of its edge than the part α of the edge would make a thin tetrahedron. That end is moved
//! to the cut point, gets the sign 0, and all other cut points on its edges are void. The closest go first, measured in
//! α; so a point goes to its closest cut point that is still valid.
//!
//! With α = 0.268 on long and 0.376 on short edges, all stencils together have dihedral angles between 9.2° and 159.7°
//! whatever the surface: `bounds` tries out the places that cut points and moved corners can have.

use std::collections::HashMap;

use aspic::Vec3;

use super::cuts::Cut;

/// α of long edges.
pub(crate) const ALPHA_LONG: f64 = 0.268;
/// α of short edges.
pub(crate) const ALPHA_SHORT: f64 = 0.376;

/// Moves the points, sets their labels to 0; where each moved point went, by its number.
pub(crate) fn warp(cuts: &[Cut], labels: &mut [i8]) -> HashMap<usize, Vec3> {
    let mut close: Vec<(f64, usize, usize)> = vec![];
    for (n, cut) in cuts.iter().enumerate() {
        let alpha = if cut.long { ALPHA_LONG } else { ALPHA_SHORT };
        for (end, part) in [(cut.ends[0], cut.part), (cut.ends[1], 1.0 - cut.part)] {
            if part < alpha {
                close.push((part / alpha, end, n));
            }
        }
    }
    close.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut moved = HashMap::new();
    for (_, end, n) in close {
        // A cut point is void when either end of its edge has moved.
        if cuts[n].ends.iter().all(|&end| labels[end] != 0) {
            labels[end] = 0;
            moved.insert(end, cuts[n].place);
        }
    }
    moved
}
