//! The body-centred cubic lattice.
//!
//! Points have whole coordinates (i, j, k), all even (corners of cubes) or all odd (middles of cubes), in steps of half
//! the cell size h: x = origin + h/2 (i, j, k). Long edges (±2,0,0) … join points of one kind, length h; short edges
//! (±1,±1,±1) join the two kinds, length h√3/2. Each face between two cubes has a long edge from middle to middle
//! through it, and with each of its four sides that makes a tetrahedron: twelve for every cube, all congruent, each of
//! volume h³/12, dihedral angles 60° and 90°.

use aspic::Vec3;

/// A lattice point: all even or all odd.
pub(crate) type Point = [i32; 3];

/// The cubes around a surface.
#[derive(Clone, Debug)]
pub(crate) struct Lattice {
    pub origin: Vec3,
    /// Edge of a cube  \[m\]
    pub cell: f64,
    /// Number of cubes along each axis.
    pub cubes: [usize; 3],
}

/// The fourteen neighbours of a point: six at the end of long edges, then eight at the end of short ones.
pub(crate) const NEIGHBOURS: [Point; 14] = [
    [-2, 0, 0],
    [2, 0, 0],
    [0, -2, 0],
    [0, 2, 0],
    [0, 0, -2],
    [0, 0, 2],
    [-1, -1, -1],
    [1, -1, -1],
    [-1, 1, -1],
    [1, 1, -1],
    [-1, -1, 1],
    [1, -1, 1],
    [-1, 1, 1],
    [1, 1, 1],
];

/// Points of a box `size` \[m\] wide with the margin that [`Lattice::around`] adds, as a float that cannot overflow.
pub(crate) fn points_in(size: &Vec3, cell: f64) -> f64 {
    2.0 * size.iter().map(|s| 2.0 * (s / (2.0 * cell)).ceil() + 7.0).product::<f64>()
}

impl Lattice {
    /// Cubes around a box, centred on it, with three layers to spare on every side so that the outermost points are
    /// outside.
    pub fn around(low: &Vec3, high: &Vec3, cell: f64) -> Lattice {
        let half: [usize; 3] =
            std::array::from_fn(|axis| ((high[axis] - low[axis]) / (2.0 * cell)).ceil() as usize + 3);
        let origin = (low + high) / 2.0 - Vec3::from_fn(|axis, _| half[axis] as f64 * cell);
        Lattice { origin, cell, cubes: half.map(|n| 2 * n) }
    }

    /// Number of even points.
    fn corners(&self) -> usize {
        self.cubes.iter().map(|n| n + 1).product()
    }

    /// Number of points.
    pub fn points(&self) -> usize {
        self.corners() + self.cubes.iter().product::<usize>()
    }

    /// The number of a point that is there.
    pub fn number(&self, p: Point) -> usize {
        let [i, j, k] = p.map(|c| (c >> 1) as usize);
        let [x, y, _] = self.cubes;
        if p[0] & 1 == 0 { (k * (y + 1) + j) * (x + 1) + i } else { self.corners() + (k * y + j) * x + i }
    }

    /// The point of a number.
    pub fn point(&self, number: usize) -> Point {
        let corners = self.corners();
        let (n, odd) = if number < corners { (number, 0) } else { (number - corners, 1) };
        let [x, y] = [self.cubes[0] + 1 - odd, self.cubes[1] + 1 - odd];
        [n % x, n / x % y, n / x / y].map(|c| (2 * c + odd) as i32)
    }

    /// Whether a point is there.
    pub fn has(&self, p: Point) -> bool {
        (0..3).all(|axis| p[axis] >= 0 && p[axis] <= 2 * self.cubes[axis] as i32)
    }

    /// Where a point is  \[m\]
    pub fn place(&self, p: Point) -> Vec3 {
        self.origin + Vec3::from_fn(|axis, _| f64::from(p[axis]) * (0.5 * self.cell))
    }

    /// Rows of points along x: numbers of the first point of each row and the points in it.
    pub fn rows(&self) -> (usize, impl Fn(usize) -> std::ops::Range<usize> + use<>) {
        let [x, y, z] = self.cubes;
        let (even, corners) = ((y + 1) * (z + 1), self.corners());
        let row = move |n: usize| {
            if n < even {
                n * (x + 1)..(n + 1) * (x + 1)
            } else {
                corners + (n - even) * x..corners + (n - even + 1) * x
            }
        };
        (even + y * z, row)
    }

    /// The twelve tetrahedra that belong to the cube whose middle is `middle`: those through its three upper faces.
    /// None where the next cube is not there. Positively oriented.
    pub fn tets_of(&self, middle: Point) -> impl Iterator<Item = [Point; 4]> + use<> {
        let limits = self.cubes.map(|n| 2 * n as i32);
        let slots = (0..12).filter(move |&slot| middle[slot / 4] + 2 < limits[slot / 4]);
        slots.map(move |slot| tet(middle, slot))
    }

    /// Whether the cube around `middle` has its tetrahedron `slot`: the next cube must be there.
    pub fn has_tet(&self, middle: Point, slot: usize) -> bool {
        let mut across = middle;
        across[slot / 4] += 2;
        [middle, across].iter().all(|&p| self.has(p))
    }

    /// The middles of cubes in the layer k of cubes.
    pub fn layer(&self, k: usize) -> impl Iterator<Item = Point> + use<> {
        let [x, y, _] = self.cubes;
        (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k].map(|c| 2 * c as i32 + 1)))
    }

    /// The tetrahedron that holds a place \[m\]. Seen from the middle of its cube, the axis on which it is furthest out
    /// names the face, the second furthest the side of the face.
    pub fn tet_at(&self, x: &Vec3) -> [Point; 4] {
        let place = (x - self.origin) / self.cell;
        let middle: Point = std::array::from_fn(|axis| {
            2 * (place[axis].floor().clamp(0.0, self.cubes[axis] as f64 - 1.0) as i32) + 1
        });
        let away: [f64; 3] = std::array::from_fn(|axis| 2.0 * place[axis] - f64::from(middle[axis]));
        let mut axes = [0, 1, 2];
        axes.sort_by(|&a, &b| away[b].abs().total_cmp(&away[a].abs()));
        let sign = |axis: usize| if away[axis] < 0.0 { -1 } else { 1 };
        let [first, second, third] = axes;
        let (mut across, mut low) = (middle, middle);
        across[first] += 2 * sign(first);
        low[first] += sign(first);
        low[second] += sign(second);
        let mut high = low;
        low[third] -= 1;
        high[third] += 1;
        oriented([middle.min(across), middle.max(across), low, high])
    }
}

/// The tetrahedron of a middle, the next one along an axis, and one of the four sides of the face between them:
/// slot = 4 axis + side.
pub(crate) fn tet(middle: Point, slot: usize) -> [Point; 4] {
    let (axis, side) = (slot / 4, slot % 4);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let (along, other) = if side < 2 { (u, v) } else { (v, u) };
    let mut across = middle;
    across[axis] += 2;
    let mut low = middle;
    low[axis] += 1;
    low[other] += if side & 1 == 0 { -1 } else { 1 };
    let mut high = low;
    low[along] -= 1;
    high[along] += 1;
    oriented([middle, across, low, high])
}

/// Six times the signed volume in half steps.
pub(crate) fn six_volumes(t: &[Point; 4]) -> i32 {
    let d = |n: usize| -> Point { std::array::from_fn(|axis| t[n][axis] - t[0][axis]) };
    let ([a, b, c], [d, e, f], [g, h, i]) = (d(1), d(2), d(3));
    a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
}

/// The same corners the positive way round.
fn oriented(mut t: [Point; 4]) -> [Point; 4] {
    if six_volumes(&t) < 0 {
        t.swap(2, 3);
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice() -> Lattice {
        Lattice::around(&Vec3::new(-1.0, 0.0, 2.0), &Vec3::new(1.0, 3.0, 2.5), 0.5)
    }

    #[test]
    fn numbers_and_points_are_one_to_one() {
        let lattice = lattice();
        for n in 0..lattice.points() {
            assert!(lattice.has(lattice.point(n)));
            assert_eq!(lattice.number(lattice.point(n)), n);
        }
        let (rows, row) = lattice.rows();
        let all: Vec<usize> = (0..rows).flat_map(row).collect();
        assert_eq!(all, (0..lattice.points()).collect::<Vec<_>>());
    }

    #[test]
    fn a_place_lies_in_the_tetrahedron_found_for_it_and_the_lattice_has_it() {
        let lattice = lattice();
        let all: std::collections::BTreeSet<[Point; 4]> =
            (0..lattice.cubes[2]).flat_map(|k| lattice.layer(k)).flat_map(|m| lattice.tets_of(m)).collect();
        for n in 0..2000 {
            let f = |step: f64| (f64::from(n) * step).fract();
            let x = Vec3::new(-1.0 + 2.0 * f(0.754_877), 3.0 * f(0.569_84), 2.0 + 0.5 * f(0.331_7));
            let tet = lattice.tet_at(&x);
            assert!(all.contains(&tet), "{tet:?}");
            let [a, b, c, d] = tet.map(|p| lattice.place(p));
            let six = |p: Vec3, q: Vec3, r: Vec3, s: Vec3| (q - p).cross(&(r - p)).dot(&(s - p));
            let parts = [six(x, b, c, d), six(a, x, c, d), six(a, b, x, d), six(a, b, c, x)];
            assert!(parts.iter().all(|&v| v >= -1e-14), "{parts:?}");
            assert!((six(a, b, c, d) - 0.125 / 2.0).abs() < 1e-12);
        }
    }
}
