//! A sum of terms z zᵀ, each on few nodes: contacts and friction of an implicit step.
//!
//! Contacts come and go, so they stay out of the fixed pattern of the matrix; z zᵀ x = z (z·x) needs no pattern.

use rayon::prelude::*;

use super::Triple;
use crate::{Mat3, Vec3};

/// From this number of terms on, threads share the work.
const PARALLEL_TERMS: usize = 20_000;
/// Terms, or rows, that one thread takes at a time.
const CHUNK: usize = 1024;

/// Σ z zᵀ. Terms that come one after the other on the same nodes are a group, so that a product looks up these nodes
/// once: a push and the friction of one contact are up to five terms.
#[derive(Clone, Debug, Default)]
pub struct RankOnes<V = Vec3> {
    groups: Vec<Group>,
    /// Nodes on which z is not zero  (groups)
    nodes: Vec<u32>,
    /// z on these nodes  \[√(N/m)\]  (terms)
    vectors: Vec<V>,
    /// For many terms: z·x of each term, and who touches each node.
    work: Work,
}

/// Where the terms of a group are.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// First of its nodes, and how many.
    node: u32,
    size: u32,
    /// First of its vectors, `size` for each term.
    vector: u32,
    /// Its first term, and how many.
    term: u32,
    terms: u32,
}

/// The way from nodes to terms, built when first needed after a change.
#[derive(Clone, Debug, Default)]
struct Work {
    dots: Vec<f64>,
    /// Where the entries of each node begin in `entries`  (n + 1); empty when out of date.
    starts: Vec<usize>,
    /// (group, place of the node in it), groups ascending for each node.
    entries: Vec<(u32, u32)>,
}

/// Nodes in a group at most: four surface points of four nodes each. A term on more of them stands alone.
const MOST_NODES: usize = 16;

impl RankOnes {
    /// Removes all terms and keeps the memory.
    pub fn clear(&mut self) {
        self.groups.clear();
        self.nodes.clear();
        self.vectors.clear();
        self.work.starts.clear();
    }

    /// Adds a term; `z` gives its nodes, each once, and vectors \[√(N/m)\].
    pub fn push(&mut self, z: impl IntoIterator<Item = (u32, Vec3)>) {
        let (node, vector, term) = (self.nodes.len(), self.vectors.len(), self.len() as u32);
        for (node, vector) in z {
            self.nodes.push(node);
            self.vectors.push(vector);
        }
        self.work.starts.clear();
        let size = self.nodes.len() - node;
        if let Some(last) = self.groups.last_mut()
            && size <= MOST_NODES
            && self.nodes[last.node as usize..node] == self.nodes[node..]
        {
            last.terms += 1;
            self.nodes.truncate(node);
        } else {
            let (node, size, vector) = (node as u32, size as u32, vector as u32);
            self.groups.push(Group { node, size, vector, term, terms: 1 });
        }
    }

    /// Terms on nodes that are not free lose these nodes: what is held does not move.
    pub fn constrain(&mut self, free: &[bool]) {
        for group in &self.groups {
            for place in 0..group.size {
                if !free[self.nodes[(group.node + place) as usize] as usize] {
                    let places = (0..group.terms).map(|k| group.vector + k * group.size + place);
                    places.for_each(|at| self.vectors[at as usize] = Vec3::zeros());
                }
            }
        }
    }

    /// Adds the 3×3 diagonal blocks of the sum, one for each node  \[N/m\]
    pub fn add_diagonal(&self, blocks: &mut [Mat3]) {
        for (nodes, vectors) in self.terms() {
            nodes.iter().zip(vectors).for_each(|(&i, z)| blocks[i as usize] += z * z.transpose());
        }
    }
}

impl<V: Triple> RankOnes<V> {
    /// Takes the terms of another sum, rounded.
    pub fn round(&mut self, other: &RankOnes) {
        self.groups.clone_from(&other.groups);
        self.nodes.clone_from(&other.nodes);
        self.vectors.clear();
        self.vectors.extend(other.vectors.iter().map(V::of));
        self.work.starts.clear();
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.groups.last().map_or(0, |group| (group.term + group.terms) as usize)
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Nodes and vectors of each term.
    pub fn terms(&self) -> impl Iterator<Item = (&[u32], &[V])> + '_ {
        self.groups.iter().flat_map(|group| self.terms_of(group))
    }

    /// The nodes of terms, once for terms that follow each other on the same nodes.
    pub fn node_sets(&self) -> impl Iterator<Item = &[u32]> + '_ {
        self.groups.iter().map(|group| self.nodes_of(group))
    }

    fn terms_of<'a>(&'a self, group: &'a Group) -> impl Iterator<Item = (&'a [u32], &'a [V])> + 'a {
        let nodes = self.nodes_of(group);
        (0..group.terms as usize).map(move |k| (nodes, self.vectors_of(group, k)))
    }

    #[inline(always)]
    fn nodes_of(&self, group: &Group) -> &[u32] {
        &self.nodes[group.node as usize..(group.node + group.size) as usize]
    }

    /// z of the k-th term of a group.
    #[inline(always)]
    fn vectors_of(&self, group: &Group, k: usize) -> &[V] {
        let start = group.vector as usize + k * group.size as usize;
        &self.vectors[start..start + group.size as usize]
    }

    /// y += Σ z (z·x). The order of the sums depends on the terms only.
    pub fn add_product(&mut self, x: &[V], y: &mut [V]) {
        if self.len() >= PARALLEL_TERMS {
            return self.add_product_by_nodes(x, y);
        }
        for group in &self.groups {
            let nodes = self.nodes_of(group);
            if nodes.len() > MOST_NODES {
                add_term(nodes, self.vectors_of(group, 0), x, y);
                continue;
            }
            let (mut here, mut sums) = ([V::ZERO; MOST_NODES], [V::ZERO; MOST_NODES]);
            here.iter_mut().zip(nodes).for_each(|(here, &i)| *here = x[i as usize]);
            for k in 0..group.terms as usize {
                let vectors = self.vectors_of(group, k);
                let dot = V::few_products(vectors, &here);
                sums.iter_mut().zip(vectors).for_each(|(sum, z)| *sum = sum.plus(dot, *z));
            }
            nodes.iter().zip(&sums).for_each(|(&i, sum)| y[i as usize] += *sum);
        }
    }

    /// The same sums in the same order, node by node, so that threads never write to the same place.
    fn add_product_by_nodes(&mut self, x: &[V], y: &mut [V]) {
        if self.work.starts.len() != y.len() + 1 {
            self.index(y.len());
        }
        let mut dots = std::mem::take(&mut self.work.dots);
        dots.resize(self.len(), 0.0);
        self.fill_dots(&self.groups, x, &mut dots);
        let Work { starts, entries, .. } = &self.work;
        y.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, y)| {
            for (k, y) in y.iter_mut().enumerate() {
                let i = chunk * CHUNK + k;
                for &(group, place) in &entries[starts[i]..starts[i + 1]] {
                    let group = &self.groups[group as usize];
                    let terms = &dots[group.term as usize..(group.term + group.terms) as usize];
                    let mut sum = V::ZERO;
                    for (k, dot) in terms.iter().enumerate() {
                        sum = sum.plus(V::number(*dot), self.vectors_of(group, k)[place as usize]);
                    }
                    *y += sum;
                }
            }
        });
        self.work.dots = dots;
    }

    /// z·x of each term of some groups.
    fn fill_dots(&self, groups: &[Group], x: &[V], dots: &mut [f64]) {
        if groups.len() > CHUNK {
            let (left, right) = groups.split_at(groups.len() / 2);
            let (mine, others) = dots.split_at_mut((right[0].term - left[0].term) as usize);
            rayon::join(|| self.fill_dots(left, x, mine), || self.fill_dots(right, x, others));
            return;
        }
        let terms = groups.iter().flat_map(|group| self.terms_of(group));
        for (dot, (nodes, vectors)) in dots.iter_mut().zip(terms) {
            *dot = product(nodes, vectors, x).into();
        }
    }

    /// Lists the groups of each node by counting.
    fn index(&mut self, nodes: usize) {
        let Work { starts, entries, .. } = &mut self.work;
        starts.clear();
        starts.resize(nodes + 1, 0);
        self.nodes.iter().for_each(|&i| starts[i as usize + 1] += 1);
        (0..nodes).for_each(|i| starts[i + 1] += starts[i]);
        entries.clear();
        entries.resize(self.nodes.len(), (0, 0));
        for (number, group) in self.groups.iter().enumerate() {
            for place in 0..group.size {
                let i = self.nodes[(group.node + place) as usize] as usize;
                entries[starts[i]] = (number as u32, place);
                starts[i] += 1;
            }
        }
        // Each start has moved to its end, which is the next one's start.
        starts.rotate_right(1);
        starts[0] = 0;
    }
}

/// z·x.
fn product<V: Triple>(nodes: &[u32], z: &[V], x: &[V]) -> V::Number {
    let mut here = [V::ZERO; MOST_NODES];
    let mut sum = 0.0;
    for (nodes, z) in nodes.chunks(MOST_NODES).zip(z.chunks(MOST_NODES)) {
        here.iter_mut().zip(nodes).for_each(|(here, &i)| *here = x[i as usize]);
        sum += V::few_products(z, &here).into();
    }
    V::number(sum)
}

/// y += z (z·x).
fn add_term<V: Triple>(nodes: &[u32], z: &[V], x: &[V], y: &mut [V]) {
    let dot = product(nodes, z, x);
    nodes.iter().zip(z).for_each(|(&i, z)| y[i as usize] = y[i as usize].plus(dot, *z));
}
