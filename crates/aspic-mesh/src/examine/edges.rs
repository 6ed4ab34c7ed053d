//! Edges of a surface: borders, their loops, and edges and vertices where it is no manifold.

use rayon::prelude::*;

use crate::soup::Soup;

/// What the edges and vertices of a surface are like.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Edges {
    /// Edges of a single triangle.
    pub border: Vec<[u32; 2]>,
    /// Edges of three triangles or more.
    pub crowded: usize,
    /// Edges whose two triangles run along them the same way.
    pub clashing: usize,
    /// Vertices on no crowded edge whose triangles form several fans.
    pub pinched: usize,
    /// Pairs of triangles with a common edge.
    pub links: Vec<[u32; 2]>,
    /// For every triangle whether one of its edges is on the border, crowded or clashing.
    pub open: Vec<bool>,
}

/// Looks at all edges. No triangle has a vertex twice, none occurs twice.
pub(crate) fn edges(soup: &Soup) -> Edges {
    let mut sides: Vec<([u32; 2], u32, bool)> = (0u32..)
        .zip(&soup.triangles)
        .flat_map(|(n, &[a, b, c])| [[a, b], [b, c], [c, a]].map(|[p, q]| ([p.min(q), p.max(q)], n, p < q)))
        .collect();
    sides.par_sort_unstable();
    let mut found = Edges { open: vec![false; soup.triangles.len()], ..Edges::default() };
    let mut on_crowded = vec![false; soup.positions.len()];
    for same in sides.chunk_by(|a, b| a.0 == b.0) {
        found.links.extend(same.windows(2).map(|pair| [pair[0].1, pair[1].1]));
        match same {
            [one] => found.border.push(one.0),
            [a, b] if a.2 != b.2 => continue,
            [_, _] => found.clashing += 1,
            _ => {
                found.crowded += 1;
                same[0].0.iter().for_each(|&v| on_crowded[v as usize] = true);
            }
        }
        same.iter().for_each(|side| found.open[side.1 as usize] = true);
    }
    found.pinched = pinched(soup, &on_crowded);
    found
}

/// Counts vertices with several fans.
fn pinched(soup: &Soup, on_crowded: &[bool]) -> usize {
    let mut spokes: Vec<(u32, [u32; 2])> =
        soup.triangles.iter().flat_map(|&[a, b, c]| [(a, [b, c]), (b, [c, a]), (c, [a, b])]).collect();
    spokes.par_sort_unstable();
    let fans: Vec<&[(u32, [u32; 2])]> = spokes.chunk_by(|a, b| a.0 == b.0).collect();
    fans.into_par_iter().filter(|fan| !on_crowded[fan[0].0 as usize] && has_several_fans(fan)).count()
}

/// Whether the triangles around a vertex fall into several sets without a common edge.
fn has_several_fans(around: &[(u32, [u32; 2])]) -> bool {
    let mut ends: Vec<(u32, u32)> =
        (0u32..).zip(around).flat_map(|(n, (_, [p, q]))| [(*p, n), (*q, n)]).collect();
    ends.sort_unstable();
    let mut roots: Vec<u32> = (0..around.len() as u32).collect();
    for pair in ends.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        crate::manifold::join(&mut roots, pair[0].1, pair[1].1);
    }
    (0..around.len() as u32).any(|n| crate::manifold::root(&mut roots, n) != 0)
}

/// Lengths of the loops that border edges make \[m\], in a fixed order. Where loops touch in a vertex, they are taken
/// apart in some way.
pub(crate) fn loops(soup: &Soup, border: &[[u32; 2]]) -> Vec<f64> {
    let mut ends: Vec<(u32, u32, usize)> = vec![];
    for (n, &[p, q]) in border.iter().enumerate() {
        ends.extend([(p, q, n), (q, p, n)]);
    }
    ends.sort_unstable();
    let mut used = vec![false; border.len()];
    let mut lengths = vec![];
    for first in 0..border.len() {
        let (mut length, mut at) = (0.0, border[first][0]);
        loop {
            let from = ends.partition_point(|e| e.0 < at);
            let mut next = ends[from..].iter().take_while(|e| e.0 == at).filter(|e| !used[e.2]);
            let Some(&(_, to, edge)) = next.next() else { break };
            used[edge] = true;
            length += (soup.positions[to as usize] - soup.positions[at as usize]).norm();
            at = to;
        }
        if length > 0.0 {
            lengths.push(length);
        }
    }
    lengths
}
