//! Which bodies have surfaces that do not close: cloth is seen from both sides.

use aspic::frame::Topology;

/// The edges of triangles: both ends, the lower first, and the triangle; equal ones side by side.
pub(crate) fn edges(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let sides = |(number, t): (usize, &[u32; 3])| {
        let [a, b, c] = *t;
        [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b), number as u32])
    };
    let mut edges: Vec<[u32; 3]> = triangles.iter().enumerate().flat_map(sides).collect();
    edges.sort_unstable();
    edges
}

/// Whether each body has an edge that only one of its triangles has.
pub(crate) fn open_bodies(topology: &Topology) -> Vec<bool> {
    let open = |triangles: &[[u32; 3]]| {
        let edges = edges(triangles);
        edges.chunk_by(|a, b| a[..2] == b[..2]).any(|edge| edge.len() == 1)
    };
    let of_body = |range: std::ops::Range<usize>| topology.triangles.get(range).unwrap_or_default();
    topology.bodies.iter().map(|body| open(of_body(body.triangles.clone()))).collect()
}

#[cfg(test)]
mod tests {
    use aspic::frame::BodyRange;

    use super::*;

    #[test]
    fn a_sheet_is_open_and_a_tetrahedron_is_closed() {
        let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 5, 7], [4, 7, 6], [5, 6, 7]];
        let body = |triangles| BodyRange { triangles, ..BodyRange::default() };
        let bodies = vec![body(0..2), body(2..6), body(6..6)];
        assert_eq!(open_bodies(&Topology { bodies, triangles, ..Topology::default() }), [true, false, false]);
    }
}
