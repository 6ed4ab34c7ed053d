//! Pairs of boxes that meet, from sorted lists kept from step to step (Lin & Manocha; Liesenfeld & Stolfi 1997, 6.4).
//!
//! The ends of all boxes are kept in order along each axis. Insertion sort mends the order after a step: one swap for
//! each two ends that have changed places. Two boxes that did not meet and now do have come to overlap along some axis,
//! where the low end of one has gone before the high end of the other. At each such swap the boxes themselves are
//! compared, and a pair that meets on all three axes is noted. Pairs that part are dropped in one pass over the list.
//!
//! So no record of overlaps along single axes is kept. In the paper these are m² bits. As a table of pairs they are still
//! m^(3/2) for a sheet and m^(5/3) for a heap of m elements, though only about m pairs meet. The price is a test of two
//! boxes at a swap instead of a look into the table.
//!
//! The swaps are O(m) when each end passes a bounded number of others in a step. An end passes all those in its slab of
//! space that move otherwise, near or far: m^(1/2) of a sheet and m^(2/3) of a heap for a given motion in a step, and
//! as many as m across a flat sheet. Then a step must be shorter, or costs more.
//!
//! The pairs depend on the boxes alone, not on the steps before: they are exactly those that meet, in ascending order.
//! A list that is built anew therefore gives the same bits.

use super::Bounds;

/// Swaps for each end point, on the average, after which sorting anew is cheaper.
const PATIENCE: u64 = 200;

/// An end of a box along one axis.
#[derive(Clone, Copy, Debug)]
struct End {
    at: f64,
    /// Twice the element, plus one for the high end.
    tag: u32,
}

impl End {
    fn element(self) -> u32 {
        self.tag >> 1
    }

    fn is_high(self) -> bool {
        self.tag & 1 == 1
    }

    /// At the same place low ends come first, so that boxes with a common rim overlap.
    fn after(self, other: End) -> bool {
        self.at > other.at || (self.at == other.at && self.tag & 1 > other.tag & 1)
    }
}

/// The pairs of boxes that meet. Fewer than 2³¹ boxes are allowed.
#[derive(Clone, Debug, Default)]
pub struct SweepAndPrune {
    ends: [Vec<End>; 3],
    pairs: Vec<[u32; 2]>,
    fresh: Vec<[u32; 2]>,
    open: Vec<u32>,
    swaps: u64,
    anew: bool,
}

impl SweepAndPrune {
    /// Lists without boxes.
    pub fn new() -> SweepAndPrune {
        SweepAndPrune::default()
    }

    /// The pairs (i, j), i < j, that meet and are kept, in ascending order.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// The swaps of the latest update. Nothing when it built the lists anew.
    pub fn swaps(&self) -> Option<u64> {
        (!self.anew).then_some(self.swaps)
    }

    /// Brings the pairs up to date with new boxes of the same elements. Another number of boxes builds the lists anew.
    ///
    /// A pair (i, j), i < j, is noted if `keep` says so. That must depend on i and j alone and not change between
    /// updates, because it is asked only when a pair begins to meet. A box without low ≤ high on each axis meets nothing.
    pub fn update(&mut self, boxes: &[Bounds], keep: impl Fn(u32, u32) -> bool) {
        self.swaps = 0;
        self.fresh.clear();
        self.anew = self.ends[0].len() != 2 * boxes.len() || !self.mend(boxes, &keep);
        if self.anew {
            self.rebuild(boxes, &keep);
            return;
        }
        self.pairs.retain(|&[i, j]| boxes[i as usize].meets(&boxes[j as usize]));
        self.fresh.sort_unstable();
        self.fresh.dedup();
        merge(&mut self.pairs, &self.fresh);
    }

    /// Insertion sort along each axis. False when the order is too far off, or a box is not sound.
    fn mend(&mut self, boxes: &[Bounds], keep: &impl Fn(u32, u32) -> bool) -> bool {
        if !boxes.iter().all(Bounds::is_sound) {
            return false;
        }
        let limit = PATIENCE * 6 * boxes.len() as u64;
        for axis in 0..3 {
            let ends = &mut self.ends[axis];
            place(ends, boxes, axis);
            for k in 1..ends.len() {
                let end = ends[k];
                let mut hole = k;
                while hole > 0 && ends[hole - 1].after(end) {
                    let other = ends[hole - 1];
                    if other.is_high() && !end.is_high() {
                        note(end.element(), other.element(), boxes, keep, &mut self.fresh);
                    }
                    ends[hole] = other;
                    hole -= 1;
                }
                ends[hole] = end;
                self.swaps += (k - hole) as u64;
                if self.swaps > limit {
                    return false;
                }
            }
        }
        true
    }

    /// Sorts all lists and sweeps along the axis with the fewest overlaps.
    ///
    /// A box that is not sound gets no ends; then the lists are short, and the next update builds them anew.
    fn rebuild(&mut self, boxes: &[Bounds], keep: &impl Fn(u32, u32) -> bool) {
        self.fresh.clear();
        for (axis, ends) in self.ends.iter_mut().enumerate() {
            ends.clear();
            let tags = (0..).step_by(2).zip(boxes).filter(|(_, bounds)| bounds.is_sound());
            ends.extend(tags.flat_map(|(tag, _)| [tag, tag + 1]).map(|tag| End { at: 0.0, tag }));
            place(ends, boxes, axis);
            ends.sort_unstable_by(|a, b| a.at.total_cmp(&b.at).then((a.tag & 1).cmp(&(b.tag & 1))));
        }
        self.open.clear();
        if let Some(ends) = self.ends.iter().min_by_key(|ends| overlaps(ends)) {
            for end in ends {
                let element = end.element();
                if end.is_high() {
                    if let Some(k) = self.open.iter().position(|&other| other == element) {
                        self.open.swap_remove(k);
                    }
                } else {
                    for &other in &self.open {
                        note(element, other, boxes, keep, &mut self.fresh);
                    }
                    self.open.push(element);
                }
            }
        }
        self.fresh.sort_unstable();
        std::mem::swap(&mut self.pairs, &mut self.fresh);
    }
}

/// Writes the new coordinates into a list. Minus zero becomes zero, so that sorting agrees with `End::after`.
fn place(ends: &mut [End], boxes: &[Bounds], axis: usize) {
    for end in ends {
        let bounds = &boxes[end.element() as usize];
        let at = if end.is_high() { bounds.high[axis] } else { bounds.low[axis] };
        end.at = at + 0.0;
    }
}

/// How many pairs overlap along the axis of a sorted list.
fn overlaps(ends: &[End]) -> u64 {
    let step = |(open, sum): (u64, u64), end: &End| match end.is_high() {
        true => (open - 1, sum),
        false => (open + 1, sum + open),
    };
    ends.iter().fold((0, 0), step).1
}

/// Notes a pair that meets and is kept.
#[inline]
fn note(a: u32, b: u32, boxes: &[Bounds], keep: &impl Fn(u32, u32) -> bool, pairs: &mut Vec<[u32; 2]>) {
    let (i, j) = (a.min(b), a.max(b));
    if i != j && boxes[i as usize].meets(&boxes[j as usize]) && keep(i, j) {
        pairs.push([i, j]);
    }
}

/// Merges an ascending list into another, from the back.
fn merge(pairs: &mut Vec<[u32; 2]>, fresh: &[[u32; 2]]) {
    let mut left = pairs.len();
    let mut hole = left + fresh.len();
    pairs.resize(hole, [0, 0]);
    for &pair in fresh.iter().rev() {
        while left > 0 && pairs[left - 1] > pair {
            (left, hole) = (left - 1, hole - 1);
            pairs[hole] = pairs[left];
        }
        hole -= 1;
        pairs[hole] = pair;
    }
}

#[cfg(test)]
#[path = "sweep_and_prune_tests.rs"]
mod tests;
