//! How fast a body answers what an implicit step asks: `cargo bench -p aspic --bench tangent`.
//!
//! On one thread it is the time on the processor, on average, which a busy machine disturbs least; where the system
//! does not tell, and on several threads, it is the time on the clock, the best of many repetitions.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use aspic::continuum::{Continuum, Solid, TangentScratch, TangentWeights};
use aspic::dissipation::viscous_law::{Viscosity, ViscousLaw, ViscousModel};
use aspic::mesh::{TetMesh, generate};
use aspic::potential::material::{Corotated, Law, LiesenfeldStolfi, LsStable, NeoHookean, StVenant};
use aspic::{Mat3, Vec3};

/// Bulk and shear modulus \[Pa\], and both viscosities \[Pa s\].
const BULK: f64 = 100e3;
const SHEAR: f64 = 30e3;
const VISCOSITY: f64 = 5.0;

/// Calls that are timed.
const CALLS: usize = 40;

/// Time of this thread on the processor  \[s\]
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
}

/// Time of one call  \[s\]
fn time(mut work: impl FnMut()) -> f64 {
    let before = processor_time();
    let round = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    let shortest = (0..CALLS).map(round).fold(f64::INFINITY, f64::min);
    match (before, processor_time()) {
        (Some(before), Some(after)) if rayon::current_num_threads() == 1 => (after - before) / CALLS as f64,
        _ => shortest,
    }
}

/// A bend, and on top of it a ripple from node to node of some size \[m\].
fn bent(mesh: &TetMesh, ripple: f64) -> Vec<Vec3> {
    let bend = |x: &Vec3| Vec3::new(0.02 * x.x, 0.1 * x.x * x.x, -0.05 * x.y);
    let shake = |i: usize| Vec3::new((7 * i % 11) as f64, (5 * i % 13) as f64, (3 * i % 17) as f64) / 16.0;
    let nodes = mesh.positions.iter().enumerate();
    nodes.map(|(i, x)| x + bend(x) + ripple * shake(i)).collect()
}

/// Takes a result that nobody needs.
fn sink<T>(value: T) {
    let _ = black_box(value);
}

/// Prints the times of one law on one body, in ns per tetrahedron.
fn measure<L: Law + 'static>(name: &str, law: L, mesh: &TetMesh, ripple: f64) -> Result<(), Box<dyn Error>> {
    let viscous = ViscousLaw::new(Viscosity::new(VISCOSITY, VISCOSITY)?, ViscousModel::Material);
    let solid = Solid::new(mesh, 0, law, Some(viscous));
    let q = bent(mesh, ripple);
    let v = bent(mesh, 0.0);
    let tets = solid.tetrahedra();
    let mut pairs: Vec<(u32, u32)> =
        tets.iter().flat_map(|t| t.iter().flat_map(move |&i| t.iter().map(move |&j| (i, j)))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let start = Instant::now();
    let places = solid.stiffness_places(&|i, j| pairs.binary_search(&(i, j)).ok());
    let once = start.elapsed().as_secs_f64();
    let mut blocks = vec![Mat3::zeros(); pairs.len()];
    let mut scratch = TangentScratch::default();
    let mut tangent = |damping: f64, project: bool| {
        let weights = TangentWeights { stiffness: 1.0, damping };
        time(|| {
            solid.add_tangent(&q, &[], &mesh.positions, weights, project, &places, &mut blocks, &mut scratch);
        })
    };
    let times = [
        once,
        tangent(0.0, false),
        tangent(0.0, true),
        tangent(1.0, true),
        time(|| sink(solid.energy(&q, &[]))),
        time(|| sink(solid.dissipation(&q, &v))),
        time(|| sink(solid.first_flat(&q, &v))),
    ];
    print!("{name:<24}");
    times.iter().for_each(|seconds| print!("{:>10.1}", seconds / tets.len() as f64 * 1e9));
    println!();
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mesh = generate::beam(0.8, 0.16, 0.16, [80, 16, 16])?;
    println!("{} tetrahedra, ns each", mesh.tets.len());
    let columns = ["places", "exact", "positive", "+ viscous", "energy", "loss", "flat"];
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        print!("{:<24}", format!("{threads} threads"));
        columns.iter().for_each(|column| print!("{column:>10}"));
        println!();
        pool.install(|| -> Result<(), String> {
            let all = || -> Result<(), Box<dyn Error>> {
                measure("ls-stable at rest", LsStable::new(BULK, SHEAR), &mesh, 0.0)?;
                measure("ls-stable", LsStable::new(BULK, SHEAR), &mesh, 1e-3)?;
                measure("ls-stable, strained", LsStable::new(BULK, SHEAR), &mesh, 3e-3)?;
                measure("ls, strained", LiesenfeldStolfi::new(BULK, SHEAR), &mesh, 3e-3)?;
                measure("neo-hookean, strained", NeoHookean::new(BULK, SHEAR), &mesh, 3e-3)?;
                measure("corotated, strained", Corotated::new(BULK, SHEAR), &mesh, 3e-3)?;
                measure("st-venant, strained", StVenant::new(BULK, SHEAR), &mesh, 3e-3)
            };
            all().map_err(|error| error.to_string())
        })?;
    }
    Ok(())
}
