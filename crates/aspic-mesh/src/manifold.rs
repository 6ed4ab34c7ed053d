//! Where the boundary of a set of tetrahedra is not a manifold, and how it is made one.
//!
//! A boundary is a 2-manifold when each of its edges has two of its triangles, and the triangles around each of its
//! vertices form a single fan. Where tetrahedra touch only in an edge or a vertex, the smaller side is taken away; where
//! two hollows touch in a vertex, all tetrahedra there are. Every round takes at least one, so it ends.

use aspic::Vec3;
use aspic::mesh::FACES;
use rayon::prelude::*;

/// Edges and vertices where a boundary is not a manifold, ascending.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Faults {
    pub edges: Vec<[u32; 2]>,
    pub vertices: Vec<u32>,
}

/// All faces, sorted by their vertices; those of one place follow each other.
fn sorted_faces(tets: &[[u32; 4]]) -> Vec<([u32; 3], [u32; 3])> {
    let keyed = |t: &[u32; 4]| {
        FACES.map(|f| {
            let face = f.map(|c| t[c]);
            let mut key = face;
            key.sort_unstable();
            (key, face)
        })
    };
    let mut faces: Vec<_> = tets.par_iter().flat_map_iter(keyed).collect();
    faces.par_sort_unstable();
    faces
}

/// Triangles of one tetrahedron only, outward.
fn exposed(tets: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let faces = sorted_faces(tets);
    faces.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() == 1).map(|same| same[0].1).collect()
}

/// How many faces belong to one tetrahedron, and how many to three or more.
pub(crate) fn face_counts(tets: &[[u32; 4]]) -> (usize, usize) {
    let faces = sorted_faces(tets);
    let sizes: Vec<usize> = faces.chunk_by(|a, b| a.0 == b.0).map(<[_]>::len).collect();
    (sizes.iter().filter(|&&n| n == 1).count(), sizes.iter().filter(|&&n| n > 2).count())
}

/// The faults of the boundary of a set of tetrahedra.
pub(crate) fn faults(tets: &[[u32; 4]]) -> Faults {
    surface_faults(&exposed(tets))
}

/// The faults of a closed set of triangles. A vertex on a bad edge is not named again.
fn surface_faults(triangles: &[[u32; 3]]) -> Faults {
    let mut sides: Vec<([u32; 2], u32)> = (0u32..)
        .zip(triangles)
        .flat_map(|(n, &[a, b, c])| [[a, b], [b, c], [c, a]].map(|[p, q]| ([p.min(q), p.max(q)], n)))
        .collect();
    sides.par_sort_unstable();
    let edges: Vec<[u32; 2]> =
        sides.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 2).map(|same| same[0].0).collect();
    // Around a vertex with a single fan, and on no bad edge, as many edges as triangles meet in one circle.
    let mut spokes: Vec<(u32, [u32; 2])> =
        triangles.iter().flat_map(|&[a, b, c]| [(a, [b, c]), (b, [c, a]), (c, [a, b])]).collect();
    spokes.par_sort_unstable();
    let mut on_edge: Vec<u32> = edges.concat();
    on_edge.sort_unstable();
    let vertices = spokes
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|fan| on_edge.binary_search(&fan[0].0).is_err() && !is_one_circle(fan))
        .map(|fan| fan[0].0)
        .collect();
    Faults { edges, vertices }
}

/// Whether the outer edges of the triangles around a vertex make one circle.
fn is_one_circle(fan: &[(u32, [u32; 2])]) -> bool {
    let start = fan[0].1[0];
    let mut at = fan[0].1[1];
    let mut steps = 1;
    while at != start && steps <= fan.len() {
        match fan.binary_search_by_key(&at, |f| f.1[0]) {
            Ok(next) => at = fan[next].1[1],
            Err(_) => return false,
        }
        steps += 1;
    }
    steps == fan.len()
}

/// Takes tetrahedra away until the boundary is a manifold; how many went.
pub(crate) fn mend_by_removal(positions: &[Vec3], tets: &mut Vec<[u32; 4]>) -> usize {
    let before = tets.len();
    loop {
        let faults = faults(tets);
        if faults == Faults::default() {
            return before - tets.len();
        }
        let doomed = doomed(positions, tets, &faults);
        let mut n = 0;
        tets.retain(|_| {
            n += 1;
            !doomed[n - 1]
        });
    }
}

/// The tetrahedra to take away for the given faults: at bad edges, or if there are none at bad vertices.
fn doomed(positions: &[Vec3], tets: &[[u32; 4]], faults: &Faults) -> Vec<bool> {
    let mut doomed = vec![false; tets.len()];
    let bad: Vec<Vec<u32>> = if faults.edges.is_empty() {
        faults.vertices.iter().map(|&v| vec![v]).collect()
    } else {
        faults.edges.iter().map(|e| e.to_vec()).collect()
    };
    let mut firsts: Vec<u32> = bad.iter().map(|b| b[0]).collect();
    firsts.dedup();
    let mut stars: Vec<(u32, u32)> = vec![];
    for (n, t) in (0u32..).zip(tets) {
        stars.extend(t.iter().filter(|v| firsts.binary_search(v).is_ok()).map(|&v| (v, n)));
    }
    stars.sort_unstable();
    for place in &bad {
        let from = stars.partition_point(|s| s.0 < place[0]);
        let around: Vec<u32> = stars[from..].iter().take_while(|s| s.0 == place[0]).map(|s| s.1).collect();
        let around = around.into_iter().filter(|&n| place.iter().all(|v| tets[n as usize].contains(v)));
        let groups = groups(tets, around.collect());
        let volume =
            |group: &Vec<u32>| group.iter().map(|&n| volume(positions, &tets[n as usize])).sum::<f64>();
        let largest = (0..groups.len()).max_by(|&a, &b| volume(&groups[a]).total_cmp(&volume(&groups[b])));
        for (n, group) in groups.iter().enumerate() {
            if groups.len() == 1 || Some(n) != largest {
                group.iter().for_each(|&t| doomed[t as usize] = true);
            }
        }
    }
    doomed
}

/// Groups of tetrahedra connected through faces.
fn groups(tets: &[[u32; 4]], mut members: Vec<u32>) -> Vec<Vec<u32>> {
    let touch =
        |a: u32, b: u32| tets[a as usize].iter().filter(|v| tets[b as usize].contains(v)).count() == 3;
    let mut groups = vec![];
    while let Some(first) = members.pop() {
        let mut group = vec![first];
        let mut at = 0;
        while at < group.len() {
            let (next, rest) = members.iter().partition(|&&n| touch(group[at], n));
            members = rest;
            group.extend::<Vec<u32>>(next);
            at += 1;
        }
        groups.push(group);
    }
    groups
}

/// Volume of a tetrahedron  \[m³\]
pub(crate) fn volume(positions: &[Vec3], tet: &[u32; 4]) -> f64 {
    let [a, b, c, d] = tet.map(|v| positions[v as usize]);
    (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
}

/// The component of every tetrahedron, numbered by first appearance, and their number. Connected means by vertices.
pub(crate) fn components(vertices: usize, tets: &[[u32; 4]]) -> (Vec<u32>, usize) {
    let mut roots: Vec<u32> = (0..vertices as u32).collect();
    for t in tets {
        t[1..].iter().for_each(|&v| join(&mut roots, t[0], v));
    }
    let mut numbers = vec![u32::MAX; vertices];
    let mut count = 0;
    let of = |t: &[u32; 4]| {
        let root = root(&mut roots, t[0]) as usize;
        if numbers[root] == u32::MAX {
            numbers[root] = count;
            count += 1;
        }
        numbers[root]
    };
    let found = tets.iter().map(of).collect();
    (found, count as usize)
}

/// The root of a vertex in a forest, with paths halved on the way.
pub(crate) fn root(roots: &mut [u32], mut v: u32) -> u32 {
    while roots[v as usize] != v {
        roots[v as usize] = roots[roots[v as usize] as usize];
        v = roots[v as usize];
    }
    v
}

/// Makes two vertices one component: the lower root stays.
pub(crate) fn join(roots: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(roots, a), root(roots, b));
    roots[a.max(b) as usize] = a.min(b);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corner tetrahedra of a small cube stacked so that they touch in an edge or a vertex only.
    fn touching(in_edge: bool) -> (Vec<Vec3>, Vec<[u32; 4]>) {
        let mut points = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        points.extend([-Vec3::y() * 2.0, -Vec3::z() * 2.0, -Vec3::x()]);
        let other = if in_edge { [0, 1, 4, 5] } else { [0, 6, 5, 4] };
        (points, vec![[0, 1, 2, 3], other])
    }

    #[test]
    fn two_tetrahedra_on_an_edge_or_a_vertex_leave_the_larger() {
        for in_edge in [true, false] {
            let (points, mut tets) = touching(in_edge);
            assert!(tets.iter().all(|t| volume(&points, t) > 0.0));
            let found = faults(&tets);
            let expected = if in_edge { (vec![[0, 1]], vec![]) } else { (vec![], vec![0]) };
            assert_eq!((found.edges, found.vertices), expected);
            let larger = tets[1];
            assert_eq!(mend_by_removal(&points, &mut tets), 1);
            assert_eq!(tets, [larger]);
        }
    }

    #[test]
    fn a_block_has_no_faults_and_one_component() {
        let block = aspic::mesh::generate::block(Vec3::new(1.0, 1.0, 1.0), [3, 2, 2]).unwrap();
        assert_eq!(faults(&block.tets), Faults::default());
        assert_eq!(components(block.positions.len(), &block.tets).1, 1);
    }
}
