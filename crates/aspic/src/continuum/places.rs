//! Where the nodes and edges of a body's blocks lie in a matrix of 3×3 blocks.

use super::Blocks;
use super::pack::Pack;
use crate::lanes::LANES;

/// The place of a block that the matrix does not have.
const NOWHERE: u32 = u32::MAX;

/// Corners of a tetrahedron that share an edge.
const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// A node or an edge of a block, with the half of the matrix it stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Node(u16),
    Above(u16),
    Below(u16),
}

/// The places of one body in one matrix; made by [`Blocks::stiffness_places`].
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// For each pack, the numbers of its six edges in its block, in each lane.
    packs: Vec<[[u16; LANES]; 6]>,
    /// Places of the nodes of all blocks, and of their edges above and below the diagonal.
    nodes: Vec<u32>,
    edges: Vec<[u32; 2]>,
    /// Where packs, nodes and edges of each block begin  (blocks + 1)
    starts: Vec<[u32; 3]>,
    /// Parts by place: where those of a place begin, and block and part of each, in the order of the blocks.
    part_starts: Vec<u32>,
    parts: Vec<(u32, Part)>,
    /// Places of all pairs of nodes, row by row, of a body that couples all of them.
    pairs: Vec<u32>,
}

impl Places {
    /// Those of a body that couples all its nodes, row by row.
    pub fn of_pairs(pairs: impl Iterator<Item = Option<usize>>) -> Places {
        let pairs = pairs.map(|place| place.map_or(NOWHERE, |place| place as u32)).collect();
        Places { pairs, ..Places::default() }
    }

    /// The same places again.
    pub fn pairs(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.pairs.iter().map(|&place| (place != NOWHERE).then_some(place as usize))
    }

    fn range(&self, block: usize, list: usize) -> std::ops::Range<usize> {
        self.starts[block][list] as usize..self.starts[block + 1][list] as usize
    }

    /// Edge numbers of each pack of a block.
    pub(super) fn packs(&self, block: usize) -> &[[[u16; LANES]; 6]] {
        &self.packs[self.range(block, 0)]
    }

    /// Places of the nodes of a block.
    pub(super) fn nodes(&self, block: usize) -> &[u32] {
        &self.nodes[self.range(block, 1)]
    }

    /// Places of the edges of a block, above and below the diagonal.
    pub(super) fn edges(&self, block: usize) -> &[[u32; 2]] {
        &self.edges[self.range(block, 2)]
    }

    /// All parts that belong to a place of the matrix.
    #[inline(always)]
    pub(super) fn parts(&self, place: usize) -> &[(u32, Part)] {
        match self.part_starts.get(place..place + 2) {
            Some(range) => &self.parts[range[0] as usize..range[1] as usize],
            None => &[],
        }
    }

    /// Calls `visit` with place, block and part, block by block.
    fn each_part(&self, mut visit: impl FnMut(usize, u32, Part)) {
        for block in 0..self.starts.len() - 1 {
            let mut place = |place: u32, part: Part| {
                if place != NOWHERE {
                    visit(place as usize, block as u32, part);
                }
            };
            for (node, &at) in self.nodes(block).iter().enumerate() {
                place(at, Part::Node(node as u16));
            }
            for (edge, &[above, below]) in self.edges(block).iter().enumerate() {
                place(above, Part::Above(edge as u16));
                place(below, Part::Below(edge as u16));
            }
        }
    }

    /// Sorts the parts by place; those of one place stay in the order of the blocks.
    fn index_parts(&mut self) {
        let mut starts = Vec::new();
        self.each_part(|place, _, _| {
            starts.resize(starts.len().max(place + 2), 0);
            starts[place + 1] += 1;
        });
        (1..starts.len()).for_each(|place| starts[place] += starts[place - 1]);
        let mut ends = starts.clone();
        let mut parts = vec![(0, Part::Node(0)); starts.last().copied().unwrap_or(0) as usize];
        self.each_part(|place, block, part| {
            parts[ends[place] as usize] = (block, part);
            ends[place] += 1;
        });
        (self.part_starts, self.parts) = (starts, parts);
    }
}

impl Blocks {
    /// The places of this body in a matrix that tells the place of the 3×3 block of a row and a column node; a block it
    /// does not have is left out.
    pub fn stiffness_places(&self, place: impl Fn(u32, u32) -> Option<usize>) -> Places {
        let find = |row: u32, column: u32| place(row, column).map_or(NOWHERE, |place| place as u32);
        let mut places = Places { starts: vec![[0; 3]], ..Places::default() };
        for (b, block) in self.blocks.iter().enumerate() {
            let edges = self.number_edges(b, &mut places.packs);
            places.nodes.extend(block.nodes.iter().map(|&node| find(node, node)));
            places.edges.extend(edges.iter().map(|&[i, j]| {
                let (i, j) = (block.nodes[i as usize], block.nodes[j as usize]);
                [find(i, j), find(j, i)]
            }));
            places
                .starts
                .push([places.packs.len(), places.nodes.len(), places.edges.len()].map(|n| n as u32));
        }
        places.index_parts();
        places
    }

    /// Numbers the edges of a block, in the order of their ends; adds the numbers of each pack to the list.
    fn number_edges(&self, block: usize, packs: &mut Vec<[[u16; LANES]; 6]>) -> Vec<[u8; 2]> {
        let ends = |pack: &Pack, edge: usize, lane: usize| {
            let mut ends = EDGES[edge].map(|corner| pack.corners[corner][lane]);
            ends.sort_unstable();
            ends
        };
        let all = (self.packs_of(block))
            .flat_map(|pack| (0..6 * LANES).map(move |k| ends(&pack, k / LANES, k % LANES)));
        let mut edges: Vec<[u8; 2]> = all.collect();
        edges.sort_unstable();
        edges.dedup();
        packs.extend(self.packs_of(block).map(|pack| {
            let number = |edge, lane| edges.partition_point(|&e| e < ends(&pack, edge, lane)) as u16;
            std::array::from_fn(|edge| std::array::from_fn(|lane| number(edge, lane)))
        }));
        edges
    }
}
