//! How fast the hottest loop is, as a part of what the machine can do: `cargo bench -p aspic --bench force`.
//!
//! Every time is the best of many repetitions, which a busy machine disturbs least. The peak is that of
//! independent multiply-adds on one thread. What is compared is measured in turns: a disturbance that lasts for seconds
//! then spoils some turns of each, and not all of one.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use aspic::continuum::{Blocks, Continuum, Scratch, Solid};
use aspic::dissipation::viscous_law::{Viscosity, ViscousLaw, ViscousModel};
use aspic::integrate::{Integrator, Rkf45, StepLimits};
use aspic::kinetic::MassModel;
use aspic::lanes::{LANES, splat};
use aspic::mesh::{TetMesh, generate};
use aspic::potential::material::{LsStable, Moduli};
use aspic::state::Rates;
use aspic::{Material, State, Vec3, World, WorldBuilder};
use wide::f64x4;

/// Bulk and shear modulus \[Pa\], and both viscosities \[Pa s\].
const BULK: f64 = 100e3;
const SHEAR: f64 = 30e3;
const VISCOSITY: f64 = 5.0;

/// Turns in which the force and the peak are measured.
const TURNS: usize = 30;

/// Operations per tetrahedron of elastic and viscous force together; what twins share counts half for each.
const FLOPS: usize =
    LsStable::PLUS_FLOPS + ViscousLaw::FLOPS + ViscousLaw::POWER_FLOPS + Blocks::FLOPS + Blocks::RATE_FLOPS
        - (LsStable::SHARED_FLOPS + ViscousLaw::SHARED_FLOPS).div_ceil(2);

/// Operations if every tetrahedron were swept alone: edges and full products for F = D B and Ḟ = Ḋ B, the power, and
/// P Bᵀ with the sum of its columns and the sums at the nodes. What twins save is not work done, but it is time saved.
const PLAIN_FLOPS: usize = LsStable::PLUS_FLOPS
    + ViscousLaw::FLOPS
    + ViscousLaw::POWER_FLOPS
    + (9 + 45)
    + (9 + 45 + 1)
    + (45 + 6 + 12);

/// One line of the table: what, value, unit.
type Line = (String, f64, &'static str);

/// Shortest time of one call, out of `rounds` rounds of `calls` calls  \[s\]
fn best(rounds: usize, calls: usize, mut work: impl FnMut()) -> f64 {
    let round = |_| {
        let start = Instant::now();
        (0..calls).for_each(|_| work());
        start.elapsed().as_secs_f64() / calls as f64
    };
    (0..rounds).map(round).fold(f64::INFINITY, f64::min)
}

/// Operations per second of independent multiply-adds on one thread.
fn peak() -> f64 {
    const CHAINS: usize = 12;
    const LENGTH: usize = 100_000;
    let (factor, term) = (splat(black_box(0.999)), splat(black_box(1e-3)));
    let seconds = best(10, 1, || {
        let mut sums = [splat(0.5); CHAINS];
        for _ in 0..LENGTH {
            sums = sums.map(|x| x.mul_add(factor, term));
        }
        black_box(sums);
    });
    (2 * LANES * CHAINS * LENGTH) as f64 / seconds
}

/// The same on two threads at once: what the machine gives to two threads that share nothing.
fn peak_of_two() -> f64 {
    std::thread::scope(|scope| {
        let other = scope.spawn(peak);
        peak() + other.join().expect("multiply-adds do not panic")
    })
}

/// A field of the `/proc/self/status` of Linux \[bytes\]; zero where there is none.
fn memory(field: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)).and_then(|word| word.parse().ok());
    1024.0 * kilobytes.unwrap_or(0.0)
}

fn bar() -> Result<TetMesh, Box<dyn Error>> {
    Ok(generate::beam(0.8, 0.16, 0.16, [80, 16, 16])?)
}

fn world(mesh: &TetMesh, held: u32) -> Result<(World, State), Box<dyn Error>> {
    let mut material = Material::elastic(1000.0, Moduli::new(BULK, SHEAR)?);
    material.viscosity = Viscosity::new(VISCOSITY, VISCOSITY)?;
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    builder.solid("body", mesh, &material, MassModel::Consistent)?;
    builder.hold("nail", &[held]);
    Ok(builder.build()?)
}

/// Memory of a world of the bar: while it is built, and afterwards with what a step needs.
fn measure_memory(table: &mut Vec<Line>) -> Result<(), Box<dyn Error>> {
    let mesh = bar()?;
    let tets = mesh.tets.len() as f64;
    // 5 lowers the high-water mark to what is in use now
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = memory("VmRSS");
    let (world, _state) = world(&mesh, 0)?;
    table.push(("memory, peak while building a world".into(), (memory("VmHWM") - before) / tets, "B/tet"));
    let _work = black_box(world.workspace());
    table.push(("memory, world and workspace".into(), (memory("VmRSS") - before) / tets, "B/tet"));
    Ok(())
}

/// The force of the bar with one and two threads.
fn measure_force(table: &mut Vec<Line>) -> Result<(), Box<dyn Error>> {
    let mesh = bar()?;
    let tets = mesh.tets.len() as f64;
    let viscous = ViscousLaw::new(Viscosity::new(VISCOSITY, VISCOSITY)?, ViscousModel::Material);
    let solid = Solid::new(&mesh, 0, LsStable::new(BULK, SHEAR), Some(viscous));
    let (q, v) = motion(&mesh);
    let mut out = vec![Vec3::zeros(); q.len()];
    let mut scratch: Scratch = solid.scratch();
    table.push(("operations".into(), FLOPS as f64, "flop/tet"));
    table.push(("operations, every tetrahedron alone".into(), PLAIN_FLOPS as f64, "flop/tet"));
    table.push(("memory, tetrahedra alone".into(), Blocks::new(&mesh, 0).bytes() as f64 / tets, "B/tet"));
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pools = [pool(1)?, pool(2)?];
    let (mut peaks, mut seconds) = ([0.0f64; 2], [f64::INFINITY; 2]);
    for _ in 0..TURNS {
        for ((pool, seconds), (peak, measure)) in
            pools.iter().zip(&mut seconds).zip(peaks.iter_mut().zip([peak, peak_of_two]))
        {
            *peak = peak.max(measure());
            let time = pool.install(|| best(60, 1, || force(&solid, &q, &v, &mut out, &mut scratch)));
            *seconds = seconds.min(time);
        }
    }
    for (threads, (peak, time)) in (1..).zip(peaks.into_iter().zip(seconds)) {
        let rate = FLOPS as f64 * tets / time;
        let name = |what: &str| format!("force, {threads} threads: {what}");
        table.push((format!("peak of {threads} threads"), peak / 1e9, "Gflop/s"));
        table.push((name("time"), time / tets * 1e9, "ns/tet"));
        table.push((name("rate"), rate / 1e9, "Gflop/s"));
        let part = 100.0 * rate / peak;
        table.push((name("part of peak"), part, "%"));
        let plain = part * PLAIN_FLOPS as f64 / FLOPS as f64;
        table.push((name("part of peak, every tetrahedron alone"), plain, "%"));
    }
    table.push(("force, speed-up".into(), seconds[0] / seconds[1], "1"));
    table.push(("multiply-adds alone, speed-up".into(), peaks[1] / peaks[0], "1"));
    Ok(())
}

fn force(solid: &impl Continuum, q: &[Vec3], v: &[Vec3], out: &mut [Vec3], scratch: &mut Scratch) {
    black_box(solid.add_force(q, v, &[], out, scratch)).expect("the motion inverts nothing");
}

/// Positions and velocities of a gentle bend.
fn motion(mesh: &TetMesh) -> (Vec<Vec3>, Vec<Vec3>) {
    let bend = |x: &Vec3| Vec3::new(0.02 * x.x, 0.1 * x.x * x.x, -0.05 * x.y);
    let q = mesh.positions.iter().map(|x| x + bend(x)).collect();
    (q, mesh.positions.iter().map(bend).collect())
}

/// One Runge–Kutta stage of a torus of 480 tetrahedra that hangs on one vertex, on one thread.
fn measure_stage(table: &mut Vec<Line>) -> Result<(), Box<dyn Error>> {
    let mesh = generate::torus(0.1, 0.03, 20, 8)?;
    let (world, state) = world(&mesh, mesh.groups["nail"][0])?;
    let mut work = world.workspace();
    let mut rates = Rates::zeros(world.nodes());
    let all = best(200, 20, || world.rates(&state, &mut rates, &mut work).expect("a body at rest has rates"));
    let factor = &world.phases[0].free.factor;
    let (b, mut x) = (state.q.clone(), vec![Vec3::zeros(); world.nodes()]);
    let mut columns = vec![f64x4::ZERO; world.nodes()];
    let solve = best(200, 20, || factor.solve(black_box(&b), &mut x, &mut columns));
    let mut forces = vec![Vec3::zeros(); world.nodes()];
    let continuum = &world.continua[0].1;
    let mut scratch = continuum.scratch();
    let force = best(200, 20, || {
        black_box(continuum.add_force(&state.q, &state.v, &state.memory, &mut forces, &mut scratch))
            .expect("upright");
    });
    table.push(("torus: entries of the Cholesky factor".into(), factor.nonzeros() as f64, "1"));
    table.push(("torus: force".into(), force * 1e6, "µs"));
    table.push(("torus: mass solve".into(), solve * 1e6, "µs"));
    table.push(("torus: force, mass solve and the rest of the rates".into(), all * 1e6, "µs"));
    table.push(("torus: whole stage of a step".into(), stage(&world, state) * 1e6, "µs"));
    Ok(())
}

/// Time of a step over its force evaluations: rates, combination of the stages, error estimate  \[s\]
fn stage(world: &World, state: State) -> f64 {
    let limits = StepLimits { tolerance: 1e-4, min_step: 1e-9, max_step: 1e-5 };
    let mut integrator = Rkf45::new(world, limits);
    let (mut now, mut next) = (state.clone(), state);
    let mut per_stage = f64::INFINITY;
    for _ in 0..200 {
        let before = integrator.evaluations();
        let seconds = best(1, 4, || {
            integrator.step(world, &now, 1e-5, f64::INFINITY, &mut next).expect("a short step succeeds");
            std::mem::swap(&mut now, &mut next);
        });
        per_stage = per_stage.min(4.0 * seconds / (integrator.evaluations() - before) as f64);
    }
    per_stage
}

/// The whole scene of the falling torus, best of three runs.
fn measure_scene(table: &mut Vec<Line>) -> Result<(), Box<dyn Error>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/falling-torus.toml");
    let scene = aspic::scene::Scene::parse(&std::fs::read_to_string(file)?)?;
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let mut simulation = scene.build(&aspic::scene::NoFiles)?;
        while simulation.next_frame()?.is_some() {}
        best = best.min(simulation.statistics().wall_s);
    }
    table.push(("falling torus, 10 s: stepping".into(), best, "s"));
    table.push(("falling torus, 10 s: simulated over wall time".into(), 10.0 / best, "1"));
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut table = vec![];
    measure_memory(&mut table)?;
    measure_force(&mut table)?;
    measure_stage(&mut table)?;
    measure_scene(&mut table)?;
    let mut csv = String::from("what,value,unit\n");
    for (what, value, unit) in &table {
        println!("{what:<52} {value:>10.2} {unit}");
        csv += &format!("\"{what}\",{value:.4},{unit}\n");
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/results");
    std::fs::create_dir_all(folder)?;
    std::fs::write(format!("{folder}/force.csv"), csv)?;
    Ok(())
}
