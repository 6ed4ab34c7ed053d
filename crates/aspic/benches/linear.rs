//! How fast an implicit step's linear system is solved: `cargo bench -p aspic --bench linear`.
//!
//! A = M/h² + K of a cantilever and of a soft compact cube at rest, in three sizes, under a random load. Times are the
//! best of a few repetitions. Add a number to the command to use that many threads.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use aspic::Vec3;
use aspic::continuum::{Continuum, Solid, TangentScratch, TangentWeights};
use aspic::kinetic::{Inertia, MassModel, tet_entries};
use aspic::mesh::{TetMesh, generate};
use aspic::potential::material::{Moduli, NeoHookean};
use aspic::solve::{
    BlockJacobi, BlockMatrix, Conjugate, Direct, Effort, Precision, Preconditioner, RankOnes, System, Target,
    TwoLevel,
};

/// Density \[kg/m³\], step \[s\], Poisson's ratio.
const DENSITY: f64 = 1000.0;
const STEP: f64 = 1.0 / 60.0;
const POISSON: f64 = 0.4;

/// A system to be solved, and its exact solution.
struct Case {
    name: String,
    mesh: TetMesh,
    free: Vec<bool>,
    matrix: BlockMatrix,
    load: Vec<Vec3>,
    exact: Vec<Vec3>,
}

/// Shortest time of at least `rounds` calls and a fifth of a second  \[s\]
fn best(rounds: usize, mut work: impl FnMut()) -> f64 {
    let (all, mut shortest, mut done) = (Instant::now(), f64::INFINITY, 0);
    while done < rounds || (all.elapsed().as_secs_f64() < 0.2 && done < 1000) {
        let start = Instant::now();
        work();
        shortest = shortest.min(start.elapsed().as_secs_f64());
        done += 1;
    }
    shortest
}

/// Numbers between −1 and 1 that never change.
fn noise(n: usize) -> Vec<Vec3> {
    let mut seed = 1u64;
    let mut roll = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..n).map(|_| Vec3::from_fn(|_, _| roll())).collect()
}

/// M/h² + K of the mesh at rest; the nodes of `held` do not move.
fn assemble(mesh: &TetMesh, young: f64, free: &[bool]) -> Result<BlockMatrix, Box<dyn Error>> {
    let moduli = Moduli::from_young_poisson(young, POISSON)?;
    let solid = Solid::new(mesh, 0, NeoHookean::new(moduli.bulk, moduli.shear), None);
    let mut matrix = BlockMatrix::with_pattern(mesh.positions.len(), mesh.tets.iter().map(|t| &t[..]));
    let places = solid.stiffness_places(&|i, j| matrix.place(i as usize, j as usize));
    let (x, weights) = (&mesh.positions, TangentWeights { stiffness: 1.0, damping: 0.0 });
    solid.add_tangent(x, &[], x, weights, true, &places, matrix.blocks_mut(), &mut TangentScratch::default());
    let mut entries = vec![];
    for (t, &tet) in mesh.tets.iter().enumerate() {
        tet_entries(MassModel::Lumped, tet, DENSITY * mesh.volume_of(t), &mut entries);
    }
    let inertia = Inertia::new(mesh.positions.len(), entries);
    matrix.add_scalar(1.0 / (STEP * STEP), inertia.matrix()).map_err(|_| "a mass outside the pattern")?;
    matrix.constrain(free);
    Ok(matrix)
}

fn case(name: &str, mesh: TetMesh, young: f64, held: &str) -> Result<Case, Box<dyn Error>> {
    let mut free = vec![true; mesh.positions.len()];
    mesh.groups.get(held).into_iter().flatten().for_each(|&i| free[i as usize] = false);
    let matrix = assemble(&mesh, young, &free)?;
    // What a Newton step sees: gravity's smooth load, and forces that differ from node to node.
    let mut load = noise(free.len());
    load.iter_mut().enumerate().for_each(|(i, b)| {
        *b = if free[i] { *b - 0.3 * Vec3::z() } else { Vec3::zeros() };
    });
    let mut exact = load.clone();
    let (mut jacobi, target) = (BlockJacobi::default(), Target { tolerance: 1e-10, cap: 100_000 });
    jacobi.update(&matrix, &RankOnes::default());
    Conjugate::default().solve(
        &mut System { matrix: &matrix, terms: &mut RankOnes::default() },
        &mut jacobi,
        &load,
        &mut exact,
        target,
    );
    let name = format!("{name}, {} tets, {} nodes, E {young:.0e}", mesh.tets.len(), free.len());
    Ok(Case { name, mesh, free, matrix, load, exact })
}

/// √(eᵀAe / xᵀAx) of a solution.
fn error(case: &Case, x: &[Vec3]) -> f64 {
    let energy = |x: &[Vec3]| {
        let mut y = vec![Vec3::zeros(); x.len()];
        case.matrix.multiply(x, &mut y);
        x.iter().zip(&y).map(|(x, y)| x.dot(y)).sum::<f64>()
    };
    let difference: Vec<Vec3> = x.iter().zip(&case.exact).map(|(a, b)| a - b).collect();
    (energy(&difference) / energy(&case.exact)).sqrt()
}

/// One row: set-up, then solves to 1e-2 and 1e-4.
fn row(case: &Case, name: &str, setup: f64, m: &mut impl Preconditioner) {
    print!("  {name:<22} set-up {:>9.3} ms", setup * 1e3);
    let (mut conjugate, mut x) = (Conjugate::default(), vec![Vec3::zeros(); case.load.len()]);
    let mut none = RankOnes::default();
    for tolerance in [1e-2, 1e-4] {
        let target = Target { tolerance, cap: 5000 };
        let mut effort: Option<Effort> = None;
        let seconds = best(2, || {
            effort = Some(conjugate.solve(
                &mut System { matrix: &case.matrix, terms: &mut none },
                m,
                &case.load,
                &mut x,
                target,
            ));
        });
        let iterations = effort.map_or(0, |e| e.iterations);
        print!(
            "   {tolerance:.0e}: {:>8.3} ms {iterations:>5} its (error {:.1e})",
            seconds * 1e3,
            error(case, &x)
        );
    }
    println!();
}

fn direct_row<T: Precision>(case: &Case, name: &str) {
    let start = Instant::now();
    let Ok(mut direct) = Direct::<T>::analyse(&case.matrix, &case.free) else { return };
    let analysis = start.elapsed().as_secs_f64();
    let mut ok = Ok(());
    let setup = best(1, || ok = direct.refactor(&case.matrix));
    let mut x = case.load.clone();
    let solve = best(2, || direct.solve(black_box(&case.load), &mut x));
    println!(
        "  {name}: analysis {:.1} ms, entries {:.2e}, refactor {:.2} ms, one solve {:.3} ms, {ok:?}",
        analysis * 1e3,
        direct.nonzeros() as f64,
        setup * 1e3,
        solve * 1e3
    );
    row(case, name, setup, &mut direct);
}

fn two_level_row(case: &Case, size: usize) {
    let start = Instant::now();
    let Ok(mut two) = TwoLevel::new(&case.matrix, &case.free, size) else { return };
    let analysis = start.elapsed().as_secs_f64();
    let none = RankOnes::default();
    let setup = best(2, || two.update(&case.matrix, &none, &case.mesh.positions, true).unwrap_or(()));
    let mut z = case.load.clone();
    let apply = best(10, || two.apply(&case.load, &mut z));
    let name = format!(
        "patches of {size}: {}, {:.1e} entries, analysis {:.1} ms, apply {:.3} ms",
        two.patches(),
        two.nonzeros() as f64,
        analysis * 1e3,
        apply * 1e3
    );
    row(case, &name, setup, &mut two);
}

/// √(Σ Aᵢᵢ / Σᵢⱼ Aᵢⱼ) over the rows that touch no held node: how stiff the body is against its inertia.
fn stiffness_ratio(case: &Case) -> f64 {
    let (mut diagonal, mut all) = (0.0, 0.0);
    for i in 0..case.matrix.len() {
        if case.matrix.row(i).all(|(j, _)| case.free[j]) {
            diagonal += case.matrix.diagonal(i).trace();
            all += case.matrix.row(i).map(|(_, block)| block.trace()).sum::<f64>();
        }
    }
    (diagonal / all).sqrt()
}

fn measure(case: &Case) {
    println!("{}, root of stiffness ratio {:.1}", case.name, stiffness_ratio(case));
    let blocks = case.matrix.blocks().len();
    let mut y = case.load.clone();
    let product = best(50, || case.matrix.multiply(black_box(&case.load), &mut y));
    let bytes = (76 * blocks) as f64;
    println!(
        "  product {:.4} ms, {:.2} ns/block, {:.1} GB/s",
        product * 1e3,
        product / blocks as f64 * 1e9,
        bytes / product / 1e9
    );
    let (mut jacobi, none) = (BlockJacobi::default(), RankOnes::default());
    let setup = best(2, || jacobi.update(&case.matrix, &none));
    row(case, "block Jacobi", setup, &mut jacobi);
    for size in [32, 64, 128] {
        two_level_row(case, size);
    }
    direct_row::<f64>(case, "factor f64");
    direct_row::<f32>(case, "factor f32");
}

fn run(largest: usize) -> Result<(), Box<dyn Error>> {
    for (k, cells) in [[24, 3, 3], [48, 6, 7], [104, 14, 14]].into_iter().take(largest).enumerate() {
        for young in [1e6, 1e7] {
            measure(&case("cantilever", generate::beam(1.0, 0.13, 0.13, cells)?, young, "start")?);
        }
        let n = [6, 13, 27][k];
        for young in [5e4, 1e6] {
            let mesh = generate::block(Vec3::repeat(0.2), [n; 3])?;
            measure(&case("cube", mesh, young, "nothing")?);
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let threads = numbers.first().copied().unwrap_or(1);
    let largest = numbers.get(1).copied().unwrap_or(3);
    println!("threads: {threads}");
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?
        .install(|| run(largest).map_err(|e| e.to_string()))?;
    Ok(())
}
