//! How much of each lattice tetrahedron lies inside the surface: that much of it is matter, with weight and stiffness.

use aspic::Vec3;
use rayon::prelude::*;

use crate::tree::Winding;

/// Places on an edge of the grid of points in a tetrahedron: 56 points for 6.
const GRID: usize = 6;
/// What is nearly empty still has to hold its corners.
const LEAST: f64 = 0.01;

/// The share of each tetrahedron; 1 where `whole` says so. A surface with nothing inside has no shares.
pub(super) fn shares(
    winding: &Winding,
    corners: &[[Vec3; 4]],
    whole: impl Fn(usize) -> bool + Sync,
) -> Vec<f64> {
    let grid = grid();
    let share = |t: usize| {
        if whole(t) {
            return 1.0;
        }
        let place = |w: &[f64; 4]| corners[t].iter().zip(w).fold(Vec3::zeros(), |sum, (x, w)| sum + x * *w);
        let inside = grid.iter().filter(|w| winding.at(&place(w)) > 0.5).count();
        (inside as f64 / grid.len() as f64).max(LEAST)
    };
    let shares: Vec<f64> = (0..corners.len()).into_par_iter().map(share).collect();
    if shares.iter().all(|share| *share == LEAST) { vec![] } else { shares }
}

/// Weights of points spread evenly over a tetrahedron: (i + ¼)/n with i + j + k + l = n − 1.
fn grid() -> Vec<[f64; 4]> {
    let all =
        (0..GRID).flat_map(|i| (0..GRID - i).flat_map(move |j| (0..GRID - i - j).map(move |k| [i, j, k])));
    let weight = |place: usize| (place as f64 + 0.25) / GRID as f64;
    all.map(|[i, j, k]| [i, j, k, GRID - 1 - i - j - k].map(weight)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_has_weights_of_sum_one_and_its_middle_in_the_middle() {
        let grid = grid();
        assert_eq!(grid.len(), 56);
        for w in &grid {
            assert!((w.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        }
        for corner in 0..4 {
            let mean = grid.iter().map(|w| w[corner]).sum::<f64>() / grid.len() as f64;
            assert!((mean - 0.25).abs() < 1e-15);
        }
    }
}
