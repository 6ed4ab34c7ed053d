//! What can touch of one body: points, their graph, and the triangles of its skin.

use crate::Vec3;

/// One body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// Its points that can touch, ascending.
    pub points: Vec<u32>,
    /// Radius of each  \[m\]
    pub radius: f64,
    /// Which of its points are neighbours.
    pub graph: Graph,
    /// The triangles of its skin, outward, if that is closed; otherwise none.
    pub skin: Vec<[u32; 3]>,
    /// Its motion is prescribed.
    pub fixed: bool,
    /// It is a sphere of this radius around the mean of its points  \[m\]
    pub ball: Option<f64>,
}

/// Points and the edges between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// Ends of each edge, the lower number first, in order.
    edges: Vec<[u32; 2]>,
    /// Each edge from both ends: (from, edge), in order.
    ends: Vec<(u32, u32)>,
}

impl Graph {
    /// The sides of triangles, and other edges.
    pub fn new(triangles: &[[u32; 3]], lines: &[[u32; 2]]) -> Graph {
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> =
            sides.chain(lines.iter().copied()).map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        let both = edges.iter().enumerate().flat_map(|(e, &[a, b])| [(a, e as u32), (b, e as u32)]);
        let mut ends: Vec<(u32, u32)> = both.collect();
        ends.sort_unstable();
        Graph { edges, ends }
    }

    /// All edges, the lower number first, in order.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = [u32; 2]> + '_ {
        self.edges.iter().copied()
    }

    /// The neighbours of a point, each with the number of the edge.
    pub fn around(&self, point: u32) -> impl Iterator<Item = (u32, usize)> + '_ {
        let first = self.ends.partition_point(|(from, _)| *from < point);
        let mine = self.ends[first..].iter().take_while(move |(from, _)| *from == point);
        mine.map(move |&(_, edge)| {
            let [a, b] = self.edges[edge as usize];
            (if a == point { b } else { a }, edge as usize)
        })
    }
}

/// The triangles as the skin of a volume, outward at `x` \[m\]; `None` unless every side has two triangles that turn the
/// same way.
pub fn closed(triangles: &[[u32; 3]], x: &[Vec3]) -> Option<Vec<[u32; 3]>> {
    let mut sides: Vec<[u32; 2]> = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    sides.sort_unstable();
    let once = sides.windows(2).all(|two| two[0] != two[1]);
    let paired = sides.iter().all(|&[a, b]| sides.binary_search(&[b, a]).is_ok());
    if triangles.is_empty() || !once || !paired {
        return None;
    }
    let at = |p: u32| x[p as usize] - x[triangles[0][0] as usize];
    let volume: f64 = triangles.iter().map(|&[a, b, c]| at(a).dot(&at(b).cross(&at(c)))).sum();
    Some(triangles.iter().map(|&[a, b, c]| if volume < 0.0 { [a, c, b] } else { [a, b, c] }).collect())
}
