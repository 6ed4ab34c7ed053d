//! Near pairs of points by a uniform grid.

use crate::Vec3;

/// A cell of the grid.
type Cell = [i64; 3];

/// Half of the cells around one, each pair of neighbours once.
const AHEAD: [Cell; 13] = [
    [1, -1, -1],
    [1, -1, 0],
    [1, -1, 1],
    [1, 0, -1],
    [1, 0, 0],
    [1, 0, 1],
    [1, 1, -1],
    [1, 1, 0],
    [1, 1, 1],
    [0, 1, -1],
    [0, 1, 0],
    [0, 1, 1],
    [0, 0, 1],
];

/// Calls `visit` once for every pair of the given points that may be nearer than `reach` \[m\], and for few others. The
/// lower number comes first; the pairs come in an order that depends on the points alone.
pub fn near_pairs(points: &[u32], x: &[Vec3], reach: f64, mut visit: impl FnMut(u32, u32)) {
    if reach <= 0.0 || !reach.is_finite() {
        return;
    }
    // Places so far out that cells run out of numbers share the last one.
    let cell = |p: u32| -> Cell { [0, 1, 2].map(|axis| (x[p as usize][axis] / reach).floor() as i64) };
    let mut sorted: Vec<(Cell, u32)> = points.iter().map(|&p| (cell(p), p)).collect();
    sorted.sort_unstable();
    let mut pair = |a: u32, b: u32| visit(a.min(b), a.max(b));
    for run in sorted.chunk_by(|a, b| a.0 == b.0) {
        for (k, &(_, a)) in run.iter().enumerate() {
            run[k + 1..].iter().for_each(|&(_, b)| pair(a, b));
        }
        for step in AHEAD {
            let there: Cell = std::array::from_fn(|axis| run[0].0[axis].saturating_add(step[axis]));
            let first = sorted.partition_point(|(cell, _)| *cell < there);
            let others = sorted[first..].iter().take_while(|(cell, _)| *cell == there);
            for &(_, b) in others {
                run.iter().for_each(|&(_, a)| pair(a, b));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_finds_every_near_pair_once() {
        let mut seed = 7u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as f64 / (1u64 << 31) as f64 - 0.5
        };
        let x: Vec<Vec3> = (0..400).map(|_| Vec3::new(random(), random(), 0.3 * random())).collect();
        let points: Vec<u32> = (0..400).filter(|p| p % 3 != 0).collect();
        let reach = 0.08;
        let mut found = vec![];
        near_pairs(&points, &x, reach, |a, b| found.push([a, b]));
        found.sort_unstable();
        assert!(found.windows(2).all(|two| two[0] != two[1]), "a pair was visited twice");
        let mut near = 0;
        for (k, &a) in points.iter().enumerate() {
            for &b in &points[k + 1..] {
                if (x[a as usize] - x[b as usize]).norm() < reach {
                    near += 1;
                    assert!(found.binary_search(&[a, b]).is_ok(), "{a} {b}");
                }
            }
        }
        assert!(near > 100 && found.len() < 266 * 265 / 4, "{near} of {}", found.len());
    }

    #[test]
    fn points_without_size_have_no_near_pairs() {
        near_pairs(&[0, 1], &[Vec3::zeros(); 2], 0.0, |_, _| panic!("no pair is near"));
    }
}
