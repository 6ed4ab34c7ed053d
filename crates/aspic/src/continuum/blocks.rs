//! Tetrahedra in blocks that fit the first cache: gather, lanes, scatter and threads, written once.
//!
//! Tetrahedra go in twos that share a face, sorted along a space-filling curve and cut into blocks of at most
//! 256 nodes. A block copies the positions and velocities of its nodes into local rows, runs its packs of eight on
//! them, and adds the element forces into local rows. One thread adds these to the nodes block by block; several
//! threads keep them and add them in a last sweep, for each node in the order of the blocks. So every sum has the
//! same order, and no bit of the result depends on the number of threads.

use std::cell::RefCell;
use std::ops::Range;

use rayon::prelude::*;
use wide::f64x4;

#[cfg(test)]
use super::element::Element;
use super::large_pages;
use super::pack::{BLOCK_NODES, Pack, Twins, gather};
use super::sweep::{Local, Totals, scatter};
use super::twins::{Cell, add_fresh, cuts, twins};
use crate::Vec3;
use crate::lanes::{LANES, Lanes, Mat3x8, splat};
use crate::mesh::TetMesh;

/// Most packs in a block.
const BLOCK_PACKS: usize = 128;
/// Fewer blocks than this are not worth waking a second thread for.
pub(super) const PARALLEL_BLOCKS: usize = 8;
/// Nodes summed by one task of the last sweep.
const SUM_NODES: usize = 1024;

/// A run of packs and the nodes they touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// World numbers of the local nodes.
    pub(super) nodes: Vec<u32>,
    /// Its twins, as a range of all twins.
    twins: Range<usize>,
}

/// What one pack answers: stress, J = det F, and dissipated power per rest volume, the first and the last with the
/// weight that was asked for.
pub struct Answer {
    /// First Piola–Kirchhoff stress  \[Pa\], times the weight
    pub piola: Mat3x8,
    /// det F; a lane that is not positive is an inverted element, unless the kernel allows it.
    pub jacobian: Lanes,
    /// ω  \[W/m³\], times the weight
    pub power: Lanes,
}

/// The law that a sweep applies to every pack.
pub trait Kernel: Sync {
    /// Whether Ḟ is needed.
    const USES_RATE: bool;
    /// Whether J ≤ 0 is a valid state.
    const INVERTIBLE: bool;
    /// The answer for F and Ḟ (Ḟ is meaningless when [`Kernel::USES_RATE`] is false), times a weight: some laws have
    /// fewer numbers to multiply by it than the nine of the stress. `pack` is its number, for laws that remember.
    fn answer(&self, f: &Mat3x8, f_rate: &Mat3x8, weight: Lanes, pack: usize) -> Answer;
}

/// The tetrahedra of one body, ready to be swept.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    pub(super) blocks: Vec<Block>,
    twins: Vec<Twins>,
    /// First node of the body in the world, and their number.
    first_node: usize,
    nodes: usize,
    /// What the last sweep adds, task by task, in the order of the blocks: the node, counted from the first of the task,
    /// and the place, block × 256 + local node.
    places: Vec<[u32; 2]>,
    /// Where the places of each task begin  (tasks + 1)
    place_starts: Vec<u32>,
    /// Number of the tetrahedron (in the mesh) in each lane of each pack, in order; fillers repeat the last.
    order: Vec<u32>,
}

/// Memory that a sweep needs; make it once with [`Blocks::scratch`].
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Force on each place: x y z ·  \[N\]; one thread uses the first block's for all.
    partial: Vec<[f64x4; BLOCK_NODES]>,
    /// Power and first bad pack of each block.
    results: Vec<BlockResult>,
}

#[derive(Clone, Copy, Debug, Default)]
struct BlockResult {
    power: f64,
    /// Tetrahedron that is not positive, plus one.
    inverted: u32,
}

impl Blocks {
    /// Floating-point operations per tetrahedron with a twin (a multiply-add counts 2), besides those of the kernel. Twins
    /// have four edges and five nodes together: edges 4·3/2, columns of F (3 + 9 + 2·15)/2, forces on corners 1 and 2 and
    /// both apexes (6 + 21 + 15 + 2·3)/2, on corner 0 from the others and the sums per node (3·3 + 5·3)/2.
    pub const FLOPS: usize = 6 + 21 + 24 + 12;
    /// More of them for kernels that use the rate: edges of velocities 4·3/2, columns of Ḟ, sum of the power 1.
    pub const RATE_FLOPS: usize = 6 + 21 + 1;

    /// Memory of the tetrahedra and their tables  \[bytes\]
    pub fn bytes(&self) -> usize {
        let words = self.place_starts.len() + 2 * self.places.len() + self.order.len();
        let nodes: usize = self.blocks.iter().map(|block| block.nodes.len()).sum();
        size_of_val(&self.blocks[..]) + size_of_val(&self.twins[..]) + 4 * (words + nodes)
    }

    /// Blocks of a mesh whose vertex 0 is node `first_node` of the world.
    pub fn new(mesh: &TetMesh, first_node: usize) -> Blocks {
        let mut blocks = Blocks { first_node, nodes: mesh.positions.len(), ..Default::default() };
        let twins = twins(mesh, &along_curve(mesh));
        let cuts = cuts(&twins, BLOCK_NODES, BLOCK_PACKS / 2);
        blocks.twins = large_pages::with_capacity(cuts.iter().map(|cut| cut.len().div_ceil(LANES)).sum());
        cuts.into_iter().for_each(|cut| blocks.add_block(mesh, &twins[cut]));
        blocks.index_places();
        blocks
    }

    /// Adds a block of these twins.
    fn add_block(&mut self, mesh: &TetMesh, twins: &[[Cell; 2]]) {
        let mut nodes: Vec<u32> = Vec::new();
        twins.iter().for_each(|two| add_fresh(&mut nodes, two));
        let first = self.twins.len();
        // Neighbours go to different packs: sums into the same node then follow each other at a distance.
        let stride = twins.len().div_ceil(LANES);
        for p in 0..stride {
            let lanes: Vec<[Cell; 2]> = twins[p..].iter().copied().step_by(stride).collect();
            let packs = [0, 1].map(|side| {
                let cells: [Cell; LANES] = std::array::from_fn(|lane| match lanes.get(lane) {
                    Some(two) => two[side],
                    None => Cell { real: false, ..lanes[lanes.len() - 1][side] },
                });
                self.order.extend(cells.iter().map(|cell| cell.tet));
                Pack::new(mesh, &cells, &nodes)
            });
            self.twins.push(Twins::new(packs));
        }
        let nodes = nodes.iter().map(|v| v + self.first_node as u32).collect();
        self.blocks.push(Block { nodes, twins: first..self.twins.len() });
    }

    /// Lists, for each task of the last sweep, what it adds. One list without inner loops, whose lengths would differ from
    /// node to node: guessing them wrong takes the processor longer than the sums.
    fn index_places(&mut self) {
        let mut tasks = vec![Vec::new(); self.nodes.div_ceil(SUM_NODES)];
        for (b, block) in self.blocks.iter().enumerate() {
            for (local, &node) in block.nodes.iter().enumerate() {
                let node = node as usize - self.first_node;
                tasks[node / SUM_NODES].push([node % SUM_NODES, b * BLOCK_NODES + local].map(|n| n as u32));
            }
        }
        self.place_starts = vec![0];
        for task in tasks {
            self.places.extend(task);
            self.place_starts.push(self.places.len() as u32);
        }
    }

    /// Memory for a sweep.
    pub fn scratch(&self) -> Scratch {
        Scratch {
            partial: vec![[f64x4::ZERO; BLOCK_NODES]; self.blocks.len()],
            results: vec![BlockResult::default(); self.blocks.len()],
        }
    }

    /// Adds the nodal forces fₚ = −V₀ P gₚ to `out`; returns the dissipated power \[W\], or the tetrahedron with J ≤ 0.
    pub fn add_force<K: Kernel>(
        &self,
        kernel: &K,
        q: &[Vec3],
        v: &[Vec3],
        out: &mut [Vec3],
        scratch: &mut Scratch,
    ) -> Result<f64, usize> {
        let body = &mut out[self.first_node..self.first_node + self.nodes];
        let Scratch { partial, results } = scratch;
        if self.on_one_thread() {
            let Some(sums) = partial.first_mut() else { return Ok(0.0) };
            with_local(|local| {
                for (b, result) in results.iter_mut().enumerate() {
                    *result = self.run_block(kernel, b, q, v, local, sums);
                    for (&node, sum) in self.blocks[b].nodes.iter().zip(&*sums) {
                        body[node as usize - self.first_node] += vector(sum);
                    }
                }
            });
        } else {
            (partial.par_iter_mut().zip(results.par_iter_mut()).enumerate()).for_each(
                |(b, (sums, result))| {
                    *result = with_local(|local| self.run_block(kernel, b, q, v, local, sums));
                },
            );
            let partial = partial.as_flattened();
            (body.par_chunks_mut(SUM_NODES).enumerate())
                .for_each(|(task, body)| self.sum_places(task, body, partial));
        }
        match results.iter().find(|r| r.inverted != 0) {
            Some(bad) => Err(bad.inverted as usize - 1),
            None => Ok(results.iter().map(|r| r.power).sum()),
        }
    }

    /// Whether a sweep has nothing to share out.
    pub(super) fn on_one_thread(&self) -> bool {
        self.blocks.len() < PARALLEL_BLOCKS || rayon::current_num_threads() == 1
    }

    /// The packs of one block.
    pub(super) fn packs_of(&self, block: usize) -> impl Iterator<Item = Pack> {
        let twins = &self.twins[self.blocks[block].twins.clone()];
        twins.iter().flat_map(|twins| (0..2).map(|side| twins.pack(side)))
    }

    /// The number of packs.
    pub(super) fn packs(&self) -> usize {
        2 * self.twins.len()
    }

    /// The number of the first pack of a block.
    pub(super) fn first_pack(&self, block: usize) -> usize {
        2 * self.blocks[block].twins.start
    }

    /// Adds the blocks' forces to the nodes of one task.
    fn sum_places(&self, task: usize, out: &mut [Vec3], partial: &[f64x4]) {
        let range = self.place_starts[task] as usize..self.place_starts[task + 1] as usize;
        for &[node, place] in &self.places[range] {
            out[node as usize] += vector(&partial[place as usize]);
        }
    }

    /// All packs of one block; its forces are left in `sums`.
    fn run_block<K: Kernel>(
        &self,
        kernel: &K,
        block: usize,
        q: &[Vec3],
        v: &[Vec3],
        local: &mut Local,
        sums: &mut [f64x4; BLOCK_NODES],
    ) -> BlockResult {
        let Block { nodes, twins } = &self.blocks[block];
        gather(&mut local.rows, nodes, q, v, K::USES_RATE);
        sums[..nodes.len()].fill(f64x4::ZERO);
        let mut totals = Totals { power: splat(0.0), inverted: None };
        // A pack that must lie in memory makes the compiler align the stack. Else every pack that it keeps there for want
        // of registers would straddle two cache lines.
        std::hint::black_box(&mut totals);
        for number in twins.clone() {
            let twins = &self.twins[number];
            // Through memory on purpose: as mere values they cost the compiler so many registers that all takes 5 % longer.
            local.motions.set::<K>(twins, &local.rows);
            local.stresses = totals.stresses(kernel, &twins.volumes, &local.motions, 2 * number);
            scatter(twins, &local.stresses, sums, &local.spread);
        }
        let inverted = totals.inverted.map_or(0, |(pack, lane)| 1 + self.order[pack * LANES + lane]);
        BlockResult { power: totals.power.reduce_add(), inverted }
    }

    /// The nodes of every tetrahedron, in the order of the packs.
    pub fn tetrahedra(&self) -> Vec<[u32; 4]> {
        let mut tetrahedra = Vec::new();
        for (b, block) in self.blocks.iter().enumerate() {
            for pack in self.packs_of(b) {
                let filled = (0..LANES).filter(|&lane| pack.volume.to_array()[lane] > 0.0);
                tetrahedra.extend(filled.map(|lane| pack.corners.map(|c| block.nodes[c[lane] as usize])));
            }
        }
        tetrahedra
    }

    /// Calls `visit` with the number of each pack, the numbers of its tetrahedra in the mesh, and their F; lanes without
    /// a volume only fill up.
    pub(super) fn each_pack(&self, q: &[Vec3], mut visit: impl FnMut(usize, &[u32], &Pack, &Mat3x8)) {
        let mut rows = [splat(0.0); BLOCK_NODES];
        for (b, block) in self.blocks.iter().enumerate() {
            gather(&mut rows, &block.nodes, q, q, false);
            for (number, pack) in (self.first_pack(b)..).zip(self.packs_of(b)) {
                let tets = &self.order[LANES * number..LANES * (number + 1)];
                visit(number, tets, &pack, &pack.motion(&rows, false)[0]);
            }
        }
    }

    /// Calls `visit` for every tetrahedron, in the order of the packs: for all that is not hot.
    #[cfg(test)]
    pub fn each_element(&self, q: &[Vec3], v: &[Vec3], mut visit: impl FnMut(&Element)) {
        for (b, block) in self.blocks.iter().enumerate() {
            for (p, pack) in (2 * block.twins.start..).zip(self.packs_of(b)) {
                for lane in 0..LANES {
                    if pack.volume.to_array()[lane] > 0.0 {
                        let tet = self.order[p * LANES + lane] as usize;
                        visit(&Element::new(tet, &pack, lane, &block.nodes, q, v));
                    }
                }
            }
        }
    }
}

/// Lends the caller's thread its own room for one block, made at its first use and kept.
fn with_local<T>(work: impl FnOnce(&mut Local) -> T) -> T {
    thread_local!(static LOCAL: RefCell<Box<Local>> = RefCell::new(Box::new(Local::new())));
    LOCAL.with_borrow_mut(|local| work(local))
}

/// The vector in a row x y z ·
#[inline(always)]
fn vector(row: &f64x4) -> Vec3 {
    let [x, y, z, _] = row.to_array();
    Vec3::new(x, y, z)
}

/// Tetrahedra in the order of a Morton curve through their centres, so that neighbours share a block.
fn along_curve(mesh: &TetMesh) -> Vec<u32> {
    let (low, high) = mesh.bounds();
    let scale = 1023.0 / (high - low).max().max(f64::MIN_POSITIVE);
    let spread = |x: f64| (0..10).fold(0u32, |code, bit| code | ((x as u32 >> bit & 1) << (3 * bit)));
    let code = |tet: u32| {
        let center = mesh.tets[tet as usize].iter().map(|&v| mesh.positions[v as usize]).sum::<Vec3>() / 4.0;
        let [x, y, z] = ((center - low) * scale).map(spread).into();
        x | y << 1 | z << 2
    };
    let mut order: Vec<u32> = (0..mesh.tets.len() as u32).collect();
    order.sort_by_cached_key(|&tet| code(tet));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    /// A stress that mixes all coordinates: P = F Ḟ + cof F.
    struct Mixing;

    impl Kernel for Mixing {
        const USES_RATE: bool = true;
        const INVERTIBLE: bool = false;

        fn answer(&self, f: &Mat3x8, f_rate: &Mat3x8, weight: Lanes, _: usize) -> Answer {
            let cofactor = f.cofactor();
            let piola = (f.times(f_rate) + cofactor).scale(weight);
            Answer { piola, jacobian: splat(1.0), power: f_rate.dot(&cofactor) * weight }
        }
    }

    #[test]
    fn forces_have_the_same_bits_on_one_two_and_three_threads() {
        let mesh = generate::beam(1.0, 0.5, 0.5, [30, 10, 10]).unwrap();
        let blocks = Blocks::new(&mesh, 0);
        assert!(blocks.blocks.len() > PARALLEL_BLOCKS);
        let v: Vec<Vec3> =
            mesh.positions.iter().map(|x| Vec3::new(x.y.sin(), x.z.cos(), x.x * x.y)).collect();
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut out = v.clone();
            let power = pool.install(|| {
                blocks.add_force(&Mixing, &mesh.positions, &v, &mut out, &mut blocks.scratch()).unwrap()
            });
            let bits = out.iter().flat_map(|f| [f.x, f.y, f.z]).map(f64::to_bits);
            (bits.collect::<Vec<_>>(), power.to_bits())
        };
        let one = run(1);
        assert!(one == run(2));
        assert!(one == run(3));
    }

    #[test]
    fn packs_and_single_elements_give_the_same_forces() {
        // Forces of a block must agree with fₖ = −V₀ P gₖ summed element by element.
        let mesh = generate::beam(1.0, 0.5, 0.5, [4, 2, 2]).unwrap();
        let blocks = Blocks::new(&mesh, 0);
        let v: Vec<Vec3> = mesh.positions.iter().map(|x| Vec3::new(x.y, 2.0 * x.z, x.x * x.y)).collect();
        let mut out = vec![Vec3::zeros(); v.len()];
        blocks.add_force(&Mixing, &mesh.positions, &v, &mut out, &mut blocks.scratch()).unwrap();
        let mut expected = vec![Vec3::zeros(); v.len()];
        blocks.each_element(&mesh.positions, &v, |e| {
            let piola = e.f * e.f_rate + e.f.try_inverse().unwrap().transpose() * e.f.determinant();
            for k in 0..4 {
                expected[e.nodes[k] as usize] -= e.volume * piola * e.gradients[k];
            }
        });
        for (found, expected) in out.iter().zip(&expected) {
            assert!((found - expected).norm() < 1e-14, "{found} {expected}");
        }
    }
}
