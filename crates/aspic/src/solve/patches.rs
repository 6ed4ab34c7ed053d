//! Cuts the graph of a matrix into connected patches of about the same size.

use std::collections::VecDeque;

use super::BlockMatrix;

/// Patch of a node that belongs to none, because it is held.
pub(super) const NO_PATCH: u32 = u32::MAX;

/// Which patch each node belongs to.
#[derive(Clone, Debug, Default)]
pub(super) struct Patches {
    /// Patch of each node, or [`NO_PATCH`].
    pub of_node: Vec<u32>,
    /// Number of nodes of each patch.
    pub sizes: Vec<u32>,
    /// The nodes, patch by patch.
    pub nodes: Vec<u32>,
    /// Where each patch begins in `nodes`  (patches + 1)
    pub starts: Vec<usize>,
}

impl Patches {
    /// Grows patches of `size` free nodes breadth first, each from the rim of those before. A patch that is shut in
    /// below a quarter of the size joins a neighbour.
    pub fn grow(matrix: &BlockMatrix, free: &[bool], size: usize) -> Patches {
        let mut patches = Patches { of_node: vec![NO_PATCH; matrix.len()], ..Default::default() };
        let (mut rim, mut queue) = (VecDeque::new(), VecDeque::new());
        for first in 0..matrix.len() {
            rim.push_back(first);
            while let Some(seed) = rim.pop_front() {
                if free[seed] && patches.of_node[seed] == NO_PATCH {
                    patches.fill_one(matrix, free, size, seed, &mut queue);
                    rim.extend(queue.drain(..));
                }
            }
        }
        patches.merge_small(matrix, size as u32 / 4);
        patches.list_nodes();
        patches
    }

    fn list_nodes(&mut self) {
        self.starts = vec![0];
        for &size in &self.sizes {
            self.starts.push(self.starts[self.starts.len() - 1] + size as usize);
        }
        let kept = (0..self.of_node.len() as u32).filter(|&i| self.of_node[i as usize] != NO_PATCH);
        self.nodes = kept.collect();
        self.nodes.sort_by_key(|&i| self.of_node[i as usize]);
    }

    /// Grows one patch; what it reached and did not take remains in `queue`.
    fn fill_one(
        &mut self,
        matrix: &BlockMatrix,
        free: &[bool],
        size: usize,
        seed: usize,
        queue: &mut VecDeque<usize>,
    ) {
        let patch = self.sizes.len() as u32;
        let mut count = 0;
        queue.push_back(seed);
        while count < size {
            let Some(i) = queue.pop_front() else { break };
            if self.of_node[i] != NO_PATCH {
                continue;
            }
            self.of_node[i] = patch;
            count += 1;
            queue.extend(matrix.row(i).map(|(j, _)| j).filter(|&j| free[j] && self.of_node[j] == NO_PATCH));
        }
        self.sizes.push(count as u32);
    }

    /// Joins small patches to the first patch beside them, and numbers the rest anew.
    fn merge_small(&mut self, matrix: &BlockMatrix, least: u32) {
        for i in 0..matrix.len() {
            let own = self.of_node[i];
            if own == NO_PATCH || self.sizes[own as usize] >= least {
                continue;
            }
            let mut near = matrix.row(i).map(|(j, _)| self.of_node[j]);
            let other = near.find(|&p| p != NO_PATCH && p != own && self.sizes[p as usize] >= least);
            if let Some(other) = other {
                self.sizes[own as usize] -= 1;
                self.sizes[other as usize] += 1;
                self.of_node[i] = other;
            }
        }
        let mut next = 0;
        let numbers: Vec<u32> = (self.sizes.iter())
            .map(|&size| {
                next += u32::from(size > 0);
                next.wrapping_sub(1)
            })
            .collect();
        self.of_node.iter_mut().filter(|p| **p != NO_PATCH).for_each(|p| *p = numbers[*p as usize]);
        self.sizes.retain(|&size| size > 0);
    }
}
