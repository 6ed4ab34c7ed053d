//! The tetrahedron nearest to a point, and the coordinates of the point in it.
//!
//! A uniform grid has about one cell for each tetrahedron; a search looks at cells around the point, ring by ring, until
//! nothing nearer can be left.

use crate::Vec3;

/// Most cells along one axis.
const MOST_CELLS: f64 = 256.0;

/// A search over tetrahedra that stay where they are.
#[derive(Clone, Debug)]
pub struct Nearest<'a> {
    positions: &'a [Vec3],
    tets: &'a [[u32; 4]],
    low: Vec3,
    high: Vec3,
    /// Edges of a cell  \[m\]
    cell: Vec3,
    counts: [usize; 3],
    /// Where the list of each cell begins, and the end of the last.
    starts: Vec<usize>,
    /// Tetrahedra whose boxes meet the cell, ascending, cell by cell.
    lists: Vec<u32>,
}

impl<'a> Nearest<'a> {
    /// For tetrahedra between `positions` \[m\], which are finite.
    pub fn new(positions: &'a [Vec3], tets: &'a [[u32; 4]]) -> Nearest<'a> {
        let corners = tets.iter().flatten().map(|&v| positions[v as usize]);
        let start = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        let (low, high) = corners.fold(start, |(low, high), x| (low.inf(&x), high.sup(&x)));
        let size = (high - low).sup(&Vec3::repeat((high - low).max() * 1e-3));
        let edge = (size.product() / tets.len().max(1) as f64).cbrt();
        let counts: [usize; 3] =
            std::array::from_fn(|axis| (size[axis] / edge).ceil().clamp(1.0, MOST_CELLS) as usize);
        let cell = Vec3::from_fn(|axis, _| size[axis] / counts[axis] as f64);
        let mut grid = Nearest { positions, tets, low, high, cell, counts, starts: vec![], lists: vec![] };
        grid.fill();
        grid
    }

    /// Counts, then fills the lists.
    fn fill(&mut self) {
        let mut starts = vec![0; self.counts.iter().product::<usize>() + 1];
        (0..self.tets.len()).for_each(|t| self.cells_of(t).for_each(|cell| starts[cell + 1] += 1));
        (1..starts.len()).for_each(|cell| starts[cell] += starts[cell - 1]);
        let mut lists = vec![0; starts[starts.len() - 1]];
        let mut next = starts.clone();
        for t in 0..self.tets.len() {
            for cell in self.cells_of(t) {
                lists[next[cell]] = t as u32;
                next[cell] += 1;
            }
        }
        (self.starts, self.lists) = (starts, lists);
    }

    fn corners(&self, tet: usize) -> [Vec3; 4] {
        self.tets[tet].map(|v| self.positions[v as usize])
    }

    /// The cell that a point is in, or the nearest one.
    fn cell_at(&self, x: &Vec3) -> [usize; 3] {
        std::array::from_fn(|axis| {
            let place = (x[axis] - self.low[axis]) / self.cell[axis];
            (place.max(0.0) as usize).min(self.counts[axis] - 1)
        })
    }

    fn number(&self, [i, j, k]: [usize; 3]) -> usize {
        (k * self.counts[1] + j) * self.counts[0] + i
    }

    /// The cells that meet the box of a tetrahedron.
    fn cells_of(&self, tet: usize) -> impl Iterator<Item = usize> + use<'_> {
        let [a, b, c, d] = self.corners(tet);
        let from = self.cell_at(&a.inf(&b).inf(&c).inf(&d));
        let to = self.cell_at(&a.sup(&b).sup(&c).sup(&d));
        self.cells_between(from, to)
    }

    fn cells_between(&self, from: [usize; 3], to: [usize; 3]) -> impl Iterator<Item = usize> + use<'_> {
        let along = move |axis: usize| from[axis]..=to[axis];
        along(2).flat_map(move |k| along(1).flat_map(move |j| along(0).map(move |i| self.number([i, j, k]))))
    }

    /// The nearest tetrahedron to x \[m\] and its distance \[m\], zero inside. Of several the first; `None` if there is
    /// none at all.
    pub fn find(&self, x: &Vec3) -> Option<(usize, f64)> {
        if self.tets.is_empty() {
            return None;
        }
        let inner = x.sup(&self.low).inf(&self.high);
        let (center, outside) = (self.cell_at(&inner), (x - inner).norm_squared());
        let mut best: Option<(f64, u32)> = None;
        for reach in 0..self.counts.into_iter().max()? {
            let from = center.map(|c| c.saturating_sub(reach));
            let to: [usize; 3] =
                std::array::from_fn(|axis| (center[axis] + reach).min(self.counts[axis] - 1));
            for tet in self.ring(from, to, center, reach) {
                let found = (distance_squared(&self.corners(tet as usize), x), tet);
                if best.is_none_or(|best| found < best) {
                    best = Some(found);
                }
            }
            // What was not looked at is beyond the sides of the block of cells.
            let room = self.room(&inner, from, to);
            if best.is_some_and(|(least, _)| least <= outside + room * room) {
                break;
            }
        }
        best.map(|(square, tet)| (tet as usize, square.sqrt()))
    }

    /// The tetrahedra of the cells that are `reach` cells away from the centre along some axis.
    fn ring(
        &self,
        from: [usize; 3],
        to: [usize; 3],
        center: [usize; 3],
        reach: usize,
    ) -> impl Iterator<Item = u32> + use<'_> {
        let away = move |cell: usize| {
            let [n, m, _] = self.counts;
            let place = [cell % n, cell / n % m, cell / n / m];
            (0..3).map(|axis| place[axis].abs_diff(center[axis])).max() == Some(reach)
        };
        let cells = self.cells_between(from, to).filter(move |&cell| away(cell));
        cells.flat_map(|cell| self.lists[self.starts[cell]..self.starts[cell + 1]].iter().copied())
    }

    /// Distance from a point in a block of cells to where the block ends and others begin  \[m\]
    fn room(&self, x: &Vec3, from: [usize; 3], to: [usize; 3]) -> f64 {
        (0..3)
            .fold(f64::INFINITY, |least, axis| {
                let side = |cells: usize| self.low[axis] + cells as f64 * self.cell[axis];
                let below = if from[axis] > 0 { x[axis] - side(from[axis]) } else { f64::INFINITY };
                let above = if to[axis] + 1 < self.counts[axis] {
                    side(to[axis] + 1) - x[axis]
                } else {
                    f64::INFINITY
                };
                least.min(below).min(above)
            })
            .max(0.0)
    }

    /// The coordinates of x \[m\] in a tetrahedron; they sum to one. Some are negative outside.
    pub fn weights(&self, tet: usize, x: &Vec3) -> [f64; 4] {
        barycentric(&self.corners(tet), x)
    }
}

/// Coordinates smaller than this are rounding.
const ROUNDING: f64 = 1e-12;

/// [x₂−x₁, x₃−x₁, x₄−x₁] (a₂, a₃, a₄)ᵀ = x − x₁ and a₁ = 1 − a₂ − a₃ − a₄, by Cramer's rule. Corners have exact
/// coordinates. Only a flat tetrahedron has none (Teschner has: one with parallel edges).
fn barycentric(corners: &[Vec3; 4], x: &Vec3) -> [f64; 4] {
    let [o, a, b, c] = corners;
    let (a, b, c, x) = (a - o, b - o, c - o, x - o);
    let six = a.dot(&b.cross(&c));
    let parts = [x.dot(&b.cross(&c)), a.dot(&x.cross(&c)), a.dot(&b.cross(&x))].map(|part| part / six);
    let [i, j, k] = parts.map(|part| if part.abs() < ROUNDING { 0.0 } else { part });
    let rest = 1.0 - i - j - k;
    [if rest.abs() < ROUNDING { 0.0 } else { rest }, i, j, k]
}

/// Zero inside; else the nearest of the faces that the point is in front of  \[m²\]
fn distance_squared(corners: &[Vec3; 4], x: &Vec3) -> f64 {
    let weights = barycentric(corners, x);
    let faces = (0..4).filter(|&k| weights[k] < 0.0).map(|k| {
        let face: [Vec3; 3] = std::array::from_fn(|i| corners[(k + 1 + i) % 4]);
        (x - nearest_on_triangle(&face, x)).norm_squared()
    });
    faces.reduce(f64::min).unwrap_or(0.0)
}

/// The place of a triangle that is nearest to x: in a corner, on a side, or within.
fn nearest_on_triangle(&[a, b, c]: &[Vec3; 3], x: &Vec3) -> Vec3 {
    let (ab, ac) = (b - a, c - a);
    let on = |from: Vec3, x: &Vec3| (ab.dot(&(x - from)), ac.dot(&(x - from)));
    let ((d1, d2), (d3, d4), (d5, d6)) = (on(a, x), on(b, x), on(c, x));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let sum = va + vb + vc;
    a + ab * (vb / sum) + ac * (vc / sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;
    use proptest::prelude::*;

    /// The distance to a convex set by its own definition: ever smaller steps towards x, kept inside by coordinates.
    fn distance_by_descent(corners: &[Vec3; 4], x: &Vec3) -> f64 {
        // Frank and Wolfe's method with pairwise steps over the corners.
        let mut w = [0.25; 4];
        for _ in 0..4000 {
            let p = (0..4).map(|k| corners[k] * w[k]).sum::<Vec3>();
            let slope: [f64; 4] = std::array::from_fn(|k| (p - x).dot(&corners[k]));
            let to = (0..4).min_by(|&i, &j| slope[i].total_cmp(&slope[j])).unwrap();
            let from = (0..4).filter(|&k| w[k] > 0.0).max_by(|&i, &j| slope[i].total_cmp(&slope[j])).unwrap();
            let way = corners[to] - corners[from];
            if to == from || way.norm_squared() == 0.0 {
                break;
            }
            let step = ((slope[from] - slope[to]) / way.norm_squared()).clamp(0.0, w[from]);
            w[to] += step;
            w[from] -= step;
        }
        ((0..4).map(|k| corners[k] * w[k]).sum::<Vec3>() - x).norm()
    }

    fn vector(size: f64) -> impl Strategy<Value = Vec3> {
        [-size..size, -size..size, -size..size].prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn distance_is_that_of_the_nearest_place_of_the_tetrahedron(
            corners in [vector(1.0), vector(1.0), vector(1.0), vector(1.0)], x in vector(3.0)
        ) {
            let six = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).dot(&(corners[3] - corners[0]));
            prop_assume!(six.abs() > 0.05);
            let (got, expected) = (distance_squared(&corners, &x).sqrt(), distance_by_descent(&corners, &x));
            prop_assert!((got - expected).abs() < 1e-5, "{got} {expected}");
        }

        #[test]
        fn weights_sum_to_one_and_give_the_point_back(
            corners in [vector(1.0), vector(1.0), vector(1.0), vector(1.0)], x in vector(3.0)
        ) {
            let six = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).dot(&(corners[3] - corners[0]));
            prop_assume!(six.abs() > 0.05);
            let w = barycentric(&corners, &x);
            prop_assert!((w.iter().sum::<f64>() - 1.0).abs() < 1e-13 * w.iter().map(|w| w.abs()).sum::<f64>());
            let back: Vec3 = (0..4).map(|k| corners[k] * w[k]).sum();
            prop_assert!((back - x).norm() < 1e-10);
        }
    }

    #[test]
    fn search_finds_what_looking_at_every_tetrahedron_finds() {
        for mesh in [
            generate::torus(0.3, 0.1, 24, 6).unwrap(),
            generate::block(Vec3::new(1.0, 0.5, 0.02), [7, 5, 1]).unwrap(),
            generate::ball(0.4, 4).unwrap(),
        ] {
            let search = Nearest::new(&mesh.positions, &mesh.tets);
            for n in 0..600 {
                let angle = n as f64 * 2.4;
                let x = Vec3::new(angle.cos(), angle.sin(), (1.7 * angle).sin()) * (n as f64 / 400.0);
                let all = (0..mesh.tets.len())
                    .map(|t| (distance_squared(&mesh.tets[t].map(|v| mesh.positions[v as usize]), &x), t));
                let (square, tet) = all.min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
                assert_eq!(search.find(&x), Some((tet, square.sqrt())), "{x}");
            }
        }
    }

    #[test]
    fn no_tetrahedra_have_no_nearest() {
        assert_eq!(Nearest::new(&[], &[]).find(&Vec3::zeros()), None);
    }
}
