//! Many elements of one kind: eight at a time from rows of points to packs, through the law, and back.

use std::ops::Range;

use super::Distance;
use super::keeper::{Keeper, times};
use super::point_rows::PointRows;
use crate::Mat3;
use crate::lanes::{LANES, Lanes, Mat3x8, splat};

/// One element: its points, its stiffness and what it keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element<const N: usize> {
    /// Its points, counted from the first of the body.
    pub nodes: [u32; N],
    /// k in ½ k (C − C₀)².
    pub stiffness: f64,
    /// C₀.
    pub rest: f64,
}

/// Elements of one kind, in packs; the last pack is filled up with elements of no stiffness.
#[derive(Clone, Debug)]
pub struct Batch<const N: usize, K> {
    pub(super) law: K,
    count: usize,
    pub(super) nodes: Vec<[[u32; N]; LANES]>,
    pub(super) stiffness: Vec<Lanes>,
    rest: Vec<Lanes>,
    /// Where the rest values are in the memory of the state, if they may change.
    memory: Option<usize>,
    /// How many packs come in twos: see [`Keeper::order`].
    pub(super) paired: usize,
}

impl<const N: usize, K: Keeper<N>> Batch<N, K> {
    /// Packs elements, in the order that the law likes.
    pub fn new(law: K, elements: &[Element<N>]) -> Batch<N, K> {
        let (elements, paired) = K::order(elements);
        Batch::packed(law, &elements, paired)
    }

    /// Packs elements in the order given.
    pub fn in_order(law: K, elements: &[Element<N>]) -> Batch<N, K> {
        Batch::packed(law, elements, 0)
    }

    fn packed(law: K, elements: &[Element<N>], paired: usize) -> Batch<N, K> {
        let packs = elements.chunks(LANES);
        // An element of no stiffness repeats the first of its pack.
        let pick = |pack: &[Element<N>], lane: usize| match pack.get(lane) {
            Some(element) => *element,
            None => Element { stiffness: 0.0, ..pack[0] },
        };
        let lanes = |value: fn(&Element<N>) -> f64| {
            let one = |pack: &[Element<N>]| Lanes::new(std::array::from_fn(|lane| value(&pick(pack, lane))));
            packs.clone().map(one).collect::<Vec<_>>()
        };
        Batch {
            law,
            count: elements.len(),
            nodes: packs.clone().map(|pack| std::array::from_fn(|lane| pick(pack, lane).nodes)).collect(),
            stiffness: lanes(|element| element.stiffness),
            rest: lanes(|element| element.rest),
            memory: None,
            paired,
        }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Number of packs.
    pub(super) fn packs(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Lets the rest values change: they lie in the memory of the state from `start` on. Returns where they end.
    pub fn remember(&mut self, start: usize) -> usize {
        self.memory = Some(start);
        start + self.rest.len() * LANES
    }

    /// The place of the rest values in the memory of the state, if they may change.
    pub fn memory(&self) -> Option<Range<usize>> {
        self.memory.map(|start| start..start + self.rest.len() * LANES)
    }

    /// The rest values as built, in the order of the memory.
    pub fn built_rest(&self) -> impl Iterator<Item = f64> + '_ {
        self.rest.iter().flat_map(|pack| pack.to_array())
    }

    #[inline(always)]
    pub(super) fn rest(&self, pack: usize, memory: &[f64]) -> Lanes {
        match self.memory {
            None => self.rest[pack],
            Some(start) => {
                let place = start + pack * LANES;
                let mut lanes = [0.0; LANES];
                lanes.copy_from_slice(&memory[place..place + LANES]);
                Lanes::new(lanes)
            }
        }
    }

    /// Calls `visit` with the nodes, the stiffness and the rest value of every element.
    pub fn each(&self, memory: &[f64], mut visit: impl FnMut(&[u32; N], f64, f64)) {
        for pack in 0..self.nodes.len() {
            let (k, rest) = (self.stiffness[pack].to_array(), self.rest(pack, memory).to_array());
            let real = (self.count - pack * LANES).min(LANES);
            (0..real).for_each(|lane| visit(&self.nodes[pack][lane], k[lane], rest[lane]));
        }
    }

    /// The nodes of every element.
    pub fn nodes(&self) -> impl Iterator<Item = &[u32; N]> {
        self.nodes.iter().flatten().take(self.count)
    }

    /// C of every element, padded as the memory is.
    pub fn values(&self, rows: &PointRows, out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.nodes.iter().flat_map(|nodes| self.law.value(&rows.gather(nodes)).to_array()));
    }

    /// P  \[J\]
    pub fn energy(&self, rows: &PointRows, memory: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (pack, nodes) in self.nodes.iter().enumerate() {
            let energy = self.law.energy(&rows.gather(nodes), self.rest(pack, memory));
            sum += (energy * self.stiffness[pack]).reduce_add();
        }
        sum
    }

    /// Adds −∂P/∂q.
    pub fn add_force(&self, rows: &mut PointRows, memory: &[f64]) {
        K::add_forces(self, rows, memory);
    }

    /// Adds −∂P/∂q of some packs.
    pub(super) fn add_force_of(&self, packs: Range<usize>, rows: &mut PointRows, memory: &[f64]) {
        for pack in packs {
            let nodes = &self.nodes[pack];
            let forces = self.law.force(&rows.gather(nodes), self.rest(pack, memory));
            for (i, force) in forces.into_iter().enumerate() {
                let force = times(&force, self.stiffness[pack]);
                rows.add(force, |lane| nodes[lane][i]);
            }
        }
    }

    /// Adds to every point the sum of the norms of its row of blocks: what its stiffness can be at most  \[N/m\]
    pub fn add_row_sums(&self, rows: &PointRows, memory: &[f64], sums: &mut [f64]) {
        for (pack, nodes) in self.nodes.iter().enumerate() {
            let blocks = self.law.curvature(&rows.gather(nodes), self.rest(pack, memory));
            let stiffness = self.stiffness[pack].to_array();
            for (lane, i) in (0..LANES).flat_map(|lane| (0..N).map(move |i| (lane, i))) {
                let sum: f64 = blocks[i].iter().map(|block| block.lane(lane).norm()).sum();
                sums[nodes[lane][i] as usize] += stiffness[lane] * sum;
            }
        }
    }

    /// Where the blocks of every element are in a matrix.
    pub fn places(&self, place: &dyn Fn(u32, u32) -> Option<usize>) -> Vec<[[u32; N]; N]> {
        let find = |i: u32, j: u32| place(i, j).map_or(u32::MAX, |place| place as u32);
        self.nodes().map(|nodes| nodes.map(|i| nodes.map(|j| find(i, j)))).collect()
    }

    /// Adds the positive part of ∂²P/∂q².
    pub fn add_curvature(
        &self,
        rows: &PointRows,
        memory: &[f64],
        places: &[[[u32; N]; N]],
        matrix: &mut [Mat3],
    ) {
        for (pack, nodes) in self.nodes.iter().enumerate() {
            let blocks = self.law.curvature(&rows.gather(nodes), self.rest(pack, memory));
            let own = &places[pack * LANES..self.count.min((pack + 1) * LANES)];
            add_blocks(&blocks, self.stiffness[pack], own, matrix);
        }
    }
}

impl Batch<2, Distance> {
    /// Adds ∂²P/∂q² with as much of what is negative as the inertia of a step outweighs: `bearable` of each spring, in
    /// packs  \[N/m\]
    pub fn add_borne_curvature(
        &self,
        rows: &PointRows,
        memory: &[f64],
        bearable: &[Lanes],
        scale: f64,
        places: &[[[u32; 2]; 2]],
        matrix: &mut [Mat3],
    ) {
        for (pack, nodes) in self.nodes.iter().enumerate() {
            let stiffness = self.stiffness[pack];
            let least = bearable[pack] * splat(-scale) / stiffness.max(splat(f64::MIN_POSITIVE));
            let blocks = self.law.curvature_above(&rows.gather(nodes), self.rest(pack, memory), least);
            let own = &places[pack * LANES..self.count.min((pack + 1) * LANES)];
            add_blocks(&blocks, stiffness, own, matrix);
        }
    }

    /// What each spring may take from the masses \[kg\] of its ends: −a |u₁ − u₂|² ≥ −2a (|u₁|² + |u₂|²), so that all springs
    /// of a point together stay below its inertia if each has a ≤ m/2n, n the number of springs there.
    pub fn bearable(&self, masses: &[f64]) -> Vec<Lanes> {
        let mut counts = vec![0.0; masses.len()];
        self.nodes().flatten().for_each(|&node| counts[node as usize] += 1.0);
        let share = |node: u32| BORNE * masses[node as usize] / (2.0 * f64::max(counts[node as usize], 1.0));
        let one = |nodes: &[[u32; 2]; LANES]| Lanes::new(nodes.map(|[a, b]| share(a).min(share(b))));
        self.nodes.iter().map(one).collect()
    }
}

/// Part of the inertia that negative stiffness may use up.
const BORNE: f64 = 0.9;

/// Adds the blocks of one pack, scaled, at the places of its elements.
pub(super) fn add_blocks<const N: usize>(
    blocks: &[[Mat3x8; N]; N],
    scale: Lanes,
    places: &[[[u32; N]; N]],
    matrix: &mut [Mat3],
) {
    for i in 0..N {
        for j in 0..N {
            let block = blocks[i][j].scale(scale);
            for (lane, place) in places.iter().enumerate() {
                if let Some(out) = matrix.get_mut(place[i][j] as usize) {
                    *out += block.lane(lane);
                }
            }
        }
    }
}
