//! Tetrahedra in blocks that fit the first cache: gather, lanes, scatter and threads, written once.
//!
//! Tetrahedra are sorted along a space-filling curve and cut into blocks of at most 256 nodes. A block copies
//! the positions and velocities of its nodes into local rows, runs its packs of eight on them, and adds the
//! element forces into local rows. One thread adds these to the nodes block by block; several threads keep them
//! and add them in a last sweep, for each node in the order of the blocks. So every sum has the same order, and no
//! bit of the result depends on the number of threads.

use rayon::prelude::*;
use wide::f64x4;

use super::rows::{ROW_PAIRS, columns, halves, row_pairs};
use crate::lanes::{LANES, Lanes, Mat3x8, splat};
use crate::mesh::TetMesh;
use crate::{Mat3, Vec3};

/// Nodes in a block: what one byte can name.
const BLOCK_NODES: usize = 256;
/// Most packs in a block.
const BLOCK_PACKS: usize = 128;
/// Fewer blocks than this are not worth waking a second thread for.
const PARALLEL_BLOCKS: usize = 8;
/// Nodes summed by one task of the last sweep.
const SUM_NODES: usize = 1024;

/// Eight tetrahedra side by side.
#[derive(Clone, Debug)]
struct Pack {
    /// Local node of each corner in each lane.
    corners: [[u8; LANES]; 4],
    /// Dm⁻¹  \[1/m\]
    inverse_edges: Mat3x8,
    /// Rest volume, zero in lanes that only fill up the last pack  \[m³\]
    volume: Lanes,
}

/// A run of packs and the nodes they touch.
#[derive(Clone, Debug, Default)]
struct Block {
    /// World numbers of the local nodes.
    nodes: Vec<u32>,
    /// Its packs, as a range of all packs.
    first_pack: usize,
    packs: usize,
}

/// What one pack answers: stress, J = det F, and dissipated power per rest volume.
pub struct Answer {
    /// First Piola–Kirchhoff stress  \[Pa\]
    pub piola: Mat3x8,
    /// det F; a lane that is not positive is an inverted element, unless the kernel allows it.
    pub jacobian: Lanes,
    /// ω  \[W/m³\]
    pub power: Lanes,
}

/// The law that a sweep applies to every pack.
pub trait Kernel: Sync {
    /// Whether it asks for Ḟ.
    const USES_RATE: bool;
    /// Whether J ≤ 0 is a valid state.
    const INVERTIBLE: bool;
    /// The stress for F and Ḟ. Work that waits for a long chain of operations on F should ask for Ḟ meanwhile.
    fn answer(&self, f: &Mat3x8, f_rate: impl FnOnce() -> Mat3x8) -> Answer;
}

/// The tetrahedra of one body, ready to be swept.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    blocks: Vec<Block>,
    packs: Vec<Pack>,
    /// First node of the body in the world, and their number.
    first_node: usize,
    nodes: usize,
    /// For each node of the body, where its places in the blocks begin  (nodes + 1)
    place_starts: Vec<u32>,
    /// Places: block × 256 + local node.
    places: Vec<u32>,
    /// Number of the tetrahedron (in the mesh) in each lane of each pack, in order; fillers repeat the last.
    order: Vec<u32>,
}

/// Memory that a sweep needs; make it once with [`Blocks::scratch`].
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Force on each place: x y z ·  \[N\]
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

/// The nodes of one block.
struct Local {
    /// Positions and velocities: x y z 0 vx vy vz 0.
    rows: [Lanes; BLOCK_NODES],
    /// Forces: x y z ·
    sums: [f64x4; BLOCK_NODES],
}

impl Blocks {
    /// Floating-point operations per tetrahedron (a multiply-add counts 2), besides those of the kernel: edges 9,
    /// F 9·5, −V₀ P 9, times the gradients 9·5, the force on corner 0 from the others 3·2, sums per node 4·3.
    pub const FLOPS: usize = 9 + 45 + 9 + 45 + 6 + 12;
    /// More of them for kernels that use the rate: edges of velocities 9, Ḟ 9·5, sum of the power 2.
    pub const RATE_FLOPS: usize = 9 + 45 + 2;

    /// Memory of the tetrahedra and their tables  \[bytes\]
    pub fn bytes(&self) -> usize {
        let words = self.place_starts.len() + self.places.len() + self.order.len();
        let nodes: usize = self.blocks.iter().map(|block| block.nodes.len()).sum();
        size_of_val(&self.blocks[..]) + size_of_val(&self.packs[..]) + 4 * (words + nodes)
    }

    /// Blocks of a mesh whose vertex 0 is node `first_node` of the world.
    pub fn new(mesh: &TetMesh, first_node: usize) -> Blocks {
        let mut blocks = Blocks { first_node, nodes: mesh.positions.len(), ..Default::default() };
        let sorted = along_curve(mesh);
        let mut rest = &sorted[..];
        while !rest.is_empty() {
            rest = blocks.take_block(mesh, rest);
        }
        blocks.index_places();
        blocks
    }

    /// Cuts one block off the front of `tets`.
    fn take_block<'a>(&mut self, mesh: &TetMesh, tets: &'a [u32]) -> &'a [u32] {
        let mut nodes: Vec<u32> = Vec::new();
        let mut count = 0;
        for &tet in tets.iter().take(BLOCK_PACKS * LANES) {
            let fresh = mesh.tets[tet as usize].iter().filter(|v| !nodes.contains(v)).count();
            if nodes.len() + fresh > BLOCK_NODES {
                break;
            }
            for v in mesh.tets[tet as usize] {
                if !nodes.contains(&v) {
                    nodes.push(v);
                }
            }
            count += 1;
        }
        let first_pack = self.packs.len();
        for lanes in tets[..count].chunks(LANES) {
            self.packs.push(Pack::new(mesh, lanes, &nodes));
            self.order.extend((0..LANES).map(|l| lanes[l.min(lanes.len() - 1)]));
        }
        let nodes = nodes.iter().map(|v| v + self.first_node as u32).collect();
        self.blocks.push(Block { nodes, first_pack, packs: self.packs.len() - first_pack });
        &tets[count..]
    }

    /// Lists, for each node, its places in the blocks, in the order of the blocks.
    fn index_places(&mut self) {
        let mut starts = vec![0; self.nodes + 1];
        let first = self.first_node;
        let listed =
            || self.blocks.iter().flat_map(|block| block.nodes.iter().map(|&node| node as usize - first));
        listed().for_each(|node| starts[node + 1] += 1);
        (0..self.nodes).for_each(|node| starts[node + 1] += starts[node]);
        let mut ends = starts.clone();
        self.places = vec![0; starts[self.nodes] as usize];
        for (b, block) in self.blocks.iter().enumerate() {
            for (local, &node) in block.nodes.iter().enumerate() {
                let end = &mut ends[node as usize - first];
                self.places[*end as usize] = (b * BLOCK_NODES + local) as u32;
                *end += 1;
            }
        }
        self.place_starts = starts;
    }

    /// Memory for a sweep.
    pub fn scratch(&self) -> Scratch {
        Scratch {
            partial: vec![[f64x4::ZERO; BLOCK_NODES]; self.blocks.len()],
            results: vec![BlockResult::default(); self.blocks.len()],
        }
    }

    /// Adds the nodal forces fₚ = −V₀ P gₚ to `out`; returns the dissipated power [W], or the tetrahedron with J ≤ 0.
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
        if self.blocks.len() < PARALLEL_BLOCKS || rayon::current_num_threads() == 1 {
            let mut local = Local::new();
            for (b, result) in results.iter_mut().enumerate() {
                *result = self.run_block(kernel, b, q, v, &mut local);
                for (&node, sum) in self.blocks[b].nodes.iter().zip(&local.sums) {
                    body[node as usize - self.first_node] += vector(sum);
                }
            }
        } else {
            (partial.par_iter_mut().zip(results.par_iter_mut()).enumerate()).for_each_init(
                Local::new,
                |local, (b, (partial, result))| {
                    *result = self.run_block(kernel, b, q, v, local);
                    partial.copy_from_slice(&local.sums);
                },
            );
            (body.par_chunks_mut(SUM_NODES).enumerate())
                .for_each(|(c, body)| self.sum_places(c * SUM_NODES, body, partial));
        }
        match results.iter().find(|r| r.inverted != 0) {
            Some(bad) => Err(bad.inverted as usize - 1),
            None => Ok(results.iter().map(|r| r.power).sum()),
        }
    }

    /// Adds the blocks' forces to nodes `first`, `first + 1`, … of the body.
    fn sum_places(&self, first: usize, out: &mut [Vec3], partial: &[[f64x4; BLOCK_NODES]]) {
        for (i, out) in out.iter_mut().enumerate() {
            let range = self.place_starts[first + i] as usize..self.place_starts[first + i + 1] as usize;
            for &place in &self.places[range] {
                *out += vector(&partial[place as usize / BLOCK_NODES][place as usize % BLOCK_NODES]);
            }
        }
    }

    /// All packs of one block; its forces are left in `local`.
    fn run_block<K: Kernel>(
        &self,
        kernel: &K,
        block: usize,
        q: &[Vec3],
        v: &[Vec3],
        local: &mut Local,
    ) -> BlockResult {
        let Block { nodes, first_pack, packs } = &self.blocks[block];
        local.gather::<K>(nodes, q, v);
        let mut power = splat(0.0);
        let mut inverted = 0;
        for (p, pack) in self.packs[*first_pack..first_pack + packs].iter().enumerate() {
            let [f, f_rate] = pack.motion(local);
            let answer = kernel.answer(&f, || f_rate);
            power = answer.power.mul_add(pack.volume, power);
            let positive = answer.jacobian.simd_gt(splat(0.0));
            if !K::INVERTIBLE && !positive.all() && inverted == 0 {
                let lane = (!positive.to_bitmask()).trailing_zeros() as usize;
                inverted = 1 + self.order[(first_pack + p) * LANES + lane];
            }
            pack.scatter(&answer.piola.scale(-pack.volume), &mut local.sums);
        }
        BlockResult { power: power.reduce_add(), inverted }
    }

    /// Calls `visit` for every tetrahedron, in the order of the packs: for all that is not hot.
    pub fn each_element(&self, q: &[Vec3], v: &[Vec3], mut visit: impl FnMut(&Element)) {
        for block in &self.blocks {
            for p in block.first_pack..block.first_pack + block.packs {
                for lane in 0..LANES {
                    if self.packs[p].volume.to_array()[lane] > 0.0 {
                        let tet = self.order[p * LANES + lane] as usize;
                        visit(&Element::new(tet, &self.packs[p], lane, &block.nodes, q, v));
                    }
                }
            }
        }
    }
}

/// One tetrahedron, deformed.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its number in the mesh.
    pub tet: usize,
    /// Its nodes in the world.
    pub nodes: [u32; 4],
    /// Gradients of the barycentric functions: the rows of Dm⁻¹, and minus their sum first  \[1/m\]
    pub gradients: [Vec3; 4],
    /// Rest volume  \[m³\]
    pub volume: f64,
    /// F = Ds Dm⁻¹
    pub f: Mat3,
    /// Ḟ  \[1/s\]
    pub f_rate: Mat3,
}

impl Element {
    fn new(tet: usize, pack: &Pack, lane: usize, block_nodes: &[u32], q: &[Vec3], v: &[Vec3]) -> Element {
        let nodes = pack.corners.map(|corner| block_nodes[corner[lane] as usize]);
        let inverse = pack.inverse_edges.lane(lane);
        let gradient = |x: &[Vec3]| {
            let [a, b, c, d] = nodes.map(|n| x[n as usize]);
            Mat3::from_columns(&[b - a, c - a, d - a]) * inverse
        };
        let [a, b, c] = [0, 1, 2].map(|i| inverse.row(i).transpose());
        Element {
            tet,
            nodes,
            gradients: [-(a + b + c), a, b, c],
            volume: pack.volume.to_array()[lane],
            f: gradient(q),
            f_rate: gradient(v),
        }
    }
}

impl Local {
    fn new() -> Local {
        Local { rows: [splat(0.0); BLOCK_NODES], sums: [f64x4::ZERO; BLOCK_NODES] }
    }

    #[inline(always)]
    fn gather<K: Kernel>(&mut self, nodes: &[u32], q: &[Vec3], v: &[Vec3]) {
        for ((row, sum), &node) in self.rows.iter_mut().zip(&mut self.sums).zip(nodes) {
            let x = &q[node as usize];
            let v = if K::USES_RATE { v[node as usize] } else { Vec3::zeros() };
            *row = Lanes::new([x.x, x.y, x.z, 0.0, v.x, v.y, v.z, 0.0]);
            *sum = f64x4::ZERO;
        }
    }
}

impl Pack {
    fn new(mesh: &TetMesh, tets: &[u32], nodes: &[u32]) -> Pack {
        let tet_of = |lane: usize| tets[lane.min(tets.len() - 1)] as usize;
        let inverses: [Mat3; LANES] = std::array::from_fn(|lane| {
            let edges = mesh.edges_at(tet_of(lane));
            edges.try_inverse().expect("a checked mesh has no flat tetrahedron")
        });
        let corner = |c: usize, lane: usize| {
            let node = mesh.tets[tet_of(lane)][c];
            nodes.iter().position(|&n| n == node).expect("the block lists every node of its tetrahedra") as u8
        };
        Pack {
            corners: std::array::from_fn(|c| std::array::from_fn(|lane| corner(c, lane))),
            inverse_edges: Mat3x8::from_fn(|i, j| {
                Lanes::new(std::array::from_fn(|lane| inverses[lane][(i, j)]))
            }),
            volume: Lanes::new(std::array::from_fn(|lane| {
                if lane < tets.len() { mesh.volume_of(tet_of(lane)) } else { 0.0 }
            })),
        }
    }

    /// F = Σ (xₖ − x₀) ⊗ gₖ over corners k = 1, 2, 3, and Ḟ, the same of the velocities.
    ///
    /// Edge by edge: the shuffles of one and the products of another use different parts of the processor.
    #[inline(always)]
    fn motion(&self, local: &Local) -> [Mat3x8; 2] {
        let row = |corner: usize, lane: usize| local.rows[self.corners[corner][lane] as usize];
        let edge = |corner: usize| columns(std::array::from_fn(|lane| row(corner, lane) - row(0, lane)));
        let [g1, g2, g3] = &self.inverse_edges.0;
        let [f, f_rate] = edge(1).map(|edge| Mat3x8::outer(&edge, g1));
        let [edge2, rate2] = edge(2);
        let [f, f_rate] = [f.plus_outer(&edge2, g2), f_rate.plus_outer(&rate2, g2)];
        let [edge3, rate3] = edge(3);
        [f.plus_outer(&edge3, g3), f_rate.plus_outer(&rate3, g3)]
    }

    /// Adds the forces fₖ = S gₖ to the block's sums, S = −V₀ P; corner 0 gets minus the sum of the others.
    #[inline(always)]
    fn scatter(&self, stress: &Mat3x8, sums: &mut [f64x4; BLOCK_NODES]) {
        let [f1, f2, f3] = [0, 1, 2].map(|k| row_pairs(stress.times_vector(&self.inverse_edges.0[k])));
        for (pair, lanes) in ROW_PAIRS.into_iter().enumerate() {
            let forces = [f1[pair], f2[pair], f3[pair]];
            let others = halves(forces[0] + forces[1] + forces[2]);
            let forces = forces.map(halves);
            for (half, lane) in lanes.into_iter().enumerate() {
                sums[self.corners[0][lane] as usize] -= others[half];
                for corner in 1..4 {
                    sums[self.corners[corner][lane] as usize] += forces[corner - 1][half];
                }
            }
        }
    }
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

    /// Neo-Hookean enough to mix all coordinates.
    struct Mixing;

    impl Kernel for Mixing {
        const USES_RATE: bool = true;
        const INVERTIBLE: bool = false;

        fn answer(&self, f: &Mat3x8, f_rate: impl FnOnce() -> Mat3x8) -> Answer {
            let (cofactor, rate) = (f.cofactor(), f_rate());
            Answer { piola: f.times(&rate) + cofactor, jacobian: splat(1.0), power: rate.dot(&cofactor) }
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
    fn uniform_stress_pulls_each_corner_along_its_gradient() {
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
