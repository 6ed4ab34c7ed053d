//! A sum of terms z zᵀ, each on few nodes: contacts and friction of an implicit step.
//!
//! Contacts come and go, so they stay out of the fixed pattern of the matrix; z zᵀ x = z (z·x) needs no pattern.

use rayon::prelude::*;

use crate::{Mat3, Vec3};

/// From this number of terms on, threads share the work.
const PARALLEL_TERMS: usize = 20_000;
/// Terms, or rows, that one thread takes at a time.
const CHUNK: usize = 1024;

/// Σ z zᵀ.
#[derive(Clone, Debug, Default)]
pub struct RankOnes {
    /// Where each term ends in `nodes` and `vectors`  (terms)
    ends: Vec<usize>,
    /// Nodes on which z is not zero.
    nodes: Vec<u32>,
    /// z on these nodes  \[√(N/m)\]
    vectors: Vec<Vec3>,
    /// For many terms: z·x of each term, and who touches each node.
    work: Work,
}

/// The way from nodes to terms, built when first needed after a change.
#[derive(Clone, Debug, Default)]
struct Work {
    dots: Vec<f64>,
    /// Where the entries of each node begin in `entries`  (n + 1); empty when out of date.
    starts: Vec<usize>,
    /// (term, place in `vectors`), terms ascending for each node.
    entries: Vec<(u32, u32)>,
}

impl RankOnes {
    /// Removes all terms and keeps the memory.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.nodes.clear();
        self.vectors.clear();
        self.work.starts.clear();
    }

    /// Adds a term; `z` gives its nodes, each once, and vectors \[√(N/m)\].
    pub fn push(&mut self, z: impl IntoIterator<Item = (u32, Vec3)>) {
        for (node, vector) in z {
            self.nodes.push(node);
            self.vectors.push(vector);
        }
        self.ends.push(self.nodes.len());
        self.work.starts.clear();
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Nodes and vectors of each term.
    pub fn terms(&self) -> impl Iterator<Item = (&[u32], &[Vec3])> + '_ {
        (0..self.len()).map(|t| self.term(t))
    }

    /// Nodes and vectors of one term.
    #[inline(always)]
    fn term(&self, t: usize) -> (&[u32], &[Vec3]) {
        let start = if t == 0 { 0 } else { self.ends[t - 1] };
        (&self.nodes[start..self.ends[t]], &self.vectors[start..self.ends[t]])
    }

    /// Terms on nodes that are not free lose these nodes: what is held does not move.
    pub fn constrain(&mut self, free: &[bool]) {
        for (&node, vector) in self.nodes.iter().zip(&mut self.vectors) {
            if !free[node as usize] {
                *vector = Vec3::zeros();
            }
        }
    }

    /// y += Σ z (z·x). The order of the sums depends on the terms only.
    pub fn add_product(&mut self, x: &[Vec3], y: &mut [Vec3]) {
        if self.len() < PARALLEL_TERMS {
            for (nodes, vectors) in self.terms() {
                let dot = dot(nodes, vectors, x);
                for (&i, z) in nodes.iter().zip(vectors) {
                    y[i as usize] += dot * z;
                }
            }
        } else {
            self.add_product_by_nodes(x, y);
        }
    }

    /// The same sums in the same order, node by node, so that threads never write to the same place.
    fn add_product_by_nodes(&mut self, x: &[Vec3], y: &mut [Vec3]) {
        if self.work.starts.len() != y.len() + 1 {
            self.index(y.len());
        }
        let mut dots = std::mem::take(&mut self.work.dots);
        dots.resize(self.len(), 0.0);
        let this = &*self;
        dots.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, dots)| {
            for (k, value) in dots.iter_mut().enumerate() {
                let (nodes, vectors) = this.term(chunk * CHUNK + k);
                *value = dot(nodes, vectors, x);
            }
        });
        let Work { starts, entries, .. } = &this.work;
        y.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, y)| {
            for (k, y) in y.iter_mut().enumerate() {
                let i = chunk * CHUNK + k;
                for &(term, place) in &entries[starts[i]..starts[i + 1]] {
                    *y += dots[term as usize] * this.vectors[place as usize];
                }
            }
        });
        self.work.dots = dots;
    }

    /// Lists the terms of each node by counting.
    fn index(&mut self, nodes: usize) {
        let Work { starts, entries, .. } = &mut self.work;
        starts.clear();
        starts.resize(nodes + 1, 0);
        self.nodes.iter().for_each(|&i| starts[i as usize + 1] += 1);
        (0..nodes).for_each(|i| starts[i + 1] += starts[i]);
        entries.clear();
        entries.resize(self.nodes.len(), (0, 0));
        let mut term = 0;
        for (place, &i) in self.nodes.iter().enumerate() {
            while place >= self.ends[term] {
                term += 1;
            }
            entries[starts[i as usize]] = (term as u32, place as u32);
            starts[i as usize] += 1;
        }
        // Each start has moved to its end, which is the next one's start.
        starts.rotate_right(1);
        starts[0] = 0;
    }

    /// Adds the 3×3 diagonal blocks of the sum, one for each node  \[N/m\]
    pub fn add_diagonal(&self, blocks: &mut [Mat3]) {
        for (&i, z) in self.nodes.iter().zip(&self.vectors) {
            blocks[i as usize] += z * z.transpose();
        }
    }
}

/// z·x.
#[inline(always)]
fn dot(nodes: &[u32], vectors: &[Vec3], x: &[Vec3]) -> f64 {
    nodes.iter().zip(vectors).map(|(&i, z)| z.dot(&x[i as usize])).sum()
}
