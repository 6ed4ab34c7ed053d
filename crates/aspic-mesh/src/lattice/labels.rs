//! Which lattice points are inside.
//!
//! Points of cubes that the surface passes through are asked one by one. Elsewhere a closed surface gives neighbours the
//! same answer, so one point of each run along x is enough. A surface with holes is asked everywhere: its winding number
//! changes also where no triangle is.

use rayon::prelude::*;

use super::bcc::Lattice;
use super::near::cubes_near;
use crate::tree::{Tree, Winding};

/// For every lattice point 1 inside or −1 outside.
pub(crate) fn labels(lattice: &Lattice, winding: &Winding, balanced: bool) -> Vec<i8> {
    let mut labels = vec![0i8; lattice.points()];
    if balanced {
        mark_near(lattice, winding.tree(), &mut labels);
    }
    let ask = |n: usize| if winding.inside(&lattice.place(lattice.point(n))) { 1 } else { -1 };
    let (rows, row) = lattice.rows();
    let mut slices = Vec::with_capacity(rows);
    let mut rest = labels.as_mut_slice();
    for n in 0..rows {
        let (slice, after) = rest.split_at_mut(row(n).len());
        slices.push(slice);
        rest = after;
    }
    slices.into_par_iter().enumerate().for_each(|(n, slice)| {
        let start = row(n).start;
        let mut before = None;
        for (along, label) in slice.iter_mut().enumerate() {
            let near = !balanced || *label == NEAR;
            let known = before.filter(|_| !near);
            *label = known.unwrap_or_else(|| ask(start + along));
            // The answer next to the surface is not handed on.
            before = (!near).then_some(*label);
        }
    });
    labels
}

/// Stands at points of cubes that the surface passes through until they are asked.
const NEAR: i8 = 2;

fn mark_near(lattice: &Lattice, tree: &Tree, labels: &mut [i8]) {
    let near = cubes_near(lattice, tree);
    let [x, y, _] = lattice.cubes;
    for cube in (0..near.len()).filter(|&cube| near[cube]) {
        let corner = [cube % x, cube / x % y, cube / x / y].map(|c| 2 * c as i32);
        labels[lattice.number(corner.map(|c| c + 1))] = NEAR;
        for n in 0..8 {
            let shift = [n & 1, n >> 1 & 1, n >> 2];
            labels[lattice.number(std::array::from_fn(|axis| corner[axis] + 2 * shift[axis]))] = NEAR;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;

    #[test]
    fn runs_give_what_asking_every_point_gives() {
        for soup in [shapes::torus(0.3, 0.12, 40, 20), shapes::two_balls(0.7), shapes::cube(1.0)] {
            let winding = Winding::new(&soup);
            let (low, high) = soup.bounds();
            let lattice = Lattice::around(&low, &high, (high - low).max() / 23.7);
            assert_eq!(labels(&lattice, &winding, true), labels(&lattice, &winding, false));
        }
    }
}
