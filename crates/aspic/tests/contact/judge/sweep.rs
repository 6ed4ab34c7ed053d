//! Which of many boxes meet: a plane sweeps along the longest axis.

use aspic::Vec3;

/// A box with its faces, edges along the axes \[m\].
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Lowest coordinates.
    pub low: Vec3,
    /// Highest coordinates.
    pub high: Vec3,
}

impl Bounds {
    /// The smallest box of some points; none of no points.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a Vec3>) -> Option<Bounds> {
        let single = points.into_iter().map(|&x| Bounds { low: x, high: x });
        single.reduce(|a, b| Bounds { low: a.low.inf(&b.low), high: a.high.sup(&b.high) })
    }

    /// Whether two boxes have a point in common.
    pub fn meets(&self, other: &Bounds) -> bool {
        (0..3).all(|i| self.low[i] <= other.high[i] && other.low[i] <= self.high[i])
    }
}

/// Calls `report` once with each pair, one of the first and one of the second boxes, that meet.
pub fn pairs(first: &[Bounds], second: &[Bounds], mut report: impl FnMut(usize, usize)) {
    let lists = [first, second];
    let axis = longest_axis(lists);
    let mut order: Vec<(f64, usize, usize)> = vec![];
    for (list, boxes) in lists.iter().enumerate() {
        order.extend(boxes.iter().enumerate().map(|(i, bounds)| (bounds.low[axis], list, i)));
    }
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Boxes that the sweeping plane cuts, as far as they have not been found to be behind it.
    let mut cut = [vec![], vec![]];
    for (low, list, i) in order {
        let other = 1 - list;
        cut[other].retain(|&j: &usize| lists[other][j].high[axis] >= low);
        for &j in cut[other].iter().filter(|&&j| lists[other][j].meets(&lists[list][i])) {
            if list == 0 { report(i, j) } else { report(j, i) }
        }
        cut[list].push(i);
    }
}

/// The axis along which all boxes together are longest.
fn longest_axis(lists: [&[Bounds]; 2]) -> usize {
    let corners = lists.into_iter().flatten().flat_map(|bounds| [&bounds.low, &bounds.high]);
    Bounds::of(corners).map_or(0, |all| (all.high - all.low).imax())
}
