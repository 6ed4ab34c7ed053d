//! The part of a lattice tetrahedron that is kept, cut into tetrahedra that match those of its neighbours.
//!
//! Corners are + inside, − outside or 0 on the surface; edges from + to − have a cut point. What is left is a
//! tetrahedron, a pyramid or a wedge. A face + + − leaves a quadrilateral a, b, cut(b,m), cut(a,m), whose diagonal must
//! be the same seen from both sides, so it depends on that face alone:
//! - one of the cut edges is long: the diagonal ends at the cut point on the long edge;
//! - both are short: it starts at the one of a, b that has an even number of coordinates below those of m (the parity
//!   rule; a and b differ by 2 along one axis, on opposite sides of m, so exactly one of them has).

use crate::lattice::Point;

/// The pairs of corners with an edge between them; the cut point on pair n has the number 4 + n.
pub(crate) const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// A corner 0..4 or a cut point 4..10.
type Spot = u8;

/// Tetrahedra of one stencil, three at most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pieces {
    tets: [[Spot; 4]; 3],
    count: usize,
}

impl Pieces {
    /// The tetrahedra.
    pub fn as_slice(&self) -> &[[Spot; 4]] {
        &self.tets[..self.count]
    }

    fn push(&mut self, tet: [Spot; 4]) {
        self.tets[self.count] = tet;
        self.count += 1;
    }
}

/// The pieces of a positive lattice tetrahedron whose corners have the given signs. Nothing without a + corner.
pub(crate) fn stencil(corners: &[Point; 4], signs: &[i8; 4]) -> Pieces {
    let with = |sign: i8| (0..4).filter(move |&n| signs[n] == sign);
    let (plus, zero, minus) = (with(1).collect::<Few>(), with(0).collect::<Few>(), with(-1).collect::<Few>());
    let mut pieces = Pieces::default();
    match (plus.as_slice(), zero.as_slice(), minus.as_slice()) {
        ([], _, _) => {}
        (_, _, []) => pieces.push([0, 1, 2, 3]),
        (&[a], _, _) => {
            pieces.push(std::array::from_fn(|n| if signs[n] < 0 { cut(a, n) } else { n as Spot }));
        }
        (&[a, b], &[z], &[m]) => pyramid(corners, [a, b], z, m, &mut pieces),
        (&[a, b], _, &[m, n]) => {
            let starts = [m, n].map(|m| diagonal_at(corners, a, b, m) == a);
            // The diagonal of the outer quadrilateral joins the ends of the other two.
            wedge(
                [a as Spot, cut(a, m), cut(a, n)],
                [b as Spot, cut(b, m), cut(b, n)],
                [starts[0], starts[1], !starts[0]],
                &mut pieces,
            );
        }
        (&[a, b, c], _, &[m]) => {
            let starts = |p: usize, q: usize| diagonal_at(corners, p, q, m) == p;
            wedge(
                [a, b, c].map(|n| n as Spot),
                [a, b, c].map(|n| cut(n, m)),
                [starts(a, b), starts(a, c), starts(b, c)],
                &mut pieces,
            );
        }
        _ => {}
    }
    orient(corners, &mut pieces);
    pieces
}

/// Up to four corner numbers.
#[derive(Default)]
struct Few {
    items: [usize; 4],
    count: usize,
}

impl Few {
    fn as_slice(&self) -> &[usize] {
        &self.items[..self.count]
    }
}

impl FromIterator<usize> for Few {
    fn from_iter<I: IntoIterator<Item = usize>>(items: I) -> Few {
        let mut few = Few::default();
        for item in items.into_iter().take(4) {
            few.items[few.count] = item;
            few.count += 1;
        }
        few
    }
}

/// The cut point between two corners.
fn cut(p: usize, q: usize) -> Spot {
    let [p, q] = [p.min(q), p.max(q)];
    // The pairs in order: 01 02 03 12 13 23.
    4 + [0, 3, 5][p] as Spot + (q - p - 1) as Spot
}

/// Which of the inner corners a, b of a face with the outer corner m the diagonal starts at.
fn diagonal_at(corners: &[Point; 4], a: usize, b: usize, m: usize) -> usize {
    let same_kind = |p: usize, q: usize| (corners[p][0] ^ corners[q][0]) & 1 == 0;
    if same_kind(a, m) {
        return b;
    }
    if same_kind(b, m) {
        return a;
    }
    let below = |p: usize| (0..3).filter(|&axis| corners[p][axis] < corners[m][axis]).count();
    if below(a) % 2 == 0 { a } else { b }
}

/// Two tetrahedra over the quadrilateral of a face, with the tip z.
fn pyramid(corners: &[Point; 4], [a, b]: [usize; 2], z: usize, m: usize, pieces: &mut Pieces) {
    let (start, other) = if diagonal_at(corners, a, b, m) == a { (a, b) } else { (b, a) };
    let end = cut(other, m);
    pieces.push([start as Spot, other as Spot, end, z as Spot]);
    pieces.push([start as Spot, end, cut(start, m), z as Spot]);
}

/// Three tetrahedra of the wedge between the triangles u and v. `down[n]` says whether the diagonal of the pair n of
/// (0,1), (0,2), (1,2) goes from the first of the pair on u to the second on v, or from the second on u to the first on
/// v. Diagonals that go round in a circle leave no tetrahedra, but do not occur.
fn wedge(u: [Spot; 3], v: [Spot; 3], down: [bool; 3], pieces: &mut Pieces) {
    // How many diagonals leave each corner of u: the order 2, 1, 0 makes a staircase from u to v.
    let leaving = [
        u8::from(down[0]) + u8::from(down[1]),
        u8::from(!down[0]) + u8::from(down[2]),
        u8::from(!down[1]) + u8::from(!down[2]),
    ];
    let at = |count: u8| leaving.iter().position(|&n| n == count);
    if let (Some(first), Some(second), Some(third)) = (at(2), at(1), at(0)) {
        // The corner of u with no diagonal goes first: step down there, then at the next.
        pieces.push([u[first], u[second], u[third], v[third]]);
        pieces.push([u[first], u[second], v[second], v[third]]);
        pieces.push([u[first], v[first], v[second], v[third]]);
    }
}

/// Turns every piece the positive way round, as it is with cut points in the middle of the edges.
fn orient(corners: &[Point; 4], pieces: &mut Pieces) {
    let place = |spot: Spot| -> Point {
        match spot {
            0..4 => corners[spot as usize].map(|c| 2 * c),
            _ => {
                let [p, q] = EDGES[spot as usize - 4];
                std::array::from_fn(|axis| corners[p][axis] + corners[q][axis])
            }
        }
    };
    for tet in &mut pieces.tets[..pieces.count] {
        if crate::lattice::six_volumes(&tet.map(place)) < 0 {
            tet.swap(2, 3);
        }
    }
}
