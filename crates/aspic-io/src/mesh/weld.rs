//! Polygons become fans of triangles, and vertices that coincide become one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use aspic::Vec3;

use super::Raw;

/// The most triangles or vertices that one file may grow into by repeating the same mesh.
pub(super) const MOST: usize = 20_000_000;

/// A polygon as triangles around its first corner.
pub(super) fn fan(polygon: &[usize]) -> impl Iterator<Item = [usize; 3]> + '_ {
    polygon.windows(2).skip(1).map(|pair| [polygon[0], pair[0], pair[1]])
}

/// A strip as triangles: each vertex makes one with the two before it, every other one is turned.
pub(super) fn strip(vertices: &[usize]) -> impl Iterator<Item = [usize; 3]> + '_ {
    let turned = |(number, w): (usize, &[usize])| match number % 2 {
        0 => [w[0], w[1], w[2]],
        _ => [w[1], w[0], w[2]],
    };
    vertices.windows(3).enumerate().map(turned)
}

/// Collects triangles on vertices that are told apart by their coordinates alone.
#[derive(Default)]
pub(super) struct Welder {
    raw: Raw,
    number: HashMap<[u64; 3], usize>,
    /// Vertices and triangles that were announced.
    announced: usize,
}

impl Welder {
    /// The number of the vertex at exactly these coordinates; 0 and -0 are the same.
    pub fn vertex(&mut self, x: Vec3) -> usize {
        match self.number.entry((x + Vec3::zeros()).map(f64::to_bits).into()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.raw.positions.push(x);
                *new.insert(self.raw.positions.len() - 1)
            }
        }
    }

    /// A triangle; one that has shrunk to an edge or a point is only counted.
    pub fn triangle(&mut self, [a, b, c]: [usize; 3]) {
        match a == b || b == c || c == a {
            true => self.raw.other_cells += 1,
            false => self.raw.triangles.push([a, b, c]),
        }
    }

    /// Cells that are no triangles.
    pub fn others(&mut self, count: usize) {
        self.raw.other_cells = self.raw.other_cells.saturating_add(count);
    }

    /// Announces so many vertices or triangles; false where they are too many in all.
    pub fn has_room(&mut self, more: usize) -> bool {
        self.announced = self.announced.saturating_add(more);
        self.announced <= 3 * MOST
    }

    /// What was collected.
    pub fn finish(self) -> Raw {
        self.raw
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fans_and_strips_face_one_way() {
        assert_eq!(fan(&[7, 8, 9, 5]).collect::<Vec<_>>(), [[7, 8, 9], [7, 9, 5]]);
        assert_eq!(strip(&[0, 1, 2, 3]).collect::<Vec<_>>(), [[0, 1, 2], [2, 1, 3]]);
        assert_eq!(fan(&[]).count() + fan(&[1, 2]).count() + strip(&[1, 2]).count(), 0);
    }

    #[test]
    fn both_zeros_are_one_place() {
        let mut welder = Welder::default();
        let ends = [Vec3::new(0.0, -0.0, 1.0), Vec3::new(-0.0, 0.0, 1.0)].map(|x| welder.vertex(x));
        assert_eq!(ends, [0, 0]);
        welder.triangle([0, 0, 1]);
        assert_eq!((welder.raw.triangles.len(), welder.raw.other_cells), (0, 1));
    }
}
